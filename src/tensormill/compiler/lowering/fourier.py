"""Fourier transforms along one axis, by the functions of native/fourier.py."""

from __future__ import annotations

from ...core.dtypes import BY_SHORT, DType, as_dtype
from ...ops.lowering import NotStatic
from ..loops.ir import LONG, Address, Allocate, NativeCall
from ..native import fourier, ufunc_loops
from .arrays import Array, Size
from .emitter import Emitter
from .scalars import SCALARS, size_expression
from .sizes.shape_builder import ShapeBuilder


def transform(builder: Emitter, kind: str, x: Array, axis: int, want: Size, points: Size) -> Array:
    """The transform of `x` along an axis, of which `want` numbers are kept."""
    if not ufunc_loops.are_known():
        raise NotStatic("NumPy's Fourier transforms are not where native code knows them")
    ufunc, scaled = fourier.ufuncs_of(kind)[0], kind in fourier.INVERSE
    wide = as_dtype(ufunc_loops.working_type(ufunc, x.dtype.numpy, scaled))
    found = _transform(builder, kind, _cast(builder, x, wide), axis, want, points)
    return _cast(builder, found, BY_SHORT[fourier.result_of(kind, x.dtype.short)])


def _transform(builder: Emitter, kind: str, x: Array, axis: int, want: Size, points: Size) -> Array:
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
