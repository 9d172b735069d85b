"""Texts by which a short answer says what its status does not: it was too fast, or the quota is spent. Pure."""

from collections.abc import Collection

from sources.transport.wire import Reply

SHORT = 1 << 16
"""A longer body is data, and data may hold any words."""


def says(reply: Reply, marks: Collection[str]) -> bool:
    """Say whether a short reply holds one of the marks, in its body or in the value of a header."""
    if not marks or len(reply.body) > SHORT:
        return False
    return any(mark.encode() in reply.body or any(mark in value for value in reply.headers.values()) for mark in marks)
