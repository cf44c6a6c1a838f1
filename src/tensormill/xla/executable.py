"""A graph that runs as programs of XLA, and on the CPU where these can not do something.

The first call for operands of a kind (shapes, dtypes) makes the programs: XLA knows no other sizes
than constant ones. What a program leaves on its device stays there until somebody on the CPU wants
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import get_ident
from typing import Any, Final, cast, final

import jax
import jax.numpy as jnp
import numpy as np

from ..core.process.locks import ForkedLock
from ..core.random_state import CompiledCounters
from ..core.specs import TensorSpec
from ..eager.storage import Away, Lent, Storage
from ..eager.tensor import wrap, wrap_handle
from ..errors import InvalidArgumentError, OpError
from ..graph.failure import in_function
from ..graph.ir import Application, Graph, Value
from ..graph.passes.expansions import Expansions
from ..graph.passes.order import simplify
from ..graph.payload import check_operands
from ..ops.control.functional import Call, Conditional, Functional, Loop
from .language import NotInXla
from .plan import MOST_KINDS, Cut, CutPlan
from .program import FixedValue, Given, Part, SlotFacts, XlaProgram, failure_of
from .scope import making

OnCpu = Callable[[Graph], Any]  # a back end's `compile`


@final
class XlaExecutable:
    """A graph and the programs that were made of it so far."""

    def __init__(self, graph: Graph, on_cpu: OnCpu, whole: bool = False) -> None:
        self.graph: Final = graph
        self.on_cpu: Final = on_cpu
        self.whole: Final = whole  # whether a cut is an error
        self.lock: Final = ForkedLock()
        self._plan: CutPlan | None = None
        self.expansions: Final = Expansions()
        self.programs: Final[dict[tuple[int, int], dict[Any, XlaProgram]]] = {}
        self.elsewhere: Final[dict[tuple[int, int], Any]] = {}

    @property
    def plan(self) -> CutPlan:
        if self._plan is None:
            self._plan = CutPlan(simplify(self.graph))
        return self._plan

    @property
    def callbacks(self) -> Sequence[Any]:
        """Where the graph is cut, as far as is known: programs are made by the first calls."""
        return tuple(self.plan.cuts.values())

    def bind(self, captures: Sequence[Any]) -> BoundXla:
        return BoundXla(self, captures)

    def refuse(self, operations: Sequence[Application], reason: str) -> None:
        """Cut the graph at the last of `operations`, the others being in its graphs."""
        cut = Cut(operations[-1], reason, tuple(operations[:-1]))
        self.plan.cuts[operations[-1]] = cut
        if self.whole:
            raise InvalidArgumentError(
                f"'{self.graph.name}' has unsupported operations when trying to compile it "
                f"(jit_compile=True):\n  {cut}"
            )


@final
class BoundXla:
    """An executable with what its function captured. Its own quick way in."""

    def __init__(self, executable: XlaExecutable, captures: Sequence[Any]) -> None:
        self.executable: Final = executable
        self._captures = tuple([one._array for one in captures])
        self._counters: dict[tuple[Any, ...], CompiledCounters] = {}
        self._inner: dict[Graph, BoundXla] = {}

    @property
    def entry(self) -> Any:
        return self

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        check_operands(self.executable.graph, operands)
        payloads = [*(one._array for one in operands), *self._captures]
        try:
            results = self.run(payloads)
        except OpError as error:
            raise in_function(error, self.executable.graph.called) from error.__cause__
        return tuple([as_tensor(one) for one in results])

    def run(self, payloads: Sequence[Any]) -> list[Any]:
        """The results for arrays of NumPy's or JAX's, storages, lists and objects."""
        executable = self.executable
        plan = executable.plan
        values: dict[Value, Any] = dict(zip(plan.graph.inputs, payloads, strict=True))
        values.update(plan.known)
        position = 0
        while position < len(plan.operations):
            end = plan.end_of(position)
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

    # ---- programs
    def _run_program(self, start: int, end: int, values: dict[Value, Any]) -> bool:
        inputs = self.executable.plan.outside(start, end)
        operands = [values[value] for value in inputs]
        storages = list(dict.fromkeys(one for one in operands if type(one) is Storage))
        program = self._program(start, end, inputs, operands, storages)
        if program is None:
            return False
        found = self._called(program, operands, storages)
        for value, result in zip(program.part.outputs, program.results, strict=True):
            if result.kind == "array":
                values[value] = found[result.fact]
            else:
                values[value] = operands[result.fact] if result.kind == "input" else result.fact
        return True

    def _program(
        self, start: int, end: int, inputs: Sequence[Value], operands: Sequence[Any],
        storages: Sequence[Storage],
    ) -> XlaProgram | None:  # fmt: skip
        """The program for operands like these; None where the graph had to be cut for them."""
        executable = self.executable
        known = executable.programs.setdefault((start, end), {})
        slots = {storage: k for k, storage in enumerate(storages)}
        given = tuple([given_of(one, slots) for one in operands])
        facts = tuple([_facts_of(one) for one in storages])
        key = given, facts
        if (found := known.get(key)) is not None:
            return found
        with executable.lock():
            if (found := known.get(key)) is not None:
                return found
            plan = executable.plan
            if plan.end_of(start) != end:  # another thread has cut it
                return None
            part = Part(
                plan.operations[start:end], tuple(inputs), plan.wanted(start, end),
                plan.fixed,
            )  # fmt: skip
            if len(known) >= MOST_KINDS:
                why = f"its operands had {MOST_KINDS} combinations of shapes: pad them, or bucket"
                for one in part.operations:
                    executable.refuse((one,), why)
                return None
            try:
                made = known[key] = XlaProgram(part, given, facts, executable.expansions)
            except NotInXla as refusal:
                executable.refuse(refusal.operations, str(refusal))
                return None
            return made

    def _called(
        self, program: XlaProgram, operands: Sequence[Any], storages: Sequence[Storage]
    ) -> Sequence[Any]:
        arrays = [operands[k] for k in program.arrays]
        counters = [self._counters_of(program, path) for path in program.paths]
        words = np.zeros(program.counters, np.int64)
        words[: len(counters)] = [one.words[0] for one in counters]
        read = [on_device(storages[k]) for k in program.read]
        lent = {k: lend(storages[k]) for k in program.written}
        after: dict[int, Any] = {}
        try:
            with making():
                donated = [lent[k] for k in program.donated]
                found = program.call(donated, read, arrays, words)
            split = len(found) - len(program.written) - 2
            after = dict(zip(program.written, found[split:-2], strict=True))
        finally:
            for k, before in lent.items():
                array = after.get(k, before)
                gone = array is None or array.is_deleted()
                storages[k].array = None if gone else Away(array)
        for counter, word in zip(counters, np.asarray(found[-2]).tolist(), strict=False):
            counter.words[0] = word
        if program.facts.failures and (status := np.asarray(found[-1]).tolist())[0]:
            raise failure_of(program, status)
        return found[:split]

    def _counters_of(self, program: XlaProgram, path: tuple[Any, ...]) -> CompiledCounters:
        if path not in self._counters:
            seeded = program.facts.seeded[program.facts.counters[path]]
            self._counters[path] = CompiledCounters((seeded,))
        return self._counters[path]

    # ---- what is no program
    def _run_on_cpu(self, start: int, end: int, values: dict[Value, Any]) -> None:
        executable, plan = self.executable, self.executable.plan
        inputs, outputs = plan.outside(start, end), plan.wanted(start, end)
        bound = executable.elsewhere.get((start, end))
        if bound is None:
            operations = plan.operations[start:end]
            used = dict.fromkeys(value for one in operations for value in one.operands)
            constants = [plan.constants[value] for value in used if value in plan.constants]
            part = Graph(
                executable.graph.name, inputs, (), (*constants, *operations), outputs,
                executable.graph.attrs,
            )  # fmt: skip
            bound = executable.elsewhere[start, end] = executable.on_cpu(part).bind(())
        tensors = [as_tensor(values[value]) for value in inputs]
        plan.cuts[plan.operations[start]].bytes = sum(map(_bytes_of, tensors))
        found = bound.entry(*tensors)
        if found is NotImplemented:
            found = bound(*tensors)
        values.update(zip(outputs, [one._array for one in found], strict=True))

    def _run_graphs(self, operation: Application, values: dict[Value, Any]) -> None:
        """An operation of graphs, step by step: each of them has programs and cuts of its own."""
        operands = [values[value] for value in operation.operands]
        op, attrs = operation.op, operation.attrs
        if issubclass(op, Loop):
            results = self._loop(attrs["cond"], attrs["body"], operands)
        elif issubclass(op, Call):
            results = self._inside(attrs["f"]).run(operands)
        elif issubclass(op, Conditional):
            chosen = "then_branch" if bool(as_numpy(operands[0])) else "else_branch"
            results = self._inside(attrs[chosen]).run(operands[1:])
        else:
            branches, index = attrs["branches"], int(as_numpy(operands[0]))
            last = len(branches) - 1
            chosen = branches[index if 0 <= index <= last else last]
            results = self._inside(chosen).run(operands[1:])
        values.update(zip(operation.results, results, strict=True))

    def _loop(self, condition: Graph, body: Graph, operands: Sequence[Any]) -> Sequence[Any]:
        condition_of, body_of = self._inside(condition), self._inside(body)
        kept = [one is other for one, other in zip(body.parameters, body.returns, strict=True)]

        def carried(values: Sequence[Any]) -> list[Any]:
            """What each turn changes is no constant: programs are made for each of these."""
            pairs = zip(values, kept, strict=True)
            return [one if is_kept else varying(one) for one, is_kept in pairs]

        state = carried(operands)
        while bool(as_numpy(condition_of.run(state)[0])):
            state = carried(body_of.run(state))
        return state

    def _inside(self, graph: Graph) -> BoundXla:
        found = self._inner.get(graph)
        if found is None:
            executable = XlaExecutable(graph, self.executable.on_cpu, self.executable.whole)
            found = self._inner[graph] = BoundXla(executable, ())
        return found


# ---------------------------------------------------------------- operands


def given_of(operand: Any, slots: dict[Storage, int]) -> Given:
    """The kind of an operand."""
    if isinstance(operand, (np.ndarray, jax.Array)):
        array = cast("Any", operand)
        if array.dtype.kind not in "OV":
            return Given("array", (array.shape, array.dtype))
        return Given("object", TensorSpec(array.shape, as_tensor(array).dtype))
    if type(operand) is FixedValue:
        return Given("constant", operand)
    if type(operand) is Storage:
        return Given("variable", slots[operand])
    return Given("object", operand.spec)


def _facts_of(storage: Storage) -> SlotFacts:
    array = storage.array
    if type(array) is Away:
        shape = array.device_array.shape
    else:
        value = storage.value()
        shape = None if value is None else value.shape
    return SlotFacts(shape, storage.spec, storage.name, storage.trainable)


def varying(value: Any) -> Any:
    """A value that is no constant of the programs that take it."""
    return value.array if type(value) is FixedValue else value


def on_device(storage: Storage) -> Any:
    """The value of a variable on the device, where it stays."""
    array = storage.array
    if type(array) is Away:
        return array.device_array
    value = storage.read()
    with making():
        moved = jnp.array(value)
    if storage.array is value:
        storage.array = Away(moved)
    return moved


def lend(storage: Storage) -> Any:
    """Take the value out of a variable, for a program that changes it; None where there is none."""
    lent = Lent(get_ident())
    while True:
        if storage.value() is None:
            storage.array = lent
            return None
        moved = on_device(storage)
        away = storage.array
        # Python gives no other thread its turn between this line and the next.
        if type(away) is Away and away.device_array is moved:
            storage.array = lent
            return moved


# ---------------------------------------------------------------- results


def as_numpy(value: Any) -> np.ndarray[Any, Any]:
    """An array of a program's, or of NumPy's, as tensors hold it."""
    if type(value) is FixedValue:
        return value.array
    if isinstance(value, np.ndarray):
        return cast("np.ndarray[Any, Any]", value)
    return np.asarray(value)


def as_tensor(value: Any) -> Any:
    """A result as an eager tensor."""
    if isinstance(value, (FixedValue, np.ndarray, jax.Array)):
        return wrap(as_numpy(value))
    return wrap_handle(value)


def _bytes_of(tensor: Any) -> int:
    array = tensor._array
    return array.nbytes if isinstance(array, np.ndarray) else 0
