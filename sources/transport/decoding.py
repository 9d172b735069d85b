"""The body of an answer out of the chunks in which it comes: unpacked, complete, and never larger than allowed."""

import zlib
from collections.abc import Iterable, Iterator

_PIECE = 1 << 16
_OVERHEAD = 1 << 16
_GZIP = 31


class Undecodable(Exception):
    """A body that does not unpack; the text says why."""


class TooLarge(Exception):
    """A body of more bytes than allowed, packed or unpacked."""


def decode(chunks: Iterable[bytes], encoding: str, limit: int, *, is_cut: bool = False) -> bytes:
    """Return the unpacked body. Above `limit` bytes: TooLarge, or, where `is_cut`, the first `limit` bytes.

    A packed body that ends early is Undecodable: half an answer must never pass as one.
    """
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise Undecodable(f"it is packed as {encoding!r}, which was not asked for")
    body = bytearray()
    for piece in _unpacked(_counted(chunks, limit + _OVERHEAD), is_cut) if encoding.endswith("gzip") else chunks:
        body += piece
        if len(body) > limit:
            if is_cut:
                return bytes(body[:limit])
            raise TooLarge
    return bytes(body)


def _counted(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """Pass on packed bytes up to a limit: there may be any number of them that unpack to nothing."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise TooLarge
        yield chunk


def _unpacked(chunks: Iterable[bytes], is_cut: bool) -> Iterator[bytes]:
    member = zlib.decompressobj(_GZIP)
    has_any = False
    try:
        for chunk in chunks:
            has_any = has_any or bool(chunk)
            while chunk:
                if member.eof:
                    member = zlib.decompressobj(_GZIP)
                yield member.decompress(chunk, _PIECE)
                chunk = member.unused_data if member.eof else member.unconsumed_tail
    except zlib.error as error:
        raise Undecodable(f"it does not unpack ({error})") from None
    if has_any and not member.eof and not is_cut:
        raise Undecodable("it ends in the middle")
