"""What the tables of rides between cities share."""

from schemas.model import ForeignKey

ROUTE_KEYS = (
    ForeignKey(("OriginCityName",), "city_set", ("City",)),
    ForeignKey(("DestCityName",), "city_set", ("City",)),
)
TIMETABLE = ("OriginCityName", "DestCityName", "DepTime", "ArrTime", "arr_day_offset", "duration_min")
