"""Stations whose point does not fit the distances along their line.

A track between two stations is never shorter than the way as the crow flies. So for two stations of a line whose
kilometre posts are `|a - b|` apart, points farther apart than that (and a slack for rounding) prove that one of the
points, or one of the posts, is wrong. One wrong point breaks the rule with nearly all stations of its line, a right
one only with the wrong ones. Therefore the station with the most broken pairs is taken out (of two with equally many
the later one), and again, until no pair is broken. The rule proves nothing about points that are wrong by little.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from geopy.distance import geodesic

# A sphere of the mean radius is within this share of the geodesic distance on the WGS 84 ellipsoid.
_SPHERE_ERROR = 0.006
_RADIUS_KM = 6371.009
MOST_STATIONS = 5000


class LineTooLong(ValueError):
    """A line with more stations than can be compared pair by pair; the line column is most likely a wrong one."""


class Stations(NamedTuple):
    """Stations as columns of equal length: number of the line (below 0: none), point in degrees, place on the line.

    A value that is not known is nan.
    """

    line: npt.NDArray[np.int64]
    latitude: npt.NDArray[np.float64]
    longitude: npt.NDArray[np.float64]
    km: npt.NDArray[np.float64]

    def of(self, rows: npt.NDArray[np.int64]) -> "Stations":
        return Stations(self.line[rows], self.latitude[rows], self.longitude[rows], self.km[rows])


def off_track(stations: Stations, slack_km: float) -> npt.NDArray[np.int64]:
    """Return the stations to take out, as rising indices; those with an unknown value are not judged.

    Raises LineTooLong.
    """
    unknown = np.isnan(stations.latitude) | np.isnan(stations.longitude) | np.isnan(stations.km)
    known = np.flatnonzero((stations.line >= 0) & ~unknown)
    by_line = known[np.argsort(stations.line[known], kind="stable")]
    starts = np.flatnonzero(np.diff(stations.line[by_line]))
    lines = np.split(by_line, starts + 1)
    return np.sort(np.concatenate([rows[_taken_out(_broken(stations.of(rows), slack_km))] for rows in lines]))


def _broken(line: Stations, slack_km: float) -> npt.NDArray[np.bool_]:
    """Return the symmetric matrix of pairs that are farther apart than their track is long."""
    if len(line.km) > MOST_STATIONS:
        raise LineTooLong(f"a line has {len(line.km)} stations, more than {MOST_STATIONS}; is its column the line?")
    limit = np.abs(line.km[:, None] - line.km[None, :]) + slack_km
    sphere = _sphere_km(np.radians(line.latitude), np.radians(line.longitude))
    broken = np.asarray(sphere * (1 - _SPHERE_ERROR) > limit)
    unclear = np.triu(~broken & (sphere * (1 + _SPHERE_ERROR) > limit), k=1)
    for a, b in np.argwhere(unclear):
        exact = geodesic((line.latitude[a], line.longitude[a]), (line.latitude[b], line.longitude[b])).km
        broken[a, b] = broken[b, a] = exact > limit[a, b]
    return broken


def _sphere_km(latitude: npt.NDArray[np.float64], longitude: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    half_chord = (
        np.sin((latitude[:, None] - latitude[None, :]) / 2) ** 2
        + np.cos(latitude[:, None])
        * np.cos(latitude[None, :])
        * np.sin((longitude[:, None] - longitude[None, :]) / 2) ** 2
    )
    return np.asarray(2 * _RADIUS_KM * np.arcsin(np.sqrt(np.clip(half_chord, 0, 1))))


def _taken_out(broken: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    taken: list[int] = []
    counts = broken.sum(axis=0)
    while counts.any():
        worst = int(len(counts) - 1 - np.argmax(counts[::-1]))
        taken.append(worst)
        counts = counts - broken[worst]
        counts[worst] = 0
        broken[worst, :] = broken[:, worst] = False
    return np.array(taken, np.int64)
