"""Small matrix products as loops."""

from __future__ import annotations

from typing import Final

from .functions import COMPUTED_IN, SIZE
from .ir import (
    Allocate,
    Apply,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    Set,
    Statement,
    Store,
)
from .walk import Block

_ZERO: Final = {"f": 0.0, "b": 0.0, "c": 0j}
# A row is added up in parts of this many bytes, which fit in a few vector registers.
_PART: Final = 256
# Rows that are added up together share what they read: so many that their parts have this size.
_TOGETHER: Final = 512
# Bytes of one vector register: longer parts are powers of two, the rest is one part.
_REGISTER: Final = 64
_FEW_ROWS: Final = 4


def matmul_nest(
    a: Buffer, b: Buffer, out: Buffer, transpose_a: bool = False, transpose_b: bool = False
) -> Block:
    """`out[..., m, n] = a[..., m, k] @ b[..., k, n]`; leading axes are those of `out`.

    Rows of `out` are sums of rows of `b`, so the innermost loop runs along memory and its sums stay
    in vector registers. What cannot be read that way is turned around first, or for a few rows
    becomes dot products. Half floats add up in f32.
    """
    batch = [Local(f"b{axis}", "i64") for axis in range(len(out.shape) - 2)]
    body = _Nest(a, b, out, transpose_a, transpose_b, tuple(batch)).statements()
    for index, extent in zip(reversed(batch), reversed(out.shape[:-2]), strict=True):
        body = (For(index, extent, body, parallel=index is batch[0]),)
    return body


class _Nest:
    def __init__(
        self,
        a: Buffer,
        b: Buffer,
        out: Buffer,
        transpose_a: bool,
        transpose_b: bool,
        batch: tuple[Local, ...],
    ) -> None:
        self.a, self.b, self.out = a, b, out
        self.transpose_a, self.transpose_b = transpose_a, transpose_b
        self.batch = self.batch_of_b = batch
        self.type = COMPUTED_IN.get(out.type, out.type)
        self.rows, self.columns = out.shape[-2:]
        self.depth = a.shape[-2] if transpose_a else a.shape[-1]

    def statements(self) -> Block:
        """The product of one matrix with another."""
        if _is(self.columns, 1):
            along_a = not self.transpose_a or _is(self.rows, 1) or self.type != self.out.type
            return self.dot_products() if along_a else self.column()
        if not self.transpose_b:
            return self.sums_of_rows()
        return self.turned() if self._is_worth_turning() else self.dot_products()

    def _is_worth_turning(self) -> bool:
        """From so many rows on, transposing a matrix costs less than dot products do (measured)."""
        if not isinstance(self.rows, Literal) or not isinstance(self.depth, Literal):
            return False
        known = isinstance(self.columns, Literal)
        return known and self.rows.value >= max(_FEW_ROWS, self.depth.value // 5)

    def turned(self) -> Block:
        """`b` transposed in memory, then sums of its rows."""
        n, k = Local("n", "i64"), Local("k", "i64")
        turned = Buffer(f"{self.b.name}.t", self.type, (self.depth, self.columns), "temporary")
        copy = Store(turned, (k, n), self._b(k, n))
        self.b, self.transpose_b = turned, False
        self.batch_of_b = ()
        return (
            Allocate(turned),
            For(n, self.columns, (For(k, self.depth, (copy,)),)),
            *self.sums_of_rows(),
        )

    def column(self) -> Block:
        """One column, with `a` transposed: a sum of the rows in which `a` lies."""
        m, k = Local("m", "i64"), Local("k", "i64")
        place: tuple[Expression, ...] = (_from_row(self.batch, self.out.shape, m),)
        zero = _size(0)
        factors = self._a(m, k), self._b(k, zero)
        term = Apply("fma", (*factors, Load(self.out, place)), self.type)
        return (
            For(m, self.rows, (Store(self.out, place, self._zero()),)),
            For(k, self.depth, (For(m, self.rows, (Store(self.out, place, term),)),)),
        )

    # ---------------------------------------------------------------- sums of rows

    def sums_of_rows(self) -> Block:
        if self.type != self.out.type:
            return self._in_wider_rows()
        together, m = self._rows_together(), Local("m", "i64")
        if together == 1 or not isinstance(self.rows, Literal):
            return (For(m, self.rows, self._add_up(self.out, m)),)
        count, rest = divmod(int(self.rows.value), together)
        first = Apply("mul", (m, _size(together)), "i64")
        blocks = For(m, _size(count), self._add_up(self.out, first, together))
        last = _size(count * together)
        return (blocks, *(self._add_up(self.out, last, rest) if rest else ()))

    def _rows_together(self) -> int:
        """A divisor of the number of rows, if a good one exists."""
        if not isinstance(self.rows, Literal) or not isinstance(self.columns, Literal):
            return 1
        rows, width = int(self.rows.value), self.columns.value * SIZE[self.type]
        most = _TOGETHER // min(max(width, _REGISTER), _PART)
        if rows <= most:
            return max(rows, 1)
        return max(
            (count for count in range(most, 2, -1) if rows % count == 0),
            default=min(most, 4),
        )

    def _add_up(self, target: Buffer, first: Expression, together: int = 1) -> Block:
        """Some rows of the product, in `target`, one part of their columns after the other."""
        statements: list[Statement] = []
        for start, extent in self._parts():
            r, k = Local("r", "i64"), Local("k", "i64")
            row = Apply("add", (first, r), "i64") if together > 1 else first
            clear = self._clear(target, row, start, extent)
            statements.append(_for_rows(r, together, clear))
            r = Local("r", "i64")
            row = Apply("add", (first, r), "i64") if together > 1 else first
            add = self._add(target, row, k, start, extent)
            statements.append(For(k, self.depth, (_for_rows(r, together, add),)))
        return tuple(statements)

    def _parts(self) -> list[tuple[int, Expression]]:
        """(first column, number of columns) of every part."""
        if not isinstance(self.columns, Literal):
            return [(0, self.columns)]
        return [(start, _size(length)) for start, length in _lengths(self.columns.value, self.type)]

    def _place(self, target: Buffer, row: Expression, column: Expression) -> tuple[Expression, ...]:
        return (column,) if len(target.shape) == 1 else (*self.batch, row, column)

    def _clear(self, target: Buffer, row: Expression, start: int, extent: Expression) -> Statement:
        n = Local("n", "i64")
        place = self._place(target, row, _from(start, n))
        return For(n, extent, (Store(target, place, self._zero()),))

    def _add(
        self, target: Buffer, row: Expression, k: Local, start: int, extent: Expression
    ) -> Statement:
        n = Local("n", "i64")
        column = _from(start, n)
        place = self._place(target, row, column)
        factors = self._a(row, k), self._b(k, column)
        term = Apply("fma", (*factors, Load(target, place)), self.type)
        return For(n, extent, (Store(target, place, term),))

    def _in_wider_rows(self) -> Block:
        m, n = Local("m", "i64"), Local("n", "i64")
        row = Buffer(f"{self.out.name}.row", self.type, (self.columns,), "temporary")
        rounded = Apply("cast", (Load(row, (n,)),), self.out.type)
        statements: tuple[Statement, ...] = (
            Allocate(row),
            *self._add_up(row, m),
            For(n, self.columns, (Store(self.out, (*self.batch, m, n), rounded),)),
        )
        return (For(m, self.rows, statements),)

    # ---------------------------------------------------------------- dot products

    def dot_products(self) -> Block:
        m, n, k = (Local(name, "i64") for name in "mnk")
        total = Local("total", self.type, mutable=True)
        product = Apply("fma", (self._a(m, k), self._b(k, n), total), self.type)
        value: Expression = total
        if self.type != self.out.type:
            value = Apply("cast", (total,), self.out.type)
        statements: tuple[Statement, ...] = (
            Set(total, self._zero()),
            For(k, self.depth, (Set(total, product),), reassociate=True),
            Store(self.out, (*self.batch, m, n), value),
        )
        return (For(m, self.rows, (For(n, self.columns, statements),)),)

    # ---------------------------------------------------------------- factors

    def _a(self, row: Expression, k: Local) -> Expression:
        last = (k, row) if self.transpose_a else (row, k)
        return self._wide(Load(self.a, (*self.batch, *last)))

    def _b(self, k: Local, column: Expression) -> Expression:
        last = (column, k) if self.transpose_b else (k, column)
        return self._wide(Load(self.b, (*self.batch_of_b, *last)))

    def _wide(self, value: Expression) -> Expression:
        return value if value.type == self.type else Apply("cast", (value,), self.type)

    def _zero(self) -> Literal:
        return Literal(_ZERO.get(self.type[0], 0), self.type)


def _size(value: int) -> Literal:
    return Literal(int(value), "i64")


def _from(start: int, index: Local) -> Expression:
    return Apply("add", (index, _size(start)), "i64") if start else index


def _from_row(batch: tuple[Local, ...], shape: tuple[Expression, ...], row: Local) -> Expression:
    """The flat position of a row in a matrix of one column."""
    start: Expression | None = None
    for index, size in zip(batch, shape[1:-1], strict=True):
        begin = index if start is None else Apply("add", (start, index), "i64")
        start = Apply("mul", (begin, size), "i64")
    return row if start is None else Apply("add", (row, start), "i64")


def _for_rows(row: Local, count: int, statement: Statement) -> Statement:
    return For(row, _size(count), (statement,)) if count > 1 else statement


def _lengths(columns: int, type_: str) -> list[tuple[int, int]]:
    """(start, length) of the parts of a row."""
    found: list[tuple[int, int]] = []
    start, register = 0, _REGISTER // SIZE[type_]
    while start < columns:
        left = columns - start
        length = left
        if left > register:
            length = min(1 << (left.bit_length() - 1), _PART // SIZE[type_])
        found.append((start, length))
        start += length
    return found


def _is(size: Expression, value: int) -> bool:
    return isinstance(size, Literal) and size.value == value
