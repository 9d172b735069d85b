"""Where rows come from: what is known of a source whatever it brings, and the sources of a region's own files."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from pipeline.regions import ORIGINS, region_folder
from schemas.region import errors_of
from schemas.strict import Node
from schemas.terms import Terms, parse_terms
from schemas.textyaml import load_text
from warehouse.release.durable import file_sha256


@dataclass(frozen=True)
class SourceCard:
    """A source: its title, its file (relative to the folder it was read from), the file's hash, its terms."""

    id: str
    title: str
    file: str
    sha256: str
    terms: Terms
    observed_at: date | None = None


def read_origins(region_id: str) -> Mapping[str, SourceCard]:
    """Return the card of each source of a region's files, by the name that rows carry in `source`."""
    folder = region_folder(region_id)
    cards = {}
    with errors_of(ORIGINS):
        origins = Node(load_text(ORIGINS), "")
        for name in origins.value:
            origin = origins.child(name)
            origin.allow(("title", "file", "terms"), required=("title", "file", "terms"))
            file = origin.needed("file")
            cards[name] = SourceCard(
                id=name,
                title=origin.needed("title"),
                file=f"regions/{region_id}/{file}",
                sha256=file_sha256(folder / file),
                terms=parse_terms(origin.value["terms"], origin.line("terms")),
            )
    return cards
