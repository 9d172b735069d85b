"""How both APIs read the parameters of a call. What cannot be read is a BadQuestion that says which one it was."""

import math
from collections.abc import Iterable
from typing import Any

from sources.sandbox.ground import KM_PER_MILE, Point

Params = tuple[tuple[str, str], ...]
_KM = {"km": 1.0, "mi": KM_PER_MILE, "m": 0.001}


class BadQuestion(Exception):
    """A parameter that cannot be used: its name, why, and what was given."""

    def __init__(self, field: str, message: str, rejected: Any) -> None:
        super().__init__(f"{field} {message}")
        self.field, self.message, self.rejected = field, message, rejected


class Reader:
    """The parameters of one call, by name."""

    def __init__(self, params: Params) -> None:
        self._params = params

    def all(self, field: str) -> list[str]:
        """Return every value of a parameter."""
        return [value for name, value in self._params if name == field]

    def text(self, field: str) -> str | None:
        """Return the last value of a parameter; None where it is missing or empty."""
        return next((value for value in reversed(self.all(field)) if value.strip()), None)

    def needed(self, field: str) -> str:
        """Return the value of a parameter. Raises BadQuestion where there is none."""
        value = self.text(field)
        if value is None:
            raise BadQuestion(field, "must not be blank", value)
        return value

    def choice(self, field: str, choices: Iterable[str]) -> str | None:
        """Return a value that is one of `choices`. Raises BadQuestion."""
        value = self.text(field)
        if value is not None and value not in choices:
            raise BadQuestion(field, f"must be one of {', '.join(choices)}", value)
        return value

    def whole(self, field: str, default: int, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`. Raises BadQuestion."""
        value = self.text(field)
        if value is None:
            return default
        if not value.isascii() or not value.isdigit():
            raise BadQuestion(field, "must be a whole number", value)
        number = int(value[:20])
        if number < low:
            raise BadQuestion(field, f"must be greater than or equal to {low}", number)
        if number > high:
            raise BadQuestion(field, f"must be less than or equal to {high}", number)
        return number

    def number(self, field: str, low: float, high: float) -> float | None:
        """Return a number from `low` to `high`, None where it is missing. Raises BadQuestion."""
        value = self.text(field)
        return None if value is None else _number(field, value, low, high)

    def point(self, field: str) -> Point | None:
        """Return a point written as `latitude,longitude`. Raises BadQuestion."""
        value = self.text(field)
        if value is None:
            return None
        parts = value.split(",")
        if len(parts) != 2:
            raise BadQuestion(field, "must be a latitude and a longitude with a comma between", value)
        return Point(_number(field, parts[0], -90, 90), _number(field, parts[1], -180, 180))

    def radius_km(self, unit_field: str, unit: str) -> float | None:
        """Return the radius in kilometres; `unit` holds where none is given. Raises BadQuestion."""
        radius = self.number("radius", 0, math.inf)
        units = _KM if unit.islower() else {name.upper(): km for name, km in _KM.items() if name != "m"}
        factor = units[self.choice(unit_field, units) or unit]
        if radius == 0:
            raise BadQuestion("radius", "must be greater than 0", radius)
        return None if radius is None else radius * factor


def _number(field: str, value: str, low: float, high: float) -> float:
    try:
        number = float(value)
    except ValueError:
        raise BadQuestion(field, "must be a number", value) from None
    if not low <= number <= high:
        raise BadQuestion(field, f"must be between {low} and {high}", value)
    return number
