"""What pages of District mean: a row for each local day of an event, or a refusal that names what is wrong."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from sources.district.parse import parse
from tests.sources.district.answers import (
    COUNTEREXAMPLES,
    EXAMPLES,
    FOLDER,
    answer,
    assert_usable,
    days,
    event,
    of_events,
    of_file,
    page,
    refusals,
    rows,
    skipped,
)

RETRYABLE = ("shut_out", "rate_limited", "wrong_charset", "not_sitemap", "empty_sitemap", "http_status__event_page.un")
NOV = [date(2025, 11, day) for day in range(1, 31)]


def only(parsed: Any) -> dict[str, Any]:
    (row,) = rows(parsed)
    return row


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_has_no_fault(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    assert not refusals(items)
    assert rows(items) or path.name.startswith("sitemap")


@pytest.mark.parametrize("path", COUNTEREXAMPLES, ids=lambda path: path.name)
def test_a_counterexample_causes_the_error_that_it_is_named_after(path: Path) -> None:
    items = list(parse(of_file(path)))
    assert_usable(items)
    (refusal,) = items
    assert refusals(items)
    assert refusals(items)[0].code == path.name.partition("__")[0]
    assert refusals(items)[0].is_retryable is path.name.startswith(RETRYABLE)
    assert refusal is items[0]


def test_every_code_of_the_parser_has_a_counterexample() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    used = set(re.findall(r'(?:Refusal|UnfitError|_refusal)\(\s*"(\w+)"', code))
    # That an endpoint is not known is a property of an answer that no file can show.
    assert used == {path.name.partition("__")[0] for path in COUNTEREXAMPLES} | {"unknown_endpoint"}


def test_two_sessions_are_read_as_a_person_reads_them() -> None:
    first, second = rows(parse(of_file(FOLDER / "examples" / "event_page.plain_two_sessions.html")))
    # 20:00 in UTC is half past one on the next day.
    assert first == {
        "name": "Constructed Night",
        "url": "https://www.district.in/events/constructed-night-12-buy-tickets",
        "streetAddress": "1 Constructed Road",
        "segmentName": "Music",
        "city_name": "Poona",
        "state_name": "MH",
        "source_id": "events/constructed-night-12-buy-tickets",
        "event_date": date(2025, 11, 13),
    }
    assert second == {**first, "event_date": date(2025, 11, 14)}


@pytest.mark.parametrize(
    "name", ["streamed_in_two_pushes", "streamed_as_text_line", "streamed_thrice_escaped"]
)  # fmt: skip
def test_streamed_page_data_tells_the_same_as_a_script(name: str) -> None:
    first, _ = rows(parse(of_file(FOLDER / "examples" / "event_page.plain_two_sessions.html")))
    assert rows(parse(of_file(FOLDER / "examples" / f"event_page.{name}.html"))) == [first]


def test_streamed_data_is_not_read_where_a_script_tells_the_same() -> None:
    streamed = (FOLDER / "examples" / "event_page.streamed_as_text_line.html").read_text(encoding="utf-8")
    both = page(event(), body=streamed)
    assert days(parse(answer(both))) == [NOV[11]]


def test_a_page_without_data_is_read_as_people_read_it() -> None:
    items = list(parse(of_file(FOLDER / "examples" / "event_page.visible.html")))
    assert only(items) == {
        "name": "Constructed Night",
        "url": "https://www.district.in/events/constructed-night-12-buy-tickets",
        "streetAddress": "1 Constructed Road, Pune",
        "segmentName": None,
        "city_name": "Pune",
        "state_name": None,
        "source_id": "events/constructed-night-12-buy-tickets",
        "event_date": date(2025, 11, 12),
    }


def test_an_item_list_holds_several_events_with_addresses_of_their_own() -> None:
    first, second = rows(parse(of_file(FOLDER / "examples" / "event_page.item_list.html")))
    assert (first["name"], first["event_date"]) == ("Constructed Night", date(2025, 11, 13))
    assert (second["name"], second["event_date"]) == ("Constructed Morning", date(2025, 11, 20))
    assert second["url"] == "https://example.org/constructed-morning"


def test_an_event_of_several_days_has_a_row_for_each() -> None:
    long = event(startDate="2025-11-12T10:00:00+05:30", endDate="2025-11-15T18:00:00+05:30")
    assert days(parse(of_events(long))) == NOV[11:15]
    # What is told as days alone includes the last one.
    assert days(parse(of_events(event(startDate="2025-11-12", endDate="2025-11-13")))) == NOV[11:13]


def test_a_night_that_ends_in_the_small_hours_makes_no_second_day() -> None:
    for end in ("2025-11-13T00:00:00+05:30", "2025-11-13T03:00:00+05:30", "2025-11-12T21:30:00Z"):
        assert days(parse(of_events(event(endDate=end)))) == [NOV[11]], end
    # A camp over night does.
    assert days(parse(of_events(event(endDate="2025-11-13T09:00:00+05:30")))) == NOV[11:13]


@pytest.mark.parametrize(
    "end", [None, "", "2025-11-12T19:30:00+05:30", "2025-11-01T19:30:00+05:30", "2025-11-12T23:59:00"]
)
def test_an_end_that_is_missing_or_not_behind_the_start_is_unknown(end: str | None) -> None:
    items = list(parse(of_events(event(endDate=end))))
    assert days(items) == [NOV[11]]
    assert not refusals(items)


def test_what_goes_on_for_more_than_a_month_is_a_sight_and_no_event() -> None:
    month = event(startDate="2025-10-01", endDate="2025-10-31")
    assert len(days(parse(of_events(month)))) == 31
    reason = "open on any day, so a sight and no event"
    for longer in (
        [event(startDate="2025-10-01", endDate="2025-11-01")],
        [event(startDate="2025-01-01", endDate="2099-12-31")],
        [event(eventSchedule={"repeatFrequency": "P1D"})],
        [event(startDate=f"2025-{month}-{day}", endDate=None) for month in (10, 11) for day in range(1, 17)],
    ):
        items = list(parse(of_events(*longer)))
        assert skipped(items) == {reason: 1}
        assert not rows(items)


def test_sessions_of_one_event_are_one_row_a_day() -> None:
    sessions = [event(startDate=f"2025-11-12T{hour}:00:00+05:30", endDate=None) for hour in (16, 20)]
    items = list(parse(of_events(*sessions, event(startDate="2025-11-13T20:00:00+05:30", endDate=None))))
    assert days(items) == NOV[11:13]
    assert skipped(items) == {"another session on the same day": 1}
    # The same title in another hall is another event.
    elsewhere = event(location={"name": "Constructed Garden"})
    assert len(rows(parse(of_events(event(), elsewhere)))) == 2


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"eventStatus": "https://schema.org/EventCancelled"}, "a cancelled event"),
        ({"eventStatus": "EventPostponed"}, "an event postponed to an unknown day"),
        ({"eventStatus": "http://schema.org/EventMovedOnline"}, "an event that takes place online"),
        ({"eventAttendanceMode": "https://schema.org/OnlineEventAttendanceMode"}, "an event that takes place online"),
        ({"location": {"@type": "VirtualLocation", "url": "https://example.org"}}, "an event that takes place online"),
        ({"location": {"address": {"addressCountry": "AE"}}}, "an event in another country"),
        ({"location": {"geo": {"latitude": "25.2", "longitude": 55.27}}}, "an event in another country"),
    ],
)
def test_what_nobody_can_go_to_is_counted_with_its_reason(changed: dict[str, Any], reason: str) -> None:
    items = list(parse(of_events(event(**changed))))
    assert skipped(items) == {reason: 1}
    assert len(items) == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"eventStatus": "EventRescheduled", "previousStartDate": "2025-11-01T10:00:00Z"},
        {"eventStatus": None, "eventAttendanceMode": None},
        {"eventAttendanceMode": "MixedEventAttendanceMode"},
        {"location": {"address": {"addressCountry": {"@type": "Country", "name": "India"}}}},
        {"location": {"geo": {"latitude": 0, "longitude": 0}}},
        {"location": {"geo": {"latitude": "18,5", "longitude": None}}},
    ],
    ids=str,
)
def test_an_event_that_takes_place_has_its_row(changed: dict[str, Any]) -> None:
    assert days(parse(of_events(event(**changed)))) == [NOV[11]]


def test_days_beyond_those_that_are_asked_about_are_counted_and_left_out() -> None:
    long = event(startDate="2025-10-30", endDate="2025-11-02")
    about = {"first_day": "2025-11-01", "last_day": "2025-11-30"}
    items = list(parse(of_events(long, subject=about)))
    assert days(items) == NOV[:2]
    assert skipped(items) == {"a day outside of those that are asked about": 2}
    # A saved page that nobody asked for here is read whole.
    assert len(days(parse(of_events(long)))) == 4


@pytest.mark.parametrize(
    ("own", "url"),
    [
        ("https://district.in/events/other-buy-tickets?utm=x#y", "https://www.district.in/events/other-buy-tickets"),
        ("http://www.district.in/old-night-sep12-2025/event/", "https://www.district.in/old-night-sep12-2025/event"),
        ("https://elsewhere.example/e/1", "https://www.district.in/events/constructed-night-12-buy-tickets"),
        ("//[", "https://www.district.in/events/constructed-night-12-buy-tickets"),
        (None, "https://www.district.in/events/constructed-night-12-buy-tickets"),
    ],
)
def test_the_address_of_an_event_is_the_canonical_one(own: str | None, url: str) -> None:
    assert only(parse(of_events(event(url=own))))["url"] == url


def test_an_older_page_keeps_its_older_address() -> None:
    row = only(parse(of_events(event(), endpoint="older_event_page", slug="constructed-night-1970")))
    assert row["url"] == "https://www.district.in/constructed-night-1970/event"
    assert row["source_id"] == "constructed-night-1970/event"


@pytest.mark.parametrize(
    ("slug", "name", "city"),
    [
        ("constructed-night-buy-tickets", "Constructed Night", None),
        ("constructed-night-in-gurgaon-nov28-2025-buy-tickets", "Constructed Night", "gurgaon"),
        ("constructed-night-new-delhi-buy-tickets", "Constructed Night", "new delhi"),
        ("constructed-night-buy-tickets", "Constructed Night | Bengaluru", "Bengaluru"),
        ("constructed-night-buy-tickets", "Constructed Night || Pune ", "Pune"),
        ("constructed-night-buy-tickets", "Constructed Night | Live", None),
        ("constructed-night-in-agra-buy-tickets", "Constructed Night | Pune", "agra"),
        ("a-night-of-mango-buy-tickets", "Constructed Night", None),
    ],
)
def test_a_city_that_no_address_tells_is_that_of_the_web_address_or_else_the_title(
    slug: str, name: str, city: str | None
) -> None:
    nowhere = event(name=name, location={"name": "Constructed Hall"})
    assert only(parse(of_events(nowhere, slug=slug)))["city_name"] == city


def test_a_place_that_only_stands_where_a_city_would_counts_last() -> None:
    known_to_nobody = event(location={"address": "1 Constructed Road, Constructedpur, Bihar 990001, India"})
    assert only(parse(of_events(known_to_nobody)))["city_name"] == "Constructedpur"
    assert only(parse(of_events(known_to_nobody, slug="night-in-patna-buy-tickets")))["city_name"] == "patna"


def test_a_collection_is_no_event() -> None:
    for slug in ("music-in-pune-book-tickets", "constructed-park-ticket-booking"):
        items = list(parse(of_events(event(), slug=slug)))
        assert skipped(items) == {"a collection of events, whose own pages tell more": 1}
        assert len(items) == 1


@pytest.mark.parametrize(
    ("offers", "remark"),
    [
        ({"price": "0", "priceCurrency": "USD"}, None),
        ({"price": "10", "priceCurrency": "USD"},
         "a price in another currency than rupees, which is not converted; its row stays"),
        ({"price": "many"}, "a price that cannot be read; its row stays"),
    ],
)  # fmt: skip
def test_an_odd_price_is_told_and_the_row_stays(offers: dict[str, Any], remark: str | None) -> None:
    items = list(parse(of_events(event(offers=offers))))
    assert skipped(items) == ({remark: 1} if remark else {})
    assert len(rows(items)) == 1


def test_one_bad_session_costs_itself_alone_and_is_told() -> None:
    items = list(parse(of_events(event(), event(startDate="soon"), event(startDate="2025-11-14", endDate=None))))
    assert days(items) == [NOV[11], NOV[13]]
    (refusal,) = refusals(items)
    assert (refusal.code, refusal.where, refusal.value) == ("bad_date", "events[1].startDate", "soon")


CANARY = "canary-of-somebody"


@pytest.mark.parametrize("shape", [CANARY, [CANARY], {"@type": "Person", "name": CANARY}, [{"name": CANARY}]], ids=str)
def test_who_performs_or_hosts_and_what_is_said_of_it_is_never_handed_on(shape: Any) -> None:
    personal = dict.fromkeys(
        ("performer", "performers", "organizer", "author", "contributor", "director", "actor", "description", "image",
         "composer", "attendee", "sponsor", "review"),
        shape,
    )  # fmt: skip
    for found in (
        event(**personal),
        event(**personal, startDate="soon"),
        event(**personal, eventStatus="EventCancelled"),
    ):
        items = list(parse(of_events(found)))
        assert items
        assert CANARY not in str(items)


def sample(shared: Path, name: str) -> bytes:
    return (shared / "contracts" / "samples" / "district" / name).read_bytes()


def test_the_sample_with_scripts_is_two_evenings_in_bengaluru(shared: Path) -> None:
    slug = "example-indie-night-bengaluru-dec12-2026-buy-tickets"
    first, second = rows(parse(answer(sample(shared, "event_page_plain_jsonld.html"), slug=slug)))
    assert (first["event_date"], second["event_date"]) == (date(2026, 12, 12), date(2026, 12, 13))
    assert (first["city_name"], first["state_name"], first["segmentName"]) == ("Bengaluru", "Karnataka", "Music")
    assert first["url"] == f"https://www.district.in/events/{slug}"


def test_the_sample_of_streamed_data_has_its_city_from_an_address_of_one_text(shared: Path) -> None:
    row = only(parse(answer(sample(shared, "event_page_rsc.html"))))
    assert (row["event_date"], row["city_name"], row["state_name"]) == (date(2026, 11, 28), "Gurgaon", "Haryana")


def test_the_sample_without_data_has_what_people_see(shared: Path) -> None:
    row = only(parse(answer(sample(shared, "event_page_no_jsonld.html"))))
    assert (row["event_date"], row["city_name"]) == (date(2026, 10, 9), "Ahmedabad")
    assert row["streetAddress"] == "Example Farm, S.P. Ring Road, Ahmedabad"


def test_the_sample_of_an_organiser_is_two_free_runs(shared: Path) -> None:
    items = list(parse(answer(sample(shared, "event_itemlist_genuine.html"))))
    assert days(items) == [date(2024, 9, 4), date(2024, 8, 31)]
    assert {row["city_name"] for row in rows(items)} == {"Bengaluru"}
    # Free needs no currency, so the dollars are not told of.
    assert skipped(items) == {}


def test_the_genuine_records_are_read_as_their_pages_mean_them(shared: Path) -> None:
    records = json.loads(sample(shared, "event_jsonld_genuine.json"))
    items = list(parse(answer(page(records))))
    found = {row["name"][:12]: (row["event_date"], row["city_name"]) for row in rows(items)}
    assert found == {
        "Gossip, The ": (date(2026, 9, 12), "Bangalore"),
        "munnuDi kann": (date(2026, 9, 12), "Bangalore"),
        "Unit 909 X M": (date(2026, 9, 19), "Bengaluru"),
        "Petals & Mat": (date(2026, 8, 22), None),
        "Full Moon Ch": (date(2026, 8, 22), "Bangalore"),
        "Family Day -": (date(2026, 8, 30), None),
    }
    urls = [row["url"] for row in rows(items)]
    assert urls[0] == "https://www.district.in/gossip-the-gameshow-with-tasty-trivia-sep12-2026/event"
    assert not refusals(items)


def test_the_sample_of_the_sitemap_leads_to_four_pages(shared: Path) -> None:
    items = list(parse(answer(sample(shared, "sitemap_event_detail.xml"), "sitemap")))
    assert skipped(items) == {"the address of an event, whose page tells more": 4}


def test_every_sample_is_looked_at(shared: Path) -> None:
    names = {path.name for path in (shared / "contracts" / "samples" / "district").iterdir()} - {"SOURCES.md"}
    text = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{name}"' in text for name in names)
