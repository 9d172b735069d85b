"""How layouts read JSON: members of a document as texts, whatever type they were sent in, and what they do not know."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from sources.protocol.types import Refusal, Unknown
from sources.tripozo.raw import Raw
from sources.tripozo.unfit import UnfitError, shown

Record = Mapping[str, Any]
# What a layout yields.
Found = Raw | Refusal | Unknown

_LONGEST = 2_000


def remarks(found: Found) -> Iterator[Refusal | Unknown]:
    """Yield what a layout found besides raw rows."""
    if isinstance(found, Refusal | Unknown):
        yield found


def text(record: Record, name: str) -> str | None:
    """Return a text or a number as it was written, None for null and for nothing."""
    return as_text(record.get(name), name)


def as_text(value: Any, where: str) -> str | None:
    """Return a value as `text` does. Raises UnfitError for what is no text and no number, or no end of it."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UnfitError("bad_type", "it must be a text or a number", where)
    # More digits are not written out.
    written = value if isinstance(value, str) else repr(value) if abs(value) < 1e15 else "a number without measure"
    if len(written) > _LONGEST or any("\ud800" <= sign <= "\udfff" for sign in written):
        raise UnfitError("bad_text", "it is too long, or holds half a letter", where)
    return written


def texts(record: Record, name: str) -> tuple[str, ...]:
    """Return the texts of a list, or a single one."""
    value = record.get(name)
    found = [as_text(one, name) for one in (value if isinstance(value, list) else [value])]
    return tuple(one for one in found if one is not None)


def inner(record: Record, name: str) -> Record:
    """Return an object within an object, empty where there is none."""
    value = record.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnfitError("bad_type", "it must be an object", name)
    return value


def each(
    members: Any, where: str, fields: Iterable[str], table: str, read: Callable[[Record, str], Raw]
) -> Iterator[Found]:  # fmt: skip
    """Yield a raw row for each object of a list, or why it has none; then the fields that are not known."""
    if not isinstance(members, list):
        yield Refusal("bad_type", "the records must be a list", where, table=table)
        return
    known, strange = frozenset(fields), dict[str, None]()
    for number, member in enumerate(members):
        at = f"{where}[{number}]"
        if not isinstance(member, dict):
            yield Refusal("bad_type", "a record must be an object", at, table=table)
            continue
        try:
            yield read(member, at)
        except UnfitError as error:
            yield error.refusal(table, at)
        strange.update(dict.fromkeys(name for name in member if name not in known))
    yield from (Unknown(f"{where}[].{shown(name)}") for name in strange)
