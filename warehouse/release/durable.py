"""Writing so that it survives a kill or a power cut: bytes first, then names, each forced to disk.

Only files and folders are known here, not what stands in them.
"""

import hashlib
import os
from pathlib import Path

# What bears this name is not finished; a kill may leave it behind.
STAGING = ".staging-"


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_text(path: Path, text: str) -> None:
    """Write a text file (UTF-8, line ends as given) and force it to disk."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())


def replace_text(path: Path, text: str) -> None:
    """Write a text file so that a reader sees the old text or the new one, whole, at any moment."""
    draft = path.with_name(f"{STAGING}{path.name}")
    write_text(draft, text)
    draft.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to disk; without it a rename may be lost in a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Force the names in a folder and in all folders below it to disk, innermost first."""
    for path in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
        sync_folder(path)
    sync_folder(folder)
