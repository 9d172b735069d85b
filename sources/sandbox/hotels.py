"""What a hotel of the constructed world is, as a listing words it, and what those words mean beyond doubt.

The words mean what people mean by them; no map of the project is asked, so that the truth can judge the maps.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple


class Amenity(NamedTuple):
    """A word of a listing, how often it is there, and what it means; None where it says nothing of the kind."""

    word: str
    chance: float
    facility: str | None = None
    service: str | None = None
    rule: str | None = None
    people: int = 0


class Kind(NamedTuple):
    """What makes a house one of a type: its amenities and styles."""

    chance: float
    house_type: str
    amenities: tuple[Amenity, ...] = ()
    styles: tuple[str, ...] = ()


# Some say nothing, some say what they seem to forbid, and some are the same thing twice, as in real listings.
_AMENITIES = (
    Amenity("Internet", 0.4, facility="Internet_Business"),
    Amenity("Free Internet", 0.4, facility="Internet_Business"),
    Amenity("Wifi", 0.4, facility="Internet_Business"),
    Amenity("Free Wifi", 0.4, facility="Internet_Business"),
    Amenity("Parking", 0.4, facility="Parking_Access"),
    Amenity("Desk", 0.3, facility="Room_Comforts"),
    Amenity("Kitchenette", 0.1, facility="Room_Comforts"),
    Amenity("Restaurant", 0.4, facility="Dining_Drinks"),
    Amenity("Bar / Lounge", 0.2, facility="Dining_Drinks"),
    Amenity("Spa", 0.2, facility="Wellness_Spa"),
    Amenity("Sauna", 0.1, facility="Wellness_Spa"),
    Amenity("Pool", 0.2, facility="Pool_Sports"),
    Amenity("Laundry Service", 0.4, service="Cleaning_Laundry"),
    Amenity("Dry Cleaning", 0.2, service="Cleaning_Laundry"),
    Amenity("Evening Entertainment", 0.1, service="Entertainment"),
    Amenity("Taxi Service", 0.2, service="Transport_Tours"),
    Amenity("Baggage Storage", 0.2, service="Reception_Concierge"),
    Amenity("Non-smoking hotel", 0.4, rule="No_Smoking"),
    Amenity("Pets Not Allowed", 0.15, rule="No_Pets"),
    Amenity("Pets Allowed ( Dog / Pet Friendly )", 0.15),
    Amenity("Smoking rooms available", 0.1),
    Amenity("Suites", 0.1, people=3),
    Amenity("English", 0.4),
)
_KINDS = (
    Kind(0.12, "Luxury_Boutique", styles=("Luxury",)),
    Kind(0.10, "Luxury_Boutique", styles=("Boutique",)),
    Kind(0.14, "Family_Friendly", styles=("Family",)),
    Kind(0.08, "Family_Friendly", amenities=(Amenity("Family Rooms", 1.0, people=4),)),
    Kind(0.12, "Resort_Beach", amenities=(Amenity("Beachfront", 1.0, facility="Outdoor_Areas"),)),
)
_STYLES_WITHOUT_TYPE = ("Budget", "Mid-range", "City View", "Centrally Located")
_ADULTS_ONLY = "Adults Only"

# The code of a kind of property, its words, and how many people its usual room holds.
_HOTEL = ("hotel", "Hotel", 2)
_OTHER_PROPERTIES = (("bed_and_breakfast", "B&B and Inn", 0), ("specialty_lodging", "Specialty Lodging", 0))
_APARTMENTS = ("aparthotel", "Aparthotel", 0)


@dataclass(frozen=True)
class HotelFacts:
    """A hotel as its listing words it (up to `styles`), and what that means; None where no word says anything.

    `property_type` says it in words, `property_code` as a code. Lists of meanings are sorted.
    """

    property_code: str
    property_type: str
    amenities: tuple[str, ...]
    styles: tuple[str, ...]
    house_type: str | None
    house_rules: tuple[str, ...] | None
    facilities_amenities: tuple[str, ...] | None
    services: tuple[str, ...] | None
    max_occupancy: int | None


def draw_hotel(random: Random) -> HotelFacts:
    """Draw a hotel. No house shows signs of two types; one in ten has a listing without amenities and styles."""
    if random.random() < 0.1:
        code, words, people = _OTHER_PROPERTIES[int(random.random() * 2)]
        return HotelFacts(code, words, (), (), None, None, None, None, people or None)
    kind = _kind(random)
    is_apartment = kind is None and random.random() < 0.2
    code, words, people = _property(is_apartment, random)
    amenities = [amenity for amenity in _AMENITIES if random.random() < amenity.chance]
    amenities += kind.amenities if kind else ()
    random.shuffle(amenities)
    styles = [style for style in _STYLES_WITHOUT_TYPE if random.random() < 0.25]
    is_for_adults = (kind is None or kind.house_type != "Family_Friendly") and random.random() < 0.1
    rules = [amenity.rule for amenity in amenities]
    if is_for_adults:
        styles.append(_ADULTS_ONLY)
        rules.append("No_Children")
    return HotelFacts(
        property_code=code,
        property_type=words,
        amenities=tuple(amenity.word for amenity in amenities),
        styles=(*styles, *(kind.styles if kind else ())),
        house_type=kind.house_type if kind else "Apartment_Extended" if is_apartment else None,
        house_rules=_sorted(rules),
        facilities_amenities=_sorted(amenity.facility for amenity in amenities),
        services=_sorted(amenity.service for amenity in amenities),
        max_occupancy=max([people, *(amenity.people for amenity in amenities)]) or None,
    )


def _kind(random: Random) -> Kind | None:
    draw = random.random()
    for kind in _KINDS:
        draw -= kind.chance
        if draw < 0:
            return kind
    return None


def _property(is_apartment: bool, random: Random) -> tuple[str, str, int]:
    if is_apartment:
        return _APARTMENTS
    return _HOTEL if random.random() < 0.7 else _OTHER_PROPERTIES[int(random.random() * 2)]


def _sorted(meanings: Iterable[str | None]) -> tuple[str, ...] | None:
    return tuple(sorted({meaning for meaning in meanings if meaning})) or None
