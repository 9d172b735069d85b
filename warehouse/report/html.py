"""HTML that cannot be broken by what is put into it: text is escaped unless it is HTML already.

Place names, addresses and reasons come from outside and are hostile until escaped; here that is not a matter of care.
"""

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
