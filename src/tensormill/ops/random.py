"""Random numbers: TensorFlow's streams (ops/philox.py), eager and compiled."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.random_state import state
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError
from . import distributions
from .arithmetic import AddV2
from .bind import bind
from .composed import composed
from .conversion import as_tensor
from .fill import as_shape_tensor
from .op import FLOATS, INDEX, Attr, In, Op, Out, types
from .philox import Stream
from .random_seed import get_seed
from .sizes import demand

# TensorFlow sets this many numbers aside for each one that it hands out.
RESERVED = 256


class Random(Op, abstract=True):
    """Draws anew each time: from the stream of two seeds, where the one before has left off."""

    shape = In("T n")
    seed = Attr(0)
    seed2 = Attr(0)
    T = INDEX
    effects = ("random",)
    differentiable = False

    def sizes(self) -> tuple[int, ...]:
        sizes = tuple(int(size) for size in self.shape)
        require_sizes(sizes)
        return sizes

    def stream(self, count: int, dtype: DType) -> tuple[Stream, int]:
        """The stream, and where in it these numbers begin."""
        start = state.advance((self.name, self.seed, self.seed2, dtype), count * RESERVED)
        return Stream.of_seeds(self.seed, self.seed2), start

    def words(self, np: Any, count: int, dtype: DType) -> Any:
        stream, start = self.stream(count, dtype)
        groups = -(-count // distributions.per_group(dtype))
        return stream.groups(np.arange(groups, dtype=np.uint64) + np.uint64(start))

    def drawn(self, loops: Any, dtype: DType, number: Callable[..., Any]) -> Any:
        """The numbers in compiled code."""
        sizes = checked_sizes(loops, self.shape)
        start = stream_start(loops, self, sizes)
        return drawn(loops, sizes, dtype, Stream.of_seeds(self.seed, self.seed2), start, number)


class Floats(Random, abstract=True):
    """Members name the functions of `distributions` that make numbers of words."""

    output = Out("dtype ...")
    dtype = Attr()
    of_words: Callable[..., Any]
    of_group: Callable[..., Any]

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.sizes()
        count = math.prod(sizes)
        found = type(self).of_words(self.words(np, count, self.dtype), self.dtype)
        return found.reshape(-1)[:count].reshape(sizes)

    def lower(self, loops: Any) -> Any:
        s, of_group = loops.scalars, type(self).of_group
        return self.drawn(
            loops, self.dtype, lambda words, lane: of_group(s, words, lane, self.dtype)
        )


NEGATIVE_SIZE = "Dimension {} must be >= 0"


def require_sizes(sizes: tuple[int, ...]) -> None:
    for size in sizes:
        if size < 0:
            raise InvalidArgumentError(NEGATIVE_SIZE.format(size))


def checked_sizes(loops: Any, shape: Any) -> Any:
    """The sizes that a shape operand spells, none of them negative."""
    sizes = loops.sizes(shape)
    for size in sizes:
        demand(loops, size >= 0, InvalidArgumentError, NEGATIVE_SIZE, size)
    return sizes


def stream_start(loops: Any, application: Any, sizes: Any) -> Any:
    """How far the operation's stream was used before this many numbers are drawn."""
    return stream_advanced(loops, application, loops.count((*sizes, RESERVED)))


def stream_advanced(loops: Any, application: Any, count: Any) -> Any:
    """How far the operation's stream was used before `count` numbers of it are set aside."""
    kind = "unseeded" if (application.seed, application.seed2) == (0, 0) else "seeded"
    return loops.counter(kind, count)


def drawn(
    loops: Any, sizes: Any, dtype: DType, stream: Stream, start: Any, number: Callable[..., Any]
) -> Any:
    """An array of `number(words, lane)`: lane k of a group of words is its k-th number."""
    width = distributions.per_group(dtype)

    def element(*index: Any) -> Any:
        place: Any = loops.constant(0, dtypes.int64)
        for size, one in zip(sizes, index, strict=True):
            place = place * size + one
        return number(stream.group(loops.scalars, start + place // width), place % width)

    return loops.map(sizes, dtype, element)


class RandomUniform(Floats):
    """Uniform in [0, 1)."""

    of_words, of_group = distributions.unit_floats, distributions.unit_float


class RandomStandardNormal(Floats):
    """Normal with mean 0 and standard deviation 1."""

    of_words, of_group = distributions.normals, distributions.normal


class RandomUniformInt(Random):
    """Integers in [minval, maxval)."""

    minval = In("Tout")
    maxval = In("Tout")
    output = Out("Tout ...")
    Tout = types("i32 i64")

    def infer(self) -> TensorSpec:
        require_scalars(self.minval, self.maxval)
        return TensorSpec(self.shape.as_shape(), self.minval.dtype)

    def eager(self, np: Any) -> Any:
        require_scalars(self.minval, self.maxval)
        return integers_between(self, np)

    def lower(self, loops: Any) -> Any:
        number = integer_between(loops, self.minval, self.maxval)
        return self.drawn(loops, self.minval.dtype, number)


def integer_between(loops: Any, minval: Any, maxval: Any) -> Callable[..., Any]:
    """How words become integers between two scalars, after a check that there are such."""
    low, high = minval[()], maxval[()]
    loops.check(low < high, InvalidArgumentError, EMPTY_RANGE, low, high)

    def number(words: Any, lane: Any) -> Any:
        return distributions.integer(loops.scalars, words, lane, low, high)

    return number


def integers_between(op: Any, np: Any) -> Any:
    """What an operation with `words`, `minval` and `maxval` draws eagerly.

    Raises:
        InvalidArgumentError: there is nothing between them.
    """
    sizes, low, high = op.sizes(), int(op.minval), int(op.maxval)
    if low >= high:
        raise InvalidArgumentError(EMPTY_RANGE.format(low, high))
    dtype = dtypes.BY_NUMPY_NUMBER[op.minval.dtype.num]
    count = math.prod(sizes)
    found = distributions.integers(op.words(np, count, dtype), dtype, low, high - low)
    return found.reshape(-1)[:count].reshape(sizes)


EMPTY_RANGE = "Need minval < maxval, got {} >= {}"


def require_scalars(minval: Any, maxval: Any) -> None:
    """Raise an InvalidArgumentError where a bound (a spec or an array) is no scalar."""
    for name, bound in (("minval", minval), ("maxval", maxval)):
        rank = getattr(bound, "rank", getattr(bound, "ndim", None))
        if rank not in (0, None):
            raise InvalidArgumentError(f"{name} must be 0-D, got shape {list(bound.shape)}")


class TruncatedNormal(Random):
    """Normal numbers between -2 and 2: others are drawn again."""

    output = Out("dtype ...")
    dtype = Attr()

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.sizes()
        count = math.prod(sizes)
        stream, start = self.stream(count, self.dtype)
        return truncated(np, stream, start, count, self.dtype).reshape(sizes)


def truncated(np: Any, stream: Stream, start: int, count: int, dtype: DType) -> Any:
    """`count` truncated normal numbers: each group of results has a stretch of the stream."""
    wide = dtypes.float64 if dtype is dtypes.float64 else dtypes.float32
    width = 2 if wide is dtypes.float64 else 4
    stretch = width * RESERVED // 4
    groups = -(-count // width)
    result = np.empty((groups, width), wide.numpy)
    found = np.zeros(groups, np.int64)
    step = 0
    pending = np.arange(groups)
    while len(pending):
        numbers = (pending * stretch + step + start).astype(np.uint64)
        drawn = distributions.normals(stream.groups(numbers), wide)
        for column in drawn.T:
            good = (np.abs(column) < 2) & (found[pending] < width)
            rows = pending[good]
            result[rows, found[rows]] = column[good]
            found[rows] += 1
        pending = pending[found[pending] < width]
        step += 1
    return result.reshape(-1)[:count].astype(dtype.numpy)


class RandomShuffle(Op):
    """The slices of `value` along its first axis, in random order."""

    value = In("T ...")
    output = Out("T ...")
    seed = Attr(0)
    seed2 = Attr(0)
    effects = ("random",)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.value.shape, self.value.dtype)

    def eager(self, np: Any) -> Any:
        return self.value[self.order(np)] if self.value.ndim else self.value

    def order(self, np: Any) -> Any:
        """Fisher and Yates, from the front, one word a step."""
        count = len(self.value)
        groups = (max(count - 1, 0) + 3) // 4
        start = state.advance((self.name, self.seed, self.seed2), groups)
        numbers = np.arange(groups, dtype=np.uint64) + np.uint64(start)
        words = Stream.of_seeds(self.seed, self.seed2).groups(numbers).reshape(-1)
        order = np.arange(count)
        for place in range(count - 1):
            other = place + int(words[place] % (count - place))
            order[place], order[other] = order[other], order[place]
        return order


# ---------------------------------------------------------------- functions


def float_dtype(dtype: Any) -> DType:
    found = as_dtype(dtype)
    if found not in FLOATS:
        raise ValueError(f"Argument `dtype` got invalid value {found.name}; expected a float dtype")
    return found


def scaled(numbers: Any, factor: Any, offset: Any, name: str) -> Any:
    """numbers * factor + offset."""
    return bind(AddV2, numbers * factor, offset, name=name)


@composed("random_normal", names_result=True)
def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Normal numbers of shape `shape`; mean and stddev broadcast."""
    name = name or "random_normal"
    return _normal_of(RandomStandardNormal, shape, mean, stddev, dtype, seed, name)


def _normal_of(
    op: type[Op], shape: Any, mean: Any, stddev: Any, dtype: Any, seed: int | None, name: str
) -> Any:
    found = float_dtype(dtype)
    first, second = get_seed(seed)
    drawn = bind(op, as_shape_tensor(shape), dtype=found, seed=first, seed2=second)
    return scaled(drawn, as_tensor(stddev, found), as_tensor(mean, found), name)


@composed("random_uniform", names_result=True)
def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Uniform numbers in [minval, maxval): floats (maxval is 1 by default), or integers.

    Raises:
        ValueError: an integer dtype without `maxval`, or a dtype that is no number.
        InvalidArgumentError: an empty range of integers.
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
    drawn = bind(RandomUniform, as_shape_tensor(shape), dtype=found, seed=first, seed2=second)
    if _is_plain(minval, 0) and (maxval is None or _is_plain(maxval, 1)):
        return drawn
    low, high = as_tensor(minval, found), as_tensor(1 if maxval is None else maxval, found)
    return scaled(drawn, high - low, low, name or "random_uniform")


def _is_plain(value: Any, number: int) -> bool:
    return isinstance(value, (int, float)) and value == number


@composed("truncated_normal", names_result=True)
def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Normal numbers; those further than two standard deviations from the mean are drawn again."""
    name = name or "truncated_normal"
    return _normal_of(TruncatedNormal, shape, mean, stddev, dtype, seed, name)


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Any:
    """The slices of `value` along its first axis, in random order."""
    first, second = get_seed(seed)
    return bind(RandomShuffle, value, seed=first, seed2=second, name=name)
