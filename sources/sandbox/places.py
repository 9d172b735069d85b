"""What is true of the places of the constructed world: attractions, restaurants and hotels, with traps among them.

The truth holds final meanings, in the words of the vocabularies; how a provider writes them stands in its package.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, TypeVar

from schemas.region import City
from sources.sandbox.ground import CONSTRUCTED, CONSTRUCTED_HI, Point, moved
from sources.sandbox.hotels import HotelFacts, draw_hotel
from sources.sandbox.opening import TrueHours, hours_of_restaurant, hours_of_sight

PlaceTable = Literal["attractions", "restaurants", "accommodations"]
Trap = Literal["same_address", "branch", "grammar_word", "other_city_in_name", "abroad", "far", "gone"]
T = TypeVar("T")

# Providers make ids of numbers, and a real one takes no number beyond 31 bits.
NUMBERS_PER_CITY = 150
_TABLES: tuple[PlaceTable, ...] = ("attractions", "restaurants", "accommodations")
_TRAPS: tuple[Trap, ...] = (
    "same_address", "branch", "grammar_word", "other_city_in_name", "abroad", "far", "gone",
)  # fmt: skip
_FAR_KM = 90.0
_BRANCH_APART_KM = 2.5
_ABROAD = Point(14.9331, -23.5133)
_GREAT_CITIES = ("Mumbai", "Pune", "Jaipur", "Chennai", "Lucknow")
_GRAMMAR_WORDS = ("Homely stay", "Far from Home", "Visit Corner", "Old House (Annexe)")

# Noun of a name in both scripts -> categories, as tokens of the vocabulary; () where none of the 15 fits.
_SIGHTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("Fort", "किला"): ("Sights & Landmarks",),
    ("Temple", "मंदिर"): ("Sights & Landmarks",),
    ("Museum", "संग्रहालय"): ("Museums",),
    ("Lake Park", "झील उद्यान"): ("Nature & Parks", "Outdoor Activities"),
    ("Zoo", "चिड़ियाघर"): ("Nature & Parks", "Zoos & Aquariums"),
    ("Bazaar", "बाज़ार"): ("Shopping",),
    ("Boat Club", "नौका क्लब"): ("Boat Tours & Water Sports",),
    ("Pottery School", "कुम्हार शाला"): ("Classes & Workshops", "Museums", "Shopping"),
    ("Theatre", "रंगशाला"): ("Concerts & Shows",),
    ("Food Hall", "भोजन भवन"): ("Food & Drink",),
    ("Arcade", "आर्केड"): ("Fun & Games",),
    ("Night Club", "रात्रि क्लब"): ("Nightlife",),
    ("Ayurveda House", "आयुर्वेद भवन"): ("Spas & Wellness",),
    ("Water World", "जल जगत"): ("Water & Amusement Parks",),
    ("Gaming Hall", "क्रीड़ा भवन"): ("Casinos & Gambling",),
    ("Tour Office", "यात्रा कार्यालय"): (),
}
# Noun -> cuisines, as tokens; () where the cuisine is of no group or is not told.
_MEALS: dict[tuple[str, str], tuple[str, ...]] = {
    ("Bhojanalay", "भोजनालय"): ("Indian Subcontinent",),
    ("Wok", "वोक"): ("Asian",),
    ("Cafe", "कैफ़े"): ("Bar/Pub/Cafe",),
    ("Pizzeria", "पिज़्ज़ेरिया"): ("Pizza/Italian Specialties",),
    ("Grill", "ग्रिल"): ("Seafood/Steak/Grill",),
    ("Kitchen", "रसोई"): ("Asian", "Indian Subcontinent"),
    ("Mezze", "मेज़े"): ("Mediterranean/Middle Eastern",),
    ("Diner", "डाइनर"): ("American",),
    ("Cantina", "कैंटीना"): ("Latin/South American",),
    ("Bistro", "बिस्त्रो"): ("Bar/Pub/Cafe", "European"),
    ("Samovar", "समोवार"): ("Eastern European/Russian",),
    ("Savanna", "सवाना"): ("African",),
    ("Table", "मेज़"): ("International Fusion",),
    ("Counter", "काउंटर"): (),
}
_HOTELS: dict[tuple[str, str], tuple[str, ...]] = {
    ("Hotel", "होटल"): (),
    ("Palace", "महल"): (),
    ("Lodge", "लॉज"): (),
    ("Residency", "रेज़िडेंसी"): (),
}
_NOUNS: dict[PlaceTable, dict[tuple[str, str], tuple[str, ...]]] = {
    "attractions": _SIGHTS,
    "restaurants": _MEALS,
    "accommodations": _HOTELS,
}


@dataclass(frozen=True)
class TruePlace:
    """One place. `number` is unique in all worlds; providers make their ids of it.

    `city_id` is the city that it belongs to, None abroad; `near` the city around which it is found. `address` is its
    postal address as one text, of `street`, `street_more`, `postcode` (some are dummies), city and country.
    `categories` are tokens of the vocabulary of its table (attractions, restaurants), () where none fits. `hours` is
    None where they are unknown. `hotel` is what only hotels have. `trap` says what a reader may get wrong:

    - `same_address`: another place than the first one of its city and table, at the address and point of that one;
    - `branch`: a place with the name of the first one, in another street and quarter;
    - `grammar_word`: a name that holds `from`, `stay`, `visit` or a bracket;
    - `other_city_in_name`: a place of this city, which a search for another one finds;
    - `abroad`: a place in another country, which a search for the city finds by its name;
    - `far`: a place with an address in the city and a point 90 km off;
    - `gone`: a place that has closed for good.
    """

    id: str
    number: int
    table: PlaceTable
    city_id: str | None
    near: str
    name: str
    local_name: str | None
    latitude: float
    longitude: float
    city_name: str
    state_name: str
    country: str
    country_code: str
    time_zone: str
    street: str
    street_more: str | None
    postcode: str | None
    locality: str | None
    address: str
    rating: float | None
    price_tier: int | None
    categories: tuple[str, ...]
    hours: tuple[TrueHours, ...] | None
    hotel: HotelFacts | None
    trap: Trap | None


def places_of(city: City, seed: int) -> Iterator[TruePlace]:
    """Construct the places of a city: attractions, restaurants, hotels. The last of each table is a trap."""
    random = Random(f"{seed}:places:{city.city_id}")
    plan = _CityPlan(city, random)
    traps = sorted(_TRAPS, key=lambda _: random.random())
    for table, trap in zip(_TABLES, traps, strict=False):
        first: TruePlace | None = None
        for serial in range(1, _count(table, city.population) + 1):
            place = plan.place(table, serial)
            first = first or place
            yield place
        assert first is not None
        yield _trapped(plan.place(table, serial + 1), first, trap, city, random)


def _count(table: PlaceTable, population: int) -> int:
    """Return how many places of a table a city has, its trap apart: all of India has some 10,000 places."""
    weight = math.sqrt(population / 1e6)
    base, growth = {"attractions": (3.7, 2.3), "restaurants": (3.5, 4.0), "accommodations": (6.3, 0.3)}[table]
    return round(base + growth * weight)


def _trapped(place: TruePlace, first: TruePlace, trap: Trap, city: City, random: Random) -> TruePlace:
    """Turn a place into a trap; `first` is the first of its city and table."""
    place = replace(place, trap=trap)
    point = Point(place.latitude, place.longitude)
    match trap:
        case "same_address":
            place = replace(place, latitude=first.latitude, longitude=first.longitude, street=first.street,
                            street_more=first.street_more, postcode=first.postcode,
                            locality=first.locality)  # fmt: skip
        case "branch":
            away = _moved(Point(first.latitude, first.longitude), _BRANCH_APART_KM, random.random())
            place = replace(place, name=first.name, local_name=first.local_name, locality=f"{CONSTRUCTED} Suburb",
                            latitude=away.latitude, longitude=away.longitude)  # fmt: skip
        case "grammar_word":
            place = replace(place, name=f"{CONSTRUCTED} {_choice(_GRAMMAR_WORDS, random)} {city.name}", local_name=None)
        case "other_city_in_name":
            other = _choice(tuple(name for name in _GREAT_CITIES if name != city.name), random)
            place = replace(place, name=f"{CONSTRUCTED} {other} House {city.name}", local_name=None)
        case "abroad":
            away = _moved(_ABROAD, random.random(), random.random())
            place = replace(place, city_id=None, latitude=away.latitude, longitude=away.longitude, city_name="Praia",
                            state_name="Santiago", country="Cape Verde", country_code="CV",
                            time_zone="Atlantic/Cape_Verde")  # fmt: skip
        case "far":
            away = _moved(point, _FAR_KM, random.random())
            place = replace(place, latitude=away.latitude, longitude=away.longitude)
        case "gone":
            pass
    return replace(place, address=_address(place))


def _moved(point: Point, km: float, bearing: float) -> Point:
    """Return the point at `km` from another, with the six decimals that listings keep."""
    away = moved(point, km, bearing)
    return Point(round(away.latitude, 6), round(away.longitude, 6))


def _address(place: TruePlace) -> str:
    street = " ".join(filter(None, (place.street, place.street_more)))
    return f"{street}, {' '.join(filter(None, (place.city_name, place.postcode, place.country)))}"


class _CityPlan:
    """The places of one city, drawn from its point and the seed."""

    def __init__(self, city: City, random: Random) -> None:
        self._city, self._random = city, random
        self._centre = Point(city.latitude, city.longitude)
        self._radius_km = max(2.5, min(2.0 + 2.5 * math.sqrt(city.population / 1e6), 10.0))
        self._drawn = 0

    def place(self, table: PlaceTable, serial: int) -> TruePlace:
        self._drawn += 1
        city, random = self._city, self._random
        point = _moved(self._centre, self._radius_km * random.random(), random.random())
        (noun, noun_hi), categories = _choice(tuple(_NOUNS[table].items()), random)
        quarter = int(random.random() * 9) + 1
        place = TruePlace(
            id=f"{city.city_id}/{table}/{serial}",
            number=city.geonames_id * NUMBERS_PER_CITY + self._drawn,
            table=table,
            city_id=city.city_id,
            near=city.city_id,
            name=f"{CONSTRUCTED} {noun} {serial} {city.name}",
            local_name=f"{CONSTRUCTED_HI} {noun_hi} {serial} {city.name}" if random.random() < 0.4 else None,
            latitude=point.latitude,
            longitude=point.longitude,
            city_name=city.name,
            state_name=city.state,
            country="India",
            country_code="IN",
            time_zone=city.time_zone,
            street=f"{self._drawn} {CONSTRUCTED} {_choice(('Road', 'Marg', 'Lane', 'Nagar'), random)}",
            street_more=f"Opposite {CONSTRUCTED} Gate" if random.random() < 0.3 else None,
            postcode=self._postcode(),
            locality=self._locality(quarter),
            address="",
            rating=None if random.random() < 0.08 else self._rating(),
            price_tier=_price_tier(table, random),
            categories=categories,
            hours=_hours(table, random),
            hotel=draw_hotel(random) if table == "accommodations" else None,
            trap=None,
        )
        return replace(place, address=_address(place))

    def _postcode(self) -> str | None:
        draw = self._random.random()
        if draw < 0.08:
            return None
        # Dummies, as genuine listings have them.
        return "1234" if draw < 0.11 else "1017 SG" if draw < 0.14 else f"99{self._city.geonames_id % 10_000:04d}"

    def _locality(self, quarter: int) -> str | None:
        draw = self._random.random()
        if draw < 0.4:
            return None
        return f"{CONSTRUCTED_HI} मोहल्ला {quarter}" if draw < 0.5 else f"{CONSTRUCTED} Quarter {quarter}"

    def _rating(self) -> float:
        """Draw a rating in half steps, as old answers have them, or in tenths, as new ones do."""
        rating = 2.0 + 3.0 * self._random.random()
        return round(rating * 2) / 2 if self._random.random() < 0.5 else round(rating, 1)


def _price_tier(table: PlaceTable, random: Random) -> int | None:
    """Draw a price tier. Restaurants are cheap, middling or dear, and the middle ones count as tier 2."""
    draw = random.random()
    if table == "attractions" or draw < 0.2:
        return None
    if table == "restaurants":
        return 1 if draw < 0.5 else 2 if draw < 0.9 else 4
    return int((draw - 0.2) / 0.8 * 4) + 1


def _hours(table: PlaceTable, random: Random) -> tuple[TrueHours, ...] | None:
    if table == "accommodations":
        return None
    return hours_of_sight(random) if table == "attractions" else hours_of_restaurant(random)


def _choice(members: tuple[T, ...], random: Random) -> T:
    return members[int(random.random() * len(members))]
