"""Levels that change their place or their end, in the range that they have."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..array.concatenation import concat
from ..array.select import where
from ..array.shapes import reshape
from ..bind import bind
from ..families import Rephrased
from ..math.arithmetic import maximum, minimum
from ..math.cast import cast
from ..math.comparison import equal, logical_and
from ..nn.pooling import AvgPool, MaxPool
from ..op import INDEX, QUANTIZED, Attr, In, Out, as_results, ints, types
from ..underivable import no_derivative
from .readings import floats_of, level_within


class QuantizedReshape(Rephrased):
    """The levels in another shape."""

    tensor = In("T ...")
    shape = In("Tshape r")
    input_min = In("f32")
    input_max = In("f32")
    output = Out("T ...")
    output_min = Out("f32")
    output_max = Out("f32")
    T = QUANTIZED
    Tshape = INDEX
    loose = frozenset(("input_min", "input_max"))
    vjp = no_derivative

    def expand(self) -> Any:
        return reshape(self.tensor, self.shape), self.input_min, self.input_max


class Rectifier(Rephrased, abstract=True):
    """Levels no lower than that of 0.0."""

    features = In("Tinput ...")
    min_features = In("f32")
    max_features = In("f32")
    activations = Out("out_type ...")
    min_activations = Out("f32")
    max_activations = Out("f32")
    out_type = Attr(dtypes.quint8, QUANTIZED)
    Tinput = types("qu8 q32")
    vjp = no_derivative

    def level(self, number: float) -> Any:
        limits = self.min_features, self.max_features
        wanted = limits[0] * 0.0 + number
        return cast(level_within(wanted, self.features.dtype, *limits), dtypes.int32)


class QuantizedRelu(Rectifier):
    """Negative floats as 0."""

    def expand(self) -> Any:
        found = maximum(cast(self.features, dtypes.int32), self.level(0.0))
        return cast(found, self.out_type), self.min_features, self.max_features


class QuantizedRelu6(Rectifier):
    """Negative floats as 0, and those above 6 as 6."""

    def expand(self) -> Any:
        found = maximum(cast(self.features, dtypes.int32), self.level(0.0))
        found = minimum(found, self.level(6.0))
        return cast(found, self.out_type), self.min_features, self.max_features


class QuantizedMaxPool(Rephrased):
    """The highest level of every window of images."""

    input = In("T ...")
    min_input = In("f32")
    max_input = In("f32")
    output = Out("T ...")
    min_output = Out("f32")
    max_output = Out("f32")
    ksize = Attr(ints)
    strides = Attr(ints)
    padding = Attr(str)
    T = types("q8 qu8")
    vjp = no_derivative

    def expand(self) -> Any:
        levels = cast(self.input, dtypes.int32)
        found = bind(MaxPool, levels, ksize=self.ksize, strides=self.strides, padding=self.padding)
        return cast(found, self.input.dtype), self.min_input, self.max_input


class QuantizedAvgPool(Rephrased):
    """The mean level of every window of images, without what is behind the point."""

    input = In("T ...")
    min_input = In("f32")
    max_input = In("f32")
    output = Out("T ...")
    min_output = Out("f32")
    max_output = Out("f32")
    ksize = Attr(ints)
    strides = Attr(ints)
    padding = Attr(str)
    T = types("q8 qu8")
    vjp = no_derivative

    def expand(self) -> Any:
        levels = cast(cast(self.input, dtypes.int32), dtypes.float64)  # whose quotients are exact
        found = bind(AvgPool, levels, ksize=self.ksize, strides=self.strides, padding=self.padding)
        whole = cast(found, dtypes.int32)
        return cast(whole, self.input.dtype), self.min_input, self.max_input


class QuantizedConcat(Rephrased):
    """Tensors of levels beside each other, in a range that holds all of theirs."""

    concat_dim = In("i32")
    values = In("N * T ...")
    input_mins = In("N * f32")
    input_maxes = In("N * f32")
    output = Out("T ...")
    output_min = Out("f32")
    output_max = Out("f32")
    T = types("qu8 q32")
    vjp = no_derivative

    def expand(self) -> Any:
        low, high = self.input_mins[0] * 0.0, self.input_maxes[0]
        for one in self.input_mins:
            low = minimum(low, one)
        for one in self.input_maxes:
            high = maximum(high, one)
        ranges = zip(self.input_mins, self.input_maxes, strict=True)
        parts = [
            in_range(one, given, (low, high))
            for one, given in zip(self.values, ranges, strict=True)
        ]
        return concat(parts, self.concat_dim), low, high


def in_range(x: Any, given: Any, wanted: Any) -> Any:
    """Levels of one range as the nearest of another; those of the same range as they are."""
    numbers = cast(floats_of(x, x.dtype, *given), dtypes.float32)
    moved = cast(level_within(numbers, x.dtype, *wanted), dtypes.int32)
    same = logical_and(equal(given[0], wanted[0]), equal(given[1], wanted[1]))
    return cast(where(same, cast(x, dtypes.int32), moved), x.dtype)


def quantized_concat(
    concat_dim: Any, values: Any, input_mins: Any, input_maxes: Any, name: str | None = None
) -> Any:
    """Tensors of quint8 or qint32 levels beside each other, in a range that holds all of theirs.

    concat_dim: an axis, int32. values: tensors of one rank. input_mins, input_maxes: the limits of
    each, float32 scalars. Returns `(output, output_min, output_max)`: the levels moved to the
    common range, which holds 0, and that range.

    >>> one, two = tf.constant([0, 255], tf.quint8), tf.constant([255], tf.quint8)
    >>> join = tf.quantization.quantized_concat
    >>> [part.numpy() for part in join(0, [one, two], [0.0, 0.0], [1.0, 2.0])]
    [array([  0, 128, 255], dtype=uint8), np.float32(0.0), np.float32(2.0)]

    Raises:
        InvalidArgumentError: sizes beside the axis differ, or the type is another.
    """
    found = bind(QuantizedConcat, concat_dim, values, input_mins, input_maxes, name=name)
    return as_results(QuantizedConcat)._make(found)
