"""Random numbers that their seeds determine: the same each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...errors import InvalidArgumentError
from ..array.shapes import as_shape_tensor
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import FLOATS, INDEX, Attr, In, Op, Out, types
from . import draws
from .algorithms import require_philox
from .draws import Draw
from .philox import WordStream, mixed_words, stateless_stream
from .uniform_and_normal import float_dtype, scaled

if TYPE_CHECKING:
    from ..results import Tensor

LOW_64_BITS = 0xFFFFFFFFFFFFFFFF
WRONG_SEED = "seed must have shape [2], not {}"


class Seeded(Draw, abstract=True):
    """Fills a shape with random numbers that two seeds determine."""

    shape = In("T n")
    seed = In("Tseed 2")
    T = INDEX
    Tseed = INDEX

    def demands(self, sizes: Any) -> Any:
        demand_two_seeds(sizes, self.seed)
        return super().demands(sizes)

    def stream(self, count: int, dtype: DType) -> tuple[WordStream, int]:
        return stream_of(self.seed), 0

    def compiled_stream(self, loops: Any, sizes: Any) -> tuple[WordStream, Any]:
        return compiled_stream_of(loops, self.seed)


def demand_two_seeds(sizes: Any, seed: Any) -> None:
    shape = sizes.shape(seed, 1)
    sizes.require(sizes.are_same(shape, (2,)), InvalidArgumentError, WRONG_SEED, shape)


def stream_of(seed: Any) -> WordStream:
    """The stream of an array of two seeds."""
    first, second = (int(one) & LOW_64_BITS for one in seed)
    return stateless_stream(first, second)


def compiled_stream_of(loops: Any, seed: Any) -> tuple[WordStream, Any]:
    """The stream of two seeds in compiled code, which mixes them first, and its beginning."""
    s = loops.scalars
    seeds = [s.cast(s.cast(seed[(k,)], dtypes.int64), dtypes.uint64) for k in (0, 1)]
    mixed = mixed_words(loops, *seeds)
    return WordStream((mixed[0], mixed[1]), (mixed[2], mixed[3])), loops.constant(0, dtypes.int64)


class SeededNumbers(Seeded, abstract=True):
    """Numbers of the dtype that the operation is told."""

    output = Out("dtype ...")
    dtype = Attr(dtypes.float32, FLOATS)

    def number_dtype(self) -> DType:
        return self.dtype


class StatelessRandomUniform(draws.Uniform, SeededNumbers):
    """Uniform in [0, 1), determined by the seeds."""


class StatelessRandomNormal(draws.Normal, SeededNumbers):
    """Normal with mean 0 and standard deviation 1, determined by the seeds."""


class StatelessRandomUniformFullInt(draws.WholeRange, SeededNumbers):
    """Integers of the whole range of their dtype, determined by the seeds."""

    dtype = Attr(dtypes.uint64, types("i32 i64 u32 u64"))


class StatelessTruncatedNormal(draws.Truncated, SeededNumbers):
    """Normal numbers between -2 and 2, determined by the seeds."""


class StatelessRandomUniformInt(draws.Between, Seeded):
    """Integers in [minval, maxval), determined by the seeds."""

    minval = In("dtype")
    maxval = In("dtype")
    output = Out("dtype ...")
    dtype = INDEX


# ---------------------------------------------------------------- functions


@dispatchable
def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Uniform numbers in [minval, maxval) that `seed`, two integers, determines.

    dtype: a float (maxval is 1 by default; the bounds broadcast with `shape`), int32 or int64.
    Integers of the whole range of their dtype, unsigned ones too, where `minval` and `maxval` are
    both None.

    >>> tf.random.stateless_uniform([4], seed=[1, 2]).numpy().round(3)
    array([0.844, 0.192, 0.996, 0.16 ], dtype=float32)
    >>> tf.random.stateless_uniform([4], seed=[1, 2], minval=0, maxval=10, dtype=tf.int32).numpy()
    array([0, 9, 4, 9], dtype=int32)

    Raises:
        ValueError: only one bound is given for an integer dtype, or bounds for an unsigned one.
        InvalidArgumentError: an empty range of integers, or seeds of another shape than [2].
    """
    require_philox(alg)
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


@dispatchable
def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Normal numbers that `seed`, two integers, determines.

    The result has the shape `shape`, which `mean` and `stddev` broadcast with. dtype: a float. alg:
    "philox" or "auto_select", which is that.

    >>> tf.random.stateless_normal([3], seed=[1, 2]).numpy().round(3)
    array([0.544, 0.207, 0.074], dtype=float32)

    Raises:
        ValueError: another algorithm.
        InvalidArgumentError: the seed has another shape than [2], or the dtype is no float.
        TypeError: the dtype cannot be the mean's.
    """
    require_philox(alg)
    name = name or "stateless_random_normal"
    return _normal_of(StatelessRandomNormal, shape, seed, mean, stddev, dtype, name)


@dispatchable
def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Any:
    """Truncated normal numbers that `seed`, two integers, determines.

    Normal numbers further than two standard deviations from the mean are left out. The result has
    the shape `shape`, which `mean` and `stddev` broadcast with. dtype: a float. alg: "philox" or
    "auto_select", which is that.

    >>> tf.random.stateless_truncated_normal([3], [1, 2], mean=100., stddev=5.).numpy().round(1)
    array([102.7, 101. , 100.4], dtype=float32)

    Raises:
        ValueError: another algorithm.
        InvalidArgumentError: the seed has another shape than [2], or the dtype is no float.
        TypeError: the dtype cannot be the mean's.
    """
    require_philox(alg)
    name = name or "stateless_truncated_normal"
    return _normal_of(StatelessTruncatedNormal, shape, seed, mean, stddev, dtype, name)


def _normal_of(
    op: type[Op], shape: Any, seed: Any, mean: Any, stddev: Any, dtype: Any, name: str
) -> Any:
    found = dtypes.float32 if dtype is None else as_dtype(dtype)
    center, width = as_tensor(mean, found), as_tensor(stddev, found)
    return scaled(bind(op, as_shape_tensor(shape), seed, dtype=found), width, center, name)


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
