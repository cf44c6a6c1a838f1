"""Loops that need nothing of each other come to stand side by side.

They may run at the same time then (compiler/lowering). What a later loop needs moves before the
earlier one: what its operands are made of, and what reads and writes a variable before that is read
for it. Nothing moves over an effect on the world, whose order somebody sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from ...core.dtypes import DType
from ...core.process.named_tuples import NamedTuple
from ...ops.control.functional import Loop, effects_of
from ...ops.effects import Writes, only_reads
from ..ir import Application, Graph, Value
from .sharing import dtype_behind

# So many loops run at the same time at most.
MOST: Final = 4


def gather_loops(graph: Graph) -> Graph:
    """Move loops that are independent beside each other, in branches and bodies as well.

    Before:
        graph f(x: f32[], y: f32[]) -> f32[]:
          a: f32[] = StatelessWhile([x], cond=@small, body=@double)
          b: f32[] = Exp(a)
          c: f32[] = Exp(y)
          d: f32[] = StatelessWhile([c], cond=@small, body=@double)
          e: f32[] = AddV2(b, d)
          return e

        graph small(x: f32[]) -> bool[]:
          a: bool[] = Less(x, x)
          return a

        graph double(x: f32[]) -> f32[]:
          a: f32[] = AddV2(x, x)
          return a
    After:
        graph f(x: f32[], y: f32[]) -> f32[]:
          c: f32[] = Exp(y)
          a: f32[] = StatelessWhile([x], cond=@small, body=@double)
          d: f32[] = StatelessWhile([c], cond=@small, body=@double)
          b: f32[] = Exp(a)
          e: f32[] = AddV2(b, d)
          return e

        graph small(x: f32[]) -> bool[]:
          a: bool[] = Less(x, x)
          return a

        graph double(x: f32[]) -> f32[]:
          a: f32[] = AddV2(x, x)
          return a
    """
    return _gathered(graph, {})


def groups(operations: Sequence[Application]) -> Iterator[Sequence[Application]]:
    """The operations in order: loops that stand side by side, and are independent, together."""
    group: list[Application] = []
    made: set[Value] = set()
    for operation in operations:
        joins = len(group) < MOST and _may_move(operation) and made.isdisjoint(operation.operands)
        if group and not joins:
            yield group
            group, made = [], set()
        if not _may_move(operation):
            yield (operation,)
            continue
        group.append(operation)
        made.update(operation.results)
    if group:
        yield group


def _may_move(operation: Application) -> bool:
    return issubclass(operation.op, Loop) and only_reads(effects_of(operation.op, operation.attrs))


# ---------------------------------------------------------------- graphs within graphs


def _gathered(graph: Graph, known: dict[Graph, Graph]) -> Graph:
    if graph not in known:
        inner = [_with_graphs(one, known) for one in graph.operations]
        operations = tuple(_Gathering(inner).operations())
        same = all(a is b for a, b in zip(operations, graph.operations, strict=True))
        known[graph] = graph if same else replace(graph, operations=operations)
    return known[graph]


def _with_graphs(operation: Application, known: dict[Graph, Graph]) -> Application:
    attrs = {name: _in_attr(value, known) for name, value in operation.attrs.items()}
    if all(attrs[name] is value for name, value in operation.attrs.items()):
        return operation
    return replace(operation, attrs=attrs)


def _in_attr(value: Any, known: dict[Graph, Graph]) -> Any:
    if isinstance(value, Graph):
        return _gathered(value, known)
    listed = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else ()
    if listed and isinstance(listed[0], Graph):
        new = tuple([_gathered(one, known) for one in listed])
        return listed if all(a is b for a, b in zip(new, listed, strict=True)) else new
    return cast(Any, value)


# ---------------------------------------------------------------- one graph


class _Candidate(NamedTuple):
    """A loop that may move, and the bits of those that it needs, directly or not."""

    position: int
    bit: int
    needs: int


class _Uses:
    """Which operations read and wrote the variables of each dtype: two handles may be of one."""

    def __init__(self) -> None:
        self._written: dict[DType, int] = {}  # the last one
        self._read: dict[DType, list[int]] = {}  # since then

    def add(self, operation: Application, position: int, before: set[int]) -> bool:
        """Note an operation, and `before` what has to come before it; False where its effects are
        about more than variables.
        """
        is_quiet = True
        for effect in effects_of(operation.op, operation.attrs):
            if (dtype := dtype_behind(operation, effect)) is None:
                is_quiet = False
                continue
            if dtype in self._written:
                before.add(self._written[dtype])
            if isinstance(effect, Writes):
                before.update(self._read.pop(dtype, ()))
                self._written[dtype] = position
            else:
                self._read.setdefault(dtype, []).append(position)
        before.discard(position)
        return is_quiet


class _Gathering:
    """Puts the operations of a graph in another order."""

    def __init__(self, operations: Sequence[Application]) -> None:
        self._all = operations
        self._done = [False] * len(operations)
        self._before: list[tuple[int, ...]] = []  # what each needs, by their positions
        self._loud = [0]  # how many before each have an effect that keeps everything in order
        self._candidates = self._found() if sum(map(_may_move, operations)) > 1 else []

    def operations(self) -> Iterator[Application]:
        starts: Mapping[int, _Candidate] = {one.position: one for one in self._candidates}
        placed = 0
        for position in range(len(self._all)):
            if self._done[position]:
                continue
            group = [position]
            if (first := starts.get(position)) is not None:
                partners = self._partners(first, placed)
                placed |= first.bit
                for one in partners:
                    placed |= one.bit
                    yield from self._moved(self._needed(one.position)[:-1])
                    group.append(one.position)
            yield from self._moved(group)

    def _moved(self, positions: Sequence[int]) -> Iterator[Application]:
        for position in positions:
            self._done[position] = True
            yield self._all[position]

    def _found(self) -> list[_Candidate]:
        """The loops; and what everything needs."""
        numbers = {one.name: number for number, one in enumerate(self._all)}
        makers = {value: number for number, one in enumerate(self._all) for value in one.results}
        uses = _Uses()
        needs: list[int] = []
        found: list[_Candidate] = []
        for position, operation in enumerate(self._all):
            before = {makers[value] for value in operation.operands if value in makers}
            before |= {numbers[one.name] for one in operation.after if one.name in numbers}
            is_loud = not uses.add(operation, position, before)
            self._before.append(tuple(before))
            bits = 0
            for one in before:
                bits |= needs[one]
            if _may_move(operation):
                bit = 1 << len(found)
                found.append(_Candidate(position, bit, bits))
                bits |= bit
            needs.append(bits)
            self._loud.append(self._loud[-1] + is_loud)
        return found

    def _partners(self, first: _Candidate, placed: int) -> list[_Candidate]:
        """Loops that come later and can be ready, as far as nothing happens to the world."""
        partners: list[_Candidate] = []
        for one in self._candidates[first.bit.bit_length() :]:
            is_far = self._loud[one.position] > self._loud[first.position]
            if is_far or len(partners) == MOST - 1:
                break
            if not self._done[one.position] and not one.needs & ~placed:
                partners.append(one)
        return partners

    def _needed(self, position: int) -> list[int]:
        """What has to be done before an operation, and itself, in order."""
        pending, found = [position], {position}
        while pending:
            for one in self._before[pending.pop()]:
                if not self._done[one] and one not in found:
                    found.add(one)
                    pending.append(one)
        return sorted(found)
