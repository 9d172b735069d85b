"""The drawings of the page, as inline SVG without a script: the map of cities and the bar of a source's records."""

import math
from collections.abc import Sequence

from warehouse.report.facts import CityReport
from warehouse.report.html import Html, el

MAP_WIDTH = 520
_MARGIN = 12
_STEPS = 4


def city_map(cities: Sequence[CityReport], tables: int) -> Html:
    """Draw the cities where they lie; the more of the `tables` hold a city, the larger and stronger its point.

    Equirectangular, true at the middle latitude: good enough to see where data are, not to measure.
    """
    south, north = min(city.latitude for city in cities), max(city.latitude for city in cities)
    west, east = min(city.longitude for city in cities), max(city.longitude for city in cities)
    squeeze = math.cos(math.radians((south + north) / 2))
    scale = (MAP_WIDTH - 2 * _MARGIN) / max((east - west) * squeeze, 0.5)
    height = round(max((north - south) * scale, 1) + 2 * _MARGIN)
    points = [
        el(
            "g",
            el(
                "circle",
                cx=round(_MARGIN + (city.longitude - west) * squeeze * scale, 1),
                cy=round(_MARGIN + (north - city.latitude) * scale, 1),
                r=round(2.2 + 1.3 * coverage_step(city, tables), 1),
                class_=f"step{coverage_step(city, tables)}",
            ),
            el("title", f"{city.name}, {city.state}: {', '.join(city.tables) or 'no data yet'}"),
        )
        for city in sorted(cities, key=lambda city: len(city.tables))
    ]
    label = f"Map of {len(cities)} cities; {sum(bool(city.tables) for city in cities)} have data"
    return el("svg", *points, viewBox=f"0 0 {MAP_WIDTH} {height}", role="img", aria_label=label, class_="map")


def coverage_step(city: CityReport, tables: int) -> int:
    """Return 0 for a city without data, else 1 to 4 by the share of tables that hold it."""
    return math.ceil(_STEPS * len(city.tables) / tables) if tables else 0


def doors(kept: int, merged: int, quarantined: int) -> Html | None:
    """Draw rows in as one bar of kept, merged and quarantined; None where there were no rows."""
    total = kept + merged + quarantined
    if not total:
        return None
    parts, start = [], 0.0
    for name, rows in (("kept", kept), ("merged", merged), ("quarantined", quarantined)):
        width = 100 * rows / total
        if rows:
            parts.append(el("g", el("title", f"{name}: {rows:,}"), _bar(start, width, name)))
        start += width
    label = f"{kept:,} kept, {merged:,} merged, {quarantined:,} quarantined"
    return el(
        "svg", *parts, viewBox="0 0 100 3", preserveAspectRatio="none", role="img", aria_label=label, class_="doors"
    )


def _bar(start: float, width: float, name: str) -> Html:
    return el("rect", x=round(start, 3), y=0, width=round(max(width, 0.4), 3), height=3, class_=name)
