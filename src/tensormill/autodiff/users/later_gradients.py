"""A gradient of the user's own that is traced when somebody asks for it.

    @tf.custom_gradient
    def power(x):                         # graph step(x):           its gradient, traced at once:
        def gradient(dy):                 #   y = Exp(x)               y = Exp(x)
            return dy * power(x)          #   z = CustomGradient(y)    z = CustomGradient(y), later
        return tf.exp(x), gradient        #                            return dy * z

A gradient that calls such functions again may have no last one. So what is called within a gradient
is handed, as operands, all that its own gradient can mean; that graph is made of these alone, by
whoever differentiates the gradient, when the graphs around are finished and gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ...core import context
from ...core.process.named_tuples import NamedTuple
from ...core.specs import ListSpec, ObjectSpec
from ...core.values import TensorBase, TensorLike
from ...errors import InaccessibleTensorError
from ...graph import ir
from ...graph.func_graph import Capture, FuncGraph
from ...graph.operation import Operation
from ...graph.payload import becomes_constant, payload_of
from ...graph.symbolic import SymbolicTensor
from ...ops.constant import Const
from ...ops.control.functional import effects_of
from ..sources import variable_of
from .gradient_rules import GradientRule
from .reachable_tensors import reachable_tensors


class TracedGradient(NamedTuple):
    """What a rule makes of gradients: a graph, and of which operands its results are."""

    graph: ir.Graph
    connected: tuple[int, ...]


class MeantTensor(NamedTuple):
    """A tensor of the graph that a call is in, and what it stands for, from the inside out."""

    tensor: SymbolicTensor
    known_as: tuple[Any, ...]


class GradientGraph(FuncGraph):
    """A gradient that is being traced."""

    @staticmethod
    def is_around(graph: FuncGraph | None) -> bool:
        """Whether `graph` is a gradient's, or within one."""
        while graph is not None and not isinstance(graph, GradientGraph):
            graph = graph.enclosing
        return graph is not None

    def trace(self, rule: GradientRule, outputs: Sequence[Any]) -> TracedGradient:
        """The gradient as a graph: of the gradients of the outputs, and of what it captures."""
        with context.interpreting(self):
            upstream = [self.placeholder(one._known.spec, "upstream") for one in outputs]
            found = rule.gradients(upstream)
            connected = [number for number, one in enumerate(found) if one is not None]
            made = [self.convert(found[number], None, None) for number in connected]
        graph = self.finish(made)
        closed = ir.Graph(
            graph.name, graph.inputs, (), graph.operations, graph.returns, graph.attrs
        )
        return TracedGradient(closed, tuple(connected))


class LaterGradient:
    """The gradient of one call in `graph`; `saved` are operands of its, which `traced` takes."""

    def __init__(self, rule: GradientRule, outputs: Sequence[Any], graph: FuncGraph) -> None:
        places = _places(rule, outputs, graph)
        rule.holders = tuple([_stands_for(one)[-1] for one in rule.handles])
        self.saved: Final = tuple([place.tensor for place in places])
        self._untraced: Any = rule, tuple(outputs), places, graph.seed
        self._traced: TracedGradient | None = None

    @property
    def traced(self) -> TracedGradient:
        """The graph: of the gradients of the results, and of what is saved.

        Raises:
            InaccessibleTensorError: it uses a tensor that nothing of what is saved gives.
        """
        untraced = self._untraced
        if self._traced is None:
            rule, outputs, places, seed = untraced
            graph = SeparateGradientGraph(rule.name, places)
            graph.seed = seed
            self._traced = graph.trace(rule, outputs)
        self._untraced = None  # what functions hold may go
        return self._traced


class SeparateGradientGraph(GradientGraph):
    """The graph of a gradient that finds outside what it was handed, and what follows from that."""

    def __init__(self, name: str, places: Sequence[MeantTensor]) -> None:
        super().__init__(f"{name}_gradient", is_part=True)
        self._called: Final = name
        self._again: Final[dict[Operation, tuple[SymbolicTensor, ...]]] = {}
        self._passed: Final[list[Capture]] = []
        self._kept: Final = places  # or their ids could become those of others
        for tensor, known_as in places:
            known = tensor._known
            internal = self._stand_in(known.spec, None, known.sizes)
            self._passed.append(Capture(tensor, internal))
            self._captured[id(internal)] = Capture(known_as[-1], internal)
            for one in known_as:
                self._captures.setdefault(_key(one), Capture(one, internal))

    def passed_captures(self) -> list[Capture]:
        return self._passed

    def reaches(self, tensor: SymbolicTensor) -> bool:
        return True  # or `capture` says why not

    def capture(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        if tensor.symbolic:
            found = self._found(tensor)
            return self._computed(tensor) if found is None else found
        if (found := self._captures.get(_key(tensor))) is not None:
            return found.internal
        if not becomes_constant(payload_of(tensor)):
            raise self._unknown(tensor)
        return super().capture(tensor, name)

    def _found(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        if tensor.op.belongs_to(self):
            return tensor
        if (capture := self._captures.get(id(tensor))) is not None:
            return capture.internal
        outputs = self._again.get(tensor.op)
        return None if outputs is None else outputs[tensor.value_index]

    def _computed(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """A tensor of a graph that is finished, by the operations that gave it there."""
        waiting = [tensor.op]
        while waiting:
            operation = waiting[-1]
            missing = [one.op for one in operation.inputs if self._found(one) is None]
            if operation.kind is None or not _may_be_repeated(operation):
                raise self._unknown(tensor)
            if missing:
                waiting += missing
            else:
                self._again.setdefault(waiting.pop(), self._repeated(operation))
        return self._again[tensor.op][tensor.value_index]

    def _repeated(self, operation: Operation) -> tuple[SymbolicTensor, ...]:
        assert operation.kind is not None
        if operation.kind is Const:
            return (self.constant(operation.attrs["value"]),)
        inputs = tuple([self._found(one) for one in operation.inputs])
        with self.replaying(operation.source):
            return self.apply(
                operation.kind, operation.grouped(inputs), dict(operation.attrs), None
            )

    def _unknown(self, tensor: Any) -> InaccessibleTensorError:
        what = repr(tensor) if tensor.symbolic else f"a {type(tensor).__name__} from outside"
        return InaccessibleTensorError(
            f"the custom gradient of {self._called} stands within another gradient, and uses "
            f"{what}, which could not be foreseen: let {self._called} take it as an argument, or "
            "let a local variable around its gradient function hold it"
        )


def _may_be_repeated(operation: Operation) -> bool:
    assert operation.kind is not None
    return not operation.is_of_session and not effects_of(operation.kind, operation.attrs)


def _places(rule: GradientRule, outputs: Sequence[Any], graph: FuncGraph) -> list[MeantTensor]:
    """All that a gradient may mean, each tensor of `graph` once."""
    known_as: dict[int, list[Any]] = {}
    tensors: dict[int, SymbolicTensor] = {}
    for one in _meant(rule, outputs, graph):
        inside = _inside(one, graph)
        if inside is not None and inside.op.kind is not Const:
            tensors[id(inside)] = inside
            known_as.setdefault(id(inside), [one]).append(one)
    return [
        MeantTensor(tensor, tuple([*known_as[key], *_stands_for(tensor)]))
        for key, tensor in tensors.items()
    ]


def _meant(rule: GradientRule, outputs: Sequence[Any], graph: FuncGraph) -> Iterator[Any]:
    yield from outputs
    yield from rule.operands
    for handle in rule.handles:
        if (variable := variable_of(handle)) is not None:
            yield variable.handle
    # What nothing has used yet is nothing's result: saved all the same, it would be differentiated.
    used = {id(one) for operation in graph.get_operations() for one in operation.inputs}
    inside = [one for one in graph.inputs if id(one) in used]
    yield from inside if isinstance(graph, GradientGraph) else filter(_is_plain, inside)
    for one in [*reachable_tensors(rule.grad_fn)]:
        tensor = _tensor_of(one)
        if tensor is not None and _is_plain(tensor):
            yield tensor


def _is_plain(tensor: Any) -> bool:
    """Whether the gradient of a loop may remember it for a gradient that perhaps needs it."""
    spec = tensor._known.spec if tensor.symbolic else payload_of(tensor)
    return not isinstance(getattr(spec, "spec", spec), (ListSpec, ObjectSpec))


def _tensor_of(one: TensorBase) -> Any:
    """A tensor itself, the handle of a variable; None for one with parts."""
    if hasattr(type(one), "symbolic"):
        return one
    if isinstance(one, TensorLike) and not one.is_one_tensor:
        return None
    return getattr(one, "handle", None)


def _inside(tensor: Any, graph: FuncGraph) -> SymbolicTensor | None:
    """What stands for a tensor in `graph`; None where it may not, or need not."""
    if not tensor.symbolic and becomes_constant(payload_of(tensor)):
        return None
    try:
        return graph.capture(tensor)
    except InaccessibleTensorError:
        return None


def _stands_for(tensor: Any) -> list[Any]:
    """A tensor of a graph, and those for which it stands there, from the inside out."""
    found = [tensor]
    while found[-1].symbolic:
        graph = found[-1].op.owner()
        outside = None if graph is None else graph.captured_as(found[-1])
        if outside is None:
            break
        found.append(outside)
    return found


def _key(tensor: Any) -> int:
    """By what graphs know what they captured: a variable by its storage."""
    payload: Any = None if tensor.symbolic else payload_of(tensor)
    return id(tensor) if payload is None or isinstance(payload, np.ndarray) else id(payload)
