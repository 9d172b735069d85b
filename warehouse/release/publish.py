"""Publishing: stage a release, read it back, give it its name, make it current. The only writer of the releases folder.

At any moment `CURRENT` names a whole release: everything is written and forced to disk under a `.staging-` name first.
A kill leaves the old `CURRENT` and at most a staging folder, which the next publish removes. Two publishers at one time
are kept apart by the lock of the home, not here.
"""

import shutil
from dataclasses import replace
from pathlib import Path

from schemas.tables import TABLES
from warehouse.release import store
from warehouse.release.draft import Draft, blocks
from warehouse.release.durable import STAGING, sync_folder, sync_tree
from warehouse.release.errors import DamagedRelease, PublishFailed, RefusedDraft
from warehouse.release.manifest import Manifest, read_manifest
from warehouse.release.stage import describe, stage_data, stage_rest
from warehouse.release.store import Release


def publish(releases: Path, draft: Draft) -> Release:
    """Publish a draft below `releases` and make it current; return the release.

    When `CURRENT` already holds the same content nothing is written and that release is returned with `is_new=False`.
    Raises RefusedDraft (a blocking check failed, or the draft contradicts itself) and PublishFailed (the storage
    failed); in both cases `CURRENT` is what it was.
    """
    _refuse_contradictions(draft)
    staging = releases / f"{STAGING}{draft.region}"
    try:
        releases.mkdir(parents=True, exist_ok=True)
        _remove_staging(releases)
        staged = stage_data(staging, draft)
        manifest = describe(draft, staged, previous=_current(releases))
        same = _same_release(releases, manifest)
        if same is None:
            manifest = stage_rest(draft, staged, manifest)
            sync_tree(staging)
            _verify(staging)
            staging.rename(releases / manifest.id)
            sync_folder(releases)
        else:
            shutil.rmtree(staging)
        found = same or manifest.id
        if found != manifest.previous:
            store.make_current(releases, found)
        return replace(store.show(releases, found), is_new=same is None)
    except OSError as error:
        where = error.filename or releases
        raise PublishFailed(
            f"release of {draft.region} not published: {where}: {error.strerror or error}; CURRENT is what it was; "
            "free space or mend the folder's permissions, then run the same command again"
        ) from None
    finally:
        _remove_staging(releases, ignore_errors=True)


def _refuse_contradictions(draft: Draft) -> None:
    faults = [f"check {check.table}.{check.name}: {check.summary}" for check in draft.checks if blocks(check)]
    for name in sorted({*draft.tables, *draft.absent, *TABLES}):
        if name not in TABLES:
            faults.append(f"table {name!r} is not declared")
        elif (name in draft.tables) == (name in draft.absent):
            faults.append(f"table {name} must be either given or absent with a reason")
    faults += [
        f"source {brought.source}: {brought.rows_in} rows in, {brought.rows_out} accounted for"
        for brought in draft.contributions
        if brought.rows_in != brought.rows_out
    ]
    if draft.built_at.tzinfo is None:
        faults.append("built_at has no time zone")
    if faults:
        raise RefusedDraft(
            f"release of {draft.region} not published: {'; '.join(faults)}; CURRENT is what it was; "
            "mend what the checks name and build again"
        )


def _current(releases: Path) -> str | None:
    """The id that CURRENT names; a CURRENT that names nothing usable is replaced by this publish."""
    try:
        return store.current_id(releases)
    except DamagedRelease:
        return None


def _same_release(releases: Path, manifest: Manifest) -> str | None:
    """The release that already holds this content: the current one, or one that was staged whole under this very id."""
    for name in (manifest.previous, manifest.id):
        if name is None or not (releases / name).is_dir():
            continue
        try:
            is_same = read_manifest(releases / name).content_hash == manifest.content_hash
        except DamagedRelease:
            is_same = name == manifest.id
        if not is_same:
            continue
        problems = store.verify(releases, name)
        if not problems:
            return name
        if name == manifest.id:
            raise DamagedRelease(
                f"release {name} exists already and is not what was published ({problems[0].file}: "
                f"{problems[0].cause}); nothing was published; move that folder away and build again"
            )
    return None


def _verify(staging: Path) -> None:
    problems = store.folder_problems(staging)
    if problems:
        raise OSError(f"{problems[0].file} reads back differently: it {problems[0].cause}")


def _remove_staging(releases: Path, *, ignore_errors: bool = False) -> None:
    for left in releases.glob(f"{STAGING}*"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=ignore_errors)
        else:
            left.unlink(missing_ok=True)
