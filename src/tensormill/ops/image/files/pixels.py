"""What readers of all formats share: sizes that are too large, channels, dtypes."""

from __future__ import annotations

from typing import Any, Final, NoReturn

import numpy as np

from ....core.extras import library
from ....core.process.named_tuples import NamedTuple
from ....errors import InvalidArgumentError

# A small file may claim to hold a picture of any size: what it says is believed below that.
# TensorFlow draws the line here too, for most formats.
MOST_ELEMENTS: Final = 1 << 29


class Wanted(NamedTuple):
    """How a picture shall be decoded."""

    op: str  # which operation asks, for messages
    channels: int = 0  # 0: as many as the file has
    deep: bool = False  # 16 bits each, where the format has them
    animated: bool = False  # all pictures of the file, along a first axis
    first_only: bool = False  # of an animation
    jpeg: Any = None  # what only JPEG knows: `jpeg.Reading`


def damaged(kind: str, data: bytes, what: str) -> NoReturn:
    """Refuse a file.

    Raises:
        InvalidArgumentError: always.
    """
    raise InvalidArgumentError(f"Invalid {kind} data of {len(data)} bytes: {what}")


def require_size(kind: str, height: int, width: int, channels: int, pictures: int = 1) -> None:
    """Refuse what a file says of its size, before memory is taken for it.

    Raises:
        InvalidArgumentError: nothing is in it, or too much.
    """
    if height < 1 or width < 1:
        raise InvalidArgumentError(f"Invalid {kind} data: it has size {width} x {height}")
    if height * width * channels * pictures >= MOST_ELEMENTS:
        held = f"{width} x {height} x {channels}" + f" x {pictures}" * (pictures > 1)
        raise InvalidArgumentError(
            f"{kind} picture is too large: {held} elements, but they must be fewer than "
            f"{MOST_ELEMENTS} together"
        )


def pillow(module: str, purpose: str) -> Any:
    """A module of Pillow; `purpose` is told where that is not installed.

    Raises:
        ImportError: it is not installed.
    """
    return library(f"PIL.{module}", "image", purpose)


def with_alpha(picture: Any, opaque: int) -> Any:
    """The picture, and a last channel of `opaque`."""
    alpha = np.full((*picture.shape[:-1], 1), opaque, picture.dtype)
    return np.concatenate([picture, alpha], -1)


def as_colors(picture: Any) -> Any:
    """One channel three times."""
    return np.repeat(picture, 3, -1)
