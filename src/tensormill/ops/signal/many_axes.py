"""Fourier transforms along any axes: one after the other, each by the transform of one axis.

TensorFlow has these functions, and no CPU kernels for them; what they mean is NumPy's `fftn`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ..array.rearrangement import transpose
from ..array.shapes import shape_of
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import dispatchable
from ..families import normalize_axis
from ..math.cast import cast
from ..math.elementwise import sqrt
from ..math.reduce import reduce_prod
from .fourier import fft, fitted, ifft, irfft, rfft

NORMS = (None, "backward", "ortho", "forward")


@dispatchable
def fftnd(
    input_tensor: Any,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The discrete Fourier transform along some axes.

    input_tensor: complex64 or complex128. fft_length: to which sizes the axes are cut, or filled
    with zeros; those that they have unless they are given. axes: which, in any order; the last
    ones, as many as there are lengths, or all. norm: None or "backward", "ortho" (scaled with
    1 / sqrt of the number of elements), "forward" (with 1 / that number).

    >>> tf.signal.fftnd(tf.ones([2, 2], tf.complex64)).numpy().real
    array([[4., 0.],
           [0., 0.]], dtype=float32)

    Raises:
        ValueError: an axis is not there or named twice, lengths and axes are not as many, or
            `norm` is none of these.
    """
    x, places, lengths = _arguments(input_tensor, fft_length, axes, norm)
    for axis, length in zip(places, lengths, strict=True):
        x = _along(x, axis, lambda rows, length=length: fft(_of_length(rows, length)))
    return _scaled(x, lengths, norm, forwards=True)


@dispatchable
def ifftnd(
    input_tensor: Any,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The inverse discrete Fourier transform along some axes.

    Parameters and errors are those of `fftnd`; without a `norm`, or with "backward", it is scaled
    with 1 / the number of elements, with "forward" not at all.

    >>> tf.signal.ifftnd(tf.constant([[4., 0.], [0., 0.]], tf.complex64)).numpy().real
    array([[1., 1.],
           [1., 1.]], dtype=float32)

    Raises:
        ValueError: as `fftnd` does.
    """
    x, places, lengths = _arguments(input_tensor, fft_length, axes, norm)
    for axis, length in zip(places, lengths, strict=True):
        x = _along(x, axis, lambda rows, length=length: ifft(_of_length(rows, length)))
    return _scaled(x, lengths, norm, forwards=False)


@dispatchable
def rfftnd(
    input_tensor: Any,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The discrete Fourier transform of real numbers along some axes.

    input_tensor: float32 or float64. The axis that is named last keeps the first half, n // 2 + 1
    elements, of which the others are conjugates. Parameters are those of `fftnd`.

    >>> tf.signal.rfftnd(tf.ones([2, 2])).numpy().real
    array([[4., 0.],
           [0., 0.]], dtype=float32)

    Raises:
        ValueError: as `fftnd` does, or there are no axes.
    """
    x, places, lengths = _arguments(input_tensor, fft_length, axes, norm, is_real=True)
    x = _along(x, places[-1], lambda rows: rfft(rows, [lengths[-1]]))
    for axis, length in zip(places[:-1], lengths[:-1], strict=True):
        x = _along(x, axis, lambda rows, length=length: fft(_of_length(rows, length)))
    return _scaled(x, lengths, norm, forwards=True)


@dispatchable
def irfftnd(
    input_tensor: Any,
    fft_length: Any = None,
    axes: Any = None,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The real numbers of which `rfftnd` gave this transform.

    input_tensor: complex64 or complex128. fft_length: of the results; without it the axis that is
    named last gets 2 (n - 1) elements. Parameters are those of `fftnd`.

    >>> tf.signal.irfftnd(tf.constant([[4., 0.], [0., 0.]], tf.complex64)).numpy()
    array([[1., 1.],
           [1., 1.]], dtype=float32)

    Raises:
        ValueError: as `fftnd` does, or there are no axes.
    """
    x, places, lengths = _arguments(input_tensor, fft_length, axes, norm, is_real=True)
    if fft_length is None:
        lengths = [*lengths[:-1], 2 * (lengths[-1] - 1)]
    for axis, length in zip(places[:-1], lengths[:-1], strict=True):
        x = _along(x, axis, lambda rows, length=length: ifft(_of_length(rows, length)))
    x = _along(x, places[-1], lambda rows: irfft(rows, [lengths[-1]]))
    return _scaled(x, lengths, norm, forwards=False)


def _arguments(
    x: Any, fft_length: Any, axes: Any, norm: str | None, is_real: bool = False
) -> tuple[Any, list[int], list[Any]]:
    """The tensor, the axes from the front, and the length of each.

    Raises:
        ValueError: they do not fit, or `norm` is unknown.
    """
    if norm not in NORMS:
        raise ValueError(f"norm must be one of {NORMS}, got {norm!r}")
    x = as_tensor(x)
    rank = x.shape.rank
    if rank is None:
        raise ValueError("the rank of what is transformed along several axes must be known")
    lengths = None if fft_length is None else _each(as_tensor(fft_length, None, dtypes.int32))
    if axes is None:
        count = rank if lengths is None else len(lengths)
        places = list(range(rank))[rank - count :] if count <= rank else list(range(count))
    else:
        places = [int(one) for one in _constants(axes)]
    places = [normalize_axis(one, rank, "fftnd") for one in places]
    if len(set(places)) < len(places) or (is_real and not places):
        raise ValueError(f"axes must be some, each named once, got {axes!r}")
    if lengths is None:
        sizes = shape_of(x)
        known = [x.shape[axis] for axis in places]
        lengths = [sizes[axis] if size is None else size
                   for axis, size in zip(places, known, strict=True)]  # fmt: skip
    if len(lengths) != len(places):
        raise ValueError(f"there are {len(lengths)} lengths for {len(places)} axes")
    return x, places, lengths


def _constants(axes: Any) -> Sequence[Any]:
    found = static_value(as_tensor(axes, None, dtypes.int32))
    if found is None:
        raise ValueError("axes must be known while tracing")
    return found.reshape(-1).tolist()


def _each(lengths: Any) -> list[Any]:
    known = static_value(lengths)
    if known is not None:
        return known.reshape(-1).tolist()
    if lengths.shape[0] is None:
        raise ValueError("how many lengths there are must be known while tracing")
    return [lengths[k] for k in range(lengths.shape[0])]


def _along(x: Any, axis: int, transform: Any) -> Any:
    """What `transform` makes of the rows along an axis."""
    rank = x.shape.rank
    if axis == rank - 1:
        return transform(x)
    order = [*(k for k in range(rank) if k != axis), axis]
    back = sorted(range(rank), key=order.__getitem__)
    return transpose(transform(transpose(x, order)), back)


def _of_length(rows: Any, length: Any) -> Any:
    if isinstance(length, int) and rows.shape[-1] == length:
        return rows
    return fitted(rows, as_tensor([length]) if isinstance(length, int) else length[None], 1)


def _scaled(x: Any, lengths: list[Any], norm: str | None, forwards: bool) -> Any:
    """By what `norm` says; the inverse transforms of one axis divide by its size already."""
    if norm in (None, "backward"):
        return x
    count = cast(reduce_prod(as_tensor([*lengths, 1])), x.dtype.real_dtype)
    size = sqrt(count) if norm == "ortho" else count
    return x * cast(1 / size if forwards else size, x.dtype)
