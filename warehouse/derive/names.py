"""Names under which the evaluator can tell places apart and read a plan (contract 1.9 and 1.10)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, count

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.text import fold
from warehouse.derive.columns import Mask, flat, folded, is_set

# What the public plan parsers split on, also within a word: `Homestay`.
_HAZARDS = r"\(|from|stay|visit"

# What would end the name in a plan, or make it a hazard, is not carried over from a locality.
_NOT_IN_ADDED_TEXT = str.maketrans(dict.fromkeys(",;()\t\r\n", " "))


def name_hazard(names: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return whether each name holds `(`, `from`, `stay` or `visit`, in any case."""
    return pc.match_substring_regex(flat(names), _HAZARDS, ignore_case=True)


def locality_text(locality: str | None, city_spellings: Iterable[str]) -> str:
    """Return a locality as it may be added to a name, without trailing names of the city; may be empty."""
    parts = [part for part in (locality or "").split(",") if part.strip()]
    spellings = set(city_spellings)
    while parts and fold(parts[-1]) in spellings:
        parts.pop()
    return " ".join(" ".join(parts).translate(_NOT_IN_ADDED_TEXT).split())


def tell_apart(rows: pa.Table, is_visible: Mask, city_spellings: dict[str, frozenset[str]]) -> pa.Array:
    """Return the names of rows (`name`, `City`, `locality`, `place_id`), unique in folded form within each City.

    Namesakes get their locality (`Domino's Pizza - Saket`), then a number where that is not enough; one without a
    locality gets the number at once. The shared name itself stays nobody's: it would fit all of them. Numbers are given
    in the order of place_id. Rows that the evaluator does not see give way to those it sees, which keep the names that
    they would have without them. Rows without City keep their name.
    """
    names = flat(rows["name"]).to_pylist()
    keys = list(zip(flat(rows["City"]).to_pylist(), folded(rows["name"]).to_pylist(), strict=True))
    place_ids = flat(rows["place_id"])
    taken: set[tuple[str, str]] = set()
    numbers: dict[tuple[str, str], Iterator[int]] = {}
    is_placed = is_set(rows["City"])
    for layer in (is_placed & is_visible, is_placed & ~is_visible):
        members = np.flatnonzero(layer).tolist()
        counts = Counter(keys[row] for row in members)
        shared = [row for row in members if counts[keys[row]] > 1 or keys[row] in taken]
        taken.update(counts)
        for row in sorted(shared, key=lambda row: str(place_ids[row])):
            city = keys[row][0]
            added = locality_text(rows["locality"][row].as_py(), city_spellings[city])
            base = f"{names[row]} - {added}" if added else names[row]
            endings = chain([""], (f" {number}" for number in numbers.setdefault((city, fold(base)), count(2))))
            names[row] = next(base + ending for ending in endings if (city, fold(base + ending)) not in taken)
            taken.add((city, fold(names[row])))
    return pa.array(names, pa.string())
