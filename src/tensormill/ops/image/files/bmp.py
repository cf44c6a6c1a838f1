"""BMP files without compression, of 8, 24 or 32 bits for a pixel."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import InvalidArgumentError
from .pixels import Wanted, as_colors, damaged, require_size, with_alpha


def read(data: bytes, wanted: Wanted) -> Any:
    """The pixels, [h, w, 1, 3 or 4]. A table of colours is not looked at: one channel is grey.

    Raises:
        InvalidArgumentError: the file is damaged, too large, or has no such channels.
    """
    if wanted.channels == 1:
        raise InvalidArgumentError("`channels` must be 0, 3 or 4 for BMP, but got 1")
    if len(data) < 32:
        damaged("BMP", data, "its header takes 32 bytes")
    begin = int.from_bytes(data[10:14], "little")
    width = int.from_bytes(data[18:22], "little", signed=True)
    height = int.from_bytes(data[22:26], "little", signed=True)
    bits = int.from_bytes(data[28:30], "little")
    channels = bits // 8
    if channels not in (1, 3, 4):
        damaged("BMP", data, f"a pixel must have 8, 24 or 32 bits, but has {bits}")
    require_size("BMP", abs(height), width, channels)
    row = -(-width * channels // 4) * 4
    if len(data) != begin + row * abs(height):
        expected = f"{begin} + {row} x {abs(height)}"
        damaged("BMP", data, f"header and rows take {expected} bytes")
    rows = np.frombuffer(data, np.uint8, offset=begin).reshape(abs(height), row)
    pixels = rows[:, : width * channels].reshape(abs(height), width, channels)
    return _colored(pixels if height < 0 else pixels[::-1], wanted.channels or channels)


def _colored(pixels: Any, channels: int) -> Any:
    """The order of bytes is blue, green, red."""
    given = pixels.shape[2]
    colors = as_colors(pixels) if given == 1 < channels else pixels
    if given > 1:
        colors = pixels[..., [2, 1, 0, 3][: min(given, channels)]]
    colors = np.ascontiguousarray(colors)
    return with_alpha(colors, 255) if channels == 4 > given else colors
