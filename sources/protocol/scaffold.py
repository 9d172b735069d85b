"""The three files of a new provider, as texts: one request a city, a JSON list as answer, a record a row.

They work at once against a stand-in that answers so. Pure; who writes them where stands elsewhere.
"""

from string import Template
from urllib.parse import urlsplit

from schemas.fields import FIELDS
from schemas.model import PROVENANCE_MARKS, Field
from schemas.tables import TABLES

# What a row that was asked for by city knows of its city, without the record saying so.
_OF_CITY = {"search_city_id": "city.city_id", "city_name": "city.name", "state_name": "city.state"}

_DECLARATION = Template("""\
# What is asked of $name, how often, at which price, and under which terms. Whatever stands here is a guess until
# somebody has read the provider's pages: go through it line by line. `utp source show $name` shows how it is read.
id: $name
title: $title
# Of the canonical address; a stand-in answers for it at <sandbox>/$name$path.
base: $base
# Redirects are followed to these hosts alone.
hosts: [$host]
# `obey`: robots.txt is asked for and kept to. `not_applicable` only where the terms say that the API is for programs.
robots: obey
# Keys stand in the environment, never here: `secrets: {key: UTP_${upper}_KEY}`, and at the endpoint `secret_in:
# {query: key}` or `{header: key}`.
endpoints:
  listing:
    method: GET
    path: /$table
    params_in: query
    scope: city
    # All requests are known before any answer. Say false where an answer leads to more of them (pages, details).
    is_static: true
    # To be checked: how many calls in how many seconds are allowed. One a second is only polite.
    rate: {calls: 1, seconds: 1}
    # To be checked: how many a day, if there is a cap. Leave the line out where there is none.
    daily_calls: 1000
    # To be checked: what is billed, and at which price.
    unit: call
    price: {amount: 0, currency: USD}
    # An answer older than this is asked for anew.
    days_valid: 30
    timeout_s: 30
    max_bytes: 10000000
    media_types: [application/json]
# Nothing is known of the terms, so nothing of it is published, and nobody is asked live before a maintainer has read
# them, written them down here and signed under `accepted`.
terms:
  address: ""
  confidence: unknown
  accepted: {by: null, at: null}
  access: unknown
  license: LicenseRef-none-stated
  family: unknown
  ai_use: unknown
  may_redistribute: {ids: unknown, raw: unknown, derived: unknown, text: unknown}
# The tables that it brings rows for, with the fewest rows of a whole region.
floors:
  $table: {min_rows: 1}
""")

_REQUESTS = Template('''\
"""What to ask $name: one list for each city."""

from collections.abc import Iterable

from schemas.region import Region
from sources.protocol.types import Known, Request

PROVIDER = "$name"


def requests(region: Region, known: Known) -> Iterable[Request]:
    """Yield what is not known yet. Called again after each round of answers, until nothing is left.

    Whether an old or failed answer counts is decided by who fills `known`. The id of a request is made of `params`, so
    they must be the same in every run: no clock, no random order.
    """
    for city in region.cities:
        # `scope` is what people read, `params` what is sent, `subject` what the parser will know and nobody is sent.
        request = Request(
            PROVIDER,
            "listing",
            scope=city.city_id,
            params={"city": city.name, "state": city.state},$subject
        )
        if known.answer(request) is None:
            yield request
''')

_PARSE = Template('''\
"""What an answer of $name means: rows of `$table`, or the reason why there are none."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from sources.protocol.fitting import UnfitValue, fitted
from sources.protocol.types import Answer, Parsed, Refusal, Row, Unknown

TABLE = "$table"

# From the fields of a record to columns of the table; put the provider's own names on the left. A column that nobody
# fills is null, which is right where the provider does not tell. A field that is not here is reported as unknown.
COLUMNS = {
$columns
}

# Statuses under which the same question may be answered later: to another key or name of ours, or in less haste.
_LATER = (401, 403, 406, 408, 425, 429)


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield each record of an answer as a row, or why it is none. Never raises: whatever comes is data."""
    if answer.status != 200:
        may_come = answer.status >= 500 or answer.status in _LATER
        yield Refusal("http_status", f"answered with status {answer.status}", is_retryable=may_come)
        return
    try:
        records = json.loads(answer.body or b"")
    except (ValueError, RecursionError):
        yield Refusal("not_json", "the body is no JSON", is_retryable=True)
        return
    if not isinstance(records, list):
        yield Refusal("not_a_list", "the answer must be a list of records")
        return
    for number, record in enumerate(records):
        yield from _record(record, f"[{number}]", answer)


def _record(record: Any, where: str, answer: Answer) -> Iterator[Parsed]:
    if not isinstance(record, dict):
        yield Refusal("bad_type", "a record must be an object", where, table=TABLE)
        return
    yield from (Unknown(f"[].{ascii(field)[1:-1]}") for field in record if field not in COLUMNS)
    try:
        values = {column: fitted(column, record.get(field)) for field, column in COLUMNS.items()}
    except UnfitValue as error:
        yield Refusal("bad_value", str(error), where, table=TABLE)
        return
    yield Row(TABLE, {**answer.subject, **values})
''')


def three_files(name: str, table: str, base: str) -> dict[str, str]:
    """Return the texts of source.yaml, requests.py and parse.py by file name.

    `base` is an https address; `table` one of schemas.tables.TABLES that sources bring rows for.
    """
    staged = [column for column in TABLES[table].staged_columns if column not in PROVENANCE_MARKS]
    of_city = _of_city(staged)
    subject = ", ".join(f'"{column}": {value}' for column, value in of_city.items())
    columns = [f'    "{column}": "{column}",  # {_shown(FIELDS[column])}' for column in staged if column not in of_city]
    parts = urlsplit(base)
    words = {
        "name": name,
        "upper": name.upper(),
        "title": name.replace("_", " ").capitalize(),
        "table": table,
        "base": base,
        "host": parts.hostname or "",
        "path": parts.path.rstrip("/"),
        "columns": "\n".join(columns),
        "subject": f"\n            subject={{{subject}}}," if of_city else "",
    }
    texts = {"source.yaml": _DECLARATION, "requests.py": _REQUESTS, "parse.py": _PARSE}
    return {file: text.substitute(words) for file, text in texts.items()}


def _of_city(staged: list[str]) -> dict[str, str]:
    """Return the columns of a table that say around which city was asked; its names only where no column for it is."""
    found = {column: value for column, value in _OF_CITY.items() if column in staged}
    if "search_city_id" in found:
        return {"search_city_id": found["search_city_id"]}
    return found if "city_name" in found else {}


def _shown(field: Field) -> str:
    return f"{field.type}, {field.unit}" if field.unit else field.type
