"""What the error codes of TomTom mean, in single cells of a matrix and in whole answers alike."""

from collections.abc import Mapping
from typing import Any, NamedTuple

NO_ROUTE = "no_route"
MAP_MATCHING = "map_matching"
OUT_OF_REGION = "out_of_region"
TIMEOUT = "timeout"
BAD_INPUT = "bad_input"
ERROR = "error"

# CELL_PROCESSING_ERROR only wraps the reason; alone it gives none.
_MEANINGS = {
    "NO_ROUTE_FOUND": NO_ROUTE,
    "MAP_MATCHING_FAILURE": MAP_MATCHING,
    "OUT_OF_REGION": OUT_OF_REGION,
    "COMPUTE_TIME_LIMIT_EXCEEDED": TIMEOUT,
    "CANNOT_RESTORE_BASEROUTE": BAD_INPUT,
    "BAD_INPUT": BAD_INPUT,
    "BAD_ARGUMENT": BAD_INPUT,
    "CELL_PROCESSING_ERROR": ERROR,
}
_GAVE_UP = "STOPPED"


class Failure(NamedTuple):
    """Why the provider has no value. `meaning` is one of the words above, `code` and `message` are the provider's."""

    meaning: str
    code: str
    message: str

    @property
    def is_known(self) -> bool:
        """Whether the code is one that is known here."""
        return self.code in _MEANINGS


def failure_of(error: Mapping[str, Any]) -> Failure:
    """Return what a `detailedError` means. The inner code is believed before the outer one, and any code before a text.

    A search that was stopped has found nothing, whatever its code says. Never raises.
    """
    inner = error.get("innerError")
    levels = [level for level in (inner, error) if isinstance(level, Mapping)]
    codes = [code for level in levels if isinstance(code := level.get("code"), str) and code]
    message = " / ".join(text for level in levels if isinstance(text := level.get("message"), str))
    code = codes[0] if codes else ""
    if _GAVE_UP in message:
        return Failure(TIMEOUT, code, message)
    if code not in _MEANINGS:
        code = next((word for word in _MEANINGS if word in message), code)
    return Failure(_MEANINGS.get(code, ERROR), code, message)
