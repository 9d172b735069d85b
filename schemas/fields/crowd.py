"""Column meanings of how crowded a venue is, by weekday and hour.

The day of a venue begins at 06:00: the hours 0 to 5 are the last of the day before.
"""

from schemas.model import Field

FIELDS = (
    Field("asked_place_id", "string", "Id of the place that the venue was asked for.", klass="id"),
    Field("venue_id", "string", "Id of the venue at its source.", klass="id"),
    Field("venue_name", "string", "Name of the venue as the source gives it."),
    Field("venue_address", "string", "Address of the venue as the source gives it."),
    Field("day_state", "string", "What is known of the venue's weekday.", vocabulary="crowd_day_states"),
    Field(
        "hourly_levels",
        "list<int8>",
        "Crowd levels of the 24 hours from 06:00 on, -2 (low) to 2 (high); a null member is an hour at which the venue "
        "is closed.",
        minimum=-2,
        maximum=2,
    ),
    Field(
        "hourly_raw",
        "list<int8>",
        "Crowd of the 24 hours from 06:00 on, of the week's busiest hour.",
        unit="percent",
        minimum=0,
        maximum=100,
    ),
    Field("quiet_hours", "list<int8>", "Hours that the source calls quiet.", minimum=0, maximum=23),
    Field("busy_hours", "list<int8>", "Hours that the source calls busy.", minimum=0, maximum=23),
    Field("peak_start_hour", "int8", "First hour of the strongest peak.", minimum=0, maximum=23),
    Field("peak_end_hour", "int8", "Last hour of the strongest peak.", minimum=0, maximum=23),
)
