"""Fourier transforms along the innermost axes, by NumPy: compiled functions call its loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, KnownShapeError, ShapeMismatchError
from ..array.fill import range as range_tensor
from ..array.fill import zeros_like
from ..array.padding import pad
from ..array.shapes import rank, shape_of
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..demands import dims as known_dims
from ..demands import either, refuse
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.complex import real
from ..math.reduce import reduce_prod
from ..op import REGISTRY, Attr, In, Op, Out, types, usually
from ..sizes import scalar
from .pocketfft import transformed

if TYPE_CHECKING:
    from ..results import Tensor

COMPLEX = types("c64 c128")
LARGE: Final = 1 << 13  # numbers from which threads pay, and rows made of columns


def demand_axes(sizes: Any, op: Op, count: int) -> tuple[Any, ...]:
    """The shape of the input, which has as many axes at least."""
    shape = sizes.shape(getattr(op, op.input_names[0]))
    if len(shape) < count:
        refuse(ShapeMismatchError, TOO_FEW_AXES, op.name, count, len(shape), count)
    return shape


def demand_length(
    sizes: Any, op: Any, shape: tuple[Any, ...], halved: bool = False
) -> tuple[Any, ...]:
    """The sizes that `fft_length` spells, one for each axis of the transform. The input has as
    many elements (`halved`: half of them along the last).
    """
    count = op.axes
    length = sizes.shape(op.fft_length, 1)
    fits = sizes.equal(length[0], count) if len(length) == 1 else False
    sizes.require(fits, InvalidArgumentError, "{}: fft_length must have shape [{}]", op.name, count)
    wanted = sizes.possible_late(sizes.numbers(op.fft_length))
    needed = (*wanted[:-1], wanted[-1] // 2 + 1) if halved else wanted
    for axis, (have, need) in enumerate(zip(shape[len(shape) - count :], needed, strict=True)):
        fits = either(have >= need, sizes.equal(wanted[axis], 0))
        sizes.require_late(fits, InvalidArgumentError, TOO_SHORT, op.name, axis, need, have)
    return wanted


TOO_SHORT = "{}: Input dimension {} must have length of at least {} but got: {}"
TOO_FEW_AXES = (
    "{}: Input must have rank of at least {} but got rank {} (Shape must be at least rank {})"
)


class Transform(Op, abstract=True):
    """A transform of complex numbers; `axes` is of how many axes."""

    input = In("Tcomplex *s")
    output = Out("Tcomplex *s")
    Tcomplex = COMPLEX
    usual = usually(Tcomplex="c64")
    native_from = LARGE
    axes: ClassVar[int] = 1
    inverse: ClassVar[str] = ""
    forward: ClassVar[bool] = True

    @property
    def kind(self) -> str:
        """The transform of one axis."""
        return "fft" if self.forward else "ifft"

    def demands(self, sizes: Any) -> None:
        demand_axes(sizes, self, self.axes)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.input.shape, self.input.dtype)

    def eager(self, np: Any) -> Any:
        x = self.input
        if not x.size:
            return x.copy()
        for axis in range(-1, -1 - self.axes, -1):  # NumPy's order
            x = transformed(self.kind, x, axis, x.shape[axis])
        return x

    def xla(self, xla: Any) -> Any:
        x, jnp = self.input, xla.np
        run = jnp.fft.fftn if self.forward else jnp.fft.ifftn
        return run(x, axes=range(-self.axes, 0)).astype(x.dtype) if x.size else x

    def lower(self, loops: Any) -> Any:
        x = self.input
        for axis in range(x.rank - 1, x.rank - 1 - self.axes, -1):
            x = loops.fourier(self.kind, x, axis, x.shape[axis], x.shape[axis])
        return x

    def vjp(self, doutput: Any) -> Any:
        turned = bind(REGISTRY[self.inverse], doutput)
        count = cast(reduce_prod(shape_of(doutput)[-self.axes :]), doutput.dtype)
        return turned * count if self.forward else turned / count


class FFT(Transform):
    """The transform of each row."""

    inverse = "IFFT"


class IFFT(Transform):
    """The inverse transform of each row."""

    inverse, forward = "FFT", False


class FFT2D(Transform):
    """The transform of each matrix."""

    axes, inverse = 2, "IFFT2D"


class IFFT2D(Transform):
    """The inverse transform of each matrix."""

    axes, inverse, forward = 2, "FFT2D", False


class FFT3D(Transform):
    """The transform along the three innermost axes."""

    axes, inverse = 3, "IFFT3D"


class IFFT3D(Transform):
    """The inverse transform along the three innermost axes."""

    axes, inverse, forward = 3, "FFT3D", False


class RealTransform(Op, abstract=True):
    """The first half of the transform of real numbers, cropped to `fft_length`."""

    input = In("Treal ...")
    fft_length = In("i32 k")
    output = Out("Tcomplex ...")
    Tcomplex = Attr(dtypes.complex64, COMPLEX)
    Treal = types("f32 f64")
    usual = usually(Treal="f32")
    keeps_taken = True
    native_from = LARGE
    axes: ClassVar[int] = 1
    whole: ClassVar[str] = "IFFT"

    def demands(self, sizes: Any) -> Any:
        """The sizes of the transform."""
        return demand_length(sizes, self, demand_axes(sizes, self, self.axes))

    def infer(self) -> TensorSpec:
        dims = self.input.shape.entries
        if dims is None:
            return TensorSpec(None, self.Tcomplex)
        inner = (None,) * self.axes if self.found is None else known_dims(self.found)
        last = None if inner[-1] is None else half_of(inner[-1])
        return TensorSpec((*dims[: -self.axes], *inner[:-1], last), self.Tcomplex)

    def eager(self, np: Any) -> Any:
        x = self.input
        sizes = self.found
        batch = x.shape[: -self.axes]
        if not x.size or 0 in sizes:
            return np.zeros((*batch, *sizes[:-1], half_of(sizes[-1])), self.Tcomplex.storage)
        x = transformed("rfft", x, -1, sizes[-1])
        for back in range(2, self.axes + 1):
            x = transformed("fft", x, -back, sizes[-back])
        return x.astype(self.Tcomplex.storage, copy=False)

    def xla(self, xla: Any) -> Any:
        if not self.input.size or 0 in self.found:
            return self.eager(xla.np)
        found = xla.np.fft.rfftn(self.input, self.found, range(-self.axes, 0))
        return found.astype(self.Tcomplex.storage)

    def lower(self, loops: Any) -> Any:
        sizes, last = self.found, self.input.rank - 1
        points = scalar(loops, sizes[-1])
        half = points // 2 + loops.scalars.cast(points > 0, dtypes.int64)
        want = loops.held(half) if not isinstance(sizes[-1], int) else half_of(sizes[-1])
        x = loops.fourier("rfft", self.input, last, want, sizes[-1])
        for back in range(1, self.axes):
            axis, size = last - back, sizes[-1 - back]
            x = loops.fourier("fft", x, axis, size, size)
        return converted(loops, x, self.Tcomplex)

    def vjp(self, doutput: Any) -> Any:
        sizes = self.fft_length
        full = bind(REGISTRY[self.whole], fitted(doutput, sizes, self.axes))
        dx = real(full) * cast(reduce_prod(sizes), self.input.dtype)
        return fitted(dx, shape_of(self.input)[-self.axes :], self.axes), None


def half_of(points: int) -> int:
    """How many numbers the first half of a transform has."""
    return points // 2 + 1 if points else 0


def converted(loops: Any, x: Any, dtype: Any) -> Any:
    """An array of compiled code as one of another dtype."""
    if x.dtype is dtype:
        return x
    return loops.map(x.shape, dtype, lambda *at: loops.scalars.cast(x[at], dtype))


def fitted(x: Any, sizes: Any, axes: int) -> Any:
    """The `axes` innermost axes of `x` cropped or padded with zeros to `sizes` (a vector)."""
    for axis in range(-axes, 0):
        size = sizes[axis]
        index = [Ellipsis, slice(None, size), *[slice(None)] * (-axis - 1)]
        x = x[tuple(index)]
    return padded(x, sizes, axes)


def padded(x: Any, sizes: Any, axes: int) -> Any:
    """The `axes` innermost axes of `x` padded with zeros to `sizes` (a vector), if shorter."""
    known, have = static_value(sizes), (x.shape.entries or (None,))[-axes:]
    if known is not None and None not in have and (np.array(have) >= known).all():
        return x
    missing = maximum(sizes - shape_of(x)[-axes:], 0)
    after = pad(missing, [[rank(x) - axes, 0]])
    from ..array.concatenation import stack

    return pad(x, stack([zeros_like(after), after], 1))


class RFFT(RealTransform):
    """The first half of the transform of each row of real numbers."""


class RFFT2D(RealTransform):
    """The first half of the transform of each matrix of real numbers."""

    axes, whole = 2, "IFFT2D"


class RFFT3D(RealTransform):
    """The first half of the transform of real numbers along the three innermost axes."""

    axes, whole = 3, "IFFT3D"


class InverseRealTransform(Op, abstract=True):
    """Real numbers from the first half of their transform."""

    input = In("Tcomplex ...")
    fft_length = In("i32 k")
    output = Out("Treal ...")
    Treal = Attr(dtypes.float32, types("f32 f64"))
    Tcomplex = COMPLEX
    usual = usually(Tcomplex="c64")
    native_from = LARGE
    axes: ClassVar[int] = 1
    whole: ClassVar[str] = "RFFT"

    def demands(self, sizes: Any) -> Any:
        """The sizes of the transform."""
        return demand_length(sizes, self, demand_axes(sizes, self, self.axes), halved=True)

    def infer(self) -> TensorSpec:
        dims = self.input.shape.entries
        if dims is None:
            return TensorSpec(None, self.Treal)
        inner = (None,) * self.axes if self.found is None else known_dims(self.found)
        return TensorSpec((*dims[: -self.axes], *inner), self.Treal)

    def eager(self, np: Any) -> Any:
        x = self.input
        sizes = self.found
        if not x.size or 0 in sizes:
            return np.zeros((*x.shape[: -self.axes], *sizes), self.Treal.storage)
        for back in range(self.axes, 1, -1):
            x = transformed("ifft", x, -back, sizes[-back])
        x = transformed("irfft", x, -1, sizes[-1])
        return x.astype(self.Treal.storage, copy=False)

    def xla(self, xla: Any) -> Any:
        if not self.input.size or 0 in self.found:
            return self.eager(xla.np)
        found = xla.np.fft.irfftn(self.input, self.found, range(-self.axes, 0))
        return found.astype(self.Treal.storage)

    def lower(self, loops: Any) -> Any:
        x, sizes = self.input, self.found
        first = x.rank - self.axes
        for axis, size in enumerate(sizes[:-1], first):
            x = loops.fourier("ifft", x, axis, size, size)
        x = loops.fourier("irfft", x, x.rank - 1, sizes[-1], sizes[-1])
        return converted(loops, x, self.Treal)

    def vjp(self, doutput: Any) -> Any:
        """Every frequency but the first and the one in the middle stands for two."""
        from ..array.select import where
        from ..math.comparison import equal, logical_or

        sizes, dtype = self.fft_length, self.input.dtype
        half = bind(REGISTRY[self.whole], doutput, sizes, Tcomplex=dtype)
        number = range_tensor(shape_of(half)[-1])
        once = logical_or(equal(number, 0), equal(number * 2, sizes[-1]))
        weight = cast(where(once, 1, 2), dtype) / cast(reduce_prod(sizes), dtype)
        return fitted(half * weight, shape_of(self.input)[-self.axes :], self.axes), None


class IRFFT(InverseRealTransform):
    """Rows of real numbers from the first half of their transforms."""


class IRFFT2D(InverseRealTransform):
    """Matrices of real numbers from the first half of their transforms."""

    axes, whole = 2, "RFFT2D"


class IRFFT3D(InverseRealTransform):
    """Real numbers from the first half of their transforms along three axes."""

    axes, whole = 3, "RFFT3D"


# ---------------------------------------------------------------- functions


def _complex(op: type[Op], x: Any, name: str | None) -> Any:
    return bind(op, x, name=name)


@dispatchable
def fft(input: Any, name: str | None = None) -> Tensor:
    """The Fourier transform of each row (the last axis): X[k] = sum of x[m] exp(-2 pi i k m / n).

    input: complex64 or complex128 [*s, n]; the result has this shape and dtype.

    >>> tf.signal.fft([0, 1, 0, 0]).numpy()
    array([ 1.+0.j,  0.-1.j, -1.+0.j,  0.+1.j], dtype=complex64)

    Raises:
        ShapeMismatchError: the input is a scalar.
    """
    return _complex(FFT, input, name)


@dispatchable
def ifft(input: Any, name: str | None = None) -> Any:
    """The inverse Fourier transform of each row: the sum of `fft` with i for -i, divided by n.

    input: complex64 or complex128 [*s, n]; the result has this shape and dtype.

    >>> tf.signal.ifft([4, 0, 0, 0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)

    Raises:
        ShapeMismatchError: the input is a scalar.
    """
    return _complex(IFFT, input, name)


@dispatchable
def fft2d(input: Any, name: str | None = None) -> Any:
    """The Fourier transform along the two innermost axes.

    input: complex64 or complex128 [*s, rows, columns]; the result has this shape and dtype.

    >>> tf.signal.fft2d([[1, 2], [3, 4]]).numpy()
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]], dtype=complex64)

    Raises:
        ShapeMismatchError: the rank is below 2.
    """
    return _complex(FFT2D, input, name)


@dispatchable
def ifft2d(input: Any, name: str | None = None) -> Any:
    """The inverse Fourier transform along the two innermost axes.

    input: complex64 or complex128 [*s, rows, columns]; the result has this shape and dtype.

    >>> tf.signal.ifft2d([[10, -2], [-4, 0]]).numpy()
    array([[1.+0.j, 2.+0.j],
           [3.+0.j, 4.+0.j]], dtype=complex64)

    Raises:
        ShapeMismatchError: the rank is below 2.
    """
    return _complex(IFFT2D, input, name)


@dispatchable
def fft3d(input: Any, name: str | None = None) -> Any:
    """The Fourier transform along the three innermost axes.

    input: complex64 or complex128 [*s, a, b, c]; the result has this shape and dtype.

    >>> tf.signal.fft3d(tf.ones([1, 2, 2], tf.complex64)).numpy()
    array([[[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]]], dtype=complex64)

    Raises:
        ShapeMismatchError: the rank is below 3.
    """
    return _complex(FFT3D, input, name)


@dispatchable
def ifft3d(input: Any, name: str | None = None) -> Any:
    """The inverse Fourier transform along the three innermost axes.

    input: complex64 or complex128 [*s, a, b, c]; the result has this shape and dtype.

    >>> tf.signal.ifft3d([[[4, 0], [0, 0]]]).numpy()
    array([[[1.+0.j, 1.+0.j],
            [1.+0.j, 1.+0.j]]], dtype=complex64)

    Raises:
        ShapeMismatchError: the rank is below 3.
    """
    return _complex(IFFT3D, input, name)


def _with_rows(op: type[RealTransform] | type[InverseRealTransform], x: Any) -> Any:
    """`x`, which must have as many axes as are transformed: else a KnownShapeError."""
    if x.shape.rank is not None and x.shape.rank < op.axes:
        raise KnownShapeError(f"{op.name} needs rank {op.axes} or more, not {x.shape}")
    return x


def _forward(op: type[RealTransform], x: Any, length: Any, name: str | None) -> Any:
    x = _with_rows(op, as_tensor(x, None, dtypes.float32))
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise ValueError(f"RFFT requires tf.float32 or tf.float64 inputs, got: {x.dtype!r}")
    sizes = _length(x, length, op.axes)
    if length is not None:
        x = padded(x, sizes, op.axes)
    wide = dtypes.complex64 if x.dtype is dtypes.float32 else dtypes.complex128
    return bind(op, x, sizes, Tcomplex=wide, name=name)


def _backward(op: type[InverseRealTransform], x: Any, length: Any, name: str | None) -> Any:
    x = _with_rows(op, as_tensor(x, None, dtypes.complex64))
    if not x.dtype.is_complex:
        raise ValueError(f"{op.name} requires complex inputs, got: {x.dtype.name}; use tf.cast")
    if length is None:
        sizes = shape_of(x)[-op.axes :]
        from ..array.concatenation import concat

        length = concat([sizes[:-1], [maximum(0, 2 * (sizes[-1] - 1))]], 0)
        return bind(op, x, length, Treal=x.dtype.real_dtype, name=name)
    sizes = _length(x, length, op.axes)
    halves = sizes // np.array([1] * (op.axes - 1) + [2], np.int32)
    x = padded(x, halves + np.array([0] * (op.axes - 1) + [1], np.int32), op.axes)
    return bind(op, x, sizes, Treal=x.dtype.real_dtype, name=name)


def _length(x: Any, length: Any, axes: int) -> Any:
    if length is None:
        return shape_of(x)[-axes:]
    length = as_tensor(length, dtypes.int32)
    if length.shape.rank == 0:
        raise TypeError(f"fft_length must be a vector of {axes} ints, not a scalar")
    return length


def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The n / 2 + 1 first numbers of the transform of each row of n real numbers.

    The others are their complex conjugates in the other order.

    input_tensor: float32 or float64 [*s, m]. fft_length: [n], m by default; rows are cropped or
    padded with zeros to it. The result is complex [*s, n / 2 + 1], as wide.

    >>> tf.signal.rfft([0.0, 1.0, 0.0, 0.0]).numpy()
    array([ 1.+0.j,  0.-1.j, -1.+0.j], dtype=complex64)

    Raises:
        ValueError: the input does not hold real numbers.
        TypeError: fft_length is no vector.
        ShapeMismatchError: the input is a scalar.
    """
    return _forward(RFFT, input_tensor, fft_length, name)


def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The n real numbers of each row of n / 2 + 1 numbers that `rfft` gave.

    input_tensor: complex64 or complex128 [*s, k]. fft_length: [n], 2 (k - 1) by default: an odd n
    has to be given. The result is real [*s, n].

    >>> tf.signal.irfft(tf.signal.rfft([1.0, 2.0, 6.0]), fft_length=[3]).numpy().round(3)
    array([1., 2., 6.], dtype=float32)

    Raises:
        ValueError: the input does not hold complex numbers.
        TypeError: fft_length is no vector.
        ShapeMismatchError: the input is a scalar.
    """
    return _backward(IRFFT, input_tensor, fft_length, name)


def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """`rfft` along the last axis, and a transform along the one before it.

    input_tensor: float32 or float64 [*s, a, b]. fft_length: [m, n], [a, b] by default; matrices are
    cropped or padded with zeros to it. The result is complex [*s, m, n / 2 + 1].

    >>> tf.signal.rfft2d([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]], dtype=complex64)

    Raises:
        ValueError: the input does not hold real numbers.
        ShapeMismatchError: the rank is below 2.
    """
    return _forward(RFFT2D, input_tensor, fft_length, name)


def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of `rfft2d`.

    input_tensor: complex64 or complex128 [*s, a, b]. fft_length: [m, n], [a, 2 (b - 1)] by default.
    The result is real [*s, m, n].

    >>> tf.signal.irfft2d([[10, -2], [-4, 0]]).numpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)

    Raises:
        ValueError: the input does not hold complex numbers.
        ShapeMismatchError: the rank is below 2.
    """
    return _backward(IRFFT2D, input_tensor, fft_length, name)


def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """`rfft` along the last axis, and transforms along the two before it.

    input_tensor: float32 or float64 [*s, a, b, c]. fft_length: [l, m, n], [a, b, c] by default;
    cropped or padded with zeros to it. The result is complex [*s, l, m, n / 2 + 1].

    >>> tf.signal.rfft3d(tf.ones([1, 2, 4])).numpy()
    array([[[8.+0.j, 0.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j]]], dtype=complex64)

    Raises:
        ValueError: the input does not hold real numbers.
        ShapeMismatchError: the rank is below 3.
    """
    return _forward(RFFT3D, input_tensor, fft_length, name)


def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Any:
    """The inverse of `rfft3d`.

    input_tensor: complex64 or complex128 [*s, a, b, c]. fft_length: [l, m, n], [a, b, 2 (c - 1)] by
    default. The result is real [*s, l, m, n].

    >>> tf.signal.irfft3d([[[8, 0, 0], [0, 0, 0]]]).numpy()
    array([[[1., 1., 1., 1.],
            [1., 1., 1., 1.]]], dtype=float32)

    Raises:
        ValueError: the input does not hold complex numbers.
        ShapeMismatchError: the rank is below 3.
    """
    return _backward(IRFFT3D, input_tensor, fft_length, name)
