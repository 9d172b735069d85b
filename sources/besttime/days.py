"""One day of a venue, from 06:00 to 06:00 of the next morning: what is known of its crowd, hour by hour.

What looks like a quiet day and is none is told apart here: days without data, closed hours and the hour of closing.
"""

from typing import Any

from sources.besttime.hours import Opening, ends, outer, says_closed, spans
from sources.besttime.reading import Record, UnfitError, as_whole, inner, members, needed, text, whole, wholes

# The hours of a venue's day, in its order.
WINDOW = (*range(6, 24), *range(6))

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CLOSED_NUMBER, _CLOSED_TEXT = 999, "n/a"
_LEVELS = {"low": -2, "below average": -1, "average": 0, "above average": 1, "high": 2, "closed": None}
_FINE = "ok"
_UNKNOWN_CROWD = {
    "hourly_levels": None,
    "hourly_raw": None,
    "quiet_hours": None,
    "busy_hours": None,
    "peak_start_hour": None,
    "peak_end_hour": None,
}


def weekday_of(day: Record) -> int:
    """Return the weekday of a day, 1 for Monday; the provider counts from 0. Raises UnfitError."""
    info = inner(day, "day_info")
    number, name = needed(info, "day_int", 0, 6), text(info, "day_text")
    if name is not None and name.casefold() != _WEEKDAYS[number]:
        raise UnfitError("contradictory_day", "day_int and day_text tell different weekdays", "day_info")
    return number + 1


def day_values(day: Record) -> dict[str, Any]:
    """Return what a day says, by staged column. Raises UnfitError.

    Hours at which the venue is closed have no level, nor a share of the busiest hour, whatever is written there.
    """
    info = inner(day, "day_info")
    levels = _levels(day)
    found = spans(info)
    state = _state(info, levels, is_listed_open=bool(found))
    values: dict[str, Any] = {"weekday": weekday_of(day), "day_state": state}
    if state != "open":
        return {**values, **_UNKNOWN_CROWD, **Opening(None, None, None)._asdict()}
    raw = _raw(day)
    opening = outer(found, is_always_open=None not in levels.values())
    for hour in ends(found):
        if levels[hour] == -2 and not (raw and raw[hour]):
            levels[hour] = None
    return {
        **values,
        "hourly_levels": [levels[hour] for hour in WINDOW],
        "hourly_raw": raw and [raw[hour] if levels[hour] is not None else None for hour in WINDOW],
        "quiet_hours": _open_ones(day, "quiet_hours", levels),
        "busy_hours": _open_ones(day, "busy_hours", levels),
        **_peak(day),
        **opening._asdict(),
    }


def _state(info: Record, levels: dict[int, int | None], is_listed_open: bool) -> str:
    is_ever_open = any(level is not None for level in levels.values())
    if says_closed(info):
        if is_ever_open:
            raise UnfitError("contradictory_day", "the day is said to be closed and has open hours", "day_info")
        return "closed"
    # A note alone may be a mere advertisement. A status other than this one was never seen: it is not trusted.
    status = text(info, "status")
    if status is not None and status.casefold() != _FINE:
        return "unknown"
    if not is_ever_open and is_listed_open:
        raise UnfitError("contradictory_day", "the day has opening hours and no open hour", "day_info")
    return "open" if is_ever_open else "closed"


def _levels(day: Record) -> dict[int, int | None]:
    """Return the level of each hour by its own `hour`, None where the venue is closed; the order is not relied on."""
    found: dict[int, int | None] = {}
    for entry in members(day, "hour_analysis"):
        hour = needed(entry, "hour", 0, 23)
        if hour in found:
            raise UnfitError("bad_hours", "an hour stands twice in hour_analysis", "hour_analysis")
        found[hour] = _level(entry)
    if len(found) != len(WINDOW):
        raise UnfitError("bad_hours", "hour_analysis does not hold all hours of a day", "hour_analysis")
    return found


def _level(entry: Record) -> int | None:
    value = entry.get("intensity_nr")
    if isinstance(value, str) and value.casefold() == _CLOSED_TEXT:
        level = None
    else:
        number = as_whole(value)
        if number is None or not (-2 <= number <= 2 or number == _CLOSED_NUMBER):
            raise UnfitError("bad_intensity", "intensity_nr is neither a level nor a sign for closed", "hour_analysis")
        level = None if number == _CLOSED_NUMBER else number
    words = entry.get("intensity_txt")
    if isinstance(words, str) and _LEVELS.get(words.casefold(), level) != level:
        raise UnfitError("contradictory_intensity", "number and words tell different levels", "hour_analysis")
    return level


def _raw(day: Record) -> dict[int, int] | None:
    """Return the share of the week's busiest hour by hour, None where it is not told; it comes in order alone."""
    if day.get("day_raw") is None:
        return None
    shares = wholes(day, "day_raw", 0, 100)
    if len(shares) != len(WINDOW):
        raise UnfitError("bad_raw", "day_raw does not hold a number for each hour", "day_raw")
    return dict(zip(WINDOW, shares, strict=True))


def _open_ones(day: Record, name: str, levels: dict[int, int | None]) -> list[int]:
    return [hour for hour in dict.fromkeys(wholes(day, name, 0, 23)) if levels[hour] is not None]


def _peak(day: Record) -> dict[str, int | None]:
    """Return the strongest peak, of equal ones the first; a placeholder says that there is none."""
    strongest: tuple[int, int, int] | None = None
    for peak in members(day, "peak_hours"):
        if "peak_start" not in peak and "peak_info" in peak:
            continue
        start, end = needed(peak, "peak_start", 0, 23), needed(peak, "peak_end", 0, 23)
        strength = whole(peak, "peak_intensity", 0, 5) or 0
        if strongest is None or strength > strongest[0]:
            strongest = strength, start, end
    _, start_hour, end_hour = strongest or (None, None, None)
    return {"peak_start_hour": start_hour, "peak_end_hour": end_hour}
