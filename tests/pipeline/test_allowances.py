"""accounts.yaml: as which customer a provider is asked, and how much may be spent on it."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.allowances import AccountsError, read_allowances
from pipeline.asking import plan
from pipeline.regions import read_region
from sources.protocol.declaration import Declaration
from sources.protocol.discovery import load_source
from sources.protocol.types import Account
from sources.transport.archive import Archive
from sources.transport.budget import Allowance, Budget
from tests.sources.protocol.test_declaration import load as declare
from tests.sources.protocol.test_declaration import with_more

SMALL, LARGE = Account("small", {"max_cells": 2500}), Account("large", {"max_cells": 100_000, "max_side": 1000})


@pytest.fixture
def demo(tmp_path: Path) -> Declaration:
    return declare(tmp_path, with_more())


def write(home: Path, text: str) -> Path:
    (home / "accounts.yaml").write_text(text, encoding="utf-8")
    return home


def test_without_a_file_providers_are_asked_as_usual_and_stand_ins_as_declared(
    tmp_path: Path, demo: Declaration
) -> None:
    live = read_allowances(tmp_path, [demo], of_stand_ins=False)
    assert (live.accounts, live.budget) == ({"demo": SMALL}, Budget())
    assert read_allowances(tmp_path, [demo], of_stand_ins=True).accounts == {"demo": LARGE}


@pytest.mark.parametrize("text", ["demo: large\n", "demo: {account: large}\n"])
def test_a_file_chooses_the_account(tmp_path: Path, demo: Declaration, text: str) -> None:
    assert read_allowances(write(tmp_path, text), [demo], of_stand_ins=False).accounts == {"demo": LARGE}


def test_budgets_are_read_by_provider_and_for_the_others(tmp_path: Path, demo: Declaration) -> None:
    text = "demo: {budget: {calls: 500, units: 30000, money: {USD: 20.50}}}\nothers: {budget: {calls: 9}}\n"
    found = read_allowances(write(tmp_path, text), [demo], of_stand_ins=False)
    assert found.accounts == {"demo": SMALL}
    assert found.budget.of("demo") == Allowance(500, Decimal(30000), {"USD": Decimal("20.50")})
    assert found.budget.of("another") == Allowance(calls=9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("demo: huge\n", ["line 1", "'huge'", "'small'", "'large'"]),
        ("demo: {account: huge}\n", ["line 1", "'huge'", "'small'"]),
        ("demi: small\n", ["line 1", "'demi'", "did you mean 'demo'"]),
        ("demo:\n  budget: {calls: 1.5}\n", ["line 2", "whole number"]),
        ("demo:\n  budget: {units: -1}\n", ["line 2", "from 0 to"]),
        ("demo:\n  budget: {money: {USD: many}}\n", ["line 2", "'many'"]),
        ("demo:\n  budget: {euros: 5}\n", ["line 2", "'euros'"]),
        ("demo:\n  budget: {money: {usd: 5}}\n", ["line 2", "'usd'", "USD"]),
        ("demo:\n  budget: {calls: 1e9999999999}\n", ["line 2", "'calls'"]),
        ("demo:\n  budget: {}\n", ["line 2", "empty"]),
        ("others: {calls: 5}\n", ["line 1", "'calls'", "'budget'"]),
        ("others: small\n", ["line 1", "others"]),
        ("demo: [small]\n", ["line 1", "demo"]),
        ("demo: {\n", ["accounts.yaml", "line"]),
    ],
)
def test_a_fault_names_file_line_and_choices(tmp_path: Path, demo: Declaration, text: str, words: list[str]) -> None:
    with pytest.raises(AccountsError) as caught:
        read_allowances(write(tmp_path, text), [demo], of_stand_ins=False)
    for word in ("accounts.yaml", *words):
        assert word in str(caught.value)


def test_a_file_that_leads_nowhere_is_a_fault_and_not_no_file(tmp_path: Path, demo: Declaration) -> None:
    (tmp_path / "accounts.yaml").symlink_to(tmp_path / "gone.yaml")
    with pytest.raises(AccountsError, match="no such file"):
        read_allowances(tmp_path, [demo], of_stand_ins=False)


REQUESTS = """\
from sources.protocol.types import Request


def requests(region, known):
    for number in range(int(known.account.limits.get("max_side", 3))):
        yield Request("demo", "search", f"city {number}", {"city": str(number)}, units=2.5)
"""


def test_the_plan_counts_what_follows_and_every_time_that_may_be_needed(tmp_path: Path, demo: Declaration) -> None:
    folder = tmp_path / demo.id
    (folder / "requests.py").write_text(REQUESTS)
    (folder / "parse.py").write_text("def parse(answer):\n    return ()\n")
    source, archive = load_source(folder), Archive(tmp_path / "raw")
    now, region = datetime.now(UTC), read_region("sample")
    small = plan(source, region, archive, SMALL, now, None, {})
    search, ask = small.endpoints["search"], small.endpoints["ask"]
    assert (search.jobs, search.requests_min, search.requests_max, search.units) == (3, 3, 3, Decimal("7.5"))
    # Each search is followed by one to three askings, and each of these may be made 720 times.
    assert (ask.jobs, ask.requests_min, ask.requests_max, ask.units) == (0, 3, 3 * 3 * 720, 0)
    assert (small.requests_min, small.requests_max, small.units) == (6, 6483, Decimal("7.5"))
    assert (small.cost, small.currency) == (Decimal("0.075"), "USD")
    # Two searches after the first at 2.5 s each; the askings stay below their rate.
    assert small.hours == round(5 / 3600, 3)
    assert plan(source, region, archive, LARGE, now, None, {}).endpoints["search"].jobs == 1000


def test_a_plan_with_an_unknown_price_has_no_cost(tmp_path: Path) -> None:
    demo = declare(tmp_path, with_more().replace("amount: 0.01", "amount: unknown"))
    folder = tmp_path / demo.id
    (folder / "requests.py").write_text(REQUESTS)
    (folder / "parse.py").write_text("def parse(answer):\n    return ()\n")
    found = plan(
        load_source(folder), read_region("sample"), Archive(tmp_path / "raw"), SMALL, datetime.now(UTC), None, {}
    )
    assert (found.cost, found.units) == (None, Decimal("7.5"))
