"""What to ask FlightStats: the flights of a day between airports of different cities, and how punctual they have been.

Schedules are asked for all ordered pairs of the region's airports, as nothing else tells where a flight exists: an
empty list is an answer. One day is asked, or as many as the account allows, from the first Monday in the dates of the
region on. Ratings follow, one call for all flights of a route, only where a day has a flight. Pairs of airports of one
city, and airports that serve no city, are left out.
"""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import permutations

from schemas.region import Region
from sources.flightstats.parse import parse
from sources.protocol.types import Answer, Known, Request, Row


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield the schedules that no answer settles, and the ratings of routes whose schedules hold a flight."""
    days = days_asked(region.dates, int(known.account.limits["days"]))
    for dep, arr in airport_pairs(region):
        has_flight = False
        for day in days:
            request = schedule_request(dep, arr, day)
            answer = known.answer(request)
            if answer is None:
                yield request
            else:
                has_flight = has_flight or _has_flight(answer)
        ratings = ratings_request(dep, arr)
        if has_flight and known.answer(ratings) is None:
            yield ratings


def airport_pairs(region: Region) -> Iterator[tuple[str, str]]:
    """Yield the IATA codes of each ordered pair of airports that serve different cities of the region."""
    for dep, arr in permutations([airport for airport in region.airports if airport.city_id], 2):
        if dep.city_id != arr.city_id:
            yield dep.iata, arr.iata


def days_asked(dates: tuple[date, date], count: int) -> list[date]:
    """Return `count` days from the first Monday on, none after the last; from the first where there is no Monday."""
    first, last = dates
    monday = first + timedelta(days=-first.weekday() % 7)
    start = monday if monday <= last else first
    return [start + timedelta(days=more) for more in range(min(count, (last - start).days + 1))]


def schedule_request(dep: str, arr: str, day: date) -> Request:
    """Return the request for the flights of a day from one airport to another."""
    when = {"year": str(day.year), "month": str(day.month), "day": str(day.day)}
    return Request("flightstats", "schedules", f"{dep} to {arr}, {day}", {"dep": dep, "arr": arr, **when})


def ratings_request(dep: str, arr: str) -> Request:
    """Return the request for the punctuality of all flights from one airport to another."""
    return Request("flightstats", "route_ratings", f"{dep} to {arr}", {"dep": dep, "arr": arr})


def _has_flight(answer: Answer) -> bool:
    return any(isinstance(item, Row) for item in parse(answer))
