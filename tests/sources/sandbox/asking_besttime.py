"""How the tests ask BestTime's stand-in, with a key in the address."""

from typing import Any

import requests

from sources.sandbox.places import TruePlace

KEY = "constructed-key-of-tests"
Document = dict[str, Any]


def ask(address: str, key: str | None = KEY, **params: str) -> requests.Response:
    asked = {**params, **({"api_key_private": key} if key is not None else {})}
    return requests.post(f"{address}/besttime/api/v1/forecasts", params=asked, timeout=10)


def ask_about(address: str, place: TruePlace) -> requests.Response:
    return ask(address, venue_name=place.name, venue_address=place.address)
