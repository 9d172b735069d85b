"""Results of a search for flights as Tripozo shows them: a card for each, told by the class names within it.

Cards are read one by one. Lists of all prices, codes and times of a page would slip by one behind the first card
without a price. What encloses a card is not known by name, so a card is the largest element with one code in it.
"""

from collections import Counter
from collections.abc import Iterator

from sources.tripozo.layouts.layout import Layout
from sources.tripozo.markup import Element
from sources.tripozo.page import Page
from sources.tripozo.raw import RawFlight
from sources.tripozo.records import Found
from sources.tripozo.unfit import UnfitError

_CODE = "airline-code"
_NO_RESULTS = frozenset({"ant-empty", "tpz-empty"})
_STRUCK = frozenset({"del", "s", "strike"})


def _knows(page: Page) -> bool:
    if page.root is None:
        return False
    return any(_CODE in one.classes or _NO_RESULTS.intersection(one.classes) for one in page.root.walk())


def _read(page: Page) -> Iterator[Found]:
    assert page.root is not None
    within: Counter[int] = Counter()
    codes = page.root.all(_CODE)
    for code in codes:
        for one in _upwards(code):
            within[id(one)] += 1
    for number, code in enumerate(codes):
        # A code within a code has no card of its own.
        card = [code, *(one for one in _upwards(code) if within[id(one)] == 1)][-1]
        where = f"card[{number}]"
        try:
            yield _flight(card, where)
        except UnfitError as error:
            yield error.refusal("flights", where)


def _upwards(element: Element) -> Iterator[Element]:
    one: Element | None = element
    while one is not None:
        yield one
        one = one.parent


def _flight(card: Element, where: str) -> RawFlight:
    origin, destination = _only(card, "from-airport"), _only(card, "to-airport")
    fares = [one for one in card.all("flight-price-number") if not _is_struck(one)]
    if len(fares) > 1:
        raise UnfitError("unclear_card", "the card has several fares that hold", "flight-price-number")
    return RawFlight(
        where=where,
        airline=_text(card, "airline-name"),
        code=_text(card, _CODE),
        origin=_text(origin, "code"),
        destination=_text(destination, "code"),
        departs=_text(origin, "time"),
        arrives=_text(destination, "time"),
        duration=_text(card, "fl-duration"),
        fares=tuple(one.text() for one in fares),
    )


def _only(card: Element, name: str) -> Element:
    found = card.all(name)
    if len(found) != 1:
        raise UnfitError("unclear_card", f"the card has {len(found)} elements of its class, not one", name)
    return found[0]


def _text(element: Element, name: str) -> str | None:
    found = element.all(name)
    return found[0].text() if found else None


def _is_struck(fare: Element) -> bool:
    return any(one.tag in _STRUCK for one in _upwards(fare)) or any(one.tag in _STRUCK for one in fare.walk())


LAYOUT = Layout("flights", _knows, _read)
