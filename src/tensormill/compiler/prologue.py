"""Operations on handles of Python's objects that come first in a graph run before native code.

    step(it: object<iterator(f32[?])>):             it.get_next() in Python, then
      x: f32[?] = IteratorGetNext(it)       ->      step(x: f32[?]):
      y: f32[?] = Exp(x)                              y: f32[?] = Exp(x)
      return y                                        return y

What is left often needs no Python, and is then called by its native entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..core import context
from ..core.process.named_tuples import NamedTuple
from ..core.specs import ObjectSpec
from ..eager.execute import as_output
from ..eager.tensor import EagerTensor
from ..errors import OpError
from ..graph.failure import in_function, located
from ..graph.ir import Application, Graph, Value
from ..ops.control.functional import Functional, effects_of
from .program import NativeExecutable
from .text_values import has_strings, is_fixed_table

if TYPE_CHECKING:
    from .spelled import SpelledExecutable


def executable_of(graph: Graph) -> NativeExecutable | SpelledExecutable:
    """What runs a graph natively."""
    if not has_strings(graph):
        return NativeExecutable(graph)
    from .spelled import SpelledExecutable  # and the operations on spans

    return SpelledExecutable(graph)


class Prologue(NamedTuple):
    """The first operation, the rest, and which inputs of the whole the rest still takes.

    The results of the operation are the last parameters of the rest.
    """

    operation: Application
    rest: Graph
    parameters: tuple[int, ...]
    captures: tuple[int, ...]


def split(graph: Graph) -> Prologue | None:
    """The graph without its first step in Python, where that may run before all others."""
    operation = _first_with_effects(graph)
    if operation is None or not _is_step_on_object(operation, graph):
        return None
    others = tuple(one for one in graph.operations if one is not operation)
    if any(operation in one.after for one in others):
        return None
    used = {operand for one in others for operand in one.operands} | set(graph.returns)
    parameters = _kept(graph.parameters, used)
    captures = _kept(graph.captures, used)
    rest = Graph(
        graph.name,
        (*(graph.parameters[k] for k in parameters), *operation.results),
        tuple(graph.captures[k] for k in captures),
        others,
        graph.returns,
        graph.attrs,
    )
    return Prologue(operation, rest, parameters, captures)


def _first_with_effects(graph: Graph) -> Application | None:
    for operation in graph.operations:
        if effects_of(operation.op, operation.attrs):
            return operation
    return None


def _is_step_on_object(operation: Application, graph: Graph) -> bool:
    """Whether an operation on an object that the graph is given runs in Python anyway."""
    op = operation.op
    if op.lower is not None or op.expand is not None or issubclass(op, Functional):
        return False
    if op.on_spans is not None and any(map(is_fixed_table, operation.operands)):
        return False
    inputs = set(graph.inputs)
    return bool(operation.operands) and all(
        one in inputs and isinstance(one.spec, ObjectSpec) for one in operation.operands
    )


def _kept(values: Sequence[Value], used: set[Value]) -> tuple[int, ...]:
    """Objects that nothing else looks into are left out."""
    return tuple(
        k for k, one in enumerate(values) if one in used or not isinstance(one.spec, ObjectSpec)
    )


class PrologueStep(NamedTuple):
    """What a report says of the operation."""

    operation: Application

    def __str__(self) -> str:
        step = self.operation
        return f"{step.op.name} '{step.name}' ({step.line}): it has no native rule"


class PrologueExecutable:
    """A graph whose first step runs in Python before its native code."""

    notes: Sequence[str] = ()

    def __init__(self, graph: Graph, prologue: Prologue) -> None:
        self.graph: Final = graph
        self._prologue = prologue
        self._rest = executable_of(prologue.rest)

    @property
    def callbacks(self) -> tuple[Any, ...]:
        """The first step, and those of what is left."""
        return PrologueStep(self._prologue.operation), *self._rest.callbacks

    @property
    def texts(self) -> tuple[str, ...]:
        """The LLVM IR of what was compiled so far."""
        return self._rest.texts

    def bind(self, captures: Sequence[Any]) -> BoundPrologue:
        kept = [captures[k] for k in self._prologue.captures]
        return BoundPrologue(self.graph, self._prologue, captures, self._rest.bind(kept))


class BoundPrologue:
    """Such an executable with its captures. It is its own quick way in."""

    __slots__ = (
        "__weakref__",
        "_captures",
        "_count",
        "_function",
        "_kept",
        "_operation",
        "_places",
        "_rest",
    )

    def __init__(
        self, graph: Graph, prologue: Prologue, captures: Sequence[Any], rest: Any
    ) -> None:
        self._captures = tuple(captures)
        self._function = graph.called
        self._count = len(graph.parameters)
        self._operation = prologue.operation
        numbers = {value: k for k, value in enumerate(graph.inputs)}
        self._places = [numbers[one] for one in prologue.operation.operands]
        self._kept = prologue.parameters
        self._rest = rest

    @property
    def entry(self) -> Any:
        return self

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        inputs = (*operands, *self._captures)
        made = self._run([inputs[k]._array for k in self._places])
        passed = (*[operands[k] for k in self._kept], *made)
        results = self._rest.entry(*passed)
        return self._rest(*passed) if results is NotImplemented else results

    def _run(self, payloads: Sequence[Any]) -> list[Any]:
        operation = self._operation
        application = operation.op(*operation.grouped(tuple(payloads)), **operation.attrs)
        try:
            if context.current.get(None) is None:
                results = application.evaluated(np)
            else:
                with context.entered(context.base):
                    results = application.evaluated(np)
        except OpError as error:
            raise in_function(located(error, operation), self._function) from error.__cause__
        listed: Sequence[Any] = (results,) if operation.op.single else results
        return [one if type(one) is EagerTensor else as_output(one, None) for one in listed]
