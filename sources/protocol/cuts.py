"""Answers that were too large to be read: archived with status and headers, without their body, and marked.

The mark stands among the headers that are kept, under a name that no provider's header is kept under.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sources.protocol.types import Answer

_HEADER, _TOO_LARGE = "x-utp-cut", "too_large"
CUT: Mapping[str, str] = MappingProxyType({_HEADER: _TOO_LARGE})


def is_too_large(answer: Answer) -> bool:
    """Whether an answer came with a larger body than its endpoint's `max_bytes`; its body is empty then."""
    return answer.headers.get(_HEADER) == _TOO_LARGE
