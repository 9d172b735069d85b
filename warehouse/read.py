"""What the evaluator imports: a release as Arrow tables, and look-ups of cities, places, distances and stops.

    warehouse = read.open("data/india")
    warehouse.place("restaurants", "Karim's - Jama Masjid", "Delhi")

A name is found when it is the whole name, whatever its case and accents. A look-up of one thing returns it, or None
where there is none; two that fit are an error, because a guess is never made. Look-ups see visible rows. The release is
fixed when it is opened, and each file is held against its SHA-256 when it is first read. Arrow comes with the first.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from schemas.errors import DataError, UtpError
from schemas.tables import PLACE_TABLES
from schemas.text import clean, fold
from warehouse.release import store
from warehouse.release.errors import DamagedRelease, UnknownRelease
from warehouse.release.manifest import MANIFEST, Manifest, read_manifest

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


class ReadError(UtpError):
    """Root of what a reader can ask wrongly; the message lists the choices."""


class UnknownTable(ReadError):
    """A table that no release can hold."""


class UnknownColumn(ReadError):
    """A column that the table does not have."""


class UnknownCity(ReadError):
    """A city that the region does not have."""


class TableAbsent(ReadError, DataError):
    """A table that this release does not hold; the message gives the manifest's reason."""


class Ambiguous(ReadError, DataError):
    """A name that fits several rows; the message lists them."""


@dataclass(frozen=True)
class City:
    """One city of the region; `coverage` names the tables that hold rows of it."""

    name: str
    state: str
    city_id: str
    latitude: float
    longitude: float
    aliases: tuple[str, ...]
    is_uncertainty_city: bool
    coverage: tuple[str, ...]


@dataclass(frozen=True)
class Place:
    """One visible row of a place table; `row` holds all its columns."""

    table: str
    name: str
    city: str
    latitude: float
    longitude: float
    row: Mapping[str, Any]


@dataclass(frozen=True)
class Distance:
    """One ordered pair of cities. Road values are None where no road is known or was asked for (`road_status`)."""

    origin: str
    destination: str
    great_circle_km: float
    road_status: str
    distance_km: float | None
    duration_min: int | None
    road_feasible: bool | None


@dataclass(frozen=True)
class NearestStop:
    """The stop nearest to a place, in metres and in km as printed; stop and distances are None where there is none."""

    place: str
    city: str
    poi_type: str
    stop_id: str | None
    stop_name: str | None
    distance_m: float | None
    distance_km: float | None


@dataclass(frozen=True)
class Warehouse:
    """One release, open for reading. Made by `open`."""

    folder: Path
    manifest: Manifest
    _tables: dict[str, "pa.Table"] = field(default_factory=dict, repr=False, compare=False)
    _indexes: dict[tuple[str, ...], dict[str, list[Any]]] = field(default_factory=dict, repr=False, compare=False)

    def tables(self) -> tuple[str, ...]:
        """Return the names of the tables that this release holds."""
        return tuple(sorted(self.manifest.tables))

    def table(self, name: str, visible_only: bool = True, columns: Sequence[str] | None = None) -> "pa.Table":
        """Return a table, by default the rows that the evaluator may see, with all columns.

        Raises UnknownTable, TableAbsent, UnknownColumn, and DamagedRelease when the file is not what was published.
        """
        rows = self._whole(name)
        wanted = rows.column_names if columns is None else list(columns)
        strangers = [column for column in wanted if column not in rows.column_names]
        if strangers:
            raise UnknownColumn(
                f"table {name} has no column {strangers[0]!r}; choose of {', '.join(rows.column_names)}"
            )
        if visible_only:
            rows = rows.filter(rows["evaluator_visible"])
        return rows.select(wanted)

    def city(self, name: str) -> City | None:
        """Return the city of that name or alias, or None. A city's own name goes before an alias of another city.

        Raises Ambiguous when an alias leads to several cities.
        """
        if ("city_set",) not in self._indexes:
            self._indexes[("city_set",)] = self._index_cities()
        found = self._indexes[("city_set",)].get(fold(name), [])
        own = [city for city in found if fold(city.name) == fold(name)]
        return _only(own or found, name, "city", lambda city: city.name)

    def place(self, table: str, name: str, city: str) -> Place | None:
        """Return the visible place of that name in a city (name or alias), or None. Raises Ambiguous, TableAbsent."""
        found = self.city(city)
        if found is None:
            self._place_table(table)
            return None
        places = self._index_places(table, found.name).get(fold(name), [])
        return _only(places, name, f"row of {table} in {found.name}", lambda place: place.name)

    def places_in(self, table: str, city: str) -> tuple[Place, ...]:
        """Return the visible places of a city (name or alias) in file order. Raises UnknownCity, TableAbsent."""
        found = self.city(city)
        if found is None:
            raise UnknownCity(f"no city {city!r} in region {self.manifest.region}; `utp read city_set` lists them")
        return tuple(_place(table, row) for row in self._rows(self._place_table(table), City=found.name))

    def distance(self, origin: str, destination: str) -> Distance | None:
        """Return the distance of an ordered pair of cities (names or aliases), or None. Raises TableAbsent."""
        self._whole("distance_matrix")
        ends = self.city(origin), self.city(destination)
        if ends[0] is None or ends[1] is None:
            return None
        rows = self._rows("distance_matrix", origin=ends[0].name, destination=ends[1].name)
        pair = f"{ends[0].name} to {ends[1].name}"
        row = _only(rows, pair, "row of distance_matrix", lambda row: row["source_ref"])
        return None if row is None else Distance(**{name: row[name] for name in Distance.__dataclass_fields__})

    def nearest_stop(self, name: str, city: str, poi_type: str) -> NearestStop | None:
        """Return the stop nearest to a place; None where the place is not in the table. Raises Ambiguous, TableAbsent.

        `poi_type` is a token of that vocabulary: attraction, restaurant or accommodation.
        """
        self._whole("poi_nearest_stops")
        found = self.city(city)
        if found is None:
            return None
        rows = self._rows("poi_nearest_stops", City=found.name, poi_type=poi_type)
        stops = [_nearest_stop(row) for row in rows if fold(row["PoI"]) == fold(name)]
        return _only(stops, name, f"{poi_type} in {found.name}", lambda stop: stop.place)

    def _whole(self, name: str) -> "pa.Table":
        if name not in self._tables:
            self._tables[name] = self._read(name)
        return self._tables[name]

    def _read(self, name: str) -> "pa.Table":
        if name in self.manifest.tables_absent:
            reason = self.manifest.tables_absent[name]
            raise TableAbsent(f"release {self.manifest.id} has no table {name}: {reason}; it has {self._choices()}")
        if name not in self.manifest.tables:
            raise UnknownTable(f"no table {name!r} in release {self.manifest.id}; choose one of {self._choices()}")
        import pyarrow as pa
        import pyarrow.parquet as pq

        entry = self.manifest.tables[name]
        try:
            raw = (self.folder / entry.file).read_bytes()
        except OSError as error:
            raise self._damaged(entry.file, error.strerror or str(error)) from None
        if hashlib.sha256(raw).hexdigest() != entry.sha256:
            raise self._damaged(entry.file, "it has another SHA-256 than the manifest says")
        # Without threads: those that reading a buffer starts can abort the reader's process at its end.
        return pq.ParquetFile(pa.BufferReader(raw)).read(use_threads=False)

    def _damaged(self, file: str, cause: str) -> DamagedRelease:
        return DamagedRelease(
            f"release {self.manifest.id}, {file}: {cause}; see `utp release verify {self.manifest.id}`, "
            "and roll back to a sound one"
        )

    def _choices(self) -> str:
        return ", ".join(self.tables()) or "no table at all"

    def _place_table(self, table: str) -> str:
        if table not in PLACE_TABLES:
            raise UnknownTable(f"{table!r} is no table of places; choose one of {', '.join(PLACE_TABLES)}")
        self._whole(table)
        return table

    def _rows(self, table: str, **values: str) -> list[dict[str, Any]]:
        """The visible rows in which each of these columns has its value."""
        import pyarrow.compute as pc

        rows = self._whole(table)
        hits = rows["evaluator_visible"]
        for column, value in values.items():
            hits = pc.and_kleene(hits, pc.equal(rows[column], value))
        return list(rows.filter(hits).to_pylist())

    def _index_cities(self) -> dict[str, list[City]]:
        index: dict[str, list[City]] = {}
        for row in self._whole("city_set").to_pylist():
            city = City(
                name=row["City"],
                state=row["State"],
                city_id=row["city_id"],
                latitude=row["latitude"],
                longitude=row["longitude"],
                aliases=tuple(row["aliases"] or ()),
                is_uncertainty_city=bool(row["uncertainty_city"]),
                coverage=tuple(row["coverage"] or ()),
            )
            for spelling in {fold(name) for name in (city.name, *city.aliases)}:
                index.setdefault(spelling, []).append(city)
        return index

    def _index_places(self, table: str, city: str) -> dict[str, list[Place]]:
        if (table, city) not in self._indexes:
            index: dict[str, list[Place]] = {}
            for row in self._rows(self._place_table(table), City=city):
                index.setdefault(fold(row["name"]), []).append(_place(table, row))
            self._indexes[table, city] = index
        return self._indexes[table, city]


def open(path: str | Path, release: str | None = None) -> Warehouse:
    """Open a release: `path` is a home, a folder of releases or one release; by default the current one is taken.

    Later publishing does not touch what was opened. Raises UnknownRelease (with the choices) and DamagedRelease.
    """
    folder = Path(path)
    if not (folder / MANIFEST).is_file():
        releases = folder / "releases" if (folder / "releases").is_dir() else folder
        if not releases.is_dir():
            raise UnknownRelease(f"no folder {folder}; name a home, a folder of releases or a release")
        folder = store.release_folder(releases, release)
    manifest = read_manifest(folder)
    if release is not None and manifest.id != release:
        raise UnknownRelease(f"{folder} is release {manifest.id}, not {release}; leave `release` out, or name its home")
    return Warehouse(folder.resolve(), manifest)


def _place(table: str, row: Mapping[str, Any]) -> Place:
    return Place(table, row["name"], row["City"], row["latitude"], row["longitude"], row)


def _nearest_stop(row: Mapping[str, Any]) -> NearestStop:
    return NearestStop(
        place=row["PoI"],
        city=row["City"],
        poi_type=row["poi_type"],
        stop_id=row["nearest_stop_id"],
        stop_name=row["nearest_stop_name"],
        distance_m=row["nearest_stop_distance"],
        distance_km=row["nearest_stop_distance_km"],
    )


def _only(found: Sequence[T], name: str, kind: str, name_of: Callable[[T], str]) -> T | None:
    """The one that fits, or None. Several that differ in case or accents alone are told apart by the exact spelling."""
    if len(found) > 1:
        found = [one for one in found if name_of(one) == clean(name)] or found
    if len(found) > 1:
        candidates = ", ".join(sorted(name_of(one) for one in found))
        raise Ambiguous(f"{name!r} fits {len(found)} times as {kind}: {candidates}; write one of them exactly")
    return found[0] if found else None
