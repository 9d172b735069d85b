"""Which places are looked at and which are in: ranks, floors and removals of the written rule."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.regions.geonames import Entry, read_entries
from pipeline.regions.selection import Removal, Selection
from schemas.region import Frame


@dataclass(frozen=True)
class Candidate:
    """One place that was looked at; `outcome` is in or out. The fields are the columns of candidates.csv."""

    rank: int
    geonames_id: int
    name: str
    state: str
    population: int
    outcome: str
    reason: str


def reviewed_entries(frame: Frame, selection: Selection) -> tuple[Entry, ...]:
    """All places of the country with reviewed populations, the largest first.

    Raises RegionError when a reviewed id no longer means its place.
    """
    entries = {entry.geonames_id: entry for entry in read_entries(frame.country, selection.min_city_population)}
    for reviews in (
        selection.removed,
        selection.keep,
        selection.state_reviews,
        selection.population_reviews,
        selection.names,
    ):
        for geonames_id, review in reviews.items():
            found = entries.get(geonames_id)
            if found is None or found.name != review.geonames:
                raise review.place.error(
                    f"{geonames_id} is {found.name if found else 'no place'} in GeoNames, not {review.geonames!r}",
                    "Correct the id or the spelling of GeoNames",
                )
    for geonames_id, population in selection.population_reviews.items():
        if population.use is not None:
            entries[geonames_id] = replace(entries[geonames_id], population=population.use)
    return tuple(sorted(entries.values(), key=lambda entry: (-entry.population, entry.geonames_id)))


def choose(entries: Sequence[Entry], frame: Frame, selection: Selection) -> tuple[list[Candidate], list[Entry]]:
    """Rank, reserve the floors and remove: all candidates with their outcome, and the places that are in."""
    covered = [entry for entry in entries if state_of(entry, selection) in frame.states]
    passing = [entry for entry in covered if entry.geonames_id not in selection.removed]
    reserved = _reserve_floors(passing, frame, selection)
    others = [entry for entry in covered if entry.geonames_id not in reserved]
    looked_at = reserved.keys() | {entry.geonames_id for entry in others[: selection.candidates - len(reserved)]}
    free = [entry.geonames_id for entry in passing if entry.geonames_id in looked_at - reserved.keys()]
    chosen_ids = reserved.keys() | free[: selection.size - len(reserved)]
    if len(chosen_ids) != selection.size:
        raise selection.place.error(
            f"only {len(chosen_ids)} of {selection.size} cities pass", "Raise `rule.candidates`"
        )

    def reason(entry: Entry) -> str:
        if entry.geonames_id in selection.removed:
            return _removal_reason(selection.removed[entry.geonames_id])
        if entry.geonames_id in reserved:
            return f"one of the largest of {reserved[entry.geonames_id]}"
        if entry.geonames_id in chosen_ids:
            return f"among the first {selection.size} that pass"
        return f"passes, but {selection.size} cities stand before it"

    candidates = [
        Candidate(
            rank=rank,
            geonames_id=entry.geonames_id,
            name=plain_name(entry, selection),
            state=state_of(entry, selection),
            population=entry.population,
            outcome="in" if entry.geonames_id in chosen_ids else "out",
            reason=reason(entry),
        )
        for rank, entry in enumerate((entry for entry in covered if entry.geonames_id in looked_at), start=1)
    ]
    return candidates, [entry for entry in passing if entry.geonames_id in chosen_ids]


def state_of(entry: Entry, selection: Selection) -> str:
    """The reviewed state of a place, else that of its admin1 code."""
    if entry.geonames_id in selection.state_reviews:
        return selection.state_reviews[entry.geonames_id].state
    if entry.admin1 not in selection.admin1:
        raise selection.place.error(
            f"{entry.name} ({entry.geonames_id}) has the unknown admin1 code {entry.admin1!r}", "Add it to `admin1`"
        )
    return selection.admin1[entry.admin1]


def plain_name(entry: Entry, selection: Selection) -> str:
    """The name now in use in plain ASCII: the reviewed one, else that of GeoNames without accents."""
    naming = selection.names.get(entry.geonames_id)
    decomposed = unicodedata.normalize("NFKD", naming.name if naming and naming.name else entry.name)
    name = "".join(char for char in decomposed if not unicodedata.combining(char))
    if not name.isascii():
        raise selection.place.error(f"the name {name!r} ({entry.geonames_id}) is not ASCII", "Add it to `names`")
    return name


def _reserve_floors(passing: Sequence[Entry], frame: Frame, selection: Selection) -> dict[int, str]:
    reserved: dict[int, str] = {}
    for state in frame.states:
        floor = selection.floors.get(state, selection.default_floor)
        largest = [entry.geonames_id for entry in passing if state_of(entry, selection) == state][:floor]
        if len(largest) < floor:
            raise selection.place.error(
                f"{state} has only {len(largest)} places for its floor of {floor}",
                "Lower the floor, or take the state out of region.yaml and explain it in `not_covered`",
            )
        reserved |= dict.fromkeys(largest, state)
    return reserved


def _removal_reason(removal: Removal) -> str:
    if removal.why == "figure":
        return f"population is not that of the place: {removal.note}"
    return f"{removal.why} of {removal.of}: {removal.note}"
