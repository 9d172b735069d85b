"""The roads as the provider knows them: points are led to cities, and what it does wrong at first is kept here."""

import numpy as np

from sources.sandbox.roads import MAP_MATCHING, OK, Flags, Floats, Ints, Measures, Roads, great_circle_km

# Farther than that from every city there is no road in the constructed world.
_REACH_KM = 1.0
_FEW = 4


class Network:
    """The truth with one more place at its end, which stands for every point that is off the road.

    Marked are the pairs whose cells are stopped (`is_slow`) or left out (`is_lost`) at first, those whose route takes
    too long by itself (`is_slow_alone`), and one with which a job expires. `take` clears marks: all happens once.
    """

    def __init__(self, roads: Roads) -> None:
        self.roads = roads
        self._points = np.array([(city.latitude, city.longitude) for city in roads.cities]).reshape(-1, 2)
        self.measures = Measures._make(np.pad(matrix, (0, 1)) for matrix in roads.measures)
        self.measures.status[-1, :] = self.measures.status[:, -1] = MAP_MATCHING
        self.is_off_road: Flags = np.append(roads.is_off_road, True)
        self.is_slow = self._few("slow")
        self.is_slow_alone = self.is_slow.copy()
        self.is_lost = self._few("lost") & ~self.is_slow
        self.is_expiring = self._few("expiring", 1)

    def places(self, points: Floats) -> Ints:
        """Return the places of points: the city at each, or the last place where none is near."""
        nowhere = len(self._points)
        if not nowhere:
            return np.full(len(points), nowhere)
        apart = great_circle_km(points, self._points)
        return np.where(apart.min(axis=1) <= _REACH_KM, apart.argmin(axis=1), nowhere)

    def _few(self, name: str, count: int = _FEW) -> Flags:
        """Return marks on a few pairs with a road."""
        draw = self.roads.draw(f"tomtom {name}")
        pairs = np.argwhere((self.roads.measures.status == OK) & ~np.eye(len(draw), dtype=np.bool_))
        chosen = pairs[np.argsort(draw[tuple(pairs.T)])][:count]
        marks = np.zeros_like(self.measures.status, dtype=np.bool_)
        marks[tuple(chosen.T)] = True
        return marks


def take(marks: Flags, origins: Ints, destinations: Ints) -> Flags:
    """Return the marks of the cells of a matrix, and clear them."""
    cells = np.ix_(origins, destinations)
    found: Flags = marks[cells].copy()
    marks[cells] = False
    return found
