"""Summaries in the form of TensorFlow 1: operations that give serialized messages for TensorBoard.

A graph makes them and a `tf.compat.v1.summary.FileWriter` puts them into event files.
"""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ...ops.demands import refuse
from ...ops.image.files.png import written as png_file
from ...ops.op import ANY, REALS, Attr, In, Op, Out, types
from ..proto.messages import DecodeError, message
from ..proto.values import tensor_proto

LARGEST: Final = float(numpy.finfo(numpy.float64).max)
# Bounds of the intervals of histograms: each is larger by a tenth than the one before.
FIRST_BOUND, LAST_BOUND, GROWTH = 1e-12, 1e20, 1.1
# Below it, all of an image counts as black.
DARK: Final = 1e-6
RED: Final = (255, 0, 0, 255)


class SummaryOp(Op, abstract=True):
    """What gives a serialized Summary, a string scalar."""

    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        made = message("Summary")()
        self.fill(made.value)
        found = np.empty((), object)
        found[()] = made.SerializeToString()
        return found

    def fill(self, values: Any) -> None:
        """Add the values that it tells of."""
        raise NotImplementedError


class ScalarSummary(SummaryOp):
    """Numbers, each under its tag."""

    tags = In("str ...")
    values = In("T ...")
    summary = Out("str")
    T = REALS

    def fill(self, values: Any) -> None:
        tags, numbers = self.tags, self.values
        if tags.shape != numbers.shape:
            told = f" (tag '{tags[()].decode()}')" if tags.ndim == 0 else ""
            raise InvalidArgumentError(
                f"tags and values are not the same shape: {list(tags.shape)} != "
                f"{list(numbers.shape)}{told}"
            )
        for tag, number in zip(tags.reshape(-1), numbers.reshape(-1), strict=True):
            values.add(tag=tag, simple_value=float(number))


class HistogramSummary(SummaryOp):
    """How many numbers lie in each of many intervals."""

    tag = In("str")
    values = In("T ...")
    summary = Out("str")
    T = REALS

    def fill(self, values: Any) -> None:
        numbers = self.values.reshape(-1).astype(numpy.float64)
        for wrong, word in ((numpy.isnan, "Nan"), (numpy.isinf, "Infinity")):
            if wrong(numbers).any():
                raise InvalidArgumentError(
                    f"{word} in summary histogram for: {self.tag[()].decode()}"
                )
        values.add(tag=self.tag[()]).histo.CopyFrom(histogram_of(numbers))


@cache
def bounds() -> Any:
    """Where intervals end: those of negative numbers, 0, those of positive ones, the largest."""
    found: list[float] = [FIRST_BOUND]
    while found[-1] * GROWTH < LAST_BOUND:
        found.append(found[-1] * GROWTH)
    below: list[float] = [-one for one in reversed(found)]
    return numpy.array([-LARGEST, *below, 0.0, *found, LARGEST])


def histogram_of(numbers: Any) -> Any:
    """A HistogramProto of float64 numbers; intervals of which all are empty are one."""
    made: Any = message("HistogramProto")()
    ends: Any = bounds()
    made.min = numbers.min(initial=LARGEST)
    made.max = numbers.max(initial=-LARGEST)
    made.num = numbers.size
    # One by one, as TensorFlow adds them.
    made.sum = float(numpy.cumsum(numbers)[-1]) if numbers.size else 0.0
    made.sum_squares = float(numpy.cumsum(numbers * numbers)[-1]) if numbers.size else 0.0
    places: Any = ends.searchsorted(numbers, side="right").clip(max=len(ends) - 1)
    counts = numpy.bincount(places, minlength=len(ends))
    full = counts > 0
    last_of_empty = ~full & numpy.append(full[1:], True)
    for place in numpy.flatnonzero(full | last_of_empty):
        made.bucket_limit.append(ends[place])
        made.bucket.append(counts[place])
    return made


class ImageSummary(SummaryOp):
    """Pictures [n, height, width, channels] as PNG files; of floats, by how dark and light each is.

    From the first row of floats on: where some are negative, 0 is grey, else black. What is no
    number has the `bad_color`.
    """

    tag = In("str")
    tensor = In("T n h w c")
    summary = Out("str")
    max_images = Attr(3)
    bad_color = Attr(None)
    T = types("u8 f32 f16 f64")

    def demands(self, sizes: Any) -> None:
        demand_pictures(self, sizes)

    def fill(self, values: Any) -> None:
        color = RED if self.bad_color is None else numpy.ravel(self.bad_color)
        add_images(values, self.tag[()], self.tensor, self.max_images, color)


def demand_pictures(op: Any, sizes: Any) -> None:
    """That there are pictures to be shown."""
    if op.max_images < 1:
        refuse(InvalidArgumentError, "max_images must be 1 at least, got {}", op.max_images)
    channels = sizes.shape(op.tensor)[3]
    fits = (channels == 1) | (channels == 3) | (channels == 4)
    sizes.require_late(
        fits, InvalidArgumentError, "an image has 1, 3 or 4 channels, not {}", channels
    )


def add_images(values: Any, tag: bytes, pictures: Any, most: int, color: Any) -> None:
    """The first pictures, each under a tag of its own."""
    for number, picture in enumerate(pictures[:most]):
        suffix = b"/image" if most == 1 else b"/image/%d" % number
        height, width, channels = picture.shape
        image = values.add(tag=tag + suffix).image
        image.height, image.width, image.colorspace = height, width, channels
        image.encoded_image_string = png_file(as_bytes(picture, color))


def as_bytes(picture: Any, color: Any) -> Any:
    """A picture of floats in bytes: brightest 255, and 0 black, or 128 if some are below it."""
    if picture.dtype == numpy.uint8:
        return picture
    picture = picture.astype(numpy.float32)
    fine = numpy.isfinite(picture).all(axis=2)
    numbers = picture[fine]
    low, high = numbers.min(initial=0), numbers.max(initial=0)
    largest, top, middle = (max(-low, high), 127, 128) if low < 0 else (high, 255, 0)
    scale = numpy.float32(0 if largest < DARK else numpy.float32(top) / numpy.float32(largest))
    made = numpy.empty(picture.shape, numpy.uint8)
    made[fine] = numbers * scale + numpy.float32(middle)
    made[~fine] = color[: picture.shape[2]]
    return made


class TensorSummaryV2(SummaryOp):
    """A tensor of any dtype and shape, with what shows it."""

    tag = In("str")
    tensor = In("T ...")
    serialized_summary_metadata = In("str")
    summary = Out("str")
    T = ANY

    def fill(self, values: Any) -> None:
        value = values.add(tag=self.tag[()])
        value.tensor.CopyFrom(tensor_proto(self.tensor, in_bytes=True))
        value.metadata.MergeFromString(self.serialized_summary_metadata[()])


class TensorSummary(SummaryOp):
    """A tensor of any dtype and shape, by the name of the operation."""

    tensor = In("T ...")
    summary = Out("str")
    description = Attr("")
    labels = Attr(())
    display_name = Attr("")
    _node = Attr("TensorSummary")
    T = ANY

    @staticmethod
    def attrs_of_name(name: str) -> dict[str, str]:
        return {"_node": name}

    def fill(self, values: Any) -> None:
        value = values.add(node_name=self._node)
        value.tensor.CopyFrom(tensor_proto(self.tensor, in_bytes=True))


def parsed(text: bytes) -> Any:
    """The values of a Summary.

    Raises:
        InvalidArgumentError: it is none.
    """
    try:
        return message("Summary").FromString(text).value
    except DecodeError:
        raise InvalidArgumentError(f"MergeSummary: {text!r} is no Summary") from None


class MergeSummary(SummaryOp):
    """The values of several Summaries in one."""

    inputs_ = In("N * str ...")  # `inputs` is what every operation calls its fields
    summary = Out("str")

    def fill(self, values: Any) -> None:
        seen: set[str] = set()
        for text in (one for array in self.inputs_ for one in array.reshape(-1)):
            for value in parsed(text):
                if value.tag in seen:
                    raise InvalidArgumentError(f"Duplicate tag {value.tag} found in summary inputs")
                seen.add(value.tag)
                values.add().CopyFrom(value)
