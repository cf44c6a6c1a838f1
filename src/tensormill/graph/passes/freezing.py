"""Graphs that take the values of variables where they took the variables.

    graph f(x: f32[2])[v: resource<f32[2]>]:       graph f(x: f32[2])[v: f32[2]]:
      read: f32[2] = ReadVariableOp(v)        →      read: f32[2] = Identity(v)
      y: f32[2] = Mul(x, read)                       y: f32[2] = Mul(x, read)

Branches and bodies that are handed the variable are handed its value; functions that are called
are written where they are called. Every operation keeps its name, one of a called function after
the name of the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from ...core.dtypes import int32
from ...core.specs import ResourceSpec, TensorSpec
from ...ops.array.gather import GatherV2
from ...ops.constant import Const
from ...ops.control.flow import Identity
from ...ops.control.functional import Branching, Call, Loop
from ...ops.state.variable_rows import ResourceGather
from ...ops.state.variables import ReadVariableOp
from ..ir import Application, Graph, Value

Places = tuple[int, ...]


class Freezing:
    """Rewrites graphs, each once for the inputs that are variables no longer."""

    def __init__(self) -> None:
        self._known: dict[tuple[Graph, Places], Graph] = {}

    def graph(self, graph: Graph, places: Places) -> Graph:
        """`graph` with values of variables for its inputs at `places`.

        Raises:
            ValueError: it changes such a variable, or needs more of it than its value.
        """
        key = graph, places
        if key not in self._known:
            self._known[key] = self._rewritten(graph, places)
        return self._known[key]

    def _rewritten(self, graph: Graph, places: Places) -> Graph:
        inputs = [_valued(one) if k in places else one for k, one in enumerate(graph.inputs)]
        body = _Body(self, dict(zip(graph.inputs, inputs, strict=True)), "")
        body.add(graph.operations)
        count = len(graph.parameters)
        return replace(
            graph,
            parameters=tuple(inputs[:count]),
            captures=tuple(inputs[count:]),
            operations=tuple(body.operations),
            returns=tuple(map(body.now, graph.returns)),
        )


class _Body:
    """The operations of one graph, as they are written again."""

    def __init__(self, freezing: Freezing, values: dict[Value, Value], prefix: str) -> None:
        self._freezing: Final = freezing
        self._values: Final = values
        self._prefix: Final = prefix
        self._made: Final[dict[Application, Application]] = {}
        self.operations: Final[list[Application]] = []

    def now(self, value: Value) -> Value:
        return self._values.get(value, value)

    def add(self, operations: Sequence[Application]) -> None:
        for operation in operations:
            if issubclass(operation.op, Call):
                self._inline(operation)
            else:
                self._add(operation)

    def _inline(self, call: Application) -> None:
        called: Graph = call.attrs["f"]
        operands = map(self.now, call.operands)
        values = dict(zip(called.inputs, operands, strict=True))
        inside = _Body(self._freezing, values, f"{self._prefix}{call.name}/")
        inside.add(called.operations)
        self.operations.extend(inside.operations)
        self._values.update(zip(call.results, map(inside.now, called.returns), strict=True))

    def _add(self, operation: Application) -> None:
        operands = tuple(map(self.now, operation.operands))
        places = tuple(
            k for k, one in enumerate(operation.operands) if _is_frozen(one, operands[k])
        )
        made = replace(
            operation,
            name=self._prefix + operation.name,
            operands=operands,
            after=tuple(self._made[one] for one in operation.after if one in self._made),
        )
        if places or any(isinstance(one, Graph) for one in _parts(operation.attrs.values())):
            made = self._on_values(made, places)
        results = tuple(_named(one, self._prefix) for one in made.results)
        made = replace(made, results=results)
        self._values.update(zip(operation.results, results, strict=True))
        self._made[operation] = made
        self.operations.append(made)

    def _on_values(self, operation: Application, places: Places) -> Application:
        if issubclass(operation.op, (Branching, Loop)):
            return self._with_graphs(operation, places)
        if not places:
            return operation
        if operation.op is ReadVariableOp or issubclass(operation.op, Identity):
            results = (replace(operation.results[0], spec=operation.operands[0].spec),)
            return replace(operation, op=Identity, attrs={}, results=results)
        if operation.op is ResourceGather:
            return self._gathering(operation)
        raise ValueError(
            f"the operation '{operation.name}' ({operation.op.__name__}) takes a variable itself, "
            "not its value: a function with it cannot have constants for its variables"
        )

    def _gathering(self, operation: Application) -> Application:
        name = f"{operation.name}/axis"
        axis = Value(name, TensorSpec([], int32))
        attrs = {"value": np.zeros((), np.int32), "dtype": int32}
        self.operations.append(Application(Const, name, (), (), attrs, (axis,)))
        return replace(
            operation,
            op=GatherV2,
            operands=(*operation.operands, axis),
            counts=(None, None, None),
            attrs={"batch_dims": operation.attrs.get("batch_dims", 0)},
        )

    def _with_graphs(self, operation: Application, places: Places) -> Application:
        first = len(operation.operands) - (operation.counts[-1] or 0)
        inner = tuple(one - first for one in places)

        def rewritten(value: Any) -> Any:
            if isinstance(value, Graph):
                return self._freezing.graph(value, inner)
            if isinstance(value, (list, tuple)):
                several = cast("list[Any] | tuple[Any, ...]", value)
                return type(several)([rewritten(one) for one in several])
            return value

        attrs = {name: rewritten(value) for name, value in operation.attrs.items()}
        graph = next(one for one in _parts(reversed(attrs.values())) if isinstance(one, Graph))
        graph = attrs.get("body", graph)
        pairs = zip(operation.results, graph.returns, strict=True)
        results = tuple(
            replace(one, spec=now.spec) if _is_frozen(one, now) else one for one, now in pairs
        )
        return replace(operation, attrs=attrs, results=results)


def _parts(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from value
        else:
            yield value


def _valued(variable: Value) -> Value:
    """The value of a variable, called as the variable; what is none stays as it is."""
    spec = variable.spec
    return Value(variable.name, spec.state) if isinstance(spec, ResourceSpec) else variable


def _is_frozen(before: Value, now: Value) -> bool:
    return isinstance(before.spec, ResourceSpec) and not isinstance(now.spec, ResourceSpec)


def _named(value: Value, prefix: str) -> Value:
    """A value of its own: a function that is called twice gives two."""
    return Value(prefix + value.name, value.spec) if prefix else value
