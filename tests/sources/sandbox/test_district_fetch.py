"""A fetch against the stand-in brings the events that are true in the constructed world, a row for each local day."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from schemas.region import Region
from sources.sandbox.district.pages import event_page
from sources.sandbox.district.records import written_address
from sources.sandbox.happenings import TrueHappening
from sources.sandbox.world import World
from tests.sources.sandbox.fetching import fetched


def _rows(happening: TrueHappening) -> list[dict[str, Any]]:
    path = event_page(happening).path
    is_written_as_one = happening.told == "address"
    row = {
        "name": happening.name,
        "streetAddress": written_address(happening) if is_written_as_one else happening.street,
        "segmentName": happening.kind.segment,
        # An address on the web is in small letters.
        "city_name": happening.city_name.lower() if happening.told == "slug" else happening.city_name,
        "state_name": happening.state_name,
    }
    # Data leads to the newer form of an address, whichever the page has.
    newer = f"/events/{happening.slug}-buy-tickets"
    url = f"https://www.district.in{path if happening.form == 'visible' else newer}"
    return [{**row, "url": url, "event_date": day} for day in happening.days]


def test_a_fetch_brings_the_true_days_of_each_event(
    region: Region, world: World, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, staged = fetched("district", region, address, tmp_path / "home", monkeypatch)
    assert (asked.stopped, asked.failed) == (None, ())
    assert asked.done == 1 + len(world.happenings)

    built = staged["events"]
    expected = [row for happening in world.happenings for row in _rows(happening)]
    found = [{name: row[name] for name in expected[0]} for row in built.rows.to_pylist()]
    found = [{**row, "event_date": row["event_date"].isoformat()} for row in found]
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert set(built.rows["value_class"].to_pylist()) == {"constructed"}

    traps = Counter(str(happening.trap) for happening in world.happenings)
    assert built.quarantine["code"].to_pylist() == ["not_found"] * traps["gone"]
    counts = dict(remark.split(" records skipped: ")[::-1] for remark in built.notes.remarks)
    assert {reason: int(count) for reason, count in counts.items()} == {
        "a cancelled event": traps["cancelled"],
        "an event postponed to an unknown day": traps["postponed"],
        "an event that takes place online": traps["online"],
        "an event in another country": traps["abroad"],
        "open on any day, so a sight and no event": traps["any_day"],
        "a day outside of those that are asked about": traps["over"],
        "another session on the same day": traps["two_sessions"],
        "the address of an event, whose page tells more": len(world.happenings),
        "the address of something else": 4,
    }
