"""Which sizes loops keep: found by a fixpoint over graphs before anything is lowered.

A loop may carry arrays of sizes that only a run tells. Where its body hands on sizes as they were
before the loop, and these are sizes of the program's inputs, everything inside may take them for
equal: no registers hold them, nothing compares them. The same is asked of native lists, for the
sizes of their elements.

To find out, the graph is read for the sizes of results alone (sizes/size_builder.py). At first
every loop is taken to keep all sizes that it can keep. What a body turns out to change is marked,
and the outermost loop around is read again, until a reading marks nothing. Marks are never taken
back, and a reading goes on behind a mark with a size that is not known: so one reading marks what
changes in all the loops of a nest, and how often a body is read does not depend on the depth, only
on how many marks lead to each other (of arrays that hand on their shapes, one after the other).
What is left unmarked is an invariant of each loop: it holds before, and every iteration keeps it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, final

from ....core.process.named_tuples import NamedTuple
from ....core.specs import ListSpec, ResourceSpec, TensorSpec, common_spec
from ....errors import InvalidArgumentError
from ....graph.ir import Application, Graph, Value
from ....graph.nested_graphs import every_operation
from ....graph.passes.expansions import Expansions
from ....ops.constant import Const
from ....ops.control.functional import Loop
from ....ops.lowering import NotStatic
from ...loops.ir import Buffer
from ...lowered import stays_in_python
from .. import lists
from ..arrays import Array, Size, same_size
from ..rules import asked, why_called_back
from ..scalars import Scalar
from ..values import NULL, Handle, List
from .marks import KeptSizes, Path, Place
from .size_builder import SizeBuilder


def kept_sizes(graph: Graph, expansions: Expansions) -> KeptSizes:
    """What the loops of `graph`, and those inside of its operations, keep."""
    if not any(map(_may_change_sizes, every_operation(graph))):
        return KeptSizes()
    reader = SizeReader(expansions)
    reader.run(graph, [reader.input(value) for value in graph.inputs])
    return KeptSizes(reader.changes)


def _may_change_sizes(operation: Application) -> bool:
    """Whether it is a loop that carries sizes which the trace does not know."""
    if not issubclass(operation.op, Loop):
        return False
    body: Graph = operation.attrs["body"]
    pairs = zip(body.parameters, body.returns, strict=True)
    return any(given is not result and _has_open_sizes(given.spec) for given, result in pairs)


def _has_open_sizes(spec: Any) -> bool:
    if stays_in_python(spec):
        return False
    tensor = spec.element if isinstance(spec, ListSpec) else spec
    return isinstance(tensor, TensorSpec) and not tensor.shape.is_fully_defined()


class _Carried(NamedTuple):
    """What a loop carries as `number`; `is_replaced`: its body hands on something else."""

    number: int
    spec: Any
    is_replaced: bool

    @property
    def open_axes(self) -> list[int]:
        """The axes whose sizes the trace does not know."""
        return [axis for axis, size in enumerate(self.spec.shape.as_tuple()) if size is None]

    def changes(self, old: Any, new: Any) -> Iterator[Place]:
        """The sizes in which a result differs from what the iteration began with."""
        if not self.is_replaced:
            return
        if isinstance(old, List):
            after = lists.either(old, new) if isinstance(new, List) else None
            if not old.is_unknown and (after is None or after.is_unknown):
                yield self.number, None
        elif isinstance(old, Array):
            for axis in self.open_axes:
                kept = isinstance(new, Array) and same_size(old.shape[axis], new.shape[axis])
                if not kept:
                    yield self.number, axis


@final
class SizeReader:
    """Reads graphs for the sizes of what they return, and marks what loops change."""

    def __init__(self, expansions: Expansions) -> None:
        self.changes: dict[Path, set[Place]] = {}
        self._builder = SizeBuilder(self)
        self._expansions = expansions
        self._path: list[Application] = []
        self._is_in_loop = False
        self._found_more = False

    def input(self, value: Value) -> Any:
        spec = value.spec
        if isinstance(spec, ResourceSpec):
            return self._handle(spec)
        if not isinstance(spec, TensorSpec) or stays_in_python(spec):
            return self._builder.anything(spec)
        array = self._builder.anything(spec)
        sizes = [one.expression for one in array.shape if isinstance(one, Scalar)]
        self._builder.blocks.input_sizes.update(sizes)
        return array

    def _handle(self, spec: ResourceSpec) -> Handle:
        state = spec.state
        if stays_in_python(state) or not state.shape.is_fully_defined():
            return self._builder.anything(spec)
        sizes = tuple([size or 0 for size in state.shape.as_tuple()])
        return Handle(Buffer("state", "i8", (), "state"), state.dtype, sizes, -1)

    # ------------------------------------------------------------ one graph

    def run(self, graph: Graph, operands: Sequence[Any]) -> list[Any]:
        values = dict(zip(graph.inputs, operands, strict=True))
        for operation in graph.operations:
            given = tuple(values[value] for value in operation.operands)
            values.update(zip(operation.results, self._results(operation, given), strict=True))
        return [values[value] for value in graph.returns]

    def _results(self, operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
        """What the operation's rule returns; no more than its specs say where Python does it."""
        if operation.op is Const and not stays_in_python(operation.results[0].spec):
            value, dtype = operation.attrs["value"], operation.attrs["dtype"]
            return (self._builder.literal_array(value, dtype),)
        if why_called_back(operation, operands) is None:
            self._path.append(operation)
            try:
                return self._native(operation, operands)
            except (NotStatic, InvalidArgumentError, ValueError, IndexError):
                pass
            finally:
                self._path.pop()
        return [self._builder.anything(value.spec) for value in operation.results]

    def _native(self, operation: Application, operands: tuple[Any, ...]) -> Sequence[Any]:
        op = operation.op
        if op.lower is None:
            return self.run(self._expansions.of(operation), operands)
        application = op(*operation.grouped(operands), **operation.attrs)
        results = asked(application, self._builder)
        specs = [value.spec for value in operation.results]
        return [self._fitting(*pair) for pair in zip(specs, results, strict=True)]

    def _fitting(self, spec: Any, result: Any) -> Any:
        """A result that has the rank which those that read it rely on."""
        if not isinstance(result, Array) or spec.shape.rank in (None, result.rank):
            return result
        return self._builder.anything(spec)

    # ------------------------------------------------------------ graphs inside

    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        if not isinstance(graph, Graph):
            raise NotStatic("it is compiled by itself")
        return tuple(self.run(graph, operands))

    def branch(self, graphs: Sequence[Any], operands: Sequence[Any]) -> tuple[Any, ...]:
        outcomes = zip(*[self.run(graph, operands) for graph in graphs], strict=True)
        specs = zip(*[[value.spec for value in graph.returns] for graph in graphs], strict=True)
        return tuple([self._either(*pair) for pair in zip(specs, outcomes, strict=True)])

    def _either(self, specs: Sequence[Any], values: Sequence[Any]) -> Any:
        spec = common_spec(specs)
        if isinstance(spec, ResourceSpec):
            return values[0]
        if isinstance(spec, ListSpec) and not stays_in_python(spec):
            known: List = reduce(lists.either, values)
            return List(NULL, spec, known.sizes, known.is_unwritten)
        return self._builder.anything(spec)

    # ------------------------------------------------------------ loops

    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        if self._is_in_loop:
            return self._reading(condition, body, operands)
        self._is_in_loop = True
        try:
            while True:
                self._found_more = False
                results = self._reading(condition, body, operands)
                if not self._found_more:
                    return results
        finally:
            self._is_in_loop = False

    def _reading(self, condition: Graph, body: Graph, operands: Sequence[Any]) -> tuple[Any, ...]:
        """One reading of a loop: what is carried after it."""
        marks = self.changes.setdefault(tuple(self._path), set())
        pairs = enumerate(zip(body.parameters, body.returns, strict=True))
        carried = [_Carried(number, one.spec, one is not other) for number, (one, other) in pairs]
        before = [self._begin(*pair, marks) for pair in zip(carried, operands, strict=True)]
        self.run(condition, before)
        results = self.run(body, before)
        found = {
            place
            for one, old, new in zip(carried, before, results, strict=True)
            for place in one.changes(old, new)
        } - marks
        marks |= found
        self._found_more |= bool(found)
        return tuple(
            self._end(*every, marks) for every in zip(carried, operands, results, strict=True)
        )

    def _begin(self, carried: _Carried, operand: Any, marks: set[Place]) -> Any:
        """What an iteration begins with, where only marked sizes differ from those of `operand`."""
        spec = carried.spec
        if not carried.is_replaced or isinstance(spec, ResourceSpec):
            return operand
        if isinstance(operand, List) and isinstance(spec, ListSpec):
            if (carried.number, None) in marks:
                return List(NULL, spec)
            return replace(operand, spec=spec)
        if not isinstance(operand, Array) or stays_in_python(spec):
            return self._builder.anything(spec)
        sizes: list[Size] = list(spec.shape.as_tuple())
        for axis in carried.open_axes:
            given = operand.shape[axis]
            if not self._builder.blocks.is_lasting(given):
                marks.add((carried.number, axis))
            sizes[axis] = self._builder.size() if (carried.number, axis) in marks else given
        return self._builder.array(sizes, spec.dtype)

    def _end(self, carried: _Carried, operand: Any, result: Any, marks: set[Place]) -> Any:
        """What is left behind by the last iteration, or by none."""
        after = self._begin(carried, operand, marks)
        if isinstance(after, List) and isinstance(result, List) and carried.is_replaced:
            return replace(lists.either(after, result), spec=after.spec)
        return after
