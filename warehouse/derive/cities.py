"""Which city of the region a source means. No guess: a term that leads to no city or to several leads to null."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.region import City, Region
from schemas.text import fold
from schemas.vocab import term_map
from warehouse.derive.columns import flat, group_codes


def state_of(term: str) -> str | None:
    """Return the state that a source's spelling means, or None when the map `states` does not know it."""
    found = term_map("states").lookup(term) or ()
    return found[0] if len(found) == 1 else None


class CityIndex:
    """Looks up the cities of a region by name or alias, in folded form."""

    def __init__(self, region: Region) -> None:
        self._by_spelling: dict[str, list[City]] = {}
        self._by_bare_spelling: dict[str, list[City]] = {}
        self._spellings: dict[str, frozenset[str]] = {}
        self._former_states = region.former_states
        self._by_id = {city.city_id: city.name for city in region.cities}
        for city in region.cities:
            whole = {fold(text) for text in (city.name, *city.aliases)}
            # Cities of one name in two states carry the state in `City` (`Aurangabad Bihar`); sources do not.
            ending = f" {fold(city.state)}"
            bare = {text.removesuffix(ending) for text in whole if text.endswith(ending)} - whole
            self._spellings[city.name] = frozenset(whole | bare)
            for spellings, lookup in ((whole, self._by_spelling), (bare, self._by_bare_spelling)):
                for spelling in spellings:
                    lookup.setdefault(spelling, []).append(city)

    def spellings(self, city: str) -> frozenset[str]:
        """Return all folded spellings of a city of the region."""
        return self._spellings[city]

    def by_id(self, city_id: str) -> str | None:
        """Return the city of an id; None where the region has none of it."""
        return self._by_id.get(city_id)

    def find(self, city_name: str, state_name: str | None = None) -> str | None:
        """Return the city that one term means: with a state only a city of that state, else only a sole one.

        A name that is told apart by its state says nothing without one. Where no city of that name lies in the state,
        one that lay in it before borders changed is meant: sources still write `Hyderabad, Andhra Pradesh`.
        """
        whole = self._by_spelling.get(fold(city_name), [])
        bare = self._by_bare_spelling.get(fold(city_name), [])
        if state_name is None:
            return whole[0].name if len(whole) == 1 and not bare else None
        state = state_of(state_name)
        named = (*whole, *bare)
        found = [city.name for city in named if city.state == state]
        if not found:
            found = [city.name for city in named if state in self._former_states.get(city.state, ())]
        return found[0] if len(found) == 1 else None

    def resolve(
        self, city_names: pa.Array | pa.ChunkedArray, state_names: pa.Array | pa.ChunkedArray | None = None
    ) -> pa.Array:
        """Return `City` or null for each row."""
        pairs, codes = _distinct(city_names, state_names)
        found = [None if city is None else self.find(city, state) for city, state in pairs]
        return pa.array(found, pa.string()).take(pa.array(codes))


def unresolved(
    city_names: pa.Array | pa.ChunkedArray, state_names: pa.Array | pa.ChunkedArray | None, cities: pa.Array
) -> dict[str, int]:
    """Count the terms (`city, state`) that led nowhere, most frequent first; rows without a city name are no term."""
    lost = pc.and_(pc.is_null(cities), pc.is_valid(flat(city_names)))
    states = None if state_names is None else flat(state_names).filter(lost)
    pairs, codes = _distinct(flat(city_names).filter(lost), states)
    counts = Counter[str]()
    for pair, count in zip(pairs, np.bincount(codes, minlength=len(pairs)).tolist(), strict=True):
        counts[", ".join(part for part in pair if part)] += count
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _distinct(
    city_names: pa.Array | pa.ChunkedArray, state_names: pa.Array | pa.ChunkedArray | None
) -> tuple[list[tuple[str | None, str | None]], np.ndarray]:
    cities = flat(city_names)
    states = pa.nulls(len(cities), pa.string()) if state_names is None else flat(state_names)
    # U+0000 stands in no source's text; it keeps null apart from every name.
    codes = group_codes(cities.fill_null("\x00"), states.fill_null("\x00"))
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rows = pa.array(first)
    return list(zip(cities.take(rows).to_pylist(), states.take(rows).to_pylist(), strict=True)), inverse
