"""Pictures out of files: the operations. Each reads every format, as TensorFlow's do.

Compiled functions call back into Python for them; the decoders give up Python's lock.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....core import dtypes
from ....core.dtypes import as_dtype
from ....core.specs import TensorSpec
from ....errors import (
    InvalidArgumentError,
    ResourceExhaustedError,
    ShapeMismatchError,
    UnimplementedError,
)
from ...bind import api, bind
from ...composed import composed
from ...conversion import as_tensor
from ...dispatch.meanings import dispatchable
from ...math.comparison import equal
from ...op import INDEX, Attr, In, Op, Out, types
from ...strings.byte_strings import substr
from ..colors import convert_image_dtype
from . import bmp, gif, jpeg, png, webp
from .pixels import Wanted, as_colors

FORMATS: Final = {
    "JPEG": b"\xff\xd8\xff", "PNG": png.SIGNATURE, "GIF": b"GIF8", "BMP": b"BM",
    "JPEG XL": b"\xff\x0a", "JPEG XL container": b"\0\0\0\x0cJXL \r\n\x87\n",
}  # fmt: skip
READERS: Final = {
    "JPEG": jpeg.read, "PNG": png.read, "GIF": gif.read, "BMP": bmp.read, "WebP": webp.read,
}  # fmt: skip
DCT_METHODS: Final = ("", "INTEGER_FAST", "INTEGER_ACCURATE")


def format_of(data: bytes) -> str:
    """The format, by the bytes at the beginning.

    Raises:
        InvalidArgumentError: it is none that is known.
    """
    for name, magic in FORMATS.items():
        if data.startswith(magic):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) > 12:
        return "WebP"
    if not data:
        raise InvalidArgumentError("Input is empty: a picture's file is expected")
    raise InvalidArgumentError(
        f"Unknown image file format, it begins with {data[:8]!r}: one of JPEG, PNG, GIF, BMP and "
        "WebP is required"
    )


def decoded(data: bytes, wanted: Wanted) -> np.ndarray[Any, Any]:
    """The pixels of a file of any format.

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of a format or with a number of
            channels that the operation does not take.
        UnimplementedError: it is a JPEG XL file.
        ResourceExhaustedError: there is no memory for it.
        ImportError: its decoder is not installed.
    """
    if wanted.channels not in (0, 1, 3, 4):
        raise InvalidArgumentError(f"`channels` must be 0, 1, 3 or 4 but got {wanted.channels}")
    kind = format_of(data)
    if kind.startswith("JPEG XL"):
        raise UnimplementedError(
            f"{wanted.op}: JPEG XL files cannot be decoded here: save the picture as PNG or WebP"
        )
    _require_format(kind, wanted.op)
    try:
        picture = READERS[kind](data, wanted)
    except MemoryError:
        raise ResourceExhaustedError(
            f"{wanted.op}: there is no memory for the picture of a {kind} file of {len(data)} bytes"
        ) from None
    if wanted.deep and picture.dtype == np.uint8:
        return picture.astype(np.uint16) * np.uint16(256)
    return picture


def _require_format(kind: str, op: str) -> None:
    right = f"use `decode_{kind.lower()}` or `decode_image`"
    if kind == "BMP" and op not in ("DecodeBmp", "DecodeImage"):
        raise InvalidArgumentError(f"{op} does not decode BMP files: {right}")
    if op == "DecodeWebP" and kind == "GIF":
        raise InvalidArgumentError(f"{op} does not decode GIF files: {right}")
    if op == "DecodeBmp" and kind != "BMP":
        raise InvalidArgumentError(f"DecodeBmp does not decode {kind} files: {right}")
    if op == "DecodeAndCropJpeg" and kind != "JPEG":
        raise InvalidArgumentError(f"DecodeAndCropJpeg decodes JPEG files, not {kind}: {right}")


class OfFile(Op, abstract=True):
    """What the operations share that read one file."""

    contents = In("str")
    differentiable = False
    unlocked = True
    channels: Any

    def data(self) -> bytes:
        return self.contents[()]


class OnePicture(OfFile, abstract=True):
    """Gives [height, width, channels]."""

    def infer(self) -> TensorSpec:
        return TensorSpec((None, None, self.channels or None), dtypes.uint8)


NEGATIVE = "crop_window has a negative size: {} x {}"


class Jpeg(OnePicture, abstract=True):
    """Takes what JPEG files can be decoded by."""

    ratio: Any
    dct_method: Any

    def reading(self, crop: tuple[int, ...] | None = None) -> jpeg.Reading:
        if self.dct_method not in DCT_METHODS:
            raise InvalidArgumentError(
                f"dct_method must be one of {DCT_METHODS}, not '{self.dct_method}'"
            )
        if self.ratio not in (1, 2, 4, 8):
            raise InvalidArgumentError(f"ratio must be 1, 2, 4, or 8, got {self.ratio}")
        values = self.attr_values()
        del values["channels"]
        return jpeg.Reading(**values, crop=crop)


class DecodeJpeg(Jpeg):
    """The pixels of a JPEG file."""

    image = Out("u8 h w c")
    channels = Attr(0)
    ratio = Attr(1)
    fancy_upscaling = Attr(True)
    try_recover_truncated = Attr(False)
    acceptable_fraction = Attr(1.0)
    dct_method = Attr("")

    def eager(self, np: Any) -> Any:
        wanted = Wanted("DecodeJpeg", self.channels, jpeg=self.reading())
        return decoded(self.data(), wanted)


@dispatchable
def decode_jpeg(
    contents: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Any:
    """The pixels of a JPEG file (or of a PNG, WebP or GIF file of one picture).

    contents: a string scalar. The result is uint8 [height, width, channels]. channels: 0 (those of
    the file; CMYK becomes RGB), 1 (grey) or 3. ratio: 1, 2, 4 or 8, by which the picture is made
    smaller. fancy_upscaling: smooth chroma. try_recover_truncated: what a truncated file lacks is
    filled. acceptable_fraction: a truncated file is taken if it has this part of the rows; the
    others are 0. dct_method: "INTEGER_FAST" (which "" means) or "INTEGER_ACCURATE".

    What the file says of how it is to be turned (EXIF) does not count.

    >>> file = tf.io.encode_jpeg(np.full([2, 3, 3], 200, np.uint8))
    >>> tf.io.decode_jpeg(file).shape
    TensorShape([2, 3, 3])

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format.
        ImportError: the extra `tensormill[image]` is not installed.
    """
    return bind(
        DecodeJpeg, contents, name=name, channels=channels, ratio=ratio,
        fancy_upscaling=fancy_upscaling, try_recover_truncated=try_recover_truncated,
        acceptable_fraction=float(acceptable_fraction), dct_method=dct_method,
    )  # fmt: skip


class DecodeAndCropJpeg(Jpeg):
    """A window of the pixels of a JPEG file."""

    crop_window = In("i32 4")
    image = Out("u8 h w c")
    channels = Attr(0)
    ratio = Attr(1)
    fancy_upscaling = Attr(True)
    try_recover_truncated = Attr(False)
    acceptable_fraction = Attr(1.0)
    dct_method = Attr("")

    def demands(self, sizes: Any) -> None:
        _, _, height, width = sizes.numbers(self.crop_window, 4)
        fits = (height >= 0) & (width >= 0)
        sizes.require(fits, ShapeMismatchError, NEGATIVE, height, width)

    def infer(self) -> TensorSpec:
        if (window := self.crop_window.value) is None:
            return super().infer()
        height, width = (int(size) for size in window[2:])
        return TensorSpec((height, width, self.channels or None), dtypes.uint8)

    def eager(self, np: Any) -> Any:
        crop = tuple(self.crop_window.tolist())
        wanted = Wanted("DecodeAndCropJpeg", self.channels, jpeg=self.reading(crop))
        return decoded(self.data(), wanted)


@dispatchable
def decode_and_crop_jpeg(
    contents: Any,
    crop_window: Any,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Any:
    """A window of the pixels of a JPEG file.

    contents: a string scalar. crop_window: four int32s, top, left, height and width; it must lie in
    the picture. The result is uint8 [height, width, channels]. The other arguments are those of
    `decode_jpeg`; the window is one of the picture that `ratio` gives.

    >>> file = tf.io.encode_jpeg(np.full([20, 30, 3], 200, np.uint8))
    >>> tf.io.decode_and_crop_jpeg(file, [4, 5, 2, 3]).shape
    TensorShape([2, 3, 3])

    Raises:
        InvalidArgumentError: the file is damaged, too large, of another format, or the window does
            not lie in it.
        ImportError: the extra `tensormill[image]` is not installed.
    """
    return bind(
        DecodeAndCropJpeg, contents, crop_window, name=name, channels=channels, ratio=ratio,
        fancy_upscaling=fancy_upscaling, try_recover_truncated=try_recover_truncated,
        acceptable_fraction=float(acceptable_fraction), dct_method=dct_method,
    )  # fmt: skip


class DecodePng(OfFile):
    """The pixels of a PNG file."""

    image = Out("dtype h w c")
    channels = Attr(0)
    dtype = Attr(dtypes.uint8, types("u16 u8"))

    def infer(self) -> TensorSpec:
        return TensorSpec((None, None, self.channels or None), self.dtype)

    def eager(self, np: Any) -> Any:
        deep = self.dtype is dtypes.uint16
        return decoded(self.data(), Wanted("DecodePng", self.channels, deep))


@dispatchable
def decode_png(
    contents: Any, channels: int = 0, dtype: Any = dtypes.uint8, name: str | None = None
) -> Any:
    """The pixels of a PNG file (or of a JPEG, WebP or GIF file of one picture).

    contents: a string scalar. The result is [height, width, channels] of `dtype`, uint8 or uint16
    (255 becomes 65535). channels: 0 (those of the file), 1 (grey), 3 (RGB) or 4 (RGBA).

    >>> file = tf.io.encode_png(np.uint8([[[1, 2, 3], [4, 5, 6]]]))
    >>> tf.io.decode_png(file).numpy()
    array([[[1, 2, 3],
            [4, 5, 6]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format.
        ImportError: the extra `tensormill[image]` is not installed.
    """
    kind = None if dtype is None else as_dtype(dtype)
    return bind(DecodePng, contents, channels=channels, dtype=kind, name=name)


class DecodeBmp(OnePicture):
    r"""The pixels of a BMP file without compression, of 8, 24 or 32 bits for a pixel.

    contents: a string scalar. The result is uint8 [height, width, channels]. channels: 0 (those of
    the file), 3 (RGB) or 4 (RGBA). A table of colours does not count: 8 bits are grey.

    >>> header = b"BM" + bytes(8) + np.int32([30, 0, 1, 1]).tobytes() + b"\x01\x00\x18\x00"
    >>> tf.io.decode_bmp(header + bytes([3, 2, 1, 0])).numpy()
    array([[[1, 2, 3]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format.
    """

    image = Out("u8 h w c")
    channels = Attr(0)

    def eager(self, np: Any) -> Any:
        return decoded(self.data(), Wanted("DecodeBmp", self.channels))


decode_bmp = api(DecodeBmp)


class DecodeGif(OfFile):
    """The pictures of a GIF file (or the one of a JPEG, PNG or WebP file).

    contents: a string scalar. The result is uint8 [pictures, height, width, 3]. Where a picture is
    smaller than the largest, or transparent, the one before shows; before the first it is black.

    >>> file = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0, 7, 8, 9, 0, 0, 0])
    >>> file += b"," + bytes([0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]) + b";"
    >>> tf.io.decode_gif(file).numpy()
    array([[[[7, 8, 9]]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format.
        ImportError: the extra `tensormill[image]` is not installed.
    """

    image = Out("u8 n h w 3")

    def infer(self) -> TensorSpec:
        return TensorSpec((None, None, None, 3), dtypes.uint8)

    def eager(self, np: Any) -> Any:
        data = self.data()
        gifs = format_of(data) == "GIF"
        picture = decoded(data, Wanted("DecodeGif", 0 if gifs else 3, animated=True))
        picture = as_colors(picture) if picture.shape[-1] == 1 else picture
        return picture if picture.ndim == 4 else picture[None]


decode_gif = api(DecodeGif)


class DecodeWebP(OfFile):
    """The pictures of a WebP file (or the one of a JPEG or PNG file).

    contents: a string scalar. The result is uint8 [pictures, height, width, channels]. channels: 0
    (those of the file), 3 (RGB) or 4 (RGBA), which must be those of the file: animations have 4.

    >>> tf.io.decode_webp(tf.io.encode_png(np.zeros([2, 3, 4], np.uint8))).shape
    TensorShape([1, 2, 3, 4])

    Raises:
        InvalidArgumentError: the file is damaged, too large, of another format, or has other
            channels.
        ImportError: the extra `tensormill[image]` is not installed.
    """

    image = Out("dtype n h w c")
    channels = Attr(0)
    dtype = Attr(dtypes.uint8, types("u8"))

    def infer(self) -> TensorSpec:
        return TensorSpec((None, None, None, self.channels or None), dtypes.uint8)

    def eager(self, np: Any) -> Any:
        picture = decoded(self.data(), Wanted("DecodeWebP", self.channels, animated=True))
        return picture if picture.ndim == 4 else picture[None]


decode_webp = api(DecodeWebP, "decode_webp")


class DecodeJxl(OnePicture):
    r"""The pixels of a file that is no JPEG XL file: those cannot be decoded here.

    contents: a string scalar. The result is uint8 [height, width, channels].

    >>> tf.io.decode_jxl(b"\xff\x0a")
    Traceback (most recent call last):
        ...
    tensormill.errors.UnimplementedError: DecodeJxl: JPEG XL files cannot be decoded here: ...

    Raises:
        UnimplementedError: it is a JPEG XL file.
        InvalidArgumentError: the file is damaged, too large, or of another format.
    """

    image = Out("dtype h w c")
    channels = Attr(0)
    dtype = Attr(dtypes.uint8, types("u8"))

    def eager(self, np: Any) -> Any:
        return decoded(self.data(), Wanted("DecodeJxl", self.channels))


decode_jxl = api(DecodeJxl)


class DecodeImage(OfFile):
    """The pixels of a file of any format, of which the rank depends."""

    image = Out("dtype ...")
    channels = Attr(0)
    dtype = Attr(dtypes.uint8, types("f32 u16 u8"))
    expand_animations = Attr(True)

    def infer(self) -> TensorSpec:
        if self.expand_animations:
            return TensorSpec(None, self.dtype)
        return TensorSpec((None, None, self.channels or None), self.dtype)

    def eager(self, np: Any) -> Any:
        data = self.data()
        floats, expand = self.dtype is dtypes.float32, self.expand_animations
        # Only PNG files have 16 bits, or become floats by way of them; WebP ones are bytes only.
        by_way = not floats or format_of(data) in ("PNG", "WebP")
        deep = self.dtype is not dtypes.uint8 and by_way
        picture = decoded(data, Wanted("DecodeImage", self.channels, deep, expand, not expand))
        largest = np.iinfo(picture.dtype).max
        return picture * np.float32(1 / largest) if floats else picture


@dispatchable
@composed("decode_image")
def decode_image(
    contents: Any,
    channels: int | None = None,
    dtype: Any = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Any:
    """The pixels of a JPEG, PNG, GIF, BMP or WebP file.

    contents: a string scalar. The result has `dtype`: uint8, or another one as
    `tf.image.convert_image_dtype` gives it. It is [height, width, channels]; for GIF and WebP files
    [pictures, height, width, channels], unless `expand_animations` is false: then the first picture
    is meant. channels: 0 or None (those of the file), 1 (grey), 3 (RGB) or 4 (RGBA), as far as the
    format has them.

    >>> file = tf.io.encode_png(np.uint8([[[255], [51]]]))
    >>> tf.io.decode_image(file, channels=3, dtype=tf.float32).numpy().round(3)
    array([[[1. , 1. , 1. ],
            [0.2, 0.2, 0.2]]], dtype=float32)

    Raises:
        InvalidArgumentError: the file is damaged, too large, of no such format, or has no such
            channels.
        AttributeError: the dtype is neither floating nor an integer.
        ImportError: the extra `tensormill[image]` is not installed, and the format needs it.
    """
    target = as_dtype(dtype)
    direct = target in types("u8 u16 f32")
    attrs = {
        "channels": channels or 0,
        "dtype": target if direct else dtypes.uint16,
        "expand_animations": expand_animations,
    }
    image = bind(DecodeImage, contents, name=name, **attrs)
    return image if direct else convert_image_dtype(image, target)


class ExtractJpegShape(OfFile):
    """The shape of the picture in a JPEG file, without decoding it."""

    image_shape = Out("output_type 3")
    unlocked = False
    output_type = Attr(dtypes.int32, INDEX)

    def infer(self) -> TensorSpec:
        return TensorSpec((3,), self.output_type)

    def eager(self, np: Any) -> Any:
        return np.array(jpeg.shape_of_file(self.data()), self.output_type.storage)


@dispatchable
def extract_jpeg_shape(
    contents: Any, output_type: Any = dtypes.int32, name: str | None = None
) -> Any:
    """The shape of the picture in a JPEG file, without decoding it.

    contents: a string scalar. The result is [height, width, channels] of `output_type`, int32 or
    int64.

    >>> tf.io.extract_jpeg_shape(tf.io.encode_jpeg(np.zeros([4, 5, 3], np.uint8))).numpy()
    array([4, 5, 3], dtype=int32)

    Raises:
        InvalidArgumentError: it is no JPEG file.
    """
    kind = None if output_type is None else as_dtype(output_type)
    return bind(ExtractJpegShape, contents, output_type=kind, name=name)


@dispatchable
def is_jpeg(contents: Any, name: str | None = None) -> Any:
    r"""Whether strings begin as JPEG files do.

    contents: string of any shape, which is that of the bool result.

    >>> tf.io.is_jpeg([b"\xff\xd8\xff\xe0...", b"GIF89a"]).numpy()
    array([ True, False])

    Raises:
        DTypeMismatchError: `contents` are not strings.
    """
    return equal(substr(as_tensor(contents, dtypes.string), 0, 3), FORMATS["JPEG"], name=name)
