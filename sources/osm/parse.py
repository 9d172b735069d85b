"""What an answer of Overpass means: rows of transit stops, or the reason why there are none."""

from collections.abc import Iterable

from sources.osm.elements import stops_of
from sources.osm.envelope import open_answer
from sources.protocol.types import Answer, Parsed, Refusal


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield the stops of an answer as rows of `transit_stops`, observed on the day of the map data. Never raises."""
    envelope = open_answer(answer)
    if isinstance(envelope, Refusal):
        yield envelope
        return
    yield from envelope.unknown
    yield from stops_of(envelope.elements, envelope.data_at.date())
