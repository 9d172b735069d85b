"""What a layout is."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sources.tripozo.page import Page
from sources.tripozo.records import Found


class Layout(NamedTuple):
    """One layout. `endpoint` is the one whose questions its pages answer;

    `read` yields raw rows, or why there are none. It is called for pages alone that the layout `knows`, and raises
    nothing.
    """

    endpoint: str
    knows: Callable[[Page], bool]
    read: Callable[[Page], Iterator[Found]]
