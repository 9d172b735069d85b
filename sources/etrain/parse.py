"""What a page of etrain means: rows of `train_delays`, or the reason why there are none.

What the page gives is `given`. The page of a year lists its runs too, of which shorter horizons are `computed`: for a
station whose runs bear out its counts, and without classes of delay, since nobody knows their limits.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from sources.etrain.bars import Bar, read_bars
from sources.etrain.page import Page, asked_number, open_answer, shown, slug_of
from sources.etrain.statistics import TABLE, Counts, read_counts, read_runs, script_of
from sources.etrain.windows import FROM_HORIZON, Window, bears_out, windows_of
from sources.protocol.types import Answer, Parsed, Refusal, Row, Skipped

# With so many tenths of the runs unknown, the page still prints an average, as a rule 0.
_MOST_UNKNOWN_TENTHS = 9
# The bar cuts or rounds the average of the table to whole minutes.
_BAR_ROUNDING_MIN = 1.0


def parse(answer: Answer) -> Iterable[Parsed]:
    """Yield the delays of a train by station, for the horizon of the page's title and for shorter ones. Never raises.

    A page that says that there were no runs has no rows, and none of 0.
    """
    for item in _parsed(answer):
        yield item._replace(table=TABLE) if isinstance(item, Refusal) else item


def _parsed(answer: Answer) -> Iterator[Parsed]:
    page = open_answer(answer)
    if isinstance(page, Refusal):
        yield page
        return
    if page.has_runs:
        yield from _history(page, answer.fetched_at.date())
    else:
        yield Skipped(f"no run of the train in a window of {page.horizon}", 1)
    if answer.params.get("train") == asked_number(answer) and slug_of(page) is None:
        yield Refusal("no_slug", "no link leads to the other windows, so they cannot be asked for", value=page.number)


def _history(page: Page, fetched: date) -> Iterator[Parsed]:
    script, unknown = script_of(page)
    yield from unknown
    table = read_counts(script)
    if isinstance(table, Refusal):
        yield table
        return
    bars = list(read_bars(page.text))
    stations: list[Counts] = []
    for item in _agreed(table, bars):
        if isinstance(item, Counts):
            stations.append(item)
        else:
            yield item
    names = {bar.code: bar.name for bar in bars}
    yield from (_row(page, names, page.horizon, counts) for counts in stations)
    if page.horizon != FROM_HORIZON or not stations:
        return
    # Where the site is, a day begins before that of UTC.
    runs = read_runs(script, latest=fetched + timedelta(days=1))
    if isinstance(runs, Refusal):
        yield runs
        return
    sound = {counts.code: counts for counts in stations if bears_out(runs, counts)}
    for window in windows_of(runs, sound, fetched):
        yield _row(page, names, window.horizon, window)
    if len(sound) < len(stations):
        others = [counts.code for counts in stations if counts.code not in sound]
        message = f"{len(runs.days)} runs are listed, which do not come to the counts and averages of the page"
        yield Refusal("runs_disagree", message, "tooltipData", value=shown(" ".join(others)))


def _agreed(table: list[Counts | Refusal], bars: list[Bar]) -> Iterator[Counts | Refusal]:
    """Yield the counts of each station, or why they are not to be believed."""
    times = Counter(item.code for item in table if isinstance(item, Counts))
    averages = {bar.code: bar.average for bar in bars}
    for item in table:
        if isinstance(item, Refusal):
            yield item
        elif times[item.code] > 1:
            message = "the train calls twice there, and nothing says which call is meant"
            yield Refusal("repeated_station", message, "station_code", value=item.code)
        elif _differ(averages.get(item.code), item.average):
            message = f"the bar of {item.code} has another average than its table"
            yield Refusal("contradiction", message, "avg_delay_min", value=f"{averages[item.code]}, {item.average}")
        else:
            yield item
    known = {item.code for item in table if isinstance(item, Counts)}
    if not any(isinstance(item, Refusal) for item in table):
        missing = dict.fromkeys(bar.code for bar in bars if bar.code not in known)
        yield from (Refusal("no_counts", "a bar without counts", "station_code", value=shown(one)) for one in missing)


def _differ(of_bar: int | None, of_table: float | None) -> bool:
    return of_bar is not None and of_table is not None and abs(of_bar - of_table) >= _BAR_ROUNDING_MIN


def _row(page: Page, names: dict[str, str | None], horizon: str, said: Counts | Window) -> Row:
    is_mostly_unknown = 10 * said.unknown >= _MOST_UNKNOWN_TENTHS * said.total
    classes = (said.right_time, said.slight, said.significant) if isinstance(said, Counts) else (None, None, None)
    right_time, slight, significant = (None if count is None else float(count) for count in classes)
    values: dict[str, Any] = {
        "Train Number": page.number,
        "station_code": said.code,
        "station_name": names.get(said.code),
        "horizon": horizon,
        "avg_delay_min": None if is_mostly_unknown else said.average,
        "runs_right_time": right_time,
        "runs_slight": slight,
        "runs_significant": significant,
        "runs_unknown": float(said.unknown),
        "runs_unit": "count",
        "delay_basis": "given" if isinstance(said, Counts) else "computed",
    }
    return Row(TABLE, values)
