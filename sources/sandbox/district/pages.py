"""The pages of the site and its sitemap: titles, visible texts, and data for search engines in one of three forms."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from html import escape
from random import Random
from typing import Any

from sources.sandbox.district.records import records, wrapped, written_address
from sources.sandbox.happenings import TrueHappening

HOST = "https://www.district.in"
COLLECTIONS = ("/events/music-in-constructed-book-tickets", "/events/constructed-park-ticket-booking")

# Some addresses still have the older form.
_OLDER_ONE_IN = 7
_OTHER_PAGES = ("/policies/terms-of-service", "/mumbai/events/")
_LONG = 400


@dataclass(frozen=True)
class EventPage:
    """The page of an event, and the path of its address."""

    happening: TrueHappening
    path: str

    @property
    def is_gone(self) -> bool:
        return self.happening.trap == "gone"

    def html(self, seed: int) -> str:
        """Return the page; the same for the same seed."""
        random = Random(f"{seed}:page:{self.happening.id}")
        if self.happening.form == "visible":
            return _page(self.happening, "", "")
        documents = wrapped(records(self.happening, seed), random)
        if self.happening.form == "plain":
            return _page(self.happening, "".join(_script(document) for document in documents), "")
        return _page(self.happening, "", _streamed(documents, random))


def event_page(happening: TrueHappening) -> EventPage:
    """Return the page of an event."""
    is_older = happening.number % _OLDER_ONE_IN == 0
    path = f"/{happening.slug}/event" if is_older else f"/events/{happening.slug}-buy-tickets"
    return EventPage(happening, path)


def sitemap(happenings: Iterable[TrueHappening]) -> str:
    """Return the sitemap; events that are gone, and such that were over years ago, are still in it."""
    paths = [*(event_page(happening).path for happening in happenings), *COLLECTIONS, *_OTHER_PAGES]
    lines = "\n".join(f"<url><loc>{escape(HOST + path)}</loc></url>" for path in paths)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return f"{head}\n{lines}\n</urlset>\n"


def collection_page(path: str) -> str:
    """Return a page that lists events and is none itself."""
    return f"<!DOCTYPE html>\n<html><head><title>Constructed {escape(path)}</title></head><body></body></html>\n"


def _page(happening: TrueHappening, head: str, tail: str) -> str:
    name = escape(happening.name)
    first = datetime.fromisoformat(happening.sessions[0].start)
    if happening.form == "visible":
        when = f"{first:%a}, {first.day} {first:%b %Y}, {first.hour % 12 or 12}:30 {first:%p} onwards"
        texts = [when, written_address(happening)]
    else:
        texts = [f"{first:%a}, {first.day} {first:%b}, {first.hour % 12 or 12}:30 {first:%p}"]
    if happening.price:
        texts.append(f"₹{happening.price:,.0f} onwards")
    shown = "".join(f"<p>{escape(text)}</p>" for text in texts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><title>{name}</title>\n'
        f'<meta property="og:title" content="{name}"><meta property="og:description" content="Constructed">\n'
        f"{head}\n</head><body><h1>{name}</h1>{shown}\n{tail}\n</body></html>\n"
    )


def _script(document: Any) -> str:
    return f'<script type="application/ld+json">{_safe(json.dumps(document, ensure_ascii=False))}</script>\n'


def _streamed(documents: list[Any], random: Random) -> str:
    """Return page data as it is streamed: lines of names and values, cut anywhere, each cut pushed by a script."""
    stream = "".join(_lines(documents, random))
    cuts = sorted(random.sample(range(1, len(stream)), 3))
    parts = [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    begin = "(self.__next_f=self.__next_f||[]).push([0])"
    pushes = (f"self.__next_f.push([1,{_safe(json.dumps(part))}])" for part in parts)
    return "".join(f"<script>{script}</script>" for script in (begin, *pushes))


def _lines(documents: list[Any], random: Random) -> Iterator[str]:
    yield '1:"$Sreact.fragment"\n'
    yield '2:I[1234,["99","static/chunks/constructed.js"],"default"]\n'
    for number, document in enumerate(documents, 10):
        text = json.dumps(document, ensure_ascii=False)
        # Long texts stand in lines of their own, and are named where they belong.
        if len(text) > _LONG and random.random() < 0.5:
            yield f"{number:x}a:T{len(text.encode()):x},{text}"
            text = f"${number:x}a"
        element = {"type": "application/ld+json"}
        value: list[Any]
        if random.random() < 0.5:
            value = ["$", "script", None, {**element, "children": text}]
        else:
            value = ["$", "script", str(number), {**element, "dangerouslySetInnerHTML": {"__html": text}}]
        yield f"{number:x}:{json.dumps(value, ensure_ascii=False)}\n"


def _safe(text: str) -> str:
    return text.replace("<", "\\u003c")
