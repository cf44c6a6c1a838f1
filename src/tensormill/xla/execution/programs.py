"""What was made of a graph so far: where it is cut, and the programs between the cuts.

XLA knows no other sizes than constant ones: the first call for operands of a kind (shapes, dtypes)
makes the programs for it. They belong to all threads.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, final

from ...core.process.locks import ForkedLock
from ...eager.storage import Storage
from ...errors import InvalidArgumentError
from ...graph.ir import Application, Graph, Value
from ...graph.passes.expansions import Expansions
from ...graph.passes.order import simplify
from ..language import NotInXla, RuleFailed
from ..program import Part, XlaProgram
from ..replicas.program import ReplicatedProgram, lacking, sharing_of
from ..shardings import axes_of, too_large
from ..whole_program import WholeProgram
from .operand_kinds import kinds_of, prepared
from .plan import MOST_KINDS, Cut, CutPlan

OnCpu = Callable[[Graph], Any]  # a back end's `compile`


@final
class GraphPrograms:
    """A graph, its cuts, and the programs that were made of its parts so far."""

    def __init__(self, graph: Graph, on_cpu: OnCpu) -> None:
        self.graph: Final = graph
        self._on_cpu: Final = on_cpu
        self._lock: Final = ForkedLock()
        self._plan: CutPlan | None = None
        self._expansions: Final = Expansions()
        # By where the part begins and ends, and its device, then by the kinds of operands.
        self._programs: Final[dict[tuple[int, int, Any], dict[Any, XlaProgram]]] = {}
        self._cpu_parts: Final[dict[tuple[int, int], Any]] = {}
        self._rooms: Final[dict[Any, int]] = {}  # for lists that grow in loops
        self._too_large: Final[set[int]] = set()  # sizes of meshes for which JAX lacks devices
        self._unshared: Final[dict[str, None]] = {}  # why work of replicas is done by one device

    @property
    def _is_whole(self) -> bool:
        """Whether all of it has to be one program: jit_compile=True."""
        return bool(self.graph.attrs.get("whole"))

    @property
    def plan(self) -> CutPlan:
        """The one plan of all threads: what one of them cuts, the others see."""
        if self._plan is None:
            with self._lock():
                if self._plan is None:
                    self._plan = CutPlan(simplify(self.graph), self._is_whole)
        return self._plan

    def of_inner(self, graph: Graph) -> GraphPrograms:
        """Those of a graph of an operation, which runs by itself."""
        return GraphPrograms(graph, self._on_cpu)

    # ---- programs
    def whole(
        self, payloads: Sequence[Any], device: Any
    ) -> tuple[XlaProgram | None, Sequence[Storage]]:
        """The one program that is all a call needs, and its variables; None where there is none.

        device: where operations run that name none.
        """
        plan = self.plan
        end = len(plan.operations)
        here = plan.device_of(plan.operations[0], device) if end else device
        known = self._programs.get((0, end, here))
        if not known or plan.cuts or plan.end_of(0, device) != end:
            return None, ()
        values = dict(zip(plan.graph.inputs, payloads, strict=True))
        inputs = plan.outside(0, end)
        operands = [prepared(values[value]) for value in inputs]
        storages, key = kinds_of(operands, plan.has_places)
        return known.get(key), storages

    def program_of(
        self, start: int, end: int, inputs: Sequence[Value], operands: Sequence[Any], device: Any
    ) -> tuple[XlaProgram | None, Sequence[Storage]]:
        """The program of a part for operands like these, which is made where there is none yet, and
        the variables among them; None where the graph had to be cut for them.

        device: where it runs.
        """
        known = self._programs.setdefault((start, end, device), {})
        storages, key = kinds_of(operands, self.plan.has_places)
        found = known.get(key)
        if found is None:
            found = self._make(start, end, inputs, key, known, device)
        return found, storages

    def _make(
        self, start: int, end: int, inputs: Sequence[Value], key: Any, known: dict[Any, XlaProgram],
        device: Any,
    ) -> XlaProgram | None:  # fmt: skip
        with self._lock():
            if (found := known.get(key)) is not None:
                return found
            plan = self.plan
            if any(one in plan.cuts for one in plan.operations[start:end]):  # by another thread
                return None
            operations = plan.operations[start:end]
            part = Part(operations, tuple(inputs), plan.wanted(start, end), plan.fixed)
            if len(known) >= MOST_KINDS:
                why = f"its operands had {MOST_KINDS} combinations of shapes: pad them, or bucket"
                for one in operations:
                    self._refuse((one,), why)
                return None
            try:
                given, facts = key
                made = known[key] = self._program(part, given, facts, device)
            except NotInXla as refusal:
                if isinstance(refusal, RuleFailed):
                    _warn_of(refusal)
                self._refuse(refusal.operations, str(refusal))
                return None
            return made

    def _program(self, part: Part, given: Any, facts: Any, device: Any) -> XlaProgram:
        """A program, whose work replicas share where there are some and it can be shared."""
        rest = self._expansions, self._rooms
        if count := lacking(part):
            self._too_large.add(count)
        try:
            sharing = sharing_of(part, given, facts)
            if sharing is not None:
                return ReplicatedProgram(part, given, facts, *rest, sharing)
        except NotInXla as refusal:
            self._unshared[str(refusal)] = None
        return WholeProgram(part, given, facts, *rest, device=device)

    def _refuse(self, operations: Sequence[Application], reason: str) -> None:
        """Cut the graph at the last of `operations`, the others being in its graphs."""
        cut = Cut(operations[-1], reason, tuple(operations[:-1]))
        self.plan.cuts[operations[-1]] = cut
        if self._is_whole:
            raise InvalidArgumentError(
                f"'{self.graph.name}' has unsupported operations when trying to compile it "
                f"(jit_compile=True):\n  {cut}"
            )

    def lengthen_lists(self, program: XlaProgram, needed: Sequence[int]) -> bool:
        """Forget a program whose lists are too short, for one with room for what is `needed`; False
        where they are not.
        """
        places = program.facts.sites
        short = {site: needed[place] for site, place in places.items() if needed[place]}
        if not short:
            return False
        self._rooms.update({site: 1 << (size - 1).bit_length() for site, size in short.items()})
        with self._lock():
            for known in self._programs.values():
                for key in [key for key, one in known.items() if one is program]:
                    del known[key]
        return True

    # ---- what is no program
    def on_cpu(self, start: int, end: int) -> Any:
        """What runs a part on the CPU."""
        bound = self._cpu_parts.get((start, end))
        if bound is None:
            part = self._graph_of(start, end)
            bound = self._cpu_parts[start, end] = self._on_cpu(part).bind(())
        return bound

    def _graph_of(self, start: int, end: int) -> Graph:
        plan, operations = self.plan, self.plan.operations[start:end]
        used = dict.fromkeys(value for one in operations for value in one.operands)
        constants = [plan.constants[value] for value in used if value in plan.constants]
        steps = (*constants, *operations)
        inputs, outputs = plan.outside(start, end), plan.wanted(start, end)
        return Graph(self.graph.name, inputs, (), steps, outputs, self.graph.attrs)

    # ---- what users are told
    def note_too_large(self, sizes: Sequence[int]) -> None:
        """Note sizes of meshes for which there are not enough devices."""
        self._too_large.update(sizes)

    def notes(self) -> Iterator[str]:
        """How many programs there are where one was not enough, and for which shapes; which are
        divided over several devices.
        """
        yield from map(too_large, sorted(self._too_large))
        yield from (f"replicas do not share it: {why}" for why in self._unshared)
        for known in self._programs.values():
            programs = list(known.values())
            meshes = dict.fromkeys(mesh for one in programs if (mesh := one.facts.mesh) is not None)
            yield from (f"divided over the mesh {axes_of(mesh)}" for mesh in meshes)
            if len(programs) > 1:
                yield from _notes_of_shapes(programs)


def _notes_of_shapes(programs: Sequence[XlaProgram]) -> Iterator[str]:
    for number, value in enumerate(programs[0].part.inputs):
        shapes = dict.fromkeys(str(one.shape_of(number)) for one in programs)
        if len(shapes) > 1:
            yield (
                f"{len(programs)} programs, for {value.name} of the shapes "
                f"{', '.join(shapes)}: pad it, or bucket"
            )


def _warn_of(failure: RuleFailed) -> None:
    name = failure.operations[0].op.name
    warnings.warn(
        f"{name} runs on the CPU, between two programs of XLA: {failure}. Results are right; this "
        "is a defect of tensormill, please report it",
        RuntimeWarning,
        stacklevel=2,
    )
