"""What a page of District means: a row for each local day of its event, or the reason why there is none."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from schemas.text import fold
from sources.district.cities import city_in_slug, city_in_title
from sources.district.envelope import TABLE, open_answer, shown
from sources.district.jsonld import (
    ANY_DAY,
    MOST_DAYS,
    Event,
    Place,
    UnfitError,
    days_of,
    events_in,
    name_of,
    place_of,
    reason_to_drop,
    segment_of,
    text_of,
)
from sources.district.offers import price_remark
from sources.district.pages import BrokenDataError, documents_in, texts_of, title_of
from sources.district.sitemap import Page, page_of, parse_sitemap
from sources.district.visible import read_visible
from sources.protocol.types import Answer, Parsed, Refusal, Row, Skipped

_PAGES = ("event_page", "older_event_page")
# What stands on the pages that are shown in place of another one: to wait, or to prove that one is no robot.
_DOORS = ("queue-it.net", "you are now in line", "just a moment...", "captcha", "verify you are human")


@dataclass
class _Happening:
    """One event, with all its sessions: the days of each, and what the first one says."""

    name: str
    place: Place
    segment: str | None
    url: str | None
    days: list[date] = field(default_factory=list)


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield the rows of a page; of a sitemap only what it leads to. Never raises."""
    text = open_answer(answer)
    if isinstance(text, Refusal):
        yield text
    elif answer.endpoint == "sitemap":
        yield from parse_sitemap(text)
    elif answer.endpoint in _PAGES:
        yield from _page(text, answer)
    else:
        yield Refusal("unknown_endpoint", f"no parser for the endpoint {shown(answer.endpoint)!r}", table=TABLE)


def _page(text: str, answer: Answer) -> Iterator[Parsed]:
    page = Page(answer.endpoint, answer.params.get("slug", ""))  # type: ignore[arg-type]
    if page_of(page.url) is None:
        yield Skipped("a collection of events, whose own pages tell more", 1)
        return
    try:
        events = [event for document in documents_in(text) for event in events_in(document)]
    except BrokenDataError as error:
        yield Refusal("broken_data", f"data for search engines that cannot be read: {error}", table=TABLE)
        return
    remarks: Counter[str] = Counter()
    if events:
        happenings, refusals = _happenings(events, remarks)
        yield from refusals
    else:
        shown_one = _shown_one(text)
        if isinstance(shown_one, Refusal):
            yield shown_one
            return
        happenings = [shown_one]
    title = title_of(text)
    for happening in happenings:
        yield from _rows(happening, page, len(happenings) == 1, title, answer, remarks)
    yield from (Skipped(reason, times) for reason, times in sorted(remarks.items()))


def _happenings(events: list[Event], remarks: Counter[str]) -> tuple[list[_Happening], list[Refusal]]:
    """Bring the sessions of each event together; count what is dropped."""
    found: dict[tuple[str, str], _Happening] = {}
    refusals: list[Refusal] = []
    for number, event in enumerate(events):
        try:
            reason = reason_to_drop(event)
            name, days = name_of(event), days_of(event)
        except UnfitError as error:
            value = shown(event.get(error.field))
            where = f"events[{number}].{error.field}"
            refusals.append(Refusal(error.code, error.message, where, table=TABLE, value=value))
            continue
        if reason or not days:
            remarks[reason or ANY_DAY] += 1
            continue
        remark = price_remark(event)
        if remark:
            remarks[remark] += 1
        place = place_of(event)
        key = fold(name), fold(place.venue or place.street or "")
        happening = found.setdefault(key, _Happening(name, place, segment_of(event), text_of(event.get("url"))))
        happening.days.extend(days)
    return list(found.values()), refusals


def _shown_one(text: str) -> _Happening | Refusal:
    """Return the event of a page that has nothing for search engines."""
    name, visible = title_of(text), read_visible(texts_of(text))
    if name is not None and visible is not None:
        place = Place(None, visible.street, *visible.where)
        return _Happening(name, place, None, None, [visible.day])
    if any(door in text[:20_000].casefold() for door in _DOORS):
        return Refusal("shut_out", "a page to wait on, or for robots", is_retryable=True, table=TABLE)
    return Refusal("no_event", "the page holds no data of an event, and not one day that people could see", table=TABLE)


def _rows(
    happening: _Happening, page: Page, is_alone: bool, title: str | None, answer: Answer, remarks: Counter[str]
) -> Iterator[Row]:
    days = sorted(set(happening.days))
    if len(days) > MOST_DAYS:
        remarks[ANY_DAY] += 1
        return
    if len(days) < len(happening.days):
        remarks["another session on the same day"] += len(happening.days) - len(days)
    first, last = answer.subject.get("first_day", ""), answer.subject.get("last_day", "9999")
    wanted = [day for day in days if first <= day.isoformat() <= last]
    if len(wanted) < len(days):
        remarks["a day outside of those that are asked about"] += len(days) - len(wanted)
    url = _url(happening, page, is_alone)
    place = happening.place
    told = city_in_slug(page.slug) or city_in_title(happening.name) or (city_in_title(title) if title else None)
    values: dict[str, Any] = {
        "name": happening.name,
        "url": url,
        "streetAddress": place.street,
        "segmentName": happening.segment,
        "city_name": place.city if place.is_certain else told or place.city,
        "state_name": place.state,
        "source_id": url.partition("://")[2].partition("/")[2] or None,
    }
    for day in wanted:
        yield Row(TABLE, {**values, "event_date": day})


def _url(happening: _Happening, page: Page, is_alone: bool) -> str:
    """Return the canonical address of an event: its own at District, or that of the page which is about it alone."""
    own = happening.url or ""
    if (canonical := page_of(own)) is not None:
        return canonical.url
    is_elsewhere = own.startswith(("https://", "http://"))
    return own if is_elsewhere and not is_alone else page.url
