"""10,000 places against 1,000,000 stops: prints the time, judges only the answers."""

import resource
import time

import numpy as np
import pyarrow as pa
import pytest

from warehouse.derive.geodesy import geodesic_m
from warehouse.derive.nearest import nearest

PLACES, STOPS, CHECKED = 10_000, 1_000_000, 25


def _scatter(random: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Half of the points lie in cities, as they do in life, and half all over the country."""
    centres = random.uniform((8.0, 70.0), (34.0, 95.0), (500, 2))[random.integers(0, 500, count)]
    in_city = centres + random.normal(0, 0.05, (count, 2))
    anywhere = random.uniform((8.0, 70.0), (34.0, 95.0), (count, 2))
    points = np.where(random.random((count, 1)) < 0.5, in_city, anywhere)
    return points[:, 0], points[:, 1]


@pytest.mark.scale
def test_a_million_stops_are_searched_and_a_sample_is_what_brute_force_finds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    random = np.random.default_rng(504)
    latitudes, longitudes = _scatter(random, STOPS)
    # Every hundredth stop stands at the point of its neighbour, as platforms do.
    latitudes[::100], longitudes[::100] = latitudes[1::100], longitudes[1::100]
    stops = pa.table({"stop_id": [f"s{n:07}" for n in range(STOPS)], "latitude": latitudes, "longitude": longitudes})
    place_latitudes, place_longitudes = _scatter(random, PLACES)
    places = pa.table({"latitude": place_latitudes, "longitude": place_longitudes})

    start = time.perf_counter()
    found = nearest(places, stops)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with capsys.disabled():
        print(f"\nnearest stop: {PLACES:,} places, {STOPS:,} stops: {seconds:.2f} s, peak memory {peak:,.0f} MB")

    for place in random.integers(0, PLACES, CHECKED).tolist():
        point = place_latitudes[place], place_longitudes[place]
        # Brute force over all stops of a square that surely holds the nearest one.
        reach = found.metres[place] / 90_000 + 1e-6
        near = np.flatnonzero((np.abs(latitudes - point[0]) <= reach) & (np.abs(longitudes - point[1]) <= reach))
        best = min((geodesic_m(*point, latitudes[row], longitudes[row]), f"s{row:07}", row) for row in near.tolist())
        assert (int(found.rows[place]), float(found.metres[place])) == (best[2], best[0])
