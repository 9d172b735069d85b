"""The pages of etrain: the history of a train as bars and as script, the one without any, the sitemap and the 404."""

import re
from collections.abc import Iterable
from datetime import date

from sources.sandbox.delays import Runs, Summary, summary
from sources.sandbox.trains import TrueCall, TrueTrain

# By the word of the address: the horizon, and how a title calls it.
WINDOWS = {
    "1w": ("1week", "last week"),
    "1m": ("1month", "this month"),
    "3m": ("3month", "last 3 months"),
    "6m": ("6month", "last 6 months"),
    "1y": ("1year", "last year"),
}
DEFAULT = "1m"

NOT_FOUND = (
    "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1>"
    "<p>Constructed: there is no such train.</p></body></html>\n"
)

_NO_RUNS = "<div>Historical running data of queried train for selected duration is not available.</div>"
_COLORS = ("#008000", "#FFA500", "#FF0000", "#808080")
_HEADER = (
    "['Stations','Right Time', 'Slight Delay', 'Significant Delay', 'Cancelled/Unknown', "
    "{'type': 'string', 'role': 'tooltip', 'p': {'html': true}}]"
)


def slug(train: TrueTrain) -> str:
    """Return what stands for a train in addresses."""
    return f"{re.sub('[^A-Za-z0-9]+', '-', train.name)}-{train.number}"


def history(train: TrueTrain, window: str, runs: Runs) -> str:
    """Return the page of a train for a window, by the runs that lie in it."""
    name = f"{train.name.upper()} ({train.number})"
    first, last = train.calls[0], train.calls[-1]
    head = [
        "<!DOCTYPE html>",
        f"<html><head><title>Running History of {name} for {WINDOWS[window][1]}</title></head><body>",
    ]
    table = (
        f'<table><tr><td class="bx3_bgd"><b>{name}</b> <span class="mdtext">'
        f"{_name(first)} to {_name(last)}</span></td></tr></table>"
    )
    if not runs.days:
        return "\n".join([*head, _links(train), _NO_RUNS, "</body></html>", ""])
    said = [summary(runs, place) for place in range(len(train.calls))]
    bars = [_bar(call, one) for call, one in zip(train.calls, said, strict=True)]
    script = ["<script>", "var et = et || {}; et.rsStat = {};", _counts(train, said), _runs(train, runs), "</script>"]
    return "\n".join([*head, table, _links(train), *bars, *script, "</body></html>", ""])


def sitemap(trains: Iterable[TrueTrain], as_of: date) -> str:
    """Return the list of all trains of which there is a page."""
    pages = [
        f"<url><loc>https://etrain.info/train/{slug(train)}/history</loc><lastmod>{as_of}</lastmod></url>"
        for train in trains
    ]
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return "\n".join([head, *pages, "</urlset>", ""])


def _name(call: TrueCall) -> str:
    return call.station_name.upper()


def _links(train: TrueTrain) -> str:
    address = f"/train/{slug(train)}/history"
    windows = (f'<a href="{address}?d={window}">{words}</a>' for window, (_, words) in WINDOWS.items())
    return " ".join([f'<a href="{address}">History</a>', *windows])


def _bar(call: TrueCall, said: Summary) -> str:
    counts = (said.right_time, said.slight, said.significant, said.unknown)
    shares = [f"{100 * count / sum(counts):.2f}%" for count in counts]
    divs = "".join(
        f'<div style="background-color:{color};width:{share}"></div>'
        for color, share in zip(_COLORS, shares, strict=True)
    )
    indent = "\t\t\t\t"
    average = f'<div class="inlineblock pdl5"><b>Avg. Delay:</b> {round(said.average or 0.0)} Min\'s</div>'
    return "\n".join(
        [
            f'<a href="#{call.station_code}" etitle="<b>Right Time</b>: {shares[0]}><br>"'
            ' class="runStatStn blocklink rnd5">',
            "<div>",
            f"{indent}{_name(call)} ({call.station_code})\r",
            f'{indent}<div class="inlineblock fltright">{average}</div>',
            "</div>",
            f'<div class="nowrap fullw">{divs}</div>',
            "</a>",
        ]
    )


def _counts(train: TrueTrain, said: Iterable[Summary]) -> str:
    """Return the counts as script; where nobody knows of a run, the average is told as 0."""
    rows = [
        f",['{call.station_code}', {one.right_time}, {one.slight}, {one.significant}, {one.unknown},"
        f" {one.average or 0.0}]"
        for call, one in zip(train.calls, said, strict=True)
    ]
    return "\n".join([f"et.rsStat.primaryData = [ {_HEADER}", *rows]) + "];"


def _runs(train: TrueTrain, runs: Runs) -> str:
    labels = "".join(f",{{'type':'number','label':'{call.station_code}'}}" for call in train.calls)
    rows = [
        f",[new Date({day.year},{day.month - 1},{day.day}),"
        + ",".join("null" if delay is None else str(delay) for delay in delays)
        + "]"
        for day, delays in zip(runs.days, runs.delays, strict=True)
    ]
    return "\n".join([f"et.rsStat.tooltipData = [['Date'{labels}]", *rows]) + "];"
