"""A whole graph as one program for many devices, compiled for operands that are not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.process.named_tuples import NamedTuple
from ..eager.storage import Storage
from ..graph.ir import Application, Graph, Value
from ..graph.passes.expansions import Expansions
from ..graph.passes.order import simplify
from ..ops.dispatch.divisions import Division
from .compiled_text import CompiledText, read
from .execution.operand_kinds import kinds_of
from .execution.plan import CutPlan
from .language import NotInXla
from .operands import GivenArray
from .program import Part
from .shardings import sharding_of
from .whole_program import WholeProgram


class Absent(NamedTuple):
    """An array that need not be there."""

    shape: tuple[int, ...]
    dtype: Any
    division: Division | None


class Partitioned(NamedTuple):
    """What the compiler made for one device of all."""

    text: CompiledText
    memory: Any  # bytes, as JAX's `memory_analysis` gives them
    cost: Any  # as its `cost_analysis`
    steps: Sequence[Application]  # of which instructions tell the number
    turns: Mapping[int, int]  # of loops, by the numbers of steps
    used: frozenset[Value]  # inputs of the graph that the program takes
    written: frozenset[Storage]  # variables that are changed in place


def partitioned(graph: Graph, operands: Sequence[Any]) -> Partitioned:
    """Compile a graph for operands, one for each of its inputs: storages and `Absent`s.

    Raises:
        NotInXla: it can not be one program; the text says why, and at which line.
    """
    program, storages = one_program(graph, operands)
    made: Any = program.compiled
    return Partitioned(
        read(made.as_text()), made.memory_analysis(), made.cost_analysis(),
        program.facts.steps, program.facts.turns, frozenset(program.part.inputs),
        frozenset(storages[slot] for slot in program.donated),
    )  # fmt: skip


def one_program(
    graph: Graph, operands: Sequence[Any], watch: Callable[[Any], None] | None = None
) -> tuple[WholeProgram, Sequence[Storage]]:
    """The program of a whole graph, and its variables; `watch` is told what JAX compiles.

    Raises:
        NotInXla: it can not be one program; the text says why, and at which line.
    """
    plan = CutPlan(simplify(graph), is_whole=True)
    if plan.cuts:
        raise NotInXla(str(next(iter(plan.cuts.values()))))
    end = len(plan.operations)
    inputs = plan.outside(0, end)
    given = dict(zip(plan.graph.inputs, operands, strict=True))
    storages, (kinds, slots) = kinds_of([_kind(given[one]) for one in inputs], False)
    part = Part(plan.operations, inputs, plan.wanted(0, end), plan.fixed)
    return WholeProgram(part, kinds, slots, Expansions(), {}, watch), storages


def _kind(operand: Any) -> Any:
    if isinstance(operand, Absent):
        return GivenArray(operand.shape, operand.dtype, sharding_of(operand.division))
    return operand
