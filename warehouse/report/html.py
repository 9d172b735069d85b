"""HTML that cannot be broken by what is put into it: text is escaped unless it is HTML already.

Place names, addresses and reasons come from outside and are hostile until escaped; here that is not a matter of care.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Union

_VOID = {"meta", "link", "br", "circle", "rect", "path", "line"}


class Html(str):
    """Text that is HTML."""

    __slots__ = ()


Child = Union[str, int, None, "list[Child]", "tuple[Child, ...]"]


def el(tag: str, *children: Child, **attributes: str | int | float | None) -> Html:
    """Return an element. Children that are not Html are escaped; None and attributes of None are left out.

    An underscore in an attribute's name stands for a hyphen; one at its end is dropped (`class_`).
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{written}>" if tag in _VOID else f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: Child) -> Html:
    """Return children one after the other, escaped unless they are Html."""
    return Html("".join(_text(child) for child in children))


def _text(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return child
    if isinstance(child, (list, tuple)):
        return join(*child)
    return escape(f"{child:,}" if isinstance(child, int) else child)


def outside_link(url: str, text: str) -> Html:
    """Return a link, or the plain text where the address is not one of the web (`javascript:` is none)."""
    if not url.lower().startswith(("https://", "http://")):
        return join(text)
    return el("a", text, href=url, rel="noreferrer noopener")


def grid(caption: str, columns: Sequence[str], rows: Sequence[Sequence[Child]]) -> Html:
    """A table that scrolls by itself on a narrow screen; a column whose cells are all numbers stands to the right."""
    numeric = [all(isinstance(row[place], int | None) for row in rows) for place in range(len(columns))]
    head = [
        el("th", name, scope="col", class_="n" if number else None)
        for name, number in zip(columns, numeric, strict=True)
    ]
    lines = []
    for row in rows:
        first, *rest = row
        cells = [el("td", cell, class_="n" if number else None) for cell, number in zip(rest, numeric[1:], strict=True)]
        lines.append(el("tr", el("th", first, scope="row"), *cells))
    body = el(
        "table",
        el("caption", caption) if caption else None,
        el("thead", el("tr", *head)),
        el("tbody", *lines),
    )
    # What scrolls must be reachable by keyboard.
    return el("div", body, class_="scroll", tabindex=0, role="region", aria_label=caption or ", ".join(columns))


def counted(counts: Mapping[str, int]) -> Child:
    """Terms with their counts in a row, or 0 where there are none."""
    if not counts:
        return 0
    return [
        join(", " if place else "", el("code", term), f" {count:,}")
        for place, (term, count) in enumerate(counts.items())
    ]
