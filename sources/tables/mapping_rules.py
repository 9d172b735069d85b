"""The part of a mapping that says which rows stay: `reject` and `repeats`."""

import re
from collections.abc import Callable

from schemas.fields import FIELDS
from schemas.strict import Node, choose
from sources.tables.grammar import (
    Above,
    Matches,
    NullIn,
    Outside,
    RawMatches,
    RejectRule,
    RepeatRule,
    Test,
    Track,
    Unlike,
)
from sources.tables.mapping_columns import read_pattern


def read_reject(node: Node, filled: set[str]) -> RejectRule:
    """Read one reject rule; `filled` are the staged columns of the mapping."""
    node.allow(("code", "message", "column", "from", *_TESTS), ("code", "message"))
    named = [key for key in _TESTS if node.has(key)]
    if len(named) != 1:
        raise node.error("code", f"a reject rule has exactly one of {', '.join(map(repr, _TESTS))}, found {named}")
    if named != ["matches"] and (node.has("column") or node.has("from")):
        raise node.error(named[0], "'column' and 'from' go with 'matches' alone")
    code = node.needed("code")
    if not re.fullmatch("[a-z0-9_]+", code):
        raise node.error("code", f"'code' may hold a-z, 0-9 and _, found {code!r}")
    return RejectRule(code, node.needed("message"), _TESTS[named[0]](node, filled))


def _matches(node: Node, filled: set[str]) -> Matches | RawMatches:
    if node.has("column") == node.has("from"):
        raise node.error("matches", "'matches' needs either 'column', a staged column, or 'from', a raw one")
    pattern = read_pattern(node, "matches")
    if node.has("from"):
        return RawMatches(node.text("from"), pattern)
    return Matches(node.choice("column", sorted(name for name in filled if FIELDS[name].type == "string")), pattern)


def _outside(node: Node, filled: set[str]) -> Outside:
    _need_point(node, "outside", filled)
    box = node.texts("outside")
    try:
        south, west, north, east = map(float, box)
    except ValueError:
        raise node.error("outside", f"'outside' is [south, west, north, east] in degrees, found {list(box)}") from None
    if not (-90 <= south < north <= 90 and -180 <= west < east <= 180):
        raise node.error("outside", "'outside' is [south, west, north, east] with south < north and west < east")
    return Outside(south, west, north, east)


def _null_in(node: Node, filled: set[str]) -> NullIn:
    return NullIn(_names(node, "null", filled))


def _track(node: Node, filled: set[str]) -> Track:
    _need_point(node, "track", filled)
    track = node.child("track")
    track.allow(("line", "km", "slack_km"), ("line", "km", "slack_km"))
    slack_km = track.number("slack_km")
    if slack_km < 0:
        raise track.error("slack_km", "'slack_km' must not be below 0")
    return Track(track.text("line"), track.text("km"), slack_km)


def _need_point(node: Node, key: str, filled: set[str]) -> None:
    if not {"latitude", "longitude"} <= filled:
        raise node.error(key, f"{key!r} needs the columns 'latitude' and 'longitude'")


def read_repeat(node: Node, filled: set[str]) -> RepeatRule:
    """Read one repeat rule; `filled` are the staged columns of the mapping."""
    node.allow(("rule", "by", "except", "latest"), ("rule", "by"))
    latest = node.needed("latest") if node.has("latest") else None
    if node.value["by"] == "all":
        return RepeatRule(node.needed("rule"), None, node.texts("except"), latest)
    if node.has("except"):
        raise node.error("except", "'except' goes with 'by: all'")
    scalars = {name for name in filled if FIELDS[name].type != "list<string>"}
    return RepeatRule(node.needed("rule"), _names(node, "by", scalars), latest=latest)


def _names(node: Node, key: str, known: set[str]) -> tuple[str, ...]:
    names = node.texts(key)
    if not names:
        raise node.error(key, f"{key!r} names no column")
    for name in names:
        if name not in known:
            raise node.error(key, f"{name!r} is not filled by this mapping; {choose(name, sorted(known))}")
    return names


def _above(node: Node, filled: set[str]) -> Above:
    above = node.child("above")
    above.allow(("column", "limit"), ("column", "limit"))
    return Above(_number_column(above, filled), above.number("limit"))


def _unlike(node: Node, filled: set[str]) -> Unlike:
    unlike = node.child("unlike")
    unlike.allow(("column", "by", "times", "least_rows"), ("column", "by", "times", "least_rows"))
    times, least_rows = unlike.number("times"), unlike.number("least_rows")
    if times <= 1:
        raise unlike.error("times", "'times' must be above 1")
    if least_rows < 3 or least_rows != int(least_rows):
        raise unlike.error("least_rows", "'least_rows' is a whole number from 3 on; two rows have no median to go by")
    texts = {name for name in filled if FIELDS[name].type == "string"}
    return Unlike(_number_column(unlike, filled), _names(unlike, "by", texts), times, int(least_rows))


def _number_column(node: Node, filled: set[str]) -> str:
    return node.choice("column", sorted(name for name in filled if FIELDS[name].type in ("double", "int8", "int32")))


_TESTS: dict[str, Callable[[Node, set[str]], Test]] = {
    "matches": _matches,
    "outside": _outside,
    "null": _null_in,
    "track": _track,
    "above": _above,
    "unlike": _unlike,
}
