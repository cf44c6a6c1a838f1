"""Numbers from the state of a generator: a variable of int64, a counter of 128 bits and a key."""

from __future__ import annotations

from typing import Any

from ...core import context, dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.broadcasting import broadcast_dynamic_shape
from ..array.concatenation import stack
from ..array.shapes import shape_of
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..demands import refuse
from ..families import Rephrased
from ..math.arithmetic import maximum
from ..math.cast import bitcast, cast
from ..math.reduce import reduce_prod
from ..op import INDEX, Attr, In, Out, types, usually
from ..state.variables import AssignVariableOp, read
from . import keyed as keyed_random
from .gamma_and_poisson import COUNTS, KeyedBinomial
from .keyed import Keyed, keyed
from .rejection_sampling import STRETCH

PHILOX = (1, 3)  # the numbers of the algorithm, and of that which chooses it


def skip(handle: Any, delta: Any) -> Any:
    """Move the counter on by `delta` numbers. The state before."""
    before = read(handle, dtypes.int64)
    words = bitcast(before, dtypes.uint64)
    moved = words[0] + cast(delta, dtypes.uint64) * as_tensor(STRETCH, dtypes.uint64)
    carry = cast(moved < words[0], dtypes.uint64)
    after = bitcast(stack([moved, words[1] + carry, words[2]]), dtypes.int64)
    bind(AssignVariableOp, handle, after, dtype=dtypes.int64)
    return before


def skipped_for_binomial(shape: Any, counts: Any, probs: Any) -> Any:
    """How many groups of words TensorFlow sets aside for binomial numbers: 50 for each number of a
    parameter, and 150 for the parameter.
    """
    parameters = broadcast_dynamic_shape(shape_of(counts), shape_of(probs))
    elements = maximum(reduce_prod(parameters), 1)
    each = reduce_prod(shape) // cast(elements, shape.dtype)
    return cast(reduce_prod(parameters), shape.dtype) * 50 * (each + 3)


class OnState(Rephrased, abstract=True):
    """Reads the state of a generator, and moves it on."""

    resource: Any
    differentiable = False

    def skipped(self, delta: Any) -> Any:
        """The state before it was moved on by so many numbers; eagerly no other thread comes
        between.
        """
        if context.building_graph():
            return skip(self.resource, delta)
        with self.resource._array.changing():
            return skip(self.resource, delta)

    def require_philox(self, algorithm: Any) -> None:
        number = static_value(algorithm)
        if number is not None and int(number) not in PHILOX:
            refuse(InvalidArgumentError, "{}: there is no algorithm {}", self.name, int(number))


class RngReadAndSkip(OnState):
    """The state, which is then `delta` numbers further."""

    resource = In("resource")
    alg = In("i32")
    delta = In("u64")
    value = Out("i64 3")

    def expand(self) -> Any:
        self.require_philox(self.alg)
        return self.skipped(self.delta)


class RngSkip(OnState):
    """Moves the state on by `delta` numbers."""

    resource = In("resource")
    algorithm = In("i64")
    delta = In("i64")

    def infer(self) -> tuple[()]:
        return ()

    def expand(self) -> tuple[()]:
        self.require_philox(self.algorithm)
        self.skipped(self.delta)
        return ()


class DrawnFromState(OnState, abstract=True):
    """Numbers of a stream that ends where the next one begins."""

    algorithm: Any
    shape: Any

    def drawn(self, op: type[Keyed], *more: Any, dtype: Any = None) -> Any:
        self.require_philox(self.algorithm)
        return keyed(op, self.shape, self.skipped(reduce_prod(self.shape)), *more, dtype=dtype)


class StatefulStandardNormalV2(DrawnFromState):
    """Normal numbers."""

    resource = In("resource")
    algorithm = In("i64")
    shape = In("shape_dtype n")
    output = Out("dtype ...")
    dtype = Attr(dtypes.float32)
    shape_dtype = INDEX

    def expand(self) -> Any:
        return self.drawn(keyed_random.StatelessRandomNormalV2, dtype=self.dtype)


class StatefulTruncatedNormal(DrawnFromState):
    """Normal numbers between -2 and 2."""

    resource = In("resource")
    algorithm = In("i64")
    shape = In("shape_dtype n")
    output = Out("dtype ...")
    dtype = Attr(dtypes.float32)
    shape_dtype = INDEX

    def expand(self) -> Any:
        return self.drawn(keyed_random.StatelessTruncatedNormalV2, dtype=self.dtype)


class StatefulUniform(DrawnFromState):
    """Uniform in [0, 1)."""

    resource = In("resource")
    algorithm = In("i64")
    shape = In("shape_dtype n")
    output = Out("dtype ...")
    dtype = Attr(dtypes.float32)
    shape_dtype = INDEX

    def expand(self) -> Any:
        return self.drawn(keyed_random.StatelessRandomUniformV2, dtype=self.dtype)


class StatefulUniformFullInt(DrawnFromState):
    """Integers of the whole range of their dtype."""

    resource = In("resource")
    algorithm = In("i64")
    shape = In("shape_dtype n")
    output = Out("dtype ...")
    dtype = Attr(dtypes.uint64)
    shape_dtype = INDEX

    def expand(self) -> Any:
        return self.drawn(keyed_random.StatelessRandomUniformFullIntV2, dtype=self.dtype)


class StatefulUniformInt(DrawnFromState):
    """Integers in [minval, maxval)."""

    resource = In("resource")
    algorithm = In("i64")
    shape = In("shape_dtype n")
    minval = In("dtype")
    maxval = In("dtype")
    output = Out("dtype ...")
    shape_dtype = INDEX
    dtype = INDEX
    usual = usually(dtype="i64")

    def expand(self) -> Any:
        return self.drawn(keyed_random.StatelessRandomUniformIntV2, self.minval, self.maxval)


class StatefulRandomBinomial(OnState):
    """Numbers of successes in `counts` trials that succeed with probability `probs`."""

    resource = In("resource")
    algorithm = In("i64")
    shape = In("S n")
    counts = In("T ...")
    probs = In("T ...")
    output = Out("dtype ...")
    dtype = Attr(dtypes.int64, types("f16 f32 f64 i32 i64"))
    S = INDEX
    T = COUNTS
    usual = usually(T="f64")

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.dtype)

    def expand(self) -> Any:
        self.require_philox(self.algorithm)
        before = self.skipped(skipped_for_binomial(self.shape, self.counts, self.probs))
        return keyed(KeyedBinomial, self.shape, before, self.counts, self.probs, dtype=self.dtype)
