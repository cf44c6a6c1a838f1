"""Factors that many rows are multiplied by are arranged once, before."""

from __future__ import annotations

from typing import Final

from ....core.process.named_tuples import NamedTuple
from ...native.panels import ARRANGED, NAME, lanes
from ...native.windows.convolutions import NUMBERS
from ..effects import Summaries, escaping
from ..functions import SIZE
from ..ir import (
    FRAME,
    LONG,
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
# From so many rows on a single product is worth it: the library arranges its rows as well, once for
# each strip, and clears its result first.
MANY_ROWS: Final = 1024
# By larger factors than that (numbers) the library multiplies as fast where sums have few terms for
# so many columns: they are more to write than to add up.
_FEW_NUMBERS: Final = 1 << 15
_MOST_COLUMNS: Final = 4  # for each term
# Rows that lie a multiple of such bytes apart share a set of the first-level cache, which has fewer
# places than a tile has rows; they are copied so that a line is between them.
_ALIKE_PLACES: Final = 4096
_LINE: Final = 64


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
          call tm_arranged_f32(frame, &w, &w.panels, 16, 4, 0) reads w writes w.panels pure \
takes 625000
          for i in n:
            call tm_panels_f32(frame, &x[i], &w.panels, &y[i], 8, 16, 4, 4, 0) reads x, w.panels \
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
    if factor is None:
        return (map_blocks(statement, _single_products),)
    assert isinstance(statement, NativeCall)
    a, rows = statement.arguments[0], statement.arguments[4]
    if not isinstance(a, Address) or a.indices or not isinstance(rows, Literal):
        return (statement,)
    if rows.value < MANY_ROWS or not _is_worth_panels(factor):
        return (statement,)
    panels, apart = _panels_of(factor), _rows_apart(a.buffer, rows.value, factor.k)
    copied = () if apart is None else _copied(a.buffer, factor.k, apart)
    product = _multiplied(statement, factor, panels, apart)
    return (*_arranged(factor, panels), *copied, product)


def _is_worth_panels(factor: _Factor) -> bool:
    """Whether they take many rows less time than the library (measured: bench/README.md)."""
    return factor.n * factor.k <= _FEW_NUMBERS or factor.n <= _MOST_COLUMNS * factor.k


def _rows_apart(buffer: Buffer, rows: int, terms: int) -> Buffer | None:
    """A buffer for rows that share places in the cache where they lie."""
    size = SIZE[buffer.type]
    if terms * size % _ALIKE_PLACES:
        return None
    shape = (_size(rows), _size(terms + _LINE // size))
    return Buffer(f"{buffer.name}.rows", buffer.type, shape, "temporary")


def _copied(buffer: Buffer, terms: int, apart: Buffer) -> Block:
    row, term = Local("row", "i64"), Local("term", "i64")
    value = Load(buffer, (_sum(_product(row, terms), term),))
    body: Block = (For(term, _size(terms), (Store(apart, (row, term), value),)),)
    return (Allocate(apart), For(row, apart.shape[0], body))


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


def _multiplied(
    call: NativeCall, factor: _Factor, panels: Buffer, rows: Buffer | None = None
) -> NativeCall:
    """The product by panels, with the rows of the left factor, where these are not its own."""
    a, _, out, _, m, n, k, _, _, adding = call.arguments
    assert isinstance(a, Address)
    assert isinstance(out, Address)
    if rows is not None:
        a = Address(rows)
    pitch = k if rows is None else rows.shape[1]
    is_added = isinstance(adding, Literal) and adding.value == 0
    reads = (a.buffer, panels) if is_added else (a.buffer, panels, out.buffer)
    arguments = (FRAME, a, Address(panels), out, m, n, k, pitch, adding)
    function = NAME + factor.buffer.type
    return NativeCall(function, arguments, None, reads, (out.buffer,), True, call.work)


def _arranged(factor: _Factor, panels: Buffer) -> Block:
    """A call that writes a factor's panels."""
    buffer = factor.buffer
    sizes = (factor.n, factor.k, int(factor.is_transposed))
    arguments = (FRAME, Address(buffer), Address(panels), *map(_size, sizes))
    call = NativeCall(
        ARRANGED + buffer.type, arguments, None, (buffer,), (panels,), pure=True, work=LONG
    )
    return (Allocate(panels), call)


def _size(value: int) -> Literal:
    return Literal(value, "i64")


def _sum(left: Expression, right: Expression) -> Expression:
    return Apply("add", (left, right), "i64")


def _product(left: Expression, right: int) -> Expression:
    return Apply("mul", (left, _size(right)), "i64")
