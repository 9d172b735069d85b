"""What is asked next, given what is known: each pair paid once, in few jobs, whatever happened before."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.region import Region, load_region
from sources.protocol.types import Request
from sources.tomtom.jobs import ends_of
from sources.tomtom.parse import parse
from sources.tomtom.points import point_of
from tests.sources.tomtom.answers import FOLDER, answer_to, rows
from tests.sources.tomtom.provider import (
    DECLARATION,
    MISSING,
    NO_ROUTE,
    OK,
    STOPPED,
    Archive,
    Pair,
    Provider,
    Reply,
    run,
)

INDIA = load_region(FOLDER.parents[1] / "pipeline" / "regions" / "india")
SMALL = replace(INDIA, cities=INDIA.cities[:25], road_pairs=())
# Limits in proportion: the small region is 7 jobs for one kind of customer and one for the other.
STANDARD = {"max_cells": 100, "max_side": 20}
CONTRACTED = {"max_cells": 10_000, "max_side": 100}
GONE: Reply = (404, b"")


def pairs_of(region: Region) -> set[Pair]:
    return set(permutations(map(point_of, region.cities), 2))


def times_paid(provider: Provider, region: Region) -> Counter[int]:
    """How many pairs of different cities were paid how often."""
    return Counter(provider.paid[pair] for pair in pairs_of(region))


def cells_of(asked: list[Request]) -> int:
    sides = [(json.loads(one.params["origins"]), json.loads(one.params["destinations"])) for one in asked]
    return sum(len(origins) * len(destinations) for origins, destinations in sides)


def told(archive: Archive) -> dict[Pair, str]:
    """The road status of each pair after all results, where `ok` is believed before anything else."""
    found: dict[Pair, str] = {}
    for answer in archive.answers("matrix_result"):
        for row in rows(parse(answer)):
            pair = (
                (row["origin_latitude"], row["origin_longitude"]),
                (row["destination_latitude"], row["destination_longitude"]),
            )
            if found.get(pair) != OK:
                found[pair] = row["road_status"]
    return found


@pytest.mark.parametrize(("account", "jobs", "units"), [("standard", 102, 25_920), ("contracted", 1, 2_520)])
def test_a_whole_region_is_asked_in_the_fewest_jobs_that_the_account_allows(
    account: str, jobs: int, units: int
) -> None:
    archive = Archive(DECLARATION.accounts[account].limits)
    provider = Provider()
    asked = [one for one in run(INDIA, archive, provider, most_answers=0) if one.endpoint == "matrix"]
    assert (len(asked), sum(one.units for one in asked)) == (jobs, units)
    assert cells_of(asked) == 504 * 504
    assert len({one.id for one in asked}) == jobs


def test_a_region_is_told_whole_and_each_pair_is_paid_once() -> None:
    archive, provider = Archive(STANDARD), Provider()
    assert run(SMALL, archive, provider) == []
    assert times_paid(provider, SMALL) == {1: 25 * 24}
    assert told(archive) == dict.fromkeys(pairs_of(SMALL), "ok")
    assert Counter(one.endpoint for one in provider.log) == {"matrix": 7, "matrix_status": 14, "matrix_result": 7}
    assert run(SMALL, archive, provider) == []
    assert len(provider.log) == 28


def test_a_job_lifts_the_limit_of_distance_by_exactly_its_options() -> None:
    (request,) = run(SMALL, Archive(CONTRACTED), Provider(), most_answers=0)
    assert set(request.params) == {"origins", "destinations", "options"}
    assert json.loads(request.params["options"]) == {
        "departAt": "any",
        "traffic": "historical",
        "routeType": "fastest",
        "travelMode": "car",
    }
    first = json.loads(request.params["origins"])[0]
    assert first == {"point": {"latitude": SMALL.cities[0].latitude, "longitude": SMALL.cities[0].longitude}}


def test_the_parameters_of_a_result_are_the_job_and_its_subject_the_question() -> None:
    provider = Provider()
    run(SMALL, Archive(CONTRACTED), provider)
    submitted, result = provider.submitted()[0], provider.log[-1]
    assert result.endpoint == "matrix_result"
    assert set(result.params) == {"jobId"}
    assert result.subject == submitted.params
    assert (result.units, submitted.units) == (0, 125)


def test_another_account_midway_pays_a_pair_again_only_where_that_is_cheaper() -> None:
    for first, then in ((STANDARD, CONTRACTED), (CONTRACTED, STANDARD)):
        for answers in (0, 1, 3, 5, 12, 20):
            archive, provider = Archive(first), Provider()
            run(SMALL, archive, provider, most_answers=answers)
            before = len(provider.submitted())
            archive.account = Archive(then, "other").account
            assert run(SMALL, archive, provider) == []
            added = provider.submitted()[before:]
            left_open = 25 * 25 - len(pairs_in(provider.submitted()[:before]))
            assert sum(one.units for one in added) <= min(left_open, units_of_all(then))
            assert told(archive) == dict.fromkeys(pairs_of(SMALL), "ok")


def test_a_city_more_asks_for_its_own_pairs_alone() -> None:
    archive, provider = Archive(STANDARD), Provider()
    run(SMALL, archive, provider)
    before = len(provider.submitted())
    larger = replace(SMALL, cities=(*SMALL.cities[:9], INDIA.cities[25], *SMALL.cities[9:]))
    assert run(larger, archive, provider) == []
    assert cells_of(provider.submitted()[before:]) == 2 * 25 + 1
    assert times_paid(provider, larger) == {1: 26 * 25}


def test_a_city_more_among_many_is_two_jobs_for_the_usual_customer() -> None:
    archive, provider = Archive(DECLARATION.accounts["contracted"].limits), Provider()
    run(replace(INDIA, cities=INDIA.cities[:80], road_pairs=()), archive, provider)
    archive.account = DECLARATION.accounts["standard"]
    added = run(replace(INDIA, cities=INDIA.cities[:81], road_pairs=()), archive, provider, most_answers=0)
    assert (len(added), cells_of(added), sum(one.units for one in added)) == (2, 161, 161)


def test_a_smaller_region_asks_nothing_and_a_moved_city_asks_for_itself() -> None:
    archive, provider = Archive(STANDARD), Provider()
    run(SMALL, archive, provider)
    assert run(replace(SMALL, cities=SMALL.cities[3:12]), archive, provider, most_answers=0) == []
    moved = replace(SMALL.cities[4], latitude=SMALL.cities[4].latitude + 0.00001)
    asked = run(replace(SMALL, cities=(*SMALL.cities[:4], moved, *SMALL.cities[5:])), archive, provider, most_answers=0)
    assert cells_of(asked) == 2 * 24 + 1


def pairs_in(jobs: list[Request]) -> set[Pair]:
    ends = [ends_of(answer_to(one, b"")) for one in jobs]
    return {pair for one in ends if one for pair in product(one.origins, one.destinations)}


def units_of_all(limits: Mapping[str, float]) -> float:
    return sum(one.units for one in run(SMALL, Archive(limits), Provider(), most_answers=0))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 30), max_size=6), st.sampled_from([STANDARD, CONTRACTED]))
def test_kills_at_any_moment_pay_nothing_twice_and_lose_nothing(kills: list[int], limits: dict[str, int]) -> None:
    archive, provider = Archive(limits), Provider()
    for answers in kills:
        run(SMALL, archive, provider, most_answers=answers)
    assert run(SMALL, archive, provider) == []
    assert times_paid(provider, SMALL) == {1: 25 * 24}
    assert told(archive) == dict.fromkeys(pairs_of(SMALL), "ok")
    fetched = Counter(one.id for one in provider.log if one.endpoint == "matrix_result")
    assert set(fetched.values()) == {1}


@pytest.mark.parametrize(
    ("endpoint", "reply"),
    [("matrix_status", (200, b'{"jobId": "00-0-0000", "state": "Failed"}')), ("matrix_status", GONE),
     ("matrix_result", GONE)],
)  # fmt: skip
def test_a_job_that_is_lost_is_submitted_again(endpoint: str, reply: Reply) -> None:
    archive, provider = Archive(STANDARD), Provider()

    def lose(request: Request, _time: int) -> Reply | None:
        return reply if request.endpoint == endpoint and request.params["jobId"] == "00-0-0000" else None

    provider.faults.append(lose)
    assert run(SMALL, archive, provider) == []
    submitted = Counter(one.id for one in provider.submitted())
    assert sorted(submitted.values()) == [1] * 6 + [2]
    assert submitted[provider.submitted()[0].id] == 2
    assert told(archive) == dict.fromkeys(pairs_of(SMALL), "ok")


def test_a_job_that_is_always_lost_stays_open_and_is_tried_again_in_another_run() -> None:
    archive, provider = Archive(CONTRACTED), Provider()
    provider.faults.append(lambda request, _: GONE if request.endpoint == "matrix_status" else None)
    for times in (3, 6):
        (still_open,) = run(SMALL, archive, provider)
        assert still_open.endpoint == "matrix"
        assert len(provider.submitted()) == times
    provider.faults.clear()
    assert run(SMALL, archive, provider) == []


def test_a_job_whose_state_is_a_new_word_goes_on() -> None:
    archive, provider = Archive(CONTRACTED), Provider(polls=1)

    def queue(request: Request, time: int) -> Reply | None:
        waits = request.endpoint == "matrix_status" and time < 9
        return (200, json.dumps({"jobId": request.params["jobId"], "state": "Queued"}).encode()) if waits else None

    provider.faults.append(queue)
    assert run(SMALL, archive, provider) == []
    assert Counter(one.endpoint for one in provider.log) == {"matrix": 1, "matrix_status": 9, "matrix_result": 1}


@pytest.mark.parametrize("broken", [(200, b"<html>"), (200, b'{"data": ['), (503, b"")])
def test_a_download_that_broke_is_made_again_and_not_paid_again(broken: Reply) -> None:
    archive, provider = Archive(CONTRACTED), Provider()
    provider.faults.append(lambda one, time: broken if one.endpoint == "matrix_result" and time < 5 else None)
    (still_open,) = run(SMALL, archive, provider)
    assert still_open.endpoint == "matrix_result"
    assert run(SMALL, archive, provider) == []
    assert Counter(one.endpoint for one in provider.log) == {"matrix": 1, "matrix_status": 2, "matrix_result": 5}


def test_an_answer_about_other_cells_is_asked_for_once_more_and_then_left() -> None:
    archive, provider = Archive(CONTRACTED), Provider()
    other = json.dumps({"data": [], "statistics": {"totalCount": 1, "successes": 1, "failures": 0}}).encode()
    provider.faults.append(lambda one, _: (200, other) if one.endpoint == "matrix_result" else None)
    for _ in range(3):
        assert run(SMALL, archive, provider) == []
    assert times_paid(provider, SMALL) == {2: 25 * 24}


CITIES = [point_of(city) for city in SMALL.cities]
UNLUCKY = {(CITIES[2], CITIES[7]), (CITIES[2], CITIES[8]), (CITIES[11], CITIES[3]), (CITIES[5], CITIES[5])}
ISLAND = CITIES[20]


@pytest.mark.parametrize("word", [STOPPED, MISSING])
def test_cells_that_failed_for_a_while_are_asked_once_more(word: str) -> None:
    archive = Archive(STANDARD)
    provider = Provider(cell=lambda pair, time: word if pair in UNLUCKY and time == 1 else OK)
    assert run(SMALL, archive, provider) == []
    assert {pair for pair in pairs_of(SMALL) if provider.paid[pair] == 2} == UNLUCKY & pairs_of(SMALL)
    assert max(provider.paid.values()) == 2
    assert told(archive) == dict.fromkeys(pairs_of(SMALL), "ok")
    again = provider.submitted()[7:]
    assert [one.units for one in again] == [2, 1]


def test_cells_that_fail_again_are_left_with_their_reason() -> None:
    archive = Archive(STANDARD)
    provider = Provider(cell=lambda pair, _time: STOPPED if pair in UNLUCKY else OK)
    for _ in range(3):
        assert run(SMALL, archive, provider) == []
    assert times_paid(provider, SMALL) == {1: 25 * 24 - 3, 2: 3}
    assert {pair for pair, status in told(archive).items() if status == "timeout"} == UNLUCKY & pairs_of(SMALL)


def test_a_whole_job_of_failed_cells_is_asked_once_more() -> None:
    archive, provider = Archive(CONTRACTED), Provider(cell=lambda _pair, time: STOPPED if time == 1 else OK)
    assert run(SMALL, archive, provider) == []
    assert times_paid(provider, SMALL) == {2: 25 * 24}
    assert set(told(archive).values()) == {"ok"}


def test_second_times_wait_until_no_job_runs() -> None:
    archive = Archive(STANDARD)
    provider = Provider(cell=lambda pair, time: STOPPED if pair in UNLUCKY and time == 1 else OK)
    slow = 6

    def one_is_slow(request: Request, time: int) -> Reply | None:
        waits = request.endpoint == "matrix_status" and request.params["jobId"] == "00-6-0000" and time < slow
        return (200, json.dumps({"jobId": request.params["jobId"], "state": "InProgress"}).encode()) if waits else None

    provider.faults.append(one_is_slow)
    run(SMALL, archive, provider)
    last_result = max(n for n, one in enumerate(provider.log) if one.params.get("jobId") == "00-6-0000")
    assert [provider.log.index(one) > last_result for one in provider.submitted()[7:]] == [True, True]


def test_an_island_is_not_asked_for_again() -> None:
    archive, provider = Archive(STANDARD), Provider(cell=lambda pair, _: NO_ROUTE if ISLAND in pair else OK)
    for _ in range(2):
        assert run(SMALL, archive, provider) == []
    assert times_paid(provider, SMALL) == {1: 25 * 24}
    assert Counter(told(archive).values()) == {"ok": 24 * 23, "no_route": 2 * 24}


def test_a_refused_block_is_asked_again_in_another_run_only() -> None:
    archive, provider = Archive(CONTRACTED), Provider()
    refused = json.dumps({"detailedError": {"code": "BAD_ARGUMENT", "message": "too large"}}).encode()
    provider.faults.append(lambda request, _: (400, refused) if request.endpoint == "matrix" else None)
    for times in (1, 2):
        run(SMALL, archive, provider)
        assert len(provider.submitted()) == times


def test_a_saved_answer_of_a_synchronous_matrix_covers_its_pairs() -> None:
    provider, archive = Provider(), Archive(STANDARD)
    few = replace(SMALL, cities=SMALL.cities[:10])
    (submit,) = run(few, archive, provider, most_answers=0)
    (result,) = [one for one in _log_of(few) if one.endpoint == "matrix_result"]
    body = _results_of(few)[result.params["jobId"]]
    archive.keep(submit, answer_to(submit, body))
    assert run(few, archive, provider) == []
    assert provider.log == []


def test_a_saved_matrix_for_another_vehicle_neither_covers_pairs_nor_is_followed() -> None:
    few = replace(SMALL, cities=SMALL.cities[:10])
    (submit,) = run(few, Archive(STANDARD), Provider(), most_answers=0)
    options = {**json.loads(submit.params["options"]), "travelMode": "truck"}
    truck = replace(submit, params={**submit.params, "options": json.dumps(options)})
    for body in (*_results_of(few).values(), b'{"jobId": "00-9-0000", "state": "Submitted"}'):
        provider, archive = Provider(), Archive(STANDARD)
        archive.keep(truck, answer_to(truck, body))
        assert run(few, archive, provider) == []
        assert times_paid(provider, few) == {1: 10 * 9}
        assert "00-9-0000" not in {one.params.get("jobId") for one in provider.log}


def _log_of(region: Region) -> list[Request]:
    provider = Provider()
    run(region, Archive(STANDARD), provider)
    return provider.log


def _results_of(region: Region) -> dict[str, bytes]:
    archive = Archive(STANDARD)
    run(region, archive, Provider())
    return {one.params["jobId"]: one.body or b"" for one in archive.answers("matrix_result")}


def test_two_cities_at_one_point_are_asked_for_once() -> None:
    twin = replace(SMALL.cities[3], city_id="twin", name="Twin")
    archive, provider = Archive(CONTRACTED), Provider()
    run(replace(SMALL, cities=(*SMALL.cities, twin)), archive, provider)
    assert times_paid(provider, SMALL) == {1: 25 * 24}


def test_no_city_and_one_city_ask_nothing() -> None:
    for cities in ((), SMALL.cities[:1]):
        assert run(replace(SMALL, cities=cities), Archive(STANDARD), Provider(), most_answers=0) == []


def test_the_delay_is_asked_for_each_ordered_pair_once_and_a_refusal_settles_it() -> None:
    archive, provider = Archive(CONTRACTED), Provider()
    uncertain = tuple(city for city in INDIA.cities if city.is_uncertainty_city)
    region = replace(INDIA, cities=(*uncertain, INDIA.cities[-1]))
    assert run(region, archive, provider) == []
    assert run(region, archive, provider) == []
    asked = [dict(one.params) for one in provider.log if one.endpoint == "route"]
    assert asked == [
        {
            "locations": f"{one.latitude!r},{one.longitude!r}:{two.latitude!r},{two.longitude!r}",
            "computeTravelTimeFor": "all",
            "routeRepresentation": "summaryOnly",
            "traffic": "true",
        }
        for one, two in permutations(uncertain, 2)
    ]
    assert len(asked) == 380


@pytest.mark.parametrize(("rules", "extra"), [(("uncertainty_cities", "bus_pairs"), 1), (("bus_pairs",), 2), ((), 0)])
def test_the_delay_is_asked_too_for_every_pair_with_a_bus_and_for_each_pair_once(
    rules: tuple[str, ...], extra: int
) -> None:
    one, two = (city for city in INDIA.cities if city.is_uncertainty_city and city.name in ("Jaipur", "Pune"))
    other = next(city for city in INDIA.cities if not city.is_uncertainty_city)
    region = replace(INDIA, cities=(one, two, other), road_pairs=rules)
    archive, provider = Archive(CONTRACTED), Provider()
    ways = [
        (one.name, two.name),
        (one.name, other.name),
        (one.name, other.name),
        (one.name, None),
        ("Nowhere", two.name),
    ]
    archive.buses = [{"OriginCityName": start, "DestCityName": end} for start, end in ways]
    assert run(region, archive, provider) == []
    asked = [one.params["locations"] for one in provider.log if one.endpoint == "route"]
    assert len(asked) == len(set(asked)) == (2 if "uncertainty_cities" in rules else 0) + extra


def test_a_route_that_timed_out_is_asked_once_more_and_again_in_another_run() -> None:
    archive, provider = Archive(CONTRACTED), Provider()
    two = replace(INDIA, cities=tuple(city for city in INDIA.cities if city.is_uncertainty_city)[:2])
    late = json.dumps({"detailedError": {"code": "COMPUTE_TIME_LIMIT_EXCEEDED"}}).encode()
    slow = point_of(two.cities[1])

    def give_up(request: Request, time: int) -> Reply | None:
        is_slow = request.endpoint == "route" and request.params["locations"].startswith(f"{slow[0]!r},")
        return (400, late) if is_slow and time < 4 else None

    provider.faults.append(give_up)
    for times, still_open in ((3, 1), (5, 0), (5, 0)):
        assert len(run(two, archive, provider)) == still_open
        assert len([one for one in provider.log if one.endpoint == "route"]) == times


def test_all_calls_about_matrices_stay_below_the_limit_of_the_provider() -> None:
    rates = [one.rate for name, one in DECLARATION.endpoints.items() if name.startswith("matrix")]
    assert sum(rate.calls / rate.seconds for rate in rates) < 10
    route = DECLARATION.endpoints["route"].rate
    assert route.calls / route.seconds <= 5


def test_nothing_of_what_is_not_known_to_be_allowed_is_declared_as_allowed() -> None:
    terms = DECLARATION.terms
    assert (terms.accepted_by, terms.accepted_at, terms.store_days) == ("", None, 2)
    assert set(terms.may_redistribute.values()) == {"unknown"}


def test_the_points_of_an_answer_are_those_of_the_region_digit_for_digit() -> None:
    provider, archive = Provider(), Archive(CONTRACTED)
    run(SMALL, archive, provider)
    (answer,) = archive.answers("matrix_result")
    ends = ends_of(answer)
    assert ends is not None
    assert ends.origins == ends.destinations == tuple(point_of(city) for city in SMALL.cities)
