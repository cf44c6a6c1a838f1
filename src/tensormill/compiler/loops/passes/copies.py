"""Temporaries that repeat what lies in memory already: whoever reads them reads that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ..effects import Summaries, escaping
from ..ir import (
    Address,
    Allocate,
    Apply,
    Buffer,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    NativeCall,
    Program,
    Statement,
    Store,
)
from ..walk import (
    Block,
    every_part,
    every_statement,
    expressions,
    map_blocks,
    rewrite,
    same_block,
    with_buffers,
    with_expressions,
)
from .nests import Nest, multiples, nest_of

# Where a copy may be spared: what lies there changes by statements that say so.
_SPACES: Final = ("temporary", "input", "constant", "state")
_PYTHON: Final = "tm_callback_"  # calls of it may assign to any variable


def share_copies(program: Program, summaries: Summaries | None = None) -> Program:
    """A temporary that has all elements of another buffer, in their order, is that buffer, where
    nobody writes to that one before the last reader of the copy. Shapes may differ.

    Before:
        program f(x: input f32[2, 3], w: state f32[3, 4], y: output f32[2, 4]):
          allocate a: f32[2, 3]
          parfor i in 6:
            a[flat i] = tanh(x[flat i])
          allocate b: f32[6]
          parfor i.1 in 2:
            for i.2 in 3:
              b[((i.1 * 3) + i.2)] = a[i.1, i.2]
          allocate c: f32[1, 2, 3]
          parfor i.3 in 2:
            for i.4 in 3:
              c[0, i.3, i.4] = b[((i.3 * 3) + i.4)]
          allocate d: f32[3, 4]
          parfor i.5 in 12:
            d[flat i.5] = w[flat i.5]
          call tm_gemm_f32(&c, &d, &y, 1, 2, 4, 3, 0, 0, 0) reads c, d writes y
          w[0, 0] = c[0, 1, 2]
    After:
        program f(x: input f32[2, 3], w: state f32[3, 4], y: output f32[2, 4]):
          allocate a: f32[2, 3]
          parfor i in 6:
            a[flat i] = tanh(x[flat i])
          call tm_gemm_f32(&a, &w, &y, 1, 2, 4, 3, 0, 0, 0) reads a, w writes y
          w[0, 0] = a[flat 5]
    """
    summaries = summaries or Summaries(escaping(program.body))
    sharer = _Sharer(summaries, escaping(program.body))
    return Program(program.name, program.frame, sharer.block(program.body))


class _Copy(NamedTuple):
    target: Buffer
    source: Buffer


class _Sharer:
    def __init__(self, summaries: Summaries, escape: frozenset[Buffer]) -> None:
        self._summaries = summaries
        self._escape = escape
        self._instead: dict[Buffer, Buffer] = {}  # what lies where the elements of others do

    def block(self, block: Block) -> Block:
        copies = {
            place: copy
            for place, one in enumerate(block)
            if isinstance(one, For) and (copy := _copy(one))
        }
        spared = self._spared(block, copies) if copies else set[int]()
        return same_block(
            [self._changed(one) for place, one in enumerate(block) if place not in spared], block
        )

    # ---------------------------------------------------------------- which

    def _spared(self, block: Block, copies: dict[int, _Copy]) -> set[int]:
        """The places of copies that need not be made, and of their `Allocate`s."""
        touched, written = self._places(block)
        spared = set[int]()
        for place, (target, source) in copies.items():
            first = self._instead.get(source, source)
            made, *later = touched[target]
            if (
                not self._is_own(target, block[made], later, place, written)
                or not self._lasts(first, block[place + 1 : later[-1] + 1])
                or any(place < one <= later[-1] for one in written.get(first, ()))
            ):
                continue
            if target.shape == first.shape or not _gives_slices(block, later, target):
                self._instead[target] = first
            elif self._takes_shape(block, touched.get(first, []), first, made):
                self._put_instead(first, target)
                touched[target] = [*touched[first], *later[1:]]
                written[target] = written[first]
            else:
                continue
            spared |= {made, place}
        return spared

    def _takes_shape(self, block: Block, users: Sequence[int], first: Buffer, made: int) -> bool:
        """Whether the block makes a row of elements that may as well have the shape of its copy,
        which is made at a place.
        """
        if not users or len(first.shape) != 1 or _gives_slices(block, users, first):
            return False
        begins, between = block[users[0]], block[users[0] : made]
        sizes = self._summaries.of(block[made]).uses
        return (
            isinstance(begins, Allocate)
            and begins.buffer is first
            and all(sizes.isdisjoint(self._summaries.of(one).defines) for one in between)
        )

    def _put_instead(self, first: Buffer, target: Buffer) -> None:
        """From now on `target` is what `first` was, and its copies were."""
        for copy, source in self._instead.items():
            if source is first:
                self._instead[copy] = target
        self._instead[first] = target

    def _places(self, block: Block) -> tuple[dict[Buffer, list[int]], dict[Buffer, list[int]]]:
        """Which statements of a block touch, and which write a buffer."""
        touched, written = dict[Buffer, list[int]](), dict[Buffer, list[int]]()
        for place, one in enumerate(block):
            effects = self._summaries.of(one)
            for buffer in effects.touches:
                touched.setdefault(buffer, []).append(place)
            for buffer in effects.writes:
                written.setdefault(buffer, []).append(place)
        return touched, written

    def _is_own(
        self, target: Buffer, made: Statement, later: Sequence[int], place: int,
        written: dict[Buffer, list[int]],
    ) -> bool:  # fmt: skip
        """Whether the block makes a buffer, and nothing but the loop at `place` writes to it."""
        return (
            isinstance(made, Allocate)
            and target not in self._escape
            and later[0] == place
            and written[target][1:] == [place]
        )

    def _lasts(self, source: Buffer, meanwhile: Iterable[Statement]) -> bool:
        """Whether what lies in a buffer changes only by statements that name it."""
        if source.space not in _SPACES or source in self._escape:
            return False
        return source.space != "state" or not any(map(_calls_python, meanwhile))

    # ---------------------------------------------------------------- what reads them

    def _changed(self, statement: Statement) -> Statement:
        if self._instead and not self._summaries.of(statement).touches.isdisjoint(self._instead):
            statement = with_expressions(statement, lambda one: rewrite(one, self._value))
            statement = with_buffers(statement, self._instead)
        return map_blocks(statement, self.block)

    def _value(self, node: Expression) -> Expression:
        if not isinstance(node, (Load, Address)):
            return node
        source = self._instead.get(node.buffer)
        if source is None:
            return node
        if isinstance(node, Address) or node.buffer.shape == source.shape:
            return type(node)(source, node.indices)
        return Load(source, (_place(node),))


def _gives_slices(block: Block, places: Iterable[int], buffer: Buffer) -> bool:
    """Whether calls get addresses of slices of a buffer, which say something of its shape."""
    return any(
        isinstance(part, Address) and part.buffer is buffer and part.indices
        for one in every_statement(tuple(block[place] for place in places))
        for expression in expressions(one)
        for part in every_part(expression)
    )


def _calls_python(statement: Statement) -> bool:
    return any(
        isinstance(one, NativeCall) and one.function.startswith(_PYTHON)
        for one in every_statement((statement,))
    )


def _copy(loop: For) -> _Copy | None:
    """What a loop copies where, if that is all elements in the order in which they lie."""
    nest = nest_of(loop)
    match nest.body:
        case (Let(variable, Load() as load), Store(target, indices, stored)) if stored is variable:
            pass
        case (Store(target, indices, Load() as load),):
            pass
        case _:
            return None
    if target.space != "temporary" or target.type != load.type or target is load.buffer:
        return None
    stored = Load(target, indices)
    is_whole = _is_same(nest, stored, load) or (_is_all(nest, stored) and _is_all(nest, load))
    return _Copy(target, load.buffer) if is_whole else None


def _is_same(nest: Nest, stored: Load, load: Load) -> bool:
    """Whether a nest goes through two buffers of one shape axis by axis."""
    extents = tuple(loop.extent for loop in nest.loops)
    shapes = stored.buffer.shape, load.buffer.shape
    return shapes == (extents, extents) and stored.indices == load.indices == nest.indices


def _is_all(nest: Nest, load: Load) -> bool:
    """Whether the iterations of a nest, in order, are at one element after another, and at all."""
    extents = [loop.extent for loop in nest.loops]
    sizes = _numbers((*extents, *load.buffer.shape))
    if sizes is None or prod(sizes[: len(extents)]) != prod(sizes[len(extents) :]):
        return False
    expected, step = dict[Local | None, int](), 1
    for loop, size in zip(reversed(nest.loops), reversed(sizes[: len(extents)]), strict=True):
        if size != 1:
            expected[loop.index] = step
        step *= size
    ones = [loop.index for loop, size in zip(nest.loops, sizes, strict=False) if size == 1]
    found = multiples(_place(load))
    return found is not None and expected == {
        name: factor for name, factor in found.items() if factor and name not in ones
    }


def _place(load: Load) -> Expression:
    """Which element is loaded, counted in the order in which they lie."""
    shape = load.buffer.shape
    if len(load.indices) != len(shape):
        return load.indices[0]
    place: Expression = Literal(0, "i64")
    for size, index in zip(shape, load.indices, strict=True):
        place = _sum(_product(place, size), index)
    return place


def _sum(a: Expression, b: Expression) -> Expression:
    match a, b:
        case (Literal(0), one) | (one, Literal(0)):
            return one
        case Literal(one), Literal(other):
            return Literal(one + other, "i64")
        case _:
            return Apply("add", (a, b), "i64")


def _product(a: Expression, b: Expression) -> Expression:
    match a, b:
        case (Literal(0), _) | (_, Literal(0)):
            return Literal(0, "i64")
        case Literal(one), Literal(other):
            return Literal(one * other, "i64")
        case (Literal(1), one) | (one, Literal(1)):
            return one
        case _:
            return Apply("mul", (a, b), "i64")


def _numbers(sizes: Sequence[Expression]) -> list[int] | None:
    found = [int(one.value) for one in sizes if isinstance(one, Literal)]
    return found if len(found) == len(sizes) else None
