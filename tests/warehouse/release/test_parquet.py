"""The same rows give the same bytes."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.warehouse import world
from warehouse.release import parquet
from warehouse.release.parquet import write_table


def _bytes(table: pa.Table, folder: Path) -> bytes:
    write_table(table, folder / "rows.parquet")
    return (folder / "rows.parquet").read_bytes()


def test_rows_come_back_as_they_were_with_schema_and_descriptions(tmp_path: Path) -> None:
    rows = world.restaurants()
    write_table(rows, tmp_path / "rows.parquet")
    back = pq.read_table(tmp_path / "rows.parquet")
    assert back.equals(rows)
    assert back.schema.field("avg_cost").metadata[b"unit"] == b"INR"


def test_how_the_rows_were_cut_in_memory_does_not_change_a_byte(tmp_path: Path) -> None:
    count = parquet.ROW_GROUP_ROWS + 5_000
    # Long and different, so that one column fills several pages.
    names = [None if number % 7 == 0 else f"{number:>40}" for number in range(count)]
    lists = [None if number % 5 == 0 else [str(number % 3)] * (number % 4) for number in range(count)]
    whole = pa.table({"name": names, "list": lists, "value": pa.array(range(count), pa.int32())})
    in_pieces = pa.concat_tables([whole.slice(start, 1_500) for start in range(0, count, 1_500)])
    shifted = pa.concat_tables([whole.slice(0, 3), whole]).slice(3)
    assert _bytes(in_pieces, tmp_path) == _bytes(whole, tmp_path) == _bytes(shifted, tmp_path)
    assert pq.read_metadata(tmp_path / "rows.parquet").num_row_groups == 2


def test_one_other_value_changes_the_bytes(tmp_path: Path) -> None:
    assert _bytes(pa.table({"value": [1, 2]}), tmp_path) != _bytes(pa.table({"value": [1, 3]}), tmp_path)


def test_no_rows_are_a_file_too(tmp_path: Path) -> None:
    write_table(world.restaurants().slice(0, 0), tmp_path / "rows.parquet")
    assert pq.read_table(tmp_path / "rows.parquet").num_rows == 0
