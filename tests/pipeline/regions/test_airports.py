"""Which city each airport serves, and that none is lost."""

import csv
from pathlib import Path

import airportsdata
import pytest

from pipeline.regions.airports import Field, map_airports
from pipeline.regions.selection import AirportOverride, AirportRules
from schemas.region import City, Place, Region, RegionError

WELL_KNOWN = {
    "DEL": "Delhi",
    "BOM": "Mumbai",
    "NMI": "Navi Mumbai",
    "BLR": "Bengaluru",
    "MAA": "Chennai",
    "CCU": "Kolkata",
    "HYD": "Hyderabad",
    "COK": "Kochi",
    "TRV": "Thiruvananthapuram",
    "IXB": "Siliguri",
    "VNS": "Varanasi",
    "GOI": "Panaji",
    "GOX": "Panaji",
    "IXZ": "Port Blair",
    "IXE": "Mangaluru",
    "IXU": "Chhatrapati Sambhajinagar",
    "PAT": "Patna",
    "DBR": "Darbhanga",
    "AIP": "Jalandhar",
}


@pytest.mark.parametrize(("iata", "city"), WELL_KNOWN.items())
def test_a_well_known_airport_serves_its_city(india: Region, iata: str, city: str) -> None:
    names = {city.city_id: city.name for city in india.cities}
    assert names[next(airport.city_id for airport in india.airports if airport.iata == iata)] == city


def test_67_or_more_cities_are_reachable(india: Region) -> None:
    assert len({airport.city_id for airport in india.airports} - {""}) >= 67


def test_every_indian_airport_with_a_code_has_one_row_that_says_its_rule(india: Region) -> None:
    expected = {row["iata"] for row in airportsdata.load("ICAO").values() if row["country"] == "IN" and row["iata"]}
    assert [airport.iata for airport in india.airports] == sorted(expected)
    assert all(airport.rule.startswith("unmapped: ") == (airport.city_id == "") for airport in india.airports)


def test_codes_and_positions_agree_with_an_independent_list(india: Region, shared_data: Path) -> None:
    ours = {airport.iata: airport for airport in india.airports}
    with (shared_data / "airports" / "openflights_airports_IN.dat").open(encoding="utf-8") as stream:
        theirs = {row[4]: (float(row[6]), float(row[7])) for row in csv.reader(stream) if row[4] != r"\N"}
    assert theirs.keys() - ours.keys() == {"RAJ", "RDP", "PUT", "SAG"}  # not in the package
    common = theirs.keys() & ours.keys()
    assert len(common) > 100
    far = {
        iata
        for iata in common
        if max(abs(theirs[iata][0] - ours[iata].latitude), abs(theirs[iata][1] - ours[iata].longitude)) > 0.1
    }
    assert far == set()


def city(name: str, latitude: float, *aliases: str) -> City:
    return City(name.lower(), 1, name, "S", latitude, 80.0, 1, "Asia/Kolkata", aliases, False)


RULES = AirportRules(name_match_km=60, nearest_km=40, overrides={}, positions={}, notes={})
CITIES = (city("Near", 20.0), city("Named", 20.4, "Oldname"))


def map_one(name: str, town: str, latitude: float, rules: AirportRules = RULES) -> tuple[str, str]:
    (airport,) = map_airports([Field("AAA", "VAAA", name, town, latitude, 80.0)], CITIES, rules)
    return airport.city_id, airport.rule


def test_a_name_goes_before_a_nearer_city() -> None:
    assert map_one("Named Airport", "", 20.01) == ("named", "name match, 43 km")
    assert map_one("Gandhi Airport", "Oldname", 20.01) == ("named", "name match, 43 km")


def test_a_name_counts_only_as_whole_words_and_within_its_distance() -> None:
    assert map_one("Unnamed Airport", "", 20.01) == ("near", "nearest city, 1 km")
    assert map_one("Named Airport", "", 21.0)[0] == ""


def test_an_airport_far_from_all_cities_is_unmapped_with_its_reason() -> None:
    assert map_one("Lone Airport", "", 21.0) == ("", "unmapped: no city within 40 km, nearest Named at 67 km")


def test_a_reviewed_override_goes_before_all_and_must_name_a_city_and_an_airport() -> None:
    place = Place(Path("x/selection.yaml"), 7)

    def rules(code: str, name: str) -> AirportRules:
        return AirportRules(60, 40, {code: AirportOverride(place, name, "why")}, {}, {"AAA": "closed"})

    assert map_one("Named Airport", "", 20.01, rules("AAA", "Near")) == ("near", "reviewed: why; closed")
    with pytest.raises(RegionError, match=r"x/selection.yaml, line 7: there is no city 'Nowhere'"):
        map_one("Named Airport", "", 20.01, rules("AAA", "Nowhere"))
    with pytest.raises(RegionError, match="there is no airport ZZZ"):
        map_one("Named Airport", "", 20.01, rules("ZZZ", "Near"))
