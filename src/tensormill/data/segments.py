"""Functions of elements that are partly strings: cut where native code and Python meet.

A program that calls Python back while it runs is called by `compiler/calling/general.py`, which
costs more than most of what is called. Here the operations without native code run between the
native ones instead, each by its kernel:

    r ─► ParseExampleV2 ─► x, y ─► one native program ─► …      a segment of Python, a native one

What has effects, drawing random numbers among them, keeps its order; what has none, or only reads,
runs as soon as its operands are there. What depends on the elements alone, and does the same to
each, does it to many at once (`rows`): of such elements that are there anyway, where no effect is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, Final

import numpy as np

from .. import backends
from ..core import context
from ..core.specs import ObjectSpec, TensorSpec
from ..eager.execute import as_output, require_texts
from ..eager.tensor import wrap
from ..errors import OpError
from ..graph.evaluate import run
from ..graph.failure import in_function
from ..graph.ir import Application, Graph, Value
from ..graph.nested_graphs import every_operation, inner_graphs
from ..ops.constant import Const
from ..ops.control.flow import Identity
from ..ops.control.functional import Functional, effects_of
from ..ops.effects import Effect, Reads, World
from .nodes.batching import stack_arrays
from .nodes.node import Element

Values = list[Any]
Columns = Sequence[Any]
ELEMENTWISE: Final = ("*s",)
# What no operation by itself does as it does it within a program.
WHOLE: Final = frozenset({World.DRAWS, World.CHECKS, World.MEETS})


def segments_of(graph: Graph) -> Segments | None:
    """The segments of a graph; None where it is native throughout, or cannot be cut: a branch or
    a loop has operations without native code in it, or one of these draws numbers or checks.
    """
    wanted = _needed(graph)
    if not any(map(_is_python, wanted)) or not all(map(_can_stand_alone, wanted)):
        return None
    return Segments(graph, wanted)


def _needed(graph: Graph) -> list[Application]:
    """The operations that results depend on, and those that do something else."""
    values = set(graph.returns)
    found: list[Application] = []
    for operation in reversed(graph.operations):
        if not values.isdisjoint(operation.results) or _effects(operation):
            values.update(operation.operands)
            found.append(operation)
    return found[::-1]


def _effects(operation: Application) -> tuple[Effect, ...]:
    return effects_of(operation.op, operation.attrs)


def _can_stand_alone(operation: Application) -> bool:
    """Whether a segment can have it: streams of random numbers are native programs', what is partly
    native is one program, and so is a check that Python words, with all that it is to come before.
    """
    if issubclass(operation.op, Functional):
        inner = (one for graph in inner_graphs(operation) for one in every_operation(graph))
        return not any(map(_is_python, (operation, *inner)))
    return not _is_python(operation) or WHOLE.isdisjoint(_effects(operation))


def _keeping_order(operations: Sequence[Application]) -> set[Application]:
    """Those that run in the order they stand in: all that have effects, unless these only read."""
    found = {one: effects for one in operations if (effects := _effects(one))}
    every = [effect for effects in found.values() for effect in effects]
    only_read = all(isinstance(one, Reads) or one is World.FILES for one in every)
    return set() if only_read else set(found)


def _is_python(operation: Application) -> bool:
    """Whether there is no native code for it."""
    if operation.op is Const or operation.op is Identity:
        return False
    op = operation.op
    if op.lower is None and op.scalar is None and op.expand is None:
        return True
    specs = [one.spec for one in (*operation.operands, *operation.results)]
    return any(
        isinstance(spec, ObjectSpec)
        or (isinstance(spec, TensorSpec) and spec.dtype.stays_in_python)
        for spec in specs
    )


class Segments:
    """A graph in segments, one after the other."""

    def __init__(self, graph: Graph, operations: Sequence[Application]) -> None:
        self.graph: Final = graph
        self._slots: dict[Value, int] = {value: k for k, value in enumerate(graph.inputs)}
        self._constants: dict[Value, Application] = {}
        self._levels: dict[Value, tuple[int, bool]] = {}
        self.keeping_order: Final = _keeping_order(operations)
        self._last: tuple[int, bool] | None = None  # where the last of these is
        self._leaving = set(graph.returns)
        groups: dict[tuple[int, bool], list[Application]] = {}
        for operation in operations:
            self._place(operation, groups)
        self.parts: Final = [
            PythonSegment(self, found) if is_python else NativeSegment(self, found, graph)
            for (_, is_python), found in sorted(groups.items(), key=lambda pair: pair[0][0])
        ]
        self.returns: Final = [self.slot(value) for value in graph.returns]
        self.size: Final = len(self._slots)

    def _place(
        self, operation: Application, groups: dict[tuple[int, bool], list[Application]]
    ) -> None:
        if operation.op is Const:
            self._constants[operation.results[0]] = operation
        elif operation.op is Identity and self._is_kept(operation.operands[0]):
            before, after = operation.operands[0], operation.results[0]
            self._slots[after] = self.slot(before)
            if before in self._levels:
                self._levels[after] = self._levels[before]
        else:
            here = self._segment_of(operation)
            groups.setdefault(here, []).append(operation)
            self._leaving.update(one for one in operation.operands if self._levels.get(one) != here)
            for value in operation.results:
                self._levels[value] = here
                self.slot(value)

    def _segment_of(self, operation: Application) -> tuple[int, bool]:
        """The first segment of its kind behind all that it needs."""
        is_python = _is_python(operation)
        known = [self._levels[one] for one in operation.operands if one in self._levels]
        if operation in self.keeping_order and self._last is not None:
            known.append(self._last)
        here = max((at + (kind != is_python) for at, kind in known), default=0), is_python
        if operation in self.keeping_order:
            self._last = here
        return here

    def _is_kept(self, value: Value) -> bool:
        """Whether it lies in its place before any native program takes it: programs do not see
        the places of what they make themselves.
        """
        _, is_python = self._levels.get(value, (0, True))
        return is_python and value not in self._constants

    def leaves(self, value: Value) -> bool:
        """Whether other segments read it, or the graph returns it."""
        return value in self._leaving

    def slot(self, value: Value) -> int:
        """Where a value is, while the graph runs."""
        return self._slots.setdefault(value, len(self._slots))

    def constants_of(self, values: Iterable[Value]) -> list[Application]:
        """Those among values that are constants."""
        return [self._constants[one] for one in dict.fromkeys(values) if one in self._constants]

    def bound(self, captured: Sequence[Any]) -> BoundSegments:
        """With these tensors for captures."""
        return BoundSegments(self, captured)

    def template(self, captured: Sequence[Any]) -> Values:
        """The values before anything has run."""
        values: Values = [None] * self.size
        for place, tensor in enumerate(captured, len(self.graph.parameters)):
            values[place] = tensor
        for value, operation in self._constants.items():
            if value in self._slots:
                values[self._slots[value]] = wrap(operation.attrs["value"])
        return values


class PythonSegment:
    """Operations that run one by one."""

    def __init__(self, whole: Segments, operations: Sequence[Application]) -> None:
        self.steps: Final = [
            (
                one,
                tuple(whole.slot(value) for value in one.operands),
                tuple(whole.slot(value) for value in one.results),
            )
            for one in operations
        ]

    def bound(self, captured: Sequence[Any]) -> Callable[[Values], None]:
        """What runs it."""

        def go(values: Values) -> None:
            for operation, operands, results in self.steps:
                found = run(operation, tuple([values[k] for k in operands]))
                for place, tensor in zip(results, found, strict=True):
                    values[place] = tensor

        return go

    def takes_rows(self, parameters: int) -> bool:
        """Whether each step can be done for many elements at once, as far as is seen beforehand."""
        varying = set(range(parameters))
        for operation, operands, results in self.steps:
            fields = operation.grouped(operands)
            if operation.op.rows is None and not _is_elementwise(
                operation.op, _varying(fields, varying)
            ):
                return False
            varying.update(results)
        return any(k < parameters for _, operands, _ in self.steps for k in operands)

    def columns(self, given: dict[int, Any], template: Values) -> dict[int, Columns] | None:
        """What the steps give for many elements at once: for each slot a sequence of arrays. None
        where one of the operations cannot do that.
        """
        found: dict[int, Any] = dict(given)
        for operation, operands, results in self.steps:
            fields = operation.grouped(operands)
            columns = _columns(operation, fields, found, template)
            if columns is None:
                return None
            found.update(zip(results, columns, strict=True))
        return {k: column for k, column in found.items() if k not in given}


def _varying(fields: Sequence[Any], slots: Container[int]) -> list[bool]:
    """Which fields of an operation have operands at these places."""
    return [any(k in slots for k in (one if isinstance(one, tuple) else (one,))) for one in fields]


def _columns(
    operation: Application, fields: Sequence[Any], stacked: dict[int, Any], template: Values
) -> Sequence[Columns] | None:
    """The results of one operation on stacked operands."""
    op = operation.op
    varying = _varying(fields, stacked)
    if op.rows is None and not _is_elementwise(op, varying):
        return None
    count = len(next(iter(stacked.values())))

    def array_at(slot: int, repeats: bool) -> Any:
        if slot in stacked:
            return stacked[slot] if isinstance(stacked[slot], np.ndarray) else None
        array = template[slot]._array
        return np.repeat(array[None], count, 0) if repeats else array

    operands: list[Any] = []
    for field, one in zip(op.inputs, fields, strict=True):
        repeats = op.rows is None and field.axes == ELEMENTWISE
        slots = one if isinstance(one, tuple) else (one,)
        arrays = [array_at(k, repeats) for k in slots]
        if any(array is None for array in arrays):
            return None
        operands.append(tuple(arrays) if isinstance(one, tuple) else arrays[0])
    application = op(*operands, **operation.attrs)
    if op.rows is not None:
        return application.rows(np, varying)
    if op.string_inputs:
        require_texts(application)
    result = application.evaluated(np)
    results = [result] if op.single else list(result)
    return [
        as_output(one, field.fixed_dtype)._array
        for one, field in zip(results, op.outputs, strict=True)
    ]


def _array_at(column: Any, at: int) -> Any:
    """One of a sequence of arrays: an array as well where they are stacked scalars."""
    return column[at, ...] if isinstance(column, np.ndarray) else column[at]


def _is_elementwise(op: Any, varying: Sequence[bool]) -> bool:
    """Whether it does the same to each element of what varies."""
    fields = [one for one, varies in zip(op.inputs, varying, strict=True) if varies]
    return (
        (op.by_element or op.ignores_places)
        and op.eager is not None
        and all(
            field.axes == ELEMENTWISE and not field.variants for field in (*fields, *op.outputs)
        )
    )


class NativeSegment:
    """Operations that are one native program."""

    def __init__(self, whole: Segments, operations: Sequence[Application], graph: Graph) -> None:
        made = dict.fromkeys(value for one in operations for value in one.results)
        used = [value for one in operations for value in one.operands]
        constants = whole.constants_of(used)
        fixed = {one.results[0] for one in constants}
        outside = [one for one in dict.fromkeys(used) if one not in made and one not in fixed]
        held = set(graph.captures)
        self._captures = [one for one in outside if one in held]
        self._graph = graph
        parameters = [one for one in outside if one not in held]
        results = [value for value in made if whole.leaves(value)]
        self._operands = [whole.slot(one) for one in parameters]
        self._results = [whole.slot(one) for one in results]
        part = Graph(
            graph.name, tuple(parameters), tuple(self._captures), (*constants, *operations),
            tuple(results), graph.attrs,
        )  # fmt: skip
        self._executable = backends.default().compile(part)

    def bound(self, captured: Sequence[Any]) -> Callable[[Values], None]:
        """What runs it."""
        by_value = dict(zip(self._graph.captures, captured, strict=True))
        bound = self._executable.bind([by_value[one] for one in self._captures])

        def go(values: Values) -> None:
            operands = [values[k] for k in self._operands]
            found = bound.entry(*operands)
            if found is NotImplemented:
                found = bound(*operands)
            for place, tensor in zip(self._results, found, strict=True):
                values[place] = tensor

        return go


class BoundSegments:
    """Segments and what the function captured; called with the components of an element."""

    def __init__(self, segments: Segments, captured: Sequence[Any]) -> None:
        self._segments = segments
        self._template = segments.template(captured)
        self._parts = [part.bound(captured) for part in segments.parts]
        self._returns = segments.returns
        first = segments.parts[0] if segments.parts else None
        parameters = len(segments.graph.parameters)
        self._first: PythonSegment | None = None
        if (
            isinstance(first, PythonSegment)
            and not segments.keeping_order
            and first.takes_rows(parameters)
        ):
            self._first = first

    @property
    def takes_rows(self) -> bool:
        """Whether `rows` may give something."""
        return self._first is not None

    def __call__(self, *element: Any) -> Element:
        values = self._template.copy()
        values[: len(element)] = element
        return self._finished(values, self._parts)

    def _finished(self, values: Values, parts: Sequence[Callable[[Values], None]]) -> Element:
        entered = context.entered(context.base) if context.building_graph() else nullcontext()
        try:
            with entered:
                for part in parts:
                    part(values)
        except OpError as error:
            raise in_function(error, self._segments.graph.called) from error.__cause__
        return tuple([values[k] for k in self._returns])

    def rows(self, elements: Sequence[Element]) -> list[Callable[[], Element]] | None:
        """What gives the results for each of several elements, of which the first segment was
        computed together. None where that is not possible: then they are to be called one by one.
        """
        if self._first is None or len(elements) < 2:
            return None
        wanted = {k for _, operands, _ in self._first.steps for k in operands}
        arrays = [[one._array for one in column] for column in zip(*elements, strict=True)]
        taken = {k: column for k, column in enumerate(arrays) if k in wanted}
        if not taken or any(len({one.shape for one in column}) > 1 for column in taken.values()):
            return None
        given = {k: stack_arrays(column) for k, column in taken.items()}
        try:
            columns = self._first.columns(given, self._template)
        except Exception:  # an element is bad: whoever calls one by one is told which, and where
            return None
        if columns is None:
            return None
        return [self._row(element, columns, at) for at, element in enumerate(elements)]

    def _row(self, element: Element, columns: dict[int, Columns], at: int) -> Callable[[], Element]:
        def finished() -> Element:
            values = self._template.copy()
            values[: len(element)] = element
            for slot, column in columns.items():
                values[slot] = wrap(_array_at(column, at))
            return self._finished(values, self._parts[1:])

        return finished
