"""Reductions across rows run along the rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Final

from ..effects import Summaries, accesses, independent
from ..ir import (
    Allocate,
    Apply,
    Buffer,
    Choice,
    Expression,
    For,
    Let,
    Literal,
    Load,
    Local,
    Program,
    Set,
    Statement,
    Store,
)
from ..walk import (
    Block,
    every_part,
    every_statement,
    map_blocks,
    replace_compound,
    rewrite,
    substitution,
    with_expressions,
)
from .nests import contiguous, nest_of

# Columns that are added up together: their sums stay in the first-level cache.
_COLUMNS: Final = 1024
# So few rows LLVM unrolls, and runs along the columns by itself.
_FEW_ROWS: Final = 8


def sum_along_rows(program: Program, summaries: Summaries | None = None) -> Program:
    """Where a sum runs down the columns of a matrix, add up whole rows instead.

    Neighbours in memory are then read one after another, in vectors. More than 1024 columns (or an
    unknown number) are taken in blocks, among which threads may divide the work.

    Before:
        program f(x: input f32[n, 64], y: output f32[64], n: i64):
          parfor j in 64:
            set sum: f32 = 0.0
            for i in n reassociate:
              set sum = (sum + x[i, j])
            y[j] = (sum * 0.5)
    After:
        program f(x: input f32[n, 64], y: output f32[64], n: i64):
          allocate sum: f32[64]
          for j in 64:
            sum[j] = 0.0
          for i in n reassociate:
            for j.1 in 64:
              sum[j.1] = (sum[j.1] + x[i, j.1])
          for j.2 in 64:
            y[j.2] = (sum[j.2] * 0.5)
    """
    return Program(program.name, program.frame, _along_rows(program.body))


def _along_rows(block: Block) -> Block:
    return replace_compound(block, _statement)


def _statement(statement: Statement) -> Block:
    if isinstance(statement, For) and _runs_down_columns(statement) and _may_split(statement):
        if isinstance(statement.extent, Literal) and statement.extent.value <= _COLUMNS:
            return _split(statement, Literal(0, "i64"), statement.extent)
        return (_in_blocks(statement),)
    return (map_blocks(statement, _along_rows),)


def _runs_down_columns(loop: For) -> bool:
    return any(isinstance(one, For) and _is_column_sum(one, loop) for one in loop.body)


def _is_column_sum(inner: For, loop: For) -> bool:
    """Whether a reduction reads memory along the outer loop's index, and none along its own."""
    nest = nest_of(inner)
    if not all(isinstance(one, (Let, Set)) for one in nest.body):
        return False
    last = nest.loops[-1]
    rows = [one.extent.value for one in nest.loops if isinstance(one.extent, Literal)]
    if len(rows) == len(nest.loops) and prod(rows) <= _FEW_ROWS:
        return False
    outwards = inwards = False
    for buffer, many in accesses(nest.body).items():
        for access in many:
            outwards |= contiguous(access, buffer, loop.index)
            inwards |= contiguous(access, buffer, last.index)
    return outwards and not inwards


def _may_split(loop: For) -> bool:
    """Whether the statements of the body may each run for all columns before the next one."""
    local: set[Local] = set()
    for statement in loop.body:
        if isinstance(statement, (Choice, Allocate)):
            return False
        if isinstance(statement, (Let, Set)):
            local.add(statement.variable)
        elif not _sets_only(statement, local) or not _extents_are_fixed(statement, loop, local):
            return False
    return independent(loop)


def _sets_only(statement: Statement, local: set[Local]) -> bool:
    """Whether a nested statement changes no register from outside of the loop."""
    return all(
        one.variable in local for one in every_statement((statement,)) if isinstance(one, Set)
    )


def _extents_are_fixed(statement: Statement, loop: For, local: set[Local]) -> bool:
    return not any(
        part is loop.index or part in local
        for one in every_statement((statement,))
        if isinstance(one, For)
        for part in every_part(one.extent)
    )


def _in_blocks(loop: For) -> For:
    """Blocks of columns, each split by itself."""
    block, size = Local(f"{loop.index.name}.block", "i64"), Literal(_COLUMNS, "i64")
    start = Local(f"{loop.index.name}.first", "i64")
    above = Apply("add", (loop.extent, Literal(_COLUMNS - 1, "i64")), "i64")
    count = Apply("floor_divide", (above, size), "i64")
    left = Apply("sub", (loop.extent, start), "i64")
    body = (
        Let(start, Apply("mul", (block, size), "i64")),
        *_split(loop, start, Apply("min", (left, size), "i64"), size),
    )
    return For(block, count, body, loop.parallel)


def _split(
    loop: For, start: Expression, width: Expression, room: Expression | None = None
) -> Block:
    """Every statement of the body for all columns from `start` on."""
    splitter = _ColumnSplitter(loop, start, width, room or width)
    statements = [new for group in _groups(loop.body) for new in splitter.for_all_columns(group)]
    return (*splitter.allocations, *statements)


def _groups(body: Block) -> list[Block]:
    """Statements without loops stay together."""
    groups: list[list[Statement]] = []
    open_group = False
    for statement in body:
        is_loop = isinstance(statement, For)
        if is_loop or not open_group:
            groups.append([])
        groups[-1].append(statement)
        open_group = not is_loop
    return [tuple(group) for group in groups]


@dataclass(slots=True, eq=False, repr=False)  # quick to make: 0.1 ms
class _ColumnSplitter:
    """Turns the registers of a column into rows of memory; plain names are written out."""

    loop: For
    start: Expression
    width: Expression
    room: Expression
    rows: dict[Local, Buffer] = field(default_factory=dict[Local, Buffer])
    plain: dict[Local, Expression] = field(default_factory=dict[Local, Expression])
    allocations: list[Statement] = field(default_factory=list[Statement])

    def __post_init__(self) -> None:
        for statement in self.loop.body:
            if not isinstance(statement, (Let, Set)) or statement.variable in self.rows:
                continue
            variable = statement.variable
            if isinstance(statement, Let) and self._is_plain(statement.value):
                self.plain[variable] = rewrite(statement.value, substitution(self.plain))
                continue
            row = Buffer(variable.name, variable.type, (self.room,), "temporary")
            self.rows[variable] = row
            self.allocations.append(Allocate(row))

    def _is_plain(self, value: Expression) -> bool:
        """Whether a value is cheap arithmetic on names, most likely of indices."""
        return value.type == "i64" and not any(
            isinstance(part, Load) or part in self.rows for part in every_part(value)
        )

    def for_all_columns(self, group: Block) -> Block:
        first = group[0]
        if isinstance(first, For) and _is_column_sum(first, self.loop):
            nest = nest_of(first)
            return (nest.around(nest.loops, (self._columns(nest.body),)),)
        return (self._columns(group),)

    def _columns(self, group: Block) -> For:
        column = Local(self.loop.index.name, "i64")
        place: Expression = column
        if not isinstance(self.start, Literal) or self.start.value:
            place = Apply("add", (self.start, column), "i64")
        here = substitution({self.loop.index: place})
        known: dict[Local, Expression] = {self.loop.index: place}
        known |= {variable: rewrite(value, here) for variable, value in self.plain.items()}
        known |= {variable: Load(row, (column,)) for variable, row in self.rows.items()}
        named = tuple(one for one in group if not self._is_written_out(one))
        return For(column, self.width, self._with_rows(named, known, column))

    def _is_written_out(self, statement: Statement) -> bool:
        return isinstance(statement, Let) and statement.variable in self.plain

    def _with_rows(self, block: Block, known: dict[Local, Expression], column: Local) -> Block:
        change = substitution(known)

        def in_statement(statement: Statement) -> Statement:
            new = with_expressions(statement, lambda one: rewrite(one, change))
            if isinstance(new, (Let, Set)) and (row := self.rows.get(new.variable)) is not None:
                return Store(row, (column,), new.value)
            return map_blocks(new, lambda inner: tuple(in_statement(one) for one in inner))

        return tuple(in_statement(one) for one in block)
