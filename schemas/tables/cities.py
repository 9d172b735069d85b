"""Cities, airports, prices of cities."""

from schemas.model import ForeignKey, Table

IN_CITY_SET = ForeignKey(("City",), "city_set", ("City",))

TABLES = (
    Table(
        name="city_set",
        title="Cities",
        description="The cities of the region. Always complete; `coverage` names the tables that hold a city.",
        required=("City", "State", "city_id", "latitude", "longitude", "uncertainty_city"),
        optional=("aliases", "geonames_id", "population", "time_zone", "coverage"),
        never_null=("City", "State", "city_id", "latitude", "longitude"),
        key=("city_id",),
        evaluator_key=("City",),
        from_warehouse=("coverage",),
    ),
    Table(
        name="airports",
        title="Airports",
        description="Airports with an IATA code; those of no city of the region stand here hidden, with the reason.",
        required=("iata", "airport_name", "City", "latitude", "longitude", "city_rule"),
        optional=("icao",),
        never_null=("iata", "city_rule"),
        key=("iata",),
        evaluator_key=("iata",),
        foreign_keys=(IN_CITY_SET,),
    ),
    Table(
        name="cost_of_living",
        title="Cost of living",
        description="Prices by city, in rupees of a dated exchange rate. Read by the pipeline, not by the evaluator.",
        required=("City", "provider", "as_of"),
        optional=(
            "meal_tier1_inr",
            "meal_tier2_inr",
            "meal_tier3_inr",
            "meal_tier4_inr",
            "transit_ticket_inr",
            "taxi_start_inr",
            "taxi_km_inr",
            "accommodation_baseline_inr",
            "contributors",
            "fx_rate",
            "fx_as_of",
            "cost_proxy_city",
            "city_name",
        ),
        never_null=("provider", "city_name"),
        key=("provider", "city_name"),
        evaluator_key=("City", "provider"),
        foreign_keys=(IN_CITY_SET,),
        from_warehouse=("City", "cost_proxy_city"),
        staged_extra=("state_name", "source_id"),
    ),
)
