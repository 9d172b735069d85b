import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import combinations

import pyarrow as pa
import pytest

from schemas.vocab import vocabulary
from warehouse.derive.durations import visit_durations


def _durations(*rows: list[str] | None) -> list[tuple[float | None, int | None]]:
    hours, minutes = visit_durations(pa.array(list(rows), pa.list_(pa.string())))
    assert (hours.type, minutes.type) == (pa.float64(), pa.int32())
    return list(zip(hours.to_pylist(), minutes.to_pylist(), strict=True))


@pytest.mark.parametrize(
    ("categories", "hours", "minutes"),
    [
        (["Museums", "Sights & Landmarks", "Shopping"], 2.5, 150),
        (["Nature & Parks", "Sights & Landmarks"], 3.75, 225),
        (["Classes & Workshops", "Concerts & Shows", "Museums"], 7 / 3, 140),
        (["Museums"], 3.0, 180),
        (["Museums", "Museums", "Shopping"], 2.25, 135),
        (["Museums", "Tram rides"], 3.0, 180),
    ],
)
def test_the_hours_are_the_mean_over_distinct_known_categories(
    categories: list[str], hours: float, minutes: int
) -> None:
    assert _durations(categories) == [(hours, minutes)]


def test_no_known_category_gives_no_duration_and_never_a_default() -> None:
    assert _durations(["Tram rides"], [], None, ["Museums"]) == [(None, None), (None, None), (None, None), (3.0, 180)]


def test_no_rows_have_no_durations() -> None:
    assert _durations() == []


def test_minutes_are_rounded_half_up_for_every_set_of_up_to_four_categories() -> None:
    hours = {token: Fraction(spec["hours"]) for token, spec in vocabulary("attraction_categories").terms.items()}
    sets = [chosen for size in (1, 2, 3, 4) for chosen in combinations(hours, size)]
    for chosen, (mean, minutes) in zip(sets, _durations(*map(list, sets)), strict=True):
        exact = sum(hours[token] for token in chosen) / len(chosen)
        half_up = (Decimal(60 * exact.numerator) / exact.denominator).quantize(Decimal(1), ROUND_HALF_UP)
        assert minutes == int(half_up)
        assert math.isclose(mean or 0, exact, rel_tol=1e-15)
        assert minutes == math.floor(60 * (mean or 0) + 0.5)
