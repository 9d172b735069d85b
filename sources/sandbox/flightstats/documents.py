"""What every document of the provider is made of: the echo of the question, the failure, and small signs of its age."""

from collections.abc import Iterable
from random import Random
from typing import Any, TypeVar
from uuid import UUID

Document = dict[str, Any]
T = TypeVar("T")

ADDRESS = "https://api.flightstats.com/flex"


class BadQuestion(Exception):
    """A question that cannot be answered: the provider's code for it, why, and its echo."""

    def __init__(self, code: str, message: str, echo: Document) -> None:
        super().__init__(message)
        self.code, self.echo = code, echo


def failed(echo: Document, status: int, code: str, message: str, data: str) -> Document:
    """Return the document of a failure, which is sent as a success."""
    error = {
        "httpStatusCode": status,
        "errorCode": code,
        "errorId": str(UUID(int=Random(f"{code}:{message}").getrandbits(128), version=4)),
        "errorMessage": message,
    }
    return {"request": echo, "appendix": {"airports": []}, "error": error, data: []}


def answered(echo: Document, data: Document, appendix: Document, random: Random) -> Document:
    """Return the document of a success. Some hold an error all the same, of which they say nothing."""
    draw = random.random()
    nothing: Document = {"error": {}} if draw < 0.1 else {"error": None} if draw < 0.2 else {}
    return {"request": echo, **data, "appendix": appendix, **nothing}


def shuffled(members: Iterable[T], random: Random) -> list[T]:
    """Return members in an order of no meaning."""
    return sorted(members, key=lambda _: random.random())
