"""What is true of events in the constructed world: when and where they take place, and which come to nothing.

The truth holds local days and final meanings. How a provider writes them down, and on which pages, stands in its
package.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Literal, TypeVar

from schemas.region import City
from sources.sandbox.ground import CONSTRUCTED

Told = Literal["locality", "address", "slug", "title"]
Form = Literal["plain", "streamed", "visible"]
Trap = Literal[
    "several_days", "two_sessions", "after_midnight", "overnight", "rescheduled", "cancelled", "postponed", "online",
    "any_day", "over", "gone", "abroad",
]  # fmt: skip
T = TypeVar("T")

_PER_CITY, _PER_GREAT_CITY = 1, 6
_TRAPS: tuple[Trap, ...] = (
    "several_days", "two_sessions", "after_midnight", "overnight", "rescheduled", "cancelled", "postponed", "online",
    "any_day", "over", "gone", "abroad",
)  # fmt: skip
_TRAPPED = 0.4
_NOTHING = frozenset({"cancelled", "postponed", "online", "any_day", "over", "gone", "abroad"})
# A smaller city is not told by a word of an address on the web.
_LARGE = 1_000_000


@dataclass(frozen=True)
class Kind:
    """What an event is: noun of its name, its type and key words, and the segment that they mean, None for none."""

    noun: str
    type: str
    keywords: tuple[str, ...]
    segment: str | None


_KINDS = (
    Kind("Indie Night", "MusicEvent", (), "Music"),
    Kind("Club Night", "Event", ("Music",), "Music"),
    Kind("Arena Tour", "Event", ("Concerts", f"{CONSTRUCTED} Nagar"), "Concerts"),
    Kind("City Run", "SportsEvent", ("Sports",), "Sports"),
    Kind("Stand-up", "ComedyEvent", (), "Arts & Theatre"),
    Kind("Play", "TheaterEvent", ("Theatre",), "Arts & Theatre"),
    Kind("Film Evening", "ScreeningEvent", ("Film",), "Film"),
    Kind("Food Festival", "SocialEvent", ("Food & Drinks",), None),
    Kind("Meetup", "Event", (f"{CONSTRUCTED} Nagar",), None),
    Kind("Crossover", "Event", ("Music", "Sports"), None),
)


@dataclass(frozen=True)
class TrueSession:
    """One session: local times as `2025-11-12T19:30`; `end` is None where it is not known."""

    start: str
    end: str | None


@dataclass(frozen=True)
class TrueHappening:
    """One event. `number` is unique in all worlds; providers make their addresses of it.

    `days` are the local days of its rows (`2025-11-12`), none where it comes to nothing. `told` says where its city
    stands, `form` how its page says all that. `price` is in rupees, 0 where it is free, None where that is not told.
    `trap` says what a reader may get wrong:

    - `several_days`: it goes on for days without a break; `two_sessions`: it takes place twice on one day and once on
      the next;
    - `after_midnight`: it begins so late that in UTC it is the day before;
    - `overnight`: it ends in the small hours, which makes no second day;
    - `rescheduled`: it takes place on another day than it was meant to;
    - `cancelled`, `postponed`, `online`, `abroad`: there is nothing to go to;
    - `any_day`: a sight that is open on any day; `over`: an event of years ago; `gone`: its page is no more.
    """

    id: str
    number: int
    city_id: str
    name: str
    kind: Kind
    slug: str
    venue: str
    street: str
    city_name: str
    state_name: str
    told: Told
    form: Form
    sessions: tuple[TrueSession, ...]
    days: tuple[str, ...]
    price: float | None
    trap: Trap | None


def happenings_of(city: City, dates: tuple[date, date], seed: int) -> Iterator[TrueHappening]:
    """Construct the events of a city on days from the first to the last of `dates`."""
    random = Random(f"{seed}:happenings:{city.city_id}")
    count = _PER_GREAT_CITY if city.is_uncertainty_city else _PER_CITY + (random.random() < 0.6)
    for serial in range(1, count + 1):
        yield _happening(city, serial, dates, random)


def _happening(city: City, serial: int, dates: tuple[date, date], random: Random) -> TrueHappening:
    trap = _choice(_TRAPS, random) if random.random() < _TRAPPED else None
    kind = _choice(_KINDS, random)
    told, form = _told(city, random), _form(trap, random)
    if form == "visible":
        # People are shown an address and no data.
        kind, told = Kind(kind.noun, kind.type, (), None), "address"
    sessions, days = _times(trap, dates, random)
    number = city.geonames_id * 100 + serial
    written = city.aliases[0] if city.aliases and random.random() < 0.3 and told == "locality" else city.name
    first = datetime.fromisoformat(sessions[0].start)
    # A number in an address is no year.
    words = [CONSTRUCTED, kind.noun, str(number), "1970" if random.random() < 0.2 else "live"]
    if told == "slug":
        words.append(city.name)
    if trap not in ("over", "any_day") and random.random() < 0.6:
        words.append(f"{first:%b}{first.day}-{first.year}")
    venue = f"{CONSTRUCTED} Hall {serial}"
    return TrueHappening(
        id=f"{city.city_id}/event/{serial}",
        number=number,
        city_id=city.city_id,
        name=f"{CONSTRUCTED} {kind.noun} {number}{f' | {city.name}' if told == 'title' else ''}",
        kind=kind,
        slug=_slug(" ".join(words)),
        venue=venue,
        street=f"{serial} {CONSTRUCTED} Road",
        city_name=written,
        state_name=city.state,
        told=told,
        form=form,
        sessions=sessions,
        days=() if trap in _NOTHING else days,
        price=_choice((None, 0.0, 499.0, 1499.0, 799.5), random),
        trap=trap,
    )


def _told(city: City, random: Random) -> Told:
    if not city.is_uncertainty_city or city.population < _LARGE:
        return "locality" if random.random() < 0.7 else "address"
    draw = random.random()
    return "locality" if draw < 0.5 else "address" if draw < 0.7 else "slug" if draw < 0.85 else "title"


def _form(trap: Trap | None, random: Random) -> Form:
    draw = random.random()
    if trap is None and draw < 0.12:
        return "visible"
    return "plain" if draw < 0.6 else "streamed"


def _times(
    trap: Trap | None, dates: tuple[date, date], random: Random
) -> tuple[tuple[TrueSession, ...], tuple[str, ...]]:
    """Draw the sessions of an event, and the local days on which it takes place."""
    span = (dates[1] - dates[0]).days
    # Room for the days that come after the first.
    day = dates[0] + timedelta(days=int(random.random() * max(span - 6, 1)))
    if trap == "over":
        day = day.replace(year=2019, day=min(day.day, 28))
    if trap == "several_days":
        days = 2 + int(random.random() * 3)
        last = day + timedelta(days=days - 1)
        return (_session(day, 10, last, 18),), tuple((day + timedelta(days=n)).isoformat() for n in range(days))
    if trap == "two_sessions":
        after = day + timedelta(days=1)
        sessions = (_session(day, 16, day, 18), _session(day, 20, day, 22), _session(after, 20, after, 22))
        return sessions, (day.isoformat(), after.isoformat())
    if trap == "any_day":
        return (_session(day - timedelta(days=200), 9, day + timedelta(days=200), 18),), ()
    if trap == "after_midnight":
        return (_session(day, 1, day, 4),), (day.isoformat(),)
    if trap == "overnight":
        return (_session(day, 21, day + timedelta(days=1), 3),), (day.isoformat(),)
    hour = 10 + int(random.random() * 11)
    return (_session(day, hour, day, hour + 2 if random.random() < 0.7 else None),), (day.isoformat(),)


def _session(day: date, hour: int, last: date, until: int | None) -> TrueSession:
    return TrueSession(f"{day}T{hour:02}:30", None if until is None else f"{last}T{until:02}:00")


def _slug(text: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in text.lower())


def _choice(members: tuple[T, ...], random: Random) -> T:
    return members[int(random.random() * len(members))]
