"""The Great Expectations adapter: value rules of `schemas.expectations` on Arrow rows, and what sorts wrong rows out.

Types, keys and references are judged elsewhere. The library takes seconds to import, so only functions import it.

What it does not see is seen here. pandas cannot tell NaN from null, so numbers that are none are found in Arrow; a list
column is judged member by member in a frame of its own, where a null among words counts as an empty word. A null among
numbers is one that is not known.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from schemas.expectations import Expectation, expectations
from schemas.rows import Reject, quarantine_table
from schemas.tables import table

_BETWEEN = "expect_column_values_to_be_between"
_PANDAS_TYPES = {
    pa.int8(): pd.Int8Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.bool_(): pd.BooleanDtype(),
    pa.string(): pd.StringDtype(),
}


@dataclass(frozen=True)
class ExpectationOutcome:
    """What became of one value rule: `unexpected_rows` are indexes into the rows judged, each once, ascending.

    `could_not_run` is why the rule could not judge (a missing column, a type that it cannot compare); then it is
    neither passed nor has it unexpected rows.
    """

    expectation: Expectation
    passed: bool
    unexpected_rows: list[int]
    could_not_run: str | None


def validate(rows: pa.Table, rules: Sequence[Expectation]) -> list[ExpectationOutcome]:
    """Judge rows by value rules; the outcomes stand in the order of the rules.

    Nulls are judged by `not null` rules alone: they are unexpected for no other.
    """
    judged: dict[int, list[int] | str] = {}
    members = [number for number, rule in enumerate(rules) if rule.on_members]
    groups = {(): [number for number in range(len(rules)) if number not in members]} | {
        (rules[number].column,): [other for other in members if rules[other].column == rules[number].column]
        for number in members
    }
    for list_column, numbers in groups.items():
        try:
            frame = _member_frame(rows, *list_column) if list_column else _frame(rows, [rules[n] for n in numbers])
        except (pa.ArrowException, KeyError) as error:
            judged |= {number: f"{rules[number].column}: {error}" for number in numbers}
        else:
            judged |= _judge(frame, {number: rules[number] for number in numbers})
    return [_outcome(rows, rule, judged[number]) for number, rule in enumerate(rules)]


def split(rows: pa.Table, table_name: str) -> tuple[pa.Table, pa.Table]:
    """Part rows of a table's published schema into the good ones and the quarantine of those with a wrong value.

    A wrong row is quarantined once, by the first rule that it breaks, under the code `value:<column>`.
    Raises ValueError when a rule could not judge: nothing unjudged counts as good.
    """
    rejects: dict[int, Reject] = {}
    for outcome in validate(rows, expectations(table_name)):
        if outcome.could_not_run is not None:
            raise ValueError(f"{table_name}: cannot sort out wrong values: {outcome.could_not_run}")
        for index in outcome.unexpected_rows:
            if index not in rejects:
                rejects[index] = _reject(rows.slice(index, 1).to_pylist()[0], table_name, outcome.expectation)
    good = [index not in rejects for index in range(rows.num_rows)] if rejects else None
    kept = rows if good is None else rows.filter(pa.array(good, pa.bool_()))
    return kept, quarantine_table(rejects[index] for index in sorted(rejects))


def in_words(rule: Expectation) -> str:
    """Say what a value that breaks the rule is."""
    arguments = rule.arguments
    if "value_set" in arguments:
        choices = arguments["value_set"]
        return f"is not one of {', '.join(choices[:6])}{', ...' if len(choices) > 6 else ''}"
    if "regex" in arguments:
        return f"does not match {arguments['regex']}"
    if rule.type == _BETWEEN:
        low, high = arguments.get("min_value"), arguments.get("max_value")
        above = "above" if arguments.get("strict_min") else "at least"
        bounds = [f"{above} {low:g}" if low is not None else "", f"at most {high:g}" if high is not None else ""]
        return f"is not a number {' and '.join(filter(None, bounds))}"
    return "is null"


def _frame(rows: pa.Table, rules: Sequence[Expectation]) -> pd.DataFrame:
    needed = dict.fromkeys(rule.column for rule in rules)
    held = rows.select([name for name in needed if name in rows.column_names])
    frame: pd.DataFrame = held.to_pandas(types_mapper=_PANDAS_TYPES.get)
    return frame


def _member_frame(rows: pa.Table, column: str) -> pd.DataFrame:
    """One row per member of a list column, indexed by the row that the member belongs to."""
    lists = rows[column].combine_chunks()
    members = pc.list_flatten(lists)
    if pa.types.is_string(members.type):
        members = pc.fill_null(members, "")
    # A bare array: a Series would be aligned to the repeated index and lose members.
    values = members.to_numpy(zero_copy_only=False)
    return pd.DataFrame({column: values}, index=pc.list_parent_indices(lists).to_numpy())


def _judge(frame: pd.DataFrame, rules: dict[int, Expectation]) -> dict[int, list[int] | str]:
    """Return per rule the unexpected rows, or why it could not run. Results come back in an order of their own."""
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig
    from great_expectations.expectations.registry import get_expectation_impl

    if not rules:
        return {}
    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    asset = context.data_sources.add_pandas("candidate").add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame})
    asked = [
        get_expectation_impl(rule.type)(**{"column": rule.column, **rule.arguments, "meta": {"rule": number}})
        for number, rule in rules.items()
    ]
    suite = gx.ExpectationSuite(name="values", expectations=asked)
    with warnings.catch_warnings():
        # pandas warns of groups in a pattern, which are no mistake where only a match is asked for.
        warnings.filterwarnings("ignore", "This pattern is interpreted as a regular expression", UserWarning)
        results = batch.validate(suite, result_format={"result_format": "COMPLETE"}).results
    answers: list[Any] = [result.to_json_dict() for result in results]
    return {answer["expectation_config"]["meta"]["rule"]: _answer(answer) for answer in answers}


def _answer(answer: dict[str, Any]) -> list[int] | str:
    unexpected = answer["result"].get("unexpected_index_list")
    if unexpected is not None:
        return sorted({int(index) for index in unexpected})
    trouble = answer["exception_info"]
    # An ordinary result has one flat entry, a rule that failed inside has one entry per metric.
    entries = [trouble] if "raised_exception" in trouble else list(trouble.values())
    messages = [str(entry.get("exception_message")) for entry in entries if entry.get("raised_exception")]
    column = answer["expectation_config"]["kwargs"]["column"]
    return f"{column}: {messages[0] if messages else 'the rule gave neither a result nor a reason'}"


def _outcome(rows: pa.Table, rule: Expectation, judged: list[int] | str) -> ExpectationOutcome:
    if isinstance(judged, str):
        return ExpectationOutcome(rule, passed=False, unexpected_rows=[], could_not_run=judged)
    unexpected = sorted({*judged, *_not_finite(rows, rule)})
    return ExpectationOutcome(rule, passed=not unexpected, unexpected_rows=unexpected, could_not_run=None)


def _not_finite(rows: pa.Table, rule: Expectation) -> list[int]:
    if rule.type != _BETWEEN or not pa.types.is_floating(rows.schema.field(rule.column).type):
        return []
    is_none = pc.invert(pc.is_finite(rows[rule.column]))
    return [int(index) for index in pc.indices_nonzero(pc.fill_null(is_none, False)).to_pylist()]


def _reject(row: dict[str, Any], table_name: str, rule: Expectation) -> Reject:
    value = row[rule.column]
    return Reject(
        table=table(table_name).name,
        source=row["source"],
        source_ref=row["source_ref"],
        code=f"value:{rule.column}",
        message=f"{rule.column} {in_words(rule)}",
        column=rule.column,
        value=None if value is None else str(value),
    )
