"""GIF files: the container is read here, pixels are unpacked by Pillow.

TensorFlow's meaning of animations is an own one: the picture is as large as the largest frame,
how a frame shall be disposed of does not count, and transparent places show the frame before.
Format: CompuServe, GIF89a Specification (1990).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ....core.process.named_tuples import NamedTuple
from ....errors import InvalidArgumentError
from .pixels import Wanted, damaged, pillow, require_size

# The table of LZW has 4096 entries, the longest of which are not much longer than that.
MOST_PIXELS_OF_A_BYTE: Final = 4096


class PackedPicture(NamedTuple):
    """One picture: where it stands, how its pixels are packed, and its colours."""

    left: int
    top: int
    width: int
    height: int
    interlaced: bool
    colors: bytes
    transparent: int | None
    bits: int
    blocks: bytes


def read(data: bytes, wanted: Wanted) -> Any:
    """The pixels, [frames, h, w, 3] or those of one frame.

    Raises:
        InvalidArgumentError: the file is damaged, too large, or has several frames where one is
            wanted.
    """
    if wanted.channels not in (0, 3):
        raise InvalidArgumentError(f"channels must be 0 or 3 for GIF, got {wanted.channels}")
    told, error = _frames(data)
    _require_sizes(told, wanted)
    frames = _unpacked(data, told, error)
    if not wanted.animated and not wanted.first_only and len(frames) > 1:
        raise InvalidArgumentError(
            f"Got {len(frames)} frames, but animated gifs can only be decoded by "
            "tf.io.decode_gif or tf.io.decode_image"
        )
    height = max(frame.height for frame, _ in frames)
    width = max(frame.width for frame, _ in frames)
    shown = frames[:1] if wanted.first_only else frames
    pictures = np.zeros((len(shown), height, width, 3), np.uint8)
    for number, (frame, indices) in enumerate(shown):
        if number:
            pictures[number] = pictures[number - 1]
        _paint(data, pictures[number], number, frame, indices)
    return pictures if wanted.animated else pictures[0]


def _require_sizes(frames: Sequence[PackedPicture], wanted: Wanted) -> None:
    """Refuse what the frames say of their sizes, before any is unpacked."""
    if frames:
        height = max(frame.height for frame in frames)
        width = max(frame.width for frame in frames)
        require_size("GIF", height, width, 3, 1 if wanted.first_only else len(frames))


def _frames(data: bytes) -> tuple[list[PackedPicture], str]:
    """The frames that are told whole, and what is wrong after them."""
    found: list[PackedPicture] = []
    try:
        found.extend(_told_frames(data))
    except (IndexError, struct.error):
        return found, "it breaks off"
    except EOFError as error:
        return found, str(error)
    return found, "it has no picture"


def _unpacked(
    data: bytes, frames: Sequence[PackedPicture], error: str
) -> list[tuple[PackedPicture, Any]]:
    """The frames before the first that is damaged, with their indices: a file that is damaged or
    breaks off after some is as good as one that ends there.

    Raises:
        InvalidArgumentError: there is none.
    """
    found: list[tuple[PackedPicture, Any]] = []
    for frame in frames:
        try:
            found.append((frame, _indices(frame)))
        except (ValueError, OSError) as wrong:
            error = f"frame {len(found)}: {wrong}"
            break
    if not found:
        damaged("GIF", data, error)
    return found


def _told_frames(data: bytes) -> Iterator[PackedPicture]:
    """The frames, until the trailer or the end.

    Raises:
        IndexError, struct.error: the file breaks off.
        EOFError: something else stands there.
    """
    shared, place = _table(data, 10, 13)
    transparent: int | None = None
    while place < len(data) and data[place] != 0x3B:
        kind = data[place]
        if kind == 0x21:
            if data[place + 1] == 0xF9 and data[place + 2] == 4:
                transparent = data[place + 6] if data[place + 3] & 1 else None
            place = _after_blocks(data, place + 2)
        elif kind == 0x2C:
            left, top, width, height = struct.unpack_from("<4H", data, place + 1)
            own, begin = _table(data, place + 9, place + 10)
            place = _after_blocks(data, begin + 1)
            interlaced = bool(data[begin - len(own) - 1] & 0x40)
            packed = data[begin + 1 : place]
            yield PackedPicture(
                left, top, width, height, interlaced, own or shared, transparent,
                data[begin], packed,
            )  # fmt: skip
            transparent = None
        else:
            raise EOFError(f"byte {place} begins no block: {kind}")


def _table(data: bytes, flags: int, begin: int) -> tuple[bytes, int]:
    """The table of colours that stands at `begin` where the flags say so, and what is after it."""
    if not data[flags] & 0x80:
        data[begin - 1]
        return b"", begin
    end = begin + 3 * (2 << (data[flags] & 7))
    data[end - 1]
    return data[begin:end], end


def _after_blocks(data: bytes, place: int) -> int:
    while data[place]:
        place += data[place] + 1
    return place + 1


def _paint(data: bytes, picture: Any, number: int, frame: PackedPicture, indices: Any) -> None:
    """Put a frame onto the picture, as far as it lies in it."""
    if not frame.colors:
        damaged("GIF", data, f"missing color map for frame {number}")
    height, width = picture.shape[:2]
    shown = indices[: max(height - frame.top, 0), : max(width - frame.left, 0)]
    colors = np.frombuffer(frame.colors, np.uint8).reshape(-1, 3)
    if shown.size and shown.max() >= len(colors):
        what = f"found color index {shown.max()} outside of color map range {len(colors)}"
        damaged("GIF", data, what)
    place = picture[frame.top : frame.top + len(shown), frame.left : frame.left + shown.shape[1]]
    if frame.transparent is None:
        place[:] = colors[shown]
    else:
        place[:] = np.where((shown == frame.transparent)[..., None], place, colors[shown])


def _indices(frame: PackedPicture) -> Any:
    """Which colours a frame has.

    Raises:
        ValueError, OSError: it is damaged.
    """
    if frame.height * frame.width > MOST_PIXELS_OF_A_BYTE * len(frame.blocks):
        raise ValueError(f"it is too short for {frame.width} x {frame.height} pixels")
    size, interlaced = (frame.width, frame.height), int(frame.interlaced)
    image = pillow("Image", "decoding GIF files").frombytes(
        "L", size, frame.blocks, "gif", frame.bits, interlaced, -1
    )
    return np.asarray(image)
