"""The cities of a region from the places that are in: states by vote, twins by review, names that mean one city."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from pipeline.regions.candidates import plain_name, state_of
from pipeline.regions.geonames import Entry, distances_km, vote_admin1
from pipeline.regions.selection import Selection
from schemas.region import City, Frame
from schemas.text import fold, slug


def make_cities(chosen: Sequence[Entry], entries: Sequence[Entry], frame: Frame, selection: Selection) -> list[City]:
    """The cities sorted by state and name; raises RegionError where a decision is missing or means nothing."""
    _check_states(chosen, entries, frame, selection)
    _check_twins(chosen, selection)
    spellings = {entry.geonames_id: _spellings(entry, selection) for entry in chosen}
    claims = Counter(spelling for names in spellings.values() for spelling in {fold(name) for name in names})
    cities = []
    for entry in chosen:
        state = state_of(entry, selection)
        name, *aliases = (
            f"{spelling} {state}" if claims[fold(spelling)] > 1 else spelling
            for spelling in spellings[entry.geonames_id]
        )
        cities.append(
            City(
                city_id=f"{frame.country.lower()}-{slug(name)}",
                geonames_id=entry.geonames_id,
                name=name,
                state=state,
                latitude=entry.latitude,
                longitude=entry.longitude,
                population=entry.population,
                time_zone=entry.time_zone,
                aliases=tuple(dict.fromkeys(alias for alias in aliases if alias != name)),
                is_uncertainty_city=name in selection.uncertainty_cities,
            )
        )
    _check_reviews(cities, selection)
    return sorted(cities, key=lambda city: (city.state, city.name))


def _spellings(entry: Entry, selection: Selection) -> list[str]:
    """The name of a city, then its other spellings."""
    name = plain_name(entry, selection)
    naming = selection.names.get(entry.geonames_id)
    if naming is None:
        return [name, entry.name]
    return [name, *([entry.name] if naming.keeps_former else []), *naming.aliases]


def _check_states(chosen: Sequence[Entry], entries: Sequence[Entry], frame: Frame, selection: Selection) -> None:
    uncovered = set(selection.admin1.values()) - set(frame.states)
    if uncovered != selection.not_covered.keys():
        raise selection.place.error(
            f"`not_covered` explains {sorted(selection.not_covered)}, but region.yaml leaves out {sorted(uncovered)}",
            "Make the two agree",
        )
    points = np.array([(entry.latitude, entry.longitude) for entry in entries])
    for entry in chosen:
        vote = vote_admin1(entry, entries, points, selection.votes)
        review = selection.state_reviews.get(entry.geonames_id)
        if vote != entry.admin1 and review is None:
            raise selection.place.error(
                f"{entry.name} ({entry.geonames_id}) is in {selection.admin1[entry.admin1]} for GeoNames, "
                f"but its neighbours vote for {selection.admin1[vote]}",
                "Decide in `state_reviews`",
            )
        if vote == entry.admin1 and review is not None:
            raise review.place.error(f"nobody disputes the state of {entry.name}", "Remove the entry")


def _check_twins(chosen: Sequence[Entry], selection: Selection) -> None:
    points = np.array([(entry.latitude, entry.longitude) for entry in chosen])
    twins = set()
    for index, entry in enumerate(chosen[1:], start=1):
        distances = distances_km(points[:index], entry.latitude, entry.longitude)
        for larger, km in zip(chosen[:index], distances, strict=True):
            if km >= selection.twin_km or state_of(larger, selection) != state_of(entry, selection):
                continue
            twins.add(entry.geonames_id)
            if entry.geonames_id not in selection.keep:
                raise selection.place.error(
                    f"{entry.name} ({entry.geonames_id}) lies {km:.1f} km from the larger {larger.name}",
                    "Add it to `keep` with the reason why it is a city of its own, or to `removed`",
                )
    for geonames_id, review in selection.keep.items():
        if geonames_id not in twins:
            raise review.place.error(f"{review.geonames} is not near a larger city", "Remove the entry")


def _check_reviews(cities: Sequence[City], selection: Selection) -> None:
    names = {city.name for city in cities}
    ids = {city.geonames_id for city in cities}
    unknown = set(selection.uncertainty_cities) - names
    if unknown:
        raise selection.place.error(
            f"uncertainty cities {sorted(unknown)} are not in the set", "Write the names that cities.csv has"
        )
    for removal in selection.removed.values():
        if removal.of and removal.of not in names:
            raise removal.place.error(f"there is no city {removal.of!r}", "Name a city of cities.csv")
    for reviews in (selection.names, selection.state_reviews, selection.population_reviews):
        for geonames_id, review in reviews.items():
            if geonames_id not in ids:
                raise review.place.error(f"{review.geonames} is not in the set", "Remove the entry")
