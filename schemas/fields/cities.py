"""Column meanings of cities, airports and what life costs there."""

from schemas.model import Field

# Brackets, commas and the words from and to separate the parts of a plan (contract 1.10).
_CITY_NAME = r"(?!.*\b(?:from|to)\b)[^(),;\t\r\n]+"

FIELDS = (
    Field(
        "City", "string", "City of the row, in the spelling of `city_set`.", pattern=_CITY_NAME, provenance="derived"
    ),
    Field("State", "string", "State or union territory, as of 2020-01-26.", vocabulary="states", provenance="declared"),
    Field(
        "city_id",
        "string",
        "Stable id of the city; never reused.",
        pattern=r"[a-z]{2}-[a-z0-9-]+",
        provenance="declared",
        klass="own",
    ),
    Field("geonames_id", "int64", "Id of the city in GeoNames.", minimum=1, klass="id"),
    Field("latitude", "double", "Latitude, WGS 84.", unit="degrees", minimum=-90, maximum=90),
    Field("longitude", "double", "Longitude, WGS 84.", unit="degrees", minimum=-180, maximum=180),
    Field("population", "int64", "Inhabitants, as GeoNames gives them.", unit="people", minimum=0),
    Field("time_zone", "string", "IANA name of the local time zone."),
    Field(
        "aliases",
        "list<string>",
        "Other spellings and former names; each leads to exactly one city of its state.",
        provenance="declared",
    ),
    Field(
        "uncertainty_city",
        "bool",
        "Whether crowd and cost-of-living data are collected for the city.",
        provenance="declared",
        klass="own",
    ),
    Field(
        "coverage",
        "list<string>",
        "Tables that hold at least one row for the city in this release.",
        provenance="derived",
        klass="own",
    ),
    Field("meal_tier1_inr", "double", "Meal for one in an inexpensive restaurant.", unit="INR", above=0),
    Field(
        "meal_tier2_inr",
        "double",
        "Meal for one in a mid-range restaurant: half of the price for two.",
        unit="INR",
        above=0,
    ),
    Field("meal_tier3_inr", "double", "Meal for one at price tier 3.", unit="INR", above=0),
    Field("meal_tier4_inr", "double", "Meal for one at price tier 4.", unit="INR", above=0),
    Field("transit_ticket_inr", "double", "One-way ticket of local transport.", unit="INR", above=0),
    Field("taxi_start_inr", "double", "Taxi, start.", unit="INR", above=0),
    Field("taxi_km_inr", "double", "Taxi, one kilometre.", unit="INR", above=0),
    Field(
        "accommodation_baseline_inr",
        "double",
        "Nightly baseline of an accommodation (choice A31).",
        unit="INR",
        above=0,
        provenance="derived",
    ),
    Field("as_of", "date", "Day to which the prices are dated."),
    Field("provider", "string", "Who collected the prices."),
    Field("contributors", "int32", "People who contributed prices.", unit="people", minimum=0),
    Field("fx_rate", "double", "Rupees per unit of the source's currency.", unit="INR", above=0),
    Field("fx_as_of", "date", "Day of the exchange rate."),
    Field("iata", "string", "IATA code.", pattern=r"[A-Z]{3}"),
    Field("icao", "string", "ICAO code."),
    Field("airport_name", "string", "Name of the airport."),
    Field("city_rule", "string", "Rule by which the airport or station belongs to its city.", provenance="declared"),
)
