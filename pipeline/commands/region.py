"""`utp region list` and `utp region show`."""

import argparse
from collections import Counter

from pipeline.commands.output import print_json, print_table
from pipeline.regions import read_region, region_ids
from schemas.region import Region


def run(arguments: argparse.Namespace) -> int:
    """Print all regions, or one with its states and cities."""
    if arguments.verb == "show":
        return _show(read_region(arguments.region), arguments.json)
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
