"""Small matrix products as loops."""

from __future__ import annotations

from .functions import COMPUTED_IN
from .ir import (
    Allocate,
    Apply,
    Buffer,
    Constant,
    Expression,
    For,
    Load,
    Set,
    Statement,
    Store,
    Variable,
)
from .walk import Block

_ZERO = {"f": 0.0, "b": 0.0, "c": 0j}


def matmul_nest(
    a: Buffer, b: Buffer, out: Buffer, transpose_a: bool = False, transpose_b: bool = False
) -> Block:
    """`out[..., m, n] = a[..., m, k] @ b[..., k, n]`; leading axes are those of `out`.

    Rows of `out` are sums of rows of `b`, so the innermost loop runs along memory and its sums stay
    in vector registers. With `transpose_b` they are dot products of rows instead. Half floats add
    up in f32.
    """
    batch = [Variable(f"b{axis}", "i64") for axis in range(len(out.shape) - 2)]
    nest = _Nest(a, b, out, transpose_a, transpose_b, tuple(batch))
    body = nest.dot_products() if transpose_b else nest.sums_of_rows()
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
        batch: tuple[Variable, ...],
    ) -> None:
        self.a, self.b, self.out = a, b, out
        self.transpose_a, self.transpose_b = transpose_a, transpose_b
        self.batch = batch
        self.type = COMPUTED_IN.get(out.type, out.type)
        self.m, self.n, self.k = (Variable(name, "i64") for name in "mnk")
        self.depth = a.shape[-2] if transpose_a else a.shape[-1]

    def sums_of_rows(self) -> Block:
        if self.type != self.out.type:
            return self._in_wider_rows()
        return (For(self.m, self.out.shape[-2], self._row(self.out, self._place())),)

    def _row(self, target: Buffer, place: tuple[Expression, ...]) -> Block:
        """One row of the product, added up in `target`."""
        n, extent = Variable("n", "i64"), self.out.shape[-1]
        clear = Store(target, (*place[:-1], n), self._zero())
        term = Apply("fma", (self._a(), self._b(), Load(target, place)), self.type)
        add = Store(target, place, term)
        return (
            For(n, extent, (clear,)),
            For(self.k, self.depth, (For(self.n, extent, (add,)),)),
        )

    def _in_wider_rows(self) -> Block:
        row = Buffer(f"{self.out.name}.row", self.type, (self.out.shape[-1],), "temporary")
        n = Variable("n", "i64")
        rounded = Apply("cast", (Load(row, (n,)),), self.out.type)
        statements: tuple[Statement, ...] = (
            Allocate(row),
            *self._row(row, (self.n,)),
            For(n, self.out.shape[-1], (Store(self.out, (*self.batch, self.m, n), rounded),)),
        )
        return (For(self.m, self.out.shape[-2], statements),)

    def dot_products(self) -> Block:
        total = Variable("total", self.type, mutable=True)
        product = Apply("fma", (self._a(), self._b(), total), self.type)
        value: Expression = total
        if self.type != self.out.type:
            value = Apply("cast", (total,), self.out.type)
        statements: tuple[Statement, ...] = (
            Set(total, self._zero()),
            For(self.k, self.depth, (Set(total, product),), reassociate=True),
            Store(self.out, self._place(), value),
        )
        inner = For(self.n, self.out.shape[-1], statements)
        return (For(self.m, self.out.shape[-2], (inner,)),)

    def _place(self) -> tuple[Expression, ...]:
        return (*self.batch, self.m, self.n)

    def _a(self) -> Expression:
        last = (self.k, self.m) if self.transpose_a else (self.m, self.k)
        return self._wide(Load(self.a, (*self.batch, *last)))

    def _b(self) -> Expression:
        last = (self.n, self.k) if self.transpose_b else (self.k, self.n)
        return self._wide(Load(self.b, (*self.batch, *last)))

    def _wide(self, value: Expression) -> Expression:
        return value if value.type == self.type else Apply("cast", (value,), self.type)

    def _zero(self) -> Constant:
        return Constant(_ZERO.get(self.type[0], 0), self.type)
