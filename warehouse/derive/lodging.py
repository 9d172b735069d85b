"""What no source says outright of a house, from the words in which it praises itself: type, rules, services and so on.

Each answer rests on a word that a person has reviewed (the maps of `TARGETS`), and keeps it as evidence. What the
source states itself is never touched, and silence is no evidence: where no word speaks for a value, it stays null.
"""

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.text import clean
from schemas.vocab import term_map, vocabulary
from warehouse.derive.columns import Mask, flat, is_set, map_text, replaced

# Each derived column with the map that leads to its tokens.
TARGETS = {
    "house_type": "house_types",
    "house_rules": "house_rules",
    "facilities_amenities": "facilities",
    "services": "services",
    "max_occupancy": "room_kinds",
}
# Where the words stand, the more telling column first.
_WORDS = ("property_type", "source_styles", "source_amenities")


def with_lodging(rows: pa.Table) -> pa.Table:
    """Fill the nulls in the columns of TARGETS where a word speaks for a value, and add `lodging_evidence`.

    A house is of one type: of several the one that the property type tells, else the styles, else the amenities; within
    one of them the first of the vocabulary. A room holds as many people as the largest kind of room that is told of.
    """
    words = _words(rows)
    evidence = []
    for column, map_name in TARGETS.items():
        found = _tokens(words, map_name)
        found = found[~is_set(rows[column])[found["row"]]]
        match column:
            case "house_type":
                filled, found = _first_type(found, len(rows))
            case "max_occupancy":
                filled, found = _largest_room(found, len(rows))
            case _:
                filled = _lists(found, "token", len(rows))
        rows = replaced(rows, column, pc.coalesce(flat(rows[column]), filled.cast(rows.schema.field(column).type)))
        evidence.append(found.assign(line=column + "=" + found["value"].astype(str) + ": " + found["word"]))
    return rows.append_column("lodging_evidence", _lists(pd.concat(evidence), "line", len(rows)))


def unreviewed(rows: pa.Table) -> dict[str, int]:
    """Count the words of houses that no map knows, most frequent first."""
    words = _words(rows)["word"]
    maps = [term_map(name) for name in TARGETS.values()]
    unknown = {word for word in words.unique() if all(one.lookup(word) is None for one in maps)}
    counts = Counter(words[words.isin(unknown)].tolist())
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _words(rows: pa.Table) -> pd.DataFrame:
    """All words of all houses in long form, each once per house: `row`, `rank` of its column, `word`."""
    parts = []
    for rank, name in enumerate(_WORDS):
        column = flat(rows[name])
        if pa.types.is_list(column.type):
            places, words = pc.list_parent_indices(column), pc.list_flatten(column)
        else:
            places, words = pa.array(np.arange(len(column))), column
        parts.append(pd.DataFrame({"row": places.to_numpy(), "rank": rank, "word": map_text(words, clean).to_pandas()}))
    whole = pd.concat(parts).dropna(subset=["word"])
    return whole.drop_duplicates(["row", "word"]).sort_values(["row", "rank"], kind="stable", ignore_index=True)


def _tokens(words: pd.DataFrame, map_name: str) -> pd.DataFrame:
    """Return the tokens for which words speak, with their `order` in the vocabulary; `value` is what they are worth."""
    terms = term_map(map_name)
    order = {token: place for place, token in enumerate(vocabulary(terms.vocabulary).tokens)}
    leads_to = {word: list(terms.lookup(word) or ()) for word in words["word"].unique()}
    found = words.assign(token=words["word"].map(leads_to)).explode("token").dropna(subset=["token"])
    found = found.assign(order=found["token"].map(order).astype("int64"), value=found["token"])
    return found.sort_values(["row", "order", "rank"], kind="stable", ignore_index=True)


def _first_type(found: pd.DataFrame, length: int) -> tuple[pa.Array, pd.DataFrame]:
    chosen = found.sort_values(["row", "rank", "order"], kind="stable").drop_duplicates("row")
    return _cells(chosen["row"], chosen["token"], length, pa.string()), _speaking_for(found, chosen)


def _largest_room(found: pd.DataFrame, length: int) -> tuple[pa.Array, pd.DataFrame]:
    kinds = vocabulary("room_kinds")
    people = {token: int(kinds.number(token, "people")) for token in kinds.tokens}
    found = found.assign(value=found["token"].map(people).astype("int64"))
    chosen = found.sort_values(["row", "value"], ascending=[True, False], kind="stable").drop_duplicates("row")
    return _cells(chosen["row"], chosen["value"], length, pa.int32()), _speaking_for(found, chosen)


def _speaking_for(found: pd.DataFrame, chosen: pd.DataFrame) -> pd.DataFrame:
    return found.merge(chosen[["row", "token"]], on=["row", "token"])


def _cells(places: pd.Series, values: pd.Series, length: int, kind: pa.DataType) -> pa.Array:
    cells = np.full(length, None, dtype=object)
    cells[places.to_numpy(dtype=np.int64)] = values.to_numpy()
    return pa.array(cells, kind)


def _lists(found: pd.DataFrame, column: str, length: int) -> pa.Array:
    """Gather the distinct values of each row into a list, in the order in which they stand; null for none."""
    kept = found.drop_duplicates(["row", column]).sort_values("row", kind="stable")
    counts = np.bincount(kept["row"].to_numpy(dtype=np.int64), minlength=length)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    is_null: Mask = counts == 0
    values = pa.array(kept[column].to_numpy(dtype=object), pa.string())
    return pa.ListArray.from_arrays(offsets, values, mask=pa.array(is_null))
