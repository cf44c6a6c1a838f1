"""WebP files, decoded by Pillow, which has libwebp."""

from __future__ import annotations

import io
from typing import Any, Final

import numpy as np

from ....errors import InvalidArgumentError
from .pixels import Wanted, damaged, pillow, require_size

# Of a picture in a file; a canvas that is larger only takes memory.
LARGEST: Final = 16383


def read(data: bytes, wanted: Wanted) -> Any:
    """The pixels, [frames, h, w, 3 or 4] or those of one frame. Animations have an alpha channel.

    Raises:
        InvalidArgumentError: the file is damaged, too large, or has other channels.
    """
    if wanted.channels not in (0, 3, 4):
        raise InvalidArgumentError(f"WebP only supports 3 or 4 channels, got {wanted.channels}")
    if wanted.deep:
        raise InvalidArgumentError(f"{wanted.op}: WebP files are decoded as uint8 only")
    image = _opened(data)
    count = image.n_frames
    if count > 1 and not wanted.animated and not wanted.first_only:
        raise InvalidArgumentError(
            f"Got {count} frames, but animated WebP files can only be decoded by "
            "tf.io.decode_webp or tf.io.decode_image"
        )
    if max(image.size) > LARGEST:
        damaged("WebP", data, f"its size {image.width} x {image.height} is above {LARGEST}")
    mode = "RGBA" if count > 1 or image.mode != "RGB" else "RGB"
    if wanted.channels not in (0, len(mode)):
        raise InvalidArgumentError(
            f"channels={wanted.channels} is wanted, but the WebP file has {len(mode)}"
        )
    shown = 1 if wanted.first_only else count
    require_size("WebP", image.height, image.width, len(mode), shown)
    try:
        pictures = [_frame(image, number, mode) for number in range(shown)]
    except (ValueError, OSError, EOFError) as error:
        damaged("WebP", data, str(error))
    return np.stack(pictures) if wanted.animated else pictures[0]


def _opened(data: bytes) -> Any:
    # Not `Image.open`, which guesses formats and warns of large pictures.
    plugin, errors = (
        pillow("WebPImagePlugin", "decoding WebP files"),
        pillow("Image", "decoding WebP files"),
    )
    try:
        return plugin.WebPImageFile(io.BytesIO(data))
    except (ValueError, OSError, SyntaxError, errors.DecompressionBombError) as error:
        damaged("WebP", data, str(error) or "its header cannot be read")


def _frame(image: Any, number: int, mode: str) -> Any:
    image.seek(number)
    return np.asarray(image.convert(mode))
