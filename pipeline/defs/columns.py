"""Dagster's column schema of a table, generated from its declaration."""

import dagster as dg

from schemas.fields import FIELDS
from schemas.model import Field
from schemas.tables import table
from schemas.vocab import vocabulary


def column_schema(name: str) -> dg.TableSchema:
    """Return the column schema of a published table: types, units, descriptions, rules."""
    declared = table(name)
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=column,
                type=FIELDS[column].type,
                description=_description(FIELDS[column]),
                constraints=dg.TableColumnConstraints(
                    nullable=column not in declared.never_null,
                    unique=declared.key == (column,),
                    other=_rules(FIELDS[column], column in declared.required),
                ),
            )
            for column in declared.columns
        ],
        constraints=dg.TableConstraints(other=[f"unique: {', '.join(declared.key)}"]),
    )


def _description(field: Field) -> str:
    return f"{field.description} Unit: {field.unit}." if field.unit else field.description


def _rules(field: Field, is_required: bool) -> list[str]:
    rules = ["the evaluator sees no row without it"] if is_required else []
    if field.minimum is not None:
        rules.append(f">= {field.minimum:g}")
    if field.above is not None:
        rules.append(f"> {field.above:g}")
    if field.maximum is not None:
        rules.append(f"<= {field.maximum:g}")
    if field.vocabulary is not None:
        rules.append(f"one of {len(vocabulary(field.vocabulary).tokens)} terms of {field.vocabulary}")
    return rules
