"""The flow where it meets a person's files: what changes under its hands, and what nobody derives yet."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import flow as flow_module
from pipeline.derivations import COMPLETIONS, DERIVATIONS
from pipeline.flow import Flow
from pipeline.settings import Step
from schemas.errors import DataError, UtpError
from schemas.rows import Built
from schemas.tables import FROM_SOURCES, TABLES
from sources.tables.grammar import Mapping

NewFlow = Callable[[], tuple[Flow, list[Step]]]

HOURS_MAPPING = """\
id: constructed_hours
table: place_hours
title: Constructed hours
file: hours.csv
format: csv
observed: {at: 2026-01-01, note: constructed}
columns:
  source_id: {from: id, parse: text}
"""


def test_a_file_that_changes_while_it_is_read_is_not_believed(
    new_flow: NewFlow, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = flow_module.stage

    def stage_while_somebody_writes(mapping: Mapping, path: Path) -> Built:
        built = original(mapping, path)
        path.write_text(path.read_text() + "6,Late,Pune,Camp,Cafe,200,1,4.0,18.5210,73.8570\n")
        return built

    flow, _ = new_flow()
    monkeypatch.setattr(flow_module, "stage", stage_while_somebody_writes)
    with pytest.raises(DataError, match=r"restaurants.csv changed while it was read"):
        flow.staged("constructed_restaurants")
    monkeypatch.setattr(flow_module, "stage", original)
    again, steps = new_flow()
    assert again.staged("constructed_restaurants").notes.rows_in == 6
    assert [step.reused for step in steps] == [False]


def test_a_mapping_for_a_table_that_no_file_can_bring_is_refused(new_flow: NewFlow, tables_dir: Path) -> None:
    (tables_dir / "constructed_hours.mapping.yaml").write_text(HOURS_MAPPING)
    with pytest.raises(UtpError, match=r"'constructed_hours': the table 'place_hours' takes no rows .*transit_stops"):
        new_flow()


def test_an_own_mapping_without_its_file_is_not_passed_over(new_flow: NewFlow, tables_dir: Path) -> None:
    (tables_dir / "stops.csv").rename(tables_dir / "stop.csv")
    with pytest.raises(UtpError, match=r"'constructed_stops' .* names 'stops.csv', which is no file there"):
        new_flow()


def test_the_tables_that_a_mapping_may_fill_are_those_that_staged_rows_can_change() -> None:
    from_sources = {name for name, derivation in DERIVATIONS.items() if derivation.rows_from == "sources"}
    # Hours and crowds need places that their own source knows; a road is an answer to a pair that the region gives.
    assert from_sources - {"place_hours", "venue_crowd"} | {"distance_matrix"} == set(FROM_SOURCES)


def test_every_table_is_derived_and_every_completion_is_of_one() -> None:
    assert DERIVATIONS.keys() == TABLES.keys()
    assert COMPLETIONS.keys() <= TABLES.keys()


def test_what_is_absent_says_why(new_flow: NewFlow) -> None:
    flow, _ = new_flow()
    assert flow.derived("trains").absent == "needs train_stops, which is absent"
    reason = flow.derived("attractions").absent
    assert reason == (
        "no source contributed: tripadvisor: nothing of it is archived; "
        "top_indian_places: no file places/top_indian_places.csv in the tables folder"
    )
