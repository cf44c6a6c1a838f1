"""Files out of pictures: the operations, and pictures as they are after being files."""

from __future__ import annotations

from typing import Any

from ....core import dtypes
from ....core.specs import TensorSpec
from ....errors import InternalError, InvalidArgumentError, ShapeMismatchError
from ...bind import api, bind
from ...conversion import as_tensor
from ...demands import refuse
from ...dispatch.meanings import dispatchable
from ...op import Attr, In, Op, Out, types
from ..augmentation import Draw, anew, by_seed
from ..colors import convert_image_dtype
from . import jpeg, png
from .decoding import decode_jpeg


def _scalar(np: Any, text: bytes) -> Any:
    found = np.empty((), object)
    found[()] = text
    return found


def _as_jpeg(np: Any, image: Any, how: jpeg.Writing) -> Any:
    if not 0 <= how.quality <= 100:
        raise InvalidArgumentError(f"quality must be in [0,100], got {how.quality}")
    if image.shape[2] not in (1, 3):
        raise InvalidArgumentError(f"image must have 1 or 3 channels, got {list(image.shape)}")
    if not image.size or max(image.shape[:2]) > jpeg.LARGEST:
        raise InternalError(
            f"JPEG encoding failed: sizes are 1 to {jpeg.LARGEST}, got {list(image.shape)}"
        )
    return _scalar(np, jpeg.written(image, how))


class EncodeJpeg(Op):
    """A JPEG file of a picture.

    image: uint8 [height, width, channels], of 1 or 3 channels. The result is a string scalar.
    format: "grayscale" or "rgb", where the number of channels shall be checked. quality: 0 (small)
    to 100 (good). progressive: it can be shown while it is loaded. optimize_size: smaller, for more
    time. chroma_downsampling: half as many colours each way. density_unit, x_density, y_density:
    pixels per inch ("in") or centimetre ("cm"), which the file says. xmp_metadata: a text that it
    holds.

    >>> file = tf.io.encode_jpeg(np.zeros([4, 5, 3], np.uint8), quality=80)
    >>> tf.io.extract_jpeg_shape(file).numpy()
    array([4, 5, 3], dtype=int32)

    Raises:
        InvalidArgumentError: there are other channels, or no such quality.
        InternalError: nothing is in the picture.
        ImportError: the extra `tensormill[image]` is not installed.
    """

    image = In("u8 h w c")
    contents = Out("str")
    format = Attr("", "grayscale rgb")
    quality = Attr(95)
    progressive = Attr(False)
    optimize_size = Attr(False)
    chroma_downsampling = Attr(True)
    density_unit = Attr("in", "cm")
    x_density = Attr(300)
    y_density = Attr(300)
    xmp_metadata = Attr("")
    differentiable = False
    unlocked = True

    def eager(self, np: Any) -> Any:
        values = self.attr_values()
        wanted = {"grayscale": 1, "rgb": 3}.get(format := values.pop("format"))
        if wanted not in (None, self.image.shape[2]):
            raise InvalidArgumentError(
                f"format {format} expects {wanted} channels, got {list(self.image.shape)}"
            )
        return _as_jpeg(np, self.image, jpeg.Writing(**values))


encode_jpeg = api(EncodeJpeg)


class EncodeJpegVariableQuality(Op):
    """A JPEG file of a picture, of a quality that is known when it runs."""

    images = In("u8 h w c")
    quality = In("i32")
    contents = Out("str")
    differentiable = False
    unlocked = True

    def eager(self, np: Any) -> Any:
        return _as_jpeg(np, self.images, jpeg.Writing(int(self.quality)))


TOO_FEW_AXES = "EncodePng: image must have 3 axes at least, got {}"


class EncodePng(Op):
    """PNG files of pictures.

    image: uint8 or uint16 [..., height, width, channels], of 1 (grey), 2 (with alpha), 3 (RGB) or 4
    (RGBA) channels. The result is string [...]. compression: 0 (none) to 9 (most), or -1.

    >>> file = tf.io.encode_png(np.zeros([4, 5, 3], np.uint8))
    >>> tf.io.decode_png(file).shape
    TensorShape([4, 5, 3])

    Raises:
        InvalidArgumentError: there are other channels, or no such compression.
        InternalError: nothing is in a picture.
    """

    image = In("T *s h w c")
    contents = Out("str *s")
    compression = Attr(-1)
    T = types("u8 u16")
    differentiable = False
    unlocked = True

    def demands(self, sizes: Any) -> None:
        shape = sizes.shape(self.image)
        if len(shape) < 3:
            refuse(ShapeMismatchError, TOO_FEW_AXES, shape)

    def infer(self) -> TensorSpec:
        dims = self.image.shape.entries
        return TensorSpec(None if dims is None else dims[:-3], dtypes.string)

    def eager(self, np: Any) -> Any:
        shape = self.image.shape
        if not -1 <= self.compression <= 9:
            raise InvalidArgumentError(f"compression should be in [-1,9], got {self.compression}")
        if not 1 <= shape[-1] <= 4:
            raise InvalidArgumentError(f"image must have 1, 2, 3, or 4 channels, got {shape[-1]}")
        files = np.empty(shape[:-3], object)
        if files.size and not self.image.size:
            raise InternalError(f"PNG encoding failed: nothing is in a picture of {list(shape)}")
        for place in np.ndindex(files.shape):
            files[place] = png.written(self.image[place], self.compression)
        return files


encode_png = api(EncodePng)


# ---------------------------------------------------------------- pictures after being files


@dispatchable
def adjust_jpeg_quality(
    image: Any, jpeg_quality: Any, dct_method: str = "", name: str | None = None
) -> Any:
    """An image as it is after being a JPEG file of a quality.

    image: [height, width, channels] of 1 or 3 channels, of any dtype of real numbers, floats in
    [0, 1]; the result has this dtype. jpeg_quality: an int32 scalar, 0 to 100.

    >>> image = np.linspace(0, 1, 192, dtype=np.float32).reshape(8, 8, 3)
    >>> bool(tf.reduce_max(abs(tf.image.adjust_jpeg_quality(image, 95) - image)) < 0.1)
    True

    Raises:
        InvalidArgumentError: there is no such quality, or there are other channels.
        ImportError: the extra `tensormill[image]` is not installed.
    """
    image = as_tensor(image)
    dims = image.shape.entries
    bytes_ = convert_image_dtype(image, dtypes.uint8, saturate=True)
    quality = as_tensor(jpeg_quality, dtypes.int32)
    file = bind(EncodeJpegVariableQuality, bytes_, quality)
    decoded = decode_jpeg(file, channels=(dims[-1] or 0) if dims else 0, dct_method=dct_method)
    return convert_image_dtype(decoded, image.dtype, saturate=True, name=name)


@dispatchable
def random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: int | None = None
) -> Any:
    """`adjust_jpeg_quality` by a random number in [min_jpeg_quality, max_jpeg_quality).

    image: as there; the result has its dtype. seed: as in `tf.random.uniform`.

    >>> tf.image.random_jpeg_quality(np.zeros([8, 8, 3], np.uint8), 75, 95).shape
    TensorShape([8, 8, 3])

    Raises:
        ValueError: the range has no quality in it, or others than 0 to 100.
        ImportError: the extra `tensormill[image]` is not installed.
    """
    return _of_quality(image, min_jpeg_quality, max_jpeg_quality, anew(seed))


@dispatchable
def stateless_random_jpeg_quality(
    image: Any, min_jpeg_quality: int, max_jpeg_quality: int, seed: Any
) -> Any:
    """`adjust_jpeg_quality` by a number in [min_jpeg_quality, max_jpeg_quality) that `seed`, two
    integers, determines.

    image: as there; the result has its dtype.

    >>> image = np.zeros([8, 8, 3], np.uint8)
    >>> tf.image.stateless_random_jpeg_quality(image, 75, 95, seed=(1, 2)).shape
    TensorShape([8, 8, 3])

    Raises:
        ValueError: the range has no quality in it, or others than 0 to 100.
        ImportError: the extra `tensormill[image]` is not installed.
    """
    return _of_quality(image, min_jpeg_quality, max_jpeg_quality, by_seed(seed))


def _of_quality(image: Any, lowest: int, highest: int, draw: Draw) -> Any:
    if not (0 <= lowest <= 100 and 0 <= highest <= 100):
        raise ValueError(f"jpeg encoding range must be between 0 and 100: {lowest}, {highest}")
    if lowest >= highest:
        raise ValueError(
            f"`min_jpeg_quality` must be less than `max_jpeg_quality`: {lowest}, {highest}"
        )
    return adjust_jpeg_quality(image, draw([], lowest, highest, dtypes.int32))
