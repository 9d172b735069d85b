"""The store of step results: whole or not there, and never believed without a look."""

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.store import KEPT_RESULTS, PARTS, Store, digest
from schemas.arrow import staged_schema
from schemas.rows import Built, Notes, Reject, quarantine_table

INPUTS = digest("inputs")


def _built(rows_in: int = 1) -> Built:
    reject = Reject("transit_stops", "a", "a.csv#1", "torn_row", "too few cells")
    return Built(
        staged_schema("transit_stops").empty_table(),
        Notes(rows_in, {"states": {"Orissa": 2}}, ("extra",), ("a remark",)),
        quarantine_table([reject]),
    )


def test_a_result_comes_back_as_it_was_put(tmp_path: Path) -> None:
    put = Store(tmp_path).put("staged", "a", INPUTS, _built())
    found = Store(tmp_path).find("staged", "a", INPUTS)
    assert found is not None
    assert found == replace(put, reused=True)
    assert found.part("quarantine").equals(_built().quarantine)
    assert found.notes == _built().notes


def test_other_inputs_find_nothing(tmp_path: Path) -> None:
    Store(tmp_path).put("staged", "a", INPUTS, _built())
    assert Store(tmp_path).find("staged", "a", digest("others")) is None


def test_equal_results_have_equal_hashes_and_different_notes_change_the_content_hash_alone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    one, same = (store.put("staged", name, INPUTS, _built()) for name in ("a", "b"))
    other = store.put("staged", "c", INPUTS, _built(rows_in=2))
    assert (one.rows_hash, one.content_hash) == (same.rows_hash, same.content_hash)
    assert one.rows_hash == other.rows_hash
    assert one.content_hash != other.content_hash


@pytest.mark.parametrize("file", [*(f"{part}.parquet" for part in PARTS), "step.json"])
@pytest.mark.parametrize("damage", ["flip", "cut", "remove"])
@pytest.mark.parametrize("place", [0.2, 0.5, 0.8])
def test_a_damaged_result_is_not_reused(tmp_path: Path, file: str, damage: str, place: float) -> None:
    folder = Store(tmp_path).put("staged", "a", INPUTS, _built()).folder
    data = bytearray((folder / file).read_bytes())
    data[int(len(data) * place)] ^= 1
    if damage == "remove":
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(bytes(data) if damage == "flip" else bytes(data[:-5]))
    assert Store(tmp_path).find("staged", "a", INPUTS) is None
    assert Store(tmp_path).put("staged", "a", INPUTS, _built()).notes == _built().notes


def test_a_draft_of_a_killed_build_is_never_a_result_and_is_pruned(tmp_path: Path) -> None:
    store = Store(tmp_path)
    folder = store.put("staged", "a", INPUTS, _built()).folder
    draft = folder.rename(folder.with_name(f".{INPUTS}.12345"))
    assert store.find("staged", "a", INPUTS) is None
    store.prune()
    assert not draft.exists()


def test_pruning_keeps_the_latest_results_of_each_step(tmp_path: Path) -> None:
    store = Store(tmp_path)
    names = [digest(str(number)) for number in range(KEPT_RESULTS + 2)]
    for name in names:
        store.put("staged", "a", name, _built())
    store.prune()
    assert [store.find("staged", "a", name) is not None for name in names] == [False] * 2 + [True] * KEPT_RESULTS


def test_a_note_comes_back_as_it_was_put_and_a_damaged_one_does_not(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put_note("checked", INPUTS, [{"passed": False, "examples": []}])
    assert store.find_note("checked", INPUTS) == [{"passed": False, "examples": []}]
    assert store.find_note("checked", digest("others")) is None
    path = tmp_path / "checked" / f"{INPUTS}.json"
    path.write_text(path.read_text().replace("false", "true"))
    assert store.find_note("checked", INPUTS) is None
