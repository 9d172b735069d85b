"""Which statuses of HTTP say something about the moment, the key or whoever asks, and nothing about the question.

What a status means beyond that is a matter of each provider.
"""

_PASSING = frozenset({408, 425, 429})
# A better key, plan, agent or network may be let in where this one was not.
_SHUT_OUT = frozenset({401, 402, 403, 406, 407, 451})


def is_worth_again(status: int) -> bool:
    """Whether a failure with this status is no answer for long, so that another run asks anew."""
    return status >= 500 or status in _PASSING or status in _SHUT_OUT
