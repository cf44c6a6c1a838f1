"""A program for several devices, each of which does the work of a replica.

Operands and variables of replicas are rows of arrays over these devices; so is all that the program
gives. What is above all replicas is done, and had, by each device. To callers it is a program as
others are: it takes and gives what each replica has by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, final

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec

from ...core.process.named_tuples import NamedTuple
from ...graph.ir import Application, Graph, ReplicaPlace, Value
from ...graph.nested_graphs import inner_graphs
from ...graph.passes.expansions import Expansions
from ..builder import Walk
from ..language import NotInXla
from ..lists import HeldList
from ..operands import Given, GivenArray, GivenList, GivenVariable, SlotFacts, held_operands
from ..program import Part, Parts, State, XlaProgram
from ..program_state import ProgramState
from ..shardings import everywhere, free
from ..values import HeldVariable
from .alignment import Alignment, Surroundings, replicas_of
from .exchanges import AXIS, Member
from .shards import RowVariables, Shard, in_one, in_rows, mesh_of
from .walk import ReplicatedWalk
from .written_out import WrittenOut, is_shared

ROWS: Final = PartitionSpec(AXIS)
ALIKE: Final = PartitionSpec()


class Pick(NamedTuple):
    """A result: of which array of the program, which replica's row, and its shape.

    number: None where all rows are alike, but for what a check prints that failed on one device.
    """

    place: int
    number: int | None
    shape: tuple[int, ...]


class Sharing:
    """How the work of a part is shared by replicas: which operands and variables are rows."""

    def __init__(
        self, part: Part, replicas: tuple[ReplicaPlace, ...], given: Sequence[Given],
        slots: Sequence[SlotFacts],
    ) -> None:  # fmt: skip
        self.replicas: Final = replicas
        self.written: Final = WrittenOut(part.operations)
        kinds = dict(zip(part.inputs, given, strict=True))
        variables = {
            value: one.slot for value, one in kinds.items() if isinstance(one, GivenVariable)
        }
        told: dict[Value, Any] = {value: _kind_of(one, slots) for value, one in kinds.items()}
        wanted = [self.written.now(value) for value in part.outputs]
        around = Surroundings(told, variables, {})
        self.alignment: Final = Alignment(self.written.operations, replicas, around, wanted)
        self._users: Final[defaultdict[Any, set[int]]] = defaultdict(set)
        places = {value: number for number, value in enumerate(part.inputs)}
        # Operands of all replicas, by the first one; variables of all replicas, by their slots.
        self.rows: Final[dict[int, tuple[int, ...]]] = {}
        self.parts: Final[list[tuple[int, ...]]] = []
        taken: set[Any] = set()
        for column in list(dict.fromkeys(self._columns(self.alignment, variables))):
            if taken & set(column) or len(set(column)) < len(column):
                continue
            if self._take_parts(column, slots) or self._take_rows(column, kinds, places):
                taken |= set(column)

    def _take_parts(self, column: Sequence[Any], slots: Sequence[SlotFacts]) -> bool:
        """Whether these are variables, each one replica's own; they are taken together then."""
        if not all(type(one) is int for one in column) or not self._are_parts(column, slots):
            return False
        self.parts.append(tuple(column))
        return True

    def _take_rows(
        self, column: Sequence[Any], kinds: Mapping[Any, Given], places: Mapping[Any, int]
    ) -> bool:
        """Whether these are operands of one kind; they are taken together then."""
        if not all(one in places for one in column):
            return False
        first, *others = [kinds[one] for one in column]
        if not isinstance(first, GivenArray) or first.place or any(one != first for one in others):
            return False
        own = tuple([places[one] for one in column])
        self.rows[own[0]] = own
        return True

    def _are_parts(self, column: Sequence[int], slots: Sequence[SlotFacts]) -> bool:
        """Whether each of these variables is one replica's own, and they are alike."""
        facts = {(one.shape, one.spec.short) for one in (slots[slot] for slot in column)}
        alone = all(self._users[slot] == {number} for number, slot in enumerate(column))
        return alone and len(facts) == 1 and slots[column[0]].shape is not None

    def _columns(self, alignment: Alignment, variables: Mapping[Value, Any]) -> Any:
        """What replicas do together with values and variables (these by slot) of theirs, also in
        graphs of what is above them.
        """
        for slot, users in alignment.users.items():
            self._users[slot] |= users
        for step in alignment.steps:
            work = [operations[0] for _, operations in sorted(step.work.items())]
            if step.is_one:
                for column in zip(*[one.operands for one in work], strict=True):
                    yield tuple([variables.get(one, one) for one in column])
            elif is_shared(work[0]):
                for graph in inner_graphs(work[0]):
                    yield from self._columns_inside(work[0], graph, variables)

    def _columns_inside(
        self, operation: Application, graph: Graph, variables: Mapping[Value, Any]
    ) -> Any:
        operands = operation.operands[len(operation.operands) - len(graph.inputs) :]
        pairs = zip(graph.inputs, operands, strict=True)
        inside = {own: variables[outer] for own, outer in pairs if outer in variables}
        written = WrittenOut(graph.operations)
        wanted = map(written.now, graph.returns)
        around = Surroundings({}, inside, {})
        yield from self._columns(
            Alignment(written.operations, self.replicas, around, wanted), inside
        )


def _kind_of(given: Given, slots: Sequence[SlotFacts]) -> Any:
    if isinstance(given, GivenVariable):
        facts = slots[given.slot]
        return facts.shape, facts.spec.short, facts.spec.dtype.name
    return given


@final
class ReplicatedProgram(XlaProgram):
    """A program that is shared by the devices of replicas."""

    def __init__(
        self, part: Part, given: Sequence[Given], slots: Sequence[SlotFacts],
        expansions: Expansions, rooms: Mapping[Any, int], sharing: Sharing,
    ) -> None:  # fmt: skip
        self._sharing: Final = sharing
        mesh = mesh_of(sharing.replicas)
        assert mesh is not None
        self._over: Final[Mesh] = mesh
        self.axes = ((AXIS, mesh.size),)
        self._picks: list[Pick] = []
        self._units: Final = _units(sharing.parts, len(slots))
        self._own: Final[frozenset[int]] = frozenset(
            [unit for unit, own in enumerate(self._units) if len(own) > 1]
        )
        self._unit_of: Final = {
            slot: (unit, number if len(own) > 1 else None)
            for unit, own in enumerate(self._units)
            for number, slot in enumerate(own)
        }
        self._facts: Final = tuple(slots)
        super().__init__(part, given, [slots[own[0]] for own in self._units], expansions, rooms)

    # ---- while it is made
    def _mesh(self) -> Mesh:
        return self._over

    def _places(self, mesh: Mesh | None) -> list[Any]:
        rows, alike = in_rows(self._over), everywhere(self._over)
        return [rows if unit in self._own else alike for unit in range(len(self._units))]

    def _inputs(self) -> list[tuple[int, ...]]:
        """Operands that are arrays: those of all replicas together."""
        rows = self._sharing.rows
        inside = {one for own in rows.values() for one in own[1:]}
        return [rows.get(k, (k,)) for k in self.arrays if k not in inside]

    def _arrays(self) -> list[Any]:
        return [self._given[own[0]].struct for own in self._inputs()]

    def _walk(self, state: ProgramState) -> Walk:
        walk = ReplicatedWalk(self.facts, state, self._expansions, self._rooms)
        shared = frozenset(range(len(self._units))) - self._own
        walk.begin(self._sharing.replicas, shared)
        self.owners = walk.owners
        return walk

    def _follow(self, walk: Any, values: dict[Any, Any]) -> None:
        written = self._sharing.written
        walk.follow(self._sharing.alignment.steps, written, values)
        for value in self.part.outputs:
            values[value] = values[written.now(value)]

    def _held(self, arrays: Sequence[Any]) -> list[Any]:
        tracers: dict[int, Any] = {}
        for own, array in zip(self._inputs(), arrays, strict=True):
            several = len(own) > 1
            tracers.update({k: Member(array, n) if several else array for n, k in enumerate(own)})
        held = held_operands(self._given, self._facts, tracers)
        return [self._in_unit(one) if isinstance(one, HeldVariable) else one for one in held]

    def _in_unit(self, one: HeldVariable) -> HeldVariable:
        unit, number = self._unit_of[one.slot]
        return replace(one, slot=unit, number=number)

    def _leaving(self, found: list[Any]) -> list[Any]:
        leaving: dict[int, tuple[int, Any]] = {}
        self._picks = []
        for one in found:
            array, number = (one.local, one.number) if isinstance(one, Member) else (one, None)
            if isinstance(array, HeldList):
                raise NotInXla("lists of replicas leave the program").at(self.part.operations[-1])
            place, array = leaving.setdefault(id(array), (len(leaving), array))
            self._picks.append(Pick(place, number, tuple(array.shape)))
        return [array for _, array in leaving.values()]

    def _lowered(self, program: Callable[..., Any], given: Sequence[Any]) -> Any:
        order = (*self.donated, *self.read)
        is_row = [unit in self._own for unit in order]
        is_row += [len(own) > 1 for own in self._inputs()]
        is_row += [False] * (len(given) - len(is_row))
        self._count_inside = self.count
        results = [True] * self.count + [unit in self._own for unit in self.written]
        results += [True] * sum(self._kept)
        scalars = [row and not one.shape for row, one in zip(is_row, given, strict=True)]

        def local(*operands: Any) -> Any:
            pairs = zip(operands, scalars, strict=True)
            found = program(*[one[0] if is_scalar else one for one, is_scalar in pairs])
            state = len(found) - sum(self._kept)
            return [
                one[None] if row and (not one.ndim or k >= state) else one
                for k, (one, row) in enumerate(zip(found, results, strict=True))
            ]

        specs = [ROWS if row else ALIKE for row in is_row]
        lie = [ROWS if row else ALIKE for row in results]
        shared = jax.shard_map(
            local, mesh=self._over, in_specs=tuple(specs), out_specs=lie, check_vma=False
        )
        structs = [self._wide(*pair) for pair in zip(given, is_row, strict=True)]
        donated = tuple(range(len(self.donated)))
        placed = [in_rows(self._over) if row else everywhere(self._over) for row in results]
        return jax.jit(shared, donate_argnums=donated, out_shardings=placed).lower(*structs)

    def _placed(self, slot: int) -> Any:
        return self._slots[slot].struct

    def _wide(self, struct: Any, is_row: bool) -> Any:
        """What the program takes of all replicas, of which one has this."""
        if not is_row:
            return jax.ShapeDtypeStruct(struct.shape, struct.dtype, sharding=everywhere(self._over))
        shape = tuple(struct.shape) or (1,)
        size = (shape[0] * self._over.size, *shape[1:])
        return jax.ShapeDtypeStruct(size, struct.dtype, sharding=in_rows(self._over))

    def _called(self, call: Callable[..., Any]) -> Callable[..., Any]:
        inside = self._count_inside
        first = len(self.donated) + len(self.read)
        places = {k: position for position, k in enumerate(self.arrays)}
        packing = [[places[k] for k in own] for own in self._inputs()]
        rows, end, picks = in_rows(self._over), first + len(self.arrays), self._picks
        self.kinds = [(one.shape, self.kinds[one.place][1]) for one in self._picks]
        self.count = len(self._picks)

        def call_all(*operands: Any) -> Any:
            own = operands[first:end]
            packed = [
                np.asarray(own[one[0]]) if len(one) == 1 else in_one([own[k] for k in one], rows)
                for one in packing
            ]
            found = call(*operands[:first], *packed, *operands[end:])
            picked = [Shard(found[place], number or 0, shape) for place, number, shape in picks]
            return [*picked, *found[inside:]]

        return call_all

    # ---- when it is called
    @property
    def wrapping(self) -> Callable[[Any], Any]:
        return Shard.result

    def taken(self, arrays: Sequence[Any]) -> Sequence[Any]:
        return list(map(free, arrays))

    def slots_of(self, storages: Sequence[Any]) -> Sequence[Any]:
        units = [[storages[slot] for slot in own] for own in self._units]
        return [RowVariables(own) if len(own) > 1 else own[0] for own in units]

    def _looked_at(self, found: Sequence[Any], after: Sequence[Any], state: State) -> Parts:
        """Of counters those of the replicas that draw, of checks the first that failed."""
        words, status, needed = state
        if words is not None:
            rows = np.asarray(words)
            words = rows[
                [self.owners.get(k, 0) for k in range(rows.shape[1])], range(rows.shape[1])
            ]
        if status is not None:
            rows = np.asarray(status)
            failed = np.flatnonzero(rows[:, 0] > 0)
            status = rows[failed[0] if failed.size else 0]
            if failed.size:
                found = self._found_on(int(failed[0]), found)
        if needed is not None:
            needed = np.asarray(needed).max(axis=0)
        return found, after, (words, status, needed)

    def _found_on(self, number: int, found: Sequence[Any]) -> Sequence[Any]:
        """What it gave, with the rows of one device where no replica is asked for."""
        pairs = zip(found, self._picks, strict=True)
        return [
            Shard(one.whole, number, one.shape) if pick.number is None else one
            for one, pick in pairs
        ]


def _units(parts: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    """The slots of the program's own variables: those of all replicas together, and single ones."""
    inside = {slot for own in parts for slot in own}
    return [*parts, *[(slot,) for slot in range(count) if slot not in inside]]


def sharing_of(part: Part, given: Sequence[Given], slots: Sequence[SlotFacts]) -> Sharing | None:
    """How replicas share a part; None where there are none, or too few devices for them.

    Raises:
        NotInXla: they can not, which the text says.
    """
    replicas = replicas_of(part.operations)
    if lacking(part) or len(replicas) < 2:
        return None
    if len({one.number for one in replicas}) < len(replicas):
        raise NotInXla("they are of several strategies")
    places = [one.place for one in (*given, *slots) if isinstance(one, (GivenArray, SlotFacts))]
    if any(one is not None for one in places):
        raise NotInXla("operands are divided otherwise")
    if any(isinstance(one, GivenList) for one in given):
        raise NotInXla("lists come into the program")
    sharing = Sharing(part, replicas, given, slots)
    if not sharing.parts and not sharing.rows:
        raise NotInXla("nothing that they do is alike")
    return sharing


def lacking(part: Part) -> int:
    """The number of devices that replicas want and JAX has not; 0 where it has them."""
    replicas = replicas_of(part.operations)
    return 0 if len(replicas) < 2 or mesh_of(replicas) is not None else len(replicas)
