"""Powers, whose gradient has logarithms."""

from __future__ import annotations

from typing import Any

from ...errors import InvalidArgumentError
from ..array.broadcasting import unbroadcast
from ..array.fill import ones_like, zeros_like
from ..array.select import where
from ..bind import api
from ..families import Binary
from ..op import COMPLEX, FLOATS
from .arithmetic import SIGNED, conjugated
from .comparison import greater, not_equal
from .elementwise import log


class Pow(Binary):
    """x to the power y. Floats, complex numbers or signed integers of one dtype, shapes broadcast.

    >>> tf.pow([2, 3], [[2], [3]]).numpy()
    array([[ 4,  9],
           [ 8, 27]], dtype=int32)

    Raises:
        InvalidArgumentError: an integer to a negative power.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = SIGNED | COMPLEX
    by_rule = FLOATS | COMPLEX

    def demands(self, sizes: Any) -> None:
        if sizes.is_integer(self.y):
            message = "Integers to negative integer powers are not allowed"
            sizes.each(self.y, lambda one: one >= 0, InvalidArgumentError, message, among=(self.x,))

    def scalar(s: Any, x, y):
        return s.pow(x, y)

    def vjp(self, dz: Any) -> Any:
        x, y, z = conjugated(self.x), conjugated(self.y), conjugated(self.z)

        def dx() -> Any:
            return unbroadcast(dz * y * power(x, y - 1), self.x, self.y)

        def dy() -> Any:
            is_safe = not_equal(self.x, 0) if self.x.dtype.is_complex else greater(self.x, 0)
            logarithm = where(is_safe, log(where(is_safe, x, ones_like(x))), zeros_like(x))
            return unbroadcast(dz * z * logarithm, self.y, self.x)

        return dx, dy


power = api(Pow, "pow")
pow = power
