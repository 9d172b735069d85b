"""What asking may cost: calls, units and money, by provider, checked before a call is made and counted when it is."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from sources.protocol.declaration import Endpoint
from sources.protocol.types import Request
from sources.transport.errors import BudgetSpent


@dataclass(frozen=True)
class Allowance:
    """The most that may be spent on one provider; None is without end. `money` is by currency (ISO 4217).

    Where `money` is given, a price in a currency that it does not name may not be spent at all, nor an unknown one.
    """

    calls: int | None = None
    units: Decimal | None = None
    money: Mapping[str, Decimal] | None = None


@dataclass(frozen=True)
class Budget:
    """Allowances by provider, and one for each provider that is not named."""

    providers: Mapping[str, Allowance] = field(default_factory=dict)
    others: Allowance = field(default_factory=Allowance)

    def of(self, provider: str) -> Allowance:
        """Return the allowance of one provider."""
        return self.providers.get(provider, self.others)


@dataclass(frozen=True)
class Cost:
    """Calls, billed units, and money by currency; `is_priced`: all of the money is known."""

    calls: int = 0
    units: Decimal = Decimal(0)
    money: Mapping[str, Decimal] = field(default_factory=dict)
    is_priced: bool = True

    def __add__(self, other: "Cost") -> "Cost":
        """Return both together."""
        currencies = self.money.keys() | other.money.keys()
        money = {name: self.money.get(name, Decimal(0)) + other.money.get(name, Decimal(0)) for name in currencies}
        is_priced = self.is_priced and other.is_priced
        return Cost(self.calls + other.calls, self.units + other.units, money, is_priced)


def cost_of(request: Request, endpoint: Endpoint) -> Cost:
    """Return what one try of a request costs."""
    units = Decimal(str(request.units))
    price = endpoint.price
    if price.amount is None:
        return Cost(1, units, is_priced=not units)
    amount = Decimal(str(price.amount)) * units
    return Cost(1, units, {price.currency: amount} if amount else {})


class Ledger:
    """What one transport has spent, by provider, against a budget. Every try counts, answered or not."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._spent: dict[str, Cost] = {}
        self._lock = threading.Lock()

    def spent(self, provider: str) -> Cost:
        """Return what was spent so far."""
        return self._spent.get(provider, Cost())

    def check(self, request: Request, cost: Cost) -> None:
        """Raise BudgetSpent if `cost` is more than what is left for the provider."""
        allowed, spent = self._budget.of(request.provider), self.spent(request.provider)
        lacking = [*_lacking("calls", cost.calls, allowed.calls, spent.calls)]
        lacking += _lacking("units", cost.units, allowed.units, spent.units)
        for currency, amount in sorted(cost.money.items()) if allowed.money is not None else ():
            lacking += _lacking(
                currency, amount, (allowed.money or {}).get(currency, Decimal(0)), spent.money.get(currency, Decimal(0))
            )
        if allowed.money is not None and not cost.is_priced:
            lacking.append("money is limited and the price is not known")
        if lacking:
            raise BudgetSpent(
                request.provider, request.endpoint, request.scope, f"the budget is spent: {', '.join(lacking)}",
                f"allow more for {request.provider}, or be content with what is archived",
            )  # fmt: skip

    def charge(self, request: Request, cost: Cost) -> None:
        """Count `cost` as spent; BudgetSpent, and nothing counted, if it is more than what is left."""
        with self._lock:
            self.check(request, cost)
            self._spent[request.provider] = self.spent(request.provider) + cost


def _lacking(unit: str, needed: Decimal | int, allowed: Decimal | int | None, spent: Decimal | int) -> Iterable[str]:
    if allowed is None or spent + needed <= allowed:
        return []
    return [f"{needed} {unit} needed, {max(0, allowed - spent)} of {allowed} left"]
