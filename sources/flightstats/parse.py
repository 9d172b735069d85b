"""What an answer of FlightStats means: rows of `flights` or `flight_ratings`, or the reason why there are none."""

from collections.abc import Iterable

from sources.flightstats import ratings, schedules
from sources.flightstats.envelope import open_answer
from sources.protocol.types import Answer, Parsed, Refusal

_READERS = {
    "schedules": (schedules.TABLE, schedules.flights_of),
    "route_ratings": (ratings.TABLE, ratings.ratings_of),
    "flight_ratings": (ratings.TABLE, ratings.ratings_of),
}


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield what is in an answer. What was asked is read from its own echo, so that a saved body is enough.

    Never raises.
    """
    if answer.endpoint not in _READERS:
        yield Refusal("unknown_endpoint", f"no parser for the endpoint {ascii(answer.endpoint)[:80]}")
        return
    table, reader = _READERS[answer.endpoint]
    document = open_answer(answer)
    if isinstance(document, Refusal):
        yield document._replace(table=table)
    else:
        yield from reader(document)
