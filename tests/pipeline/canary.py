"""Looking for a key in everything below a folder: in any spelling, in any container, in files that nobody lists.

Written apart from the code that takes keys out, so that what both overlook is not the same.
"""

import base64
import gzip
import html
import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pyarrow as pa
import pyarrow.parquet as pq

_GZIP, _ZSTD = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_SQLITE, _PARQUET, _ZIP = b"SQLite format 3\0", b"PAR1", b"PK\x03\x04"
_DEEPEST = 4
# Under this window size zlib reads gzip.
_GZIP_WINDOW = 16 + zlib.MAX_WBITS


def canaries_in(folder: Path, keys: list[str]) -> list[str]:
    """Return where keys stand below a folder, as `file: spelling`; a file that is gone meanwhile holds none."""
    found = []
    for path in sorted(folder.rglob("*")):
        found += [f"{path.relative_to(folder)}: in its name" for key in keys if key in path.name]
        if path.is_file():
            found += [f"{path.relative_to(folder)}: {spelling}" for spelling in spellings_in(path.read_bytes(), keys)]
    return found


def spellings_in(data: bytes, keys: list[str]) -> list[str]:
    """Return in which spellings keys stand in bytes and in all that is packed in them."""
    found = []
    for layer in _layers(data):
        for key in keys:
            found += [spelling for spelling, is_there in _spellings(layer, key) if is_there]
    return sorted(set(found))


def _spellings(data: bytes, key: str) -> Iterator[tuple[str, bool]]:
    raw = key.encode()
    lower = data.lower()
    yield "plain", raw.lower() in lower
    yield "utf-16", key.encode("utf-16-le") in data or key.encode("utf-16-be") in data
    yield "hexadecimal", raw.hex().encode() in lower
    unquoted = data
    for _ in range(2):
        unquoted = unquote_to_bytes(unquoted)
        yield "percent", raw in unquoted
    text = data.decode("utf-8", "replace")
    yield "html", key in html.unescape(text)
    yield "json", any(key in one for one in _without_escapes(text))
    yield "base64", any(core in data for core in _base64(raw))


def _without_escapes(text: str) -> Iterator[str]:
    for _ in range(2):
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda one: chr(int(one[1], 16)), text)
        yield text
        text = re.sub(r"\\(.)", r"\1", text)
        yield text


def _base64(raw: bytes) -> Iterator[bytes]:
    """Return what of a key stands in Base64 wherever it begins in what was encoded, in both alphabets."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + raw)
        core = whole[-(-before * 4 // 3) : (before + len(raw)) // 3 * 4]
        yield core
        yield core.translate(bytes.maketrans(b"+/", b"-_"))


def _layers(data: bytes, depth: int = 0) -> Iterator[bytes]:
    """Return bytes, and what is packed in them anywhere: gzip, zlib, zstd, zip, Parquet, SQLite."""
    yield data
    if depth == _DEEPEST:
        return
    for packed in _members(data):
        yield from _layers(packed, depth + 1)


def _members(data: bytes) -> Iterator[bytes]:
    if data.startswith(_SQLITE):
        yield from _cells(data)
    if data.startswith(_PARQUET) and data.endswith(_PARQUET):
        table = pq.read_table(io.BytesIO(data))
        yield repr(table.schema.metadata).encode()
        for column in table.columns:
            yield from _values(column.to_pylist())
        return
    if data.startswith(_ZIP):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
        return
    # A packed stream may begin anywhere: in a cell, in a journal, behind a head.
    for magic in (_GZIP, _ZSTD):
        at = data.find(magic)
        while at >= 0:
            yield _unpacked(data[at:], magic)
            at = data.find(magic, at + 1)
    for match in _ZLIB.finditer(data):
        yield _inflated(zlib.decompressobj(), data[match.start() :])


def _values(values: Iterable[object]) -> Iterator[bytes]:
    """Return bytes one by one, as something may be packed in them, and all other values as one text."""
    texts = []
    for value in values:
        if isinstance(value, bytes):
            yield value
        elif value is not None:
            texts.append(json.dumps(value, default=str, ensure_ascii=False))
    yield "\n".join(texts).encode("utf-8", "replace")


def _cells(data: bytes) -> Iterator[bytes]:
    with sqlite3.connect(":memory:") as database:
        # Written in the other journal mode it could only be opened with the file that goes with it.
        database.deserialize(data[:18] + b"\1\1" + data[20:])
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            rows = database.execute(f'SELECT * FROM "{table}"')
            yield from _values(value for row in rows for value in row)


def _unpacked(data: bytes, magic: bytes) -> bytes:
    if magic == _GZIP:
        return _inflated(zlib.decompressobj(wbits=_GZIP_WINDOW), data)
    found = b""
    try:
        with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
            while part := stream.read(65536):
                found += part
    except OSError:
        # Behind the stream something else follows; what was read stands.
        pass
    return found


def _inflated(stream: "zlib._Decompress", data: bytes) -> bytes:
    try:
        return stream.decompress(data)
    except zlib.error:
        return b""


def planted(key: str) -> dict[str, bytes]:
    """Return one file for each spelling and container in which a key must be found, by name."""
    text = f'{{"said": "{key}"}}'
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE events (body BLOB)")
    database.execute("INSERT INTO events VALUES (?)", (zlib.compress(text.encode()),))
    database.commit()
    parquet, packed = io.BytesIO(), io.BytesIO()
    pq.write_table(pa.table({"body": pa.array([gzip.compress(text.encode())])}), parquet, compression="zstd")
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("member.txt", text)
    zstd = pa.compress(text.encode(), "zstd", asbytes=True)
    return {
        "plain.txt": key.encode(),
        "upper.txt": key.upper().encode(),
        "utf16.txt": key.encode("utf-16-le"),
        "percent.txt": "".join(f"%{byte:02X}" for byte in key.encode()).encode(),
        "twice.txt": "".join(f"%25{byte:02x}" for byte in key.encode()).encode(),
        "html.txt": "".join(f"&#x{ord(char):x};" for char in key).encode(),
        "json.txt": "".join(f"\\u{ord(char):04x}" for char in key).encode(),
        "nested.txt": json.dumps(json.dumps(key)).encode(),
        "hexadecimal.txt": key.encode().hex().upper().encode(),
        **{f"base64-{number}.txt": base64.b64encode(b"x" * number + key.encode() + b"yz") for number in range(3)},
        "urlsafe.txt": base64.urlsafe_b64encode(key.encode() + b"z"),
        "gzip.gz": gzip.compress(text.encode()),
        "zstd.zst": zstd,
        "behind_a_head.journal": b"HEAD\0\1" + zstd + b"tail",
        "deflate.bin": b"\0\0" + zlib.compress(text.encode()) + b"tail",
        "packed.zip": packed.getvalue(),
        "rows.parquet": parquet.getvalue(),
        "events.db": database.serialize(),
        "twice.gz": gzip.compress(gzip.compress(text.encode())),
    }
