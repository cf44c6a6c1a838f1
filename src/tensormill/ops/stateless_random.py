"""Random numbers that their seeds determine: the same each time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError
from . import distributions
from .bind import bind
from .conversion import as_tensor
from .fill import as_shape_tensor
from .op import INDEX, Attr, In, Op, Out
from .philox import Stream, mixed_words, stateless_stream
from .random import (
    checked_sizes,
    drawn,
    float_dtype,
    integer_between,
    integers_between,
    require_scalars,
    require_sizes,
    scaled,
    truncated,
)
from .sizes import demand


class Seeded(Op, abstract=True):
    """Fills a shape with random numbers that two seeds determine."""

    shape = In("T n")
    seed = In("Tseed two")
    T = INDEX
    Tseed = INDEX
    differentiable = False

    def infer(self) -> TensorSpec:
        seeds = self.seed.shape.dims
        if seeds is not None and not self.seed.shape.is_compatible_with([2]):
            raise InvalidArgumentError(WRONG_SEED.format(list(seeds)))
        return TensorSpec(self.shape.as_shape(), self.number_dtype())

    def number_dtype(self) -> DType:
        """What the numbers are; of an application on specs or loop arrays."""
        raise TypeError(f"{self.name} does not say what it draws")

    def sizes(self) -> tuple[int, ...]:
        sizes = tuple(int(size) for size in self.shape)
        require_sizes(sizes)
        return sizes

    def stream(self) -> Stream:
        if self.seed.shape != (2,):
            raise InvalidArgumentError(WRONG_SEED.format(list(self.seed.shape)))
        first, second = (int(one) & LOW_64_BITS for one in self.seed)
        return stateless_stream(first, second)

    def words(self, np: Any, count: int, dtype: DType) -> Any:
        groups = -(-count // distributions.per_group(dtype))
        return self.stream().groups(np.arange(groups, dtype=np.uint64))

    def drawn(self, loops: Any, number: Callable[..., Any]) -> Any:
        """The numbers in compiled code, which mixes the seeds first."""
        sizes = checked_sizes(loops, self.shape)
        stream, start = mixed_stream(loops, self.seed)
        return drawn(loops, sizes, self.number_dtype(), stream, start, number)


def mixed_stream(loops: Any, seed: Any) -> tuple[Stream, Any]:
    """The stream of two seeds in compiled code, and its beginning."""
    count = seed.shape[0]
    demand(loops, count == 2, InvalidArgumentError, WRONG_SEED, count)
    s = loops.scalars
    seeds = [s.cast(s.cast(seed[(k,)], dtypes.int64), dtypes.uint64) for k in (0, 1)]
    mixed = loops.elements(loops.vector(mixed_words(s, *seeds), dtypes.uint32))
    return Stream((mixed[0], mixed[1]), (mixed[2], mixed[3])), loops.constant(0, dtypes.int64)


LOW_64_BITS = 0xFFFFFFFFFFFFFFFF
WRONG_SEED = "seed must have shape [2], not {}"


class Stateless(Seeded, abstract=True):
    """Members name the functions of `distributions` that make numbers of words."""

    output = Out("dtype ...")
    dtype = Attr()
    of_words: Callable[..., Any]
    of_group: Callable[..., Any]

    def number_dtype(self) -> DType:
        return self.dtype

    def eager(self, np: Any) -> Any:
        sizes = self.sizes()
        count = math.prod(sizes)
        found = type(self).of_words(self.words(np, count, self.dtype), self.dtype)
        return found.reshape(-1)[:count].reshape(sizes)

    def lower(self, loops: Any) -> Any:
        s, of_group = loops.scalars, type(self).of_group
        return self.drawn(loops, lambda words, lane: of_group(s, words, lane, self.dtype))


class StatelessRandomUniform(Stateless):
    """Uniform in [0, 1), determined by the seeds."""

    of_words, of_group = distributions.unit_floats, distributions.unit_float


class StatelessRandomNormal(Stateless):
    """Normal with mean 0 and standard deviation 1, determined by the seeds."""

    of_words, of_group = distributions.normals, distributions.normal


class StatelessRandomUniformFullInt(Stateless):
    """Integers of the whole range of their dtype, determined by the seeds."""

    of_words, of_group = distributions.whole_integers, distributions.whole_integer


class StatelessTruncatedNormal(Seeded):
    """Normal numbers between -2 and 2, determined by the seeds."""

    output = Out("dtype ...")
    dtype = Attr()

    def number_dtype(self) -> DType:
        return self.dtype

    def eager(self, np: Any) -> Any:
        sizes = self.sizes()
        return truncated(np, self.stream(), 0, math.prod(sizes), self.dtype).reshape(sizes)


class StatelessRandomUniformInt(Seeded):
    """Integers in [minval, maxval), determined by the seeds."""

    minval = In("dtype")
    maxval = In("dtype")
    output = Out("dtype ...")
    dtype = INDEX

    def infer(self) -> TensorSpec:
        require_scalars(self.minval, self.maxval)
        return super().infer()

    def number_dtype(self) -> DType:
        return self.minval.dtype

    def eager(self, np: Any) -> Any:
        require_scalars(self.minval, self.maxval)
        return integers_between(self, np)

    def lower(self, loops: Any) -> Any:
        return self.drawn(loops, integer_between(loops, self.minval, self.maxval))


# ---------------------------------------------------------------- functions


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Uniform numbers in [minval, maxval) that `seed`, two integers, determines.

    Integers of the whole range of their dtype where `minval` and `maxval` are both None.

    Raises:
        ValueError: only one bound is given for an integer dtype, or bounds for an unsigned one.
        InvalidArgumentError: an empty range of integers, or seeds of another shape than [2].
    """
    _require_philox(alg)
    found = as_dtype(dtype)
    sizes = as_shape_tensor(shape)
    if found.is_integer:
        if minval is None and maxval is None:
            return bind(StatelessRandomUniformFullInt, sizes, seed, dtype=found, name=name)
        _require_bounds(found, minval, maxval)
        low, high = as_tensor(minval, found), as_tensor(maxval, found)
        return bind(StatelessRandomUniformInt, sizes, seed, low, high, name=name)
    drawn = bind(StatelessRandomUniform, sizes, seed, dtype=float_dtype(found))
    low, high = as_tensor(minval, found), as_tensor(1 if maxval is None else maxval, found)
    return scaled(drawn, high - low, low, name or "stateless_random_uniform")


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Normal numbers that `seed`, two integers, determines."""
    _require_philox(alg)
    name = name or "stateless_random_normal"
    return _normal_of(StatelessRandomNormal, shape, seed, mean, stddev, dtype, name)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Truncated normal numbers that `seed`, two integers, determines."""
    _require_philox(alg)
    name = name or "stateless_truncated_normal"
    return _normal_of(StatelessTruncatedNormal, shape, seed, mean, stddev, dtype, name)


def _normal_of(
    op: type[Op], shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str
) -> Any:
    found = float_dtype(dtype)
    drawn = bind(op, as_shape_tensor(shape), seed, dtype=found)
    return scaled(drawn, as_tensor(stddev, found), as_tensor(mean, found), name)


def _require_philox(alg: Any) -> None:
    """One algorithm is there: TensorFlow's choice on every processor."""
    if alg not in ("philox", "auto_select", 1, 3):
        raise ValueError(f"Argument `alg` got unsupported value {alg}. Supported is philox.")


def _require_bounds(dtype: DType, minval: Any, maxval: Any) -> None:
    if minval is None or maxval is None:
        raise ValueError(
            f"`minval` and `maxval` of integers ({dtype.name}) are both None or not: got {minval} "
            f"and {maxval}"
        )
    if dtype not in INDEX:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype} when argument `minval` is not None: "
            "bounds are for int32 and int64"
        )
