"""Operations whose attributes are graphs: calls, branches and loops.

A graph in an attribute takes all that it needs as parameters; it captures nothing. Each operation
exists twice, as in TensorFlow: the stateless flavour promises that its graphs have no effects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol
from weakref import WeakKeyDictionary

from ...core.dtypes import int32
from ...core.specs import Known, ListSpec, ValueSpec, common_spec
from ...errors import InvalidArgumentError
from ..effects import Effect, Reads, World, Writes
from ..op import Attr, In, Op, Out, as_lower


class CallableGraph(Protocol):
    """What this module needs of a graph (`graph/ir.py`)."""

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> tuple[Any, ...]: ...
    @property
    def operations(self) -> tuple[Any, ...]: ...
    @property
    def returns(self) -> tuple[Any, ...]: ...

    def run(self, operands: Sequence[Any]) -> list[Any]: ...


class GivenGraphs(Op, abstract=True):
    """An operation that is given graphs. Members name the attributes that hold them."""

    graph_attrs: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def graphs_for(
        cls,
        attrs: Mapping[str, Any],
        operands: Sequence[Any],
        found: Callable[[Any, Sequence[ValueSpec] | None], Any],
    ) -> dict[str, Any]:
        """The graphs that a file names in attributes, for operands like these, by attribute.

        `found` gives the graph of a name for what it will be given; None: what the file says.
        """
        raise NotImplementedError(cls.name)


class Functional(GivenGraphs, abstract=True):
    """An operation that runs graphs."""

    operand_field: ClassVar[str] = "input"

    @classmethod
    def graphs_for(
        cls,
        attrs: Mapping[str, Any],
        operands: Sequence[Any],
        found: Callable[[Any, Sequence[ValueSpec] | None], Any],
    ) -> dict[str, Any]:
        specs = [
            tensor._known.spec for tensor in operands[cls.input_names.index(cls.operand_field)]
        ]
        return {key: found(attrs[key], specs) for key in cls.graph_attrs}

    @classmethod
    def graphs_of(cls, attrs: Mapping[str, Any]) -> tuple[CallableGraph, ...]:
        """Every graph among the attributes, in the order in which they are declared."""
        found: list[CallableGraph] = []
        for name in cls.graph_attrs:
            value = attrs[name]
            found.extend(value) if isinstance(value, (tuple, list)) else found.append(value)
        return tuple(found)

    @classmethod
    def effects_of(cls, attrs: Mapping[str, Any]) -> tuple[Effect, ...]:
        """The effects of the graphs; `Reads("input", 2)` is about the third operand in the list."""
        effects: dict[Effect, None] = {}
        for graph in cls.graphs_of(attrs):
            known = _known_effects.setdefault(graph, {})
            if cls.operand_field not in known:
                found = dict.fromkeys(_effects_of_graph(graph, cls.operand_field))
                known[cls.operand_field] = tuple(found)
            effects.update(dict.fromkeys(known[cls.operand_field]))
        return tuple(effects)

    @classmethod
    def handed_on(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], number: int
    ) -> Iterable[Any]:
        """The operands that graphs return as result `number`; None for anything else."""
        for graph in cls.graphs_of(attrs):
            given = operands[len(operands) - len(graph.parameters) :]
            yield dict(zip(graph.parameters, given, strict=True)).get(graph.returns[number])


# By graph, which never changes, and by the name of the field that its operands come in.
_known_effects: Final[WeakKeyDictionary[CallableGraph, dict[str, tuple[Effect, ...]]]] = (
    WeakKeyDictionary()
)


def effects_of(op: type[Op], attrs: Mapping[str, Any]) -> tuple[Effect, ...]:
    """The effects of any operation with these attributes."""
    return op.effects_of(attrs) if issubclass(op, Functional) else op.effects


def has_effects(graphs: Iterable[CallableGraph]) -> bool:
    """Whether running one of the graphs could be observed, or observes something that changes."""
    return any(effects_of(step.op, step.attrs) for graph in graphs for step in graph.operations)


def _effects_of_graph(graph: CallableGraph, field: str) -> Iterable[Effect]:
    places = {value: position for position, value in enumerate(graph.parameters)}
    for operation in graph.operations:
        for effect in effects_of(operation.op, operation.attrs):
            match effect:
                case Reads() | Writes():
                    position = places.get(variable_of(operation, effect))
                    yield type(effect)(field, position)
                case World():
                    yield effect


def variable_of(operation: Any, effect: Reads | Writes) -> Any:
    """The operand that an effect of the operation is about."""
    return variable_among(operation.op, operation.grouped(operation.operands), effect)


def variable_among(op: type[Op], operands: Sequence[Any], effect: Reads | Writes) -> Any:
    """The same among the operands of an application of `op`, one for each of its fields."""
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.name == effect.field:
            return operand if effect.position is None else operand[effect.position]
    return None


def join_specs(each: Sequence[Sequence[ValueSpec]], name: str) -> tuple[ValueSpec, ...]:
    """What is known of results that come from either of several graphs.

    Raises:
        InvalidArgumentError: the graphs differ in the number or the dtypes of their results.
    """
    if len({len(specs) for specs in each}) != 1:
        raise InvalidArgumentError(f"{name}: its graphs return {[len(s) for s in each]} results")
    return tuple(_join(specs, name) for specs in zip(*each, strict=True))


def _join(specs: Sequence[ValueSpec], name: str) -> ValueSpec:
    if len({spec.dtype for spec in specs}) != 1:
        raise InvalidArgumentError(
            f"{name}: a result is {' or '.join(spec.dtype.name for spec in specs)}, depending on "
            "which graph runs; use tf.cast in one of them"
        )
    if elements := [spec.element for spec in specs if isinstance(spec, ListSpec)]:
        _join(elements, name)
    return common_spec(specs)


def returned_specs(graph: CallableGraph) -> tuple[ValueSpec, ...]:
    return tuple(value.spec for value in graph.returns)


def check_operands(graph: CallableGraph, operands: Sequence[Known], name: str) -> None:
    """Raise an InvalidArgumentError where the operands cannot be the graph's parameters."""
    if len(operands) != len(graph.parameters):
        raise InvalidArgumentError(
            f"{name}: '{graph.name}' takes {len(graph.parameters)} operands, "
            f"but {len(operands)} are given"
        )
    for operand, parameter in zip(operands, graph.parameters, strict=True):
        fits = operand.spec.dtype is parameter.spec.dtype
        if not fits or not operand.spec.shape.is_compatible_with(parameter.spec.shape):
            raise InvalidArgumentError(
                f"{name}: '{graph.name}' wants {parameter.spec.short} for "
                f"'{parameter.name}', but the operand is {operand.spec.short}"
            )


class Call(Functional, abstract=True):
    """The results of one graph."""

    args = In("[Tin]")
    output = Out("[Tout]")
    f = Attr()
    operand_field = "args"
    graph_attrs = ("f",)
    xla = as_lower

    def infer(self) -> tuple[ValueSpec, ...]:
        check_operands(self.f, self.args, self.name)
        return returned_specs(self.f)

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(self.f.run(self.args))

    def lower(self, loops: Any) -> tuple[Any, ...]:
        return loops.call(self.f, self.args)


class PartitionedCall(Call):
    """A call of a graph without effects."""


class StatefulPartitionedCall(Call):
    """A call of a graph that reads or changes something."""


class Branching(Functional, abstract=True):
    """The results of one of several graphs, chosen when the operation runs."""

    input: Any

    def infer(self) -> tuple[ValueSpec, ...]:
        branches = self.graphs_of(self.attr_values())
        for branch in branches:
            check_operands(branch, self.input, self.name)
        return join_specs([returned_specs(branch) for branch in branches], self.name)


class Conditional(Branching, abstract=True):
    """`then_branch` where the scalar `cond` is true (a number: not zero), else `else_branch`."""

    cond = In("Tcond")
    input = In("[Tin]")
    output = Out("[Tout]")
    then_branch = Attr()
    else_branch = Attr()
    graph_attrs = ("then_branch", "else_branch")

    def eager(self, np: Any) -> tuple[Any, ...]:
        chosen = self.then_branch if self.cond else self.else_branch
        return tuple(chosen.run(self.input))

    def lower(self, loops: Any) -> tuple[Any, ...]:
        (cond,) = loops.elements(self.cond)
        true = cond if self.cond.dtype.is_bool else cond != loops.constant(0, self.cond.dtype)
        index = loops.scalars.cast(true, int32)
        return loops.branch(index, (self.else_branch, self.then_branch), self.input)

    def xla(self, xla: Any) -> tuple[Any, ...]:
        known = xla.known(self.cond)
        index = self.cond != 0 if known is None else int(known != 0)
        return xla.branch(index, (self.else_branch, self.then_branch), self.input)


class StatelessIf(Conditional):
    """One of two graphs without effects."""


class If(Conditional):
    """One of two graphs, of which one has effects."""


class Selection(Branching, abstract=True):
    """`branches[branch_index]`; an index out of range means the last one."""

    branch_index = In("i32")
    input = In("[Tin]")
    output = Out("[Tout]")
    branches = Attr()
    graph_attrs = ("branches",)

    def eager(self, np: Any) -> tuple[Any, ...]:
        index, count = int(self.branch_index), len(self.branches)
        chosen = self.branches[index if 0 <= index < count else count - 1]
        return tuple(chosen.run(self.input))

    def lower(self, loops: Any) -> tuple[Any, ...]:
        (index,) = loops.elements(self.branch_index)
        return loops.branch(index, tuple(self.branches), self.input)

    def xla(self, xla: Any) -> tuple[Any, ...]:
        return xla.branch(self.branch_index, tuple(self.branches), self.input)


class StatelessCase(Selection):
    """One of several graphs without effects."""


class Case(Selection):
    """One of several graphs, of which one has effects."""


class Loop(Functional, abstract=True):
    """`body` again and again on its own results, as long as `cond` of them is true.

    The parameters of `body` say what stays known of the loop's variables.
    """

    input = In("[T]")
    output = Out("[T]")
    cond = Attr()
    body = Attr()
    parallel_iterations = Attr(10)
    graph_attrs = ("cond", "body")
    xla = as_lower

    @classmethod
    def handed_on(
        cls, attrs: Mapping[str, Any], operands: Sequence[Any], number: int
    ) -> Iterable[Any]:
        """A loop keeps its variables in their places."""
        return (operands[number],)

    def infer(self) -> tuple[ValueSpec, ...]:
        check_operands(self.cond, self.input, f"{self.name} (condition)")
        check_operands(self.body, self.input, f"{self.name} (body)")
        check_results(self.body, self.name)
        check_condition(self.cond, self.name)
        return tuple(parameter.spec for parameter in self.body.parameters)

    def eager(self, np: Any) -> tuple[Any, ...]:
        state = list(self.input)
        while self.cond.run(state)[0]:
            state = self.body.run(state)
        return tuple(state)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        return loops.loop(self.cond, self.body, self.input)


def check_condition(cond: CallableGraph, name: str) -> None:
    """Raise an InvalidArgumentError where a condition does not return one bool."""
    returned = returned_specs(cond)
    is_bool = len(returned) == 1 and returned[0].dtype.is_bool
    if not is_bool or not returned[0].shape.is_compatible_with(()):
        raise InvalidArgumentError(
            f"{name}: '{cond.name}', the condition, returns {[one.short for one in returned]}, and "
            "not a bool scalar"
        )


def check_results(body: CallableGraph, name: str) -> None:
    """Raise an InvalidArgumentError where a body does not return what it takes."""
    if len(body.returns) != len(body.parameters):
        raise InvalidArgumentError(
            f"{name}: '{body.name}' takes {len(body.parameters)} loop variables, "
            f"but returns {len(body.returns)}"
        )
    for taken, returned in zip(body.parameters, body.returns, strict=True):
        fits = taken.spec.dtype is returned.spec.dtype
        if not fits or not taken.spec.shape.is_compatible_with(returned.spec.shape):
            raise InvalidArgumentError(
                f"{name}: the loop variable '{taken.name}' is {taken.spec.short} before the "
                f"loop, but {returned.spec.short} after one iteration"
            )


class StatelessWhile(Loop):
    """A loop over graphs without effects."""


class While(Loop):
    """A loop over graphs of which one has effects."""
