"""How the tests ask the stand-in for roads: whole matrices, jobs and routes between the cities of a region."""

import time
from collections.abc import Sequence
from typing import Any

import requests

from schemas.region import City

STANDARD = "constructed-standard"
CONTRACTED = "constructed-contracted"
FREE_OF_BOXES = {"departAt": "any", "traffic": "historical", "routeType": "fastest", "travelMode": "car"}
FOR_A_TABLE = {"computeTravelTimeFor": "all", "routeRepresentation": "summaryOnly"}


def point(city: City) -> dict[str, Any]:
    return {"point": {"latitude": city.latitude, "longitude": city.longitude}}


def body(origins: Sequence[City], destinations: Sequence[City], options: dict[str, Any] | None = None) -> Any:
    return {
        "origins": [point(city) for city in origins],
        "destinations": [point(city) for city in destinations],
        "options": FREE_OF_BOXES if options is None else options,
    }


def post(address: str, path: str, question: Any, key: str = CONTRACTED) -> requests.Response:
    return requests.post(f"{address}/tomtom/routing{path}", params={"key": key}, json=question, timeout=20)


def get(address: str, path: str, key: str = CONTRACTED, **params: str) -> requests.Response:
    return requests.get(f"{address}/tomtom/routing{path}", params={"key": key, **params}, timeout=20)


def matrix(address: str, question: Any, key: str = CONTRACTED) -> requests.Response:
    return post(address, "/matrix/2", question, key)


def submit(address: str, question: Any, key: str = CONTRACTED) -> requests.Response:
    return post(address, "/matrix/2/async", question, key)


def job(address: str, job_id: str, what: str = "") -> requests.Response:
    return get(address, f"/matrix/2/async/{job_id}{what}")


def finished(address: str, question: Any, key: str = CONTRACTED) -> requests.Response:
    """Return the result of a job, or the answer that tells that it has expired."""
    job_id = submit(address, question, key).json()["jobId"]
    while (state := job(address, job_id)).status_code == 200 and state.json()["state"] != "Completed":
        time.sleep(0.01)
    return job(address, job_id, "/result")


def route(address: str, origin: City, destination: City, key: str = CONTRACTED, **params: str) -> requests.Response:
    ends = ":".join(f"{city.latitude},{city.longitude}" for city in (origin, destination))
    return get(address, f"/1/calculateRoute/{ends}/json", key, **params)
