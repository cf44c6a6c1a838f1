"""What library calls of a program touch, worked out from their arguments: for `guards.py`.

    tm_gemm_*             a, b, out, matrices, m, n, k, ...              (native/products.py)
    tm_panels_*           frame, a, panels, out, m, n, k, pitch, ...     (native/panels.py)
    tm_arranged_*         frame, factor, panels, n, k, ...
    tm_convolve_*         frame, x, panels, out, pixels, places, taps,
                          count, tap count, run, filters, groups, depth  (native/windows)
    tm_filter_gradient_*  frame, x, dy, sums, pixels, places, rows,
                          count, row count, filters, groups, depth, parts
    tm_convolve_few_*, tm_filter_few_*: the same, and more
    tm_convolve_image_*, tm_convolve_few_image_*: as tm_convolve, of slices
    tm_winograd_*         as tm_convolve and tm_filter_gradient, with room and steps
    tm_convolve_rows_*    frame, x, weights, out, starts, taps,
                          rows, tap count, length, period
    memcpy, memset        places in buffers, ..., bytes
    bind                  a buffer within another

Tables hold bytes from the beginning of a buffer; `depth` is in bytes, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...core.process.named_tuples import NamedTuple
from ..native.panels import lanes
from ..native.windows import shifted_rows
from ..native.windows.winograd import LANES, POSITIONS
from .functions import SIZE
from .ir import (
    Address,
    Apply,
    Bind,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    NativeCall,
    Set,
    Statement,
)
from .ranges import count

_ONE: Final = Literal(1, "i64")
_FAR: Final = 2**62  # beyond every offset


class Demand(NamedTuple):
    """`needed` bytes of `buffer` are touched, from its beginning; `before` works `needed` out."""

    buffer: Buffer
    needed: Expression
    before: tuple[Statement, ...] = ()


def demands(statement: Statement) -> Iterator[Demand]:
    """What a statement wants of whole buffers."""
    match statement:
        case Bind(buffer, address):
            yield from _within(address, product(count(buffer.shape), SIZE[buffer.type]))
        case NativeCall("memcpy", (target, source, size)):
            yield from _within(target, size)
            yield from _within(source, size)
        case NativeCall("memset", (target, _, size)):
            yield from _within(target, size)
        case NativeCall(function, arguments):
            name = function.rpartition("_")[0]
            if (rule := _RULES.get(name)) is not None:
                places = [one for one in arguments if isinstance(one, Address)]
                if len(places) == rule.buffers:
                    numbers = [one for one in arguments if one.type != "ptr"]
                    yield from rule.demands(places, numbers)
        case _:
            return


def _within(address: Expression, size: Expression) -> Iterator[Demand]:
    """Bytes from a place in a buffer on, where `address` says which buffer."""
    match address:
        case Address(buffer):
            yield Demand(buffer, size)
        case Apply("add", (Address(buffer), offset)):
            # More than there can be where it is before the beginning.
            before = Apply("lt", (offset, Literal(0, "i64")), "bool")
            end = _sum(offset, size)
            yield Demand(buffer, Apply("where", (before, Literal(_FAR, "i64"), end), "i64"))
        case _:
            return


def _gemm(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    matrices, m, n, k = numbers[:4]
    for address, sizes in zip(addresses, ((m, k), (k, n), (m, n)), strict=True):
        yield _from(address, count((matrices, *sizes)))


def _panels(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    a, panels, out = addresses
    m, n, k, pitch = numbers[:4]
    yield _from(a, count((m, pitch)))
    yield _in_panels(panels, n, k)
    yield _from(out, count((m, n)))


def _arranged(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    factor, panels = addresses
    n, k = numbers[:2]
    yield _from(factor, count((k, n)))
    yield _in_panels(panels, n, k)


def _in_panels(panels: Address, n: Expression, k: Expression) -> Demand:
    width = lanes(panels.buffer.type)
    whole = Apply("truncate_divide", (_sum(n, width - 1), Literal(width, "i64")), "i64")
    return _from(panels, product(product(whole, width), k))


def _from(address: Address, elements: Expression) -> Demand:
    """So many elements from an address on."""
    end = _sum(_first(address), elements) if address.indices else elements
    return Demand(address.buffer, product(end, SIZE[address.buffer.type]))


def _first(address: Address) -> Expression:
    """How many elements of a buffer lie before a slice of it."""
    position: Expression = Literal(0, "i64")
    for axis, size in enumerate(address.buffer.shape):
        index = address.indices[axis] if axis < len(address.indices) else 0
        position = _sum(product(position, size), index)
    return position


def _convolve(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    x, _, out, pixels, places, taps = (one.buffer for one in addresses)
    windows, tap_count, run, filters, groups, depth = numbers
    size = SIZE[x.type]
    row = _sum(product(_sum(groups, -1), depth), product(run, size))
    given = product(product(groups, filters), size)
    yield from _tables((pixels, windows), (places, windows), (taps, tap_count))
    yield from _seen(x, ((pixels, windows), (taps, tap_count)), _after(addresses[0], row))
    yield from _seen(out, ((places, windows),), _after(addresses[2], given))


def _after(address: Address, size: Expression) -> Expression:
    """So many bytes, and those before the slice."""
    if not address.indices:
        return size
    return _sum(product(_first(address), SIZE[address.buffer.type]), size)


def _winograd(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    windows, tap_count, run, filters, depth = numbers[:5]
    usual = [windows, tap_count, run, filters, _ONE, product(depth, SIZE["f32"])]
    yield from _convolve(addresses[:6], usual)
    yield from _transformed(addresses[6:], filters, depth, _ONE)


def _winograd_gradient(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    windows, row_count, filters, depth, parts = numbers[:5]
    usual = [windows, row_count, filters, _ONE, product(depth, SIZE["f32"]), parts]
    yield from _filter_gradient(addresses[:6], usual)
    yield from _transformed(addresses[6:], filters, depth, parts)


def _transformed(
    room: list[Address], filters: Expression, depth: Expression, parts: Expression
) -> Iterator[Demand]:
    factors, doubted = room
    panels = Apply("truncate_divide", (_sum(filters, LANES - 1), Literal(LANES, "i64")), "i64")
    row = POSITIONS * LANES * SIZE["f32"]
    yield Demand(factors.buffer, product(count((parts, panels, depth)), row))
    yield Demand(doubted.buffer, Literal(SIZE["i64"], "i64"))


def _filter_gradient(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    x, dy, sums, pixels, places, rows = (one.buffer for one in addresses)
    windows, row_count, filters, groups, depth, parts = numbers[:6]
    size = SIZE[x.type]
    row = _sum(product(_sum(groups, -1), depth), size)
    yield from _tables((pixels, windows), (places, windows), (rows, row_count))
    yield from _seen(x, ((pixels, windows), (rows, row_count)), row)
    yield from _seen(dy, ((places, windows),), product(product(groups, filters), size))
    yield Demand(sums, product(count((parts, row_count, groups, filters)), size))


def _shifted_rows(addresses: list[Address], numbers: list[Expression]) -> Iterator[Demand]:
    x, weights, out, starts, taps = (one.buffer for one in addresses)
    rows, tap_count, length, period = numbers
    size, more = SIZE[x.type], shifted_rows.lanes(x.type)
    yield from _tables((starts, rows), (taps, tap_count))
    yield from _seen(x, ((starts, rows), (taps, tap_count)), product(length, size))
    yield Demand(weights, product(product(tap_count, _sum(period, more)), size))
    yield Demand(out, product(product(rows, length), size))


def _tables(*pairs: tuple[Buffer, Expression]) -> Iterator[Demand]:
    for table, entries in pairs:
        yield Demand(table, product(entries, SIZE[table.type]))


Entries = tuple[tuple[Buffer, Expression], ...]


def _seen(buffer: Buffer, tables: Entries, row: Expression) -> Iterator[Demand]:
    """Rows that begin where the tables' entries, added up, say: the last byte, and the first."""
    yield _extreme(buffer, tables, "max", row, lambda last: last)
    zero = Literal(0, "i64")
    yield _extreme(buffer, tables, "min", zero, lambda first: _where_negative(first))


def _extreme(
    buffer: Buffer,
    tables: Entries,
    function: str,
    more: Expression,
    needed: Callable[[Expression], Expression],
) -> Demand:
    before: list[Statement] = []
    total, some = more, Literal(True, "bool")
    for table, entries in tables:
        best = Local("best", "i64", mutable=True)
        index = Local("entry", "i64")
        start = Literal(-_FAR if function == "max" else _FAR, "i64")
        step = Apply(function, (best, Load(table, (index,))), "i64")
        before += [Set(best, start), For(index, entries, (Set(best, step),))]
        total = _sum(total, best)
        some = Apply("and", (some, Apply("gt", (entries, Literal(0, "i64")), "bool")), "bool")
    # Without entries nothing is looked at.
    chosen = Apply("where", (some, needed(total), Literal(0, "i64")), "i64")
    return Demand(buffer, chosen, tuple(before))


def _where_negative(first: Expression) -> Expression:
    """More than there can be where something lies before the beginning."""
    below = Apply("lt", (first, Literal(0, "i64")), "bool")
    return Apply("where", (below, Literal(_FAR, "i64"), Literal(0, "i64")), "i64")


def _sum(left: Expression, right: Expression | int) -> Expression:
    return Apply("add", (left, _expression(right)), "i64")


def product(left: Expression, right: Expression | int) -> Expression:
    """A product; its value where both factors are known."""
    if right == 1:
        return left
    if isinstance(left, Literal) and isinstance(right, int):
        return Literal(left.value * right, "i64")
    return Apply("mul", (left, _expression(right)), "i64")


def _expression(value: Expression | int) -> Expression:
    return Literal(value, "i64") if isinstance(value, int) else value


class _Rule(NamedTuple):
    buffers: int
    demands: Callable[[list[Address], list[Expression]], Iterator[Demand]]


_RULES: Final = {
    "tm_gemm": _Rule(3, _gemm),
    "tm_panels": _Rule(3, _panels),
    "tm_arranged": _Rule(2, _arranged),
    "tm_convolve": _Rule(6, _convolve),
    "tm_convolve_few": _Rule(6, _convolve),
    "tm_convolve_image": _Rule(6, _convolve),
    "tm_convolve_few_image": _Rule(6, _convolve),
    "tm_winograd": _Rule(8, _winograd),
    "tm_winograd_gradient": _Rule(8, _winograd_gradient),
    "tm_convolve_rows": _Rule(5, _shifted_rows),
    "tm_filter_gradient": _Rule(6, _filter_gradient),
    "tm_filter_few": _Rule(6, _filter_gradient),
}
