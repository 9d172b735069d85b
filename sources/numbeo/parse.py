"""What an answer of Numbeo means: the prices of a city as a row, or the reason why there is none."""

from collections.abc import Iterable

from sources.numbeo.cities import TABLE, parse_cities
from sources.numbeo.envelope import open_answer, shown
from sources.numbeo.others import skip_other
from sources.numbeo.prices import prices_of
from sources.numbeo.rates import parse_rates
from sources.protocol.types import Answer, Parsed, Refusal


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield the row of a city, and what is wrong or new in any answer. Never raises."""
    document = open_answer(answer)
    if isinstance(document, Refusal):
        yield document._replace(table=TABLE)
        return
    match answer.endpoint:
        case "city_prices":
            yield from prices_of(document, answer)
        case "cities":
            yield from parse_cities(document)
        case "currency_exchange_rates":
            yield from parse_rates(document)
        case "other":
            yield from skip_other(document, answer)
        case endpoint:
            yield Refusal("unknown_endpoint", f"no parser for the endpoint {shown(endpoint)!r}", table=TABLE)
