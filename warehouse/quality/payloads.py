"""What the JSON texts of a table must say (contract 4): punctuality of flights, crowd objects of places.

Every distinct text is read once. A text that is no JSON object is at fault like any other.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from schemas.vocab import vocabulary
from warehouse.quality.database import Database
from warehouse.quality.results import EXAMPLES, Finding, Outcome, attempt

_OUTCOMES = ("on_time", "late", "very_late", "excessive", "cancelled", "diverted")
_STATISTICS = ("avg_delay_min", "std_delay_min", "max_delay_min")
_FEWEST_FLIGHTS = 5

# The hours of a venue's day, in its order.
_HOURS = (*range(6, 24), *range(6))
_TIERS = frozenset(vocabulary("crowd_tiers").tokens)
_WEEKDAYS = frozenset({"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"})

Texts = Mapping[str, str]
Judge = Callable[[Texts], None]


class _FaultError(Exception):
    """What is wrong with a text, in words."""


def payloads(database: Database, name: str) -> Iterator[Outcome]:
    """Find the rows whose JSON texts break a rule of the contract, rule by rule."""
    for columns, judge in PAYLOADS[name]:
        yield from attempt(_judged(database, name, columns, judge))


def _judged(database: Database, name: str, columns: tuple[str, ...], judge: Judge) -> Iterator[Outcome]:
    held = {column: database.column(name, column) for column in columns}
    listed = ", ".join(f"{sql} AS {column}" for column, sql in held.items())
    is_set = " AND ".join(f"{sql} IS NOT NULL" for sql in held.values())
    sql = f"SELECT {listed}, count(*) AS n, min(source_ref) AS source_ref FROM {name} WHERE {is_set} GROUP BY ALL"
    faults: dict[str, list[dict[str, Any]]] = {}
    for row in sorted(database.rows(sql), key=lambda row: str(row["source_ref"])):
        if fault := _fault_of(judge, row):
            faults.setdefault(fault, []).append(row)
    for fault, rows in faults.items():
        examples = tuple({"source_ref": row["source_ref"], **{c: row[c] for c in columns}} for row in rows[:EXAMPLES])
        yield Finding(fault, sum(row["n"] for row in rows), examples)


def _fault_of(judge: Judge, texts: Texts) -> str | None:
    try:
        judge(texts)
    except _FaultError as fault:
        return str(fault)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return "a text is not built as the contract builds it"
    return None


def _flights(texts: Texts) -> None:
    counts, delays = (_object(texts, column) for column in ("OnTimePerformance", "DelayStats"))
    total, *outcomes = (counts[name] for name in ("total_flights", *_OUTCOMES))
    _demand(all(_is_whole(count) and count >= 0 for count in (total, *outcomes)), "a count of flights is none")
    _demand(sum(outcomes) == total, "the counts of flights do not add up to total_flights")
    _demand(total >= _FEWEST_FLIGHTS, f"OnTimePerformance rests on fewer than {_FEWEST_FLIGHTS} flights")
    percent = counts.get("on_time_percent")
    is_share = _is_number(percent) and abs(percent - 100 * counts["on_time"] / total) <= 1
    _demand(is_share, "on_time_percent is not the share of on_time within 1")
    _demand(delays.keys() == set(_STATISTICS), "DelayStats does not hold its three numbers")
    mean, longest = delays["avg_delay_min"], delays["max_delay_min"]
    is_possible = all(value is None or (_is_number(value) and value >= 0) for value in delays.values())
    _demand(is_possible, "a delay of DelayStats is none")
    _demand(mean is None or longest is None or mean <= longest, "the mean delay is longer than the longest")
    was_late = any(counts[name] for name in ("late", "very_late", "excessive"))
    _demand(not was_late or bool(mean and longest), "flights were late, but there is no mean or longest delay")


def _crowd(texts: Texts) -> None:
    whole = _object(texts, "besttime_analysis")
    _demand(bool(whole.get("days")), "besttime_analysis holds no day")
    _demand(whole["days"].keys() <= _WEEKDAYS, "besttime_analysis holds a day that is no weekday")
    for day in whole["days"].values():
        _crowd_of(day, day)


def _average_crowd(texts: Texts) -> None:
    whole = _object(texts, "avg_besttime_analysis")
    _demand(isinstance(whole.get("avg_day"), dict), "avg_besttime_analysis holds no average day")
    _crowd_of(whole, whole["avg_day"])


def _crowd_of(bounds: Mapping[str, Any], crowd: Mapping[str, Any]) -> None:
    _demand(bool(crowd.get("cw")), "a crowd object has no window")
    places: list[int] = []
    last = (-2, "")
    for window in crowd["cw"]:
        _demand(len(window) == 3 and window[2] in _TIERS, "a crowd window is not begin, end and level")
        begin, end = _places(window[:2])
        _demand(begin <= end, "a crowd window does not end within the venue's day")
        _demand(not places or begin > places[-1], "crowd windows overlap, or are not in the order of the day")
        _demand((begin - 1, window[2]) != last, "neighbouring crowd windows of one level are not merged")
        places += range(begin, end + 1)
        last = (end, window[2])
    opening = (_HOURS.index(bounds.get("o", -1)), (_HOURS.index((bounds.get("c", -1) - 1) % 24)))
    _demand(opening[0] <= places[0] and places[-1] <= opening[1], "crowd windows lie outside the opening hours")
    quiet, peak = crowd.get("q"), crowd.get("p")
    _demand(quiet != [] and peak != [], "an empty list stands where quiet hours or a peak are not known")
    calm = [_HOURS.index(hour) for hour in quiet or ()]
    begin, end = _places(peak) if peak else (0, -1)
    busy = set(range(begin, end + 1))
    _demand(begin <= end or not peak, "a peak does not end within the venue's day")
    _demand({*calm, *busy} <= set(places), "quiet hours or the peak lie outside the crowd windows")
    _demand(
        len(set(calm)) == len(calm) and not busy & set(calm), "an hour is both quiet and in the peak, or twice quiet"
    )


def _places(hours: list[int]) -> list[int]:
    return [_HOURS.index(hour) for hour in hours]


def _object(texts: Texts, column: str) -> dict[str, Any]:
    try:
        found = json.loads(texts[column])
    except ValueError:
        found = None
    _demand(isinstance(found, dict), f"{column} is no JSON object")
    return dict(found)


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _FaultError(otherwise)


def _is_whole(value: object) -> bool:
    return type(value) is int


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


_CROWDED = ((("besttime_analysis",), _crowd), (("avg_besttime_analysis",), _average_crowd))

# By table the columns that are judged together, and by what.
PAYLOADS: dict[str, tuple[tuple[tuple[str, ...], Judge], ...]] = {
    "flights": ((("OnTimePerformance", "DelayStats"), _flights),),
    "attractions": _CROWDED,
    "restaurants": _CROWDED,
}
