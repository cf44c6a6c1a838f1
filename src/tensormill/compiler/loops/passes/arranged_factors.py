"""Factors that many rows are multiplied by are arranged once, before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....core.process.named_tuples import NamedTuple
from ...native.panels import NAME, lanes
from ...native.windows.convolutions import NUMBERS
from ..effects import Summaries, escaping
from ..functions import SIZE
from ..ir import (
    FRAME,
    Address,
    Allocate,
    Apply,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    NativeCall,
    Program,
    Repeat,
    Statement,
    Store,
)
from ..walk import (
    Block,
    blocks,
    every_statement,
    map_blocks,
    replace_statements,
    same_block,
    with_blocks,
)

_PRODUCT: Final = "tm_gemm_"
_PYTHON: Final = "tm_callback_"  # calls of it may assign to any variable
# Fewer rows are less than a tile; of larger factors a second one is too much memory.
_LEAST_ROWS: Final = 4
_MOST_BYTES: Final = 1 << 23
# From so many rows on, by a factor of so many numbers at most, a single product is worth it: the
# library arranges its rows as well, and clears its result first. Larger ones it multiplies as fast.
MANY_ROWS: Final = 1024
_FEW_NUMBERS: Final = 1 << 15


def arrange_factors(program: Program, summaries: Summaries | None = None) -> Program:
    """Where a loop multiplies by the same matrix in each turn, that lies in panels; so does what a
    product of many rows that stands in no `for` multiplies by.

    Before:
        program f(x: input f32[9, 8, 4], w: state f32[4, 16], y: output f32[9, 8, 16], n: i64):
          for i in n:
            call tm_gemm_f32(&x[i], &w, &y[i], 1, 8, 16, 4, 0, 0, 0) reads x, w writes y pure
    After:
        program f(x: input f32[9, 8, 4], w: state f32[4, 16], y: output f32[9, 8, 16], n: i64):
          allocate w.panels: f32[1, 4, 16]
          for panel in 1:
            for term in 4:
              for lane in 16:
                w.panels[panel, term, lane] = w[flat ((term * 16) + ((panel * 16) + lane))]
          for i in n:
            call tm_panels_f32(frame, &x[i], &w.panels, &y[i], 8, 16, 4, 0) reads x, w.panels \
writes y pure
    """
    escape = escaping(program.body)
    arranger = _Arranger(summaries or Summaries(escape), escape)
    body = _single_products(arranger.block(program.body))
    return Program(program.name, program.frame, body)


class _Factor(NamedTuple):
    """The right factor of a product: [k, n], or its transpose."""

    buffer: Buffer
    n: int
    k: int
    is_transposed: bool


class _Arranger:
    def __init__(self, summaries: Summaries, escape: frozenset[Buffer]) -> None:
        self._summaries = summaries
        self._escape = escape

    def block(self, block: Block) -> Block:
        return replace_statements(block, self._statement)

    def _statement(self, statement: Statement) -> Block:
        """A statement, with loops that arrange what it multiplies by before it."""
        statement = map_blocks(statement, self.block)  # inner loops first
        if not isinstance(statement, (For, Repeat)) or _is_parallel(statement):
            return (statement,)
        panels: dict[_Factor, Buffer] = {}
        changed = [self._with_panels(inner, statement, panels) for inner in blocks(statement)]
        before = [one for factor, buffer in panels.items() for one in _arranged(factor, buffer)]
        return (*before, with_blocks(statement, tuple(changed)))

    def _with_panels(
        self, block: Block, loop: For | Repeat, panels: dict[_Factor, Buffer]
    ) -> Block:
        changed: list[Statement] = []
        for one in block:
            factor = _right_factor(one)
            if factor is not None and self._lasts(factor.buffer, loop):
                assert isinstance(one, NativeCall)
                if factor not in panels:
                    panels[factor] = _panels_of(factor)
                one = _multiplied(one, factor, panels[factor])
            changed.append(one)
        return same_block(changed, block)

    def _lasts(self, factor: Buffer, loop: For | Repeat) -> bool:
        """Whether a factor is there before a loop, and what lies in it is not changed by it."""
        return (
            factor.space in ("state", "input", "constant", "temporary")
            and factor not in self._escape
            and factor not in self._summaries.of(loop).writes
            and not (factor.space == "state" and _calls_python(loop))
        )


def _single_products(block: Block) -> Block:
    """Products of many rows with small factors, each of which is arranged for itself."""
    return replace_statements(block, _single_product)


def _single_product(statement: Statement) -> Block:
    if isinstance(statement, For):
        return (statement,)
    factor = _right_factor(statement)
    if factor is None or factor.n * factor.k > _FEW_NUMBERS:
        return (map_blocks(statement, _single_products),)
    assert isinstance(statement, NativeCall)
    rows = statement.arguments[4]
    if not isinstance(rows, Literal) or rows.value < MANY_ROWS:
        return (statement,)
    panels = _panels_of(factor)
    return (*_arranged(factor, panels), _multiplied(statement, factor, panels))


def _is_parallel(loop: For | Repeat) -> bool:
    return isinstance(loop, For) and loop.parallel


def _calls_python(loop: For | Repeat) -> bool:
    return any(
        isinstance(one, NativeCall) and one.function.startswith(_PYTHON)
        for one in every_statement((loop,))
    )


def _right_factor(statement: Statement) -> _Factor | None:
    """What a product of one matrix with another multiplies by, if that is worth arranging."""
    if not isinstance(statement, NativeCall) or not statement.function.startswith(_PRODUCT):
        return None
    _, place, _, matrices, m, n, k, turned_a, turned_b, _ = statement.arguments
    sizes = [one.value for one in (matrices, n, k, turned_a, turned_b) if isinstance(one, Literal)]
    if len(sizes) < 5 or sizes[0] != 1 or sizes[3] or not isinstance(place, Address):
        return None
    buffer, (_, columns, terms, _, is_transposed) = place.buffer, sizes
    if place.indices or buffer.type not in NUMBERS or not columns * terms:
        return None
    if isinstance(m, Literal) and m.value < _LEAST_ROWS:
        return None
    if columns * terms * SIZE[buffer.type] > _MOST_BYTES:
        return None
    return _Factor(buffer, columns, terms, bool(is_transposed))


def _panels_of(factor: _Factor) -> Buffer:
    width = lanes(factor.buffer.type)
    shape = tuple(_size(one) for one in (-(-factor.n // width), factor.k, width))
    return Buffer(f"{factor.buffer.name}.panels", factor.buffer.type, shape, "temporary")


def _multiplied(call: NativeCall, factor: _Factor, panels: Buffer) -> NativeCall:
    a, _, out, _, m, n, k, _, _, adding = call.arguments
    assert isinstance(a, Address)
    assert isinstance(out, Address)
    is_added = isinstance(adding, Literal) and adding.value == 0
    reads = (a.buffer, panels) if is_added else (a.buffer, panels, out.buffer)
    arguments = (FRAME, a, Address(panels), out, m, n, k, adding)
    function = NAME + factor.buffer.type
    return NativeCall(function, arguments, None, reads, (out.buffer,), True, call.work)


def _arranged(factor: _Factor, panels: Buffer) -> Sequence[Statement]:
    """Loops that write a factor's panels; behind its last column they repeat that one."""
    width = lanes(factor.buffer.type)
    panel, term, lane = (Local(name, "i64") for name in ("panel", "term", "lane"))
    column = _sum(_product(panel, width), lane)
    if factor.n % width:
        column = Apply("min", (column, _size(factor.n - 1)), "i64")
    place = _sum(_product(term, factor.n), column)
    if factor.is_transposed:
        place = _sum(_product(column, factor.k), term)
    value = Load(factor.buffer, (place,))
    body: Block = (Store(panels, (panel, term, lane), value),)
    for index, extent in zip((lane, term, panel), reversed(panels.shape), strict=True):
        body = (For(index, extent, body),)
    return (Allocate(panels), *body)


def _size(value: int) -> Literal:
    return Literal(value, "i64")


def _sum(left: Expression, right: Expression) -> Expression:
    return Apply("add", (left, right), "i64")


def _product(left: Expression, right: int) -> Expression:
    return Apply("mul", (left, _size(right)), "i64")
