"""Pictures of few channels in other sizes, as calls of native/windows/interpolation.py."""

from __future__ import annotations

from collections.abc import Sequence

from ....core import dtypes
from ...loops.ir import LONG, Address, Allocate, NativeCall
from ...native.windows.interpolation import SOURCES
from ..arrays import Array, Size
from ..emitter import Emitter
from ..scalars import SCALARS, size_expression


def interpolate(
    builder: Emitter, x: Array, rows: Sequence[Array], columns: Sequence[Array]
) -> Array:
    """x [n, height, width, channels] between its rows, then between its columns, as float32."""
    if x.dtype.short not in SOURCES:
        given = x
        x = builder.map(
            x.shape, dtypes.float32, lambda *at: SCALARS.cast(given[at], dtypes.float32)
        )
    source, tables = builder.force(x), [builder.force(one) for one in (*rows, *columns)]
    shape = interpolated(x, rows, columns)
    out = builder.blocks.temporary(dtypes.float32, shape)
    sizes = map(size_expression, (*x.shape, shape[1], shape[2]))
    call = NativeCall(
        f"tm_interpolate_{x.dtype.short}",
        (Address(source), Address(out), *map(Address, tables), *sizes), None,
        (source, *tables), (out,), work=LONG,
    )  # fmt: skip
    builder.blocks.emit(Allocate(out), call)
    return builder.stored(out, dtypes.float32, shape)


def interpolated(x: Array, rows: Sequence[Array], columns: Sequence[Array]) -> tuple[Size, ...]:
    """The shape of the result."""
    return (x.shape[0], rows[0].shape[0], columns[0].shape[0], x.shape[3])
