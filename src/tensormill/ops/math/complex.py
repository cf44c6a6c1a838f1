"""Complex numbers and their parts. Gradients follow TensorFlow's convention: conjugated."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ...core.native_operations import MANY
from ...core.values import TensorLike
from ...errors import NotFoundError
from ..array.broadcasting import unbroadcast
from ..bind import bind
from ..conversion import as_tensor, as_tensors
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..families import Elementwise
from ..op import COMPLEX, Attr, In, Out, types, usually

NO_KERNEL = "{}: of {} the result is {}, not {}: say so by Tout"
PARTS = types("f32 f64")
_WHOLE = {dtypes.float32: dtypes.complex64, dtypes.float64: dtypes.complex128}
_OF = {"complex64": "float32", "complex128": "float64"}
_OF |= {part: whole for whole, part in _OF.items()}


def _demand_result(operation: Any, operand: Any) -> None:
    """That the dtype which is asked for is the one that goes with the operand's."""
    given, wanted = operand.dtype.name, operation.Tout.name
    if _OF[given] != wanted:
        refuse(NotFoundError, NO_KERNEL, operation.name, given, _OF[given], wanted)


class ComplexPart(Elementwise, abstract=True):
    """A real number that depends on one complex number."""

    input = In("T *s")
    output = Out("Tout *s")
    Tout = Attr(dtypes.float32, types("f32 f64"))
    T = COMPLEX
    usual = usually(T="c64")

    def demands(self, sizes: Any) -> None:
        _demand_result(self, self.input)

    def result_dtype(self) -> DType:
        return self.Tout


class Real(ComplexPart):
    """The real part."""

    def scalar(s: Any, x):
        return s.real(x)

    def vjp(self, doutput: Any) -> Any:
        return complex(doutput, _zeros(doutput))


class Imag(ComplexPart):
    """The imaginary part."""

    def scalar(s: Any, x):
        return s.imag(x)

    def vjp(self, doutput: Any) -> Any:
        return complex(_zeros(doutput), doutput)


class Angle(ComplexPart):
    """The angle with the positive real axis, in (-pi, pi]."""

    def scalar(s: Any, x):
        return s.angle(x)

    def vjp(self, doutput: Any) -> Any:
        from .division import divide_no_nan

        x = self.input
        turned = complex(-imag(x), real(x))
        square = real(x) * real(x) + imag(x) * imag(x)
        return complex(doutput, _zeros(doutput)) * divide_no_nan(
            turned, complex(square, _zeros(square))
        )


class ComplexAbs(Elementwise):
    """The absolute value of a complex number."""

    x = In("T *s")
    y = Out("Tout *s")
    Tout = Attr(dtypes.float32, types("f32 f64"))
    T = COMPLEX
    usual = usually(T="c64")

    def demands(self, sizes: Any) -> None:
        _demand_result(self, self.x)

    def result_dtype(self) -> DType:
        return self.Tout

    def scalar(s: Any, x):
        return s.abs(x)

    def vjp(self, dy: Any) -> Any:
        from .signs import sign

        return complex(dy, _zeros(dy)) * sign(self.x)


class Conj(Elementwise):
    """The complex conjugate."""

    input = In("T *s")
    output = Out("T *s")
    T = COMPLEX
    usual = usually(T="c64")

    def scalar(s: Any, x):
        return s.conj(x)

    def vjp(self, doutput: Any) -> Any:
        return conj(doutput)


class Complex(Elementwise):
    """A complex number from its parts."""

    native_from = MANY

    real = In("T ...")
    imag = In("T ...")
    out = Out("Tout ...")
    Tout = Attr(dtypes.complex64, COMPLEX)
    T = PARTS
    usual = usually(T="f32")

    def demands(self, sizes: Any) -> None:
        _demand_result(self, self.real)

    def result_dtype(self) -> DType:
        return self.Tout

    def scalar(s: Any, real, imag):
        return s.complex(real, imag)

    def vjp(self, dout: Any) -> Any:
        return (
            lambda: unbroadcast(real(dout), self.real, self.imag),
            lambda: unbroadcast(imag(dout), self.imag, self.real),
        )


def _zeros(x: Any) -> Any:
    from ..array.fill import zeros_like

    return zeros_like(x)


@dispatchable(elements=1)
def real(input: Any, name: str | None = None) -> Any:
    """The real part; a real tensor is returned as it is.

    input: numbers of any shape. Of complex64 the result is float32, of complex128 float64.

    >>> tf.math.real(tf.constant([1 + 2j, 4 - 3j])).numpy()
    array([1., 4.])

    Raises:
        TypeError: the input is not numeric.
    """
    input = as_tensor(input)
    if input.dtype.is_complex:
        return bind(Real, input, Tout=input.dtype.real_dtype, name=name)
    _demand_number(input)
    return input


@dispatchable(elements=1)
def imag(input: Any, name: str | None = None) -> Any:
    """The imaginary part; zeros for a real tensor.

    input: numbers of any shape. Of complex64 the result is float32, of complex128 float64.

    >>> tf.math.imag(tf.constant([1 + 2j, 4 - 3j])).numpy()
    array([ 2., -3.])

    Raises:
        ValueError: the operand is nothing that a tensor can hold.
    """
    input = as_tensor(input)
    if input.dtype.is_complex:
        return bind(Imag, input, Tout=input.dtype.real_dtype, name=name)
    return _zeros(input)


@dispatchable(elements=1)
def angle(input: Any, name: str | None = None) -> Any:
    """The angle of complex numbers; 0 or pi for real ones, by their sign.

    input: floats or complex numbers of any shape. The result is real, in radians, in (-pi, pi].

    >>> (tf.math.angle([1j, -1.0, 1 - 1j]) / np.pi).numpy().round(3)
    array([ 0.5 ,  1.  , -0.25])

    Raises:
        DTypeMismatchError: an integer tensor.
    """
    input = as_tensor(input)
    if input.dtype.is_complex:
        return bind(Angle, input, Tout=input.dtype.real_dtype, name=name)
    from ..array.select import where
    from .comparison import less

    pi = as_tensor(3.141592653589793, input.dtype)
    return where(less(input, 0), pi, _zeros(input))


@dispatchable(elements=1)
def conj(x: Any, name: str | None = None) -> Any:
    """The complex conjugate; a real tensor is returned as it is.

    x: numbers of any shape; the result has its dtype.

    >>> tf.math.conj([1 + 2j, 3 - 4j]).numpy()
    array([1.-2.j, 3.+4.j])

    Raises:
        TypeError: `x` is not numeric.
    """
    if not isinstance(x, TensorLike):
        x = as_tensor(x)
    if x.dtype.is_complex:
        return bind(Conj, x, name=name)
    _demand_number(x)
    return x


@dispatchable(elements=2)
def complex(real: Any, imag: Any, name: str | None = None) -> Any:
    """Complex numbers from their parts, which broadcast.

    real, imag: both float32, for complex64, or both float64, for complex128.

    >>> tf.complex([1.0, 2.0], 3.0).numpy()
    array([1.+3.j, 2.+3.j], dtype=complex64)

    Raises:
        TypeError: the parts are not both float32 or both float64.
        ShapeMismatchError: the shapes do not broadcast.
    """
    real, imag = as_tensors(real, imag)
    whole = _WHOLE.get(real.dtype)
    if whole is None or real.dtype is not imag.dtype:
        raise TypeError(
            f"The `real` and `imag` components have incorrect types: {real.dtype.name} "
            f"{imag.dtype.name}. They must be consistent, and one of {list(_WHOLE)}"
        )
    return bind(Complex, real, imag, Tout=whole, name=name)


def _demand_number(x: Any) -> None:
    if not x.dtype.is_numeric:
        raise TypeError(f"Expected numeric or variant tensor, got dtype {x.dtype!r}")
