"""Which venue a question is answered with: that of the name whose address is most alike or, by mistake, another."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from unicodedata import normalize

from sources.sandbox.crowd import TrueCrowd
from sources.sandbox.ground import CONSTRUCTED
from sources.sandbox.places import TruePlace

_NEW_YORK_ZONE = "America/New_York"


@dataclass(frozen=True)
class Venue:
    """A place with its crowd, under the id that the provider gives it."""

    place: TruePlace
    crowd: TrueCrowd

    @property
    def id(self) -> str:
        """The id: as long as genuine ones, and readable for who looks."""
        return "ven_" + f"{CONSTRUCTED}{self.place.number:015d}".encode().hex()


class Finder:
    """All venues, by name and id. Those that are not listed are not found; those of a mistake lead elsewhere."""

    def __init__(self, places: Iterable[TruePlace], crowd: Iterable[TrueCrowd]) -> None:
        by_id = {place.id: place for place in places}
        self._venues = [Venue(by_id[one.place_id], one) for one in crowd if one.trap != "unlisted"]
        self._by_name: dict[str, list[Venue]] = {}
        for venue in self._venues:
            self._by_name.setdefault(_folded(venue.place.name), []).append(venue)
        self._by_id = {venue.id: venue for venue in self._venues if venue.crowd.trap != "mistaken"}

    def by_id(self, venue_id: str) -> Venue | None:
        """Return the venue of an id."""
        return self._by_id.get(venue_id)

    def by_words(self, name: str, address: str) -> Venue | None:
        """Return the venue that a question is answered with."""
        asked = _words(address)
        named = self._by_name.get(_folded(name), ())
        found = max(named, key=lambda venue: len(asked & _words(venue.place.address)), default=None)
        if found is None or found.crowd.trap != "mistaken":
            return found
        return self._another(found)

    def _another(self, meant: Venue) -> Venue:
        """Return one that was not meant; of a city it is always the same, whatever was asked."""
        city = meant.place.near
        told = [one for one in self._venues if one.place.near == city and one.crowd.days and one.place != meant.place]
        favourite = next(one for one in told if one.place.table == "restaurants")
        manner = meant.place.number % 3
        if manner == 0:
            return favourite
        place = favourite.place
        if manner == 1:
            # A kitchen that belongs to the place, with a name, a number and a crowd of its own.
            where = meant.place
            place = replace(place, latitude=where.latitude, longitude=where.longitude, street=where.street,
                            street_more=where.street_more, postcode=where.postcode,
                            address=where.address)  # fmt: skip
        else:
            place = replace(place, name=f"{CONSTRUCTED} Steakhouse", latitude=40.7414, longitude=-73.9934,
                            street=f"1 {CONSTRUCTED} Avenue", street_more=None, city_name="New York",
                            state_name="NY", postcode="10010", country="United States", country_code="US",
                            time_zone=_NEW_YORK_ZONE)  # fmt: skip
        return Venue(place, favourite.crowd)


def _folded(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
