"""Products that are only added to something: the library adds them where they belong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
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
    map_expressions,
    rewrite,
    same_block,
)
from .nests import nest_of

# So many terms OpenBLAS adds up before it adds the sum to the result, on every processor: up to
# there the sum is the same, to the bit, as if the product was added by a loop (decision 45).
MOST_TERMS: Final = 128


def add_products(program: Program, summaries: Summaries | None = None) -> Program:
    """A product that is only added to a buffer goes there, and one that is only added to another
    product is added to that.

    Before:
        program f(x: input f32[2, 3], w: input f32[3, 4], v: input f32[3, 4], y: output f32[2, 4]):
          allocate s: f32[2, 4]
          parfor i in 8:
            s[flat i] = 1.0
          allocate p: f32[2, 4]
          call tm_gemm_f32(&x, &w, &p, 1, 2, 4, 3, 0, 0, 0) reads x, w writes p
          parfor i.1 in 8:
            let t: f32 = (s[flat i.1] + p[flat i.1])
            s[flat i.1] = t
          allocate q: f32[2, 4]
          call tm_gemm_f32(&x, &w, &q, 1, 2, 4, 3, 0, 0, 0) reads x, w writes q
          allocate r: f32[2, 4]
          call tm_gemm_f32(&x, &v, &r, 1, 2, 4, 3, 0, 0, 0) reads x, v writes r
          parfor i.2 in 2:
            for i.3 in 4:
              y[i.2, i.3] = tanh(((q[i.2, i.3] + r[i.2, i.3]) + s[i.2, i.3]))
    After:
        program f(x: input f32[2, 3], w: input f32[3, 4], v: input f32[3, 4], y: output f32[2, 4]):
          allocate s: f32[2, 4]
          parfor i in 8:
            s[flat i] = 1.0
          call tm_gemm_f32(&x, &w, &s, 1, 2, 4, 3, 0, 0, 1) reads x, w, s writes s
          allocate sum: f32[2, 4]
          call tm_gemm_f32(&x, &w, &sum, 1, 2, 4, 3, 0, 0, 0) reads x, w writes sum
          call tm_gemm_f32(&x, &v, &sum, 1, 2, 4, 3, 0, 0, 1) reads x, v, sum writes sum
          parfor i.2 in 2:
            for i.3 in 4:
              y[i.2, i.3] = tanh((sum[i.2, i.3] + s[i.2, i.3]))
    """
    escape = escaping(program.body)
    body = _in_block(program.body, summaries or Summaries(escape), escape)
    return Program(program.name, program.frame, body)


def _in_block(block: Block, summaries: Summaries, escape: frozenset[Buffer]) -> Block:
    statements = [map_blocks(one, lambda b: _in_block(b, summaries, escape)) for one in block]
    products = {k: found for k, one in enumerate(statements) if (found := _product(one))}
    if not products:
        return same_block(statements, block)
    return same_block(_ProductAdder(statements, products, summaries, escape).added(), block)


class _LibraryProduct(NamedTuple):
    """A call of `tm_gemm_*` that replaces all that was in a temporary."""

    call: NativeCall
    out: Buffer
    operands: tuple[Buffer, ...]

    @property
    def is_short(self) -> bool:
        terms = self.call.arguments[6]
        return isinstance(terms, Literal) and terms.value <= MOST_TERMS

    def added_to(self, buffer: Buffer) -> NativeCall:
        return self._to(buffer, (*self.operands, buffer), 1)

    def put_into(self, buffer: Buffer) -> NativeCall:
        return self._to(buffer, self.operands, 0)

    def _to(self, out: Buffer, reads: tuple[Buffer, ...], adding: int) -> NativeCall:
        a, b, _, *sizes = self.call.arguments[:-1]
        arguments = (a, b, Address(out), *sizes, Literal(adding, "i64"))
        return replace(self.call, arguments=arguments, reads=reads, writes=(out,))


def _product(statement: Statement) -> _LibraryProduct | None:
    if not isinstance(statement, NativeCall) or not statement.function.startswith("tm_gemm_"):
        return None
    out, adding = statement.arguments[2], statement.arguments[-1]
    if not isinstance(out, Address) or out.indices or out.buffer.space != "temporary":
        return None
    is_new = isinstance(adding, Literal) and adding.value == 0
    return _LibraryProduct(statement, out.buffer, statement.reads) if is_new else None


class _ProductAdder:
    """A block in which products are added; what is gone leaves its place empty."""

    def __init__(
        self,
        statements: Sequence[Statement],
        products: dict[int, _LibraryProduct],
        summaries: Summaries,
        escape: frozenset[Buffer],
    ) -> None:
        self._statements: list[Statement | None] = list(statements)
        self._products = products
        self._summaries = summaries
        self._escape = escape
        self._places: dict[Buffer, list[int]] = {}  # of what touches a buffer
        for k, one in enumerate(statements):
            for buffer in summaries.of(one).touches:
                self._places.setdefault(buffer, []).append(k)

    def added(self) -> list[Statement]:
        for place, product in list(self._products.items()):
            if product.is_short and self._is_own(product.out, place):
                _ = self._into_buffer(place, product) or self._onto_product(place, product)
        return [one for one in self._statements if one is not None]

    def _is_own(self, buffer: Buffer, place: int) -> bool:
        """Whether a buffer is made here, and nothing is done to it before a place."""
        first, second, *_ = *self._places[buffer], -1
        made = self._statements[first]
        return isinstance(made, Allocate) and second == place and buffer not in self._escape

    def _into_buffer(self, place: int, product: _LibraryProduct) -> bool:
        """Let a product go where a loop adds it, if that is all that becomes of it."""
        after = self._places[product.out][2:]
        loop = self._statements[after[0]] if len(after) == 1 else None
        target = _addition(loop, product.out) if isinstance(loop, For) else None
        if (
            target is None or target.space != "temporary" or target in self._escape
            or target in product.operands
            or any(place < k < after[0] for k in self._places[target])
        ):  # fmt: skip
            return False
        self._statements[place] = product.added_to(target)
        self._statements[after[0]] = self._statements[self._places[product.out][0]] = None
        places = (set(self._places[target]) - {after[0]}) | {place}
        self._places[target] = sorted(places)
        return True

    def _onto_product(self, place: int, product: _LibraryProduct) -> bool:
        """Add a product to another one, if all that is read of both are their sums."""
        after = [self._statements[k] for k in self._places[product.out][2:]]
        other = _partner([one for one in after if one is not None], product.out)
        if other is None or other in product.operands or other.shape != product.out.shape:
            return False
        first = self._places[other][1] if len(self._places[other]) > 1 else place
        if (
            first >= place or first not in self._products or self._products[first].out is not other
            or not self._is_own(other, first)
            or self._places[other][2:] != self._places[product.out][2:]
        ):  # fmt: skip
            return False
        total = Buffer("sum", other.type, other.shape, "temporary")
        users = self._places[other][2:]
        changed = [self._summed(k, other, product.out, total) for k in users]
        if any(self._summaries.of(one).touches & {other, product.out} for one in changed):
            return False
        self._statements[self._places[other][0]] = Allocate(total)
        self._statements[first] = self._products[first].put_into(total)
        self._statements[self._places[product.out][0]] = None
        self._statements[place] = product.added_to(total)
        for k, one in zip(users, changed, strict=True):
            self._statements[k] = one
        self._places[total] = sorted([self._places[other][0], first, place, *users])
        return True

    def _summed(self, place: int, one: Buffer, other: Buffer, total: Buffer) -> Statement:
        """A statement that loads `total` instead of adding two buffers."""
        statement = self._statements[place]
        assert statement is not None

        def change(node: Expression) -> Expression:
            pair = _sum_of_loads(node)
            if pair is None or {pair[0].buffer, pair[1].buffer} != {one, other}:
                return node
            return Load(total, pair[0].indices)

        return map_expressions((statement,), lambda whole: rewrite(whole, change))[0]


def _sum_of_loads(node: Expression) -> tuple[Load, Load] | None:
    """What a sum adds, if that is the same element of two buffers."""
    match node:
        case Apply("add", (Load() as one, Load() as other)) if one.indices == other.indices:
            return one, other
        case _:
            return None


def _partner(statements: Iterable[Statement], product: Buffer) -> Buffer | None:
    """The buffer that a product is added to first."""
    for statement in every_statement(tuple(statements)):
        for expression in expressions(statement):
            for part in every_part(expression):
                pair = _sum_of_loads(part)
                if pair is not None and product in (pair[0].buffer, pair[1].buffer):
                    return pair[0].buffer if pair[1].buffer is product else pair[1].buffer
    return None


def _addition(loop: For, product: Buffer) -> Buffer | None:
    """The buffer to all of which a loop adds `product`, and does nothing else."""
    nest = nest_of(loop)
    match nest.body:
        case (Let(variable, value), Store(buffer, indices, stored)) if stored is variable:
            pass
        case (Store(buffer, indices, value),):
            pass
        case _:
            return None
    pair = _sum_of_loads(value)
    if pair is None or {pair[0].buffer, pair[1].buffer} != {buffer, product}:
        return None
    count = _count(buffer.shape)
    if buffer.type != product.type or count is None or count != _count(product.shape):
        return None
    extents = [one.extent for one in nest.loops]
    is_flat = len(indices) == 1 and _count(extents) == count
    is_whole = [*buffer.shape] == [*product.shape] == extents
    return buffer if indices == nest.indices == pair[0].indices and (is_flat or is_whole) else None


def _count(sizes: Sequence[Expression]) -> int | None:
    numbers = [one.value for one in sizes if isinstance(one, Literal)]
    return prod(int(one) for one in numbers) if len(numbers) == len(sizes) else None
