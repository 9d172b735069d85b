"""What to ask Overpass: the stops in each box around the cities, and in quarters of a box that was too much for it."""

from collections.abc import Iterable, Iterator

from schemas.region import Region
from sources.osm.areas import Box, boxes_around
from sources.osm.envelope import is_too_much
from sources.protocol.types import Known, Request

# A quarter of a box needs less time. A query that promises to need less is also let in earlier by a busy server.
LONGEST_S = 180
SHORTEST_S = 60

_QUERY = """\
[out:json][timeout:{timeout}][bbox:{bbox}];
( nwr["railway"~"^(station|halt|tram_stop|subway_entrance)$"];
  nwr["public_transport"~"^(station|platform|stop_position)$"];
  nwr["highway"="bus_stop"];
  nwr["amenity"~"^(bus_station|ferry_terminal)$"];
  nwr["aeroway"~"^(aerodrome|terminal)$"]; );
out tags center;
"""


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield the boxes that nobody has an answer to.

    A box whose answer was aborted, or too large, is asked for in four quarters, down to the smallest box. Any other
    answer settles its box: whether a failure is asked again, or an old answer anew, is decided by who fills `known`.
    """
    for box in boxes_around(region.cities):
        yield from _open(box, known)


def stops_request(box: Box) -> Request:
    """Return the request for the stops of one box."""
    timeout = max(SHORTEST_S, LONGEST_S >> box.depth)
    return Request("osm", "stops", scope=box.id, params={"data": _QUERY.format(timeout=timeout, bbox=box.id)})


def _open(box: Box, known: Known) -> Iterator[Request]:
    request = stops_request(box)
    answer = known.answer(request)
    if answer is None:
        yield request
    elif is_too_much(answer):
        for quarter in box.quarters():
            yield from _open(quarter, known)
