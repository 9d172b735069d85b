"""The folder of releases as a reader and a maintainer use it: which there are, which is current, are they sound.

Light on purpose: `warehouse.read` opens releases through this module. Publishing is in `warehouse.release.publish`.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from warehouse.release.durable import file_sha256, replace_text
from warehouse.release.errors import DamagedRelease, ReleaseError, UnknownRelease
from warehouse.release.manifest import MANIFEST, MANIFEST_SHA256, Manifest, content_hash, read_manifest, release_id

CURRENT = "CURRENT"


@dataclass(frozen=True)
class Release:
    """A published release. `is_new` is False where publishing found that there was nothing new to publish."""

    id: str
    folder: Path
    manifest: Manifest
    is_new: bool = False

    @property
    def content_hash(self) -> str:
        return self.manifest.content_hash


@dataclass(frozen=True)
class ReleaseLine:
    """One line of the list of releases. A release whose manifest cannot be read has its fault and no facts."""

    id: str
    is_current: bool
    created_at: datetime | None
    origin: str | None
    audience: str | None
    tables: int
    rows: int
    fault: str | None


@dataclass(frozen=True)
class Problem:
    """One difference between a release and its manifest; `file` is relative to the release."""

    file: str
    cause: str


def release_ids(releases: Path) -> tuple[str, ...]:
    """Return the ids of all release folders, sorted; what is being staged is none."""
    if not releases.is_dir():
        return ()
    return tuple(sorted(path.name for path in releases.iterdir() if path.is_dir() and not path.name.startswith(".")))


def current_id(releases: Path) -> str | None:
    """Return the id that `CURRENT` names, or None when nothing was published yet. DamagedRelease when it is torn."""
    try:
        text = (releases / CURRENT).read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    name = text.removesuffix("\n")
    if name not in release_ids(releases) or text != f"{name}\n":
        raise DamagedRelease(
            f"{releases / CURRENT} holds {name[:80]!r}, which is no release here; "
            f"choose one with `utp release rollback ID`: {_choices(releases)}"
        )
    return name


def release_folder(releases: Path, release: str | None = None) -> Path:
    """Return the folder of a release, of the current one by default. UnknownRelease lists the choices."""
    name = current_id(releases) if release is None else release
    if name is None:
        raise UnknownRelease(f"no release in {releases}: nothing was published yet; publish one with `utp build`")
    if name not in release_ids(releases):
        raise UnknownRelease(f"no release {name!r} in {releases}; choose one of {_choices(releases)}")
    return releases / name


def list_releases(releases: Path) -> tuple[ReleaseLine, ...]:
    """Return all releases, newest first; those whose manifest cannot be read come last, with the fault."""
    try:
        current = current_id(releases)
    except DamagedRelease:
        current = None
    lines = [_line(releases / name, is_current=name == current) for name in release_ids(releases)]
    return tuple(sorted(lines, key=lambda line: line.created_at.timestamp() if line.created_at else 0.0, reverse=True))


def show(releases: Path, release: str | None = None) -> Release:
    """Return a release with its manifest, the current one by default. UnknownRelease, DamagedRelease."""
    folder = release_folder(releases, release)
    return Release(folder.name, folder, read_manifest(folder))


def verify(releases: Path, release: str | None = None) -> tuple[Problem, ...]:
    """Read every file of a release back and return the differences; none means that it is what was published."""
    folder = release_folder(releases, release)
    problems = folder_problems(folder)
    if problems:
        return problems
    manifest = read_manifest(folder)
    name = release_id(manifest.region, manifest.origin, manifest.created_at, manifest.content_hash)
    if not manifest.id == folder.name == name:
        return (Problem(MANIFEST, f"the folder is {folder.name}, the manifest says {manifest.id}, its content {name}"),)
    return ()


def rollback(releases: Path, release: str) -> Release:
    """Make a sound release current and return it. UnknownRelease lists the choices, DamagedRelease the first fault."""
    problems = verify(releases, release)
    if problems:
        raise DamagedRelease(
            f"release {release} is not what was published ({problems[0].file}: {problems[0].cause}; "
            f"{len(problems)} in all); CURRENT stays; choose another one of {_choices(releases)}"
        )
    make_current(releases, release)
    return show(releases, release)


def make_current(releases: Path, release: str) -> None:
    """Let `CURRENT` name a release; a reader sees the old name or the new one."""
    replace_text(releases / CURRENT, f"{release}\n")


def folder_problems(folder: Path) -> tuple[Problem, ...]:
    """Compare a release folder with its own manifest: file list, sizes, SHA-256, row counts, content hash."""
    try:
        manifest = read_manifest(folder)
    except DamagedRelease as error:
        return (Problem(MANIFEST, str(error)),)
    found = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()
    }
    expected = {*manifest.files, MANIFEST, MANIFEST_SHA256}
    problems = [Problem(name, "is missing") for name in sorted(expected - found)]
    problems += [Problem(name, "is not in the manifest") for name in sorted(found - expected)]
    for name in sorted(found & set(manifest.files)):
        path, entry = folder / name, manifest.files[name]
        if path.is_symlink():
            problems.append(Problem(name, "is a link, not a file"))
        elif path.stat().st_size != entry.bytes:
            problems.append(Problem(name, f"has {path.stat().st_size} bytes, the manifest says {entry.bytes}"))
        elif file_sha256(path) != entry.sha256:
            problems.append(Problem(name, "has another SHA-256 than the manifest says"))
    return tuple(problems) or _contradictions(folder, manifest)


def _contradictions(folder: Path, manifest: Manifest) -> tuple[Problem, ...]:
    """Where the files are those of the manifest: does it tell the truth about them, and agree with itself?"""
    import pyarrow.parquet as pq

    problems = []
    for name, table in manifest.tables.items():
        entry = manifest.files.get(table.file)
        if entry is None or (entry.sha256, entry.bytes) != (table.sha256, table.bytes):
            problems.append(Problem(MANIFEST, f"says two things about {table.file}"))
            continue
        rows = pq.read_metadata(folder / table.file).num_rows
        if rows != table.rows_total:
            problems.append(Problem(table.file, f"has {rows} rows, the manifest says {table.rows_total} for {name}"))
    if content_hash(manifest) != manifest.content_hash:
        problems.append(Problem(MANIFEST, "its content hash is not the hash of what it lists"))
    return tuple(problems)


def _line(folder: Path, is_current: bool) -> ReleaseLine:
    try:
        manifest = read_manifest(folder)
    except ReleaseError as error:
        return ReleaseLine(folder.name, is_current, None, None, None, 0, 0, str(error))
    return ReleaseLine(
        id=folder.name,
        is_current=is_current,
        created_at=manifest.created_at,
        origin=manifest.origin,
        audience=manifest.audience,
        tables=len(manifest.tables),
        rows=sum(table.rows_total for table in manifest.tables.values()),
        fault=None,
    )


def _choices(releases: Path) -> str:
    return ", ".join(release_ids(releases)) or "none (publish one with `utp build`)"
