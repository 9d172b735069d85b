"""`utp region list | show | check`: the regions that can be built, and whether their cities lie where they say."""

import argparse
from collections import Counter
from pathlib import Path

from pipeline.commands.output import print_json, print_table
from pipeline.regions import read_region, region_ids
from schemas.errors import DataError, UtpError
from schemas.region import Region
from warehouse.derive.cities import state_of


def run(arguments: argparse.Namespace) -> int:
    """Print all regions, or one with its states and cities."""
    if arguments.verb == "show":
        return _show(read_region(arguments.region), arguments.json)
    if arguments.verb == "check":
        return _check(read_region(arguments.region), arguments.boundaries, arguments.json)
    regions = [read_region(region_id) for region_id in region_ids()]
    if arguments.json:
        print_json([_facts(region) for region in regions])
    else:
        rows = [(region.id, len(region.cities), len(region.states), region.title) for region in regions]
        print_table(("region", "cities", "states", "title"), rows)
    return 0


def _facts(region: Region) -> dict[str, object]:
    return {
        "region": region.id,
        "title": region.title,
        "cities": len(region.cities),
        "states": len(region.states),
        "airports": sum(1 for airport in region.airports if airport.city_id),
        "uncertainty_cities": [city.name for city in region.cities if city.is_uncertainty_city],
        "country": region.country,
        "currency": region.currency,
        "complete": region.is_complete,
    }


def _show(region: Region, as_json: bool) -> int:
    if as_json:
        print_json({**_facts(region), "states": list(region.states), "cities": [city.name for city in region.cities]})
        return 0
    facts = _facts(region)
    print_table(
        ("fact", "value"),
        [(key, ", ".join(value) if isinstance(value, list) else value) for key, value in facts.items()],
    )
    counts = Counter(city.state for city in region.cities)
    print_table(("state", "cities"), sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    return 0


def _check(region: Region, boundaries: Path, as_json: bool) -> int:
    """Print the cities that lie in another state than theirs; 1 where there are any.

    A city that lies in no state of the file is not judged, and counted: the file may hold only a part of the country.
    """
    from sources.osm.boundaries import STATE_LEVEL, boundaries_of_extract

    states = [area for area in boundaries_of_extract(boundaries) if area.level == STATE_LEVEL]
    if not states:
        raise UtpError(f"{boundaries}: no boundary of a state (admin_level {STATE_LEVEL}); name an extract with some")
    held = {
        city.name: [area.name for area in states if area.holds(city.latitude, city.longitude)] for city in region.cities
    }
    astray = [
        {"city": city.name, "state": city.state, "lies_in": held[city.name]}
        for city in region.cities
        if held[city.name] and city.state not in {state_of(name) or name for name in held[city.name]}
    ]
    unjudged = sum(1 for names in held.values() if not names)
    if as_json:
        print_json({"region": region.id, "states": len(states), "not_judged": unjudged, "astray": astray})
    else:
        print_table(("city", "state", "lies in"), [(a["city"], a["state"], ", ".join(a["lies_in"])) for a in astray])
        print(
            f"{len(astray)} of {len(held) - unjudged} cities lie in another state; {unjudged} lie in none of the file"
        )
    return DataError.exit_status if astray else 0
