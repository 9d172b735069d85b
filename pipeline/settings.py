"""What a build is asked for: region, mappings, files, audience, home, and who watches it.

Reading this is quick and finds every fault of region and mappings, before anything slow is loaded.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from pipeline.asking import Asked
from pipeline.home import Home, default_home
from pipeline.origins import SourceCard, read_origins
from pipeline.regions import read_region
from schemas.errors import UtpError
from schemas.region import Region
from schemas.tables import FROM_SOURCES
from sources.protocol.discovery import SHIPPED as SHIPPED_SOURCES
from sources.protocol.discovery import Source, find_sources
from sources.tables.grammar import Mapping as TableMapping
from sources.tables.mapping import SHIPPED, find_mappings
from sources.transport.archive import Archive
from warehouse.release.store import list_releases

Audience = Literal["internal", "public"]
Profile = Literal["sandbox", "replay", "live"]


@dataclass(frozen=True)
class Step:
    """A finished step, as told to whoever watches a build; `steps_in_layer` is how many there are in all."""

    layer: str
    name: str
    reused: bool
    steps_in_layer: int


OnStep = Callable[[Step], None]

# Hears of each answer of a provider: its id, how many answers there are, how many are still open in this round.
OnAnswer = Callable[[str, int, int], None]

# Hears how asking a provider ended: its id and the outcome.
OnEnd = Callable[[str, Asked], None]


def nobody_listens(step: Step) -> None:
    """The `on_step` of a build that nobody watches."""


def nobody_counts(provider: str, done: int, still_open: int) -> None:
    """The `on_answer` of a build that nobody watches."""


def nobody_minds(provider: str, asked: Asked) -> None:
    """The `on_end` of a build that nobody watches."""


@dataclass(frozen=True)
class Request:
    """What is to be built. `tables_dir` holds the files that the mappings name; None means that there are none.

    `origins` describes the sources of the region's own files by the names that their rows carry. `today` is the day on
    which terms must hold for a public release; it enters no result. `profile` says who is asked: a stand-in
    (`sandbox`), the providers themselves (`live`), or nobody (`replay`: what is archived is taken).
    """

    region: Region
    origins: Mapping[str, SourceCard]
    mappings: Mapping[str, TableMapping]
    sources: Mapping[str, Source]
    profile: Profile
    tables_dir: Path | None
    audience: Audience
    today: date


@dataclass(frozen=True)
class Settings:
    """A request, the home in which it is built, and who hears of its steps and answers."""

    request: Request
    home: Home
    on_step: OnStep = nobody_listens
    on_answer: OnAnswer = nobody_counts
    on_end: OnEnd = nobody_minds


def settings_for(
    region_id: str,
    home: Path | None = None,
    tables_dir: Path | None = None,
    audience: Audience = "internal",
    on_step: OnStep = nobody_listens,
    on_answer: OnAnswer = nobody_counts,
    on_end: OnEnd = nobody_minds,
    profile: Profile = "replay",
) -> Settings:
    """Return the settings of a build; a region, a mapping or a tables folder that is wrong raises UtpError at once.

    Mappings are those that come with the project and any `*.mapping.yaml` below the tables folder.
    """
    region = read_region(region_id)
    place = Home(home or default_home(region_id, profile))
    _require_one_kind(place, profile, tables_dir)
    if tables_dir is not None and not tables_dir.is_dir():
        raise UtpError(f"no tables folder {tables_dir}; give --tables-dir a folder that exists")
    mappings = find_mappings(SHIPPED, *([tables_dir] if tables_dir else []))
    for mapping in mappings.values():
        refuse_idle(mapping)
    if tables_dir is not None:
        _require_files(tables_dir, mappings)
    origins = read_origins(region_id)
    sources = known_sources()
    _refuse_namesakes(sources, mappings, origins)
    request = Request(region, origins, mappings, sources, profile, tables_dir, audience, date.today())
    return Settings(request, place, on_step, on_answer, on_end)


def source_folders() -> tuple[Path, ...]:
    """Return the folders that UTP_SOURCES lists, in which providers lie besides those shipped.

    Raises UtpError for one in which there is none: a provider that is looked for in vain would be missed by nobody.
    """
    named = [Path(text).absolute() for text in os.environ.get("UTP_SOURCES", "").split(os.pathsep) if text]
    for folder in named:
        if not any(folder.glob("*/source.yaml")):
            raise UtpError(
                f"UTP_SOURCES: no provider in {folder}; name a folder that holds folders with a source.yaml, several "
                f"are parted by {os.pathsep!r}"
            )
    return tuple(named)


def known_sources() -> dict[str, Source]:
    """Return all providers by id: those shipped, and those in the folders of UTP_SOURCES."""
    return find_sources(SHIPPED_SOURCES, *source_folders())


def _refuse_namesakes(
    sources: Mapping[str, Source], mappings: Mapping[str, TableMapping], origins: Mapping[str, SourceCard]
) -> None:
    """Raise UtpError for a provider named as another source: rows say by this name alone where they are from."""
    for name, source in sources.items():
        if name in mappings or name in origins:
            what = "a mapping" if name in mappings else "a file of the region"
            raise UtpError(f"{source.folder}: {what} is called {name!r} too; rename one of them")


def _require_one_kind(home: Home, profile: Profile, tables_dir: Path | None) -> None:
    """Raise UtpError where constructed and real data would come to stand in one home, and so under one CURRENT."""
    is_constructed = profile == "sandbox" or (home.raw.is_dir() and Archive(home.raw).kind == "sandbox")
    if is_constructed and tables_dir is not None:
        raise UtpError(f"--tables-dir: {home.folder} is a home of constructed answers, which takes no real files")
    lines = list_releases(home.releases) if home.releases.is_dir() else ()
    origins = {line.origin for line in lines if line.origin is not None}
    if is_constructed and origins - {"sandbox"}:
        raise UtpError(f"{home.folder} holds releases of real data; constructed answers need another --home")


def refuse_idle(mapping: TableMapping) -> None:
    """Raise UtpError for a mapping whose rows would lead nowhere, as its table is not derived from rows of files."""
    if mapping.table not in FROM_SOURCES:
        raise UtpError(
            f"mapping {mapping.id!r}: the table {mapping.table!r} takes no rows from files yet; "
            f"tables that do: {', '.join(FROM_SOURCES)}"
        )


def _require_files(tables_dir: Path, mappings: Mapping[str, TableMapping]) -> None:
    """Raise UtpError when a mapping in the tables folder has no file, or none of all has one."""
    # A shipped mapping waits for a file that may come; one that lies beside the files has a file in mind.
    for mapping in find_mappings(tables_dir).values():
        if not (tables_dir / mapping.file).is_file():
            raise UtpError(f"mapping {mapping.id!r} in {tables_dir} names {mapping.file!r}, which is no file there")
    if not any((tables_dir / mapping.file).is_file() for mapping in mappings.values()):
        wanted = ", ".join(sorted(mapping.file for mapping in mappings.values()))
        raise UtpError(
            f"tables folder {tables_dir} holds no file that a mapping names ({wanted}), and no own *.mapping.yaml"
        )
