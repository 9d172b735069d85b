"""The worked examples: what of real providers' values may be public, by their terms as they were read."""

import datetime as dt

import pytest

from schemas.model import FieldClass
from schemas.publicity import Decision, Input, TableDecision, decide, decide_table
from schemas.terms import Terms, parse_terms
from schemas.textyaml import load_text

TODAY = dt.date(2026, 12, 1)

# How much each text is worth is part of the facts: "reported" is a public review that quotes it, "inferred" a reading.
PROVIDERS = """\
tripadvisor:
  address: https://tripadvisor-content-api.readme.io/reference/caching-policy
  confidence: {default: documented, ai_use: reported, may_redistribute.ids: unknown, may_redistribute.derived: inferred}
  access: contract
  family: proprietary
  ai_use: forbidden
  may_store: {default_days: 0, fields: {location_id: forever}, derived: expire}
  may_redistribute: {ids: unknown, raw: barred, derived: barred, text: barred}
  personal: {drop: [user, phone, email]}
geonames:
  address: https://download.geonames.org/export/dump/readme.txt
  confidence: documented
  access: open
  license: CC-BY-4.0
  family: attribution
  may_store: {default_days: forever, derived: keep}
  may_redistribute: {ids: notice, raw: notice, derived: notice, text: notice}
  attribution: {text: "GeoNames, geonames.org, CC BY 4.0, changed", url: "https://www.geonames.org"}
osm:
  address: https://opendatacommons.org/licenses/odbl/1-0
  confidence: documented
  access: open
  license: ODbL-1.0
  family: share_alike
  may_store: {default_days: forever, derived: keep}
  may_redistribute: {ids: share_alike, raw: share_alike, derived: share_alike, text: notice}
  attribution: {text: "© OpenStreetMap contributors, ODbL 1.0", url: "https://www.openstreetmap.org/copyright"}
  personal: {drop: [user, uid], review: [homestay_name]}
numbeo:
  address: https://www.numbeo.com/common/terms_of_use.jsp
  confidence: reported
  access: forbidden
  family: proprietary
  purpose: academic
  may_redistribute: {raw: permission}
besttime:
  address: https://besttime.app/terms
  confidence: {default: reported, may_store: documented}
  access: contract
  family: proprietary
  may_store: {default_days: 183, fields: {traffic: 7, venue_id: forever}}
  may_redistribute: {raw: barred, derived: barred}
flightstats:
  address: https://www.flightstats.com/company/legal
  confidence: documented
  access: contract
  family: proprietary
  may_redistribute: {raw: barred, derived: permission, text: permission}
tomtom:
  address: https://developer.tomtom.com/terms-and-conditions
  confidence: unknown
  access: contract
  may_store: {default_days: 2}
datameet:
  address: https://github.com/datameet/railways
  confidence: documented
  access: open
  license: CC0-1.0
  family: public_domain
  may_redistribute: {ids: free, raw: free, derived: free, text: free}
airportsdata:
  address: https://github.com/mborsetti/airportsdata
  confidence: documented
  access: open
  license: MIT
  family: attribution
  may_redistribute: {ids: notice, raw: notice, derived: notice, text: notice}
openflights:
  address: https://openflights.org/data.php
  confidence: documented
  access: open
  license: ODbL-1.0
  family: share_alike
  may_redistribute: {ids: share_alike, raw: share_alike, derived: share_alike, text: share_alike}
vonter:
  address: https://github.com/Vonter/india-aviation-traffic
  confidence: documented
  access: open
  license: ODbL-1.0
  family: share_alike
  may_redistribute: {ids: share_alike, raw: share_alike, derived: share_alike, text: share_alike}
etrain: {}
redbus: {}
dgca: {}
llm:
  confidence: {default: reported, access: unknown}
  family: proprietary
  ai_use: allowed
  may_redistribute: {text: notice}
llm_once_read:
  confidence: documented
  family: proprietary
  ai_use: allowed
  may_redistribute: {text: notice}
flightstats_with_a_contract:
  confidence: documented
  family: proprietary
  may_redistribute: {raw: barred, derived: permission}
  consent: [{document_sha256: ab, fields: [airline_delay], scope: all, until: 2027-06-30}]
"""


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Terms]:
    path = tmp_path_factory.mktemp("terms") / "providers.yaml"
    path.write_text(PROVIDERS, encoding="utf-8")
    providers = load_text(path)
    return {name: parse_terms(providers[name]) for name in providers}


class Judge:
    def __init__(self, terms: dict[str, Terms]) -> None:
        self.terms = terms

    def decide(self, klass: FieldClass, *fields: str, is_reviewed: bool = False) -> Decision:
        """Decide on a value made of `provider.field`s."""
        pairs = (name.split(".") for name in fields)
        inputs = [Input(source, field, self.terms[source], is_reviewed=is_reviewed) for source, field in pairs]
        return decide(klass, inputs, TODAY)

    def code(self, klass: FieldClass, *fields: str) -> str:
        return self.decide(klass, *fields).code

    def table(self, **columns: tuple[str, ...]) -> TableDecision:
        """Decide on a table whose columns, all required, hold raw values of these `provider.field`s, row by row."""
        parts = {name: [self.decide("raw", field) for field in fields] for name, fields in columns.items()}
        return decide_table(parts, set(columns))


@pytest.fixture(scope="module")
def judge(terms: dict[str, Terms]) -> Judge:
    return Judge(terms)


def test_01_name_and_point_of_a_city_from_geonames_are_public_with_a_notice(judge: Judge) -> None:
    for field in ("name", "latitude", "longitude"):
        found = judge.decide("raw", f"geonames.{field}")
        assert found.permission == "notice"
        assert found.credits == {"GeoNames, geonames.org, CC BY 4.0, changed"}


def test_02_the_location_id_of_tripadvisor_may_be_kept_but_nobody_says_that_it_may_be_published(judge: Judge) -> None:
    assert judge.code("id", "tripadvisor.location_id") == "terms_unknown"


def test_03_name_and_rating_of_a_place_from_tripadvisor_are_barred(judge: Judge) -> None:
    assert judge.code("raw", "tripadvisor.name") == "terms_barred"
    assert judge.code("raw", "tripadvisor.rating") == "terms_barred"


def test_04_a_visit_duration_is_not_public_from_tripadvisors_categories_and_share_alike_from_osm_tags(
    judge: Judge,
) -> None:
    assert not judge.decide("raw", "tripadvisor.subcategory").is_public
    assert not judge.decide("derived", "tripadvisor.subcategory").is_public
    assert judge.code("raw", "osm.tourism") == judge.code("derived", "osm.tourism") == "share_alike"


def test_05_a_cost_from_a_tier_and_a_numbeo_price_gives_the_price_back_so_it_is_barred(judge: Judge) -> None:
    found = judge.decide("raw", "osm.price_tier", "numbeo.meal_tier1_inr")
    assert (found.code, found.provider) == ("terms_barred", "numbeo")


def test_06_the_average_crowd_analysis_of_besttime_is_barred_as_analysed_data(judge: Judge) -> None:
    assert judge.code("derived", "besttime.analysis") == "terms_barred"
    assert judge.code("raw", "besttime.analysis") == "terms_barred"


def test_07_the_share_of_venues_that_besttime_answered_is_our_own_and_free(judge: Judge) -> None:
    found = judge.decide("own", "besttime.venue_id")
    assert (found.permission, found.credits) == ("free", frozenset())


def test_08_delay_statistics_of_flightstats_are_barred(judge: Judge) -> None:
    assert judge.code("raw", "flightstats.delay") == "terms_barred"


def test_09_a_mean_over_many_routes_of_flightstats_needs_written_consent(judge: Judge) -> None:
    assert judge.code("derived", "flightstats.airline_delay") == "terms_barred"
    assert judge.code("derived", "flightstats_with_a_contract.airline_delay") == "notice"
    assert judge.code("derived", "flightstats_with_a_contract.other") == "terms_barred"


def test_10_the_distance_from_an_osm_place_to_an_osm_stop_is_share_alike(judge: Judge) -> None:
    found = judge.decide("raw", "osm.place_point", "osm.stop_point")
    assert (found.code, found.licenses) == ("share_alike", {"ODbL-1.0"})


def test_11_the_distance_from_a_tripadvisor_place_is_barred_while_the_stops_alone_are_share_alike(judge: Judge) -> None:
    assert judge.code("raw", "tripadvisor.name", "osm.stop_point") == "terms_barred"
    nearest = judge.table(PoI=("tripadvisor.name",), nearest_stop_name=("osm.stop_name",))
    assert nearest.decision.code == "terms_barred"
    assert nearest.withheld == (("PoI", "tripadvisor", "terms_barred"),)
    stops = judge.table(stop_name=("osm.stop_name",))
    assert (stops.decision.code, stops.is_derivative) == ("share_alike", False)


def test_12_osm_stops_with_gaps_filled_from_datameet_are_share_alike_as_a_whole_table(judge: Judge) -> None:
    stops = judge.table(stop_name=("osm.stop_name", "datameet.name"), stop_code=("datameet.code",))
    assert (stops.decision.code, stops.is_derivative, stops.withheld) == ("share_alike", True, ())


def test_13_the_driving_time_of_tomtom_is_unknown_while_great_circle_kilometres_need_a_notice(judge: Judge) -> None:
    assert judge.code("raw", "tomtom.travel_time") == "terms_unknown"
    assert judge.code("raw", "geonames.latitude", "geonames.longitude") == "notice"


def test_14_airports_are_public_from_airportsdata_and_share_alike_from_openflights(judge: Judge) -> None:
    assert judge.code("raw", "airportsdata.iata") == "notice"
    assert judge.code("raw", "openflights.iata") == "share_alike"


def test_15_train_numbers_and_times_of_datameet_are_free(judge: Judge) -> None:
    assert judge.code("raw", "datameet.train_number") == "free"
    assert judge.code("raw", "datameet.departure") == "free"


def test_16_delays_of_etrain_and_fares_of_redbus_are_unknown(judge: Judge) -> None:
    assert judge.code("raw", "etrain.avg_delay_1year") == "terms_unknown"
    assert judge.code("raw", "redbus.fare") == "terms_unknown"


def test_17_passengers_of_dgca_are_share_alike_through_vonter_and_unknown_directly(judge: Judge) -> None:
    assert judge.code("raw", "vonter.passengers") == "share_alike"
    assert judge.code("raw", "dgca.passengers") == "terms_unknown"


def test_18_a_generated_query_is_public_once_the_hosts_terms_are_read_and_never_with_tripadvisors_text(
    judge: Judge,
) -> None:
    assert judge.code("text", "llm.answer") == "terms_unknown"
    assert judge.code("text", "llm_once_read.answer") == "notice"
    assert judge.code("text", "llm_once_read.answer", "tripadvisor.description") == "terms_barred"


def test_19_a_homestay_that_may_be_named_after_a_person_is_share_alike_after_a_review(judge: Judge) -> None:
    assert judge.code("raw", "osm.homestay_name") == "personal_review"
    assert judge.decide("raw", "osm.homestay_name", is_reviewed=True).code == "share_alike"
