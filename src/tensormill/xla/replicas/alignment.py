"""Which operations of a graph are the same work of several replicas, and which they do in turn.

`strategy.run` records the code of each replica, and says of its operations whose work they are;
what looks at a value of one replica alone belongs to it as well. Operations of all replicas are one
step where they are the same operation, from the same line, of values that are alike again:

    replica 0    a0 = MatMul(x0, w0)    b0 = Relu(a0)            one step    a = MatMul(x, w)
    replica 1    a1 = MatMul(x1, w1)    b1 = Relu(a1)      ──►   one step    b = Relu(a)
    above all    t = AddN([b0, b1])                              above all   t = AddN([b0, b1])

What is left of replicas' work is done by each device for its own replica, at the same time. Steps
have an order that keeps that of what depends on each other. Which operations are put together
decides how fast a program is, not what it gives: a step says who does what, and no more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Final, final

from ...graph.ir import Application, ReplicaPlace, Value
from ...graph.nested_graphs import every_operation, inner_graphs
from ...ops.control.functional import effects_of, variable_of
from ...ops.effects import Effect, World, Writes
from .written_out import is_shared

Node = tuple[int, ...]  # places of operations that are done at once
ABOVE: Final = -1  # in place of a replica's number: above all of them
# Effects whose order among each other nobody notices within a program.
UNORDERED: Final = frozenset({World.DRAWS, World.CHECKS})


@final
@dataclass(frozen=True, eq=False)
class ReplicaStep:
    """What is done at once: operations by the number of the replica that does them.

    is_one: each replica does one, and these are alike. returns: what others need of a replica's.
    """

    work: Mapping[int, Sequence[Application]]
    is_one: bool
    returns: Mapping[int, Sequence[Value]]


def replicas_of(operations: Iterable[Application]) -> tuple[ReplicaPlace, ...]:
    """The replicas that have work among operations, in their order, also within calls and loops."""
    found: set[ReplicaPlace | None] = set()
    for one in operations:
        inner = [step for graph in inner_graphs(one) for step in every_operation(graph)]
        found.update([step.replica for step in ([one] if one.replica else inner)])
    return tuple(sorted(filter(None, found)))


@final
class Surroundings:
    """What is known of the values that operations get from outside.

    kinds: what tells values apart, their shapes above all. variables: what tells the variables
    behind handles apart. numbers: the replicas whose values or variables they are.
    """

    def __init__(
        self,
        kinds: Mapping[Value, Hashable],
        variables: Mapping[Value, Hashable],
        numbers: Mapping[Value, int],
    ) -> None:
        self.kinds: Final = kinds
        self.variables: Final = variables
        self.numbers: Final = numbers


@final
class Alignment:
    """The operations of `replicas`, put together; `wanted` is what is needed of all."""

    def __init__(
        self,
        operations: Sequence[Application],
        replicas: Sequence[ReplicaPlace],
        around: Surroundings,
        wanted: Iterable[Value],
    ) -> None:
        self._operations: Final = operations
        self._replicas: Final[dict[ReplicaPlace | None, int]] = {
            place: number for number, place in enumerate(replicas)
        }
        self._around: Final = around
        self._numbers: Final = dict(around.numbers)  # of values: whose they are
        self._signs: Final[dict[Value, int]] = {}  # of values: what they are, whosever
        self._of: Final = [self._sign(one) for one in operations]  # whose, and what it is
        self.users: Final = self._users()
        self._needs: Final = _dependencies(operations, around.variables)
        uses: defaultdict[Value, set[int]] = defaultdict(set)
        for place, one in enumerate(operations):
            for value in one.operands:
                uses[value].add(place)
        self._uses: Final = uses
        self._wanted: Final = frozenset(wanted)
        self.steps: Final = self._steps()

    @property
    def aligned(self) -> int:
        """How many operations are part of one that all replicas do."""
        return sum(len(step.work) for step in self.steps if step.is_one)

    # ---- whose they are, and what
    def _sign(self, operation: Application) -> tuple[int, int]:
        """The replica that does an operation, and what is the same for those of other replicas."""
        found = {self._numbers[one] for one in operation.operands if one in self._numbers}
        effects = effects_of(operation.op, operation.attrs)
        is_written = any(isinstance(effect, Writes) for effect in effects)
        if operation.op.guard or is_shared(operation):
            number = ABOVE
        elif found and not is_written:  # a variable is changed where it is
            number = found.pop() if len(found) == 1 else ABOVE
        else:
            number = self._replicas.get(operation.replica, ABOVE)
        if number == ABOVE:
            return ABOVE, 0
        # The innermost line: around it replicas have other frames, of threads.
        where = [(one.file, one.line) for one in operation.source[-1:]]
        operands = tuple([self._sign_of(one) for one in operation.operands])
        sign = hash((operation.op.name, operation.counts, operands, tuple(where)))
        for place, value in enumerate(operation.results):
            self._numbers[value] = number
            self._signs[value] = hash((sign, place))
        return number, sign

    def _sign_of(self, value: Value) -> Hashable:
        found = self._signs.get(value)
        return self._around.kinds.get(value, value.spec.short) if found is None else found

    def _users(self) -> Mapping[Hashable, set[int]]:
        """The replicas that use each variable."""
        found: defaultdict[Hashable, set[int]] = defaultdict(set)
        for (number, _), operation in zip(self._of, self._operations, strict=True):
            if number != ABOVE:
                for value in operation.operands:
                    if value in self._around.variables:
                        found[self._around.variables[value]].add(number)
        return found

    def _may_be_one(self, operation: Application) -> bool:
        """Replicas change one after the other what is not each one's own."""
        for effect in effects_of(operation.op, operation.attrs):
            if isinstance(effect, World):
                if effect not in UNORDERED:
                    return False
            elif isinstance(effect, Writes):
                key = self._around.variables.get(variable_of(operation, effect))
                if key is None or len(self.users[key]) > 1:
                    return False
        return True

    # ---- steps
    def _steps(self) -> list[ReplicaStep]:
        nodes = self._nodes()
        while True:
            steps, stuck = _Ordering(nodes, self._of, self._needs).run()
            if stuck is None:
                self._joined = frozenset([node for node in nodes if len(node) > 1])
                return [self._step(one) for one in steps]
            nodes = [node for node in nodes if node is not stuck] + [(place,) for place in stuck]

    def _nodes(self) -> list[Node]:
        """Places of operations, together where they may be one."""
        waiting: defaultdict[int, list[list[int]]] = defaultdict(
            lambda: [[] for _ in self._replicas]
        )
        for place, (number, sign) in enumerate(self._of):
            if number != ABOVE and self._may_be_one(self._operations[place]):
                waiting[sign][number].append(place)
        nodes = [one for queues in waiting.values() for one in zip(*queues, strict=False)]
        taken = {place for node in nodes for place in node}
        return nodes + [(k,) for k in range(len(self._operations)) if k not in taken]

    def _step(self, places: Node) -> ReplicaStep:
        work: defaultdict[int, list[int]] = defaultdict(list)
        for place in places:
            work[self._of[place][0]].append(place)
        own = {number: set(places) for number, places in work.items()}
        returns = {number: tuple(self._needed(places)) for number, places in own.items()}
        done = {number: [self._operations[k] for k in places] for number, places in work.items()}
        return ReplicaStep(done, places in self._joined, returns)

    def _needed(self, places: set[int]) -> Iterable[Value]:
        """What others need of what is done at places."""
        for place in sorted(places):
            for value in self._operations[place].results:
                if value in self._wanted or not self._uses[value] <= places:
                    yield value


class _Ordering:
    """Puts nodes in order; what replicas do alone waits until it can be done at once."""

    def __init__(
        self, nodes: Sequence[Node], of: Sequence[tuple[int, int]], needs: Sequence[set[int]]
    ) -> None:
        self._nodes: Final = nodes
        self._of: Final = of
        node_of = {place: k for k, node in enumerate(nodes) for place in node}
        self._needed: Final = [
            {node_of[one] for place in node for one in needs[place]} - {k}
            for k, node in enumerate(nodes)
        ]
        self._followers: defaultdict[int, list[int]] = defaultdict(list)
        for k, needed in enumerate(self._needed):
            for one in needed:
                self._followers[one].append(k)
        self._missing = [len(one) for one in self._needed]
        self._main: list[tuple[int, int]] = []
        self._alone: list[tuple[int, int]] = []

    def run(self) -> tuple[list[Node], Node | None]:
        """The nodes in order, those that go together joined; and one that is in a circle."""
        found: list[Node] = []
        done: set[int] = set()
        for k, missing in enumerate(self._missing):
            if not missing:
                self._ready(k)
        while self._main or self._alone:
            if self._main:
                _, k = heappop(self._main)
                found.append(self._nodes[k])
                done.add(k)
                self._follow(k)
            else:
                batch = self._batch()
                found.append(tuple([self._nodes[k][0] for k in batch]))
                done.update(batch)
        if len(done) == len(self._nodes):
            return found, None
        circle = [k for k in range(len(self._nodes)) if k not in done and len(self._nodes[k]) > 1]
        return found, self._nodes[min(circle, key=lambda k: max(self._nodes[k]))]

    def _ready(self, k: int) -> None:
        node = self._nodes[k]
        is_alone = len(node) == 1 and self._of[node[0]][0] != ABOVE
        heappush(self._alone if is_alone else self._main, (max(node), k))

    def _follow(self, k: int) -> None:
        for one in self._followers[k]:
            self._missing[one] -= 1
            if not self._missing[one]:
                self._ready(one)

    def _batch(self) -> list[int]:
        """What replicas do alone from here on, where none waits for another one."""
        batch: dict[int, int] = {}  # by node: whose it is
        later: list[tuple[int, int]] = []
        while self._alone:
            place, k = heappop(self._alone)
            number = self._of[place][0]
            if any(batch.get(one, number) != number for one in self._needed[k]):
                later.append((place, k))
                continue
            batch[k] = number
            self._follow(k)
        for one in later:
            heappush(self._alone, one)
        return list(batch)


def _dependencies(
    operations: Sequence[Application], variables: Mapping[Value, Hashable]
) -> list[set[int]]:
    """For each operation the places of those that have to be done before."""
    made: dict[Value, int] = {}
    order = _EffectOrder()
    found: list[set[int]] = []
    for place, operation in enumerate(operations):
        needed = {made[one] for one in operation.operands if one in made}
        for effect in effects_of(operation.op, operation.attrs):
            needed |= order.before(place, effect, _key_of(operation, effect, variables))
        found.append(needed - {place})
        made.update(dict.fromkeys(operation.results, place))
    return found


def _key_of(operation: Application, effect: Effect, variables: Mapping[Value, Hashable]) -> Any:
    if isinstance(effect, World):
        return None
    return variables.get(variable_of(operation, effect))


class _EffectOrder:
    """Which operations with effects have to come before another one."""

    def __init__(self) -> None:
        self._writer: dict[Hashable, int] = {}
        self._readers: defaultdict[Hashable, set[int]] = defaultdict(set)
        self._barrier: set[int] = set()
        self._since: set[int] = set()  # all with effects, since the barrier
        self._checks: set[int] = set()  # nothing is written after one has failed

    def before(self, place: int, effect: Effect, key: Hashable) -> set[int]:
        """What comes before an effect at this place, on the variable with this key."""
        if isinstance(effect, World) and effect in UNORDERED:
            self._checks.add(place)
            self._since.add(place)
            return set(self._barrier)
        if key is None:
            needed = self._barrier | self._since
            self._barrier, self._since = {place}, set()
            return needed
        self._since.add(place)
        last = self._writer.get(key)
        needed = self._barrier | (set() if last is None else {last})
        if not isinstance(effect, Writes):
            self._readers[key].add(place)
            return needed
        needed |= self._readers.pop(key, set()) | self._checks
        self._writer[key] = place
        return needed
