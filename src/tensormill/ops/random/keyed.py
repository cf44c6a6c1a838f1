"""Random numbers told by the key and the counter of their stream: what generators draw."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...core.dtypes import DType, as_dtype
from ...core.process.tracebacks import shallow
from ...errors import InvalidArgumentError
from ..array.concatenation import stack
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import FLOATS, INDEX, Attr, In, Out, types
from . import draws
from .algorithms import algorithm_number
from .draws import Draw
from .philox import WordStream, split
from .shuffling import compiled_start
from .stateless import stateless_uniform


class Keyed(Draw, abstract=True):
    """Fills a shape from the stream of a key (one uint64) at a counter (two)."""

    shape = In("Tshape n")
    key = In("u64 one")
    counter = In("u64 2")
    alg = In("i32")
    Tshape = INDEX

    def stream(self, count: int, dtype: DType) -> tuple[WordStream, int]:
        if self.key.shape != (1,) or self.counter.shape != (2,):
            raise InvalidArgumentError(
                f"{self.name}: key must have shape [1] and counter [2], not "
                f"{list(self.key.shape)} and {list(self.counter.shape)}"
            )
        start, high = (int(word) for word in self.counter)
        return WordStream(split(int(self.key[0])), split(high)), start

    def compiled_stream(self, loops: Any, sizes: Any) -> tuple[WordStream, Any]:
        return compiled_start(loops, self)


class KeyedNumbers(Keyed, abstract=True):
    """Numbers of the dtype that the operation is told."""

    output = Out("dtype ...")
    dtype = Attr(dtypes.float32, FLOATS)

    def number_dtype(self) -> DType:
        return self.dtype


class StatelessRandomUniformV2(draws.Uniform, KeyedNumbers):
    """Uniform in [0, 1)."""


class StatelessRandomNormalV2(draws.Normal, KeyedNumbers):
    """Normal with mean 0 and standard deviation 1."""


class StatelessRandomUniformFullIntV2(draws.WholeRange, KeyedNumbers):
    """Integers of the whole range of their dtype."""

    dtype = Attr(dtypes.uint64, types("i32 i64 u32 u64"))


class StatelessTruncatedNormalV2(draws.Truncated, KeyedNumbers):
    """Normal numbers between -2 and 2."""


class StatelessRandomUniformIntV2(draws.Between, Keyed):
    """Integers in [minval, maxval)."""

    minval = In("dtype")
    maxval = In("dtype")
    output = Out("dtype ...")
    dtype = INDEX


# ---------------------------------------------------------------- seeds

SEEDS: Final = (dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64)


@dispatchable
def split_seed(seed: Any, num: int = 2, alg: Any = "auto_select") -> Any:
    """`num` new seeds [num, 2] that `seed` determines.

    seed: two integers, int32 or int64, which the result consists of, too.

    >>> first, second = tf.random.split([1, 2])
    >>> first.numpy(), second.numpy()
    (array([1105988140, 1738052849], dtype=int32), array([-335576002,  370444179], dtype=int32))

    Raises:
        ValueError: the seed has another dtype, or the algorithm is not "philox" or "auto_select".
        InvalidArgumentError: the seed has another shape than [2].
    """
    seed = as_tensor(seed)
    if seed.dtype not in SEEDS:
        raise ValueError(f"split: `seed` must be integers of 32 or 64 bits, got {seed.dtype.name}")
    return stateless_uniform(
        stack([num, 2]), seed, minval=None, maxval=None, dtype=seed.dtype, alg=alg
    )


@dispatchable
def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Any:
    """A new seed [2] that `seed` and an integer determine.

    seed: two integers. data: a scalar, int32 or int64, as the result: the number of a step, say.

    >>> tf.random.fold_in([1, 2], data=7).numpy()
    array([1105988140,          7], dtype=int32)

    Raises:
        ValueError: `data` is no integer, or another algorithm than "philox" and "auto_select".
        InvalidArgumentError: the seed has another shape than [2].
    """
    data = as_tensor(data)
    if data.dtype not in (dtypes.int32, dtypes.int64):
        raise ValueError(f"fold_in: `data` must be int32 or int64, got {data.dtype.name}")
    first = stateless_uniform([], seed, minval=None, maxval=None, dtype=data.dtype, alg=alg)
    return stack([first, data])


@shallow
def create_rng_state(seed: Any, alg: Any) -> Any:
    """The state, int64, of a generator: its counter and its key.

    seed: an int; or a list of ints, which stand at the end. alg: "philox", "auto_select" or 1 for
    three numbers; "threefry" or 2 for two, though generators take Philox alone.

    >>> tf.random.create_rng_state(5, "philox").numpy()
    array([5, 0, 0])
    >>> tf.random.create_rng_state([5], "philox").numpy()
    array([0, 0, 5])

    Raises:
        ValueError: another algorithm.
    """
    import numpy as np

    size = 2 if algorithm_number(alg) == 2 else 3
    if isinstance(seed, int):
        parts = [(seed >> (64 * k)) & 0xFFFFFFFFFFFFFFFF for k in range(size)]
        return as_tensor(np.array(parts, np.uint64).view(np.int64))
    given = np.asarray(seed).reshape(-1)[:size]
    words = given.astype(np.uint64) if given.dtype.kind == "u" else given.astype(np.int64)
    return as_tensor(np.concatenate([np.zeros(size - len(words), np.int64), words.view(np.int64)]))


def keyed(op: type[Keyed], sizes: Any, state: Any, *more: Any, dtype: Any = None) -> Any:
    """Numbers from the stream of a generator whose state was `state`."""
    from ..math.cast import bitcast

    words = bitcast(state, dtypes.uint64)
    attrs: dict[str, Any] = {} if dtype is None else {"dtype": as_dtype(dtype)}
    return bind(op, sizes, words[2:], words[:2], 1, *more, **attrs)
