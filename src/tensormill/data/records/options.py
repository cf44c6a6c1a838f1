"""How files of records are compressed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final, Protocol

from ...errors import InvalidArgumentError

# zlib's numbers of the two ways to wrap deflated bytes.
_WINDOW_BITS: Final = {"GZIP": 16 + zlib.MAX_WBITS, "ZLIB": zlib.MAX_WBITS}
_FLUSHES: Final = (zlib.Z_PARTIAL_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH)


class Compressor(Protocol):
    """What of `zlib.compressobj` a writer needs."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self, mode: int = ..., /) -> bytes: ...


class Uncompressed:
    """Hands on what it gets."""

    def compress(self, data: bytes, /) -> bytes:
        return data

    def flush(self, mode: int = zlib.Z_FINISH, /) -> bytes:
        return b""


class TFRecordCompressionType:
    """How the files of records are compressed, as TensorFlow 1 numbered it."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


class TFRecordOptions:
    """How a `tf.io.TFRecordWriter` compresses its file.

    >>> with tf.io.TFRecordWriter("r.gz", tf.io.TFRecordOptions("GZIP", compression_level=9)) as w:
    ...     w.write(b"hello")
    >>> [record.numpy() for record in tf.data.TFRecordDataset("r.gz", "GZIP")]
    [b'hello']

    Args:
        compression_type: "GZIP", "ZLIB", or "" or None for no compression.
        flush_mode: what `flush` makes of compressed data: `zlib.Z_SYNC_FLUSH` (the default),
            `zlib.Z_PARTIAL_FLUSH` or `zlib.Z_FULL_FLUSH`.
        input_buffer_size, output_buffer_size: change nothing.
        window_bits, compression_level, compression_method, mem_level, compression_strategy: as
            `zlib.compressobj` has them.

    Raises:
        ValueError: the compression is unknown.
    """

    compression_type_map: ClassVar[Mapping[int, str]] = MappingProxyType(
        {
            TFRecordCompressionType.ZLIB: "ZLIB",
            TFRecordCompressionType.GZIP: "GZIP",
            TFRecordCompressionType.NONE: "",
        }
    )

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ) -> None:
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """What options, a string or a number say: "GZIP", "ZLIB" or "".

        >>> tf.io.TFRecordOptions.get_compression_type_string(tf.io.TFRecordOptions("ZLIB"))
        'ZLIB'

        Raises:
            ValueError: it is none of these.
        """
        said = options.compression_type if isinstance(options, TFRecordOptions) else options
        if not said:
            return ""
        if said in cls.compression_type_map.values():
            return said
        if said in cls.compression_type_map:
            return cls.compression_type_map[said]
        raise ValueError(f'Not a valid compression_type: "{said}"')


def compressor(options: TFRecordOptions) -> Compressor:
    """A new one.

    Raises:
        InvalidArgumentError: zlib takes no such options.
    """
    kind = TFRecordOptions.get_compression_type_string(options)
    if not kind:
        return Uncompressed()
    said: dict[str, Any] = {
        "level": options.compression_level,
        "method": options.compression_method,
        "wbits": options.window_bits or _WINDOW_BITS[kind],
        "memLevel": options.mem_level,
        "strategy": options.compression_strategy,
    }
    given = {name: value for name, value in said.items() if value is not None}
    try:
        return zlib.compressobj(**given)
    except (ValueError, zlib.error) as error:
        raise InvalidArgumentError(f"zlib takes no {given}: {error}") from None


def flush_mode(options: TFRecordOptions) -> int:
    """What is said to the compressor where a writer is flushed."""
    return options.flush_mode if options.flush_mode in _FLUSHES else zlib.Z_SYNC_FLUSH
