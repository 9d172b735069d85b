"""Exchange rates, as Numbeo gives them: rupees for a unit of each currency, dated to the day they were fetched.

Prices are archived apart from the rates, so what converts them goes with their question, as its subject.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from sources.numbeo.cities import TABLE
from sources.numbeo.envelope import Document, is_number, shown, unknown_fields
from sources.protocol.types import Answer, Parsed, Refusal, Skipped

RUPEE = "INR"

_RATES, _AS_OF = "rupees_for", "rates_as_of"
_FIELDS = frozenset({"currency", "one_usd_to_currency", "one_eur_to_currency"})
_CODE = re.compile("[A-Z]{3}")
_MOST = 1e12


class Rate(NamedTuple):
    """Rupees for one unit of a currency, and the day on which that was so."""

    rupees: float
    as_of: date


def read_rates(document: Document | list[Any]) -> Iterator[tuple[str, float] | Refusal]:
    """Yield per currency how many units a dollar buys, and a refusal for each member that does not say so."""
    members = document.get("exchange_rates") if isinstance(document, dict) else None
    if not isinstance(members, list):
        yield Refusal("bad_type", "the answer has no list of exchange rates", "exchange_rates", table=TABLE)
        return
    for place, member in enumerate(members):
        where = f"exchange_rates[{place}]"
        currency, units = (member.get("currency"), member.get("one_usd_to_currency")) if _is_object(member) else (0, 0)
        if not isinstance(currency, str) or not _CODE.fullmatch(currency):
            yield Refusal("bad_currency", "a rate needs its currency as three letters", where, table=TABLE)
        elif not is_number(units, _MOST) or units < 1 / _MOST:
            where = f"{where}.one_usd_to_currency"
            yield Refusal("bad_number", "no rate of a dollar", where, False, TABLE, shown(units))
        else:
            yield currency, float(units)


def parse_rates(document: Document | list[Any]) -> Iterator[Parsed]:
    """Yield what is wrong or new in a list of rates; the rates themselves are of no table."""
    rates = 0
    for rate in read_rates(document):
        if isinstance(rate, Refusal):
            yield rate
        else:
            rates += 1
    if isinstance(document, dict):
        yield from unknown_fields(document, frozenset({"exchange_rates"}))
        members = document.get("exchange_rates")
        for member in members if isinstance(members, list) else ():
            if _is_object(member):
                yield from unknown_fields(member, _FIELDS, "exchange_rates[].")
    if rates:
        yield Skipped("an exchange rate, which is no price", rates)


def rates_subject(document: Document | list[Any], answer: Answer) -> dict[str, str]:
    """Return the rates of an answer as part of a subject; nothing where it does not say what a rupee is worth.

    A currency that is listed twice with two rates is left out.
    """
    units: dict[str, set[float]] = {}
    for rate in read_rates(document):
        if not isinstance(rate, Refusal):
            units.setdefault(rate[0], set()).add(rate[1])
    certain = {currency: found.pop() for currency, found in units.items() if len(found) == 1}
    if RUPEE not in certain:
        return {}
    rupees = {currency: certain[RUPEE] / found for currency, found in sorted(certain.items())}
    return {_RATES: json.dumps(rupees), _AS_OF: answer.fetched_at.date().isoformat()}


def rate_of(currency: str, subject: Mapping[str, str]) -> Rate | None:
    """Return the rate of a currency that goes with a question, None where there is none."""
    try:
        rupees = json.loads(subject[_RATES]).get(currency)
        as_of = date.fromisoformat(subject[_AS_OF])
    except (KeyError, ValueError, AttributeError):
        return None
    return Rate(rupees, as_of) if is_number(rupees, math.inf) and 0 < rupees < math.inf else None


def _is_object(member: Any) -> bool:
    return isinstance(member, dict)
