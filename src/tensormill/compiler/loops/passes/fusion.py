"""Loop nests over the same indices become one."""

from __future__ import annotations

from typing import Final, TypeAlias

from ..costs import LOOP_WORK, arithmetic
from ..effects import Access, Gathered, Summaries, common_axis, escaping
from ..ir import Buffer, For, Literal, Load, Program, Set, Statement, Store
from ..short_rows import depends_on, short_row, short_rows
from ..walk import Block, every_part, every_statement, map_blocks, map_compound, substitute
from .parallel import SHORT, iterations

Accesses: TypeAlias = dict[Buffer, list[Access]]
# How far back a partner is looked for, and how much one loop may hold: compile time, registers.
_WINDOW: Final = 48
_MOST_STATEMENTS: Final = 60
_MOST_BUFFERS: Final = 24
_DEAR: Final = 25  # what an exponential costs (functions.py): an array is written and read for less


def fuse_loops(program: Program, summaries: Summaries | None = None) -> Program:
    """Join loops of equal extents that touch the same memory, outer ones first.

    What stands between them moves out of the way if its order does not matter. Two loops may be
    joined if every buffer that one of them writes and the other touches is always indexed with
    exactly the loop's index, on one axis: then iteration i needs nothing of other iterations.

    Before:
        program f(x: input f32[n, 4], y: output f32[n, 4], n: i64):
          allocate t: f32[n, 4]
          parfor i in n:
            for j in 4:
              t[i, j] = exp(x[i, j])
          let half: f32 = (x[0, 0] * 0.5)
          parfor k in n:
            for l in 4:
              y[k, l] = (t[k, l] + half)
    After:
        program f(x: input f32[n, 4], y: output f32[n, 4], n: i64):
          allocate t: f32[n, 4]
          let half: f32 = (x[0, 0] * 0.5)
          parfor i in n:
            for j in 4:
              t[i, j] = exp(x[i, j])
              y[i, j] = (t[i, j] + half)
    """
    summaries = summaries or Summaries(escaping(program.body))
    return Program(program.name, program.frame, _Fuser(summaries).block(program.body))


class _Fuser:
    def __init__(self, summaries: Summaries) -> None:
        self.summaries = summaries
        self._sizes: dict[For, tuple[int, int]] = {}

    def block(self, block: Block, around: For | None = None) -> Block:
        """`around`: the loop whose body the block is."""
        statements: list[Statement] = []
        for statement in block:
            statements.append(statement)
            place = len(statements) - 1 if isinstance(statement, For) else None
            while place is not None:  # a joined loop may have a partner further up
                place = self._join_upwards(statements, place, around)
        joined = block if len(statements) == len(block) else tuple(statements)
        return map_compound(joined, self._inside)

    def _inside(self, statement: Statement) -> Statement:
        around = statement if isinstance(statement, For) else None
        return map_blocks(statement, lambda inner: self.block(inner, around))

    def _join_upwards(
        self, statements: list[Statement], place: int, around: For | None
    ) -> int | None:
        """Join the loop at `place` with one above it; where the joined loop stands, if any."""
        loop = statements[place]
        if not isinstance(loop, For) or not _is_joinable(loop, around):
            return None
        needed: list[int] = []  # what `loop` depends on, and must move before both
        above_all = Gathered(self.summaries)
        last = Gathered(self.summaries)
        last.add(loop)
        for above in range(place - 1, self._furthest(statements, place) - 1, -1):
            other = statements[above]
            blocked = bool(needed) and above_all.conflicts(other)
            if isinstance(other, For) and not blocked and self._may_join(other, loop, around):
                return self._join(statements, above, place, needed[::-1])
            if blocked or last.conflicts(other):
                needed.append(above)
                above_all.add(other)
        return None

    def _join(self, statements: list[Statement], first: int, second: int, needed: list[int]) -> int:
        """Join two loops of a list; where the joined one stands."""
        a, b = statements[first], statements[second]
        assert isinstance(a, For)
        assert isinstance(b, For)
        whole = joined_loops(a, b)
        self.summaries.joined(whole, a, b)
        self._sizes[whole] = self._size_together(a, b)
        moved = [statements[one] for one in needed]
        rest = [statements[one] for one in range(first + 1, second) if one not in needed]
        statements[first : second + 1] = [*moved, whole, *rest]
        return first + len(moved)

    # ---------------------------------------------------------------- may they?

    def _furthest(self, statements: list[Statement], place: int) -> int:
        """The first loop above that touches some of the same buffers; `place` if there is none."""
        touches = self.summaries.of(statements[place]).touches
        for above in range(max(0, place - _WINDOW), place):
            other = statements[above]
            if isinstance(other, For) and not touches.isdisjoint(self.summaries.of(other).touches):
                return above
        return place

    def _may_join(self, a: For, b: For, around: For | None) -> bool:
        return (
            a.extent is b.extent
            and _flags_agree(a, b)
            and _is_joinable(a, around)
            and self._is_worth_it(a, b)
            and self._is_legal(a, b)
        )

    def _is_worth_it(self, a: For, b: For) -> bool:
        first, second = self.summaries.of(a), self.summaries.of(b)
        shared = any(buffer.shape for buffer in first.touches & second.touches)
        buffers = len(first.touches | second.touches)
        if not shared or buffers > _MOST_BUFFERS or self._loses_lanes(a, b):
            return False
        count, work = self._size_together(a, b)
        return count <= _MOST_STATEMENTS and work <= LOOP_WORK

    def _loses_lanes(self, a: For, b: For) -> bool:
        """Whether one goes from one iteration to the next, and so has the other go, whose dear
        functions would have been computed for many at once.
        """
        chained = _is_chain(a)
        if chained == _is_chain(b):
            return False
        other = b if chained else a
        return not _sums(other) and self._size(other)[1] >= _DEAR

    def _size(self, loop: For) -> tuple[int, int]:
        """How many statements are in a loop, and what their arithmetic costs."""
        if (known := self._sizes.get(loop)) is None:
            inside = every_statement(loop.body)
            known = len(inside), sum(map(arithmetic, inside))
            self._sizes[loop] = known
        return known

    def _size_together(self, a: For, b: For) -> tuple[int, int]:
        (statements, work), (more, further) = self._size(a), self._size(b)
        return statements + more, work + further

    def _is_legal(self, a: For, b: For) -> bool:
        first, second = self.summaries.of(a), self.summaries.of(b)
        if first.defines & (second.uses | second.defines) or second.defines & first.uses:
            return False
        if first.pointed or second.pointed:
            return False
        if self.summaries.order_matters(a, b):
            return False
        critical = first.writes & second.touches | second.writes & first.reads
        return not critical or self._slices_match(a, b, critical)

    def _slices_match(self, a: For, b: For, critical: frozenset[Buffer]) -> bool:
        """Whether iteration i of both touches only slice i of these buffers."""
        of_a, of_b = self.summaries.accesses(a), self.summaries.accesses(b)
        return all(_same_slice(one, of_a, of_b, a, b) for one in critical)


def _same_slice(buffer: Buffer, of_a: Accesses, of_b: Accesses, a: For, b: For) -> bool:
    axis = common_axis(of_a[buffer], a.index)
    if axis is None or axis != common_axis(of_b[buffer], b.index):
        return False
    return of_a[buffer][0].flat(buffer) == of_b[buffer][0].flat(buffer)


def _flags_agree(a: For, b: For) -> bool:
    """Regrouping must not spread to sums that may not be regrouped."""
    if a.reassociate != b.reassociate and (_sums(a) and _sums(b)):
        return False
    return a.parallel == b.parallel or (iterations(a) <= SHORT and iterations(b) <= SHORT)


def _sums(loop: For) -> bool:
    """Whether iterations change registers, or elements that all of them change."""
    return any(isinstance(one, Set) for one in loop.body) or any(
        isinstance(one, Store) and _adds_up(one, loop) for one in every_statement(loop.body)
    )


def _is_chain(loop: For) -> bool:
    """Whether each iteration keeps what it makes of what the last one found: a running sum."""
    changed = {one.variable for one in loop.body if isinstance(one, Set)}
    if not changed or any(isinstance(one, For) for one in loop.body):
        return False
    kept = [one.value for one in loop.body if isinstance(one, Store)]
    return any(part in changed for value in kept for part in every_part(value))


def _adds_up(store: Store, loop: For) -> bool:
    """Whether every iteration of a loop adds to the same element."""
    if any(depends_on(index, loop.index) for index in store.indices):
        return False
    target = Load(store.buffer, store.indices)
    return any(part is target for part in every_part(store.value))


def _is_joinable(loop: For, around: For | None) -> bool:
    """Rows that a loop adds up stay alone: they become vector instructions by themselves."""
    if _adds_rows(loop, around):
        return False
    return not any(isinstance(one, For) and _adds_rows(one, loop) for one in loop.body)


def _adds_rows(loop: For, around: For | None) -> bool:
    """Whether a loop clears a row, or adds to one that is the same in the next iteration around."""
    store = short_row(loop) or short_rows(loop)
    if store is None:
        return False
    if isinstance(store.value, Literal):
        return True
    return around is not None and not any(depends_on(one, around.index) for one in store.indices)


def joined_loops(a: For, b: For) -> For:
    """One loop that does what `a` does, then what `b` does, in every iteration."""
    body = (*a.body, *substitute(b.body, {b.index: a.index}))
    return For(a.index, a.extent, body, a.parallel and b.parallel, a.reassociate or b.reassociate)
