"""A listing as the Content API writes it: numbers as text, keys in no order, contacts and counts beside the truth."""

from random import Random
from typing import Any

from sources.sandbox.opening import WEEK, TrueHours
from sources.sandbox.places import TruePlace
from sources.sandbox.tripadvisor import words
from sources.sandbox.tripadvisor.geos import Geo, area_number, city_number
from sources.sandbox.tripadvisor.words import Word, choice, some

Document = dict[str, Any]

SITE = "https://www.tripadvisor.com"
# A key that no sample has, on one page in so many.
_NEW_KEY_ONE_IN = 80
_PAGES = {"attractions": "Attraction", "restaurants": "Restaurant", "accommodations": "Hotel"}
_RANKED = {"attractions": "things to do", "restaurants": "Places to Eat", "accommodations": "hotels"}
_DISORDERED = 0.3


def item(place: TruePlace | Geo) -> Document:
    """Return what search results hold of a listing."""
    return {"location_id": str(place.number), "name": place.name, "address_obj": _address(place)}


def details(place: TruePlace, seed: int) -> Document:
    """Return the page of a place; the same for the same seed."""
    random = Random(f"{seed}:tripadvisor:{place.id}")
    page = f"g{city_number(place)}-d{place.number}-Reviews-{place.name.replace(' ', '_')}"
    reviews = 0 if place.rating is None else int(5 + 2000 * random.random() ** 3)
    kind = _PAGES[place.table]
    document: Document = {
        "location_id": str(place.number),
        "name": place.name,
        **_description(random),
        "web_url": f"{SITE}/{kind}_Review-{page}.html?m=1",
        "address_obj": _address(place),
        "ancestors": _ancestors(place),
        "latitude": str(place.latitude),
        "longitude": str(place.longitude),
        "timezone": place.time_zone,
        **_contacts(random),
        "write_review": f"{SITE}/UserReview-{page}.html?m=1",
        **_opinions(place, reviews, random),
        "photo_count": str(int(reviews * random.random())),
        "see_all_photos": f"{SITE}/{kind}_Review-{page}.html#photos",
        **_price_level(place),
        **_hours(place.hours, random),
        **_kinds(place, random),
        "neighborhood_info": _neighborhood(place),
        "trip_types": [
            {**word._asdict(), "value": str(int(reviews * random.random() / 5))} for word in words.TRIP_TYPES
        ],
        "awards": _awards(random),
    }
    if place.number % _NEW_KEY_ONE_IN == 0:
        document["constructed_new_key"] = {"value": "constructed"}
    if random.random() < _DISORDERED:
        keys = [*document]
        random.shuffle(keys)
        return {key: document[key] for key in keys}
    return document


def geo_details(geo: Geo) -> Document:
    """Return the page of a city."""
    name = geo.name.replace(" ", "_")
    return {
        "location_id": str(geo.number),
        "name": geo.name,
        "description": f"Constructed description of {geo.name}.",
        "web_url": f"{SITE}/Tourism-g{geo.number}-{name}-Vacations.html?m=1",
        "address_obj": _address(geo),
        "ancestors": _areas(geo),
        "latitude": str(geo.latitude),
        "longitude": str(geo.longitude),
        "timezone": geo.time_zone,
        "see_all_photos": f"{SITE}/Tourism-g{geo.number}-m1-{name}-Vacations.html#photos",
        "category": {"name": "geographic", "localized_name": "Geographic"},
        "subcategory": [{"name": "city", "localized_name": "City"}],
        "neighborhood_info": [],
        "awards": [],
    }


def _address(place: TruePlace | Geo) -> Document:
    if isinstance(place, Geo):
        return {"state": place.state_name, "country": place.country, "address_string": f"{place.name} {place.country}"}
    # An empty second line is written by some pages and left out by others.
    more = {"street2": place.street_more or ""} if place.street_more or place.number % 3 == 0 else {}
    return {
        "street1": place.street,
        **more,
        "city": place.city_name,
        "state": place.state_name,
        "country": place.country,
        **({"postalcode": place.postcode} if place.postcode else {}),
        "address_string": place.address,
    }


def _ancestors(place: TruePlace) -> list[Document]:
    city = {"level": "City", "name": place.city_name, "location_id": str(city_number(place))}
    return [city, *_areas(place)]


def _areas(place: TruePlace | Geo) -> list[Document]:
    city = place.name if isinstance(place, Geo) else place.city_name
    names = {"District": f"{city} District", "State": place.state_name, "Country": place.country}
    if place.country_code != "IN":
        del names["District"]
    return [
        {"level": level, "name": name, "location_id": str(area_number(f"{name}, {place.country}"))}
        for level, name in names.items()
    ]


def _description(random: Random) -> Document:
    if random.random() < 0.4:
        return {}
    return {"description": "Constructed description, line one.\nConstructed description, line two.\n"}


def _contacts(random: Random) -> Document:
    contacts = {
        "email": "constructed-contact-mail",
        "phone": "constructed-contact-phone",
        "website": "http://constructed-contact-website.invalid/",
    }
    return {key: value for key, value in contacts.items() if random.random() < 0.5}


def _opinions(place: TruePlace, reviews: int, random: Random) -> Document:
    """Return rating and counts; a place that nobody has rated has a count of zero and nothing else."""
    if place.rating is None:
        return {"num_reviews": "0"}
    out_of = int(50 + 1500 * random.random())
    ranking = int(out_of * random.random()) + 1
    counts = {str(stars): str(int(reviews * random.random() / 3)) for stars in range(1, 6)}
    return {
        "ranking_data": {
            "geo_location_id": str(city_number(place)),
            "ranking_string": f"#{ranking:,} of {out_of:,} {_RANKED[place.table]} in {place.city_name}",
            "geo_location_name": place.city_name,
            "ranking_out_of": str(out_of),
            "ranking": str(ranking),
        },
        "rating": f"{place.rating:.1f}",
        "rating_image_url": f"{SITE}/ratings/{place.rating:.1f}.svg",
        "num_reviews": str(reviews),
        "review_rating_count": counts,
        **_subratings(place, random),
    }


def _subratings(place: TruePlace, random: Random) -> Document:
    if place.table != "accommodations":
        return {}
    rates = [(word, f"{1 + int(8 * random.random()) / 2:.1f}") for word in some(words.SUBRATINGS, random)]
    found = {
        str(number): {**word._asdict(), "rating_image_url": f"{SITE}/ratings/{value}.svg", "value": value}
        for number, (word, value) in enumerate(rates)
    }
    return {"subratings": found}


def _price_level(place: TruePlace) -> Document:
    return {} if place.price_tier is None else {"price_level": words.PRICE_LEVELS[place.table][place.price_tier]}


def _hours(hours: tuple[TrueHours, ...] | None, random: Random) -> Document:
    """Return periods and lines; what closes after midnight is written with the day of its close or of its opening."""
    if hours is None:
        return {}
    is_close_on_same_day = random.random() < 0.5
    unclear = choice(("09:00", "00:00"), random)
    periods, lines = [], []
    for weekday in WEEK:
        times = []
        for each in hours:
            if each.weekday != weekday or each.state == "closed":
                continue
            opens, closes = each.opens or unclear, each.closes or unclear
            offset = 0 if is_close_on_same_day else each.closes_day_offset or 0
            periods.append(
                {
                    "open": {"day": weekday, "time": opens.replace(":", "")},
                    "close": {"day": (weekday - 1 + offset) % 7 + 1, "time": closes.replace(":", "")},
                }
            )
            times.append(f"{opens} - {closes}")
        lines.append(f"{words.WEEKDAYS[weekday - 1]}: {',  '.join(times) or 'Closed'}")
    return {"hours": {"periods": periods, "weekday_text": lines}}


def _kinds(place: TruePlace, random: Random) -> Document:
    """Return what a place is, in the fields that its table has."""
    category = {"category": words.CATEGORIES[place.table]._asdict()}
    if place.hotel is not None:
        hotel = place.hotel
        lists = {"amenities": [*hotel.amenities], "styles": [*hotel.styles]}
        brand = {"parent_brand": "Constructed Hotels", "brand": "Constructed Inns"} if random.random() < 0.15 else {}
        return {
            **{key: members for key, members in lists.items() if members},
            **brand,
            **category,
            "subcategory": _written([Word(hotel.property_code, hotel.property_type)]),
        }
    if place.table == "restaurants":
        cuisines = [word for token in place.categories for word in some(words.CUISINES[token], random)]
        if random.random() < 0.3:
            cuisines.append(choice(words.NO_CUISINE, random))
        random.shuffle(cuisines)
        return {
            "features": some(words.FEATURES, random),
            **({"cuisine": _written(cuisines)} if cuisines else {}),
            **category,
            "subcategory": _written([choice(words.RESTAURANT_KINDS, random)]),
        }
    return {**category, **_groups(place.categories, random)}


def _groups(categories: tuple[str, ...], random: Random) -> Document:
    known = {token: words.GROUPS[token] for token in categories}
    if not known or random.random() < 0.15:
        name = choice((*words.OTHER_GROUPS,), random)
        known[name] = words.OTHER_GROUPS[name]
    subcategories = [*(Word(code, name) for name, (code, _) in known.items()), words.ALL_SIGHTS]
    random.shuffle(subcategories)
    groups = [
        {
            "name": name,
            "localized_name": name,
            "categories": _written([Word(kind, kind) for kind in some(kinds, random)]),
        }
        for name, (_, kinds) in known.items()
    ]
    return {"subcategory": _written(subcategories), "groups": groups}


def _written(found: list[Word]) -> list[Document]:
    return [word._asdict() for word in found]


def _neighborhood(place: TruePlace) -> list[Document]:
    if place.locality is None:
        return []
    full_name = f"{place.locality}, {place.city_name}, {place.country}"
    return [{"location_id": str(area_number(full_name)), "name": place.locality}]


def _awards(random: Random) -> list[Document]:
    if random.random() < 0.8:
        return []
    images = {size: f"{SITE}/awards/{size}.png" for size in ("tiny", "small", "large")}
    award = {"award_type": "Travelers Choice", "year": "2024", "images": images, "categories": []}
    return [{**award, "display_name": "Travelers Choice"}]
