"""Whatever is generated from the declarations says the same of every table and every field.

Arrow schema, value rules, dictionary page and data package are read back here, each in its own words, and compared with
one another. What a person reads, what a program checks and what a file holds cannot come apart.
"""

import re
from dataclasses import dataclass

import pytest

from schemas.arrow import staged_schema, table_schema
from schemas.datapackage import PackageFile, descriptor
from schemas.dictionary import render
from schemas.expectations import expectations
from schemas.fields import FIELDS
from schemas.tables import TABLES, table
from schemas.vocab import vocabulary

_ARROW = {
    "string": "string",
    "double": "double",
    "int8": "int8",
    "int32": "int32",
    "int64": "int64",
    "bool": "bool",
    "date32[day]": "date",
}
_PACKAGE = {
    "string": "string",
    "double": "number",
    "int8": "integer",
    "int32": "integer",
    "int64": "integer",
    "bool": "boolean",
    "date": "date",
    "list<string>": "array",
    "list<int8>": "array",
}
_MEMBERS = {"list<string>": "string", "list<int8>": "integer"}


@dataclass(frozen=True)
class Told:
    """What one of the generated things tells of one column; None where it has no word for it."""

    type: str
    is_nullable: bool
    description: str
    unit: str | None
    rules: frozenset[tuple[str, object]]


def _by_arrow(name: str) -> dict[str, tuple[str, bool, str, str | None]]:
    told = {}
    for column in table_schema(name):
        is_list = str(column.type).startswith("list<")
        kind = f"list<{column.type.value_type}>" if is_list else _ARROW[str(column.type)]
        metadata = {key.decode(): value.decode() for key, value in column.metadata.items()}
        told[column.name] = (kind, column.nullable, metadata["description"], metadata.get("unit"))
    return told


def _by_expectations(name: str) -> tuple[dict[str, set[tuple[str, object]]], set[str]]:
    rules: dict[str, set[tuple[str, object]]] = {column: set() for column in table(name).columns}
    never_null = set()
    for rule in expectations(name):
        arguments = rule.arguments
        if rule.type == "expect_column_values_to_not_be_null":
            never_null.add(rule.column)
            continue
        assert rule.on_members == (FIELDS[rule.column].type in _MEMBERS)
        if "regex" in arguments:
            rules[rule.column].add(("pattern", arguments["regex"].removeprefix(r"\A(?:").removesuffix(r")\Z")))
        if "value_set" in arguments:
            rules[rule.column].add(("enum", tuple(arguments["value_set"])))
        if "min_value" in arguments:
            low = "above" if arguments.get("strict_min") else "minimum"
            rules[rule.column].add((low, float(arguments["min_value"])))
        if "max_value" in arguments:
            rules[rule.column].add(("maximum", float(arguments["max_value"])))
    return rules, never_null


def _by_package(name: str) -> dict[str, Told]:
    file = PackageFile(f"tables/{name}.parquet", "0" * 64, 1, 1)
    package = descriptor("all", "All", "1", "2026-03-14T09:30:00+00:00", dict.fromkeys(TABLES, file))
    resource = next(one for one in package["resources"] if one["name"] == name)
    told = {}
    for field in resource["schema"]["fields"]:
        constraints = dict(field.get("constraints", {}))
        is_required = constraints.pop("required", False)
        if field["type"] == "array":
            assert field["arrayItem"]["type"] == _MEMBERS[FIELDS[field["name"]].type]
            constraints |= field["arrayItem"].get("constraints", {})
        told[field["name"]] = Told(
            field["type"], not is_required, field["description"], field.get("unit"), _package_rules(constraints)
        )
    return told


def _package_rules(constraints: dict[str, object]) -> frozenset[tuple[str, object]]:
    words = {"exclusiveMinimum": "above", "minimum": "minimum", "maximum": "maximum"}
    rules: set[tuple[str, object]] = set()
    for word, value in constraints.items():
        if word == "pattern":
            rules.add(("pattern", str(value).removeprefix("^(?:").removesuffix(")$")))
        elif word == "enum":
            assert isinstance(value, list)
            rules.add(("enum", tuple(value)))
        else:
            assert isinstance(value, float | int)
            rules.add((words[word], float(value)))
    return frozenset(rules)


def _by_dictionary(name: str) -> dict[str, Told]:
    section = re.split(r"^## ", render(), flags=re.MULTILINE)
    lines = next(one for one in section if one.startswith(f"{name}\n")).splitlines()
    told = {}
    for line in lines:
        if not line.startswith("| `"):
            continue
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        column, kind, unit, null, values, _, description = cells
        told[column.strip("`")] = Told(
            kind.strip("`"), null != "never", description, unit or None, _dictionary_rules(values)
        )
        assert (null == "hides") == (column.strip("`") in table(name).required and null != "never")
    return told


def _dictionary_rules(values: str) -> frozenset[tuple[str, object]]:
    if link := re.fullmatch(r"\[(\w+)\]\(#\1\)", values):
        return frozenset({("enum", vocabulary(link[1]).tokens)})
    if values.startswith("`"):
        return frozenset({("pattern", values.strip("`"))})
    words = {">": "above", ">=": "minimum", "<=": "maximum"}
    bounds = (bound.split(" ") for bound in values.split(", ") if bound)
    return frozenset((words[sign], float(number)) for sign, number in bounds)


@pytest.mark.parametrize("name", TABLES)
def test_all_that_is_generated_says_the_same(name: str) -> None:
    arrow, package, page = _by_arrow(name), _by_package(name), _by_dictionary(name)
    rules, never_null = _by_expectations(name)
    assert list(arrow) == list(package) == list(page) == list(rules) == list(table(name).columns)
    for column, (kind, is_nullable, description, unit) in arrow.items():
        expected = Told(kind, is_nullable, description, unit, frozenset(rules[column]))
        assert page[column] == expected, column
        assert package[column] == Told(_PACKAGE[kind], is_nullable, description, unit, expected.rules), column
        assert not (column in never_null and is_nullable), column


@pytest.mark.parametrize("name", TABLES)
def test_keys_and_references_name_columns_that_there_are(name: str) -> None:
    declared = table(name)
    named = (*declared.key, *declared.evaluator_key, *declared.never_null, *declared.enriched_by)
    assert {*named} <= {*declared.columns}
    for key in declared.foreign_keys:
        assert {*key.columns} <= {*declared.columns}
        assert {*key.references} <= {*table(key.table).columns}
        types = [FIELDS[column].type for column in (*key.columns, *key.references)]
        assert len(set(types)) == 1


@pytest.mark.parametrize("name", TABLES)
def test_a_staged_row_holds_what_a_source_brings_in_the_types_of_the_table(name: str) -> None:
    published, staged = table_schema(name), staged_schema(name)
    assert not {*table(name).from_warehouse} & {*staged.names}
    for column in staged:
        if column.name in published.names:
            assert column.type == published.field(column.name).type


def test_every_field_is_used_by_a_table_or_brought_for_one() -> None:
    used = {column for declared in TABLES.values() for column in (*declared.columns, *declared.staged_extra)}
    assert used == {*FIELDS}
