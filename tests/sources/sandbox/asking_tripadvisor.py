"""How the tests ask TripAdvisor's stand-in, with a key in the address or in the header."""

from typing import Any

import requests

KEY = "constructed-key-of-tests"
Document = dict[str, Any]


def content(address: str, question: str, key: str | None = KEY, **params: object) -> requests.Response:
    asked = {**params, **({"key": key} if key is not None else {})}
    return requests.get(f"{address}/tripadvisor/api/v1/location/{question}", params=asked, timeout=10)


def terra(address: str, question: str, key: str | None = KEY, **params: object) -> requests.Response:
    headers = {"X-API-Key": key} if key is not None else {}
    path = f"/{question}" if question else ""
    return requests.get(f"{address}/tripadvisor/api/locations{path}", params=params, headers=headers, timeout=10)


def found(answer: requests.Response) -> list[Document]:
    assert answer.status_code == 200
    data: list[Document] = answer.json()["data"]
    return data


def details(address: str, number: int) -> Document:
    answer = content(address, f"{number}/details")
    assert answer.status_code == 200
    document: Document = answer.json()
    return document
