"""What is asked next: the sitemap, then the pages of events that may fall on the days of the region."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from schemas.region import load_region
from sources.district.requests import requests
from sources.district.sitemap import Page, page_of
from sources.protocol.types import Account, Answer, Request
from tests.sources.district.answers import FOLDER, answer

SAMPLE = replace(
    load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample"), dates=(date(2025, 11, 1), date(2025, 11, 30))
)


class Archive:
    """Answers by request, as a fetch leaves them. Implements `Known`."""

    account = Account("standard", {})

    def __init__(self) -> None:
        self.held: dict[str, Answer] = {}

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        raise KeyError(table)

    def answer(self, request: Request) -> Answer | None:
        return self.held.get(request.id)

    def answers(self, endpoint: str) -> Iterable[Answer]:
        return [self.held[key] for key in sorted(self.held) if self.held[key].endpoint == endpoint]


def sitemap(*paths: str) -> bytes:
    lines = "".join(f"<url><loc>https://www.district.in{path}</loc></url>" for path in paths)
    return f"<urlset>{lines}</urlset>".encode()


def after(body: bytes, status: int = 200) -> tuple[Archive, list[Request]]:
    archive = Archive()
    (request,) = requests(SAMPLE, archive)
    assert (request.endpoint, dict(request.params)) == ("sitemap", {})
    archive.held[request.id] = answer(body, "sitemap", status=status)
    return archive, list(requests(SAMPLE, archive))


def test_pages_of_events_are_asked_for_once_and_nothing_else_is() -> None:
    archive, asked = after(
        sitemap(
            "/events/night-buy-tickets", "/old-night/event", "/events/night-buy-tickets", "/mumbai/events/",
            "/events/music-in-pune-book-tickets", "/events/fun-park-ticket-booking", "/policies/terms-of-service",
        )
    )  # fmt: skip
    assert [(request.endpoint, dict(request.params)) for request in asked] == [
        ("event_page", {"slug": "night-buy-tickets"}),
        ("older_event_page", {"slug": "old-night"}),
    ]
    assert asked[0].subject == {"first_day": "2025-11-01", "last_day": "2025-11-30"}
    for request in asked:
        archive.held[request.id] = answer(b"", request.endpoint)
    assert list(requests(SAMPLE, archive)) == []


@pytest.mark.parametrize(
    ("slug", "is_asked"),
    [
        ("night-nov12-2025-buy-tickets", True),
        ("night-nov1-2025", True),
        ("night-nov30-2025", True),
        ("night-dec1-2025", False),
        # What begins a month before may still go on.
        ("night-oct5-2025", True),
        ("night-sep12-2025", False),
        ("night-sep12-2019", False),
        # A number is no year, and what is no day says nothing.
        ("night-2019", True),
        ("night-1970", True),
        ("night-nov31-2025", True),
        ("night-sep12-2019-again", True),
    ],
)
def test_a_page_is_left_out_where_the_day_in_its_address_is_too_far_off(slug: str, is_asked: bool) -> None:
    _, asked = after(sitemap(f"/events/{slug}"))
    assert len(asked) == is_asked


def test_what_is_no_sitemap_leads_nowhere() -> None:
    for body, status in ((b"<html></html>", 200), (sitemap("/a/event"), 503), (b"\xff", 200), (sitemap(), 200)):
        assert after(body, status)[1] == []


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("https://www.district.in/events/night-buy-tickets", Page("event_page", "night-buy-tickets")),
        ("http://district.in/events/night-buy-tickets/?a=b#c", Page("event_page", "night-buy-tickets")),
        ("https://www.district.in/caf%C3%A9-night/event", Page("older_event_page", "café-night")),
        ("https://elsewhere.example/events/night-buy-tickets", None),
        ("https://www.district.in.elsewhere.example/a/event", None),
        ("javascript:alert(1)", None),
        ("https://www.district.in/events/a/b", None),
        ("https://www.district.in/events/", None),
        ("https://www.district.in/events/a%2Fb", None),
        ("https://[", None),
        ("", None),
    ],
)
def test_an_address_is_that_of_an_event_or_not(address: str, page: Page | None) -> None:
    assert page_of(address) == page


def test_the_canonical_address_of_a_page_leads_back_to_it() -> None:
    for page in (Page("event_page", "a-b"), Page("older_event_page", "café")):
        assert page_of(page.url) == page
