"""A graph runs part by part: a program, what the CPU does, an operation whose graphs are cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

from ...graph.ir import Application, Graph, Value
from ...ops.control.functional import Call, Conditional, Functional, Loop
from .operand_kinds import as_numpy, as_tensor, bytes_of, prepared, varying
from .program_calls import ProgramCalls
from .programs import GraphPrograms


@final
class GraphRun:
    """Runs a graph. What stays on the device stays there until somebody on the CPU wants it.

    device: of operations that name none; None: the usual one.
    """

    def __init__(self, programs: GraphPrograms, calls: ProgramCalls, device: Any = None) -> None:
        self._device: Final = device
        self._programs: Final = programs
        self._calls: Final = calls
        self._inner: Final[dict[tuple[Application, Graph], GraphRun]] = {}

    def run(self, payloads: Sequence[Any]) -> list[Any]:
        """The results for arrays of NumPy's or JAX's, storages, lists and objects."""
        plan = self._programs.plan
        values: dict[Value, Any] = dict(zip(plan.graph.inputs, payloads, strict=True))
        values.update(plan.known)
        position = 0
        while position < len(plan.operations):
            end = plan.end_of(position, self._device)
            operation = plan.operations[position]
            if operation not in plan.cuts:
                if not self._run_program(position, end, values):
                    continue  # the graph has another cut now
            elif issubclass(operation.op, Functional) and not plan.cuts[operation].is_own:
                self._run_graphs(operation, values)
            else:
                self._run_on_cpu(position, end, values)
            position = end
            for value in [one for one in values if plan.is_over(one, end)]:
                del values[value]
        return [values[value] for value in plan.graph.returns]

    def _run_program(self, start: int, end: int, values: dict[Value, Any]) -> bool:
        """Run a part as a program; False where it has to be cut."""
        plan = self._programs.plan
        inputs = plan.outside(start, end)
        device = plan.device_of(plan.operations[start], self._device)
        operands = [prepared(values[value]) for value in inputs]
        while True:
            program, storages = self._programs.program_of(start, end, inputs, operands, device)
            if program is None:
                return False
            if (found := self._calls.call(program, operands, storages)) is not None:
                break
        for value, result in zip(program.part.outputs, program.results, strict=True):
            values[value] = result.taken(operands, found)
        return True

    def _run_on_cpu(self, start: int, end: int, values: dict[Value, Any]) -> None:
        plan, bound = self._programs.plan, self._programs.on_cpu(start, end)
        tensors = [as_tensor(values[value]) for value in plan.outside(start, end)]
        plan.cuts[plan.operations[start]].bytes = sum(map(bytes_of, tensors))
        found = bound.entry(*tensors)
        if found is NotImplemented:
            found = bound(*tensors)
        values.update(zip(plan.wanted(start, end), [one._array for one in found], strict=True))

    def _run_graphs(self, operation: Application, values: dict[Value, Any]) -> None:
        """An operation of graphs, step by step: each of them has programs and cuts of its own."""
        operands = [values[value] for value in operation.operands]
        if issubclass(operation.op, Loop):
            results = self._loop(operation, operands)
        elif issubclass(operation.op, Call):
            results = self._inside(operation, operation.attrs["f"]).run(operands)
        else:
            chosen = _chosen_branch(operation, operands[0])
            results = self._inside(operation, chosen).run(operands[1:])
        values.update(zip(operation.results, results, strict=True))

    def _loop(self, operation: Application, operands: Sequence[Any]) -> Sequence[Any]:
        body: Graph = operation.attrs["body"]
        kept = [one is other for one, other in zip(body.parameters, body.returns, strict=True)]
        condition_run = self._inside(operation, operation.attrs["cond"])
        body_run = self._inside(operation, body)

        def carried(values: Sequence[Any]) -> list[Any]:
            """What each turn changes is no constant: programs are made for each of these."""
            pairs = zip(values, kept, strict=True)
            return [one if is_kept else varying(one) for one, is_kept in pairs]

        state = carried(operands)
        while bool(as_numpy(condition_run.run(state)[0])):
            state = carried(body_run.run(state))
        return state

    def _inside(self, operation: Application, graph: Graph) -> GraphRun:
        """What runs a graph of an operation."""
        found = self._inner.get((operation, graph))
        if found is None:
            programs = self._programs.of_inner(graph)
            calls = self._calls.inside(programs, operation)
            device = self._programs.plan.device_of(operation, self._device)
            found = GraphRun(programs, calls, device)
            self._inner[operation, graph] = found
        return found


def _chosen_branch(operation: Application, choice: Any) -> Graph:
    if issubclass(operation.op, Conditional):
        return operation.attrs["then_branch" if bool(as_numpy(choice)) else "else_branch"]
    branches, index = operation.attrs["branches"], int(as_numpy(choice))
    last = len(branches) - 1
    return branches[index if 0 <= index <= last else last]
