"""Checks that no element is infinite or NaN."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import FLOATS, Attr, In, Op, Out, as_eager


class ChecksNumbers(Op, abstract=True):
    """The input, after a check that no element is infinite or NaN.

    Raises:
        InvalidArgumentError: one is; `message` begins the text.
    """

    tensor = In("T *s")
    output = Out("T *s")
    message = Attr(str)
    T = FLOATS
    effects = (World.CHECKS,)
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        if sizes.numpy_looks and sizes.every(self.tensor, sizes.scalars.is_finite):
            return
        for holds, words in self.said_of(sizes, sizes.scalars):
            sizes.require(holds, InvalidArgumentError, NO_NUMBERS, self.message, words)

    def said_of(self, sizes: Any, s: Any) -> Iterable[tuple[Any, str]]:
        """What must hold, and what elements are where it does not; what says most comes first."""
        raise NotImplementedError

    def eager(self, np: Any) -> Any:
        return self.tensor

    def lower(self, loops: Any) -> Any:
        return self.tensor

    def infer(self) -> TensorSpec:
        return TensorSpec(self.tensor.shape, self.tensor.dtype)

    def vjp(self, doutput: Any) -> Any:
        message = "Not a number (NaN) or infinity (Inf) values detected in gradient."
        return bind(type(self), doutput, message=f"{message} {self.message}")


class CheckNumerics(ChecksNumbers):
    """Says whether elements are infinite or NaN."""

    def said_of(self, sizes: Any, s: Any) -> Iterable[tuple[Any, str]]:
        numbers = sizes.every(self.tensor, lambda x: s.logical_not(s.is_nan(x)))
        finite = sizes.every(self.tensor, lambda x: s.logical_not(s.is_inf(x)))
        return (numbers | finite, "Inf and NaN"), (numbers, "NaN"), (finite, "Inf")


class CheckNumericsV2(ChecksNumbers):
    """Says which infinities there are as well."""

    def said_of(self, sizes: Any, s: Any) -> Iterable[tuple[Any, str]]:
        numbers = sizes.every(self.tensor, lambda x: s.logical_not(s.is_nan(x)))
        low = sizes.every(self.tensor, lambda x: x != s.constant(-INFINITY, x))
        high = sizes.every(self.tensor, lambda x: x != s.constant(INFINITY, x))
        return (
            (low | high | numbers, "-Inf, +Inf, and NaN"), (low | high, "-Inf and +Inf"),
            (low | numbers, "-Inf and NaN"), (high | numbers, "+Inf and NaN"), (low, "-Inf"),
            (high, "+Inf"), (numbers, "NaN"),
        )  # fmt: skip


INFINITY: Final = math.inf
NO_NUMBERS = "{} : Tensor had {} values"


@dispatchable(elements=1)
def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """`tensor` (floats of any shape), checked to hold no infinite and no NaN elements.

    The gradient that passes through it is checked, too.

    >>> tf.debugging.check_numerics([1.0, 2.0], "loss").numpy()
    array([1., 2.], dtype=float32)
    >>> tf.debugging.check_numerics([1.0, float("inf")], "loss")
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: loss : Tensor had Inf values

    Raises:
        InvalidArgumentError: it does; the text begins with `message`.
    """
    return bind(CheckNumerics, tensor, message=message, name=name)


@dispatchable
def assert_all_finite(x: Any, message: str, name: str | None = None) -> Any:
    """`x` (floats of any shape), checked to hold no infinite and no NaN elements.

    >>> tf.debugging.assert_all_finite([1.0, float("nan")], "weights")
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: weights : Tensor had NaN values

    Raises:
        InvalidArgumentError: it does; the text begins with `message`.
    """
    return check_numerics(x, message, name)
