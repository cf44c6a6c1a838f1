"""How computations are differentiated: what there is for each kind of them.

A derivative is a computation that goes forward and one that goes back, and says what these take
and give. It runs neither: `functional.py` does, where recorders may watch again. So nothing that
differentiates needs what applies computations, but for `replay`, which it is handed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol
from weakref import WeakKeyDictionary

from ...core.specs import ListSpec
from ...graph import ir
from ..registry import are_replaced
from .branches import ChoiceDerivative
from .calls import CallDerivative
from .computations import Calling, Choosing, Computation, Looping
from .forward_and_backward import Replay
from .forward_graphs import Pushed, pushed_call, pushed_choice, pushed_loop
from .loops import LoopDerivative


class Derivative(Protocol):
    """How a computation is differentiated by some of its operands.

    `forward` takes the operands and `extra_operands`; it gives the `count` results and then what
    has to be saved. `pullback` goes back. `saves`: it uses more of the forward part than sizes.
    `stand_ins`: extra operands that are values of operands that are wanted, variables: their
    gradients are those of the variables. By their numbers, those of the variables.
    """

    @property
    def forward(self) -> Computation: ...
    @property
    def pullback(self) -> Computation: ...
    @property
    def count(self) -> int: ...
    @property
    def saves(self) -> bool: ...
    @property
    def stacks(self) -> Sequence[ListSpec]: ...
    @property
    def stand_ins(self) -> Mapping[int, int]: ...

    def extra_operands(self, operands: Sequence[Any], stacks: Sequence[Any]) -> list[Any]: ...

    def fed(
        self, arrived: Sequence[Any], operands: Sequence[Any], results: Sequence[Any]
    ) -> list[Any] | None:
        """What `pullback` takes; None where nothing goes back through it.

        `arrived` holds the gradients of the `count` results, None where none came; `operands` and
        `results` are those of `forward`.
        """
        ...

    def gradients(
        self, found: Sequence[Any] | None, arrived: Sequence[Any], operands: Sequence[Any]
    ) -> list[Any]:
        """The gradient by each operand (None: there is none), from what `pullback` returned."""
        ...


class Derived:
    """What was derived from one graph that is called, by the operands that are wanted."""

    def __init__(self) -> None:
        self.derivatives: dict[tuple[int, ...], CallDerivative] = {}
        self.pushed: dict[tuple[int, ...], Pushed] = {}


# Graphs never change, and nothing derived refers to the graph. A graph that is called in many
# places is derived once, or what is called twice on each of n levels would be derived 2^n times.
_derived: Final[WeakKeyDictionary[ir.Graph, Derived]] = WeakKeyDictionary()


def derivative_of(computation: Computation, wanted: tuple[int, ...], replay: Replay) -> Derivative:
    """How a computation is differentiated by the operands numbered in `wanted`."""
    match computation:
        case Calling(graph):
            known = _derived_from(graph).derivatives
            if wanted not in known:
                known[wanted] = CallDerivative(graph, wanted, replay)
            return known[wanted]
        case Choosing():
            return ChoiceDerivative(computation, wanted, replay)
        case Looping():
            return LoopDerivative(computation, wanted, replay)


def pushed_of(computation: Computation, wanted: tuple[int, ...], replay: Replay) -> Pushed:
    """The computation with tangents for the operands numbered in `wanted`."""
    match computation:
        case Calling(graph):
            known = _derived_from(graph).pushed
            if wanted not in known:
                known[wanted] = pushed_call(graph, wanted, replay)
            return known[wanted]
        case Choosing():
            return pushed_choice(computation, wanted, replay)
        case Looping():
            return pushed_loop(computation, wanted, replay)


def _derived_from(graph: ir.Graph) -> Derived:
    if are_replaced():
        return Derived()  # what follows from rules of others does not outlive them
    return _derived.get(graph) or _derived.setdefault(graph, Derived())
