"""What a public build holds: decided for each column of a file, and whatever falls is named with its reason."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.flow import Flow
from pipeline.publishing import publish_release
from pipeline.settings import settings_for
from schemas.fields import FIELDS
from warehouse.release.store import Release

OPEN = """\
terms:
  confidence: documented
  license: CC0-1.0
  family: public_domain
  may_redistribute: {ids: free, raw: free, derived: free, text: free}
"""
ODBL = OPEN.replace("CC0-1.0", "ODbL-1.0").replace("public_domain", "share_alike").replace("free", "share_alike")
IDS_UNKNOWN = OPEN.replace("ids: free", "ids: unknown")
NAME_TO_REVIEW = OPEN + "  personal: {review: [name]}\n"
ACADEMIC = OPEN + "  purpose: academic\n"

PublicFlow = Callable[..., Flow]


@pytest.fixture
def public_flow(tmp_path: Path, tables_dir: Path) -> PublicFlow:
    """Return a maker of flows for the public, by the terms of the constructed stops and restaurants."""

    def make(stops: str = OPEN, restaurants: str = OPEN, audience: str = "public") -> Flow:
        for name, terms in (("stops", stops), ("restaurants", restaurants)):
            path = tables_dir / f"constructed_{name}.mapping.yaml"
            path.write_text(path.read_text().partition("terms:\n")[0] + terms)
        settings = settings_for("sample", tmp_path / "home", tables_dir, audience)  # type: ignore[arg-type]
        settings.home.prepare()
        return Flow(settings.request, settings.home)

    return make


def _withheld(flow: Flow) -> set[tuple[str, str, str]]:
    return {(one.table, one.field, one.reason) for one in flow.withheld}


def _manifest(release: Release) -> dict[str, object]:
    document: dict[str, object] = json.loads((release.folder / "manifest.json").read_text())
    return document


def test_open_files_are_public_as_they_are_and_reuse_the_internal_work(public_flow: PublicFlow) -> None:
    internal, public = public_flow(audience="internal"), public_flow()
    hashes = [{name: result.rows_hash for name, result in flow.tables.items()} for flow in (internal, public)]
    assert hashes[0] == hashes[1]
    assert all(result.reused for result in public.tables.values())
    assert public.withheld == ()


def test_a_file_without_known_terms_is_left_out_and_every_column_of_it_is_named(public_flow: PublicFlow) -> None:
    flow = public_flow(restaurants="")
    assert "terms_unknown" in (flow.tables["restaurants"].absent or "")
    assert flow.tables["transit_stops"].absent is None
    assert {("restaurants", name, "terms_unknown") for name in ("name", "rating", "city_name", "source_id")} <= (
        _withheld(flow)
    )
    assert public_flow(restaurants="", audience="internal").withheld == ()


def test_an_optional_column_falls_alone_and_what_is_made_of_it_with_it(public_flow: PublicFlow) -> None:
    flow = public_flow(restaurants=IDS_UNKNOWN)
    assert _withheld(flow) == {("restaurants", "source_id", "terms_unknown")}
    assert flow.staged("constructed_restaurants").part("rows")["source_id"].null_count == 4
    rows = flow.tables["restaurants"].part("rows")
    internal = public_flow(restaurants=IDS_UNKNOWN, audience="internal").tables["restaurants"].part("rows")
    assert sorted(rows["name"].to_pylist()) == sorted(internal["name"].to_pylist())
    assert "constructed_restaurants:1" in internal["place_id"].to_pylist()
    assert not set(rows["place_id"].to_pylist()) & set(internal["place_id"].to_pylist())


def test_a_required_column_takes_its_file_with_it(public_flow: PublicFlow) -> None:
    flow = public_flow(restaurants=NAME_TO_REVIEW)
    assert "personal_review" in (flow.tables["restaurants"].absent or "")
    assert _withheld(flow) == {("restaurants", "name", "personal_review")}


def test_the_texts_of_a_file_with_a_withheld_column_stay_out_of_the_quarantine(public_flow: PublicFlow) -> None:
    quarantined = public_flow(audience="internal").staged("constructed_restaurants").part("quarantine")
    assert quarantined["value"].to_pylist() == ["9.9"]
    flow = public_flow(restaurants=IDS_UNKNOWN)
    emptied = flow.staged("constructed_restaurants").part("quarantine")
    assert emptied["value"].to_pylist() == [None]
    assert emptied.drop_columns("value").equals(quarantined.drop_columns("value"))


def test_the_manifest_lists_what_is_withheld_and_the_published_files_hold_none_of_it(public_flow: PublicFlow) -> None:
    flow = public_flow(stops=OPEN + "  personal: {drop: [stop_code]}\n", restaurants="")
    release = publish_release(flow)
    document = _manifest(release)
    assert {"table": "transit_stops", "field": "stop_code", "source": "constructed_stops", "reason": "personal"} in (
        document["withheld"]  # type: ignore[operator]
    )
    stops = pq.read_table(release.folder / "tables" / "transit_stops.parquet")
    assert stops.num_rows == 2
    assert stops["stop_code"].null_count == 2
    assert not any("NIL" in stop_id for stop_id in stops["stop_id"].to_pylist())
    assert release.manifest.withheld == flow.withheld


def test_share_alike_reaches_the_tables_that_are_made_of_it(public_flow: PublicFlow) -> None:
    flow = public_flow(stops=ODBL)
    found = {name: flow.rights(name).decision.permission for name in ("transit_stops", "poi_nearest_stops")}
    assert found == {"transit_stops": "share_alike", "poi_nearest_stops": "share_alike"}
    assert flow.rights("restaurants").decision.permission == "free"
    assert flow.rights("city_set").decision.permission == "notice"
    assert flow.rights("poi_nearest_stops").is_derivative


def test_a_table_that_would_mix_share_alike_with_a_bound_file_is_withheld(public_flow: PublicFlow) -> None:
    flow = public_flow(stops=ODBL, restaurants=ACADEMIC)
    assert flow.tables["transit_stops"].absent is None
    assert flow.tables["restaurants"].absent is None
    assert "copyleft_conflict" in (flow.tables["poi_nearest_stops"].absent or "")


def test_every_column_is_of_a_class_that_its_staged_columns_decide() -> None:
    # Emptying staged columns withholds whatever is made of them. A column of class derived or text may be barred where
    # its inputs are not (or free where they are not), and needs a decision where it is made.
    assert {field.klass for field in FIELDS.values()} == {"id", "raw", "own"}
