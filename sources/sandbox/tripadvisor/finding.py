"""What is found: listings by words, around a point or in a box. Which parameters ask for it stands with each API."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from unicodedata import normalize
from zlib import crc32

import numpy as np
import numpy.typing as npt

from sources.sandbox.ground import KM_PER_DEGREE, Point
from sources.sandbox.places import PlaceTable, TruePlace
from sources.sandbox.tripadvisor.geos import Geo

Mask = npt.NDArray[np.bool_]

_NO_WORD = re.compile(r"[\s,;.()&'/-]+")


class Hit(NamedTuple):
    """A listing at so many kilometres; `turn` is its bearing, in turns clockwise from north."""

    listing: TruePlace | Geo
    km: float
    turn: float


class Catalogue:
    """All listings. Each has a rank of its own, by which those that fit a question equally well are sorted."""

    def __init__(self, listings: Sequence[TruePlace | Geo], seed: int) -> None:
        self._listings = listings
        self._points = np.array([(each.latitude, each.longitude) for each in listings]).reshape(-1, 2)
        self._draws = np.array([_draw(each, seed) for each in listings])
        tables = [each.table if isinstance(each, TruePlace) else None for each in listings]
        self._tables = np.array(tables, dtype=object)
        self._index: dict[str, list[int]] = {}
        for position, each in enumerate(listings):
            for word in set(words_of(_text(each))):
                self._index.setdefault(word, []).append(position)

    def by_words(self, question: str, table: PlaceTable | None, is_every_word_needed: bool) -> list[TruePlace | Geo]:
        """Return the listings whose names and cities hold the words, those with most of them first."""
        asked = set(words_of(question))
        score = np.zeros(len(self._listings), dtype=int)
        for word in asked:
            score[self._index.get(word, [])] += 1
        found = np.flatnonzero((score >= (max(len(asked), 1) if is_every_word_needed else 1)) & self._is_of(table))
        order = np.lexsort((self._draws[found], -score[found]))
        return [self._listings[position] for position in found[order].tolist()]

    def around(self, centre: Point, radius_km: float, table: PlaceTable | None) -> list[Hit]:
        """Return the listings within a radius, the nearest first."""
        return self._hits(centre, self._is_of(table), radius_km)

    def within(self, southwest: Point, northeast: Point, table: PlaceTable | None) -> list[Hit]:
        """Return the listings in a box, by distance from its middle."""
        is_inside = ((self._points >= southwest) & (self._points <= northeast)).all(axis=1)
        middle = Point(*((low + high) / 2 for low, high in zip(southwest, northeast, strict=True)))
        return self._hits(middle, is_inside & self._is_of(table), np.inf)

    def in_drawn_order(self, hits: Iterable[Hit]) -> list[Hit]:
        """Return hits in an order that is the same for every question and says nothing."""
        return sorted(hits, key=lambda hit: crc32(str(hit.listing.number).encode()))

    def _is_of(self, table: PlaceTable | None) -> Mask:
        return self._tables == table if table else np.ones(len(self._listings), dtype=bool)

    def _hits(self, centre: Point, wanted: Mask, radius_km: float) -> list[Hit]:
        chosen = np.flatnonzero(wanted)
        north, east = ((self._points[chosen] - centre) * KM_PER_DEGREE).T
        east = east * np.cos(np.radians(centre.latitude))
        km, turn = np.hypot(north, east), np.arctan2(east, north) / (2 * np.pi) % 1.0
        order = np.argsort(km, kind="stable")[: np.count_nonzero(km <= radius_km)]
        columns = (chosen[order].tolist(), km[order].tolist(), turn[order].tolist())
        return [Hit(self._listings[position], far, where) for position, far, where in zip(*columns, strict=True)]


def words_of(text: str) -> list[str]:
    """Return the words of a text, without regard to case and punctuation."""
    return [word for word in _NO_WORD.split(normalize("NFC", text).casefold()) if word]


def _text(listing: TruePlace | Geo) -> str:
    if isinstance(listing, Geo):
        return f"{listing.name} {listing.state_name} {listing.country}"
    return f"{listing.name} {listing.local_name or ''} {listing.city_name} {listing.state_name} {listing.country}"


def _draw(listing: TruePlace | Geo, seed: int) -> float:
    draw = crc32(f"{seed}:{listing.number}".encode()) / 2**32
    # What words alone lead to must be found among the many places that lie in the city.
    trap = listing.trap if isinstance(listing, TruePlace) else None
    return 0.0 if trap in ("abroad", "far") else draw / 5 if trap == "other_city_in_name" else draw
