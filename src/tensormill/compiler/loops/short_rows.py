"""Short rows that are added up in memory: loops that become single vector instructions.

for n in 32:
  out[m, n] = fma(a[m, k], b[k, n], out[m, n])
"""

from __future__ import annotations

from typing import Final

from ...core.process.named_tuples import NamedTuple
from .functions import KIND, SIZE
from .ir import Apply, Choice, Expression, For, Literal, Load, Local, Store
from .walk import every_part

# Bytes of a row: four of the largest registers that x86 has, and one.
_WIDEST: Final = 256
_REGISTER: Final = 64
_FEW: Final = 8
_MANY: Final = 16
_FUNCTIONS: Final = frozenset(("add", "sub", "mul", "fma"))


def short_row(loop: For) -> Store | None:
    """The only statement of a loop that adds to a short row, or sets one to a constant."""
    if not isinstance(loop.extent, Literal) or len(loop.body) != 1:
        return None
    store = loop.body[0]
    if not isinstance(store, Store) or not store.indices or KIND[store.value.type] not in "iuf":
        return None
    if store.value.type in ("f16", "bf16"):
        return None
    if not _is_row(int(loop.extent.value), SIZE[store.value.type]):
        return None
    target = Load(store.buffer, store.indices)
    if not along_row(target, loop.index) or not _adds(store.value, target, loop.index):
        return None
    return store


class Row(NamedTuple):
    """Neighbours that are set together: all of them, or those before `bound`."""

    store: Store
    bound: Expression | None = None


def stated_row(loop: For) -> Row | None:
    """The row that a short loop of a function sets: where functions say so, it is a vector.

    for n in 16:
      if (n < left):
        y[n] = (x[n] + where((n < left), z[n], 0.0))
    """
    match loop.body:
        case (Store() as store,):
            row = Row(store)
        case (Choice(Apply("lt", (index, bound)), (Store() as store,), ()),) if (
            index is loop.index and not depends_on(bound, loop.index)
        ):
            row = Row(store, bound)
        case _:
            return None
    if not isinstance(loop.extent, Literal) or not row.store.indices:
        return None
    short = _is_row(int(loop.extent.value), SIZE[store.value.type])
    along = along_row(Load(store.buffer, store.indices), loop.index)
    return row if short and along and _fits_stated(store.value, loop.index) else None


def stated_rows(loop: For) -> bool:
    """Whether a loop of a function sets one row after another: it is unrolled as it is."""
    few = isinstance(loop.extent, Literal) and loop.extent.value <= _MANY
    return few and any(isinstance(one, For) and stated_row(one) for one in loop.body)


def some_of_row(value: Expression, index: Local) -> tuple[Expression, Load, Literal] | None:
    """(bound, neighbours before it, what stands for the others), where an expression says that."""
    match value:
        case Apply("where", (Apply("lt", (moving, bound)), Load() as load, Literal() as other)) if (
            moving is index and not depends_on(bound, index) and along_row(load, index)
        ):
            return bound, load, other
        case _:
            return None


def _fits_stated(value: Expression, index: Local) -> bool:
    return some_of_row(value, index) is not None or _fits(value, index)


def short_rows(loop: For) -> Store | None:
    """The statement of a few short rows one after another: a loop that is unrolled as it is."""
    if not isinstance(loop.extent, Literal) or loop.extent.value > _FEW or len(loop.body) != 1:
        return None
    inner = loop.body[0]
    return short_row(inner) if isinstance(inner, For) else None


def _is_row(count: int, size: int) -> bool:
    """LLVM makes good code of odd lengths only where one register holds them."""
    is_power = count & (count - 1) == 0
    return 1 < count <= (_WIDEST if is_power else _REGISTER) // size


def _adds(value: Expression, target: Load, index: Local) -> bool:
    if isinstance(value, Literal):
        return True
    loads = [part for part in every_part(value) if isinstance(part, Load)]
    own = [load for load in loads if load.buffer is target.buffer]
    return bool(own) and all(load is target for load in own) and _fits(value, index)


def _fits(value: Expression, index: Local) -> bool:
    match value:
        case Literal():
            return True
        case Local():
            return value is not index
        case Load():
            return not depends_on(value, index) or along_row(value, index)
        case Apply(function, arguments, type_):
            same_type = all(argument.type == type_ for argument in arguments)
            return (
                function in _FUNCTIONS and same_type and all(_fits(one, index) for one in arguments)
            )
        case _:
            return False


def depends_on(expression: Expression, index: Local) -> bool:
    """Whether an index occurs in an expression."""
    return index in every_part(expression)


def along_row(load: Load, index: Local) -> bool:
    """Whether consecutive indices are neighbours in memory."""
    return start_of(load.indices[-1], index) is not None and not any(
        depends_on(one, index) for one in load.indices[:-1]
    )


def start_of(position: Expression, index: Local) -> Expression | None:
    """What is added to `index` in a position: `index` or `index + start`."""
    match position:
        case Local() if position is index:
            return Literal(0, "i64")
        case Apply("add", (one, other)) if one is index or other is index:
            start = other if one is index else one
            return None if depends_on(start, index) else start
        case _:
            return None
