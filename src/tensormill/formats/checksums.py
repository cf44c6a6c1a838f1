"""The checksums of TensorFlow's files: CRC-32C, stored masked."""

from __future__ import annotations

from typing import Final

import google_crc32c

Buffer = bytes | bytearray | memoryview

_MASK_DELTA: Final = 0xA282EAD8
_CHUNK: Final = 1 << 20


def crc32c(data: Buffer, crc: int = 0) -> int:
    """CRC-32C of `data`, continued from that of what came before it."""
    if isinstance(data, bytes):
        return google_crc32c.extend(crc, data)
    # The library takes `bytes` only: copies of bounded size.
    view = memoryview(data).cast("B")
    for start in range(0, len(view), _CHUNK):
        crc = google_crc32c.extend(crc, bytes(view[start : start + _CHUNK]))
    return crc


def mask(crc: int) -> int:
    """A checksum as it is stored: data that hold checksums would have degenerate ones else."""
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & 0xFFFFFFFF


def masked_crc32c(data: Buffer, crc: int = 0) -> int:
    return mask(crc32c(data, crc))
