"""Random numbers told by the key and the counter of their stream: what generators draw."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.specs import TensorSpec
from ..core.tracebacks import shallow
from ..errors import InvalidArgumentError
from . import distributions
from .bind import bind
from .concatenation import stack
from .conversion import as_tensor
from .op import INDEX, Attr, In, Op, Out
from .philox import Stream, split
from .random import (
    checked_sizes,
    drawn,
    integer_between,
    integers_between,
    require_scalars,
    require_sizes,
    truncated,
)
from .stateless_random import stateless_uniform


class Algorithm(enum.Enum):
    """How random words are made. Here it is always Philox."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


class Keyed(Op, abstract=True):
    """Fills a shape from the stream of a key (one uint64) at a counter (two)."""

    shape = In("Tshape n")
    key = In("u64 one")
    counter = In("u64 two")
    alg = In("i32")
    Tshape = INDEX
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.number_dtype())

    def number_dtype(self) -> DType:
        raise TypeError(f"{self.name} does not say what it draws")

    def sizes(self) -> tuple[int, ...]:
        sizes = tuple(int(size) for size in self.shape)
        require_sizes(sizes)
        return sizes

    def stream(self) -> tuple[Stream, int]:
        """The stream, and where in it the numbers begin."""
        if self.key.shape != (1,) or self.counter.shape != (2,):
            raise InvalidArgumentError(
                f"{self.name}: key must have shape [1] and counter [2], not "
                f"{list(self.key.shape)} and {list(self.counter.shape)}"
            )
        start, high = (int(word) for word in self.counter)
        return Stream(split(int(self.key[0])), split(high)), start

    def words(self, np: Any, count: int, dtype: DType) -> Any:
        stream, start = self.stream()
        groups = -(-count // distributions.per_group(dtype))
        return stream.groups(np.arange(groups, dtype=np.uint64) + np.uint64(start))

    def drawn(self, loops: Any, number: Callable[..., Any]) -> Any:
        s, sizes = loops.scalars, checked_sizes(loops, self.shape)

        def halves(word: Any) -> tuple[Any, Any]:
            high = s.right_shift(word, s.constant(32, word))
            return s.cast(word, dtypes.uint32), s.cast(high, dtypes.uint32)

        stream = Stream(halves(self.key[(0,)]), halves(self.counter[(1,)]))
        start = s.cast(self.counter[(0,)], dtypes.int64)
        return drawn(loops, sizes, self.number_dtype(), stream, start, number)


class KeyedOf(Keyed, abstract=True):
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


class StatelessRandomUniformV2(KeyedOf):
    """Uniform in [0, 1)."""

    of_words, of_group = distributions.unit_floats, distributions.unit_float


class StatelessRandomNormalV2(KeyedOf):
    """Normal with mean 0 and standard deviation 1."""

    of_words, of_group = distributions.normals, distributions.normal


class StatelessRandomUniformFullIntV2(KeyedOf):
    """Integers of the whole range of their dtype."""

    of_words, of_group = distributions.whole_integers, distributions.whole_integer


class StatelessTruncatedNormalV2(Keyed):
    """Normal numbers between -2 and 2."""

    output = Out("dtype ...")
    dtype = Attr()

    def number_dtype(self) -> DType:
        return self.dtype

    def eager(self, np: Any) -> Any:
        sizes, (stream, start) = self.sizes(), self.stream()
        return truncated(np, stream, start, math.prod(sizes), self.dtype).reshape(sizes)


class StatelessRandomUniformIntV2(Keyed):
    """Integers in [minval, maxval)."""

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
        return integers_between(self, np)

    def lower(self, loops: Any) -> Any:
        return self.drawn(loops, integer_between(loops, self.minval, self.maxval))


# ---------------------------------------------------------------- seeds


def split_seed(seed: Any, num: int = 2, alg: Any = "auto_select") -> Any:
    """`num` new seeds [num, 2] that `seed` determines."""
    seed = as_tensor(seed)
    return stateless_uniform(
        stack([num, 2]), seed, minval=None, maxval=None, dtype=seed.dtype, alg=alg
    )


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A new seed [2] that `seed` and an integer determine."""
    data = as_tensor(data)
    first = stateless_uniform([], seed, minval=None, maxval=None, dtype=data.dtype, alg=alg)
    return stack([first, data])


def algorithm_number(algorithm: Any) -> int:
    """1, which is Philox.

    Raises:
        ValueError: another algorithm, or none of that name.
    """
    names = {"philox": 1, "auto_select": 1, "threefry": 2}
    number = algorithm
    if isinstance(algorithm, str):
        number = names.get(algorithm.lower(), algorithm)
    if isinstance(algorithm, Algorithm):
        number = algorithm.value
    number = 1 if number == 3 else number
    if number != 1:
        raise ValueError(f"Argument `alg` got unsupported value {algorithm}. Supported is philox.")
    return 1


@shallow
def create_rng_state(seed: Any, alg: Any) -> Any:
    """The state, int64 [3], of a generator: its counter and its key.

    seed: an int; or up to three ints, which stand at the end.
    """
    import numpy as np

    algorithm_number(alg)
    if isinstance(seed, int):
        parts = [(seed >> (64 * k)) & 0xFFFFFFFFFFFFFFFF for k in range(3)]
        return as_tensor(np.array(parts, np.uint64).view(np.int64))
    given = np.asarray(seed).reshape(-1)[:3]
    words = given.astype(np.uint64) if given.dtype.kind == "u" else given.astype(np.int64)
    return as_tensor(np.concatenate([np.zeros(3 - len(words), np.int64), words.view(np.int64)]))


def keyed(op: type[Keyed], sizes: Any, state: Any, *more: Any, dtype: Any = None) -> Any:
    """Numbers from the stream of a generator whose state was `state`."""
    from .cast import bitcast

    words = bitcast(state, dtypes.uint64)
    attrs: dict[str, Any] = {} if dtype is None else {"dtype": as_dtype(dtype)}
    return bind(op, sizes, words[2:], words[:2], 1, *more, **attrs)
