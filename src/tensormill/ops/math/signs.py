"""Absolute values and signs: what a number is without the one, and without the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core.native_operations import MANY
from ..bind import api, bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..families import Unary
from ..op import COMPLEX
from .arithmetic import SIGNED
from .division import divide_no_nan

if TYPE_CHECKING:
    from ..results import Tensor


class Abs(Unary):
    """The absolute value of a real number."""

    T = SIGNED

    def scalar(s: Any, x):
        return s.abs(x)

    def vjp(self, dy: Any) -> Any:
        return dy * sign(self.x)


@dispatchable(elements=1)
def abs(x: Any, name: str | None = None) -> Tensor:
    """The absolute value; of complex numbers, a real tensor of absolute values.

    x: floats, complex numbers or signed integers of any shape, which the result has. The smallest
    integer of a dtype has no positive twin and stays.

    >>> tf.abs([-3, 0, 4]).numpy()
    array([3, 0, 4], dtype=int32)
    >>> tf.abs([3 + 4j, -1]).numpy()
    array([5., 1.])

    Raises:
        DTypeMismatchError: x is of another dtype.
    """
    x = as_tensor(x)
    if x.dtype.is_complex:
        from .complex import ComplexAbs

        return bind(ComplexAbs, x, Tout=x.dtype.real_dtype, name=name)
    return bind(Abs, x, name=name)


class Sign(Unary):
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN. Floats, complex numbers or signed
    integers of any shape; the result has their dtype.

    >>> tf.sign([-3.0, 0.0, 5.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype.
    """

    native_from = MANY

    T = SIGNED | COMPLEX

    def scalar(s: Any, x):
        return s.sign(x)

    def vjp(self, dy: Any) -> Any:
        from ..array.fill import zeros_like

        return _gradient_of_phase(self, dy) if dy.dtype.is_complex else zeros_like(dy)


def _gradient_of_phase(sign: Any, dy: Any) -> Any:
    """x / |x| turns along the circle by the part of dx across x, divided by |x|."""
    from ..array.fill import zeros_like
    from .complex import complex, conj, imag

    turn = divide_no_nan(imag(conj(sign.y) * dy), abs(sign.x))
    return complex(zeros_like(turn), turn) * sign.y


sign = api(Sign)
