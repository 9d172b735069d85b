"""A week as the provider writes it: signs for closed in two types, a lowest level at the hour of closing, and more."""

from datetime import UTC, date, datetime
from typing import Any

from sources.sandbox.besttime.finding import Venue
from sources.sandbox.crowd import ALWAYS, HOURS, Peak, TrueCrowd, TrueCrowdDay
from sources.sandbox.places import TruePlace

Document = dict[str, Any]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WORDS = {-2: "Low", -1: "Below average", 0: "Average", 1: "Above average", 2: "High"}
_CLOSED, _CLOSED_WORD, _NEVER = "999", "Closed", "N/A"
_FORMS = 4
# How the oldest answers write a venue that never closes.
_OLD_ALWAYS = ("04:00", "04:00")
# One venue in so many has visitors in an hour at which it is closed, as some recorded ones have; of one in so many the
# sign for closed is a number, as the documents have it; one in so many has its city cut off its name.
_STRAY_ONE_IN, _NUMBER_ONE_IN, _SHORT_NAME_ONE_IN = 7, 9, 11


class Writer:
    """Writes forecasts, all made on one day."""

    def __init__(self, as_of: date) -> None:
        self._epoch = str(int(datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC).timestamp()))

    def forecast(self, venue: Venue) -> Document:
        """Return the forecast of a venue whose week is known, without the key that is repeated in it."""
        days = venue.crowd.days or ()
        form = _form(venue.crowd, venue.place.number)
        return {
            "status": "OK",
            "epoch_analysis": self._epoch,
            "venue_info": _venue_info(venue),
            "analysis": [_day(day, days, venue.place.number, form) for day in days],
        }


def address_lines(place: TruePlace) -> list[str]:
    """Return the address of a place by lines, as the provider joins them."""
    street = " ".join(filter(None, (place.street, place.street_more)))
    area = " ".join(filter(None, (place.state_name, place.postcode)))
    return [street, f"{place.city_name}, {area}", place.country]


def _venue_info(venue: Venue) -> Document:
    place, lines = venue.place, address_lines(venue.place)
    is_short = place.number % _SHORT_NAME_ONE_IN == 0
    kind = "RESTAURANT" if place.table == "restaurants" else "MUSEUM" if "Museums" in place.categories else "OTHER"
    stay = (60, 120, 90) if place.number % 5 == 0 else (0, 0, 0)
    info: Document = {
        "venue_id": venue.id,
        "venue_name": place.name.removesuffix(f" {place.city_name}") if is_short else place.name,
        "venue_address": " ".join(lines),
        "venue_address_list": lines,
        "venue_timezone": place.time_zone,
        "venue_dwell_time_min": stay[0],
        "venue_dwell_time_max": stay[1],
        "venue_dwell_time_avg": stay[2],
        "venue_type": kind,
        "venue_types": [kind.lower(), "point_of_interest"],
        "venue_lat": place.latitude,
        "venue_lon": place.longitude,
    }
    if place.number % 2:
        info |= {"rating": place.rating or 0.0, "reviews": place.number % 900, "price_level": place.price_tier or 0}
    return info


def _day(day: TrueCrowdDay, week: tuple[TrueCrowdDay, ...], number: int, form: int) -> Document:
    levels = _levels(day)
    shares = [share or 0 for share in day.shares or [0] * len(HOURS)]
    shut = [place for place, level in enumerate(levels) if level is None]
    if number % _STRAY_ONE_IN == 0 and day.state == "open" and shut:
        shares[shut[-1]] = 5
    sign: str | int = _NEVER if day.state == "closed" else 999 if number % _NUMBER_ONE_IN == 0 else _CLOSED
    listed = list(zip(HOURS, levels, strict=True))
    quiet = [hour for hour, level in listed if level is not None and level < 0] if day.state == "open" else []
    visited = [share for share, level in zip(shares, levels, strict=True) if level is not None and share]
    return {
        "day_info": _day_info(day, week, visited, form),
        "busy_hours": list(day.busy_hours or ()),
        "quiet_hours": quiet,
        "peak_hours": _peaks(day),
        "surge_hours": _surge(day),
        "hour_analysis": [
            {
                "hour": hour,
                "intensity_txt": _CLOSED_WORD if level is None else _WORDS[level],
                "intensity_nr": sign if level is None else level,
            }
            for hour, level in listed
        ],
        "day_raw": shares,
    }


def _levels(day: TrueCrowdDay) -> list[int | None]:
    """Return the levels as listed: the lowest also at the hour of closing, and at open hours of a day without data."""
    closing = {int(closes[:2]) for _, closes in day.spans if closes.endswith(":00") and day.spans != (ALWAYS,)}
    opened = day.levels or [-2 if _is_within(hour, day) else None for hour in HOURS]
    return [
        -2 if level is None and hour in closing and hour != HOURS[0] else level
        for hour, level in zip(HOURS, opened, strict=True)
    ]


def _is_within(hour: int, day: TrueCrowdDay) -> bool:
    """Whether the middle of an hour is one at which a place is open."""
    clock = f"{hour:02}:30"
    return any(
        opens <= clock < closes if opens < closes else clock >= opens or clock < closes for opens, closes in day.spans
    )


def _day_info(day: TrueCrowdDay, week: tuple[TrueCrowdDay, ...], visited: list[int], form: int) -> Document:
    info: Document = {"day_int": day.weekday - 1, "day_text": _DAYS[day.weekday - 1]}
    if day.state == "closed":
        info |= {"venue_open": _CLOSED_WORD, "venue_closed": _CLOSED_WORD, "day_rank_mean": 7, "day_rank_max": 7}
    else:
        opens, closes = _OLD_ALWAYS if day.spans == (ALWAYS,) and not form else (day.spans[0][0], day.spans[-1][1])
        info |= {"venue_open": int(opens[:2]), "venue_closed": int(closes[:2])}
        info |= {"day_rank_mean": _rank(day, week), "day_rank_max": _rank(day, week)}
        info |= {"day_mean": round(sum(visited) / len(visited)) if visited else 0, "day_max": max(visited, default=0)}
    if day.state == "unknown":
        info |= {"note": "No data available for day", "status": "warning"}
    elif day.weekday == 3 and form == 3:
        info["note"] = "Constructed: upgrade for more data"
    if form:
        info["venue_open_close_v2"] = _periods(day, form)
    return info


def _form(crowd: TrueCrowd, number: int) -> int:
    """Return the age of an answer, from 0 for a pair of hours alone; what has minutes or several periods is newer."""
    days = crowd.days or ()
    is_simple = all(
        len(day.spans) <= 1 and all(clock.endswith(":00") for span in day.spans for clock in span) for day in days
    )
    return number % _FORMS if is_simple else 1 + number % (_FORMS - 1)


def _periods(day: TrueCrowdDay, form: int) -> Document:
    """Return the opening hours in their newer forms: without minutes, with flags beside them, with flags above them."""
    flags = {"open_24h": day.spans == (ALWAYS,), "crosses_midnight": any(o >= c for o, c in day.spans)}
    listed = []
    for opens, closes in day.spans:
        period: Document = {"opens": int(opens[:2]), "closes": int(closes[:2])}
        if form > 1:
            period |= {"opens_minutes": int(opens[3:]), "closes_minutes": int(closes[3:])}
        if form == 2:
            period |= {**flags, "day_text": _DAYS[day.weekday - 1]}
        listed.append(period)
    words = [f"{_spoken(opens)}\u2013{_spoken(closes)}" for opens, closes in day.spans]
    above = {"special_day": None, **flags} if form == 3 else {}
    return {"24h": listed, "12h": words or [_CLOSED_WORD], **above}


def _spoken(clock: str) -> str:
    hour, minute = int(clock[:2]), clock[3:]
    return f"{hour % 12 or 12}{'' if minute == '00' else ':' + minute}{'am' if hour < 12 else 'pm'}"


def _peaks(day: TrueCrowdDay) -> list[Document]:
    if day.state == "closed":
        return [{"peak_info": "No peaks for today"}]
    if day.state == "unknown":
        return [{"peak_info": "No peaks for today", "peak_status": "Error"}]
    return [_peak(peak) for peak in day.peaks or ()]


def _peak(peak: Peak) -> Document:
    return {
        "peak_start": peak.start,
        "peak_max": peak.top,
        "peak_end": peak.end,
        "peak_intensity": peak.strength,
        "peak_delta_mean_week": 8 * peak.strength,
    }


def _surge(day: TrueCrowdDay) -> Document:
    if day.state == "closed":
        return {"most_people_come": _NEVER, "most_people_leave": _NEVER}
    if day.state == "unknown" or not day.peaks:
        return {"most_people_come": 6, "most_people_leave": 6}
    return {"most_people_come": day.peaks[0].start, "most_people_leave": day.peaks[-1].end}


def _rank(day: TrueCrowdDay, week: tuple[TrueCrowdDay, ...]) -> int:
    """Return how many days have more visitors, from 1; of equally many all have the same rank."""
    totals = [sum(share or 0 for share in one.shares or ()) for one in week]
    mine = sum(share or 0 for share in day.shares or ())
    return 1 + sum(total > mine for total in totals)
