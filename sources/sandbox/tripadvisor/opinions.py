"""Reviews and photos as the Content API writes them, where numbers are numbers. All of it is personal and made up."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from sources.sandbox.places import TruePlace
from sources.sandbox.tripadvisor.details import SITE
from sources.sandbox.tripadvisor.geos import city_number
from sources.sandbox.tripadvisor.words import choice

Document = dict[str, Any]

PER_CALL = 5
_MOST = 8
_TRIPS = ("Family", "Couples", "Business", "Solo", "Friends", "NONE")
_RATES = ("RATE_VALUE", "RATE_LOCATION", "RATE_SERVICE")
_SIZES = {"thumbnail": 50, "small": 150, "medium": 250, "large": 550, "original": 1280}


def reviews(place: TruePlace, seed: int, as_of: date) -> list[Document]:
    """Return all reviews of a place, the latest first; none where nobody has rated it."""
    random = Random(f"{seed}:tripadvisor:reviews:{place.id}")
    count = 0 if place.rating is None else int(random.random() * (_MOST + 1))
    return [_review(place, serial, as_of - timedelta(days=30 * serial), random) for serial in range(1, count + 1)]


def photos(place: TruePlace, seed: int, as_of: date) -> list[Document]:
    """Return all photos of a place, the latest first."""
    random = Random(f"{seed}:tripadvisor:photos:{place.id}")
    count = int(random.random() * (_MOST + 1))
    return [_photo(place, serial, as_of - timedelta(days=20 * serial), random) for serial in range(1, count + 1)]


def _review(place: TruePlace, serial: int, day: date, random: Random) -> Document:
    number, stars = place.number * 10 + serial, int(random.random() * 5) + 1
    travelled = (day.replace(day=1) - timedelta(days=1)).isoformat()
    named = {"name": "Constructed Home"} if random.random() < 0.7 else {}
    home = {"id": str(city_number(place)), **named} if named or random.random() < 0.5 else {"id": "null"}
    review = {
        "id": number,
        "lang": "en",
        "location_id": place.number,
        "published_date": f"{day.isoformat()}T06:13:39Z",
        "rating": stars,
        "helpful_votes": int(random.random() * 3),
        "rating_image_url": f"{SITE}/ratings/s{stars}.0.svg",
        "url": f"{SITE}/ShowUserReviews-d{place.number}-r{number}.html",
        "text": "Constructed review text, line one.\nConstructed review text, line two.",
        "title": "Constructed review title",
        "trip_type": choice(_TRIPS, random),
        "travel_date": travelled,
        "user": {
            "username": f"constructed-user-{number}",
            "user_location": home,
            "avatar": dict(_avatar(random)),
        },
        "subratings": dict(_subratings(random)) if random.random() < 0.6 else {},
    }
    if random.random() < 0.2:
        review["owner_response"] = {
            "id": number + 5_000_000_000,
            "title": "Constructed owner title",
            "text": "Constructed owner text",
            "lang": "en",
            "author": f"constructed-owner-{place.number}",
            "published_date": f"{day.isoformat()}T08:00:00Z",
        }
    return review


def _avatar(random: Random) -> Iterator[tuple[str, str]]:
    for size in _SIZES:
        if size in ("thumbnail", "small") or random.random() < 0.7:
            yield size, f"{SITE}/avatars/constructed-{size}.jpg"


def _subratings(random: Random) -> Iterator[tuple[str, Document]]:
    for place, name in enumerate(_RATES):
        value = int(random.random() * 5) + 1
        yield (
            str(place),
            {
                "name": name,
                "rating_image_url": f"{SITE}/ratings/s{value}.0.svg",
                "value": value,
                "localized_name": name.removeprefix("RATE_").title(),
            },
        )


def _photo(place: TruePlace, serial: int, day: date, random: Random) -> Document:
    source = choice(("Expert", "Management", "Traveler"), random)
    fraction = choice(("", ".9", ".27", ".193"), random)
    images = {
        size: {"height": int(width * 0.75), "width": width, "url": f"{SITE}/photos/{place.number}-{serial}-{size}.jpg"}
        for size, width in _SIZES.items()
        if size != "original" or random.random() < 0.8
    }
    return {
        "id": place.number * 10 + serial,
        "is_blessed": random.random() < 0.2,
        "caption": "Constructed caption" if random.random() < 0.5 else "",
        "published_date": f"{day.isoformat()}T20:35:19{fraction}Z",
        "images": images,
        "album": "Other",
        "source": {"name": source, "localized_name": source},
        "user": {"username": f"constructed-user-{place.number}"},
    }
