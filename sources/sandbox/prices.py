"""What is true of prices in the constructed world: what things cost in a city, as its visitors reported it.

Prices hold in the currency they were reported in; `RATES` says what that is in rupees. How a provider writes them down
stands in its package.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeVar

from schemas.region import City

Trap = Literal["unlisted", "without_prices", "moved", "in_dollars", "old"]
T = TypeVar("T")

RUPEE = "INR"
# Units of a currency for one dollar.
RATES = {"AED": 3.6725, "AUD": 1.5312, "EUR": 0.9131, "GBP": 0.7815, "INR": 84.25, "JPY": 149.75, "USD": 1.0}

# Item -> its usual price in rupees. Which item is what is the provider's business.
MORTGAGE_RATE = 106
_USUAL = {
    1: 250, 2: 1200, 3: 350, 4: 180, 6: 40, 7: 18, 8: 62, 9: 45, 11: 84, 13: 25, 18: 20, 20: 900, 24: 104, 26: 16_000,
    27: 9_500, 28: 34_000, 30: 3_600, 33: 750, 40: 1_500, 44: 280, 60: 2_400, 105: 52_000, MORTGAGE_RATE: 9, 107: 50,
    108: 19, 109: 120, 110: 190, 114: 160, 115: 64, 121: 480,
}  # fmt: skip
_DEAREST = 1.6
_TRAPS: tuple[Trap, ...] = ("unlisted", "without_prices", "moved", "in_dollars", "old")
_TRAPPED = 0.35
_MISSING = 0.12


@dataclass(frozen=True)
class TruePrice:
    """One item: the average, and its bounds where anybody gave some. Item 106 is a rate in percent."""

    item: int
    lowest: float | None
    average: float
    highest: float | None
    data_points: int


@dataclass(frozen=True)
class TruePrices:
    """What things cost in a city. `number` is unique in all worlds; providers make their ids of it.

    `name` is the spelling under which it is listed. `year` and `month` say when the prices were brought up to date.
    `trap` says what a reader may get wrong:

    - `unlisted`: nobody ever reported a price, so that the city is in no list;
    - `without_prices`: it is listed, and has no prices;
    - `moved`: its number was given to another city, whose prices it is answered with;
    - `in_dollars`: its prices were reported in another currency;
    - `old`: they are years old and come from few.
    """

    city_id: str
    number: int
    name: str
    country: str
    latitude: float
    longitude: float
    currency: str
    contributors: int
    contributors_12_months: int
    year: int
    month: int
    prices: tuple[TruePrice, ...]
    trap: Trap | None

    def rupees(self, item: int) -> float | None:
        """Return the average price of an item in rupees, None where nobody reported one."""
        found = next((price.average for price in self.prices if price.item == item), None)
        return None if found is None else found * RATES[RUPEE] / RATES[self.currency]


def prices_of(city: City, seed: int) -> TruePrices:
    """Construct the prices of a city; the same in every region that holds it."""
    random = Random(f"{seed}:prices:{city.city_id}")
    trap = _choice(_TRAPS, random) if random.random() < _TRAPPED else None
    currency = "USD" if trap == "in_dollars" else RUPEE
    contributors = 1 + int(3 * random.random()) if trap == "old" else 12 + int(900 * random.random())
    return TruePrices(
        city_id=city.city_id,
        number=city.geonames_id,
        name=city.aliases[0] if city.aliases and random.random() < 0.5 else city.name,
        country="India",
        latitude=round(city.latitude + 0.02 * (random.random() - 0.5), 7),
        longitude=round(city.longitude + 0.02 * (random.random() - 0.5), 7),
        currency=currency,
        contributors=contributors,
        # Counted by another rule, so that there may be more in a year than in all.
        contributors_12_months=int(contributors * (0.3 + random.random())),
        year=2014 if trap == "old" else 2025,
        month=1 + int(random.random() * 10),
        prices=() if trap in ("unlisted", "without_prices") else tuple(_prices(currency, random)),
        trap=trap,
    )


def _prices(currency: str, random: Random) -> Iterator[TruePrice]:
    level = 1 / _DEAREST + (_DEAREST - 1 / _DEAREST) * random.random()
    for item, usual in _USUAL.items():
        if item != 1 and random.random() < _MISSING:
            continue
        is_money = item != MORTGAGE_RATE
        average = usual * (level if is_money else 1) * (0.8 + 0.4 * random.random())
        average *= RATES[currency] / RATES[RUPEE] if is_money else 1
        # Some averages are whole, most have all the digits of a division.
        average = float(round(average)) if random.random() < 0.3 and average > 2 else average
        lowest, highest = average * (0.4 + 0.6 * random.random()), average * (1 + random.random())
        draw = random.random()
        if draw < 0.1:
            lowest = highest = average
        has_bounds = draw < 0.9
        yield TruePrice(
            item, lowest if has_bounds else None, average, highest if has_bounds else None, 1 + int(90 * draw)
        )


def _choice(members: tuple[T, ...], random: Random) -> T:
    return members[int(random.random() * len(members))]
