"""The written rule on a constructed country of a few places."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pipeline.regions.candidates import choose, plain_name
from pipeline.regions.cities import make_cities
from pipeline.regions.geonames import Entry
from pipeline.regions.selection import AirportRules, Naming, Removal, Review, Selection, StateReview
from schemas.region import City, Frame, Place, RegionError

PLACE = Place(Path("tiny/selection.yaml"), 3)
FRAME = Frame(
    id="tiny",
    title="Tiny",
    country="XX",
    currency="XXX",
    time_zone="UTC",
    bbox=(0, 0, 50, 50),
    is_complete=False,
    states=("North", "South"),
    dates=(date(2025, 1, 1), date(2025, 1, 2)),
    floors={},
    former_states={},
    trust={},
    road_pairs=(),
)
RULE = Selection(
    place=PLACE,
    min_city_population=0,
    candidates=6,
    size=4,
    votes=1,
    twin_km=8,
    default_floor=1,
    floors={},
    admin1={"N": "North", "S": "South", "W": "West"},
    not_covered={"West": "too small"},
    removed={},
    keep={},
    state_reviews={},
    population_reviews={},
    names={},
    uncertainty_cities=(),
    airports=AirportRules(60, 40, {}, {}, {}),
)


def entry(number: int, name: str, admin1: str, latitude: float, population: int) -> Entry:
    return Entry(number, name, admin1, latitude, 10.0, population, "UTC")


ENTRIES = (
    entry(1, "Ālpha", "N", 40.0, 900),
    entry(2, "Quarter", "N", 40.5, 800),
    entry(3, "Wild", "W", 30.0, 750),
    entry(4, "Beta", "N", 41.0, 700),
    entry(5, "Gamma", "N", 41.5, 600),
    entry(6, "Delta", "N", 42.0, 500),
    entry(7, "Small", "S", 10.0, 20),
    entry(8, "Tiny", "S", 10.5, 10),
)


def cities(rule: Selection, entries: tuple[Entry, ...] = ENTRIES) -> list[City]:
    _, chosen = choose(entries, FRAME, rule)
    return make_cities(chosen, entries, FRAME, rule)


def test_the_floor_cities_and_the_first_that_pass_are_in() -> None:
    rule = replace(RULE, removed={2: Removal(PLACE, "Quarter", "a ward", "quarter", "Alpha")})
    candidates, chosen = choose(ENTRIES, FRAME, rule)
    assert [(row.rank, row.name, row.outcome, row.reason) for row in candidates] == [
        (1, "Alpha", "in", "one of the largest of North"),
        (2, "Quarter", "out", "quarter of Alpha: a ward"),
        (3, "Beta", "in", "among the first 4 that pass"),
        (4, "Gamma", "in", "among the first 4 that pass"),
        (5, "Delta", "out", "passes, but 4 cities stand before it"),
        (6, "Small", "in", "one of the largest of South"),
    ]
    assert [place.geonames_id for place in chosen] == [1, 4, 5, 7]


def test_a_state_may_keep_more_than_one_city() -> None:
    _, chosen = choose(ENTRIES, FRAME, replace(RULE, floors={"South": 2}))
    assert [place.name for place in chosen] == ["Ālpha", "Quarter", "Small", "Tiny"]


def test_too_few_places_are_an_error() -> None:
    with pytest.raises(RegionError, match="only 7 of 9 cities pass"):
        choose(ENTRIES, FRAME, replace(RULE, size=9, candidates=9))
    with pytest.raises(RegionError, match="South has only 2 places for its floor of 3"):
        choose(ENTRIES, FRAME, replace(RULE, floors={"South": 3}))


def test_two_cities_of_one_name_both_get_their_state() -> None:
    entries = tuple(replace(place, name="Ālpha") if place.name == "Small" else place for place in ENTRIES)
    names = {city.name: city for city in cities(RULE, entries)}
    assert {"Alpha North", "Alpha South"} <= names.keys()
    assert names["Alpha South"].city_id == "xx-alpha-south"
    assert names["Alpha South"].aliases == ("Ālpha South",)


def test_an_alias_that_is_the_name_of_another_city_belongs_to_neither() -> None:
    rule = replace(RULE, names={7: Naming(PLACE, "Small", "", ("Beta",), True)})
    names = {city.name: city for city in cities(rule)}
    assert "Beta North" in names
    assert names["Small"].aliases == ("Beta South",)


def test_the_former_name_becomes_an_alias_unless_it_belongs_elsewhere() -> None:
    for keeps_former, aliases in [(True, ("Small",)), (False, ())]:
        rule = replace(RULE, names={7: Naming(PLACE, "Small", "Grand", (), keeps_former)})
        (grand,) = [city for city in cities(rule) if city.name == "Grand"]
        assert grand.aliases == aliases


def test_a_name_that_is_not_ascii_without_accents_must_be_given() -> None:
    assert plain_name(ENTRIES[0], RULE) == "Alpha"
    with pytest.raises(RegionError, match="not ASCII"):
        plain_name(replace(ENTRIES[0], name="अल्फा"), RULE)


def test_a_near_twin_must_be_reviewed_and_a_review_must_have_a_twin() -> None:
    entries = tuple(replace(place, latitude=40.05) if place.name == "Quarter" else place for place in ENTRIES)
    with pytest.raises(RegionError, match=r"Quarter \(2\) lies 5.6 km from the larger Ālpha"):
        cities(RULE, entries)
    kept = replace(RULE, keep={2: Review(PLACE, "Quarter", "own council")})
    assert len(cities(kept, entries)) == 4
    with pytest.raises(RegionError, match=r"tiny/selection.yaml, line 3: Quarter is not near a larger city"):
        cities(kept)


def test_a_disputed_state_must_be_reviewed_and_a_review_must_have_a_dispute() -> None:
    entries = tuple(replace(place, admin1="S") if place.name == "Gamma" else place for place in ENTRIES)
    rule = replace(RULE, size=5)
    with pytest.raises(RegionError, match=r"Gamma \(5\) is in South for GeoNames, but its neighbours vote for North"):
        cities(rule, entries)
    review = {5: StateReview(PLACE, "Gamma", "on the border", "North")}
    assert next(
        city.state for city in cities(replace(rule, state_reviews=review), entries) if city.name == "Gamma"
    ) == ("North")
    with pytest.raises(RegionError, match="nobody disputes the state of Gamma"):
        cities(replace(rule, state_reviews=review))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"not_covered": {}}, "`not_covered` explains"),
        ({"uncertainty_cities": ("Nowhere",)}, r"uncertainty cities \['Nowhere'\] are not in the set"),
        ({"removed": {8: Removal(PLACE, "Tiny", "", "quarter", "Nowhere")}}, "there is no city 'Nowhere'"),
        ({"names": {8: Naming(PLACE, "Tiny", "Big", (), True)}}, "Tiny is not in the set"),
    ],
)
def test_a_decision_that_means_nothing_is_an_error(change: dict[str, object], said: str) -> None:
    with pytest.raises(RegionError, match=said):
        cities(replace(RULE, **change))  # type: ignore[arg-type]
