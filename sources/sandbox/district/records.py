"""An event as schema.org has it, one object for each session, with the forms and oddities of genuine records."""

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from sources.sandbox.ground import CONSTRUCTED
from sources.sandbox.happenings import TrueHappening, TrueSession

Document = dict[str, Any]

_INDIA = timezone(timedelta(hours=5, minutes=30))
_STATUS = {"cancelled": "EventCancelled", "postponed": "EventPostponed", "rescheduled": "EventRescheduled"}
_WORDS = ("https://schema.org/", "http://schema.org/", "")
# The site's own form; the others are those of sites that use the same records.
_FORMS = ("utc", "utc", "utc", "colon", "milliseconds", "no_colon", "none", "unpadded", "decimal")


def records(happening: TrueHappening, seed: int) -> list[Document]:
    """Return the objects of an event; the same for the same seed."""
    random = Random(f"{seed}:district:{happening.id}")
    form = _choice(_FORMS, random)
    shared = {
        "@context": "http://schema.org",
        "@type": happening.kind.type if random.random() < 0.8 else [happening.kind.type],
        "name": happening.name,
        "description": f"{CONSTRUCTED} description of an evening.\nIt has several lines.",
        "url": f"https://district.in/events/{happening.slug}-buy-tickets?utm_source=constructed",
        "image": ["https://cdn.district.in/constructed.jpg"],
        "performer": {"@type": "Person", "name": f"{CONSTRUCTED} Performer"},
        "organizer": {"@type": "Organization", "name": f"{CONSTRUCTED} Host"},
        # These three are wrongly shaped on the site.
        "inLanguage": {"language": "English"},
        "typicalAgeRange": {"@type": "Age-Range", "language": "18+"},
        "keywords": [*happening.kind.keywords] or {"@type": "DefinedTerm"},
        **_state(happening, random),
        "location": _location(happening, random),
        **_offers(happening, random),
    }
    return [{**shared, **_times(session, form, random)} for session in happening.sessions]


def wrapped(documents: list[Document], random: Random) -> list[Any]:
    """Return the documents of a page: one for each object, or all in a list, a graph, or a list of items."""
    match _choice(("single", "single", "list", "graph", "items"), random):
        case "list":
            return [documents]
        case "graph":
            return [{"@context": "http://schema.org", "@graph": documents}]
        case "items":
            items = [
                {"@type": "ListItem", "position": place, "item": document}
                for place, document in enumerate(documents, 1)
            ]
            return [{"@context": "http://schema.org", "@type": "ItemList", "itemListElement": items}]
    return [*documents]


def _state(happening: TrueHappening, random: Random) -> Document:
    before = _choice(_WORDS, random)
    status = _STATUS.get(happening.trap or "", "EventScheduled")
    mode = "OnlineEventAttendanceMode" if happening.trap == "online" else "OfflineEventAttendanceMode"
    is_told = status != "EventScheduled" or random.random() < 0.8
    return {
        **({"eventStatus": before + status} if is_told else {}),
        **({"eventAttendanceMode": before + mode} if happening.trap == "online" or random.random() < 0.8 else {}),
        **({"previousStartDate": "2025-01-01T14:00:00.000Z"} if happening.trap == "rescheduled" else {}),
    }


def _location(happening: TrueHappening, random: Random) -> Document | list[Document]:
    country = "AE" if happening.trap == "abroad" else _choice(("IN", "India"), random)
    parts = {
        "@type": "PostalAddress",
        "streetAddress": happening.street,
        "addressRegion": happening.state_name,
        "postalCode": "990001",
        "addressCountry": country,
    }
    address: Document | str = parts
    if happening.told == "locality":
        address = {**parts, "addressLocality": happening.city_name}
    elif happening.told == "address" and happening.trap != "abroad":
        address = written_address(happening)
    location = {"@type": "Place", "name": happening.venue, "address": address}
    return [location] if random.random() < 0.1 else location


def written_address(happening: TrueHappening) -> str:
    """Return an address as one text, as people read it."""
    return f"{happening.street}, {happening.city_name}, {happening.state_name}, 990001, India"


def _offers(happening: TrueHappening, random: Random) -> Document:
    if happening.price is None:
        return {}
    stock = f"{_choice(_WORDS, random)}{_choice(('InStock', 'InStock', 'SoldOut'), random)}"
    # A free event is sold in dollars by one seller.
    currency = "USD" if happening.price == 0 else "INR"
    whole = f"{happening.price:,.0f}" if happening.price == int(happening.price) else f"{happening.price:.2f}"
    text = _choice((whole, f"{happening.price:.2f}"), random)
    offer = {"@type": "Offer", "price": text, "priceCurrency": currency, "availability": stock}
    form = _choice(("one", "list", "range"), random)
    if form == "range":
        return {"offers": {"@type": "AggregateOffer", "lowPrice": text, "highPrice": text, "priceCurrency": currency}}
    return {"offers": [offer, {"@type": "Offer", "availability": stock}] if form == "list" else offer}


def _times(session: TrueSession, form: str, random: Random) -> Document:
    start = datetime.fromisoformat(session.start)
    if session.end is None:
        # Not known: it is missing, or that of the start again.
        end = {} if random.random() < 0.5 else {"endDate": _written(start, form)}
    else:
        end = {"endDate": _written(datetime.fromisoformat(session.end), form)}
    return {"startDate": _written(start, form), **end}


def _written(moment: datetime, form: str) -> str:
    local = moment.replace(tzinfo=_INDIA)
    match form:
        case "utc":
            return f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.000Z"
        case "milliseconds":
            return f"{local:%Y-%m-%dT%H:%M:%S}.000+05:30"
        case "no_colon":
            return f"{local:%Y-%m-%dT%H:%M:%S}+0530"
        case "none":
            return f"{local:%Y-%m-%dT%H:%M:%S}"
        case "unpadded":
            return f"{local.year}-{local.month}-{local.day}T{local:%H:%M:%S}+05:30"
        case "decimal":
            return f"{local:%Y-%m-%dT%H:%M:%S}+5.5"
    return f"{local:%Y-%m-%dT%H:%M:%S}+05:30"


def _choice(members: tuple[str, ...], random: Random) -> str:
    return members[int(random.random() * len(members))]
