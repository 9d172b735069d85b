"""Frictionless Data Package (version 2) descriptors, generated from the declarations.

What the standard has a word for is said in its words; unit, provenance and what the evaluator needs are properties of
our own beside them. Which files there are, and their hashes, is told by whoever writes a release.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from schemas import vocab
from schemas.arrow import table_schema
from schemas.fields import FIELDS
from schemas.model import Field, Table
from schemas.tables import TABLES, table

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
_TYPES = {
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


@dataclass(frozen=True)
class PackageSource:
    """Where rows of a table come from: a title, and the address of its page or its file."""

    title: str
    path: str = ""
    license: str = ""


@dataclass(frozen=True)
class PackageFile:
    """One table's file as it stands in the package; `path` is relative to the descriptor."""

    path: str
    sha256: str
    bytes: int
    rows: int
    sources: tuple[PackageSource, ...] = ()


def field_descriptor(name: str, nullable: bool) -> dict[str, Any]:
    """Return the Table Schema field of a declared field."""
    field = FIELDS[name]
    constraints: dict[str, Any] = {} if nullable else {"required": True}
    members: dict[str, Any] = {}
    value_rules = _value_rules(field)
    if field.type.startswith("list<"):
        # The standard's `jsonSchema` keeps the standard's own Python reader from opening the package; `arrayItem` is
        # that reader's word for the members, and others pass over it.
        member = _TYPES[field.type.removeprefix("list<").removesuffix(">")]
        members = {"arrayItem": {"type": member} | ({"constraints": value_rules} if value_rules else {})}
    else:
        constraints |= value_rules
    descriptor: dict[str, Any] = {"name": name, "type": _TYPES[field.type], "description": field.description}
    if constraints:
        descriptor["constraints"] = constraints
    if field.unit:
        descriptor["unit"] = field.unit
    return descriptor | members | {"provenance": field.provenance}


def schema_descriptor(name: str, present: Sequence[str]) -> dict[str, Any]:
    """Return the Table Schema of a table; references to tables that are not `present` are left out."""
    declared = table(name)
    columns = table_schema(name)
    schema: dict[str, Any] = {
        "fields": [field_descriptor(column.name, column.nullable) for column in columns],
        **_key(declared, {column.name for column in columns if not column.nullable}),
    }
    references = [
        {"fields": list(key.columns), "reference": {"resource": key.table, "fields": list(key.references)}}
        for key in declared.foreign_keys
        if key.table in present
    ]
    return schema | ({"foreignKeys": references} if references else {})


def descriptor(name: str, title: str, version: str, created: str, files: Mapping[str, PackageFile]) -> dict[str, Any]:
    """Return the descriptor of a package that holds the tables of `files` and no others.

    `created` is an RFC 3339 time. Raises UnknownTable for a table that is not declared.
    """
    return {
        "$schema": PROFILE,
        "name": name,
        "title": title,
        "version": version,
        "created": created,
        "resources": [_resource(table(found), files[found], tuple(files)) for found in sorted(files)],
    }


def schema_version() -> str:
    """Return 16 digits that change with any declaration or vocabulary; part of what a release says of its data."""
    vocabularies = {name: vocab.content_hash("vocabulary", name) for name in vocab.vocabulary_names()}
    return hashlib.sha256(repr((FIELDS, TABLES, vocabularies)).encode()).hexdigest()[:16]


def _resource(declared: Table, file: PackageFile, present: tuple[str, ...]) -> dict[str, Any]:
    sources = [
        {"title": source.title}
        | ({"path": source.path} if source.path else {})
        | ({"license": source.license} if source.license else {})
        for source in file.sources
    ]
    return {
        "name": declared.name,
        "type": "table",
        "path": file.path,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "title": declared.title,
        "description": declared.description,
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
        "rows": file.rows,
        **({"sources": sources} if sources else {}),
        "schema": schema_descriptor(declared.name, present),
        "evaluatorRequired": list(declared.required),
        "evaluatorKey": list(declared.evaluator_key),
    }


def _key(declared: Table, never_null: set[str]) -> dict[str, Any]:
    # A primary key may hold no null; where a key column may be null, the key is unique all the same.
    if set(declared.key) <= never_null:
        return {"primaryKey": list(declared.key)}
    return {"uniqueKeys": [list(declared.key)]}


def _value_rules(field: Field) -> dict[str, Any]:
    rules: dict[str, Any] = {
        "minimum": field.minimum,
        "exclusiveMinimum": field.above,
        "maximum": field.maximum,
        "pattern": None if field.pattern is None else f"^(?:{field.pattern})$",
        "enum": None if field.vocabulary is None else list(vocab.vocabulary(field.vocabulary).tokens),
    }
    return {name: rule for name, rule in rules.items() if rule is not None}
