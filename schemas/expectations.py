"""Value rules of a table, generated from its fields, in words that name a Great Expectations expectation.

Only values of single columns are judged here. Types are checked on the Arrow schema, keys and references in
`warehouse.quality`; a list column is judged member by member.
"""

from dataclasses import dataclass
from typing import Any

from schemas.fields import FIELDS
from schemas.model import Field
from schemas.tables import table
from schemas.vocab import vocabulary


@dataclass(frozen=True)
class Expectation:
    """One value rule: the expectation's type, its column and its arguments. `on_members` judges a list's members."""

    type: str
    column: str
    arguments: dict[str, Any]
    on_members: bool = False


def _of_field(field: Field) -> list[Expectation]:
    on_members = field.type.startswith("list<")
    rules: list[Expectation] = []
    bounds: dict[str, Any] = {}
    if field.minimum is not None:
        bounds["min_value"] = field.minimum
    if field.above is not None:
        bounds |= {"min_value": field.above, "strict_min": True}
    if field.maximum is not None:
        bounds["max_value"] = field.maximum
    if bounds:
        rules.append(Expectation("expect_column_values_to_be_between", field.name, bounds, on_members))
    if field.pattern is not None:
        regex = {"regex": rf"\A(?:{field.pattern})\Z"}
        rules.append(Expectation("expect_column_values_to_match_regex", field.name, regex, on_members))
    if field.vocabulary is not None:
        tokens = {"value_set": list(vocabulary(field.vocabulary).tokens)}
        rules.append(Expectation("expect_column_values_to_be_in_set", field.name, tokens, on_members))
    return rules


def expectations(table_name: str) -> list[Expectation]:
    """Return the value rules of a table in column order, then `not null` for what may never be null."""
    declared = table(table_name)
    rules = [rule for column in declared.columns for rule in _of_field(FIELDS[column])]
    return rules + [Expectation("expect_column_values_to_not_be_null", column, {}) for column in declared.never_null]
