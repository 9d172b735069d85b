"""What may be spent, before it is spent."""

from decimal import Decimal

import pytest

from sources.protocol.declaration import Price
from sources.protocol.types import Request
from sources.transport.budget import Allowance, Budget, Cost
from sources.transport.errors import BudgetSpent
from tests.sources.transport.conftest import Connect
from tests.sources.transport.provider import ask, declare
from tests.sources.transport.stand_in import StandIn, reply

CENT = declare(price=Price(0.1, "USD"))


def _asked(units: float, scope: str = "Kochi") -> Request:
    return Request("acme", "stops", scope, {"area": scope}, units)


@pytest.mark.parametrize(
    ("allowance", "left"),
    [
        (Allowance(calls=2), "1 calls needed, 0 of 2 left"),
        (Allowance(units=Decimal("7.5")), "3.0 units needed, 1.5 of 7.5 left"),
        (Allowance(money={"USD": Decimal("0.89")}), "0.30 USD needed, 0.29 of 0.89 left"),
    ],
)
def test_a_call_beyond_the_budget_is_not_made_and_the_error_says_what_is_left(
    allowance: Allowance, left: str, stand_in: StandIn, connect: Connect
) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    transport = connect(CENT, budget=Budget({"acme": allowance}))
    transport.fetch(_asked(3.0, "A"))
    transport.fetch(_asked(3.0, "B"))
    with pytest.raises(BudgetSpent, match=f"acme, stops of C: the budget is spent: {left}; allow more for acme"):
        transport.fetch(_asked(3.0, "C"))
    assert len(stand_in.arrivals) == 2


def test_sums_of_money_are_exact(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    transport = connect(CENT, budget=Budget({"acme": Allowance(money={"USD": Decimal("0.3")})}))
    for city in "ABC":
        transport.fetch(ask(city))
    assert transport.spent("acme") == Cost(3, Decimal(3), {"USD": Decimal("0.3")})


def test_money_in_a_currency_that_was_not_allowed_is_not_spent(stand_in: StandIn, connect: Connect) -> None:
    transport = connect(CENT, budget=Budget({"acme": Allowance(money={"EUR": Decimal(100)})}))
    with pytest.raises(BudgetSpent, match="USD needed, 0 of 0 left"):
        transport.fetch(ask())
    assert not stand_in.arrivals


def test_where_money_is_limited_nothing_of_an_unknown_price_is_bought(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    unpriced = declare(price=Price(None, "USD"))
    with pytest.raises(BudgetSpent, match="the price is not known"):
        connect(unpriced, budget=Budget({"acme": Allowance(money={"USD": Decimal(100)})})).fetch(ask())
    assert not stand_in.arrivals
    # A budget in units holds all the same, and a call that costs no unit is free at any price.
    within = connect(unpriced, budget=Budget({"acme": Allowance(units=Decimal(5))}))
    assert within.fetch(ask()).status == 200
    assert within.spent("acme") == Cost(1, Decimal(1), is_priced=False)
    assert connect(unpriced, budget=Budget({"acme": Allowance(money={})})).fetch(_asked(0)).status == 200


def test_what_is_free_needs_no_money(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(200))
    assert connect(budget=Budget(others=Allowance(money={}))).fetch(ask()).status == 200


def test_a_budget_is_for_one_provider_and_another_may_have_none(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/other/v1/stops", reply(200))
    budget = Budget({"acme": Allowance(calls=0)}, others=Allowance(calls=1))
    transport = connect(declare(), declare("other"), budget=budget)
    with pytest.raises(BudgetSpent, match="acme"):
        transport.fetch(ask())
    assert transport.fetch(ask(provider="other")).status == 200
    with pytest.raises(BudgetSpent, match="other"):
        transport.fetch(ask("Pune", provider="other"))


def test_every_try_is_counted_and_the_one_too_many_is_not_made(stand_in: StandIn, connect: Connect) -> None:
    stand_in.on("/acme/v1/stops", reply(503))
    transport = connect(budget=Budget({"acme": Allowance(calls=3)}))
    with pytest.raises(BudgetSpent, match="0 of 3 left"):
        transport.fetch(ask())
    assert len(stand_in.arrivals) == transport.spent("acme").calls == 3


def test_a_plan_is_looked_at_as_a_whole_before_its_first_call(stand_in: StandIn, connect: Connect) -> None:
    transport = connect(budget=Budget({"acme": Allowance(calls=2)}))
    transport.check([ask("A"), ask("B")])
    with pytest.raises(BudgetSpent, match=r"acme, stops of A: .*3 calls needed, 2 of 2 left"):
        transport.check([ask("A"), ask("B"), ask("C")])
    assert not stand_in.arrivals
    assert transport.spent("acme") == Cost()


def test_not_even_robots_txt_is_asked_for_without_a_budget(stand_in: StandIn, connect: Connect) -> None:
    with pytest.raises(BudgetSpent):
        connect(declare(robots="obey"), budget=Budget(others=Allowance(calls=0))).fetch(ask())
    assert not stand_in.arrivals
