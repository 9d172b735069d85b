"""From a raw column to a staged one: extraction, repair, parsing, vocabulary, units, and the checks of the field.

All work is done on the distinct raw texts of a column; rows only hold an index into them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from schemas.arrow import arrow_type
from schemas.fields import FIELDS
from schemas.model import Field
from schemas.text import is_placeholder
from schemas.vocab import TermMap, term_map, vocabulary
from sources.tables import parsers
from sources.tables.grammar import Column, Rate
from sources.tables.parsers import MESSAGES, Parsed
from sources.tables.repair import REPAIRS

_NO_TEXT = pa.scalar(None, pa.string())


@dataclass(frozen=True)
class StagedColumn:
    """A staged column over distinct raw texts.

    `places`: for each row the index of its raw text, -1 where the raw cell is null. `raw`, `values` and `codes` run
    over the distinct texts; a code is set where the text could not become a value. `strangers`: index -> terms that
    the map does not know.
    """

    name: str
    places: npt.NDArray[np.int64]
    raw: pa.Array
    values: pa.Array
    codes: pa.Array
    strangers: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def rows(self) -> pa.Array:
        """The value of each row."""
        return self.of_rows(self.values)

    @property
    def has_faults(self) -> bool:
        return bool(self.codes.null_count < len(self.codes))

    def of_rows(self, distinct: pa.Array) -> pa.Array:
        """Spread an array over distinct texts over the rows."""
        return distinct.take(pa.array(self.places, mask=self.places < 0))

    def counts(self, alive: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Count for each distinct text the rows of a mask that hold it."""
        held = self.places[alive]
        return np.bincount(held[held >= 0], minlength=len(self.raw))


def stage_column(column: Column, raw: Mapping[str, pa.Array], rates: dict[str, Rate]) -> StagedColumn:
    """Turn a raw column of texts, one of those in `raw`, into a staged one."""
    places, distinct = _encoded(column, raw)
    texts = _texts(column, distinct)
    strangers: dict[int, tuple[str, ...]] = {}
    parsed = parsers.parse(texts, column)
    if column.term_map is not None:
        values, strangers = _mapped(parsed.values, term_map(column.term_map))
        parsed = Parsed(values, parsed.codes)
    if column.times != 1.0 or column.currency is not None:
        factor = column.times * (rates[column.currency].inr if column.currency else 1.0)
        parsed = Parsed(pc.multiply(parsed.values, factor), parsed.codes)
    values, codes = checked(FIELDS[column.name], parsed)
    return StagedColumn(column.name, places, distinct, values, codes, strangers)


def row_texts(column: Column, raw: Mapping[str, pa.Array]) -> pa.Array:
    """Return for each row the text that is parsed, null where the mapping says that nothing is known."""
    places, distinct = _encoded(column, raw)
    return _texts(column, distinct).take(pa.array(places, mask=places < 0))


def _encoded(column: Column, raw: Mapping[str, pa.Array]) -> tuple[npt.NDArray[np.int64], pa.Array]:
    """Return the distinct texts of a raw column, and their places as in StagedColumn; -1 where it is silenced."""
    encoded = raw[column.raw].dictionary_encode()
    places = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    for other, silencing in column.null_where.items():
        beside = pc.fill_null(parsers.cleaned(raw[other]), "")
        places[pc.is_in(beside, pa.array(sorted(silencing), pa.string())).to_numpy(zero_copy_only=False)] = -1
    for other, limit in column.null_at_least.items():
        beside = parsers.number(parsers.cleaned(raw[other])).values
        places[pc.fill_null(pc.greater_equal(beside, limit), False).to_numpy(zero_copy_only=False)] = -1
    return places, encoded.dictionary


def constant_column(name: str, value: str | tuple[str, ...], rows: int) -> StagedColumn:
    """Return a column that holds one value in each row."""
    parsed = _constant(name, value)
    return StagedColumn(name, np.zeros(rows, np.int64), pa.array([str(value)]), parsed.values, parsed.codes)


def constant_fault(name: str, value: str | tuple[str, ...]) -> str | None:
    """Say what is wrong with a constant for a staged column, None where nothing is."""
    parsed = _constant(name, value)
    code = parsed.codes[0].as_py()
    if code is None and parsed.values[0].as_py() in (None, []):
        return "it is empty"
    return MESSAGES[code] if code else None


def _constant(name: str, value: str | tuple[str, ...]) -> Parsed:
    declared = FIELDS[name]
    if isinstance(value, tuple):
        return checked(declared, Parsed(pa.array([list(value)], pa.list_(pa.string())), pa.nulls(1, pa.string())))
    kinds = {"double": "number", "int8": "integer", "int32": "integer", "int64": "integer", "bool": "boolean"}
    kind = {"date": "date"}.get(declared.type) or kinds.get(declared.type, "text")
    column = Column(name, "", kind, yes=frozenset(["true"]), no=frozenset(["false"]))
    return checked(declared, parsers.parse(parsers.cleaned(pa.array([value], pa.string())), column))


def _texts(column: Column, raw: pa.Array) -> pa.Array:
    texts = parsers.cleaned(raw)
    is_unknown = pc.or_kleene(pc.is_null(texts), pc.is_in(texts, pa.array(sorted(column.nulls), pa.string())))
    if column.extract is not None or column.repair:
        texts = parsers.cleaned(parsers.each(raw, lambda text: _restored(column, text)))
    return pc.if_else(is_unknown, _NO_TEXT, texts)


def _restored(column: Column, text: str) -> str | None:
    if column.extract is not None:
        found = column.extract.search(text)
        if found is None or found[1] is None:
            return None
        text = found[1]
    for repair in column.repair:
        text = REPAIRS[repair](text)
    return text


def _mapped(values: pa.Array, terms: TermMap) -> tuple[pa.Array, dict[int, tuple[str, ...]]]:
    """Lead texts or members to tokens in vocabulary order; a text takes a token only where it is the only one."""
    order = {token: place for place, token in enumerate(vocabulary(terms.vocabulary).tokens)}
    is_list = pa.types.is_list(values.type)
    mapped: list[list[str] | str | None] = []
    strangers: dict[int, tuple[str, ...]] = {}
    for place, value in enumerate(values.to_pylist()):
        given = (value if is_list else [value]) if value is not None else []
        tokens = {term: terms.lookup(term) for term in given}
        unknown = tuple(term for term, found in tokens.items() if found is None)
        known = sorted({token for found in tokens.values() for token in found or ()}, key=order.__getitem__)
        if not is_list and len(known) > 1:
            unknown, known = tuple(given), []
        if unknown:
            strangers[place] = unknown
        mapped.append((known or None) if is_list else next(iter(known), None))
    return pa.array(mapped, values.type), strangers


def checked(declared: Field, parsed: Parsed) -> Parsed:
    """Hold values against their field: type, range, pattern and vocabulary. A value that fails becomes null."""
    values, codes = parsed
    if declared.type in ("int8", "int32"):
        limit = {"int8": 2**7, "int32": 2**31}[declared.type]
        values, codes = _failed(values, codes, _outside(values, -limit, limit - 1, None), "out_of_range")
    if declared.type in ("int8", "int32", "int64", "double"):
        is_outside = _outside(values, declared.minimum, declared.maximum, declared.above)
        values, codes = _failed(values, codes, is_outside, "out_of_range")
        if declared.type == "double":
            values, codes = _failed(values, codes, pc.invert(pc.is_finite(values)), "out_of_range")
    if declared.type in ("string", "list<string>") and declared.vocabulary is None:
        values, codes = _failed(values, codes, _any_member(values, is_placeholder), "placeholder")
    if declared.pattern is not None:
        whole = re.compile(rf"\A(?:{declared.pattern})\Z")
        values, codes = _failed(values, codes, _any_member(values, lambda text: not whole.match(text)), "pattern")
    if declared.vocabulary is not None:
        tokens = frozenset(vocabulary(declared.vocabulary).tokens)
        is_foreign = _any_member(values, lambda text: text not in tokens)
        values, codes = _failed(values, codes, is_foreign, "not_in_vocabulary")
    return Parsed(values.cast(arrow_type(declared)), codes)


def _outside(values: pa.Array, minimum: float | None, maximum: float | None, above: float | None) -> pa.Array:
    tests = []
    if minimum is not None:
        tests.append(pc.less(values, minimum))
    if maximum is not None:
        tests.append(pc.greater(values, maximum))
    if above is not None:
        tests.append(pc.less_equal(values, above))
    result = pa.array(np.zeros(len(values), bool))
    for test in tests:
        result = pc.or_(result, pc.fill_null(test, False))
    return result


def _any_member(values: pa.Array, is_bad: Callable[[str], bool]) -> pa.Array:
    if pa.types.is_list(values.type):
        found = [any(map(is_bad, value or ())) for value in values.to_pylist()]
    else:
        found = [value is not None and is_bad(value) for value in values.to_pylist()]
    return pa.array(found, pa.bool_())


def _failed(values: pa.Array, codes: pa.Array, is_bad: pa.Array, code: str) -> Parsed:
    is_bad = pc.fill_null(is_bad, False)
    return Parsed(pc.if_else(is_bad, pa.scalar(None, values.type), values), pc.if_else(is_bad, code, codes))
