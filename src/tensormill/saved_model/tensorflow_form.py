"""Graphs as TensorFlow would run them: its operations only, and its ways of ordering effects.

Here operations happen in the order in which they stand; there, only what takes from another or
names it as a control input comes after it. A loop there always counts its iterations, because its
gradient needs that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final, cast

import numpy as np

from ..autodiff.users.custom_in_graphs import CustomGradient, traced_gradient
from ..autodiff.users.later_gradients import LaterGradient
from ..core import context, dtypes
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..graph import ir
from ..graph.builder import FuncGraph, SymbolicTensor
from ..graph.names import UniqueNames
from ..graph.nested_graphs import every_operation
from ..graph.proto.attributes import GRADIENT_TYPE
from ..graph.proto.graphdef_import import CONNECTED, COUNTS, GRADIENT
from ..ops.constant import Const
from ..ops.control.flow import Identity, IdentityN, NoOp
from ..ops.control.functional import GivenGraphs, Loop, effects_of, variable_of
from ..ops.effects import Effect, Reads, World, Writes
from ..ops.lists.list_elements import TensorListAdd
from ..ops.math.arithmetic import AddV2
from ..ops.math.sums import AddN
from ..ops.state.table_handles import NamedTable
from .expansions import EXPANSIONS, Expansion

# Operations that are made of what is known to this process alone.
DATASETS: Final = frozenset(
    ("MakeDataset", "UseDataset", "IterateDataset", "IteratorTryNext", "IteratorNextRows", "Blank")
)
COUNTER: Final = TensorSpec((), dtypes.int32)
# So many gradients of the user's that lie within each other are written; TensorFlow writes one. A
# function whose gradient calls it again has no last one.
ORDERS: Final = 2


class TensorFlowForm:
    """Converts graphs, each once: a graph that is called twice stays one function."""

    def __init__(self) -> None:
        self._done: dict[tuple[ir.Graph, int], ir.Graph] = {}
        self._order = 0  # how many gradients of the user's lie around what is converted
        self.gradient_numbers = count()
        self.table_numbers = count()
        # What of datasets TensorFlow has no operations for, as it was met.
        self.unwritten: list[str] = []

    def of(self, graph: ir.Graph) -> ir.Graph:
        """The graph; what it captured is among its parameters."""
        key = graph, self._order if _depends_on_order(graph) else 0
        if key not in self._done:
            self._done[key] = in_order_of_effects(_GraphConversion(self, graph).result())
        return self._done[key]

    def gradient(self, gradient: ir.Graph | LaterGradient, connected: Any) -> dict[str, Any] | None:
        """What the note of a gradient of the user's says; None where it is one of too many."""
        if isinstance(gradient, LaterGradient) and self._order >= ORDERS:
            return None
        graph, numbers = traced_gradient(gradient, connected)
        self._order, before = self._order + 1, self._order
        try:
            return {GRADIENT: self.of(graph), CONNECTED: list(numbers)}
        finally:
            self._order = before

    def loop(self, cond: ir.Graph, body: ir.Graph) -> tuple[ir.Graph, ir.Graph]:
        """Condition and body with a counter of iterations and their maximum as first variables."""
        return _counted(self.of(cond), False), _counted(self.of(body), True)


def _depends_on_order(graph: ir.Graph) -> bool:
    """Whether a gradient of the user's in it is traced when somebody asks for it."""
    kinds = (one.attrs["gradient"] for one in every_operation(graph) if one.op is CustomGradient)
    return any(isinstance(one, LaterGradient) for one in kinds)


def _counted(graph: ir.Graph, is_body: bool) -> ir.Graph:
    names = names_of(graph)
    counter, maximum = (
        ir.Value(names.claim(text), COUNTER) for text in ("loop_counter", "maximum_iterations")
    )
    counted = replace(graph, parameters=(counter, maximum, *graph.parameters))
    if not is_body:
        return counted
    one = _constant(names.claim("count/one"), 1)
    name = names.claim("count")
    total = ir.Value(name, COUNTER)
    add = ir.Application(AddV2, name, (counter, one.results[0]), (None, None), {}, (total,))
    return replace(
        counted,
        operations=(*graph.operations, one, add),
        returns=(total, maximum, *graph.returns),
    )


def _is_counted(body: ir.Graph) -> bool:
    """Whether a loop's first variables are what TensorFlow's are."""
    names = [value.name for value in body.parameters[:2]]
    pairs = zip(names, ("loop_counter", "maximum_iterations"), strict=False)
    return len(names) == 2 and all(wanted in name for name, wanted in pairs)


def _marks(count: int) -> dict[str, Any]:
    """What TensorFlow notes on loops that it may differentiate."""
    return {"_lower_using_switch_merge": True, "_num_original_outputs": count}


def _constant(name: str, number: int) -> ir.Application:
    attrs = {"value": np.array(number, np.int32), "dtype": dtypes.int32}
    return ir.Application(Const, name, (), (), attrs, (ir.Value(name, COUNTER),))


def names_of(graph: ir.Graph) -> UniqueNames:
    """The names that are taken in a graph."""
    names = UniqueNames()
    for value in graph.inputs:
        names.claim(value.name)
    for operation in graph.operations:
        names.claim(operation.name)
    return names


class _GraphConversion:
    """The operations of one graph, one after another."""

    def __init__(self, forms: TensorFlowForm, graph: ir.Graph) -> None:
        self._forms = forms
        self._graph = graph
        self._names = names_of(graph)
        self._operations: list[ir.Application] = []
        self._values: dict[ir.Value, ir.Value] = {}
        self._made: dict[ir.Application, tuple[ir.Application, ...]] = {}

    def result(self) -> ir.Graph:
        for operation in self._graph.operations:
            before = len(self._operations)
            self._add(operation)
            self._made[operation] = tuple(self._operations[before:])
        returns = tuple(self._value(one) for one in self._graph.returns)
        return ir.Graph(
            self._graph.name,
            self._graph.inputs,
            (),
            tuple(self._operations),
            returns,
            self._graph.attrs,
        )

    def _value(self, value: ir.Value) -> ir.Value:
        return self._values.get(value, value)

    def _add(self, operation: ir.Application) -> None:
        operands = tuple(self._value(one) for one in operation.operands)
        after = tuple(one for old in operation.after for one in self._made.get(old, ()))
        operation = replace(operation, operands=operands, after=after)
        if operation.op is CustomGradient:
            self._add_customized(operation)
        elif operation.op in EXPANSIONS:
            self._expand(operation, EXPANSIONS[operation.op])
        elif operation.op.name in DATASETS:
            self._write_dataset(operation)
        elif operation.op is TensorListAdd:  # adds lists there, too
            self._operations.append(replace(operation, op=AddN, counts=(2,)))
        elif issubclass(operation.op, NamedTable) and not operation.attrs["shared_name"]:
            name = f"{operation.name}_{next(self._forms.table_numbers)}"
            attrs = {**operation.attrs, "shared_name": name}  # without one, there, it is the node's
            self._operations.append(replace(operation, attrs=attrs))
        elif issubclass(operation.op, Loop):
            self._add_loop(operation)
        elif issubclass(operation.op, GivenGraphs):
            attrs = {key: self._attribute(value) for key, value in operation.attrs.items()}
            self._operations.append(replace(operation, attrs=attrs))
        else:
            self._operations.append(operation)

    def _attribute(self, value: Any) -> Any:
        if isinstance(value, ir.Graph):
            return self._forms.of(value)
        if isinstance(value, (list, tuple)):
            return tuple(self._attribute(one) for one in cast(Sequence[Any], value))
        return value

    def _add_customized(self, operation: ir.Application) -> None:
        """An IdentityN, as TensorFlow has it: of the values, and of all that the gradient needs.

        Its attributes tell us the gradient, and TensorFlow under which name it is registered.
        """
        groups = operation.grouped(operation.operands)
        others = operation.operands[len(operation.results) :]
        unused = (
            ir.Value(f"{operation.name}:{k}", value.spec)
            for k, value in enumerate(others, len(operation.results))
        )
        attrs: dict[str, Any] = {
            GRADIENT_TYPE: f"CustomGradient-{next(self._forms.gradient_numbers)}",
        }
        noted = self._forms.gradient(operation.attrs["gradient"], operation.attrs["connected"])
        if noted is not None:
            attrs.update(noted, **{COUNTS: [len(group) for group in groups]})
        results = (*operation.results, *unused)
        counts = (len(operation.operands),)
        self._operations.append(
            replace(operation, op=IdentityN, counts=counts, attrs=attrs, results=results)
        )

    def _add_loop(self, operation: ir.Application) -> None:
        if _is_counted(operation.attrs["body"]):
            attrs = {
                **{key: self._attribute(value) for key, value in operation.attrs.items()},
                **_marks(len(operation.results)),
            }
            self._operations.append(replace(operation, attrs=attrs))
        else:
            self._add_counted(operation)

    def _add_counted(self, operation: ir.Application) -> None:
        """A loop over gradients, which counts nothing by itself."""
        cond, body = self._forms.loop(operation.attrs["cond"], operation.attrs["body"])
        start = _constant(self._names.claim(f"{operation.name}/loop_counter"), 0)
        limit = _constant(self._names.claim(f"{operation.name}/maximum_iterations"), -1)
        results = (
            ir.Value(f"{operation.name}/counter", COUNTER),
            ir.Value(f"{operation.name}/maximum", COUNTER),
            *operation.results,
        )
        attrs = {**operation.attrs, "cond": cond, "body": body, **_marks(len(results))}
        operands = (start.results[0], limit.results[0], *operation.operands)
        self._operations += [start, limit]
        self._operations.append(
            replace(
                operation, operands=operands, counts=(len(operands),), attrs=attrs, results=results
            )
        )

    def _write_dataset(self, operation: ir.Application) -> None:
        """What makes a dataset or goes over one, or itself where TensorFlow has nothing for it."""
        from ..data.graphs.writing import RULES, UnwritableDatasetError

        rule = RULES[operation.op.name]
        before = len(self._operations)
        try:
            self._expand(operation, lambda application, shape: rule(application))
        except UnwritableDatasetError as error:
            del self._operations[before:]
            self._forms.unwritten.append(str(error))
            self._operations.append(operation)

    def _expand(self, operation: ir.Application, rule: Expansion) -> None:
        """Trace the rule for one operation, and take over what it made, under new names."""
        graph = FuncGraph(operation.name)
        taken: dict[ir.Value, SymbolicTensor] = {}
        with context.interpreting(graph):
            operands = tuple(self._operand(graph, value, taken) for value in operation.operands)
            application = operation.op(*operation.grouped(operands), **operation.attrs)
            shapes = [result.spec.shape for result in operation.results] or [TensorShape(())]
            made = rule(application, shapes[0])
        several = list(made) if isinstance(made, (list, tuple)) else [made]
        finished = graph.finish(several if operation.results else [])
        self._take_over(operation, finished, {t.op.results[0]: v for v, t in taken.items()})

    def _operand(
        self, graph: FuncGraph, value: ir.Value, taken: dict[ir.Value, SymbolicTensor]
    ) -> SymbolicTensor:
        """What stands for an operand while its operation is expanded: rules may ask for numbers."""
        known = self._known(value)
        if known is not None:
            return graph.constant(known, "operand")
        if value not in taken:
            taken[value] = graph.placeholder(value.spec, "operand")
        return taken[value]

    def _known(self, value: ir.Value) -> Any:
        """The array in a constant of this graph."""
        for operation in self._operations:
            if operation.op is Const and operation.results[0] is value:
                return operation.attrs["value"]
        return None

    def _take_over(
        self, operation: ir.Application, graph: ir.Graph, values: dict[ir.Value, ir.Value]
    ) -> None:
        for step in graph.operations:
            name = self._names.claim(f"{operation.name}/{step.name}")
            results = tuple(
                ir.Value(f"{name}:{k}" if k else name, value.spec)
                for k, value in enumerate(step.results)
            )
            operands = tuple(values.get(one, one) for one in step.operands)
            made = replace(step, name=name, operands=operands, results=results, after=())
            self._add(replace(made, source=operation.source))
            values.update(zip(step.results, map(self._value, results), strict=True))
        for result, returned in zip(operation.results, graph.returns, strict=True):
            self._values[result] = values.get(returned, returned)


# ---------------------------------------------------------------- effects


def in_order_of_effects(graph: ir.Graph) -> ir.Graph:
    """The graph with control inputs that keep the order of effects.

    Results wait for all effects, so that who asks for a result gets the effects as well.
    """
    order = _Order(graph)
    for operation in graph.operations:
        order.add(operation)
    if not order.effective:
        return graph
    names = names_of(graph)
    barrier = ir.Application(
        NoOp, names.claim("NoOp"), (), (), {}, (), after=tuple(order.effective)
    )
    returns: list[ir.Value] = []
    waiting: list[ir.Application] = []
    for value in graph.returns:
        if not isinstance(value.spec, TensorSpec):  # loops hand on the very handles
            returns.append(value)
            continue
        name = names.claim("Identity")
        result = ir.Value(name, value.spec)
        waiting.append(
            ir.Application(Identity, name, (value,), (None,), {}, (result,), after=(barrier,))
        )
        returns.append(result)
    operations = (*order.operations, barrier, *waiting)
    return replace(graph, operations=operations, returns=tuple(returns))


class _Order:
    """Gives operations their control inputs."""

    def __init__(self, graph: ir.Graph) -> None:
        self.operations: list[ir.Application] = []
        self.effective: list[ir.Application] = []
        self._made: dict[ir.Application, ir.Application] = {}
        self._writes: dict[ir.Value, ir.Application] = {}
        self._reads: dict[ir.Value, list[ir.Application]] = {}
        self._latest: ir.Application | None = None

    def add(self, operation: ir.Application) -> None:
        effects = effects_of(operation.op, operation.attrs)
        before = dict.fromkeys(self._made[one] for one in operation.after)
        for effect in effects:
            before.update(dict.fromkeys(self._waits_for(operation, effect)))
        made = replace(operation, after=tuple(before))
        self._made[operation] = made
        self.operations.append(made)
        for effect in effects:
            self._note(operation, effect, made)
        if effects and operation.op is not NoOp:
            self.effective.append(made)

    def _waits_for(self, operation: ir.Application, effect: Effect) -> list[ir.Application]:
        match effect:
            case World():
                return [self._latest] if self._latest is not None else []
            case Reads():
                return self._last_write(variable_of(operation, effect))
            case Writes():
                variable = variable_of(operation, effect)
                return self._last_write(variable) + self._reads.get(variable, [])

    def _last_write(self, variable: ir.Value) -> list[ir.Application]:
        return [self._writes[variable]] if variable in self._writes else []

    def _note(self, operation: ir.Application, effect: Effect, made: ir.Application) -> None:
        match effect:
            case World():
                self._latest = made
            case Reads():
                self._reads.setdefault(variable_of(operation, effect), []).append(made)
            case Writes():
                variable = variable_of(operation, effect)
                self._writes[variable] = made
                self._reads[variable] = []
