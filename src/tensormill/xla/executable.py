"""A graph that runs as programs of XLA, and on the CPU where these can not do something.

The first call for operands of a kind (shapes, dtypes) makes the programs: XLA knows no other sizes
than constant ones. What a program leaves on its device stays there until somebody on the CPU wants
it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final, cast, final

import jax
import numpy as np

from ..core import context
from ..core.dtypes import of_storage
from ..core.process.locks import ForkedLock
from ..core.random_state import CompiledCounters
from ..core.specs import TensorSpec
from ..eager.storage import Away, Storage
from ..eager.tensor import AWAY, wrap, wrap_away, wrap_handle
from ..errors import InvalidArgumentError, OpError
from ..graph.evaluate import run
from ..graph.failure import in_function
from ..graph.ir import Application, Graph, Value
from ..graph.passes.expansions import Expansions
from ..graph.passes.order import simplify
from ..graph.payload import check_operands
from ..ops.control.functional import Call, Conditional, Functional, Loop
from ..ops.dispatch.divisions import Divisions
from ..ops.lists.list_value import ListValue
from .direct_call import Shapes, direct_call, kind_of
from .invocation import Invocation
from .language import NotInXla, RuleFailed
from .lists import HeldList, held, released
from .operands import (
    BetweenPrograms,
    FixedValue,
    Given,
    GivenArray,
    GivenList,
    GivenObject,
    GivenVariable,
    SlotFacts,
)
from .plan import MOST_KINDS, Cut, CutPlan
from .program import Part, XlaProgram, failure_of
from .replicas.program import ReplicatedProgram, lacking, sharing_of
from .shardings import axes_of, place_of, sharding_of, spread, too_large
from .values import dtype_is_usual
from .whole_program import WholeProgram

OnCpu = Callable[[Graph], Any]  # a back end's `compile`


@final
class XlaExecutable:
    """A graph and the programs that were made of it so far."""

    def __init__(self, graph: Graph, on_cpu: OnCpu) -> None:
        self.graph: Final = graph
        self.on_cpu: Final = on_cpu
        self.lock: Final = ForkedLock()
        self._plan: CutPlan | None = None
        self.expansions: Final = Expansions()
        self.programs: Final[dict[tuple[int, int], dict[Any, XlaProgram]]] = {}
        self.rooms: Final[dict[Any, int]] = {}  # for lists that grow in loops
        self.elsewhere: Final[dict[tuple[int, int], Any]] = {}
        self.too_large: Final[set[int]] = set()  # sizes of meshes for which JAX lacks devices
        self.unshared: Final[dict[str, None]] = {}  # why work of replicas is done by one device

    @property
    def plan(self) -> CutPlan:
        """The one plan of all threads: what one of them cuts, the others see."""
        if self._plan is None:
            with self.lock():
                if self._plan is None:
                    self._plan = CutPlan(simplify(self.graph))
        return self._plan

    @property
    def callbacks(self) -> Sequence[Any]:
        """Where the graph is cut, as far as is known: programs are made by the first calls."""
        return tuple(self.plan.cuts.values())

    @property
    def notes(self) -> Sequence[str]:
        """How many programs there are where one was not enough, and for which shapes; which are
        divided over several devices.
        """
        found = [too_large(size) for size in sorted(self.too_large)]
        found += [f"replicas do not share it: {why}" for why in self.unshared]
        for known in self.programs.values():
            programs = list(known.values())
            meshes = dict.fromkeys(mesh for one in programs if (mesh := one.facts.mesh) is not None)
            found += [f"divided over the mesh {axes_of(mesh)}" for mesh in meshes]
            for number, value in enumerate(programs[0].part.inputs if len(programs) > 1 else ()):
                shapes = dict.fromkeys(str(one.shape_of(number)) for one in programs)
                if len(shapes) > 1:
                    found.append(
                        f"{len(programs)} programs, for {value.name} of the shapes "
                        f"{', '.join(shapes)}: pad it, or bucket"
                    )
        return found

    def bind(self, captures: Sequence[Any]) -> BoundXla:
        return BoundXla(self, captures)

    def refuse(self, operations: Sequence[Application], reason: str) -> None:
        """Cut the graph at the last of `operations`, the others being in its graphs."""
        cut = Cut(operations[-1], reason, tuple(operations[:-1]))
        self.plan.cuts[operations[-1]] = cut
        if self.graph.attrs.get("whole"):  # jit_compile=True
            raise InvalidArgumentError(
                f"'{self.graph.name}' has unsupported operations when trying to compile it "
                f"(jit_compile=True):\n  {cut}"
            )


@final
class BoundXla:
    """An executable with what its function captured. Its own quick way in."""

    def __init__(
        self, executable: XlaExecutable, captures: Sequence[Any],
        counters: dict[tuple[Any, ...], CompiledCounters] | None = None, path: tuple[Any, ...] = (),
        divisions: Divisions = (),
    ) -> None:  # fmt: skip
        self.executable: Final = executable
        self._captures = tuple([one._array for one in captures])
        # By the operations that lead to one that draws: they go on wherever it is done.
        self._counters = {} if counters is None else counters
        self._path = path
        self._inner: dict[tuple[Application, Graph], BoundXla] = {}
        self._entries: dict[Shapes, Any] = {}
        self._entry: Any = None  # that which was learned last
        self._divided: dict[Divisions, BoundXla] = {}
        self._divisions = divisions

    def divided(self, divisions: Divisions) -> BoundXla:
        """The same for operands, and then captures, that are divided so."""
        found = self._divided.get(divisions)
        if found is None:
            found = BoundXla(self.executable, (), self._counters, self._path, divisions)
            own = divisions[len(divisions) - len(self._captures) :]
            found._captures = tuple(map(spread, self._captures, own))
            self._divided[divisions] = found
            asked = [one for one in divisions if one is not None and sharding_of(one) is None]
            self.executable.too_large.update(one.devices for one in asked)
        return found

    @property
    def entry(self) -> Any:
        """The quick way in, for tensors of shapes that were met and graphs that are one program."""
        return self if self._entry is None else self._entry

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        check_operands(self.executable.graph, operands)
        if self._divisions:
            arrays = [one._array for one in operands]
            given = list(map(spread, arrays, self._divisions))
        else:
            given = [_payload_of(one) for one in operands]
        payloads = [*given, *self._captures]
        try:
            results = self.run(payloads)
        except OpError as error:
            raise in_function(error, self.executable.graph.called) from error.__cause__
        self._learn(operands, payloads)
        return tuple([as_result(one) for one in results])

    def _learn(self, operands: Sequence[Any], payloads: Sequence[Any]) -> None:
        """Remember the program of this call, where it is all that such calls need."""
        executable, plan = self.executable, self.executable.plan
        known = executable.programs.get((0, len(plan.operations)))
        if not known or plan.cuts:
            return
        inputs = plan.outside(0, len(plan.operations))
        values = dict(zip(plan.graph.inputs, payloads, strict=True))
        storages, key = kinds_of([_prepared(values[value]) for value in inputs])
        program = known.get(key)
        if program is not None:
            found = direct_call(
                plan.graph, program, operands, self._captures, storages, plan.known.get
            )
            if found is not None:
                shapes = tuple([kind_of(one)[0] for one in operands])
                self._entry = self._entries[shapes] = found.entry(self._given_by, self._entries)

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
        operands = [_prepared(values[value]) for value in inputs]
        while True:
            program, storages = self._program(start, end, inputs, operands)
            if program is None:
                return False
            if (found := self._called(program, operands, storages)) is not None:
                break
        for value, result in zip(program.part.outputs, program.results, strict=True):
            values[value] = result.taken(operands, found)
        return True

    def _program(
        self, start: int, end: int, inputs: Sequence[Value], operands: Sequence[Any]
    ) -> tuple[XlaProgram | None, Sequence[Storage]]:
        """The program for operands like these, and the variables among them; None where the graph
        had to be cut for them.
        """
        known = self.executable.programs.setdefault((start, end), {})
        storages, key = kinds_of(operands)
        found = known.get(key)
        if found is None:
            found = self._made(start, end, inputs, key, known)
        return found, storages

    def _made(
        self, start: int, end: int, inputs: Sequence[Value], key: Any, known: dict[Any, XlaProgram]
    ) -> XlaProgram | None:
        executable, (given, facts) = self.executable, key
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
                made = known[key] = self._program_for(part, given, facts)
            except NotInXla as refusal:
                if isinstance(refusal, RuleFailed):
                    _warn_of(refusal)
                executable.refuse(refusal.operations, str(refusal))
                return None
            return made

    def _program_for(self, part: Part, given: Any, facts: Any) -> XlaProgram:
        """A program, whose work replicas share where there are some and it can be shared."""
        executable = self.executable
        rest = executable.expansions, executable.rooms
        if count := lacking(part):
            executable.too_large.add(count)
        try:
            sharing = sharing_of(part, given, facts)
            if sharing is not None:
                return ReplicatedProgram(part, given, facts, *rest, sharing)
        except NotInXla as refusal:
            executable.unshared[str(refusal)] = None
        return WholeProgram(part, given, facts, *rest)

    def _called(
        self, program: XlaProgram, operands: Sequence[Any], storages: Sequence[Storage]
    ) -> Sequence[Any] | None:
        """What a program gives; None where its lists are too short, and another one is needed."""
        arrays = program.taken([operands[k] for k in program.arrays])
        return self._given_by(Invocation(program, storages), arrays, operands)

    def _given_by(
        self, invocation: Invocation, arrays: Sequence[Any], operands: Sequence[Any] = ()
    ) -> Sequence[Any] | None:
        """The same of its arrays alone; `operands` are for what failed checks print."""
        program = invocation.program
        if program.is_plain:
            return invocation(*arrays)
        counters = [self._counters_of(program, path) for path in program.paths]
        if counters:
            words = np.zeros(program.counters, np.int64)
            words[: len(counters)] = [one.words[0] for one in counters]
            arrays = (*arrays, words)
        found, _, (words, status, needed) = program.split(invocation(*arrays))
        if needed is not None and self._make_room(program, np.asarray(needed).tolist()):
            return None
        for counter, word in zip(counters, () if words is None else words.tolist(), strict=False):
            counter.words[0] = word
        if status is not None and (status := np.asarray(status).tolist())[0]:
            if (shown := program.shown.get(status[0])) is not None:
                self._fail(program, status, [one.taken(operands, found) for one in shown])
            raise failure_of(program, status)
        return found

    def _fail(self, program: XlaProgram, status: Sequence[int], operands: Sequence[Any]) -> None:
        """Let the kernel of a failed check say what it is about."""
        operation = program.facts.failures[status[0] - 1].operation
        if operation is not None:
            with context.entered(context.base):
                run(operation, tuple(map(as_tensor, operands)))

    def _make_room(self, program: XlaProgram, needed: Sequence[int]) -> bool:
        """Whether lists have to be longer, for which the next program has room."""
        executable, short = self.executable, False
        for site, place in program.facts.sites.items():
            if needed[place]:
                short = True
                executable.rooms[site] = 1 << (needed[place] - 1).bit_length()
        if short:
            with executable.lock():
                for known in executable.programs.values():
                    for key in [key for key, one in known.items() if one is program]:
                        del known[key]
        return short

    def _counters_of(self, program: XlaProgram, path: tuple[Any, ...]) -> CompiledCounters:
        key = (*self._path, *path)
        if key not in self._counters:
            seeded = program.facts.seeded[program.facts.counters[path]]
            self._counters[key] = CompiledCounters((seeded,))
        return self._counters[key]

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
            results = self._loop(operation, attrs["cond"], attrs["body"], operands)
        elif issubclass(op, Call):
            results = self._inside(operation, attrs["f"]).run(operands)
        elif issubclass(op, Conditional):
            chosen = "then_branch" if bool(as_numpy(operands[0])) else "else_branch"
            results = self._inside(operation, attrs[chosen]).run(operands[1:])
        else:
            branches, index = attrs["branches"], int(as_numpy(operands[0]))
            last = len(branches) - 1
            chosen = branches[index if 0 <= index <= last else last]
            results = self._inside(operation, chosen).run(operands[1:])
        values.update(zip(operation.results, results, strict=True))

    def _loop(
        self, operation: Application, condition: Graph, body: Graph, operands: Sequence[Any]
    ) -> Sequence[Any]:
        condition_of, body_of = self._inside(operation, condition), self._inside(operation, body)
        kept = [one is other for one, other in zip(body.parameters, body.returns, strict=True)]

        def carried(values: Sequence[Any]) -> list[Any]:
            """What each turn changes is no constant: programs are made for each of these."""
            pairs = zip(values, kept, strict=True)
            return [one if is_kept else varying(one) for one, is_kept in pairs]

        state = carried(operands)
        while bool(as_numpy(condition_of.run(state)[0])):
            state = carried(body_of.run(state))
        return state

    def _inside(self, operation: Application, graph: Graph) -> BoundXla:
        """A graph of an operation, which runs by itself."""
        found = self._inner.get((operation, graph))
        if found is None:
            executable = XlaExecutable(graph, self.executable.on_cpu)
            path = (*self._path, operation)
            found = self._inner[operation, graph] = BoundXla(executable, (), self._counters, path)
        return found


# ---------------------------------------------------------------- operands


def given_of(operand: Any, slots: dict[Storage, int]) -> Given:
    """The kind of an operand."""
    if isinstance(operand, Given):
        return operand
    if isinstance(operand, (np.ndarray, jax.Array)):
        array = cast("Any", operand)
        if dtype_is_usual(of_storage(array.dtype)):
            return GivenArray(array.shape, array.dtype, place_of(array))
        return GivenObject(TensorSpec(array.shape, as_tensor(array).dtype))
    if isinstance(operand, BetweenPrograms):
        return operand.given()
    if type(operand) is HeldList:
        leaves, layout = jax.tree.flatten(operand)
        arrays = [GivenArray(one.shape, one.dtype, place_of(one)) for one in leaves]
        return GivenList(tuple(arrays), layout)
    if type(operand) is Storage:
        return GivenVariable(slots[operand])
    return GivenObject(operand.spec)


def kinds_of(operands: Sequence[Any]) -> tuple[Sequence[Storage], Any]:
    """The variables among operands, and what tells which program is for them."""
    storages = list(dict.fromkeys([one for one in operands if type(one) is Storage]))
    slots = {storage: k for k, storage in enumerate(storages)}
    given = tuple([given_of(one, slots) for one in operands])
    return storages, (given, tuple([_facts_of(one) for one in storages]))


def _payload_of(operand: Any) -> Any:
    """What an operand of a call is: where it is on the device, that."""
    away = operand.__dict__.get(AWAY)
    return operand._array if away is None or away[1] is None else away[1]


def _prepared(operand: Any) -> Any:
    """An operand as programs take it."""
    return held(operand) or operand if type(operand) is ListValue else operand


def _facts_of(storage: Storage) -> SlotFacts:
    array = storage.array
    if type(array) is Away:
        shape = array.device_array.shape
    else:
        value = storage.value()
        shape = None if value is None else value.shape
    place = sharding_of(storage.division)
    return SlotFacts(shape, storage.spec, storage.name, storage.trainable, place)


def varying(value: Any) -> Any:
    """A value that is no constant of the programs that take it."""
    return value.array if type(value) is FixedValue else value


def _warn_of(failure: RuleFailed) -> None:
    name = failure.operations[0].op.name
    warnings.warn(
        f"{name} runs on the CPU, between two programs of XLA: {failure}. Results are right; this "
        "is a defect of tensormill, please report it",
        RuntimeWarning,
        stacklevel=2,
    )


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
    if isinstance(value, BetweenPrograms):
        return value.tensor()
    if isinstance(value, (np.ndarray, jax.Array)):
        return wrap(as_numpy(value))
    return wrap_handle(released(value) if type(value) is HeldList else value)


def as_result(value: Any) -> Any:
    """The same of a whole graph's, which stays on the device until somebody looks."""
    if isinstance(value, BetweenPrograms):
        return value.result()
    if isinstance(value, jax.Array) and place_of(value) is None:
        return wrap_away((value.shape, of_storage(value.dtype).numpy), value)
    return as_tensor(value)


def _bytes_of(tensor: Any) -> int:
    array = tensor._array
    return array.nbytes if isinstance(array, np.ndarray) else 0
