"""Compressed strings."""

from __future__ import annotations

import zlib
from typing import Any, Final

from ...errors import DataLossError, InvalidArgumentError, UnimplementedError
from ..bind import api
from ..op import Attr, In, Op, Out
from ..strings.byte_strings import each

# zlib's numbers of the two ways to wrap deflated bytes.
_WRAPPINGS: Final = {"GZIP": 16 + zlib.MAX_WBITS, "ZLIB": zlib.MAX_WBITS}


class DecodeCompressed(Op):
    """What compressed strings hold.

    bytes: string [...]; the result has its shape. compression_type: "ZLIB", "GZIP" or "" (none). Of
    data that are cut off, what is there is taken.

    >>> import zlib
    >>> tf.io.decode_compressed(zlib.compress(b"hello"), compression_type="ZLIB").numpy()
    b'hello'

    Raises:
        InvalidArgumentError: the compression is unknown.
        DataLossError: the data are damaged.
    """

    bytes = In("str *s")
    output = Out("str *s")
    compression_type = Attr("")
    ignores_places = True
    differentiable = False

    def eager(self, np: Any) -> Any:
        kind: Any = self.compression_type
        kind = kind.decode() if isinstance(kind, bytes) else kind
        if kind == "ZSTD":
            raise UnimplementedError("compression_type='ZSTD': only ZLIB and GZIP are read here")
        if kind and kind not in _WRAPPINGS:
            raise InvalidArgumentError(
                f"compression_type={kind!r}: only ZLIB, GZIP or '' (none) are supported"
            )
        return each(lambda text: inflated(text, kind), self.bytes) if kind else self.bytes


def inflated(data: bytes, kind: str) -> bytes:
    """What deflated bytes hold; GZIP data may have several members."""
    found: list[bytes] = []
    while data:
        inflater = zlib.decompressobj(_WRAPPINGS[kind])
        try:
            found.append(inflater.decompress(data))
        except zlib.error as error:
            raise DataLossError(f"the {kind} data are damaged: {error}") from None
        data = inflater.unused_data if kind == "GZIP" else b""
    return b"".join(found)


decode_compressed = api(DecodeCompressed, elements=1)
