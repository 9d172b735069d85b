"""From the document of a matrix to one row for each pair of cities that was asked for.

Cells are placed by their numbers, whatever their order. Where no usable cell came, the row says so: every pair has a
row, but for a city paired with itself.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sources.protocol.types import Parsed, Refusal, Row, Skipped, Unknown
from sources.tomtom.codes import BAD_INPUT, ERROR, TIMEOUT, failure_of
from sources.tomtom.envelope import Document, shown, unknown_fields
from sources.tomtom.jobs import Ends

TABLE = "distance_matrix"

OK = "ok"
MISSING = "missing"
# What a second try may mend. All other failures are facts about roads and points.
FOR_A_WHILE = frozenset({TIMEOUT, ERROR, MISSING})

# Twice around the Earth, and two months: no road is longer. Above, a number is a fault, and may not fit a column.
_MOST_METRES = 80_000_000
_MOST_SECONDS = 5_000_000

_TOP_FIELDS = frozenset({"data", "statistics", "formatVersion"})
_STATISTICS_FIELDS = frozenset({"totalCount", "successes", "failures", "failureDetails"})
_DETAIL_FIELDS = frozenset({"code", "count"})
_CELL_FIELDS = frozenset({"originIndex", "destinationIndex", "routeSummary", "detailedError"})
_ROAD_FIELDS = frozenset(
    {"lengthInMeters", "travelTimeInSeconds", "trafficDelayInSeconds", "departureTime", "arrivalTime"}
)
_ERROR_FIELDS = frozenset({"code", "message", "innerError"})
_INNER_FIELDS = frozenset({"code", "message"})


class Outcome(NamedTuple):
    """What is known of one pair: a road status, and with `ok` metres and seconds."""

    status: str
    metres: int | None = None
    seconds: int | None = None


_MISSING = Outcome(MISSING)
_UNUSABLE = Outcome(ERROR)


class Matrix(NamedTuple):
    """The outcome of each pair, row by row of origins, and what else is to be said of the document."""

    outcomes: list[Outcome]
    notes: list[Parsed]


def read_matrix(document: Document, ends: Ends) -> Matrix | Refusal:
    """Return the outcome of each pair of a matrix; a Refusal of all of them where they may be those of other pairs."""
    size = len(ends.origins) * len(ends.destinations)
    data, statistics = document.get("data"), document.get("statistics")
    if not isinstance(data, list):
        return Refusal("bad_type", "the cells of a matrix must be a list", "data", table=TABLE, value=shown(data))
    total = statistics.get("totalCount") if isinstance(statistics, dict) else None
    if type(total) is int and total != size:
        message = f"the answer is about {shown(total)} cells and not about the {size} that were asked for"
        return Refusal("wrong_size", message, "statistics.totalCount", table=TABLE)
    notes: list[Parsed] = list(unknown_fields(document, _TOP_FIELDS))
    outcomes = _placed(data, ends, notes)
    if isinstance(outcomes, Refusal):
        return outcomes
    notes += _of_statistics(statistics, data)
    return Matrix(outcomes, notes)


def rows_of(matrix: Matrix, ends: Ends) -> Iterator[Parsed]:
    """Yield a row of `distance_matrix` for each pair of different points, and then the notes."""
    outcomes = iter(matrix.outcomes)
    with_itself = 0
    for origin in ends.origins:
        for destination, (status, metres, seconds) in zip(ends.destinations, outcomes, strict=False):
            if origin == destination:
                with_itself += 1
                continue
            yield Row(
                TABLE,
                {
                    "road_status": status,
                    "distance_km": None if metres is None else metres / 1000,
                    "duration_min": None if seconds is None else max(1, (seconds + 30) // 60),
                    "origin_latitude": origin[0],
                    "origin_longitude": origin[1],
                    "destination_latitude": destination[0],
                    "destination_longitude": destination[1],
                },
            )
    yield from matrix.notes
    if with_itself:
        yield Skipped("a city paired with itself", with_itself)


def _placed(data: list[Any], ends: Ends, notes: list[Parsed]) -> list[Outcome] | Refusal:
    """Return the outcome of each pair; what is wrong with single cells goes to the notes."""
    height, width = len(ends.origins), len(ends.destinations)
    outcomes = [_MISSING] * (height * width)
    repeats = 0
    for number, cell in enumerate(data):
        if not isinstance(cell, dict):
            notes.append(_refuse("bad_cell", "a cell must be an object", number, cell))
            continue
        row, column = cell.get("originIndex"), cell.get("destinationIndex")
        if type(row) is not int or type(column) is not int or row < 0 or column < 0:
            notes.append(_refuse("bad_index", "a cell needs two counting numbers", number, _pair(row, column)))
            continue
        if row >= height or column >= width:
            # Then the other cells may be those of other pairs too, and nothing would show it.
            message = f"a cell lies outside of the {height} x {width} that were asked for"
            return _refuse("wrong_size", message, number, _pair(row, column))
        outcome = _read_cell(cell, number, ends.origins[row] == ends.destinations[column], notes)
        if isinstance(outcome, Refusal):
            notes.append(outcome)
            outcome = _UNUSABLE
        place = row * width + column
        if outcomes[place] is _MISSING:
            outcomes[place] = outcome
        elif outcomes[place] == outcome:
            repeats += 1
        else:
            notes.append(_refuse("contradiction", "another cell of this pair differs", number, _pair(row, column)))
            outcomes[place] = _UNUSABLE
    if repeats:
        notes.append(Skipped("a cell that stands twice alike", repeats))
    return outcomes


def _pair(row: object, column: object) -> str:
    return f"{shown(row)}, {shown(column)}"


def _read_cell(cell: Document, number: int, is_diagonal: bool, notes: list[Parsed]) -> Outcome | Refusal:
    if not cell.keys() <= _CELL_FIELDS:
        notes.extend(unknown_fields(cell, _CELL_FIELDS, "data[]."))
    road, error = cell.get("routeSummary"), cell.get("detailedError")
    if isinstance(road, dict) and error is None:
        if not road.keys() <= _ROAD_FIELDS:
            notes.extend(unknown_fields(road, _ROAD_FIELDS, "data[].routeSummary."))
        metres, seconds = road.get("lengthInMeters"), road.get("travelTimeInSeconds")
        # Between two cities lies more than nothing.
        if type(metres) is not int or not (0 if is_diagonal else 1) <= metres <= _MOST_METRES:
            return _refuse("bad_number", "no length of a road in metres", number, metres, ".lengthInMeters")
        if type(seconds) is not int or not 0 <= seconds <= _MOST_SECONDS:
            return _refuse("bad_number", "no time of a drive in seconds", number, seconds, ".travelTimeInSeconds")
        return Outcome(OK, metres, seconds)
    if isinstance(error, dict) and road is None:
        return _read_error(error, notes)
    return _refuse("bad_cell", "a cell needs either a road or an error", number, None)


def _read_error(error: Document, notes: list[Parsed]) -> Outcome:
    notes.extend(unknown_fields(error, _ERROR_FIELDS, "data[].detailedError."))
    inner = error.get("innerError")
    if isinstance(inner, dict):
        notes.extend(unknown_fields(inner, _INNER_FIELDS, "data[].detailedError.innerError."))
    failure = failure_of(error)
    if not failure.is_known:
        notes.append(Unknown(f"data[].detailedError.code={shown(failure.code)}"))
    return Outcome(ERROR if failure.meaning == BAD_INPUT else failure.meaning)


def _of_statistics(statistics: Any, data: list[Any]) -> Iterator[Parsed]:
    """Yield what is wrong with the provider's own count; its cells are counted as they came."""
    where = "statistics"
    if not isinstance(statistics, dict):
        yield Refusal("bad_statistics", "nothing says how many cells there are", where, table=TABLE)
        return
    yield from unknown_fields(statistics, _STATISTICS_FIELDS, "statistics.")
    details = statistics.get("failureDetails")
    for detail in details if isinstance(details, list) else ():
        if isinstance(detail, dict):
            yield from unknown_fields(detail, _DETAIL_FIELDS, "statistics.failureDetails[].")
    said = tuple(statistics.get(name) for name in ("totalCount", "successes", "failures"))
    roads = sum(isinstance(cell, dict) and "routeSummary" in cell for cell in data)
    if {type(count) for count in said} != {int} or said != (len(data), roads, len(data) - roads):
        found = f"{len(data)} cells, {roads} with a road"
        value = ", ".join(map(shown, said))
        yield Refusal(
            "bad_statistics", f"not the count of the cells that came: {found}", where, table=TABLE, value=value
        )


def _refuse(code: str, message: str, number: int, value: object, field: str = "") -> Refusal:
    return Refusal(code, message, f"data[{number}]{field}", table=TABLE, value=None if value is None else shown(value))
