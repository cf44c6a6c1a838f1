"""`tf.compat.v1.wrap_function`: a graph-building function traced once, for good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..core import context, tree
from ..core.specs import ResourceSpec
from ..eager.convert import convert_to_tensor
from ..eager.tensor import wrap_handle
from ..eager.variable import Variable
from ..graph.builder import FuncGraph, SymbolicTensor
from ..graph.by_hand.subgraphs import part_of
from ..graph.names import as_operation_name
from ..graph.operation import Operation
from ..graph.symbolic_parts import known_of
from ..ops.state.handles import VarHandleOp
from .concrete import ConcreteFunction
from .signature.parameters import parameters_of
from .steps import Step, step_of
from .traces.trace_type import Encoder
from .traces.tracing import Request, trace


class WrappedFunction(ConcreteFunction):
    """A ConcreteFunction of which parts can be had; it keeps the variables that it made."""

    def __init__(self, traced: ConcreteFunction, variables: Sequence[Any]) -> None:
        super().__init__(
            traced.graph,
            traced.callee.graph,
            traced.parameters,
            traced.arguments,
            traced.key,
            traced.name.decode(),
        )
        self.parts: Final = GraphParts(traced.graph)
        self._made: Final = tuple(variables)

    def prune(self, feeds: Any, fetches: Any, name: str | None = None) -> Pruned:
        """The function from `feeds` to `fetches`: nests of tensors and operations, or names.

        Raises:
            InvalidArgumentError: a fetch needs a parameter that is not among `feeds`.
        """
        return Pruned(self.parts, feeds, fetches, name or "pruned")


class GraphParts:
    """A graph of which parts are run, with variables for the handles of its operations."""

    def __init__(self, graph: FuncGraph) -> None:
        self.graph: Final = graph
        self.variables: Final[dict[str, Variable]] = {}
        self._objects: Final[dict[str, Any]] = {}

    def variable(self, handle: Operation) -> Variable:
        """The variable behind what a VarHandleOp gives; it has no value at first."""
        name = handle.attrs["shared_name"] or handle.name
        found = self.variables.get(name)
        if found is None:
            spec = known_of(handle.outputs[0]).spec
            assert isinstance(spec, ResourceSpec)
            with context.init_scope():
                found = Variable.uninitialized(spec.state, name, spec.trainable)
            self.variables[name] = found
        return found

    def _handle(self, operation: Operation) -> Any:
        if operation.kind is VarHandleOp:
            return self.variable(operation).handle
        name = operation.attrs.get("shared_name") or operation.name
        if name not in self._objects:
            stands: Any = operation.kind
            self._objects[name] = stands(**operation.attrs).made()
        return wrap_handle(self._objects[name])

    def step(self, feeds: Sequence[Any], fetches: Sequence[Any], name: str) -> Step:
        """The part from `feeds` to `fetches`, as code."""
        return step_of(part_of(self.graph, feeds, fetches, name), self._handle)


class Pruned:
    """A part of a graph: takes the fed tensors one by one, returns what is fetched."""

    def __init__(self, whole: GraphParts, feeds: Any, fetches: Any, name: str) -> None:
        self._whole: Final = whole
        self._fetches: Final = fetches
        element = whole.graph.as_graph_element
        self._elements: Final[Sequence[Any]] = [element(one) for one in tree.flatten(fetches)]
        self.inputs: Final[list[Any]] = [element(one) for one in tree.flatten(feeds)]
        self._step: Final = whole.step(self.inputs, self._elements, name)

    @property
    def graph(self) -> FuncGraph:
        """The whole graph."""
        return self._whole.graph

    @property
    def outputs(self) -> list[Any]:
        """The tensors that it returns."""
        return [one for one in self._elements if isinstance(one, SymbolicTensor)]

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Those that parts of the graph have asked for."""
        return tuple(self._whole.variables.values())

    def __call__(self, *feeds: Any) -> Any:
        """Run.

        Raises:
            TypeError: there are more or fewer feeds than the part takes.
        """
        if len(feeds) != len(self.inputs):
            raise TypeError(f"expected {len(self.inputs)} feeds, got {len(feeds)}")
        operands = [
            convert_to_tensor(feed, wanted.dtype)
            for feed, wanted in zip(feeds, self.inputs, strict=True)
        ]
        results = iter(self._step.results(operands))
        values = [None if isinstance(one, Operation) else next(results) for one in self._elements]
        return tree.pack_sequence_as(self._fetches, values)


def is_listed(signature: Any) -> bool:
    return isinstance(signature, (list, tuple))


def wrap_function(
    fn: Callable[..., Any], signature: Any, name: str | None = None
) -> WrappedFunction:
    """`fn` as a function of tensors with this signature: a nest of specs, one for each argument.

    Its Python code runs once, now, and is not converted by AutoGraph. It may make variables.

    >>> double = tf.compat.v1.wrap_function(lambda x: 2 * x, [tf.TensorSpec([None], tf.int32)])
    >>> double(tf.constant([1, 2])).numpy()
    array([2, 4], dtype=int32)

    Raises:
        TypeError: `fn` returns something that is no tensor.
    """
    specs: tuple[Any, ...] = tuple(signature) if is_listed(signature) else (signature,)
    parameters = parameters_of(fn)
    values = parameters.bind(specs, {})
    encoder = Encoder(allows_specs=True)
    key = tuple([encoder.encode(value) for value in values])
    called = as_operation_name(name or getattr(fn, "__name__", ""), "wrapped")
    result = trace(Request(fn, called, parameters, values, key, None, is_first=True))
    return WrappedFunction(result.concrete, result.created)
