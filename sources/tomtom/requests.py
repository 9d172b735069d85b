"""What to ask TomTom: the roads between all cities, in as few jobs as the account allows, and the delay of some."""

from collections.abc import Iterable, Iterator

from schemas.region import City, Region
from sources.protocol.types import Account, Known, Refusal, Request
from sources.tomtom.coverage import coverage_of
from sources.tomtom.envelope import open_answer
from sources.tomtom.jobs import Ends, submit_request
from sources.tomtom.points import locations_text, point_of
from sources.tomtom.routes import QUESTION
from sources.tomtom.tiling import Limits, blocks_of


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield what brings running jobs on, the jobs for pairs that nobody asked for, and the routes without an answer.

    A job that failed or is not known any more leaves its pairs open, so that it is submitted again. How often the same
    is asked in one run, and whether an old answer counts, is decided by who calls and who fills `known`.
    """
    yield from _matrix(region, known)
    by_bus = ((row["OriginCityName"], row["DestCityName"]) for row in known.rows("buses"))
    for origin, destination in region.road_delay_pairs(by_bus):
        request = route_request(origin, destination)
        answer = known.answer(request)
        outcome = None if answer is None else open_answer(answer)
        if outcome is None or (isinstance(outcome, Refusal) and outcome.is_retryable):
            yield request


def route_request(origin: City, destination: City) -> Request:
    """Return the request for the travel times of one ordered pair."""
    return Request(
        "tomtom",
        "route",
        scope=f"{origin.city_id} to {destination.city_id}",
        params={
            "locations": locations_text(point_of(origin), point_of(destination)),
            **QUESTION,
        },
    )


def _matrix(region: Region, known: Known) -> Iterator[Request]:
    cities = list({point_of(city): city for city in region.cities}.values())
    points = [point_of(city) for city in cities]
    coverage = coverage_of(points, known)
    yield from coverage.follow_ups
    for origins, destinations in blocks_of(coverage.open_pairs, _limits(known.account)):
        ends = Ends(tuple(points[one] for one in origins), tuple(points[one] for one in destinations))
        first, last = cities[origins[0]].city_id, cities[destinations[0]].city_id
        request = submit_request(f"{len(origins)} x {len(destinations)}, {first} to {last}", ends)
        answer = known.answer(request)
        # A block that the provider refused is refused a second time.
        if answer is None or not isinstance(open_answer(answer), Refusal):
            yield request


def _limits(account: Account) -> Limits:
    return Limits(int(account.limits["max_cells"]), int(account.limits["max_side"]))
