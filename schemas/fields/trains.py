"""Column meanings of trains: their timetables, stations and delays."""

from schemas.fields.patterns import CLOCK, STATION_CODE
from schemas.model import Field

# A mean beyond half a day belongs to a train that was timed anew, or to a day that was lost at midnight.
LONGEST_DELAY_MIN = 720

_HORIZONS = {
    "avg_delay_1week": "1 week",
    "avg_delay_1month": "1 month",
    "avg_delay_3month": "3 months",
    "avg_delay_6month": "6 months",
    "avg_delay_1year": "1 year",
}

FIELDS = (
    Field("Train Number", "string", "Five digits; a leading zero counts.", pattern=r"\d{5}"),
    Field("Train Name", "string", "Name of the train."),
    Field("OriginStation", "string", "Station code of the origin."),
    Field("DestStation", "string", "Station code of the destination."),
    Field("classes", "list<string>", "Travel classes."),
    *(
        Field(
            name,
            "double",
            f"Mean delay at the destination over {horizon}; early runs count as 0.",
            unit="minutes",
            minimum=0,
            maximum=LONGEST_DELAY_MIN,
        )
        for name, horizon in _HORIZONS.items()
    ),
    Field("train_type", "string", "Kind of train as the source codes it."),
    Field("stop_sequence", "int32", "Number of the stop within its train, from 1.", minimum=1),
    Field("station_code", "string", "Code of the station; text, also `ON`, `NAN` and `NIL`.", pattern=STATION_CODE),
    Field("station_name", "string", "Name of the station as the source writes it."),
    Field("arrives", "string", "Local time of arrival; null at the first stop.", unit="HH:MM", pattern=CLOCK),
    Field("departs", "string", "Local time of departure; null at the last stop.", unit="HH:MM", pattern=CLOCK),
    Field(
        "day",
        "int8",
        "Day of the arrival, at the origin of the departure; 1 is the day on which the train leaves its origin.",
        unit="days",
        minimum=1,
        maximum=5,
    ),
    Field("horizon", "string", "Time over which delays were averaged.", vocabulary="delay_horizons"),
    Field(
        "avg_delay_min",
        "double",
        "Mean delay at the station; negative where trains run early, null where it is not known.",
        unit="minutes",
        minimum=-LONGEST_DELAY_MIN,
        maximum=LONGEST_DELAY_MIN,
    ),
    Field("runs_right_time", "double", "Runs on time, in `runs_unit`.", minimum=0),
    Field("runs_slight", "double", "Runs slightly late, in `runs_unit`.", minimum=0),
    Field("runs_significant", "double", "Runs significantly late, in `runs_unit`.", minimum=0),
    Field("runs_unknown", "double", "Runs cancelled or unknown, in `runs_unit`.", minimum=0),
    Field("runs_unit", "string", "What the numbers of runs are.", vocabulary="runs_units"),
    Field("delay_basis", "string", "How the mean came to be.", vocabulary="delay_bases", klass="own"),
)
