"""`tf.random.Generator`: a stream of random numbers whose place is a variable."""

from __future__ import annotations

import random
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..core import context, dtypes
from ..core.dtypes import as_dtype
from ..core.process.replicas import has_strategy, replica_number
from ..eager.variable import Variable
from ..errors import UnimplementedError
from ..ops.array.concatenation import concat, stack
from ..ops.array.fill import zeros_like
from ..ops.array.shapes import as_shape_tensor, reshape
from ..ops.conversion import as_tensor
from ..ops.math.cast import bitcast, cast
from ..ops.math.reduce import reduce_prod
from ..ops.random import keyed as keyed_random
from ..ops.random.algorithms import NO_THREEFRY, Algorithm, algorithm_number
from ..ops.random.gamma_and_poisson import KeyedBinomial
from ..ops.random.keyed import create_rng_state, keyed
from ..ops.random.stateful_streams import skip, skipped_for_binomial
from ..ops.random.uniform_and_normal import scaled
from .trackable import AutoTrackable


class Generator(AutoTrackable):
    """A stream of random numbers. Its state, a variable int64 [3], is a counter (two words) and a
    key; every call moves the counter on by 256 for each number. As in TensorFlow a generator by
    Threefry, with a counter of one word, can be made and draws nothing on a CPU.

    One that was made under a strategy of `tf.distribute` gives each replica numbers of its own: its
    state is the same for all, and the key of a replica is drawn with the key from the replica's
    number (the source is what TensorFlow gives). Binomial numbers are those of one replica.

    >>> generator = tf.random.Generator.from_seed(1)
    >>> generator.normal([2]).shape, generator.uniform([3], maxval=10, dtype=tf.int32).dtype
    (TensorShape([2]), tf.int32)
    """

    def __init__(self, copy_from: Any = None, state: Any = None, alg: Any = None) -> None:
        if copy_from is not None:
            if alg is not None or state is not None:
                raise ValueError("Argument `copy_from` excludes `state` and `alg`.")
            state, alg = copy_from.state, copy_from.algorithm
        if state is None or alg is None:
            raise ValueError("A generator needs `state` and `alg`, or `copy_from`.")
        self._algorithm = algorithm_number(alg)
        self._is_shared = has_strategy()
        start = _as_state(state, self._algorithm)
        # A state that is traced is found by the function, as any variable's initial value.
        with nullcontext() if start.symbolic else context.init_scope():
            self._state_var = Variable(start, dtype=dtypes.int64, name="StateVar", trainable=False)

    @classmethod
    def from_state(cls, state: Any, alg: Any) -> Generator:
        """A generator that goes on from a state.

        >>> g = tf.random.Generator.from_state([0, 0, 7], alg='philox')
        >>> g.state.numpy()
        array([0, 0, 7])
        """
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator whose numbers `seed`, an int, determines.

        >>> first, second = (tf.random.Generator.from_seed(7) for _ in range(2))
        >>> bool(tf.reduce_all(first.normal([3]) == second.normal([3])))
        True
        """
        alg = "philox" if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator that begins anywhere.

        >>> tf.random.Generator.from_non_deterministic_state().normal([2]).shape
        TensorShape([2])
        """
        words = [random.SystemRandom().getrandbits(64) for _ in range(3)]
        alg = "philox" if alg is None else alg
        state = np.array(words[: _words(algorithm_number(alg))], np.uint64).view(np.int64)
        return cls(state=state, alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: Any) -> Generator:
        """A generator with this key and counter (two integers).

        >>> g = tf.random.Generator.from_key_counter(key=7, counter=[1, 0], alg='philox')
        >>> g.state.numpy()
        array([1, 0, 7])
        """
        return cls(state=_joined(key, counter), alg=alg)

    @property
    def state(self) -> Variable:
        """The counter and the key: a variable.

        >>> g = tf.random.Generator.from_seed(7)
        >>> g.state.shape, g.state.dtype
        (TensorShape([3]), tf.int64)
        """
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of the algorithm.

        >>> g = tf.random.Generator.from_seed(7)
        >>> g.algorithm
        1
        """
        return self._algorithm

    @property
    def key(self) -> Any:
        """The key, a scalar.

        >>> tf.random.Generator.from_state([0, 0, 7], alg='philox').key.numpy()
        np.int64(7)
        """
        return self._state_var.read_value()[_words(self._algorithm) - 1]

    def reset(self, state: Any) -> None:
        """Go on from a state.

        >>> g = tf.random.Generator.from_seed(7)
        >>> before, first = g.state.numpy(), g.normal([])
        >>> g.reset(before)
        >>> bool(g.normal([]) == first)
        True
        """
        self._state_var.assign(_as_state(state, self._algorithm))

    def reset_from_seed(self, seed: Any) -> None:
        """Begin as `from_seed` does.

        >>> generator = tf.random.Generator.from_seed(1)
        >>> before = generator.normal([])
        >>> generator.reset_from_seed(1)
        >>> bool(generator.normal([]) == before)
        True
        """
        self._state_var.assign(create_rng_state(seed, self.algorithm))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Begin as `from_key_counter` does.

        >>> g = tf.random.Generator.from_seed(7)
        >>> g.reset_from_key_counter(key=5, counter=[1, 0])
        >>> g.state.numpy()
        array([1, 0, 5])
        """
        self._state_var.assign(_joined(key, counter))

    def skip(self, delta: Any) -> Any:
        """Move the counter on by `delta` numbers. The state before.

        >>> g = tf.random.Generator.from_state([0, 0, 7], alg='philox')
        >>> g.skip(10).numpy(), g.state.numpy()
        (array([0, 0, 7]), array([2560,    0,    7]))

        Raises:
            UnimplementedError: the algorithm is Threefry, by which nothing is drawn here.
        """
        if self._algorithm == Algorithm.THREEFRY.value:
            raise UnimplementedError(f"{NO_THREEFRY}, got a generator by Threefry")
        if not self._state_var.is_one_tensor:
            whole: Any = self._state_var
            return whole.drawn_from(lambda handle: skip(handle, delta))
        if context.building_graph():
            return skip(self._state_var.handle, delta)
        with self._state_var.handle._array.changing():  # two threads draw different numbers
            return skip(self._state_var.handle, delta)

    def _own(self, state: Any) -> Any:
        """A state with the key of the replica that draws, where replicas share the generator."""
        number = replica_number() if self._is_shared else None
        if number is None:
            return state
        counter = stack([cast(number, dtypes.int64), 0])
        start = concat([counter, state[2:]], 0)
        key = keyed(keyed_random.StatelessRandomUniformFullIntV2, [1], start, dtype=dtypes.uint64)
        return concat([state[:2], bitcast(key, dtypes.int64)], 0)

    def _drawn(self, op: Any, shape: Any, *more: Any, dtype: Any = None) -> Any:
        sizes = as_shape_tensor(shape)
        state = self._own(self.skip(reduce_prod(sizes)))
        return keyed(op, sizes, state, *more, dtype=dtype)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Normal numbers of floats, in a shape.

        >>> tf.random.Generator.from_seed(1).normal([2, 3], stddev=2.0).shape
        TensorShape([2, 3])
        """
        return self._scaled(keyed_random.StatelessRandomNormalV2, shape, mean, stddev, dtype)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Normal numbers within two standard deviations of the mean.

        >>> float(abs(tf.random.Generator.from_seed(1).truncated_normal([9]))[0]) <= 2.0
        True
        """
        return self._scaled(keyed_random.StatelessTruncatedNormalV2, shape, mean, stddev, dtype)

    def _scaled(self, op: Any, shape: Any, offset: Any, factor: Any, dtype: Any) -> Any:
        found = as_dtype(dtype)
        drawn = self._drawn(op, shape, dtype=found)
        return scaled(drawn, as_tensor(factor, found), as_tensor(offset, found), "stateful_random")

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Uniform numbers in [minval, maxval): floats (maxval is 1 by default), or integers.

        >>> generator = tf.random.Generator.from_seed(1)
        >>> bool(tf.reduce_all(generator.uniform([9], 1, 7, tf.int32) < 7))
        True

        Raises:
            ValueError: an integer dtype without `maxval`.
        """
        found = as_dtype(dtype)
        if maxval is None and found.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {found!r}")
        low, high = as_tensor(minval, found), as_tensor(1 if maxval is None else maxval, found)
        if found.is_integer:
            return self._drawn(keyed_random.StatelessRandomUniformIntV2, shape, low, high)
        return self._scaled(keyed_random.StatelessRandomUniformV2, shape, low, high - low, found)

    def uniform_full_int(
        self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None
    ) -> Any:
        """Integers of the whole range of their dtype.

        >>> tf.random.Generator.from_seed(1).uniform_full_int([2], tf.uint32).dtype
        tf.uint32
        """
        return self._drawn(
            keyed_random.StatelessRandomUniformFullIntV2, shape, dtype=as_dtype(dtype)
        )

    def binomial(
        self, shape: Any, counts: Any, probs: Any, dtype: Any = dtypes.int32,
        name: str | None = None,
    ) -> Any:  # fmt: skip
        """Numbers of successes in `counts` trials that succeed with probability `probs`.

        `counts` and `probs` broadcast; `shape` ends with the shape they have then.

        >>> tf.random.Generator.from_seed(1).binomial([2], counts=9.0, probs=1.0).numpy()
        array([9, 9], dtype=int32)

        Raises:
            InvalidArgumentError: it does not.
        """
        probs = as_tensor(probs)
        counts = cast(as_tensor(counts), probs.dtype)
        sizes = as_shape_tensor(shape)
        groups = skipped_for_binomial(sizes, counts, probs)
        return keyed(KeyedBinomial, sizes, self.skip(groups), counts, probs, dtype=dtype)

    def make_seeds(self, count: int = 1) -> Any:
        """Seeds [2, count] for stateless operations.

        >>> tf.random.Generator.from_seed(1).make_seeds(3).shape
        TensorShape([2, 3])
        """
        first = self.uniform_full_int([count], dtypes.int64)
        return stack([first, zeros_like(first)])

    def split(self, count: int = 1) -> list[Generator]:
        """Independent generators.

        >>> len(tf.random.Generator.from_seed(1).split(3))
        3
        """
        keys = self.make_seeds(count)[0]
        algorithm = self.algorithm
        return [
            Generator.from_key_counter(keys[number], [0, 0], algorithm) for number in range(count)
        ]


def _words(algorithm: int) -> int:
    """How many words a state has: the last is the key, the others count."""
    return 2 if algorithm == Algorithm.THREEFRY.value else 3


def _as_state(state: Any, algorithm: int) -> Any:
    value = state.read_value() if isinstance(state, Variable) else as_tensor(state)
    if value.dtype is dtypes.uint64:
        value = bitcast(value, dtypes.int64)
    wanted = _words(algorithm)
    if value.shape.rank != 1 or value.shape[0] != wanted:
        raise ValueError(f"The state of a generator must have shape [{wanted}], not {value.shape}")
    return cast(value, dtypes.int64)


def _joined(key: Any, counter: Any) -> Any:
    words = reshape(as_tensor(counter, dtypes.int64), [-1])
    return concat([words, reshape(as_tensor(key, dtypes.int64), [1])], 0)


_everyone: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator that everybody shares; it begins anywhere, or where it was set.

    >>> tf.random.experimental.get_global_generator().normal([2, 3]).shape
    TensorShape([2, 3])
    """
    if not _everyone:
        with context.init_scope():
            _everyone.append(Generator.from_non_deterministic_state())
    return _everyone[0]


def set_global_generator(generator: Generator) -> None:
    """Replace the generator that everybody shares.

    generator: a `tf.random.Generator`.

    >>> generator = tf.random.Generator.from_seed(1)
    >>> tf.random.experimental.set_global_generator(generator)
    >>> tf.random.experimental.get_global_generator() is generator
    True
    """
    _everyone[:] = [generator]


__all__ = ["Algorithm", "Generator", "get_global_generator", "set_global_generator"]
