"""Random numbers: TensorFlow's streams (philox.py), eager and compiled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.random_state import state
from ...core.specs import TensorSpec
from ..array.shapes import as_shape_tensor
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..math.arithmetic import AddV2
from ..op import FLOATS, INDEX, Attr, In, Op, Out, types
from ..sizes import maximum
from . import draws
from .draws import PHILOX, RESERVED, Draw, words_of
from .philox import WordStream
from .seeds import get_seed
from .shuffling import lowered_order, order_in_xla, shuffle_order

if TYPE_CHECKING:
    from ..results import Tensor


class Random(Draw, abstract=True):
    """Draws anew each time: from the stream of two seeds, where the one before has left off."""

    shape = In("T n")
    seed = Attr(0)
    seed2 = Attr(0)
    T = INDEX
    effects = (World.DRAWS,)

    def stream(self, count: int, dtype: DType) -> tuple[WordStream, int]:
        start = state.advance((self.name, self.seed, self.seed2, dtype), count * RESERVED)
        return WordStream.of_seeds(self.seed, self.seed2), start

    def compiled_stream(self, loops: Any, sizes: Any) -> tuple[WordStream, Any]:
        start = stream_advanced(loops, self, loops.count((*sizes, RESERVED)))
        return WordStream.of_seeds(self.seed, self.seed2), start

    def from_key(self) -> tuple[type[Op], tuple[Any, ...], dict[str, Any]]:
        """The operation that draws these numbers from a key and a counter, what it takes besides
        the shape, and its attributes; the stream goes on. Of an application on arrays.
        """
        application: Any = self
        dtype = application.drawn_dtype()
        place = self.stream(math.prod(application.found), dtype)
        return self.from_any_stream(), (*words_of(*place), PHILOX), {"dtype": dtype}


def stream_advanced(loops: Any, application: Any, count: Any) -> Any:
    """How far the operation's stream was used before `count` numbers of it are set aside."""
    return loops.counter((application.seed, application.seed2) != (0, 0), count)


class Floats(Random, abstract=True):
    """Numbers of the dtype that the operation is told."""

    output = Out("dtype ...")
    dtype = Attr(allowed=FLOATS)

    def number_dtype(self) -> DType:
        return self.dtype

    def drawn_dtype(self) -> DType:
        return self.dtype


class UniformNumbers(draws.Uniform, Floats, tf_name="RandomUniform"):
    """Uniform in [0, 1)."""


class RandomStandardNormal(draws.Normal, Floats):
    """Normal with mean 0 and standard deviation 1."""


class TruncatedNormal(draws.Truncated, Floats):
    """Normal numbers between -2 and 2: others are drawn again."""


class RandomUniformInt(draws.Between, Random):
    """Integers in [minval, maxval)."""

    minval = In("Tout")
    maxval = In("Tout")
    output = Out("Tout ...")
    Tout = types("i32 i64")

    def from_key(self) -> tuple[type[Op], tuple[Any, ...], dict[str, Any]]:
        op, operands, _ = super().from_key()
        return op, (*operands, self.minval, self.maxval), {}


class RandomShuffle(Op):
    """The slices of `value` along its first axis, in random order."""

    value = In("T ...")
    output = Out("T ...")
    seed = Attr(0)
    seed2 = Attr(0)
    effects = (World.DRAWS,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.value.shape, self.value.dtype)

    def eager(self, np: Any) -> Any:
        if not self.value.ndim:
            return self.value
        seeds = self.seed, self.seed2
        return self.value[next_order(*seeds, len(self.value), self.value.dtype.char)]

    def lower(self, loops: Any) -> Any:
        x = self.value
        if not x.rank:
            return x
        words = maximum(loops, x.shape[0] - 1, 0)
        start = stream_advanced(loops, self, (words + 3) // 4)
        stream = WordStream.of_seeds(self.seed, self.seed2)
        order = lowered_order(loops, x.shape[0], stream, start)
        return loops.view(x.shape, x.dtype, lambda row, *rest: x[(order[(row,)], *rest)])

    def xla(self, xla: Any) -> Any:
        x = self.value
        if not x.ndim:
            return x
        start = stream_advanced(xla, self, -(-max(x.shape[0] - 1, 0) // 4))
        stream = WordStream.of_seeds(self.seed, self.seed2)
        return x[order_in_xla(xla, x.shape[0], stream, start)]


def next_order(seed: int, seed2: int, count: int, char: str) -> np.ndarray[Any, Any]:
    """The order of so many rows of a dtype, with which the eager stream of two seeds goes on."""
    key = (RandomShuffle.name, seed, seed2, char)
    start = state.advance(key, -(-max(count - 1, 0) // 4))
    return shuffle_order((WordStream.of_seeds(seed, seed2), start), count)


# ---------------------------------------------------------------- functions


def float_dtype(dtype: Any) -> DType:
    found = as_dtype(dtype)
    if found not in FLOATS:
        raise ValueError(f"Argument `dtype` got invalid value {found.name}; expected a float dtype")
    return found


def scaled(numbers: Any, factor: Any, offset: Any, name: str) -> Any:
    """numbers * factor + offset."""
    return bind(AddV2, numbers * factor, offset, name=name)


@dispatchable
@composed("random_normal", names_result=True)
def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normal numbers of shape `shape`, which `mean` and `stddev` broadcast with.

    dtype: a float. seed: an int, of this operation; it and `tf.random.set_seed` tell the stream.

    >>> tf.random.normal([2, 3]).shape
    TensorShape([2, 3])
    >>> tf.random.normal([4, 1], mean=[0., 100.]).shape
    TensorShape([4, 2])

    Raises:
        InvalidArgumentError: the dtype is no float; a TypeError where it cannot be the mean's.
        InvalidArgumentError: a negative size, or shapes that do not broadcast.
    """
    name = name or "random_normal"
    return _normal_of(RandomStandardNormal, shape, mean, stddev, dtype, seed, name)


def _normal_of(
    op: type[Op], shape: Any, mean: Any, stddev: Any, dtype: Any, seed: int | None, name: str
) -> Any:
    found = as_dtype(dtype)
    center, width = as_tensor(mean, found), as_tensor(stddev, found)
    first, second = get_seed(seed)
    drawn = bind(op, as_shape_tensor(shape), dtype=found, seed=first, seed2=second)
    return scaled(drawn, width, center, name)


@dispatchable
@composed("random_uniform", names_result=True)
def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Uniform numbers in [minval, maxval): floats (maxval is 1 by default), or integers.

    dtype: a float, int32 or int64, of the bounds too; those of floats broadcast with `shape`. seed:
    an int, of this operation; it and `tf.random.set_seed` tell the stream.

    >>> tf.random.uniform([2, 3]).shape
    TensorShape([2, 3])
    >>> tf.random.uniform([4], 5, 6, tf.int32).numpy()
    array([5, 5, 5, 5], dtype=int32)

    Raises:
        ValueError: an integer dtype without `maxval`, or another dtype.
        InvalidArgumentError: an empty range of integers, or a negative size.
    """
    found = as_dtype(dtype)
    if found in (dtypes.int32, dtypes.int64):
        if maxval is None:
            raise ValueError(f"Must specify maxval for integer dtype {found!r}")
        first, second = get_seed(seed)
        low, high = as_tensor(minval, found), as_tensor(maxval, found)
        sizes = as_shape_tensor(shape)
        return bind(RandomUniformInt, sizes, low, high, seed=first, seed2=second, name=name)
    found = float_dtype(found)
    first, second = get_seed(seed)
    drawn = bind(UniformNumbers, as_shape_tensor(shape), dtype=found, seed=first, seed2=second)
    if _is_plain(minval, 0) and (maxval is None or _is_plain(maxval, 1)):
        return drawn
    low, high = as_tensor(minval, found), as_tensor(1 if maxval is None else maxval, found)
    return scaled(drawn, high - low, low, name or "random_uniform")


def _is_plain(value: Any, number: int) -> bool:
    return isinstance(value, (int, float)) and value == number


@dispatchable
@composed("truncated_normal", names_result=True)
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normal numbers; those further than two standard deviations from the mean are drawn again.

    The result has the shape `shape`, which `mean` and `stddev` broadcast with. dtype: a float.
    seed: an int, of this operation; it and `tf.random.set_seed` tell the stream.

    >>> bool(tf.reduce_all(tf.abs(tf.random.truncated_normal([100])) <= 2))
    True

    Raises:
        InvalidArgumentError: the dtype is no float; a TypeError where it cannot be the mean's.
        InvalidArgumentError: a negative size, or shapes that do not broadcast.
    """
    name = name or "truncated_normal"
    return _normal_of(TruncatedNormal, shape, mean, stddev, dtype, seed, name)


@dispatchable
def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The slices of `value` along its first axis, in random order.

    value: any shape and dtype; the result is alike. It has no gradient. seed: an int, of this
    operation; it and `tf.random.set_seed` tell the order.

    >>> rows = tf.random.shuffle([[1, 1], [2, 2], [3, 3]]).numpy()
    >>> sorted(rows.tolist())
    [[1, 1], [2, 2], [3, 3]]

    Raises:
        ValueError: `value` is nothing that a tensor can hold, or `seed` is no number.
    """
    first, second = get_seed(seed)
    return bind(RandomShuffle, value, seed=first, seed2=second, name=name)
