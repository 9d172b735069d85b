"""The sources of a region's own files, with their terms: what `regions/origins.yaml` says, and the files' hashes."""

from collections.abc import Mapping

from pipeline.accounts import SourceCard
from pipeline.regions import region_folder
from pipeline.store import file_digest
from schemas.region import RegionError
from schemas.strict import Node, StrictError
from schemas.terms import parse_terms
from schemas.textyaml import load_text

_FILE = region_folder("india").parent / "origins.yaml"


def read_origins(region_id: str) -> Mapping[str, SourceCard]:
    """Return the card of each source of a region's files, by the name that rows carry in `source`."""
    folder = region_folder(region_id)
    cards = {}
    try:
        for name, _ in Node(load_text(_FILE), "origins").value.items():
            node = Node(load_text(_FILE), "origins").child(name)
            file = node.needed("file")
            cards[name] = SourceCard(
                id=name,
                title=node.needed("title"),
                file=f"regions/{region_id}/{file}",
                sha256=file_digest(folder / file),
                terms=parse_terms(node.value["terms"], node.line("terms")),
            )
    except StrictError as error:
        raise RegionError(f"{_FILE.name}, {error}") from None
    return cards
