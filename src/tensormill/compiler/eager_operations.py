"""Single operations as compiled functions, for eager execution with large operands.

Code is made once for the dtypes and ranks of the operands, whatever their sizes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, cast

import numpy as np

from ..core import context, dtypes
from ..core.dtypes import BY_NUMPY_NUMBER, DType
from ..core.native_operations import NONE, Axes, Prepare, Run, nowhere
from ..core.process.locks import ForkedLock
from ..core.specs import TensorSpec
from ..eager.tensor import wrap
from ..errors import OpError
from ..graph.builder import trace_graph
from ..ops.array.shapes import reshape, shape_of
from ..ops.bind import bind
from ..ops.conversion import as_tensor
from ..ops.op import Field, Op
from .calling.object_layouts import has_entry
from .machine.pages import refusal
from .program import NativeExecutable

# Attributes are literals of the code. A program that changes one all the time compiles so often,
# and no more: for an operation, all its dtypes and ranks together. As many more know some sizes;
# where these are too many, code that knows none of them does it.
MOST_VARIANTS: Final = 32

# Integers that may be the sizes of something, whose number (a rank) code has to know.
MOST_SIZES: Final = 8

Array = np.ndarray[Any, Any]
Key = tuple[Any, ...]
Sizes = tuple[int | None, ...]


class Entered(Protocol):
    """Code that is bound to what it captured: called, or entered the quick way."""

    @property
    def entry(self) -> Callable[..., Any]: ...

    def __call__(self, *operands: Any) -> tuple[Any, ...]: ...


class Asked(threading.local):
    """The operations that a thread runs in native code."""

    def __init__(self) -> None:
        self.operations: Final[set[type[Op]]] = set()


class Operations:
    """The operations that were compiled here, each for some dtypes, ranks and attributes."""

    def __init__(self) -> None:
        self._made: dict[Key, Entered | None] = {}
        self._counts: dict[tuple[type[Op], bool], int] = {}  # and whether they know sizes
        self._lock: Final = ForkedLock()
        self._asked: Final = Asked()

    def run(
        self, op: type[Op], operands: Sequence[Array], attrs: dict[str, Any], axes: Axes = NONE
    ) -> tuple[Any, ...] | None:
        """The results as arrays; None where Python is needed, or the operation fails."""
        if op in self._asked.operations:  # by its own code, which is not sure of its results
            return None
        found = self.prepared(op, operands, attrs, axes)
        if found is None:
            return None
        tensors = [wrap(one) for one in given(op, operands)]
        self._asked.operations.add(op)
        try:
            results = found.entry(*tensors)
            results = found(*tensors) if results is NotImplemented else results
        except OpError:
            return None
        finally:
            self._asked.operations.discard(op)
        return tuple([result._array for result in results])

    def prepared(
        self, op: type[Op], operands: Sequence[Array], attrs: dict[str, Any], axes: Axes = NONE
    ) -> Entered | None:
        """Code for operands like these; None where Python is needed."""
        known = {**op.native_axes, **axes} if axes else op.native_axes
        key = (op, *_kinds(op, operands, known), *map(_attribute, attrs.items()))
        try:
            return self._made[key]
        except KeyError:
            pass
        except TypeError:  # an attribute that has no hash: a graph, a function
            return None
        with self._lock():
            if key in self._made:
                return self._made[key]
            if self._is_room_for(op, bool(axes)):
                made = self._made[key] = compiled(op, operands, attrs, known)
                return made
        return self.prepared(op, operands, attrs) if axes else None

    def _is_room_for(self, op: type[Op], knows_sizes: bool) -> bool:
        """Whether one more variant may be made, which is counted then."""
        count = self._counts.get((op, knows_sizes), 0)
        self._counts[op, knows_sizes] = min(count + 1, MOST_VARIANTS)
        return count < MOST_VARIANTS


def compiled(
    op: type[Op], operands: Sequence[Array], attrs: dict[str, Any], axes: Axes
) -> Entered | None:
    """Code that applies `op` to operands like these; None where it would call back."""
    arrays = given(op, operands)
    known = [axes.get(field.name) for field, one in _pairs(op, operands) for _ in one]
    specs = [TensorSpec(dims, dtype) for dtype, dims in map(_kind, arrays, known)]

    def applied(*tensors: Any) -> Any:
        taken = alike(tensors) if op.by_element else _regrouped(op, operands, tensors)
        return bind(op, *taken, **attrs)

    try:
        with context.init_scope():
            traced = trace_graph(applied, specs, op.name)
    except (OpError, ValueError, TypeError):
        return None
    graph = traced.graph
    if any(one.spec.dtype is dtypes.string for one in (*graph.parameters, *graph.returns)):
        return on_spans(op, traced)
    executable = NativeExecutable(graph)
    code = executable.compiled_for([*arrays, *(one._array for one in traced.captured)])
    return executable.bind(traced.captured) if has_entry(code.lowered) else None


def on_spans(op: type[Op], traced: Any) -> Entered | None:
    """Code for strings as spans of bytes; None where Python would do all of it."""
    from .spelled import SpelledExecutable  # of no use where there are no strings

    executable = SpelledExecutable(traced.graph)
    spelled, _ = executable.made()
    if any(operation.op is op for operation in spelled.graph.operations):
        return None
    return executable.bind(traced.captured)


def alike(vectors: Sequence[Any]) -> list[Any]:
    """Operands of an elementwise operation, vectors of one size among them: said, so that code
    need not ask at each element which of them is repeated.
    """
    first = next((one for one in vectors if one.shape.rank), None)
    if first is None:
        return [*vectors]
    return [reshape(one, shape_of(first)) if one.shape.rank else one for one in vectors]


def given(op: type[Op], operands: Sequence[Any]) -> list[Array]:
    """The arrays that code for them takes, row by row in memory, since who evaluates a graph may
    hand on views: those of lists one by one, but none that it knows.
    """
    return [
        array if array.flags.c_contiguous else array.copy("C")
        for _, arrays in _pairs(op, operands)
        for array in arrays
    ]


def _pairs(op: type[Op], operands: Sequence[Any]) -> Iterator[tuple[Field, Sequence[Array]]]:
    """The fields, and what code takes of each."""
    for field, one in zip(op.inputs, operands, strict=True):
        if field.name not in op.native_values:
            yield field, one if field.listed else (one,)


def _regrouped(op: type[Op], operands: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
    """Tensors for what code takes, as operands, beside what it knows."""
    left, found = iter(tensors), list[Any]()
    for field, one in zip(op.inputs, operands, strict=True):
        if field.name in op.native_values:
            found.append(as_tensor(one.tolist(), BY_NUMPY_NUMBER[one.dtype.num]))
        else:
            found.append([next(left) for _ in one] if field.listed else next(left))
    return found


def _kinds(op: type[Op], operands: Sequence[Any], axes: Axes) -> list[Any]:
    """What code knows of operands like these: a key."""
    known: list[Any] = []
    for field, one in zip(op.inputs, operands, strict=True):
        if field.name in op.native_values:
            known.append((one.dtype.num, one.shape, *one.reshape(-1).tolist()))
        elif field.listed:
            known.append(tuple([_kind(each, axes.get(field.name)) for each in one]))
        else:
            known.append(_kind(one, axes.get(field.name)))
    return known


def _kind(operand: Array, axes: slice | None) -> tuple[DType, Sizes]:
    return BY_NUMPY_NUMBER[operand.dtype.num], _sizes(operand, axes)


def _sizes(operand: Array, axes: slice | None) -> Sizes:
    if axes is not None:
        known = range(operand.ndim)[axes]
        return tuple([n if k in known else None for k, n in enumerate(operand.shape)])
    if operand.ndim == 1 and operand.size <= MOST_SIZES and operand.dtype.kind in "iu":
        return operand.shape
    return (None,) * operand.ndim


def _attribute(pair: tuple[str, object]) -> Key:
    """An attribute as part of a key: 1, 1.0, True, 0.0 and -0.0 are different ones, NaN is one."""
    name, value = pair
    if isinstance(value, (list, tuple)):
        return name, tuple(map(_plain, cast("Sequence[object]", value)))
    return name, _plain(value)


def _plain(value: object) -> tuple[type, object]:
    return type(value), value.hex() if isinstance(value, float) else value


def runner() -> tuple[Run, Prepare]:
    """What runs operations here: nothing where the system lets no native code be made."""
    if refusal() is not None:
        return nowhere, nowhere
    operations = Operations()
    return operations.run, operations.prepared
