"""How the tests ask the stand-in for flights."""

from typing import Any

import requests

APP = {"appId": "constructed-app", "appKey": "constructed-key"}


def get(address: str, path: str, **params: str) -> requests.Response:
    return requests.get(f"{address}/flightstats/flex{path}", params={**APP, **params}, timeout=20)


def day(address: str, dep: str, arr: str, when: str = "2025/11/3", **params: str) -> Any:
    return get(address, f"/schedules/rest/v1/json/from/{dep}/to/{arr}/departing/{when}", **params).json()


def route(address: str, dep: str, arr: str, **params: str) -> Any:
    return get(address, f"/ratings/rest/v1/json/route/{dep}/{arr}", **params).json()


def number(address: str, carrier: str, digits: str, **params: str) -> Any:
    return get(address, f"/ratings/rest/v1/json/flight/{carrier}/{digits}", **params).json()
