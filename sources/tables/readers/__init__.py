"""Reading a data file as text: CSV, JSON, GeoJSON, events. What a text means is said by a mapping, never here."""

from sources.tables.grammar import Mapping
from sources.tables.readers.delimited import read_csv
from sources.tables.readers.documents import read_geojson, read_json
from sources.tables.readers.happenings import read_events
from sources.tables.readers.records import Fault, ReadError, Records

__all__ = ["Fault", "ReadError", "Records", "read"]


def read(mapping: Mapping, data: bytes) -> Records:
    """Read the bytes of a file in the format its mapping declares; raises ReadError where there is no table in it."""
    match mapping.format:
        case "json":
            return read_json(data, mapping.records)
        case "geojson":
            return read_geojson(data)
        case "events":
            return read_events(data)
        case _:
            return read_csv(data, mapping.encoding, mapping.delimiter, is_trimmed=mapping.is_trimmed)
