"""The one way in which rows become a Parquet file: the same rows give the same bytes.

Compression, format version and row group size are fixed, chunks are joined before they are written, no clock goes in.
The bytes depend on the rows, their schema and the version of the Parquet library alone.
"""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROW_GROUP_ROWS = 65_536


def write_table(table: pa.Table, path: Path) -> None:
    """Write `table` to `path` and force the bytes to disk; an existing file is replaced. Raises OSError."""
    with path.open("wb") as sink:
        with pq.ParquetWriter(sink, table.schema, version="2.6", compression="zstd", compression_level=3) as writer:
            # A table of no rows still gets one (empty) row group, so that every file has the same anatomy.
            for start in range(0, max(table.num_rows, 1), ROW_GROUP_ROWS):
                group = table.slice(start, ROW_GROUP_ROWS).combine_chunks()
                writer.write_table(group, row_group_size=ROW_GROUP_ROWS)
        sink.flush()
        os.fsync(sink.fileno())
