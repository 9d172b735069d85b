"""The part of a mapping that says how a record becomes several rows: `rows`."""

from schemas.strict import Node
from sources.tables.grammar import Repeated, Slot, Unfolding


def read_unfolding(node: Node) -> Unfolding | None:
    """Read how records unfold, None where each is a row."""
    if not node.has("rows"):
        return None
    rows = node.child("rows")
    rows.allow(("repeat", "slots"))
    if rows.has("repeat") == rows.has("slots"):
        raise node.error("rows", "'rows' has either 'repeat', columns that stand again and again, or 'slots'")
    if rows.has("repeat"):
        columns = rows.texts("repeat")
        if not columns or len(set(columns)) < len(columns):
            raise rows.error("repeat", "'repeat' lists the columns of the first slot, each once")
        return Repeated(columns)
    slots = tuple(_slot(slot) for slot in rows.children("slots"))
    if not slots:
        raise rows.error("slots", "'slots' names no slot")
    return slots


def _slot(node: Node) -> Slot:
    node.allow(("columns", "constants"), ("columns",))
    columns, constants = node.child("columns"), _texts(node, "constants")
    taken = {name: columns.needed(name) for name in columns.value}
    for name in taken:
        if name in constants:
            raise columns.error(name, f"{name!r} stands under 'constants', too; keep one of them")
    return Slot(taken, constants)


def _texts(node: Node, key: str) -> dict[str, str]:
    if not node.has(key):
        return {}
    child = node.child(key)
    return {name: child.needed(name) for name in child.value}
