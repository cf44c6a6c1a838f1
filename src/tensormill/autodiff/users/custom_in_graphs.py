"""A gradient of the user's own, as a part of the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import context
from ...core.specs import ValueSpec
from ...graph import ir
from ...graph.builder import current_graph
from ...ops.bind import bind
from ...ops.control.flow import PreventGradient
from ...ops.op import Attr, In, Op, Out, as_lower
from ...ops.origins import Origin
from ..functional import replay
from ..recording import RecordedCall
from .gradient_rules import GradientRule
from .later_gradients import GradientGraph, LaterGradient, TracedGradient


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
    only_saved = frozenset({"saved"})

    def infer(self) -> tuple[ValueSpec, ...]:
        return tuple(known.spec for known in self.values)

    def eager(self, np: Any) -> tuple[Any, ...]:
        return tuple(self.values)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        return tuple(self.values)

    xla = as_lower

    def vjp(self, *arrived: Any) -> Any:
        found: list[Any] = [None] * len(self.operands)
        graph, connected = traced_gradient(self.gradient, self.connected)
        # Who asks a tape asks it of what the gradient function does, as if that happened here.
        gradients = replay(graph, [*arrived, *self.saved], with_overrides=False)
        for number, gradient in zip(connected, gradients, strict=True):
            found[number] = gradient
        return None, found, None


def traced_gradient(gradient: ir.Graph | LaterGradient, connected: Any) -> TracedGradient:
    """What the attributes of a `CustomGradient` say, traced now where it was not yet."""
    if isinstance(gradient, LaterGradient):
        return gradient.traced
    return TracedGradient(gradient, tuple(connected))


def customized(rule: GradientRule, outputs: Sequence[Any]) -> Sequence[Any]:
    """The outputs, through an operation that knows their gradient.

    That is traced now, while what it closes over can be captured; where this fails, the error is
    raised when somebody asks for the gradient. Within a gradient it is traced by who asks: a
    function whose gradient calls it again has no last one.
    """
    around = current_graph()
    if around is not None and GradientGraph.is_around(around):
        later = LaterGradient(rule, outputs, around)
        return bind(CustomGradient, outputs, rule.operands, later.saved, gradient=later)
    graph = GradientGraph(f"{rule.name}_gradient", around, is_part=True)
    try:
        gradient, connected = graph.trace(rule, outputs)
    except Exception as error:
        return _failing(rule, outputs, error)
    saved = [capture.external for capture in graph.passed_captures()]
    return bind(
        CustomGradient, outputs, rule.operands, saved, gradient=gradient, connected=connected
    )


def _failing(rule: GradientRule, outputs: Sequence[Any], error: Exception) -> Sequence[Any]:
    """The outputs: recorders know the error, the graph says why it has no gradient."""
    reason = f"{type(error).__name__}: {error}"
    here = context.top()
    with context.entered(here.replace(recorders=())):
        copies = [bind(PreventGradient, one, message=reason) for one in outputs]

    def backward(arrived: Sequence[Any]) -> list[Any]:
        raise error

    context.record(here.recorders, RecordedCall(rule.operands, copies, backward))
    return copies
