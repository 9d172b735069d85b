"""Answers that a person or a browser saved: one body, JSON Lines, a HAR, or a WARC becomes answers of origin `capture`.

`captured` is the door, `lines` that for many bodies in one file. `har` and `warc` read the two forms into exchanges,
`bodies` unpacks, `matching` finds the request that an exchange answers. Nobody is asked here, and nothing is archived.
"""

from sources.transport.capture.captured import Capture, captured, saved
from sources.transport.capture.lines import saved_lines

__all__ = ["Capture", "captured", "saved", "saved_lines"]
