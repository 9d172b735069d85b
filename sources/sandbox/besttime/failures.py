"""What a question gets that is not answered, worded and shaped as recorded failures are."""

from datetime import UTC, date, datetime
from typing import Any

from sources.sandbox.besttime.finding import Venue
from sources.sandbox.besttime.forecast import address_lines

Document = dict[str, Any]

KEY: Document = {"status": "Error", "message": {"api_key_private": ["Invalid API key"]}}
TOO_MANY: Document = {"status": "Error", "message": "Too many requests"}
MISSING: Document = {
    "status": "Error",
    "message": "Either 'venue_name' and 'venue_address', or 'venue_id' is a required property",
}
_NO_VOLUME = (
    "Error: Venue found, but could not forecast this venue. Potential issues: This place is too new, or not does not "
    "have enough volume (visitors) to make a forecast."
)
_NOT_FOUND = (
    "Error forecasting this venue. Could not find venue. Is the venue name and address correct/ precise enough?"
)


def too_long(most: dict[str, int]) -> Document:
    """Return the failure of parameters that are longer than they may be."""
    return {"status": "Error", "message": {name: [f"Longer than maximum length {most[name]}."] for name in most}}


def not_found(name: str, address: str) -> Document:
    """Return the failure of a question about a venue that is not known, which it repeats."""
    return {"message": _NOT_FOUND, "status": "Error", "venue_info": {"address": address, "venue_name": name}}


def no_volume(venue: Venue, as_of: date) -> Document:
    """Return the failure of a venue with too few visitors."""
    lines = address_lines(venue.place)
    return {
        "epoch": str(int(datetime(as_of.year, as_of.month, as_of.day, tzinfo=UTC).timestamp())),
        "message": _NO_VOLUME,
        "status": "Error",
        "venue_info": {
            "venue_address": " ".join(lines),
            "venue_address_list": lines,
            "venue_id": venue.id,
            "venue_name": venue.place.name,
        },
    }
