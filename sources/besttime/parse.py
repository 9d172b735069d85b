"""What an answer of BestTime means: seven rows of `venue_crowd`, one for each day, or the reason why there are none.

Only forecasts and single days of them hold levels together with opening hours. What other endpoints answer is counted
and dropped: shares without opening hours cannot tell a quiet hour from a closed one.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sources.besttime.days import day_values, weekday_of
from sources.besttime.envelope import open_answer
from sources.besttime.reading import Fields, Record, UnfitError, inner, members, shown, unknown
from sources.besttime.venues import Venue, forecast_venue, identity, marks
from sources.protocol.types import Answer, Parsed, Refusal, Row, Skipped

TABLE = "venue_crowd"

_PERIOD: Fields = dict.fromkeys(
    ("opens", "closes", "opens_minutes", "closes_minutes", "open_24h", "crosses_midnight", "day_text")
)
_DAY: Fields = {
    "day_info": {
        **dict.fromkeys(
            ("day_int", "day_text", "day_rank_mean", "day_rank_max", "day_mean", "day_max", "venue_open",
             "venue_closed", "note", "status")
        ),
        "venue_open_close_v2": {
            **dict.fromkeys(("12h", "special_day", "open_24h", "crosses_midnight", "day_int", "day_text")),
            "24h": _PERIOD,
        },
    },
    **dict.fromkeys(("day_raw", "busy_hours", "quiet_hours", "surge_hours", "change_hours")),
    "hour_analysis": dict.fromkeys(("hour", "intensity_nr", "intensity_txt")),
    "peak_hours": dict.fromkeys(
        ("peak_start", "peak_max", "peak_end", "peak_intensity", "peak_delta_mean_week", "peak_info", "peak_status")
    ),
}  # fmt: skip
_VENUE: Fields = dict.fromkeys(
    ("venue_id", "venue_name", "venue_address", "venue_address_list", "venue_timezone", "venue_dwell_time_min",
     "venue_dwell_time_max", "venue_dwell_time_avg", "venue_type", "venue_types", "venue_lat", "venue_lon", "rating",
     "reviews", "price_level")
)  # fmt: skip
# The service repeats the key of whoever asked; it is known, and goes nowhere.
_ENVELOPE: Fields = dict.fromkeys(("status", "epoch_analysis", "api_key_private", "forecast_updated_on"))
_FORECAST: Fields = {**_ENVELOPE, "venue_info": _VENUE, "analysis": _DAY}
_ONE_DAY: Fields = {**_ENVELOPE, **dict.fromkeys(("day_int", "venue_id", "venue_name")), "venue_info": _VENUE,
                    "analysis": _DAY}  # fmt: skip

_DROPPED: Mapping[str, str] = {
    "day_raw": "shares of a day without its opening hours",
    "week_raw": "shares of a week without its opening hours",
    "week_raw2": "shares of a week without its opening hours",
    "hour": "a single hour of a week",
    "now": "a single hour of a week",
    "peaks": "the peaks of a day without its hours",
    "week_overview": "the days of a week without their hours",
    "live": "the crowd of a moment",
    "venues_filter": "a stored venue without its week",
    "venues": "a stored venue without its week",
    "venue_search": "a search that goes on",
    "venue_search_progress": "a search that goes on",
}


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield the days of a venue as rows, or why there are none. Never raises."""
    document = open_answer(answer)
    if isinstance(document, Refusal):
        yield _of(answer, document)
    elif answer.endpoint in _DROPPED:
        yield from _dropped(document, answer)
    elif answer.endpoint not in ("forecasts", "day"):
        yield Refusal("unknown_endpoint", f"no parser for the endpoint {shown(answer.endpoint)!r}")
    elif not isinstance(document, dict) or "analysis" not in document:
        yield _of(answer, Refusal("not_besttime", "the answer holds no analysis, so it is no forecast"))
    else:
        yield from _forecast(document, answer) if answer.endpoint == "forecasts" else _one_day(document, answer)


def _forecast(document: Record, answer: Answer) -> Iterator[Parsed]:
    try:
        venue = forecast_venue(inner(document, "venue_info"), answer)
        days = members(document, "analysis")
        weekdays = sorted(weekday_of(day) for day in days)
    except UnfitError as error:
        yield _refused(answer, error)
        return
    if weekdays != [*range(1, 8)]:
        yield _of(answer, Refusal("bad_week", "the answer does not hold each weekday once", "analysis"))
        return
    yield from unknown(document, _FORECAST)
    for place, day in enumerate(days):
        yield _row(day, venue, answer, f"analysis[{place}].")


def _one_day(document: Record, answer: Answer) -> Iterator[Parsed]:
    """Read a day that was asked for of a venue known by id; such an answer tells neither address nor point."""
    try:
        venue = identity(inner(document, "venue_info") or document)
        day = inner(document, "analysis")
    except UnfitError as error:
        yield _refused(answer, error)
        return
    row = _row(day, venue, answer, "analysis.")
    yield row
    if isinstance(row, Row):
        yield from unknown(document, _ONE_DAY)


def _row(day: Record, venue: Venue, answer: Answer, where: str) -> Row | Refusal:
    try:
        return Row(TABLE, {**marks(answer), **venue._asdict(), **day_values(day)})
    except UnfitError as error:
        return _refused(answer, error, where)


def _dropped(document: Any, answer: Answer) -> Iterator[Parsed]:
    found = document.get("venues") if answer.endpoint == "venues_filter" and isinstance(document, dict) else document
    count = len(found) if isinstance(found, list) else 1
    if count:
        yield Skipped(_DROPPED[answer.endpoint], count)


def _refused(answer: Answer, error: UnfitError, where: str = "") -> Refusal:
    return _of(answer, Refusal(error.code, error.message, f"{where}{error.where}"))


def _of(answer: Answer, refusal: Refusal) -> Refusal:
    """Return a refusal that names the place which was asked about."""
    return refusal._replace(table=TABLE, value=answer.subject.get("place_id"))
