"""The streams of seeds as TensorFlow's files tell them: a key, a counter and an algorithm."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...core import dtypes
from ..conversion import as_tensor
from ..families import Rephrased
from ..op import INDEX, In, Op, Out, as_lower
from .stateless import compiled_stream_of, demand_two_seeds, stream_of

PHILOX: Final = 1


class OfSeed(Op, abstract=True):
    """The key and the first counter of the stream that stateless operations draw from."""

    seed = In("Tseed 2")
    key = Out("u64 1")
    counter = Out("u64 2")
    Tseed = INDEX
    differentiable = False

    def demands(self, sizes: Any) -> None:
        demand_two_seeds(sizes, self.seed)

    def words(self) -> tuple[Any, Any]:
        stream = stream_of(self.seed)
        key, high = (low | high << 32 for low, high in (stream.key, stream.high))
        return np.array([key], np.uint64), np.array([0, high], np.uint64)

    def compiled_words(self, loops: Any) -> tuple[Any, Any]:
        stream, _ = compiled_stream_of(loops, self.seed)
        key, high = (_joined(loops, *pair) for pair in (stream.key, stream.high))
        counter = [loops.constant(0, dtypes.uint64), high]
        return loops.vector([key], dtypes.uint64), loops.vector(counter, dtypes.uint64)


def _joined(loops: Any, low: Any, high: Any) -> Any:
    """The 64-bit word of two halves."""
    low, high = (loops.scalars.cast(half, dtypes.uint64) for half in (low, high))
    return low + high * loops.constant(1 << 32, dtypes.uint64)


class StatelessRandomGetKeyCounter(OfSeed):
    """The key and the first counter of the stream of two seeds."""

    def eager(self, np: Any) -> Any:
        return self.words()

    xla = as_lower

    def lower(self, loops: Any) -> Any:
        return self.compiled_words(loops)


class StatelessRandomGetKeyCounterAlg(OfSeed):
    """The key, the first counter and the algorithm of the stream of two seeds."""

    alg = Out("i32")

    def eager(self, np: Any) -> Any:
        return *self.words(), np.array(PHILOX, np.int32)

    def lower(self, loops: Any) -> Any:
        return *self.compiled_words(loops), loops.scalar(loops.constant(PHILOX, dtypes.int32))


class StatelessRandomGetAlg(Rephrased):
    """The number of the algorithm: Philox."""

    alg = Out("i32")
    differentiable = False

    def expand(self) -> Any:
        return as_tensor(np.array(PHILOX, np.int32))
