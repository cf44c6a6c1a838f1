"""Loops that only copy neighbours, or set them to zero: one instruction, and no loop, for LLVM.

for i in n:
  y[k, i] = x[i]

With all passes a loop costs LLVM some 25 ms, of which it makes the same call in the end.
"""

from __future__ import annotations

from math import copysign
from typing import Any, Final, TypeAlias

from ...core.process.named_tuples import NamedTuple
from ..loops.effects import independent
from ..loops.functions import SIZE
from ..loops.ir import Buffer, Expression, For, Literal, Load, Local, Store
from ..loops.short_rows import along_row
from .types import ALIGNMENT, MEMORY, Register
from .values import Values

Indices: TypeAlias = tuple[Expression, ...]

_COPY: Final = (
    "call void @llvm.memcpy.p0.p0.i64(ptr align {0} {1}, ptr align {0} {2}, i64 {3}, i1 false)"
)
_CLEAR: Final = "call void @llvm.memset.p0.i64(ptr align {0} {1}, i8 0, i64 {2}, i1 false)"


class Move(NamedTuple):
    """Elements of a buffer that become those of another one, or zero."""

    store: Store
    source: Load | None


def move_of(loop: For) -> Move | None:
    """What a loop does, if nothing else, and if its iterations may come in any order."""
    store = loop.body[0] if len(loop.body) == 1 else None
    if not isinstance(store, Store) or not store.indices:
        return None
    if not (_is_alike(store.buffer, store.value, loop.index) or _is_zero(store.value)):
        return None
    if not along_row(Load(store.buffer, store.indices), loop.index) or not independent(loop):
        return None
    return Move(store, store.value if isinstance(store.value, Load) else None)


def _is_alike(target: Buffer, value: Expression, index: Local) -> bool:
    """Whether these are neighbours of another buffer, in the form that the target has."""
    if not isinstance(value, Load) or not value.indices or value.buffer is target:
        return False
    return value.buffer.type == target.type and along_row(value, index)


def _is_zero(value: Expression) -> bool:
    if not isinstance(value, Literal):
        return False
    number: Any = complex(value.value)
    return number == 0 and copysign(1, number.real) == copysign(1, number.imag) == 1


def write(values: Values, loop: For, move: Move, begin: Register, extent: Register) -> None:
    """Some iterations of such a loop."""
    w, buffer = values.w, move.store.buffer
    values.forget()
    values.variables[loop.index] = begin
    count = extent if begin == "0" else w.line(f"sub i64 {extent}, {begin}")
    if not isinstance(loop.extent, Literal):
        count = w.line(f"call i64 @llvm.smax.i64(i64 {count}, i64 0)")
    each = SIZE[buffer.type]
    size = str(int(count) * each) if count.isdigit() else w.line(f"mul i64 {count}, {each}")
    target, align = values.element(buffer, move.store.indices), ALIGNMENT[MEMORY[buffer.type]]
    if move.source is None:
        w.do(_CLEAR.format(align, target, size))
    else:
        source = values.element(move.source.buffer, move.source.indices)
        w.do(_COPY.format(align, target, source, size))
