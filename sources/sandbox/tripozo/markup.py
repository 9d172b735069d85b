"""What all pages share: the frame around their content, and the ways in which they write numbers."""

from html import escape

HTML = "text/html"
JSON = "application/json"


def page(title: str, content: str) -> str:
    """Return a whole page."""
    head = f"<!DOCTYPE html>\n<html><head><title>{escape(title)}</title></head>"
    return f"{head}<body>\n{content}\n</body></html>\n"


def error_page(what: str) -> str:
    """Return the page of an error."""
    return page(what, f"<h1>{what}</h1><p>Constructed</p>")


def grouped(amount: int) -> str:
    """Return a number by thousands, lakhs and crores: 102345 as `1,02,345`."""
    head, tail = str(amount)[:-3], str(amount)[-3:]
    parts: list[str] = []
    while head:
        parts.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*parts, tail])


def minutes(clock: str) -> int:
    """Return the minutes since midnight of `HH:MM`."""
    hours, _, rest = clock.partition(":")
    return int(hours) * 60 + int(rest)
