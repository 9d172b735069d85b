"""A region as data: its cities, airports, states, dates and floors, read from one folder and checked on the way in.

Here is what a region is and what makes its files valid. How the files of a region are made stands in
`pipeline.regions.select`; which regions exist stands in `pipeline.regions`.
"""

import csv
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from itertools import permutations
from pathlib import Path
from typing import Any, TypeVar

from schemas.errors import UtpError
from schemas.fields.patterns import STATION_CODE
from schemas.strict import Node, StrictError, choose
from schemas.text import clean, fold
from schemas.textyaml import TextYamlError, load_text

CITY_COLUMNS = (
    "city_id", "geonames_id", "name", "state", "latitude", "longitude", "population", "time_zone", "aliases",
    "is_uncertainty_city",
)  # fmt: skip
AIRPORT_COLUMNS = ("iata", "icao", "name", "latitude", "longitude", "city_id", "rule")
STATION_COLUMNS = ("station_code", "city_id", "reason")
ALIAS_SEPARATOR = "|"

_HAZARD = re.compile(r"[(),;\t\r\n]|\b(?:from|to)\b", re.IGNORECASE)
_FRAME_KEYS = (
    "id", "title", "country", "currency", "time_zone", "bbox", "complete", "dates", "states", "floors",
)  # fmt: skip
_BOOLEANS = {"true": True, "false": False}
_UNCERTAINTY, _BUSES = "uncertainty_cities", "bus_pairs"
ROAD_PAIR_RULES = (_UNCERTAINTY, _BUSES)
T = TypeVar("T")


class RegionError(UtpError, ValueError):
    """A region that cannot be used; the message names file, line, cause and next step."""


@dataclass(frozen=True)
class City:
    """One city; `name` is unique in its region and `aliases` are other spellings of this city and of no other."""

    city_id: str
    geonames_id: int
    name: str
    state: str
    latitude: float
    longitude: float
    population: int
    time_zone: str
    aliases: tuple[str, ...]
    is_uncertainty_city: bool


@dataclass(frozen=True)
class Airport:
    """One airport with an IATA code; `city_id` is empty where no city is served, and `rule` then says why."""

    iata: str
    icao: str
    name: str
    latitude: float
    longitude: float
    city_id: str
    rule: str


@dataclass(frozen=True)
class StationReview:
    """What a person decided of a railway station: its city, or an empty `city_id` where it is no city's station."""

    station_code: str
    city_id: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What region.yaml says of a region; `bbox` is (south, west, north, east), `dates` the first and last day.

    `floors` gives per table the fewest rows (and the like) of a release, e.g. `floors["city_set"]["min_rows"]`.
    `former_states` gives per state the states that public files still place its cities in. `trust` gives per table the
    sources that it is derived from, the most trusted first; others come after these, by name. `road_pairs` are the
    rules (of ROAD_PAIR_RULES) by which pairs of cities are chosen whose road delay is asked for.
    """

    id: str
    title: str
    country: str
    currency: str
    time_zone: str
    bbox: tuple[float, float, float, float]
    is_complete: bool
    states: tuple[str, ...]
    dates: tuple[date, date]
    floors: dict[str, dict[str, float]]
    former_states: dict[str, tuple[str, ...]]
    trust: dict[str, tuple[str, ...]]
    road_pairs: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Region(Frame):
    """A whole region: what region.yaml says, with its cities and airports, and the stations that a rule would misplace.

    `snapshots`: file name -> the first 16 digits of its SHA-256.
    """

    cities: tuple[City, ...]
    airports: tuple[Airport, ...]
    snapshots: dict[str, str]
    stations: tuple[StationReview, ...] = ()

    def road_delay_pairs(self, by_bus: Iterable[tuple[str | None, str | None]]) -> tuple[tuple[City, City], ...]:
        """Return the ordered pairs of cities whose road delay is asked for, each once.

        `by_bus` are the names of the two cities of each bus; one that leads to no city of the region has none.
        """
        chosen = [city for city in self.cities if city.is_uncertainty_city] if _UNCERTAINTY in self.road_pairs else []
        cities = {city.name: city for city in self.cities}
        buses = sorted({(a, b) for a, b in by_bus if a and b and a != b}) if _BUSES in self.road_pairs else []
        known = [(cities[a], cities[b]) for a, b in buses if a in cities and b in cities]
        return tuple(dict.fromkeys([*permutations(chosen, 2), *known]))


@dataclass(frozen=True)
class Place:
    """Where a value stands: file (with its folder) and line; builds the error that names them."""

    file: Path
    line: int

    def error(self, cause: str, next_step: str) -> RegionError:
        where = f"{self.file.parent.name}/{self.file.name}, line {self.line}"
        return RegionError(f"{where}: {cause}. {next_step}")

    def convert(self, field: str, text: str, reader: Callable[[str], T], wanted: str) -> T:
        """Read one text value; an unreadable one becomes a RegionError that says what was `wanted`."""
        try:
            return reader(text)
        except (ValueError, KeyError):
            raise self.error(f"{field} is {text!r}, not {wanted}", f"Write {wanted} there") from None


def has_name_hazard(name: str) -> bool:
    """Whether a city name would break the plan grammar: a bracket, comma, semicolon, or the word from or to."""
    return bool(_HAZARD.search(name))


def load_region(folder: Path) -> Region:
    """Read `region.yaml`, `cities.csv`, `airports.csv` and, where there is one, `stations.csv` of a region folder.

    Raises RegionError with file, line, cause and next step at the first fault.
    """
    frame = read_frame(folder / "region.yaml")
    cities = _read_cities(folder / "cities.csv", frame)
    airports = _read_airports(folder / "airports.csv", {city.city_id for city in cities})
    reviewed = folder / "stations.csv"
    stations = _read_stations(reviewed, {city.city_id for city in cities}) if reviewed.is_file() else ()
    files = ("cities.csv", "airports.csv")
    snapshots = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()[:16] for name in files}
    return Region(**vars(frame), cities=cities, airports=airports, snapshots=snapshots, stations=stations)


@contextmanager
def errors_of(path: Path) -> Iterator[None]:
    """Turn what goes wrong while `path` is read into a RegionError that names the file."""
    try:
        yield
    except (OSError, TextYamlError, StrictError) as error:
        message = str(error).removeprefix(f"{path.name}, ")
        raise RegionError(f"{path.parent.name}/{path.name}, {message}") from None


def read_frame(path: Path) -> Frame:
    """Read a region.yaml; raises RegionError."""
    with errors_of(path):
        node = Node(load_text(path), "")
        node.allow((*_FRAME_KEYS, "former_states", "trust", "road_pairs"), required=_FRAME_KEYS)
        bbox, dates = node.child("bbox"), node.child("dates")
        first, last = _day(dates, "first"), _day(dates, "last")
        if first > last:
            raise node.error("dates", f"the first day {first} stands after the last {last}; swap the two")
        states = node.texts("states")
        if not states or len(set(states)) != len(states):
            raise node.error("states", "'states' is empty or names a state twice; list each state of the region once")
        for rule in node.texts("road_pairs"):
            if rule not in ROAD_PAIR_RULES:
                raise node.error("road_pairs", f"'road_pairs' has no rule {rule!r}; {choose(rule, ROAD_PAIR_RULES)}")
        floors = node.child("floors")
        return Frame(
            id=node.needed("id"),
            title=node.needed("title"),
            country=node.needed("country"),
            currency=node.needed("currency"),
            time_zone=node.needed("time_zone"),
            bbox=(bbox.number("south"), bbox.number("west"), bbox.number("north"), bbox.number("east")),
            is_complete=_BOOLEANS[node.choice("complete", _BOOLEANS)],
            states=states,
            dates=(first, last),
            floors={table: _numbers(floors.child(table)) for table in floors.value},
            former_states=_lists(node, "former_states"),
            trust=_lists(node, "trust"),
            road_pairs=node.texts("road_pairs"),
        )


def _day(node: Node, key: str) -> date:
    node.needed(key)
    day = node.date(key)
    assert day is not None
    return day


def _lists(node: Node, key: str) -> dict[str, tuple[str, ...]]:
    return {name: node.child(key).texts(name) for name in node.child(key).value} if node.has(key) else {}


def _numbers(node: Node) -> dict[str, float]:
    return {key: node.number(key) for key in node.value}


def _read_cities(path: Path, frame: Frame) -> tuple[City, ...]:
    cities: list[City] = []
    taken: dict[tuple[str, str], tuple[str, int]] = {}
    for place, row in _read_rows(path, CITY_COLUMNS):
        city = City(
            city_id=place.convert("city_id", row["city_id"], _filled, "a text"),
            geonames_id=place.convert("geonames_id", row["geonames_id"], int, "a whole number"),
            name=place.convert("name", row["name"], _filled, "a text"),
            state=row["state"],
            latitude=place.convert("latitude", row["latitude"], float, "a number of degrees"),
            longitude=place.convert("longitude", row["longitude"], float, "a number of degrees"),
            population=place.convert("population", row["population"], int, "a whole number"),
            time_zone=place.convert("time_zone", row["time_zone"], _filled, "a text"),
            aliases=tuple(alias for alias in row["aliases"].split(ALIAS_SEPARATOR) if alias),
            is_uncertainty_city=place.convert(
                "is_uncertainty_city", row["is_uncertainty_city"], _boolean, "true or false"
            ),
        )
        _check_city(place, city, frame)
        spellings = {fold(name): name for name in (city.name, *city.aliases)}
        keys = [("city_id", city.city_id), ("geonames_id", str(city.geonames_id)), *(("name", s) for s in spellings)]
        for key in keys:
            if key in taken:
                other, line = taken[key]
                shown = spellings.get(key[1], key[1])
                raise place.error(
                    f"{key[0]} {shown!r} of {city.name} is also that of {other} (line {line})",
                    "Give it to one of the two, or append the state to both names",
                )
            taken[key] = (city.name, place.line)
        cities.append(city)
    return tuple(cities)


def _check_city(place: Place, city: City, frame: Frame) -> None:
    if has_name_hazard(city.name):
        raise place.error(
            f"the name {city.name!r} holds a bracket, comma, semicolon, or the word from or to",
            "Choose a spelling without it; a plan with this name could not be read",
        )
    south, west, north, east = frame.bbox
    if not (south <= city.latitude <= north and west <= city.longitude <= east):
        raise place.error(
            f"{city.name} at {city.latitude}, {city.longitude} lies outside the box of the region",
            "Correct the coordinates, or `bbox` in region.yaml",
        )
    if city.state not in frame.states:
        raise place.error(
            f"{city.name} has the state {city.state!r}, which region.yaml does not list",
            f"Choose one of: {', '.join(frame.states)}",
        )


def _read_airports(path: Path, city_ids: set[str]) -> tuple[Airport, ...]:
    airports: dict[str, Airport] = {}
    for place, row in _read_rows(path, AIRPORT_COLUMNS):
        airport = Airport(
            iata=place.convert("iata", row["iata"], _iata, "three capital letters"),
            icao=row["icao"],
            name=row["name"],
            latitude=place.convert("latitude", row["latitude"], float, "a number of degrees"),
            longitude=place.convert("longitude", row["longitude"], float, "a number of degrees"),
            city_id=row["city_id"],
            rule=place.convert("rule", row["rule"], _filled, "a text"),
        )
        if airport.city_id and airport.city_id not in city_ids:
            raise place.error(
                f"airport {airport.iata} serves {airport.city_id!r}, which cities.csv does not hold",
                "Name a city_id of cities.csv, or leave it empty and say why in `rule`",
            )
        if airport.iata in airports:
            raise place.error(f"airport {airport.iata} stands twice", "Remove one of the two rows")
        airports[airport.iata] = airport
    return tuple(airports.values())


def _read_stations(path: Path, city_ids: set[str]) -> tuple[StationReview, ...]:
    stations: dict[str, StationReview] = {}
    for place, row in _read_rows(path, STATION_COLUMNS):
        review = StationReview(
            station_code=place.convert("station_code", row["station_code"], _station_code, "the code of a station"),
            city_id=row["city_id"],
            reason=place.convert("reason", row["reason"], _filled, "a text"),
        )
        if review.city_id and review.city_id not in city_ids:
            raise place.error(
                f"station {review.station_code} is given to {review.city_id!r}, which cities.csv does not hold",
                "Name a city_id of cities.csv, or leave it empty for a station of no city",
            )
        if review.station_code in stations:
            raise place.error(f"station {review.station_code} stands twice", "Remove one of the two rows")
        stations[review.station_code] = review
    return tuple(stations.values())


def _read_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[Place, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header = next(reader, [])
            if tuple(header) != columns:
                raise Place(path, 1).error(f"the columns are {header}", f"Write the header {','.join(columns)}")
            yield from _rows_of(path, reader, columns)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Place(path, 1).error(
            f"cannot be read ({error})", "Write it with `python -m pipeline.regions.select`"
        ) from None


def _rows_of(path: Path, reader: Any, columns: tuple[str, ...]) -> Iterable[tuple[Place, dict[str, str]]]:
    for cells in reader:
        place = Place(path, reader.line_num)
        if len(cells) != len(columns):
            raise place.error(f"{len(cells)} cells where {len(columns)} are wanted", "Quote a cell that holds a comma")
        if any(cell != clean(cell) for cell in cells):
            raise place.error("a cell has outer or double blanks or is not NFC", "Write its text cleanly")
        yield place, dict(zip(columns, cells, strict=True))


def _filled(text: str) -> str:
    if not text:
        raise ValueError
    return text


def _boolean(text: str) -> bool:
    return _BOOLEANS[text]


def _iata(text: str) -> str:
    if not re.fullmatch(r"[A-Z]{3}", text):
        raise ValueError
    return text


def _station_code(text: str) -> str:
    if not re.fullmatch(STATION_CODE, text):
        raise ValueError
    return text
