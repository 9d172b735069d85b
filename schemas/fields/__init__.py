"""Every column meaning of the warehouse, declared once.

Names, types, units and ranges follow the evaluator contract; what a public evaluator reads keeps its inherited spelling
(`City`, `DepTime`). Ranges are those of a possible value, not of a plausible one.
"""

from schemas.fields import cities, crowd, marks, places, trains, transport
from schemas.model import Field

_ALL = (*cities.FIELDS, *places.FIELDS, *crowd.FIELDS, *trains.FIELDS, *transport.FIELDS, *marks.FIELDS)

FIELDS: dict[str, Field] = {field.name: field for field in _ALL}

if len(FIELDS) != len(_ALL):
    raise RuntimeError("schemas/fields declares a field twice")
