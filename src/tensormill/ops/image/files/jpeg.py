"""JPEG files, decoded by libjpeg-turbo as simplejpeg has it, encoded by Pillow.

simplejpeg since TensorFlow decodes with the fast integer DCT and with smooth chroma: Pillow has
one only without the other. All pixels are TensorFlow's.
"""

from __future__ import annotations

import io
import struct
from typing import Any, Final

import numpy as np

from ....core.extras import library
from ....core.process.named_tuples import NamedTuple
from ....errors import InvalidArgumentError
from .pixels import Wanted, damaged, pillow, require_size

# ITU T.81, table B.1: markers of frames, without DHT, JPG and DAC among them.
FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
PROGRESSIVE: Final = frozenset([0xC2, 0xC6, 0xCA, 0xCE])
BARE: Final = frozenset([0x01, *range(0xD0, 0xD9)])  # nothing follows these markers
SCAN, END = 0xDA, 0xD9
SIZE: Final = struct.Struct(">HH")
# Of 8 x 8 pixels, a file has one bit at least: that the first of them is as in the block before.
MOST_PIXELS_OF_A_BYTE: Final = 512
# Samples of brightness and of colors in a block, (across, down) each: simplejpeg knows these.
USUAL_SAMPLINGS: Final = frozenset(
    [
        *(((across, 1), (across, 1)) for across in (1, 2, 3)),
        *(((1, down), (1, down)) for down in (2, 3)),
        *(((across, 1), (1, 1)) for across in (2, 4)),
        *(((1, down), (1, 1)) for down in (2, 4)),
        *(((2, 2), colors) for colors in ((1, 1), (1, 2), (2, 1))),
    ]
)
END_OF_IMAGE: Final = b"\xff\xd9"
RARE_SAMPLING: Final = (
    "its colors are sampled in a rare way, which is decoded with ratio=1 and fancy_upscaling only"
)
OTHER_ROWS: Final = b"\x59\xa6\x3c" * 64
LARGEST: Final = 65500  # pixels of a side, for libjpeg


class Reading(NamedTuple):
    """The attributes of the operations that decode JPEG files."""

    ratio: int = 1
    fancy_upscaling: bool = True
    try_recover_truncated: bool = False
    acceptable_fraction: float = 1.0
    dct_method: str = ""
    crop: tuple[int, ...] | None = None  # y, x, height, width


class FrameHeader(NamedTuple):
    """What the header of the frame says, and where it stands."""

    height: int
    width: int
    channels: int
    at: int
    inverted: bool  # inks as Adobe's programs write them: 255 is none
    progressive: bool  # every scan has a little of each row
    huffman: bool  # else arithmetic coding
    samplings: tuple[tuple[int, int], ...]  # of a channel's values in a block: across and down

    @property
    def has_usual_sampling(self) -> bool:
        """Whether simplejpeg decodes it."""
        brightness, *colors = self.samplings or [(1, 1)]
        if colors[2:] and colors.pop() != brightness:  # black is sampled as brightness is
            return False
        different = {*colors}
        return len(different) <= 1 and all(
            (brightness, one) in USUAL_SAMPLINGS for one in different
        )


def frame_of(data: bytes) -> FrameHeader:
    """The header of the first frame, which a scan follows.

    Raises:
        InvalidArgumentError: there is none.
    """
    found, place, adobe = None, 2, False
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker == 0xFF or marker in BARE:
            place += 1 if marker == 0xFF else 2
            continue
        if marker in (SCAN, END):
            break
        if found is None and marker in FRAMES:
            found = place
        adobe = adobe or (marker == 0xEE and data[place + 4 : place + 9] == b"Adobe")
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    if found is None or data[place : place + 2] != bytes([0xFF, SCAN]):
        damaged("JPEG", data, "it has no complete header")
    height, width = SIZE.unpack_from(data, found + 5)
    marker = data[found + 1]
    progressive, huffman = marker in PROGRESSIVE, marker < 0xC8
    channels = data[found + 9]
    factors = data[found + 11 : found + 11 + 3 * channels : 3]
    samplings = tuple([divmod(one, 16) for one in factors])
    return FrameHeader(height, width, channels, found, adobe, progressive, huffman, samplings)


def shape_of_file(data: bytes) -> list[int]:
    """Height, width and channels.

    Raises:
        InvalidArgumentError: it is no JPEG file.
    """
    if data[:3] != b"\xff\xd8\xff":
        damaged("JPEG", data, "it does not begin as JPEG files do")
    height, width, channels, *_ = frame_of(data)
    if not height or not width:
        damaged("JPEG", data, f"it has size {width} x {height}")
    return [height, width, channels]


def read(data: bytes, wanted: Wanted) -> Any:
    """The pixels, [h, w, 1 or 3].

    Raises:
        InvalidArgumentError: the file is damaged, too large, or has no such channels or window.
    """
    how: Reading = wanted.jpeg or Reading()
    if wanted.channels not in (0, 1, 3):
        raise InvalidArgumentError(f"JPEG does not support {wanted.channels} channels")
    frame = frame_of(data)
    channels = wanted.channels or (1 if frame.channels == 1 else 3)
    if frame.channels == 4 and channels == 1:
        damaged("JPEG", data, "its four inks (CMYK) do not become one channel")
    require_size("JPEG", frame.height, frame.width, channels)
    whole = not how.try_recover_truncated and how.acceptable_fraction == 1
    if whole and frame.huffman and frame.height * frame.width > MOST_PIXELS_OF_A_BYTE * len(data):
        damaged("JPEG", data, f"too few for {frame.width} x {frame.height} pixels")
    height, width = -(-frame.height // how.ratio), -(-frame.width // how.ratio)
    window = _window(data, how.crop, height, width)
    picture = _whole(data, how, _Plan(frame, channels, height, width), window[0].stop)
    return np.ascontiguousarray(picture[window]) if how.crop else picture


def _window(
    data: bytes, crop: tuple[int, ...] | None, height: int, width: int
) -> tuple[slice, slice]:
    y, x, tall, wide = crop or (0, 0, height, width)
    if min(y, x) < 0 or min(tall, wide) < 1 or y + tall > height or x + wide > width:
        what = f"{tall} x {wide} at {y}, {x} of {height} x {width}"
        damaged("JPEG", data, f"the crop window (height x width) does not lie in it: {what}")
    return slice(y, y + tall), slice(x, x + wide)


class _Plan(NamedTuple):
    """What comes out: sizes are those after scaling."""

    frame: FrameHeader
    channels: int
    height: int
    width: int


def _whole(data: bytes, how: Reading, plan: _Plan, rows: int) -> Any:
    """The picture, of which `rows` are needed."""
    try:
        return _decoded(data, how, plan)
    except ValueError as error:  # or a warning: libjpeg goes on after it
        reason = str(error)
    if "Premature end" not in reason and data.rfind(END_OF_IMAGE) > 0:
        return _in_spite_of(reason, data, how, plan)
    return _truncated(data, how, plan, rows, reason)


def _truncated(data: bytes, how: Reading, plan: _Plan, rows: int, reason: str) -> Any:
    picture = _in_spite_of(reason, data + END_OF_IMAGE, how, plan)
    if how.try_recover_truncated:
        return picture
    told = 0 if plan.frame.progressive else _rows_told(data, how, plan, reason)
    enough = min(how.acceptable_fraction, rows / plan.height)
    if not told or enough == 1 or told / plan.height < enough:
        damaged("JPEG", data, f"{reason} after {told} of {plan.height} rows")
    picture[told:] = 0
    return picture


def _rows_told(data: bytes, how: Reading, plan: _Plan, reason: str) -> int:
    """How many rows do not depend on what comes behind the end of a truncated file.

    The decoder does not say: those that are the same where something else comes there. That shows
    in full size: one number of a block may be what it was by chance.
    """
    kept = data.removesuffix(b"\xff")  # half a marker
    if how.ratio > 1:
        full = _Plan(plan.frame, plan.channels, plan.frame.height, plan.frame.width)
        large = how._replace(ratio=1, fancy_upscaling=False)
        told = _rows_told(data, large, full, reason)
        return plan.height if told == full.height else told // how.ratio
    first, other = (
        _in_spite_of(reason, kept + end + END_OF_IMAGE, how, plan) for end in (b"", OTHER_ROWS)
    )
    differ = (first != other).any((1, 2))
    same = int(differ.argmax()) if differ.any() else len(first)
    # Smooth chroma mixes rows: the last one of a block depends on the next block.
    return same - 1 if same % 2 and same < len(first) else same


def _in_spite_of(warning: str, data: bytes, how: Reading, plan: _Plan) -> Any:
    """The picture of a file of which the decoder warns.

    simplejpeg then tells no errors either, after which it leaves memory as it was.
    """
    try:
        first, second = (_decoded(data, how, plan, before) for before in (0, 255))
    except ValueError as error:
        damaged("JPEG", data, str(error))
    if not np.array_equal(first, second):
        damaged("JPEG", data, warning)
    return first


def _of_rare_sampling(data: bytes, how: Reading, plan: _Plan) -> Any:
    """The picture of a file whose colors are sampled as simplejpeg does not know: by Pillow, with
    the accurate DCT.

    Raises:
        ValueError: Pillow refuses the file.
    """
    plugin = pillow("JpegImagePlugin", "decoding JPEG files")
    if how.ratio > 1 or not how.fancy_upscaling:
        damaged("JPEG", data, RARE_SAMPLING)
    try:
        image = plugin.JpegImageFile(io.BytesIO(data))
        if plan.channels == 1:
            image.draft("L", image.size)
        picture = np.asarray(image).reshape(plan.height, plan.width, -1)
    except (OSError, SyntaxError) as error:
        raise ValueError(str(error)) from error
    # Pillow turns inks around where they are inverted.
    return _of_inks(picture, inverted=False) if plan.frame.channels == 4 else picture


def _decoded(data: bytes, how: Reading, plan: _Plan, before: int | None = None) -> Any:
    """The picture. before: what its memory holds before; without it, warnings are errors.

    Raises:
        ValueError: the decoder refuses the file.
    """
    if not plan.frame.has_usual_sampling:
        return _of_rare_sampling(data, how, plan)
    turbo = library("simplejpeg", "image", "decoding JPEG files")
    frame, inks = plan.frame, plan.frame.channels == 4
    if _is_ambiguous(plan, how.ratio):
        data = data[: frame.at + 5] + b"\0\x08\0\x08" + data[frame.at + 9 :]
        height = width = 8 // how.ratio
    else:
        height, width = plan.height, plan.width
    options: dict[str, Any] = {
        "colorspace": "CMYK" if inks else "RGB" if plan.channels == 3 else "GRAY",
        "fastdct": how.dct_method != "INTEGER_ACCURATE",
        "fastupsample": not how.fancy_upscaling,
        "strict": before is None,
    }
    if how.ratio > 1:
        options |= {"min_height": height, "min_width": width}
    if before is not None:
        channels = 4 if inks else plan.channels
        options["buffer"] = np.full(height * width * channels, before, np.uint8)
    picture = turbo.decode_jpeg(data, **options)[: plan.height, : plan.width]
    return _of_inks(picture, frame.inverted) if inks else picture


def _is_ambiguous(plan: _Plan, ratio: int) -> bool:
    """Whether the size does not tell by which ratio a picture is scaled.

    The decoder takes the largest scale (in eighths) that gives the size. Where two do, the picture
    is one block, of which all 8 x 8 pixels are there.
    """
    larger = [-(-size * (8 // ratio + 1) // 8) for size in plan.frame[:2]]
    return ratio > 1 and larger == [plan.height, plan.width]


def _of_inks(picture: Any, inverted: bool) -> Any:
    """Red, green and blue of cyan, magenta, yellow and black."""
    light = picture.astype(np.uint16)
    light = light if inverted else 255 - light
    return (light[..., :3] * light[..., 3:] // 255).astype(np.uint8)


# ---------------------------------------------------------------- written


class Writing(NamedTuple):
    """The attributes of the operations that encode JPEG files."""

    quality: int = 95
    progressive: bool = False
    optimize_size: bool = False
    chroma_downsampling: bool = True
    density_unit: str = "in"
    x_density: int = 300
    y_density: int = 300
    xmp_metadata: str = ""


def written(picture: Any, how: Writing) -> bytes:
    """The file of a picture of bytes [h, w, 1 or 3]."""
    is_grey = picture.shape[2] == 1
    images = pillow("Image", "encoding JPEG files").fromarray(
        picture[..., 0] if is_grey else picture
    )
    stream = io.BytesIO()
    images.save(
        stream, "JPEG", quality=max(how.quality, 1), progressive=how.progressive,
        optimize=how.optimize_size, subsampling=2 if how.chroma_downsampling and not is_grey else 0,
    )  # fmt: skip
    return _with_header(stream.getvalue(), how)


def _with_header(data: bytes, how: Writing) -> bytes:
    """The file with the density, in the JFIF header that stands first, and the metadata."""
    unit = {"in": 1, "cm": 2}[how.density_unit]
    density = bytes([unit]) + b"".join(
        (size & 0xFFFF).to_bytes(2, "big") for size in (how.x_density, how.y_density)
    )
    metadata = b""
    if how.xmp_metadata:
        packet = b"http://ns.adobe.com/xap/1.0/\0" + how.xmp_metadata.encode()
        if len(packet) + 2 > 0xFFFF:
            most = 0xFFFF - 2 - len(packet) + len(how.xmp_metadata.encode())
            raise InvalidArgumentError(
                f"xmp_metadata has {len(how.xmp_metadata.encode())} bytes, but a JPEG header has "
                f"room for {most}"
            )
        metadata = b"\xff\xe1" + (len(packet) + 2).to_bytes(2, "big") + packet
    return data[:13] + density + data[18:20] + metadata + data[20:]
