"""Fourier transforms and special functions, by NumPy's and SciPy's loops.

The functions are those of native/fourier/functions.py and native/special/functions.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...core import dtypes
from ...core.dtypes import BY_SHORT, DType
from ...ops.lowering import NotStatic
from ..loops.ir import LONG, Address, Allocate, NativeCall
from ..native import ufunc_loops
from ..native.fourier import functions as fourier
from ..native.special import functions as special
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, size_expression
from .sizes.shape_builder import ShapeBuilder


def transform(builder: Emitter, kind: str, x: Array, axis: int, want: Size, points: Size) -> Array:
    """The transform of `x` along an axis, of which `want` numbers are kept."""
    if not all(map(ufunc_loops.is_known, fourier.ufuncs_of(kind))):
        raise NotStatic("NumPy's Fourier transforms are not where native code knows them")
    dtype, shape = BY_SHORT[fourier.result_of(kind, x.dtype.short)], transformed(x, axis, want)
    buffer = builder.force(x)
    out = builder.blocks.temporary(dtype, shape, "transform")
    outer, inner = (builder.count(one) for one in (x.shape[:axis], x.shape[axis + 1 :]))
    sizes = map(size_expression, (outer, x.shape[axis], want, inner, points))
    call = NativeCall(
        f"{fourier.PREFIX}{kind}_{x.dtype.short}", (Address(buffer), Address(out), *sizes),
        None, (buffer,), (out,), work=LONG,
    )  # fmt: skip
    builder.blocks.emit(Allocate(out), call)
    return builder.stored(out, dtype, shape)


def _cast(builder: Emitter, x: Array, dtype: DType) -> Array:
    if x.dtype is dtype:
        return x
    return builder.map(x.shape, dtype, lambda *at: SCALARS.cast(x[at], dtype))


def transformed(x: Array, axis: int, want: Size) -> tuple[Size, ...]:
    """The shape of the result."""
    return (*x.shape[:axis], want, *x.shape[axis + 1 :])


def only_sizes(builder: ShapeBuilder, kind: str, x: Array, axis: int, want: Size) -> Array:
    """A transform of which the sizes are wanted alone."""
    dtype = BY_SHORT[fourier.result_of(kind, x.dtype.short)]
    return builder.view(transformed(x, axis, want), dtype, lambda *_: builder.constant(0, dtype))


def special_function(builder: Emitter, name: str, operands: Sequence[Array]) -> tuple[Array, ...]:
    """What the function gives for operands of one shape, in their dtype."""
    if not special.is_known(name):
        raise NotStatic(f"SciPy's {name} is not where native code knows it")
    dtype, shape = operands[0].dtype, operands[0].shape
    wide = dtype if dtype.size >= 4 else dtypes.float32
    taken = [builder.force(_cast(builder, one, wide)) for one in operands]
    outs = [builder.blocks.temporary(wide, shape) for _ in range(special.results_of(name))]
    arguments = (*map(Address, [*taken, *outs]), size_expression(builder.count(shape)))
    function = f"{special.PREFIX}{name}_{wide.short}"
    call = NativeCall(function, arguments, None, tuple(taken), tuple(outs), work=LONG)
    builder.blocks.emit(*map(Allocate, outs), call)
    found = [builder.stored(one, wide, shape) for one in outs]
    return tuple([_cast(builder, one, dtype) for one in found])
