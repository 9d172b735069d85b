"""Layouts of pages: a module for each, with a `LAYOUT` that knows its pages and makes raw rows of them.

A layout says nothing about what a text means, but for two conventions that only it can know: which weekday its flags
begin with, and at which station they hold. To read a page of a new layout, write a module like the others (`page` in,
raw rows out), list it below, and put one page of it among the examples.

| module | page | its origin |
|---|---|---|
| `flight_cards` | results of a search for flights | Tripozo; class names as public scrapers name them |
| `tripozo_trains`, `tripozo_buses` | results as JSON | constructed: no page of either is public |
| `etrain_timetable`, `etrain_list` | a train's timetable; trains between stations | the closest public equivalents |
| `erail_list`, `confirmtkt_list` | trains between stations | clients' public code |
| `redbus_search` | results of a search for buses | clients' public code |

Schedules in JSON by airport pair and day are answers of another provider, `flightstats`, and are refused here.
"""

from sources.tripozo.layouts import (
    confirmtkt_list,
    erail_list,
    etrain_list,
    etrain_timetable,
    flight_cards,
    redbus_search,
    tripozo_buses,
    tripozo_trains,
)
from sources.tripozo.layouts.layout import Layout
from sources.tripozo.page import Page

LAYOUTS: tuple[Layout, ...] = (
    flight_cards.LAYOUT,
    etrain_timetable.LAYOUT,
    etrain_list.LAYOUT,
    confirmtkt_list.LAYOUT,
    tripozo_trains.LAYOUT,
    tripozo_buses.LAYOUT,
    redbus_search.LAYOUT,
    erail_list.LAYOUT,
)


def layout_of(page: Page) -> Layout | None:
    """Return the layout that knows a page by what it shows, None where none does."""
    return next((layout for layout in LAYOUTS if layout.knows(page)), None)
