"""What is done again after a change: exactly what depends on it, by content."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.flow import Flow
from pipeline.settings import Step
from schemas import vocab

NewFlow = Callable[[], tuple[Flow, list[Step]]]
RESTAURANTS_AND_AFTER = {
    "staged/constructed_restaurants",
    "derived/restaurants",
    "derived/poi_nearest_stops",
    "derived/city_set",
}


def _build(new_flow: NewFlow) -> tuple[set[str], dict[str, str]]:
    """Build all tables; return the steps that were built (not reused) and the rows hash of every step."""
    flow, steps = new_flow()
    assert flow.tables
    assert flow.contributions
    built = {f"{step.layer}/{step.name}" for step in steps if not step.reused}
    return built, {f"{layer}/{name}": result.rows_hash for (layer, name), result in flow.results.items()}


def _changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name, rows_hash in after.items() if before[name] != rows_hash}


def test_nothing_is_done_again_when_nothing_changed(new_flow: NewFlow) -> None:
    built, before = _build(new_flow)
    assert built == set(before)
    built, after = _build(new_flow)
    assert built == set()
    assert after == before


def test_one_byte_of_a_file_rebuilds_its_dependants(new_flow: NewFlow, tables_dir: Path) -> None:
    _, before = _build(new_flow)
    file = tables_dir / "restaurants.csv"
    file.write_text(file.read_text().replace("Fort,", "Fart,"))
    built, after = _build(new_flow)
    assert built == RESTAURANTS_AND_AFTER
    # City coverage is looked at again, and is what it was.
    assert _changed(before, after) == RESTAURANTS_AND_AFTER - {"derived/city_set"}


def test_one_line_of_a_mapping_rebuilds_its_dependants(new_flow: NewFlow, tables_dir: Path) -> None:
    _, before = _build(new_flow)
    mapping = tables_dir / "constructed_restaurants.mapping.yaml"
    mapping.write_text(
        mapping.read_text().replace("{from: cost, parse: number}", "{from: cost, parse: number, times: 0.5}")
    )
    built, after = _build(new_flow)
    assert built == RESTAURANTS_AND_AFTER
    assert _changed(before, after) == {"staged/constructed_restaurants", "derived/restaurants"}


def test_a_line_of_a_mapping_that_changes_no_row_stops_there(new_flow: NewFlow, tables_dir: Path) -> None:
    _, before = _build(new_flow)
    mapping = tables_dir / "constructed_restaurants.mapping.yaml"
    mapping.write_text(
        mapping.read_text().replace("title: Constructed restaurants", "title: Constructed places to eat")
    )
    built, after = _build(new_flow)
    assert built == {"staged/constructed_restaurants"}
    assert after == before


def test_one_entry_of_a_map_rebuilds_its_dependants(
    new_flow: NewFlow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "vocabularies"
    shutil.copytree(vocab.FOLDER, folder)
    _, before = _build(new_flow)
    monkeypatch.setattr(vocab, "FOLDER", folder)
    path = folder / "maps" / "cuisines.yaml"
    path.write_text(path.read_text().replace("  North Indian: Indian Subcontinent", "  North Indian: Asian"))
    vocab.term_map.cache_clear()
    try:
        built, after = _build(new_flow)
    finally:
        vocab.term_map.cache_clear()
    # Every mapping that reads the map is asked again; those without a file have nothing to ask.
    assert built == RESTAURANTS_AND_AFTER
    assert _changed(before, after) == {"staged/constructed_restaurants", "derived/restaurants"}


def test_a_file_that_is_put_back_finds_its_old_result(new_flow: NewFlow, tables_dir: Path) -> None:
    file = tables_dir / "stops.csv"
    original = file.read_text()
    _, before = _build(new_flow)
    file.write_text(original.replace("Halt", "Hall"))
    _build(new_flow)
    file.write_text(original)
    built, after = _build(new_flow)
    assert built == set()
    assert after == before
