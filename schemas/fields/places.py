"""Column meanings of places to eat, sleep and visit, and events."""

from schemas.model import Field

# A plan is text in which these characters separate its parts (contract 1.10).
_NO_GRAMMAR_BREAKER = r"[^;\t\r\n]+"

FIELDS = (
    Field(
        "place_id",
        "string",
        "Id of the place within its table: the source and the source's own id.",
        provenance="derived",
    ),
    Field(
        "name", "string", "Name of the place. Namesakes in one city carry their locality.", pattern=_NO_GRAMMAR_BREAKER
    ),
    Field("source_name", "string", "The name as the source gives it, before a locality was added."),
    Field(
        "name_hazard",
        "bool",
        "Whether the name holds `(`, `from`, `stay` or `visit`, which public plan parsers split on.",
        provenance="derived",
    ),
    Field("address", "string", "Postal address as the source gives it."),
    Field("locality", "string", "Quarter or area within the city."),
    Field(
        "rating",
        "double",
        "Mean rating by visitors; null where nobody has rated.",
        unit="points of 5",
        minimum=0,
        maximum=5,
    ),
    Field("website", "string", "Address of the listing or of the place."),
    Field("city_name", "string", "City as the source writes it."),
    Field("state_name", "string", "State as the source writes it."),
    Field("source_id", "string", "Id of the record at its source."),
    Field("cuisines", "list<string>", "Cuisine groups served.", vocabulary="cuisine_groups"),
    Field("avg_cost", "double", "Cost of a meal for one person.", unit="INR", above=0),
    Field("price_tier", "int8", "Price level from 1 (cheap) to 4.", minimum=1, maximum=4),
    Field("avg_cost_method", "string", "How `avg_cost` came to be.", vocabulary="avg_cost_methods"),
    Field(
        "cost_proxy_city",
        "string",
        "City whose prices stand in for this one; null where the city has its own.",
        provenance="declared",
    ),
    Field("subcategories", "list<string>", "Attraction categories.", vocabulary="attraction_categories"),
    Field("source_categories", "list<string>", "Categories as the source writes them."),
    Field(
        "visit_duration",
        "double",
        "Mean of the hours of the row's distinct categories.",
        unit="hours",
        minimum=0.5,
        maximum=12,
        provenance="derived",
    ),
    Field(
        "visit_duration_min",
        "int32",
        "`visit_duration` in minutes, rounded half up.",
        unit="minutes",
        minimum=30,
        maximum=720,
        provenance="derived",
    ),
    Field("besttime_analysis", "string", "Crowd object per weekday (JSON).", provenance="derived"),
    Field("avg_besttime_analysis", "string", "Crowd object of the average day (JSON).", provenance="derived"),
    Field("price_per_night", "double", "Price of a room for one night.", unit="INR", above=0),
    Field("max_occupancy", "int32", "People a room may hold.", unit="people", minimum=1),
    Field("house_type", "string", "Kind of house.", vocabulary="house_types"),
    Field(
        "house_rules",
        "list<string>",
        "Rules the house states; an empty list is a house that states none.",
        vocabulary="house_rules",
    ),
    Field("facilities_amenities", "list<string>", "Groups of facilities.", vocabulary="facilities"),
    Field("services", "list<string>", "Groups of services.", vocabulary="services"),
    Field("minimum_nights", "int32", "Shortest stay sold.", unit="nights", minimum=1),
    Field("property_type", "string", "Kind of property as the source writes it."),
    Field(
        "star_rating",
        "double",
        "Official or self-declared stars; null where unrated.",
        unit="stars",
        minimum=1,
        maximum=5,
    ),
    Field("url", "string", "Page of the event."),
    Field("dateTitle", "string", "Local date of the event as text.", unit="dd-mm-yyyy", pattern=r"\d{2}-\d{2}-\d{4}"),
    Field("event_date", "date", "Local date of the event; one row per day."),
    Field("streetAddress", "string", "Address of the venue."),
    Field("segmentName", "string", "Kind of event.", vocabulary="event_segments"),
    Field("city", "string", "City of the event; the same value as `City`.", provenance="derived"),
)
