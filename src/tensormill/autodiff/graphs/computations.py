"""What runs graphs: calls, choices and loops, as plain data.

How they are differentiated is in `derivatives.py`, what becomes of one that recorders watch in
`functional.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ...core.process.named_tuples import NamedTuple
from ...graph import ir
from ...graph.passes.implementations import settled
from ...ops.bind import bind
from ...ops.control.functional import (
    Branching,
    Call,
    Case,
    Conditional,
    If,
    Loop,
    PartitionedCall,
    StatefulPartitionedCall,
    StatelessCase,
    StatelessIf,
    StatelessWhile,
    While,
    has_effects,
)
from ...ops.op import Op

Run = Callable[[ir.Graph, Sequence[Any], str | None], Sequence[Any]]


class Calling(NamedTuple):
    """The call of one graph. `runner` runs it, where that is not by an operation."""

    graph: ir.Graph
    runner: Run | None = None

    @property
    def graphs(self) -> tuple[ir.Graph, ...]:
        return (self.graph,)

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        """The results, by one operation of the interpreter on top."""
        if self.runner is not None:
            return tuple(self.runner(self.graph, operands, name))
        op = StatefulPartitionedCall if has_effects(self.graphs) else PartitionedCall
        return bind(op, list(operands), f=self.graph, name=name)


class Choosing(NamedTuple):
    """One of several graphs; operand 0 says which: a bool (then, else) or an index."""

    graphs: tuple[ir.Graph, ...]
    by_bool: bool

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        """The results, by one operation of the interpreter on top."""
        acts = has_effects(self.graphs)
        chosen, rest = operands[0], list(operands[1:])
        if self.by_bool:
            then, otherwise = self.graphs
            op: type[Op] = If if acts else StatelessIf
            return bind(
                op, chosen, rest, then_branch=then, else_branch=otherwise, name=name or "cond"
            )
        op = Case if acts else StatelessCase
        return bind(op, chosen, rest, branches=self.graphs, name=name or "switch_case")


class Looping(NamedTuple):
    """`body` again and again while `condition` holds; both take all the operands."""

    condition: ir.Graph
    body: ir.Graph
    parallel_iterations: int = 10

    @property
    def graphs(self) -> tuple[ir.Graph, ...]:
        return self.condition, self.body

    def run(self, operands: Sequence[Any], name: str | None) -> tuple[Any, ...]:
        """The results, by one operation of the interpreter on top."""
        op = While if has_effects(self.graphs) else StatelessWhile
        return bind(
            op, list(operands), cond=self.condition, body=self.body,
            parallel_iterations=self.parallel_iterations, name=name or "while",
        )  # fmt: skip


Computation: TypeAlias = Calling | Choosing | Looping


def run_like(whole: Computation, part: Computation) -> Computation:
    """A computation that was made of `whole`, run by what runs that."""
    if not isinstance(whole, Calling) or not isinstance(part, Calling):
        return part
    return Calling(settled(part.graph), whole.runner or part.runner)


def computation_of(op: type[Op], attrs: Mapping[str, Any]) -> Computation | None:
    """The computation that an operation is, where it runs graphs; it takes the flat operands."""
    if issubclass(op, Call):
        return Calling(attrs["f"])
    if issubclass(op, Conditional):
        return Choosing((attrs["then_branch"], attrs["else_branch"]), by_bool=True)
    if issubclass(op, Branching):
        return Choosing(tuple(attrs["branches"]), by_bool=False)
    if issubclass(op, Loop):
        return Looping(attrs["cond"], attrs["body"], attrs["parallel_iterations"])
    return None
