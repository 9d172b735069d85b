"""How the tests ask Numbeo's stand-in, with a key in the address."""

from typing import Any

import requests

KEY = "constructed-key-of-tests"
Document = dict[str, Any]


def ask(address: str, question: str, key: str = KEY, **params: str | int) -> requests.Response:
    return requests.get(f"{address}/numbeo/api/{question}", params={**params, "api_key": key}, timeout=10)


def told(address: str, question: str, **params: str | int) -> Document:
    answer = ask(address, question, KEY, **params)
    assert answer.status_code == 200
    document: Document = answer.json()
    return document
