"""What operations that draw random numbers share, wherever their stream of words comes from.

The stream is told by two seeds and goes on (uniform_and_normal.py), by a tensor of seeds
(stateless.py), or by a key and a counter (keyed.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ...core import dtypes, native_operations
from ...core.dtypes import DType
from ...core.native_operations import FEW
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..demands import UNKNOWN, refuse
from ..op import REGISTRY, Op
from . import distributions
from .philox import WordStream

# TensorFlow sets this many numbers aside for each one that it hands out.
RESERVED = 256
PHILOX = np.array(1, np.int32)  # the algorithm, as operations take it
StreamAt = tuple[WordStream, int]  # a stream, and the number of the group where numbers begin
EMPTY_RANGE = "Need minval < maxval, got {} >= {}"
NO_BOUND = "{} must be 0-D, got shape {}"


class Draw(Op, abstract=True):
    """Fills `shape`, an operand, with numbers of a stream."""

    shape: Any
    differentiable = False
    # What `from_any_stream` gives, by its name.
    keyed: ClassVar[str] = ""

    def number_dtype(self) -> DType:
        """What the numbers are; of an application on specs or loop arrays."""
        raise TypeError(f"{self.name} does not say what it draws")

    def stream(self, count: int, dtype: DType) -> tuple[WordStream, int]:
        """The stream, and where in it these numbers begin."""
        raise TypeError(f"{self.name} does not say where its numbers come from")

    def compiled_stream(self, loops: Any, sizes: Any) -> tuple[WordStream, Any]:
        """The same in compiled code."""
        raise TypeError(f"{self.name} does not say where its numbers come from")

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result, or of what is drawn for each parameter."""
        return sizes.possible_late(sizes.numbers(self.shape))

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.number_dtype())

    def from_any_stream(self) -> type[Op]:
        """The operation that draws such numbers from any stream."""
        from . import keyed as keyed  # which imports this module

        return REGISTRY[self.keyed]

    def natively(self, start: StreamAt, count: int, *operands: Any, **attrs: Any) -> Any:
        """`count` numbers by native code; None where they are few or there is none."""
        if count < FEW:
            return None
        given = (np.array([count]), *words_of(*start), PHILOX, *operands)
        found = native_operations.run(self.from_any_stream(), given, attrs)
        return None if found is None else found[0]

    def drawn(self, loops: Any, number: Callable[..., Any]) -> Any:
        """The numbers `number(words, lane)` in compiled code."""
        sizes = self.found
        stream, start = self.compiled_stream(loops, sizes)
        return drawn(loops, sizes, self.number_dtype(), stream, start, number)

    def drawn_in_xla(self, xla: Any, dtype: DType, number: Callable[..., Any]) -> Any:
        """The same in a program of XLA, which makes each group of words once."""
        sizes = [xla.fixed(size) for size in self.found]
        return drawn_in_xla(xla, sizes, dtype, *self.compiled_stream(xla, sizes), number)


# Mixed into the three families: operations take their fields from one base only, the family.
Mixed = Draw if TYPE_CHECKING else object


class OfWords(Mixed):
    """Members name the functions of `distributions` that make numbers of words."""

    __slots__ = ()
    dtype: Any
    of_words: Callable[..., Any]
    of_group: Callable[..., Any]

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = math.prod(sizes)
        start = self.stream(count, self.dtype)
        found = self.natively(start, count, dtype=self.dtype)
        if found is None:
            found = type(self).of_words(words(start, count, self.dtype), self.dtype)
        return found.reshape(-1)[:count].reshape(sizes)

    def lower(self, loops: Any) -> Any:
        s, of_group = loops.scalars, type(self).of_group
        return self.drawn(loops, lambda words, lane: of_group(s, words, lane, self.dtype))

    def xla(self, xla: Any) -> Any:
        s, of_group, dtype = xla.scalars, type(self).of_group, self.dtype
        return self.drawn_in_xla(xla, dtype, lambda words, lane: of_group(s, words, lane, dtype))


class Uniform(OfWords):
    """Uniform in [0, 1)."""

    __slots__ = ()
    keyed = "StatelessRandomUniformV2"
    of_words, of_group = distributions.unit_floats, distributions.unit_float


class Normal(OfWords):
    """Normal with mean 0 and standard deviation 1."""

    __slots__ = ()
    keyed = "StatelessRandomNormalV2"
    of_words, of_group = distributions.normals, distributions.normal


class WholeRange(OfWords):
    """Integers of the whole range of their dtype."""

    __slots__ = ()
    keyed = "StatelessRandomUniformFullIntV2"
    of_words, of_group = distributions.whole_integers, distributions.whole_integer


class Truncated(Mixed):
    """Normal numbers between -2 and 2: others are drawn again."""

    __slots__ = ()
    keyed = "StatelessTruncatedNormalV2"
    dtype: Any

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = math.prod(sizes)
        start = self.stream(count, self.dtype)
        found = self.natively(start, count, dtype=self.dtype)
        if found is None:
            found = truncated(np, *start, count, self.dtype)
        return found.reshape(sizes)

    def lower(self, loops: Any) -> Any:
        sizes = self.found
        return lowered_truncated(loops, sizes, self.dtype, *self.compiled_stream(loops, sizes))

    def xla(self, xla: Any) -> Any:
        sizes = [xla.fixed(size) for size in self.found]
        found = accepted_truncated(xla, sizes, self.dtype, *self.compiled_stream(xla, sizes))
        return xla.cast(found.reshape(-1)[: math.prod(sizes)].reshape(sizes), self.dtype)


class Between(Mixed):
    """Integers in [minval, maxval)."""

    __slots__ = ()
    keyed = "StatelessRandomUniformIntV2"
    minval: Any
    maxval: Any

    def demands(self, sizes: Any) -> Any:
        for name, bound in (("minval", self.minval), ("maxval", self.maxval)):
            if (rank := sizes.rank(bound)) is not UNKNOWN and rank:
                refuse(InvalidArgumentError, NO_BOUND, name, sizes.shape(bound))
        (low,), (high,) = sizes.numbers(self.minval), sizes.numbers(self.maxval)
        sizes.require_late(low < high, InvalidArgumentError, EMPTY_RANGE, low, high)
        return super().demands(sizes)

    def number_dtype(self) -> DType:
        return self.minval.dtype

    def drawn_dtype(self) -> DType:
        return dtypes.BY_NUMPY_NUMBER[self.minval.dtype.num]

    def eager(self, np: Any) -> Any:
        sizes, low, high = self.found, int(self.minval), int(self.maxval)
        dtype = self.drawn_dtype()
        count = math.prod(sizes)
        start = self.stream(count, dtype)
        found = self.natively(start, count, self.minval, self.maxval)
        if found is None:
            found = distributions.integers(words(start, count, dtype), dtype, low, high - low)
        return found.reshape(-1)[:count].reshape(sizes)

    def lower(self, loops: Any) -> Any:
        low, high = self.minval[()], self.maxval[()]

        def number(words: Any, lane: Any) -> Any:
            return distributions.integer(loops.scalars, words, lane, low, high)

        return self.drawn(loops, number)

    def xla(self, xla: Any) -> Any:
        dtype, s = xla.dtype_of(self.minval), xla.scalars
        unsigned = dtypes.uint64 if dtype.size == 8 else dtypes.uint32
        low, high = s.cast(self.minval, unsigned), s.cast(self.maxval, unsigned)

        def number(words: Any, lane: Any) -> Any:
            offset = distributions.whole_integer(s, words, lane, unsigned) % (high - low)
            return s.cast(offset + low, dtype)

        return self.drawn_in_xla(xla, dtype, number)


def words_of(stream: WordStream, start: int) -> tuple[Any, Any]:
    """The key (one word of 64 bits) and the counter (two) with which a stream goes on."""
    key, high = (low | upper << 32 for low, upper in (stream.key, stream.high))
    return np.array([key], np.uint64), np.array([start, high], np.uint64)


def words(start: StreamAt, count: int, dtype: DType) -> Any:
    """Random words for `count` numbers: [groups, 4]."""
    stream, first = start
    groups = -(-count // distributions.per_group(dtype))
    return stream.groups(np.arange(groups, dtype=np.uint64) + np.uint64(first))


def drawn(
    loops: Any, sizes: Any, dtype: DType, stream: WordStream, start: Any, number: Callable[..., Any]
) -> Any:
    """An array of `number(words, lane)`: lane k of a group of words is its k-th number."""
    width = distributions.per_group(dtype)
    if all(isinstance(size, int) for size in sizes) and math.prod(sizes) <= width:
        words = loops.elements(loops.vector(stream.group(loops.scalars, start), dtypes.uint32))
        return loops.map(sizes, dtype, lambda *at: number(words, flat_place(loops, sizes, at)))

    def element(*index: Any) -> Any:
        place = flat_place(loops, sizes, index)
        return number(stream.group(loops.scalars, start + place // width), place % width)

    return loops.map(sizes, dtype, element)


def drawn_in_xla(
    xla: Any, sizes: Any, dtype: DType, stream: WordStream, start: Any, number: Callable[..., Any]
) -> Any:
    """The same in a program of XLA, which makes each group of words once."""
    width, count = distributions.per_group(dtype), math.prod(sizes)
    numbers = xla.np.arange(-(-count // width)) + start
    words = held(xla, with_held_key(xla, stream).group(xla.scalars, numbers))
    lanes = [number(words, lane) for lane in range(width)]
    return xla.np.stack(lanes, -1).reshape(-1)[:count].reshape(sizes)


def with_held_key(xla: Any, stream: WordStream) -> WordStream:
    """The stream, whose key XLA has at hand, as it does not see how it comes about: of constants in
    each round LLVM makes code that takes five times as long, and the mixing of two seeds would be
    done again for each group of words.
    """
    words = held(xla, [xla.np.asarray(one, np.uint32) for one in (*stream.key, *stream.high)])
    return WordStream(words[:2], words[2:])


def held(xla: Any, words: Sequence[Any]) -> tuple[Any, ...]:
    """Words that are made once: XLA would make each of them again for every number."""
    together = xla.lax.optimization_barrier(xla.np.stack(words))
    return tuple([together[k] for k in range(len(words))])


def truncated(np: Any, stream: WordStream, start: int, count: int, dtype: DType) -> Any:
    """`count` truncated normal numbers: each group of results has a stretch of the stream."""
    wide, width, stretch = of_truncated(dtype)
    groups = -(-count // width)
    result = np.empty((groups, width), wide.storage)
    found = np.zeros(groups, np.int64)
    step = 0
    pending = np.arange(groups)
    while len(pending):
        numbers = (pending * stretch + step + start).astype(np.uint64)
        candidates = distributions.normals(stream.groups(numbers), wide)
        for column in candidates.T:
            good = (np.abs(column) < 2) & (found[pending] < width)
            rows = pending[good]
            result[rows, found[rows]] = column[good]
            found[rows] += 1
        pending = pending[found[pending] < width]
        step += 1
    return result.reshape(-1)[:count].astype(dtype.storage)


def of_truncated(dtype: DType) -> tuple[DType, int, int]:
    """What truncated normal numbers are made in, how many of them share a stretch of the stream,
    and how many groups of words that has.
    """
    wide = dtypes.float64 if dtype is dtypes.float64 else dtypes.float32
    width = distributions.per_group(wide)
    return wide, width, width * RESERVED // 4


def lowered_truncated(loops: Any, sizes: Any, dtype: DType, stream: WordStream, start: Any) -> Any:
    """`truncated` in compiled code."""
    width, s = of_truncated(dtype)[1], loops.scalars
    found = accepted_truncated(loops, sizes, dtype, stream, start)

    def element(*index: Any) -> Any:
        place = flat_place(loops, sizes, index)
        return s.cast(found[(place // width, place % width)], dtype)

    return loops.map(sizes, dtype, element)


def accepted_truncated(loops: Any, sizes: Any, dtype: DType, stream: WordStream, start: Any) -> Any:
    """The numbers before they are cast, in groups: [groups, width]."""
    wide, width, stretch = of_truncated(dtype)
    s, two = loops.scalars, loops.constant(2, wide)
    lanes = [loops.constant(lane, dtypes.int64) for lane in range(width)]

    def candidates(group: Any, step: Any) -> list[tuple[Any, Any]]:
        words = stream.group(s, start + group * stretch + step)
        numbers = [distributions.normal(s, words, lane, wide) for lane in lanes]
        return [(number, s.abs(number) < two) for number in numbers]

    groups = (loops.count(sizes) + width - 1) // width
    return loops.accepted(groups, width, wide, candidates)


def flat_place(loops: Any, sizes: Any, index: Any) -> Any:
    """The number of an element, counted row by row."""
    place: Any = loops.constant(0, dtypes.int64)
    for size, one in zip(sizes, index, strict=True):
        place = place * size + one
    return place
