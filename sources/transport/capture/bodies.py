"""Bodies out of what a file holds of them: chunks put together, unpacked, whole, and never larger than allowed."""

import re
import zlib
from collections.abc import Iterator

import brotli

from sources.transport.capture.exchange import Unusable
from sources.transport.decoding import TooLarge, Undecodable, decode

MOST = 2**30
"""A larger body is not archived."""

_PIECE = 1 << 16
_CHUNK_HEAD = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")


def unpacked(data: bytes, encodings: str) -> bytes:
    """Return a body without its content encodings, as the header names them, the last one first off.

    Raises Unusable for one that is not whole, not known, or too large.
    """
    for encoding in reversed([name.strip().lower() for name in encodings.split(",") if name.strip()]):
        try:
            match encoding:
                case "identity":
                    pass
                case "gzip" | "x-gzip":
                    data = decode(_pieces(data), encoding, MOST)
                case "br":
                    data = _brotli(data)
                case "deflate":
                    data = _deflate(data)
                case _:
                    raise Unusable(f"its body is packed as {encoding!r}, which is not known here")
        except TooLarge:
            raise Unusable(f"its body is larger than {MOST} bytes") from None
        except (Undecodable, brotli.error, zlib.error) as error:
            raise Unusable(f"its body does not unpack as {encoding}: {error}") from None
    return data


def unchunked(data: bytes) -> bytes:
    """Return a body that was kept in the chunks of HTTP/1.1. Raises Unusable for one that is not whole."""
    body, at = bytearray(), 0
    while True:
        head = _CHUNK_HEAD.match(data, at)
        if head is None:
            raise Unusable("its chunked body is cut off")
        size, start = int(head[1], 16), head.end()
        if size == 0:
            return bytes(body)
        if data[start + size : start + size + 2] != b"\r\n":
            raise Unusable("its chunked body is cut off")
        body += data[start : start + size]
        at = start + size + 2


def _brotli(data: bytes) -> bytes:
    unpacker, body = brotli.Decompressor(), bytearray()
    for piece in _pieces(data):
        body += unpacker.process(piece)
        if len(body) > MOST:
            raise TooLarge
    if data and not unpacker.is_finished():
        raise Undecodable("it ends in the middle")
    return bytes(body)


def _deflate(data: bytes) -> bytes:
    # The name means a zlib stream; some servers send a bare one.
    is_zlib = len(data) > 1 and data[0] & 0x0F == 8 and int.from_bytes(data[:2], "big") % 31 == 0
    unpacker = zlib.decompressobj(zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS)
    body = unpacker.decompress(data, MOST + 1)
    if len(body) > MOST:
        raise TooLarge
    if data and not unpacker.eof:
        raise Undecodable("it ends in the middle")
    return body


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
