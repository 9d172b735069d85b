"""`accounts.yaml` of a home: as which kind of customer each provider is asked, and how much may be spent on it.

```yaml
tomtom: contracted
tripadvisor: {account: terra, budget: {calls: 5000, units: 5000, money: {USD: 40}}}
others: {budget: {calls: 20000}}
```

A provider that is not named is asked as its usual account (the first in its source.yaml), within the budget of
`others`, without end where there is none. Budgets hold for one run.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from schemas.errors import UtpError
from schemas.strict import Node, StrictError
from schemas.textyaml import Lined, TextYamlError, load_text
from sources.protocol.declaration import Declaration
from sources.protocol.types import Account
from sources.transport.budget import Allowance, Budget

FILE = "accounts.yaml"
_OTHERS = "others"
# More than anybody has to spend, and little enough to be counted with.
_MOST = Decimal(10**12)


class AccountsError(UtpError, ValueError):
    """An accounts.yaml that cannot be used; the message names file, line, cause and choices."""


@dataclass(frozen=True)
class Allowances:
    """The account of each provider, by id, and the budget of a run."""

    accounts: Mapping[str, Account]
    budget: Budget


def read_allowances(home: Path, declarations: Iterable[Declaration], *, of_stand_ins: bool) -> Allowances:
    """Read the accounts.yaml of a home; without one each provider is asked as usual. Raises AccountsError.

    A stand-in is asked as the account that source.yaml names for it, unless the file says otherwise.
    """
    known = {one.id: one for one in declarations}
    usual = {
        name: one.accounts[one.stand_in_account] if of_stand_ins else next(iter(one.accounts.values()))
        for name, one in known.items()
    }
    path = home / FILE
    if not os.path.lexists(path):
        return Allowances(usual, Budget())
    try:
        node = Node(load_text(path), "")
        node.allow((*known, _OTHERS))
        chosen = {name: _account(node, name, known[name]) for name in node.value if name != _OTHERS}
        budgets = {name: _budget(node, name) for name in node.value}
    except OSError as error:
        raise AccountsError(f"{path}: {error.strerror}; mend it, or remove it") from None
    except (TextYamlError, StrictError) as error:
        raise AccountsError(f"{path}, {str(error).removeprefix(f'{path.name}, ')}") from None
    others = budgets.pop(_OTHERS, Allowance())
    named = {name: one for name, one in budgets.items() if one != Allowance()}
    return Allowances(usual | {name: one for name, one in chosen.items() if one is not None}, Budget(named, others))


def _account(node: Node, name: str, declaration: Declaration) -> Account | None:
    value = node.value[name]
    if isinstance(value, Lined):
        one = node.child(name)
        one.allow(("account", "budget"))
        return declaration.accounts[one.choice("account", declaration.accounts)] if one.has("account") else None
    return declaration.accounts[node.choice(name, declaration.accounts)]


def _budget(node: Node, name: str) -> Allowance:
    if name == _OTHERS:
        node.child(name).allow(("budget",), ("budget",))
    if not isinstance(node.value[name], Lined) or not node.child(name).has("budget"):
        return Allowance()
    budget = node.child(name).child("budget")
    budget.allow(("calls", "units", "money"))
    if not budget.value:
        raise node.child(name).error("budget", "'budget' is empty; give calls, units or money, or leave it out")
    calls = _amount(budget, "calls") if budget.has("calls") else None
    if calls is not None and calls != calls.to_integral_value():
        raise budget.error("calls", f"'calls' must be a whole number, found {calls}")
    return Allowance(
        calls=None if calls is None else int(calls),
        units=_amount(budget, "units") if budget.has("units") else None,
        money=_money(budget.child("money")) if budget.has("money") else None,
    )


def _money(node: Node) -> dict[str, Decimal]:
    for currency in node.value:
        if not re.fullmatch("[A-Z]{3}", currency):
            raise node.error(currency, f"{currency!r} is no currency; write three capital letters like USD")
    return {currency: _amount(node, currency) for currency in node.value}


def _amount(node: Node, key: str) -> Decimal:
    text = node.needed(key)
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or not 0 <= amount <= _MOST:
        raise node.error(key, f"{key!r} must be a number from 0 to {_MOST:,}, found {text!r}")
    return amount
