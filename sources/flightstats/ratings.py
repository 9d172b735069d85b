"""From the ratings of a route, or of a number, to rows of `flight_ratings`: counts of runs, and how late they were.

Mean, deviation and maximum are over the flights that were late at all, as the provider gives them. A rating over few
flights is a row too: from how many on it counts is decided in the warehouse.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sources.flightstats.appendix import FIELDS as APPENDIX_FIELDS
from sources.flightstats.appendix import Appendix
from sources.flightstats.reading import (
    Fields,
    Record,
    UnfitError,
    count,
    flight_number,
    minutes,
    settled,
    share,
    unknown,
)
from sources.protocol.types import Parsed, Refusal, Row, Skipped

TABLE = "flight_ratings"

_DATA = "ratings"
_KEY = ("Flight Number", "OriginAirport", "DestAirport")
_CODESHARE = "a rating under the number of an airline that only sells the flight"
_UNRATED = "no rating: too few flights, or none"
_MISCOUNTED = "a rating whose counts do not add up; its row stays"
_MISRATED = "a rating whose on-time share, from 0 to 1, is not that of its counts; its row stays"
_NEAR = 0.005

# Each flight is counted in one of these.
_OUTCOMES = {
    "on_time": "ontime",
    "late": "late15",
    "very_late": "late30",
    "excessive": "late45",
    "cancelled": "cancelled",
    "diverted": "diverted",
}
_COUNTS = {
    "observations": "observations",
    **_OUTCOMES,
    "delay_observations": "delayObservations",
    "codeshares": "codeshares",
}
_DELAYS = {
    "delay_mean_min": "delayMean",
    "delay_std_min": "delayStandardDeviation",
    "delay_max_min": "delayMax",
}
_FIELDS: Fields = {
    "request": None,
    "error": None,
    "appendix": APPENDIX_FIELDS,
    _DATA: {
        **dict.fromkeys(("departureAirportFsCode", "arrivalAirportFsCode", "airlineFsCode", "flightNumber", "directs")),
        **dict.fromkeys((*_COUNTS.values(), *_DELAYS.values(), "ontimePercent", "delayMin")),
        **dict.fromkeys(("allOntimeCumulative", "allOntimeStars", "allDelayCumulative", "allDelayStars", "allStars")),
    },
}


def ratings_of(document: dict[str, Any]) -> Iterator[Parsed]:
    """Yield the ratings of an answer. One that has none leaves the list out, or empty. Never raises."""
    if _DATA not in document and not document.keys() <= _FIELDS.keys():
        yield Refusal("wrong_endpoint", "the answer is no answer about ratings", table=TABLE)
        return
    ratings = document.get(_DATA)
    if ratings is not None and not isinstance(ratings, list):
        yield Refusal("bad_type", "the ratings must be a list", _DATA, table=TABLE)
        return
    if not ratings:
        yield Skipped(_UNRATED, 1)
    appendix = Appendix(document)
    yield from settled(TABLE, ratings or (), _DATA, _KEY, lambda rating: _rating(rating, appendix))
    yield from unknown(document, _FIELDS)


def _rating(rating: Record, appendix: Appendix) -> list[Row | Skipped]:
    counts = {column: count(rating, field) for column, field in _COUNTS.items()}
    observations, late, sold = counts["observations"], counts["delay_observations"], counts["codeshares"]
    if sold > observations or late > observations:
        raise UnfitError("contradiction", "a part of the flights is more than all of them", "observations")
    # In part only, the number was flown too, so that its rating is its own.
    if sold == observations > 0:
        return [Skipped(_CODESHARE, 1)]
    code, _ = appendix.airline(rating, "airlineFsCode")
    row = Row(
        TABLE,
        {
            "Flight Number": f"{code}-{flight_number(rating)}",
            "OriginAirport": appendix.airport(rating, "departureAirportFsCode"),
            "DestAirport": appendix.airport(rating, "arrivalAirportFsCode"),
            **counts,
            **_delays(rating, late),
        },
    )
    return [row, *(Skipped(doubt, 1) for doubt in _doubts(rating, counts))]


def _delays(rating: Record, late: int) -> dict[str, float | None]:
    if not late:
        told = [field for field in _DELAYS.values() if rating.get(field) not in (None, 0)]
        if told:
            raise UnfitError("contradiction", "there is a delay where no flight was late", told[0], rating[told[0]])
        return dict.fromkeys(_DELAYS)
    delays = {column: minutes(rating, field) for column, field in _DELAYS.items()}
    if delays["delay_mean_min"] > delays["delay_max_min"]:
        raise UnfitError("contradiction", "the mean delay is longer than the longest", "delayMean", rating["delayMean"])
    return {**delays}


def _doubts(rating: Record, counts: Mapping[str, int]) -> Iterator[str]:
    """Yield in what a rating contradicts itself, where its row does not rest on that."""
    observations = counts["observations"]
    if sum(counts[column] for column in _OUTCOMES) != observations:
        yield _MISCOUNTED
    on_time = share(rating, "ontimePercent")
    if observations and (on_time is None or abs(on_time - counts["on_time"] / observations) > _NEAR):
        yield _MISRATED
