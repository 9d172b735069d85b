"""From the stand-in through the transport and the archive to rows: they are what is true in the constructed world."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import pytest

from schemas.region import load_region
from sources.etrain.parse import parse
from sources.etrain.requests import requests
from sources.protocol.declaration import load_declaration
from sources.protocol.types import Account, Answer, Request
from sources.sandbox.delays import HORIZON_DAYS, runs_of, summary, within
from sources.sandbox.process import running
from sources.sandbox.trains import TrueTrain
from sources.sandbox.world import build_world
from sources.transport.archive import Archive
from sources.transport.session import Transport
from tests.sources.etrain.answers import FOLDER, codes, rows
from tests.sources.sandbox.asking import log

REGION = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "sample")
WORLD = build_world(REGION, seed=1)
DECLARATION = load_declaration(FOLDER / "source.yaml")
SCALE = 200.0


class Knowing:
    """The archive as `requests` sees it, and the timetables of the world. Implements `Known`."""

    account = Account("standard", {})

    def __init__(self, archive: Archive) -> None:
        self._known = archive.known("etrain")

    def rows(self, table: str) -> Sequence[Mapping[str, Any]]:
        assert table == "train_stops"
        return [{"Train Number": train.number} for train in WORLD.trains for _ in train.calls]

    def answer(self, request: Request) -> Answer | None:
        return self._known.answer(request)

    def answers(self, endpoint: str) -> Iterator[Answer]:
        return iter(self._known.answers(endpoint))


class Fetched:
    def __init__(self, answers: list[Answer], calls: list[dict[str, Any]]) -> None:
        self.answers, self.calls = answers, calls


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Fetched:
    folder = tmp_path_factory.mktemp("etrain")
    archive = Archive(folder / "raw")
    with (
        running("sample", time_scale=SCALE) as address,
        Transport(
            {"etrain": DECLARATION},
            archive,
            agent="utp-tests/1",
            contact="stand-in",
            origin="sandbox",
            limits_folder=folder / "limits",
            environment={},
            bases={"etrain": f"{address}/etrain"},
            time_scale=SCALE,
        ) as transport,
    ):
        while still_open := list(requests(REGION, Knowing(archive))):
            for request in still_open:
                transport.fetch(request)
        calls = [line for line in log(address) if line["path"].startswith("/etrain/")]
    return Fetched(list(archive.known("etrain").answers("history")), calls)


def best(answers: list[Answer]) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The row of each train, station and horizon: what a page gives before what is computed."""
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for row in sorted((row for one in answers for row in rows(parse(one))), key=lambda row: row["delay_basis"]):
        found[row["Train Number"], row["station_code"], row["horizon"]] = row
    return found


def truth(as_of: date) -> dict[tuple[str, str, str], tuple[float | None, float]]:
    """Average and unknown runs by train, station and horizon; of a loop train not the station with two calls."""
    found = {}
    for train in WORLD.trains:
        codes = [call.station_code for call in train.calls]
        runs = runs_of(train, WORLD.seed, as_of)
        for horizon in HORIZON_DAYS:
            inside = within(runs, horizon, as_of)
            for place, code in enumerate(codes if inside.days else ()):
                if codes.count(code) == 1:
                    said = summary(inside, place)
                    is_known = said.unknown / len(inside.days) < 0.9
                    found[train.number, code, horizon] = (said.average if is_known else None, float(said.unknown))
    return found


def day_of(fetched: Fetched) -> date:
    return max(answer.fetched_at for answer in fetched.answers).date()


def test_the_rows_of_all_five_horizons_equal_the_truth(fetched: Fetched) -> None:
    found = {key: (row["avg_delay_min"], row["runs_unknown"]) for key, row in best(fetched.answers).items()}
    expected = truth(day_of(fetched))
    assert found == expected
    assert {horizon for _, _, horizon in found} == set(HORIZON_DAYS)
    averages = [average for average, _ in found.values()]
    assert any(average is None for average in averages)
    assert any(average is not None and average < 0 for average in averages)
    assert len(found) > 500


def test_the_counts_of_given_rows_equal_the_truth(fetched: Fetched) -> None:
    as_of, trains = day_of(fetched), {train.number: train for train in WORLD.trains}
    given = [row for row in best(fetched.answers).values() if row["delay_basis"] == "given"]
    assert {row["horizon"] for row in given} == {"1month", "1year"}
    for row in given:
        train = trains[row["Train Number"]]
        place = [call.station_code for call in train.calls].index(row["station_code"])
        said = summary(within(runs_of(train, WORLD.seed, as_of), row["horizon"], as_of), place)
        counted = (row["runs_right_time"], row["runs_slight"], row["runs_significant"], row["runs_unknown"])
        assert counted == said[:4]
        assert row["station_name"] == train.calls[place].station_name.upper()


def test_what_is_computed_of_a_year_equals_what_the_page_of_a_month_gives(fetched: Fetched) -> None:
    month = [row for one in fetched.answers for row in rows(parse(one)) if row["horizon"] == "1month"]
    by_basis = {
        basis: {
            (row["Train Number"], row["station_code"]): (row["avg_delay_min"], row["runs_unknown"])
            for row in month
            if row["delay_basis"] == basis
        }
        for basis in ("given", "computed")
    }
    assert by_basis["given"] == by_basis["computed"]
    assert by_basis["given"]


def test_two_pages_are_asked_for_a_train_and_one_for_a_train_that_the_site_does_not_know(fetched: Fetched) -> None:
    listed = [train for train in WORLD.trains if train.tracking != "unlisted"]
    assert len(fetched.answers) == len(WORLD.trains) + len(listed)
    assert [call["status"] for call in fetched.calls].count(301) == len(listed)
    assert all(call["calls_in_window"] <= call["limit_calls"] for call in fetched.calls)


def test_each_refusal_is_one_that_was_laid_out(fetched: Fetched) -> None:
    by_train: dict[str, set[str]] = {}
    for answer in fetched.answers:
        number = answer.params["train"][-5:]
        by_train.setdefault(number, set()).update(codes(parse(answer)))
    assert by_train == {train.number: expected_codes(train) for train in WORLD.trains}


def expected_codes(train: TrueTrain) -> set[str]:
    if train.tracking == "unlisted":
        return {"unknown_train"}
    stations = [call.station_code for call in train.calls]
    is_loop = len(set(stations)) < len(stations) and train.tracking == "whole"
    return {"repeated_station"} if is_loop else set()
