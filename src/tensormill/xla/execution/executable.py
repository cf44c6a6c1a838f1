"""A graph that runs as programs of XLA, and on the CPU where these can not do something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

from ...core.process.named_tuples import NamedTuple
from ...eager.storage import Storage
from ...errors import OpError
from ...graph.failure import in_function
from ...graph.ir import Graph
from ...graph.payload import check_operands
from ...ops.dispatch.divisions import Divisions
from ..device_places import place_on
from ..shardings import sharding_of, spread
from .direct_call import Shapes, direct_call, kind_of
from .graph_run import GraphRun
from .operand_kinds import as_result, payload_of
from .plan import CutPlan
from .program_calls import Counters, ProgramCalls
from .programs import GraphPrograms, OnCpu


class Placed(NamedTuple):
    """That somebody named a device, one of JAX's; None: the usual one."""

    device: Any


@final
class XlaExecutable:
    """A graph as a back end gives it: programs are made by the first calls."""

    def __init__(self, graph: Graph, on_cpu: OnCpu) -> None:
        self.graph: Final = graph
        self._programs: Final = GraphPrograms(graph, on_cpu)

    @property
    def plan(self) -> CutPlan:
        return self._programs.plan

    @property
    def callbacks(self) -> Sequence[Any]:
        """Where the graph is cut, as far as is known."""
        return tuple(self.plan.cuts.values())

    @property
    def notes(self) -> Sequence[str]:
        """What users should know of its programs."""
        return list(self._programs.notes())

    def bind(self, captures: Sequence[Any]) -> BoundXla:
        return BoundXla(self._programs, [one._array for one in captures], Counters())


@final
class BoundXla:
    """A graph with what its function captured. Its own quick way in.

    place: the device that it was called for; where nobody named one, operations run where all
    variables are at home.
    """

    def __init__(
        self, programs: GraphPrograms, captures: Sequence[Any], counters: Counters,
        divisions: Divisions = (), place: Placed | None = None,
    ) -> None:  # fmt: skip
        self._programs: Final = programs
        self._captures: Final = tuple(captures)
        self._counters: Final = counters
        self._divisions: Final = divisions
        self._calls: Final = ProgramCalls(programs, (), counters)
        self._place: Final = place
        device = None if place is None else place.device
        self._run: Final = GraphRun(programs, self._calls, device)
        self._entries: Final[dict[Shapes, Any]] = {}
        self._entry: Any = None  # that which was learned last
        self._divided: Final[dict[Divisions, BoundXla]] = {}
        self._placed: Final[dict[Placed, BoundXla]] = {}

    def on(self, device: str) -> BoundXla:
        """The same for calls that are meant for a device, of this full name."""
        place = Placed(place_on(device))
        if place == self._place or self._divisions:
            return self
        found = self._placed.get(place)
        if found is None:
            found = BoundXla(self._programs, self._captures, self._counters, (), place)
            self._placed[place] = found
        return found

    def divided(self, divisions: Divisions) -> BoundXla:
        """The same for operands, and then captures, that are divided so."""
        found = self._divided.get(divisions)
        if found is None:
            own = divisions[len(divisions) - len(self._captures) :]
            captures = tuple(map(spread, self._captures, own))
            found = BoundXla(self._programs, captures, self._counters, divisions)
            self._divided[divisions] = found
            asked = [one for one in divisions if one is not None and sharding_of(one) is None]
            self._programs.note_too_large([one.devices for one in asked])
        return found

    @property
    def entry(self) -> Any:
        """The quick way in, for tensors of shapes that were met and graphs that are one program."""
        return self if self._entry is None else self._entry

    def __call__(self, *operands: Any) -> tuple[Any, ...]:
        graph = self._programs.graph
        check_operands(graph, operands)
        payloads = [*self._given(operands), *self._captures]
        if (home := self._home(payloads)) is not None:
            there = self.on(home)
            results = there(*operands)
            self._entry = there._entry
            return results
        try:
            results = self._run.run(payloads)
        except OpError as error:
            raise in_function(error, graph.called) from error.__cause__
        self._learn(operands, payloads)
        return tuple([as_result(one) for one in results])

    def _home(self, payloads: Sequence[Any]) -> str | None:
        """The device where all variables are at home, if nobody named another one."""
        if self._place is not None or self._divisions or not self._programs.plan.has_places:
            return None
        homes = {one.device for one in payloads if type(one) is Storage}
        return homes.pop() if len(homes) == 1 else None

    def _given(self, operands: Sequence[Any]) -> list[Any]:
        if not self._divisions:
            return [payload_of(one) for one in operands]
        return list(map(spread, [one._array for one in operands], self._divisions))

    def _learn(self, operands: Sequence[Any], payloads: Sequence[Any]) -> None:
        """Remember the program of this call, where it is all that such calls need."""
        device = None if self._place is None else self._place.device
        program, storages = self._programs.whole(payloads, device)
        if program is None:
            return
        plan = self._programs.plan
        found = direct_call(
            plan.graph, program, operands, self._captures, storages, plan.known.get
        )  # fmt: skip
        if found is not None:
            shapes = tuple([kind_of(one)[0] for one in operands])
            self._entry = self._entries[shapes] = found.entry(self._calls.quick, self._entries)
