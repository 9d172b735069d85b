"""TomTom: distance and driving time of every pair of cities, and how much traffic delays the drive of some."""
