"""A gradient of the user's own, as a part of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ..core import context
from ..core.specs import ValueSpec
from ..graph import ir
from ..graph.builder import FuncGraph, current_graph
from ..ops.bind import bind
from ..ops.control.flow import PreventGradient
from ..ops.op import Attr, In, Op, Out, as_lower
from ..ops.origins import Origin
from .backward import or_zeros
from .functional import replay
from .gradient_rules import GradientRule
from .recording import RecordedCall

# How many gradients that are being traced may lie within each other: a function whose gradient
# calls it again has no last one.
ORDERS: Final = 4


class CustomGradient(Op):
    """Values with a gradient of their own: `values` again.

    Their gradient by `operands` is what the graph `gradient` makes of the gradients of the results
    and of `saved`: a result for each number in `connected`. Where no gradient is asked for,
    nothing but `values` is needed.
    """

    values = In("[T]")
    operands = In("[Tin]")
    saved = In("[Tsaved]")
    results = Out("[T]")
    gradient = Attr()
    connected = Attr(())
    origin = Origin.GRAPHS

    def infer(self) -> tuple[ValueSpec, ...]:
        return tuple(known.spec for known in self.values)

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(self.values)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        return tuple(self.values)

    xla = as_lower

    def vjp(self, *arrived: Any) -> Any:
        found: list[Any] = [None] * len(self.operands)
        gradients = replay(self.gradient, [*arrived, *self.saved])
        for number, gradient in zip(self.connected, gradients, strict=True):
            found[number] = gradient
        return None, found, None


class GradientGraph(FuncGraph):
    """A gradient that is being traced."""

    @property
    def order(self) -> int:
        """How many of these lie around it, with itself."""
        graph: FuncGraph | None = self
        count = 0
        while graph is not None:
            count += isinstance(graph, GradientGraph)
            graph = graph.enclosing
        return count


def customized(rule: GradientRule, outputs: Sequence[Any]) -> Sequence[Any]:
    """The outputs, through an operation that knows their gradient.

    The gradient is traced now, while what it closes over can be captured. Where that fails, the
    error is raised when somebody asks for the gradient.
    """
    graph = GradientGraph(f"{rule.name}_gradient", current_graph(), is_part=True)
    if graph.order > ORDERS:
        return _known_to_tapes(rule, outputs)
    try:
        with context.interpreting(graph):
            upstream = [graph.placeholder(one.spec, "upstream") for one in outputs]
            found = rule.gradients(upstream)
            connected = [number for number, one in enumerate(found) if one is not None]
            made = [graph.convert(found[number], None, None) for number in connected]
    except Exception as error:
        return _failing(rule, outputs, error)
    finished = graph.finish(made)
    closed = ir.Graph(
        finished.name, finished.inputs, (), finished.operations, finished.returns, finished.attrs
    )
    saved = [capture.external for capture in graph.passed_captures()]
    return bind(
        CustomGradient, outputs, rule.operands, saved, gradient=closed, connected=tuple(connected)
    )


def _failing(rule: GradientRule, outputs: Sequence[Any], error: Exception) -> Sequence[Any]:
    def backward(copies: Sequence[Any], arrived: Sequence[Any]) -> list[Any]:
        raise error

    return _apart(rule, outputs, f"{type(error).__name__}: {error}", backward)


def _known_to_tapes(rule: GradientRule, outputs: Sequence[Any]) -> Sequence[Any]:
    """Outputs whose gradient is traced when a tape of this trace asks; later ones are refused."""

    def backward(copies: Sequence[Any], arrived: Sequence[Any]) -> list[Any]:
        return rule.gradients([or_zeros(*pair) for pair in zip(arrived, copies, strict=True)])

    reason = (
        f"the custom gradient of {rule.name} stands within the gradients of {ORDERS} others: of a "
        f"function that is traced, derivatives through it end with that of order {ORDERS}"
    )
    return _apart(rule, outputs, reason, backward)


def _apart(
    rule: GradientRule, outputs: Sequence[Any], reason: str, backward: Callable[..., list[Any]]
) -> Sequence[Any]:
    """The outputs: recorders know them by `backward`, the graph says why it has no gradient."""
    here = context.top()
    with context.entered(here.replace(recorders=())):
        copies = [bind(PreventGradient, one, message=reason) for one in outputs]
    call = RecordedCall(rule.operands, copies, lambda arrived: backward(copies, arrived))
    context.record(here.recorders, call)
    return copies
