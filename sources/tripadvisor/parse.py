"""What an answer of TripAdvisor means: rows of places and of their hours, or the reason why there are none."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sources.protocol.types import Answer, Parsed, Refusal
from sources.tripadvisor import content, terra
from sources.tripadvisor.content import parse_details, parse_dropped, parse_list
from sources.tripadvisor.envelope import open_answer
from sources.tripadvisor.places import refusal
from sources.tripadvisor.reading import UnfitError, shown
from sources.tripadvisor.terra import parse_locations

_PARSERS: Mapping[str, Callable[[dict[str, Any], Answer], Iterator[Parsed]]] = {
    "terra_search": parse_locations,
    "terra_nearby": parse_locations,
    "terra_locations": parse_locations,
    "location_search": parse_list,
    "location_nearby_search": parse_list,
    "location_details": parse_details,
    "location_photos": parse_dropped,
    "location_reviews": parse_dropped,
}


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield what is in an answer of either API. What has no table of its own is lost to that which was asked for.

    Never raises.
    """
    table = _table_of(answer)
    for item in _parsed(answer):
        yield item._replace(table=table) if isinstance(item, Refusal) and item.table is None else item


def _parsed(answer: Answer) -> Iterator[Parsed]:
    parser = _PARSERS.get(answer.endpoint)
    if parser is None:
        yield Refusal("unknown_endpoint", f"no parser for the endpoint {shown(answer.endpoint)!r}")
        return
    document = open_answer(answer)
    if isinstance(document, Refusal):
        yield document
        return
    try:
        yield from parser(document, answer)
    except UnfitError as error:
        yield refusal(error, None, None)


def _table_of(answer: Answer) -> str | None:
    """Return the table of which places were asked about, None where nothing tells."""
    category = answer.params.get("category") or answer.subject.get("category", "")
    kind = content.CATEGORIES.get(category) or terra.CATEGORIES.get(category)
    return kind.table if kind else None
