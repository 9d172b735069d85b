"""Distances on the earth: exact ones through geopy, and what lets an index find the candidates for them.

An index needs straight lines. Points are therefore placed in space, on the WGS-84 ellipsoid itself: there the chord
never exceeds the geodesic, and exceeds it by less than one part in 380,000 below 50 km, across the date line and at the
poles as anywhere else.
"""

import math

import numpy as np
from geopy.distance import EARTH_RADIUS, geodesic
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_EQUATOR_RADIUS_M = 6_378_137.0
_FLATTENING = 1 / 298.257223563
_ECCENTRICITY_SQUARED = _FLATTENING * (2 - _FLATTENING)

# No geodesic bends more than a circle of this radius: that is how a meridian bends at the equator.
_TIGHTEST_RADIUS_M = _EQUATOR_RADIUS_M * (1 - _ECCENTRICITY_SQUARED)

# Beyond half of that circle the comparison of chord and curve below no longer holds.
LONGEST_COMPARABLE_M = math.pi * _TIGHTEST_RADIUS_M


def to_space(latitudes: Floats, longitudes: Floats) -> Floats:
    """Return points as earth-centred metres on the WGS-84 ellipsoid, shape (n, 3); degrees in."""
    phi, lam = np.radians(latitudes), np.radians(longitudes)
    normal = _EQUATOR_RADIUS_M / np.sqrt(1 - _ECCENTRICITY_SQUARED * np.sin(phi) ** 2)
    return np.column_stack(
        [
            normal * np.cos(phi) * np.cos(lam),
            normal * np.cos(phi) * np.sin(lam),
            normal * (1 - _ECCENTRICITY_SQUARED) * np.sin(phi),
        ]
    )


def longest_geodesic_m(chords: Floats) -> Floats:
    """Return the most that a geodesic can measure whose ends are so many metres apart in space.

    By Schur's theorem a curve that nowhere bends more than a circle has no shorter chord than an arc of that circle
    with the same length. Holds up to LONGEST_COMPARABLE_M. At 75 m it adds less than a nanometre, so that for short
    distances the chord *is* the geodesic.
    """
    half = np.clip(chords / (2 * _TIGHTEST_RADIUS_M), 0, 1)
    return np.asarray(2 * _TIGHTEST_RADIUS_M * np.arcsin(half), dtype=np.float64)


def geodesic_m(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Return the exact geodesic between two points on WGS 84, in metres."""
    return float(geodesic((latitude, longitude), (other_latitude, other_longitude)).m)


def great_circle_km(latitudes: Floats, longitudes: Floats, other_latitudes: Floats, other_longitudes: Floats) -> Floats:
    """Return great-circle distances on geopy's sphere (radius 6371.009 km), pair by pair.

    The formula is the one of `geopy.distance.great_circle`, which is exact also for near and for opposite points.
    """
    phi, other_phi = np.radians(latitudes), np.radians(other_latitudes)
    difference = np.radians(other_longitudes - longitudes)
    across = np.hypot(
        np.cos(other_phi) * np.sin(difference),
        np.cos(phi) * np.sin(other_phi) - np.sin(phi) * np.cos(other_phi) * np.cos(difference),
    )
    along = np.sin(phi) * np.sin(other_phi) + np.cos(phi) * np.cos(other_phi) * np.cos(difference)
    return np.asarray(EARTH_RADIUS * np.arctan2(across, along), dtype=np.float64)
