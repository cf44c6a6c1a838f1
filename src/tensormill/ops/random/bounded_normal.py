"""Normal numbers between bounds, each batch with parameters of its own, as TensorFlow draws them.

Which of three ways is taken tells where the bounds lie (Robert 1995, "Simulation of truncated
normal variables"): normal numbers, uniform ones between the bounds, or exponential ones beyond the
lower bound, drawn again until one is accepted. A batch begins with a group of words of its own.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.random_state import state
from ...errors import InvalidArgumentError
from ..array.broadcasting import unbroadcast
from ..array.select import where
from ..array.shapes import as_shape_tensor
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.elementwise import erfc, exp
from ..op import INDEX, In, Out, types
from . import distributions
from .draws import StreamAt
from .gamma_and_poisson import batches
from .philox import WordStream
from .stateless import Seeded
from .uniform_and_normal import Random

# Bounds that leave room for so many standard deviations: normal numbers are often accepted.
ROOM: Final = 1.3
Array = np.ndarray[Any, Any]


class StatelessParameterizedTruncatedNormal(Seeded):
    """Normal numbers between `minvals` and `maxvals`, determined by the seeds."""

    shape = In("S n")
    S = INDEX
    means = In("dtype ...")
    stddevs = In("dtype ...")
    minvals = In("dtype ...")
    maxvals = In("dtype ...")
    output = Out("dtype ...")
    dtype = types("f16 f32 f64")
    differentiable = True

    def number_dtype(self) -> DType:
        return self.means.dtype

    def eager(self, np: Any) -> Any:
        sizes, dtype = self.found, dtypes.as_dtype(self.means.dtype)
        parameters = np.broadcast_arrays(self.means, self.stddevs, self.minvals, self.maxvals)
        count = batches(sizes, parameters[0].shape)
        groups = _Groups(self.stream(count, dtype), dtype)
        found = np.empty((count, parameters[0].size), dtype.storage)
        rows = np.stack([one.ravel() for one in parameters], -1)
        for place, row in enumerate(rows):
            found[:, place] = _numbers(groups, count, *row)
        return found.reshape(sizes)

    def vjp(self, dy: Any) -> Any:
        """To means and deviations as if the bounds moved along, to bounds as if nothing else did:
        that is what TensorFlow gives.
        """
        x, mean, deviation, low, high = (
            cast(one, dtypes.float64)
            for one in (self.output, self.means, self.stddevs, self.minvals, self.maxvals)
        )
        z, a, b = ((one - mean) / deviation for one in (x, low, high))
        is_above = a > 0.0  # then the other tail, of which `erfc` tells more
        z2, a2, b2 = where(is_above, -z, z), where(is_above, -b, a), where(is_above, -a, b)
        below, whole = _mass(a2, z2), _mass(a2, b2)
        to_low = exp((z2 * z2 - a2 * a2) / 2.0) * (whole - below) / whole
        to_high = exp((z2 * z2 - b2 * b2) / 2.0) * below / whole
        slopes = (
            dy,
            dy * cast(z, dy.dtype),
            dy * cast(where(is_above, to_high, to_low), dy.dtype),
            dy * cast(where(is_above, to_low, to_high), dy.dtype),
        )
        parameters = (self.means, self.stddevs, self.minvals, self.maxvals)
        pairs = zip(slopes, parameters, strict=True)
        return None, None, *[unbroadcast(slope, one) for slope, one in pairs]


def _mass(low: Any, high: Any) -> Any:
    """How probable a standard normal number is between two bounds."""
    return (erfc(-high / math.sqrt(2.0)) - erfc(-low / math.sqrt(2.0))) / 2.0


class ParameterizedTruncatedNormal(Random):
    """Normal numbers between `minvals` and `maxvals`: a row of `shape` for each of the parameters.

    Each of them is one number, or one for each row. The numbers are TensorFlow's, where it draws
    all of them in one thread.

    Raises:
        InvalidArgumentError: a parameter has another shape; nothing is between two bounds; or a
            deviation is not above 0.
    """

    means = In("dtype ...")
    stdevs = In("dtype ...")
    minvals = In("dtype ...")
    maxvals = In("dtype ...")
    output = Out("dtype ...")
    dtype = types("f16 f32 f64")

    def number_dtype(self) -> DType:
        return self.means.dtype

    def demands(self, sizes: Any) -> Any:
        """The sizes of the result."""
        found = super().demands(sizes)
        for name in ("means", "stdevs", "minvals", "maxvals"):
            shape = sizes.shape(getattr(self, name))
            if len(shape) > 1:
                refuse(InvalidArgumentError, MANY_AXES, name, shape)
            if shape and found:
                fits = (shape[0] == 1) | (shape[0] == found[0])
                sizes.require_late(fits, InvalidArgumentError, OTHER_ROWS, name, shape)
        return found

    def eager(self, np: Any) -> Any:
        sizes, dtype = self.found, dtypes.as_dtype(self.means.dtype)
        parameters = (self.means, self.stdevs, self.minvals, self.maxvals)
        rows = np.stack(np.broadcast_arrays(*[one.reshape(-1) for one in parameters]), -1)
        counts, reserved = self._batches(sizes, len(rows))
        start = state.advance((self.name, self.seed, self.seed2, dtype), len(counts) * reserved)
        groups = _Groups((WordStream.of_seeds(self.seed, self.seed2), start), dtype)
        pairs = zip(counts, itertools.cycle(rows), strict=False)
        found = [np.empty(0, dtype.storage), *[_numbers(groups, n, *row) for n, row in pairs]]
        return np.concatenate(found).reshape(sizes)

    def _batches(self, sizes: tuple[int, ...], rows: int) -> tuple[list[int], int]:
        """How many numbers each batch has, and how many groups TensorFlow sets aside for one."""
        count = math.prod(sizes)
        if rows == 1 and not (self.minvals.ndim or self.maxvals.ndim):
            whole, rest = divmod(count, TOGETHER)
            return [TOGETHER] * whole + [rest] * (rest > 0), TRIALS * (TOGETHER + 3) // 4
        each = math.prod(sizes[1:])
        return [each] * (sizes[0] if each else 0), TRIALS * (each + 3) // 4


# Numbers of a batch where all have the same parameters, and the most candidates for one of them.
TOGETHER: Final = 100
TRIALS: Final = 2000
MANY_AXES = "Input {} should be a scalar or vector, got shape: {}"
OTHER_ROWS = "Input {} should have length 1 or shape[0], got shape: {}"


class _Groups:
    """Groups of a stream, from the next one that nobody used."""

    def __init__(self, start: StreamAt, dtype: DType) -> None:
        self._stream, self._next = start
        self._dtype = dtype

    def uniform(self, count: int) -> Array:
        """The numbers of so many groups: [count, width]."""
        return distributions.unit_floats(self._words(count), self._dtype)

    def normal(self, count: int) -> Array:
        return distributions.normals(self._words(count), self._dtype)

    def use(self, count: int) -> None:
        self._next += count

    def _words(self, count: int) -> Array:
        return self._stream.groups(np.arange(self._next, self._next + count, dtype=np.uint64))


def _numbers(groups: _Groups, count: int, mean: Any, deviation: Any, low: Any, high: Any) -> Any:
    """Numbers of one batch.

    Raises:
        InvalidArgumentError: the mean is not finite, the deviation not above 0, or the bounds leave
            nothing between them, or everything.
    """
    is_bounded = math.isfinite(low) or math.isfinite(high)
    if not (math.isfinite(mean) and deviation > 0 and low < high and is_bounded):
        raise InvalidArgumentError(
            f"Invalid parameters: a finite mean, stddev > 0, minval < maxval and one of these "
            f"finite are wanted, got {mean}, {deviation}, {low}, {high}"
        )
    a, b = (low - mean) / deviation, (high - mean) / deviation
    is_turned = a == -math.inf or b < 0
    if is_turned:
        a, b = -b, -a
    drawn = _accepted(groups, count, a, b).astype(mean.dtype)
    return mean + deviation * (-drawn if is_turned else drawn)


def _accepted(groups: _Groups, count: int, low: Any, high: Any) -> Array:
    if (low < -ROOM and high >= 0) or (high > ROOM and low <= 0):
        return _first(groups, count, 1, lambda steps: _normal(groups, steps, low, high))
    root = math.sqrt(low * low + 4)
    widest = 2 * math.exp(0.5 + low * (low - root) / 4) / (low + root)
    if high - low < widest:
        return _first(groups, count, 2, lambda steps: _uniform(groups, steps, low, high))
    return _first(groups, count, 1, lambda steps: _tail(groups, steps, low, high))


def _first(
    groups: _Groups, count: int, unit: int, candidates: Callable[[int], tuple[Array, Array]]
) -> Array:
    """The first `count` candidates that are good; the step of the last one is used up.

    `candidates` gives those of so many steps, which take `unit` groups each, and which are good:
    [steps, width].
    """
    found: list[Array] = [np.empty(0)]
    while count:
        steps = min(max(count // 2, FEWEST), MOST)
        numbers, good = candidates(steps)
        places = np.flatnonzero(good)[:count]
        found.append(numbers.reshape(-1)[places])
        count -= len(places)
        groups.use(unit * (steps if count else int(places[-1]) // numbers.shape[1] + 1))
    return np.concatenate(found)


# Steps that are taken at once: NumPy needs as long for a few as for one.
FEWEST: Final = 8
MOST: Final = 1 << 14


def _normal(groups: _Groups, steps: int, low: Any, high: Any) -> tuple[Array, Array]:
    numbers = groups.normal(steps)
    return numbers, (low <= numbers) & (numbers <= high)


def _uniform(groups: _Groups, steps: int, low: Any, high: Any) -> tuple[Array, Array]:
    """Four candidates, then four numbers that decide on them (two of each for float64)."""
    nearest = max(low, low.dtype.type(0))
    drawn = groups.uniform(2 * steps)
    candidates = drawn[0::2] * (high - low) + low
    chances = np.exp((nearest * nearest - candidates * candidates) / 2)
    return candidates, drawn[1::2] <= chances


def _tail(groups: _Groups, steps: int, low: Any, high: Any) -> tuple[Array, Array]:
    """A candidate, then a number that decides on it."""
    one = low.dtype.type
    rate = (low + np.sqrt(low * low + one(4))) / one(2)
    drawn = groups.uniform(steps)
    candidates = low - np.log(np.maximum(drawn[:, 0::2], TINY)).astype(one) / rate
    chances = np.exp(-((candidates - rate) ** 2) / 2)
    return candidates, (drawn[:, 1::2] <= chances) & (candidates < high)


TINY: Final = np.float32(1e-30)


@dispatchable
def stateless_parameterized_truncated_normal(
    shape: Any,
    seed: Any,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    name: str | None = None,
) -> Any:
    """Normal numbers between bounds that `seed`, two integers, determines.

    means, stddevs, minvals, maxvals: floats of one dtype; `shape` ends with what they broadcast to.
    The numbers are TensorFlow's, where it draws all batches in one thread.

    >>> tf.random.stateless_parameterized_truncated_normal(
    ...     [3], seed=[1, 2], means=0.0, stddevs=1.0, minvals=3.0, maxvals=9.0
    ... ).numpy().round(3)
    array([3.051, 3.001, 3.394], dtype=float32)

    Raises:
        InvalidArgumentError: `shape` does not end so; nothing is between two bounds; a deviation is
            not above 0; or the seed has another shape than [2].
    """
    given = (means, stddevs, minvals, maxvals)
    known = next((one.dtype for one in given if hasattr(one, "dtype")), dtypes.float32)
    parameters = [as_tensor(one, dtypes.as_dtype(known)) for one in given]
    name = name or "stateless_parameterized_truncated_normal"
    op = StatelessParameterizedTruncatedNormal
    return bind(op, as_shape_tensor(shape), seed, *parameters, name=name)
