"""Accumulators: sums of gradients that are taken once enough have come, stale ones left out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.process.locks import ForkedLock
from ...core.shapes import UNKNOWN, TensorShape, as_shape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import CancelledError, InvalidArgumentError
from ..demands import refuse
from ..effects import Reads, World, Writes
from ..op import NUMBERS, QUANTIZED, Attr, In, Op, Out
from .handles import OfSession

Array = numpy_module.ndarray[Any, Any]
KINDS: Final = frozenset((dtypes.float16, dtypes.float32, dtypes.float64))

TOO_FEW: Final = "{}: num_required has to be above 0, got {}"
NO_FIT: Final = "{}: a gradient of shape {} does not fit the accumulator's shape {}"
NO_ACCUMULATOR: Final = "{} needs the handle of an accumulator, not of {}"


class Accumulator:
    """A sum of arrays, how many they are, and the step below which they are stale."""

    def __init__(self, spec: TensorSpec, is_mean: bool) -> None:
        self.spec: Final = ObjectSpec("accumulator", (spec,))
        self.shape: Final = spec.shape
        self.is_mean: Final = is_mean
        self._changed: Final = ForkedLock(threading.Condition)
        self._is_abandoned = False
        self.count = 0
        self._step = 0

    def add(self, step: int, *gradient: Any) -> None:
        """Add a gradient that was worked out at `step`, unless that is stale."""
        changed = self._changed()
        with changed:
            if step >= self._step:
                self.join(*gradient)
                self.count += 1
                changed.notify_all()

    def take(self, least: int) -> tuple[Any, ...]:
        """The sum or mean of all, when there are `least`; the sum begins again, a step on.

        Raises:
            CancelledError: the session is closed meanwhile.
        """
        changed = self._changed()
        with changed:
            changed.wait_for(lambda: self._is_abandoned or self.count >= least)
            if self._is_abandoned:
                raise CancelledError("the session of the accumulator is closed")
            taken = self.finished()
            self.count = 0
            self._step += 1
            return taken

    def move_to(self, step: int) -> None:
        """Let gradients of steps before `step` be stale."""
        with self._changed():
            self._step = step

    def abandon(self) -> None:
        """Let nobody wait any more."""
        changed = self._changed()
        with changed:
            self._is_abandoned = True
            changed.notify_all()

    def join(self, *gradient: Any) -> None:
        """Add a gradient to the sum."""
        raise NotImplementedError

    def finished(self) -> tuple[Any, ...]:
        """What the sum comes to; it is forgotten."""
        raise NotImplementedError


class DenseAccumulator(Accumulator):
    """Of whole arrays."""

    _sum: Any = None

    def join(self, *gradient: Any) -> None:
        (array,) = gradient
        before = None if self._sum is None else self._sum.shape
        if not self.shape.is_compatible_with(array.shape) or before not in (None, array.shape):
            shown = self.shape if before is None else as_shape(before)
            raise InvalidArgumentError(NO_FIT.format("apply_grad", array.shape, shown))
        self._sum = array.copy() if self._sum is None else self._sum + array

    def finished(self) -> tuple[Any, ...]:
        taken, self._sum = self._sum, None
        return (taken / taken.dtype.type(self.count) if self.is_mean else taken,)


class SparseAccumulator(Accumulator):
    """Of rows by their numbers; means are of those gradients that have the row."""

    _rows: Any = None  # numbers, sums and counts

    def join(self, *gradient: Any) -> None:
        indices, values, sizes = gradient
        self._check(indices, values, sizes)
        ones = numpy_module.ones(len(indices), numpy_module.int64)
        if self._rows is None:
            self._rows = indices.copy(), values.copy(), ones
        else:
            self._rows = _merged(self._rows, (indices, values, ones))

    def _check(self, indices: Array, values: Array, sizes: Array | None) -> None:
        if indices.ndim != 1 or values.ndim < 1 or len(indices) != len(values):
            raise InvalidArgumentError(
                f"apply_grad: {indices.shape} indices do not name the rows of values of shape "
                f"{values.shape}"
            )
        if sizes is not None and len(sizes):
            given = TensorShape([None if size < 0 else int(size) for size in sizes])
            if not self.shape.is_compatible_with(given):
                raise InvalidArgumentError(NO_FIT.format("apply_grad", given, self.shape))
        else:
            given = self.shape
        known = self.shape if self.shape.rank is not None else given
        rows = TensorShape([None]).concatenate(as_shape(values.shape[1:]))
        before = None if self._rows is None else self._rows[1].shape[1:]
        if not known.is_compatible_with(rows) or before not in (None, values.shape[1:]):
            raise InvalidArgumentError(NO_FIT.format("apply_grad", rows, known))
        most = None if given.rank is None else given.as_list()[0]
        if most is not None and len(indices) and not (0 <= indices).all() & (indices < most).all():
            raise InvalidArgumentError(f"apply_grad: indices {indices} are not all in [0, {most})")

    def finished(self) -> tuple[Any, ...]:
        indices, values, counts = self._rows
        self._rows = None
        if self.is_mean:
            shape = (-1, *[1] * (values.ndim - 1))
            values = values / counts.reshape(shape).astype(values.dtype)
        known = [-1] if self.shape.rank is None else [self.shape.as_list()[0] or -1]
        sizes = numpy_module.array([*known, *values.shape[1:]], numpy_module.int64)
        return indices, values, sizes


def _merged(first: Any, second: Any) -> tuple[Array, Array, Array]:
    """Rows of two lists, of which each is taken for sorted: those of one number are added."""
    taken: list[tuple[int, Any, int]] = []
    i, j = 0, 0
    while i < len(first[0]) and j < len(second[0]):
        mine, theirs = first[0][i], second[0][j]
        if mine == theirs:
            taken.append((mine, first[1][i] + second[1][j], first[2][i] + second[2][j]))
        elif mine < theirs:
            taken.append((mine, first[1][i], first[2][i]))
        else:
            taken.append((theirs, second[1][j], second[2][j]))
        i, j = i + int(mine <= theirs), j + int(theirs <= mine)
    for rest, start in ((first, i), (second, j)):
        taken += zip(rest[0][start:], rest[1][start:], rest[2][start:], strict=True)
    numbers, values, counts = zip(*taken, strict=True)
    return (
        numpy_module.array(numbers, numpy_module.int64), numpy_module.stack(values),
        numpy_module.array(counts, numpy_module.int64),
    )  # fmt: skip


# ---------------------------------------------------------------- operations


class NewAccumulator(OfSession, abstract=True):
    """The accumulator of a name that a session has."""

    dtype: Any
    shape: Any
    shared_name: Any
    reduction_type: Any
    effects = (World.PYTHON,)

    def infer(self) -> ObjectSpec:
        return ObjectSpec("accumulator", (TensorSpec(as_shape(self.shape), self.dtype),))


class ResourceConditionalAccumulator(NewAccumulator):
    """Gathers whole gradients."""

    handle = Out("resource")
    dtype = Attr(allowed=NUMBERS | QUANTIZED)
    shape = Attr()
    container = Attr("")
    shared_name = Attr("")
    reduction_type = Attr("MEAN", allowed="MEAN SUM")

    def made(self, value_of: Callable[[str], Any] | None = None) -> Accumulator:
        spec = TensorSpec(as_shape(self.shape), self.dtype)
        return DenseAccumulator(spec, self.reduction_type == "MEAN")


class NewSparseAccumulator(NewAccumulator, tf_name="SparseConditionalAccumulator"):
    """Gathers rows of gradients."""

    handle = Out("resource")
    dtype = Attr(allowed=NUMBERS | QUANTIZED)
    shape = Attr()
    container = Attr("")
    shared_name = Attr("")
    reduction_type = Attr("MEAN", allowed="MEAN SUM")

    def made(self, value_of: Callable[[str], Any] | None = None) -> Accumulator:
        spec = TensorSpec(as_shape(self.shape), self.dtype)
        return SparseAccumulator(spec, self.reduction_type == "MEAN")


class OnAccumulator(Op, abstract=True):
    """Reads or changes an accumulator."""

    handle = In("resource")
    differentiable = False
    effects = (Writes("handle"), World.PYTHON)

    def demands(self, sizes: Any) -> None:
        spec = getattr(self.handle, "spec", None)
        if getattr(spec, "kind", "") != "accumulator":
            what = getattr(spec, "short", "a variable")
            refuse(InvalidArgumentError, NO_ACCUMULATOR, self.name, what)


class ResourceAccumulatorApplyGradient(OnAccumulator):
    """Adds a gradient, unless its step is stale."""

    local_step = In("i64")
    gradient = In("dtype ...")
    dtype = NUMBERS | QUANTIZED

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.handle.add(int(self.local_step), np.asarray(self.gradient))
        return ()


class SparseAccumulatorApplyGradient(OnAccumulator):
    """Adds rows of a gradient, unless its step is stale."""

    local_step = In("i64")
    gradient_indices = In("i64 n")
    gradient_values = In("dtype ...")
    gradient_shape = In("i64 r")
    has_known_shape = Attr()
    dtype = NUMBERS | QUANTIZED

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        sizes = np.asarray(self.gradient_shape) if self.has_known_shape else None
        rows = np.asarray(self.gradient_indices), np.asarray(self.gradient_values)
        self.handle.add(int(self.local_step), *rows, sizes)
        return ()


class _Counting(OnAccumulator, abstract=True):
    """How many gradients there are."""

    effects = (Reads("handle"), World.PYTHON)

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> Any:
        return np.int32(self.handle.count)


class ResourceAccumulatorNumAccumulated(_Counting):
    """How many gradients there are."""

    num_accumulated = Out("i32")


class AccumulatorNumAccumulated(_Counting):
    """The same, of rows."""

    num_accumulated = Out("i32")


class _Moving(OnAccumulator, abstract=True):
    """Says which gradients are stale."""

    new_global_step = In("i64")

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        self.handle.move_to(int(self.new_global_step))
        return ()


class ResourceAccumulatorSetGlobalStep(_Moving):
    """Says which gradients are stale."""


class AccumulatorSetGlobalStep(_Moving):
    """The same, of rows."""


class _Taking(OnAccumulator, abstract=True):
    """Takes what was gathered, when there is enough."""

    num_required = In("i32")

    def taken(self) -> tuple[Any, ...]:
        if self.num_required <= 0:
            raise InvalidArgumentError(TOO_FEW.format(self.name, int(self.num_required)))
        return self.handle.take(int(self.num_required))


class ResourceAccumulatorTakeGradient(_Taking):
    """Takes the sum or mean."""

    average = Out("dtype ...")
    dtype = Attr(allowed=NUMBERS | QUANTIZED)

    def infer(self) -> TensorSpec:
        return self.handle.spec.elements[0]

    def eager(self, np: Any) -> Any:
        return self.taken()[0]


class TakeSparseGradient(_Taking, tf_name="SparseAccumulatorTakeGradient"):
    """Takes the sums or means of rows."""

    indices = Out("i64 n")
    values = Out("dtype ...")
    shape = Out("i64 r")
    dtype = Attr(allowed=NUMBERS | QUANTIZED)

    def infer(self) -> tuple[TensorSpec, ...]:
        known = self.handle.spec.elements[0].shape
        values = UNKNOWN if known.rank is None else TensorShape([None]).concatenate(known[1:])
        return (
            TensorSpec([None], dtypes.int64),
            TensorSpec(values, self.dtype),
            TensorSpec([known.rank], dtypes.int64),
        )

    def eager(self, np: Any) -> Any:
        return self.taken()
