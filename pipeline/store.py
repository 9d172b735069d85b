"""Results of steps, kept by the hash of everything that went in.

A result is a folder `<home>/<layer>/<name>/<input hash>/` with `rows.parquet`, `quarantine.parquet`, `merges.parquet`
and `step.json`. It appears by one rename, so it is there whole or not at all; a kill leaves a hidden folder that the
next build removes. What is read back is checked against the hashes in `step.json`: a damaged result is made again.
"""

import hashlib
import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from schemas.rows import Built, Notes
from warehouse.release.durable import file_sha256, replace_text, sync_folder, write_text
from warehouse.release.parquet import write_table

PARTS = ("rows", "quarantine", "merges")
STEP_LAYERS = ("staged", "derived", "completed")
NOTE_LAYERS = ("checked",)
KEPT_RESULTS = 3


def digest(*parts: str) -> str:
    """Return the SHA-256 over texts, each closed off from the next."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class StepResult:
    """A stored result. `rows_hash` changes with the rows alone, `content_hash` with anything that the step handed on.

    `absent` is the reason for which there are no rows at all (no file, no source), else None.
    """

    layer: str
    name: str
    folder: Path
    input_hash: str
    rows_hash: str
    content_hash: str
    notes: Notes
    absent: str | None
    reused: bool

    @property
    def rows_path(self) -> Path:
        return self.folder / "rows.parquet"

    def part(self, name: str) -> pa.Table:
        """Read `rows`, `quarantine` or `merges`."""
        return pq.read_table(self.folder / f"{name}.parquet")

    @property
    def row_count(self) -> int:
        return int(pq.read_metadata(self.rows_path).num_rows)


@dataclass(frozen=True)
class Store:
    """The results below one home."""

    home: Path

    def find(self, layer: str, name: str, input_hash: str) -> StepResult | None:
        """Return the sound result for these inputs, or None when there is none (a damaged one is removed)."""
        folder = self.home / layer / name / input_hash
        if not folder.is_dir():
            return None
        try:
            sealed = json.loads((folder / "step.json").read_text(encoding="utf-8"))
            facts = sealed["facts"]
            hashes = {part: file_sha256(folder / f"{part}.parquet") for part in PARTS}
            is_sound = sealed == _sealed(facts) and facts["input_hash"] == input_hash and facts["hashes"] == hashes
        except (OSError, ValueError, KeyError, TypeError):
            is_sound = False
        if not is_sound:
            shutil.rmtree(folder)
            return None
        os.utime(folder)
        return _result(layer, name, folder, facts, reused=True)

    def put(self, layer: str, name: str, input_hash: str, built: Built, absent: str | None = None) -> StepResult:
        """Store a result; it becomes visible whole."""
        parent = self.home / layer / name
        draft = parent / f".{input_hash}.{os.getpid()}"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        for part in PARTS:
            write_table(getattr(built, part), draft / f"{part}.parquet")
        facts = {
            "input_hash": input_hash,
            "hashes": {part: file_sha256(draft / f"{part}.parquet") for part in PARTS},
            "notes": asdict(built.notes),
            "absent": absent,
        }
        write_text(draft / "step.json", json.dumps(_sealed(facts), indent=1, sort_keys=True))
        folder = parent / input_hash
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
        sync_folder(parent)
        return _result(layer, name, folder, facts, reused=False)

    def find_note(self, layer: str, input_hash: str) -> Any | None:
        """Return the JSON document noted for these inputs, or None when there is none, or it is damaged."""
        path = self.home / layer / f"{input_hash}.json"
        try:
            sealed = json.loads(path.read_text(encoding="utf-8"))
            is_sound = sealed == _sealed(sealed["facts"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return sealed["facts"] if is_sound else None

    def put_note(self, layer: str, input_hash: str, document: Any) -> None:
        """Note a JSON document for these inputs."""
        folder = self.home / layer
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(folder / f"{input_hash}.json", json.dumps(_sealed(document)))

    def prune(self) -> None:
        """Remove drafts of dead builds, and all but the latest results of each step. For the holder of the lock."""
        steps = [step for layer in STEP_LAYERS for step in (self.home / layer).glob("*")]
        for folder in (*steps, *(self.home / layer for layer in NOTE_LAYERS)):
            drafts = list(folder.glob(".*"))
            results = sorted(folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime)
            for old in (*drafts, *results[:-KEPT_RESULTS]):
                if old.is_dir():
                    shutil.rmtree(old)
                else:
                    old.unlink()


def _result(layer: str, name: str, folder: Path, facts: dict[str, Any], reused: bool) -> StepResult:
    notes = facts["notes"]
    return StepResult(
        layer=layer,
        name=name,
        folder=folder,
        input_hash=facts["input_hash"],
        rows_hash=facts["hashes"]["rows"],
        content_hash=_content_hash(facts),
        notes=Notes(notes["rows_in"], notes["unmapped"], tuple(notes["unused_columns"]), tuple(notes["remarks"])),
        absent=facts["absent"],
        reused=reused,
    )


def _content_hash(facts: dict[str, Any]) -> str:
    return digest(json.dumps([facts["hashes"], facts["notes"], facts["absent"]], sort_keys=True))


def _sealed(facts: Any) -> dict[str, Any]:
    facts = json.loads(json.dumps(facts))
    return {"facts": facts, "sha256": digest(json.dumps(facts, sort_keys=True))}
