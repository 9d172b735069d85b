"""The judgement of selection.yaml as typed values; how it is applied stands in the modules beside this one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from schemas.region import Place, errors_of
from schemas.strict import Node
from schemas.textyaml import load_text

_WHYS = ("quarter", "double", "figure")
_ANSWERS = ("yes", "no")
T = TypeVar("T")


@dataclass(frozen=True)
class Reviewed:
    """An entry by GeoNames id: where it stands, and the spelling that GeoNames has for this id."""

    place: Place
    geonames: str


@dataclass(frozen=True)
class Review(Reviewed):
    """A decision with its reason."""

    note: str


@dataclass(frozen=True)
class Removal(Review):
    """Why a place is no city of its own; `of` is the city it belongs to, empty where only its figure is wrong."""

    why: str
    of: str


@dataclass(frozen=True)
class StateReview(Review):
    """The state of a place whose neighbours vote for another one."""

    state: str


@dataclass(frozen=True)
class PopulationReview(Review):
    """A population that differs much from the census; `use` replaces it, None keeps it."""

    census: int
    use: int | None


@dataclass(frozen=True)
class Naming(Reviewed):
    """The name now in use (empty keeps that of GeoNames) and its aliases, among them the old one if `keeps_former`."""

    name: str
    aliases: tuple[str, ...]
    keeps_former: bool


@dataclass(frozen=True)
class AirportOverride:
    """The name of the city that an airport serves although the rule would say another."""

    place: Place
    city: str
    note: str


@dataclass(frozen=True)
class AirportPosition:
    """The true position of an airport, in degrees, where the package is wrong."""

    place: Place
    latitude: float
    longitude: float
    note: str


@dataclass(frozen=True)
class AirportRules:
    """How airports find their city: two distances in km, and reviewed exceptions by IATA code."""

    name_match_km: float
    nearest_km: float
    overrides: dict[str, AirportOverride]
    positions: dict[str, AirportPosition]
    notes: dict[str, str]


@dataclass(frozen=True)
class Selection:
    """All of one selection.yaml; reviewed entries are keyed by GeoNames id, states by admin1 code."""

    place: Place
    min_city_population: int
    candidates: int
    size: int
    votes: int
    twin_km: float
    default_floor: int
    floors: dict[str, int]
    admin1: dict[str, str]
    not_covered: dict[str, str]
    removed: dict[int, Removal]
    keep: dict[int, Review]
    state_reviews: dict[int, StateReview]
    population_reviews: dict[int, PopulationReview]
    names: dict[int, Naming]
    uncertainty_cities: tuple[str, ...]
    airports: AirportRules


@dataclass(frozen=True)
class Subset:
    """A selection that takes cities from another region, by city_id."""

    place: Place
    subset_of: str
    city_ids: tuple[str, ...]


def read_selection(path: Path) -> Selection | Subset:
    """Read a selection.yaml; raises RegionError with file and line at the first fault."""
    with errors_of(path):
        node = Node(load_text(path), "")
        if node.has("subset_of"):
            node.allow(("subset_of", "cities"))
            return Subset(Place(path, node.line("cities")), node.needed("subset_of"), node.texts("cities"))
        return _Reader(path).selection(node)


@dataclass(frozen=True)
class _Reader:
    path: Path

    def selection(self, node: Node) -> Selection:
        rule, removed = node.child("rule"), self.by_id(node.child("removed"), self.removal)
        return Selection(
            place=Place(self.path, node.first_line),
            min_city_population=int(rule.number("min_city_population")),
            candidates=int(rule.number("candidates")),
            size=int(rule.number("size")),
            votes=int(rule.number("votes")),
            twin_km=rule.number("twin_km"),
            default_floor=int(rule.number("default_floor")),
            floors={state: int(rule.child("floors").number(state)) for state in rule.child("floors").value},
            admin1=_texts(node.child("admin1")),
            not_covered=_texts(node.child("not_covered")),
            removed=removed,
            keep=self.by_id(node.child("keep"), self.review),
            state_reviews=self.by_id(node.child("state_reviews"), self.state_review),
            population_reviews=self.by_id(node.child("population_reviews"), self.population_review),
            names=self.by_id(node.child("names"), self.naming),
            uncertainty_cities=node.texts("uncertainty_cities"),
            airports=self.airport_rules(node.child("airports")),
        )

    def by_id(self, node: Node, read: Callable[[Node], T]) -> dict[int, T]:
        wrong = [key for key in node.value if not key.isdecimal()]
        if wrong:
            raise node.error(wrong[0], f"{wrong[0]!r} is no GeoNames id; write a whole number")
        return {int(key): read(node.child(key)) for key in node.value}

    def place(self, node: Node) -> Place:
        return Place(self.path, node.first_line)

    def review(self, node: Node) -> Review:
        node.allow(("geonames", "note"))
        return Review(self.place(node), node.needed("geonames"), node.needed("note"))

    def removal(self, node: Node) -> Removal:
        node.allow(("geonames", "why", "of", "note"))
        why = node.choice("why", _WHYS)
        of = node.text("of") if why == "figure" else node.needed("of")
        return Removal(self.place(node), node.needed("geonames"), node.needed("note"), why, of)

    def state_review(self, node: Node) -> StateReview:
        node.allow(("geonames", "state", "note"))
        return StateReview(self.place(node), node.needed("geonames"), node.needed("note"), node.needed("state"))

    def population_review(self, node: Node) -> PopulationReview:
        node.allow(("geonames", "census", "use", "note"))
        use = int(node.number("use")) if node.has("use") else None
        return PopulationReview(
            self.place(node), node.needed("geonames"), node.needed("note"), int(node.number("census")), use
        )

    def naming(self, node: Node) -> Naming:
        node.allow(("geonames", "name", "aliases", "former"))
        return Naming(
            place=self.place(node),
            geonames=node.needed("geonames"),
            name=node.text("name"),
            aliases=node.texts("aliases"),
            keeps_former=node.choice("former", _ANSWERS, default="yes") == "yes",
        )

    def airport_rules(self, node: Node) -> AirportRules:
        overrides, positions = node.child("overrides"), node.child("positions")
        return AirportRules(
            name_match_km=node.number("name_match_km"),
            nearest_km=node.number("nearest_km"),
            overrides={code: self.airport_override(overrides.child(code)) for code in overrides.value},
            positions={code: self.airport_position(positions.child(code)) for code in positions.value},
            notes=_texts(node.child("notes")),
        )

    def airport_override(self, node: Node) -> AirportOverride:
        return AirportOverride(self.place(node), node.needed("city"), node.needed("note"))

    def airport_position(self, node: Node) -> AirportPosition:
        return AirportPosition(self.place(node), node.number("latitude"), node.number("longitude"), node.needed("note"))


def _texts(node: Node) -> dict[str, str]:
    return {key: node.needed(key) for key in node.value}
