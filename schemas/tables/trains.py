"""Stations, timetables and delays of trains, and the trains between cities that are made of them."""

from schemas.model import ForeignKey, Table
from schemas.tables.cities import IN_CITY_SET
from schemas.tables.rides import ROUTE_KEYS, TIMETABLE

_DELAYS = ("avg_delay_1week", "avg_delay_1month", "avg_delay_3month", "avg_delay_6month", "avg_delay_1year")
_REQUIRED = ("Train Number", "Train Name", "OriginStation", "DestStation", *TIMETABLE)
_OPTIONAL = ("classes", "Price", "days_of_operation", *_DELAYS)

TABLES = (
    Table(
        name="stations",
        title="Stations",
        description=(
            "Railway stations with their city, by geography, name or review; those of no city of the region stand here "
            "hidden, with the reason."
        ),
        required=("station_code", "station_name", "City", "city_rule"),
        optional=("latitude", "longitude"),
        never_null=("station_code", "city_rule"),
        key=("station_code",),
        foreign_keys=(IN_CITY_SET,),
        from_warehouse=("station_code", "station_name", "City", "city_rule", "latitude", "longitude"),
    ),
    Table(
        name="train_stops",
        title="Train timetables",
        description="One timetable for each train, a row per stop. The evaluator does not read it.",
        required=("Train Number", "Train Name", "stop_sequence", "station_code", "station_name", "day"),
        optional=("train_type", "arrives", "departs", "distance_km", "days_of_operation", "classes", "Price"),
        never_null=("Train Number", "stop_sequence", "station_code", "day"),
        key=("Train Number", "stop_sequence"),
    ),
    Table(
        name="train_delays",
        title="Train delays",
        description=(
            "Mean delay of a train at a station, over several times; early runs are negative. The evaluator does not "
            "read it."
        ),
        required=("Train Number", "station_code", "horizon", "delay_basis"),
        optional=(
            "station_name",
            "avg_delay_min",
            "runs_right_time",
            "runs_slight",
            "runs_significant",
            "runs_unknown",
            "runs_unit",
        ),
        never_null=("Train Number", "station_code", "horizon", "delay_basis"),
        key=("Train Number", "station_code", "horizon"),
    ),
    Table(
        name="trains",
        title="Trains",
        description="Trains between cities, one row per train and pair of its stations, with mean delays.",
        required=_REQUIRED,
        optional=_OPTIONAL,
        never_null=("Train Number",),
        key=("Train Number", "OriginStation", "DestStation", "DepTime"),
        foreign_keys=(
            *ROUTE_KEYS,
            ForeignKey(("OriginStation",), "stations", ("station_code",)),
            ForeignKey(("DestStation",), "stations", ("station_code",)),
        ),
        from_warehouse=(*_REQUIRED, *_OPTIONAL),
        enriched_by=_DELAYS,
    ),
)
