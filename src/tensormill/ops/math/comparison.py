"""Comparisons, tests of one number, and the logic of bools; results are bool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import DType
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..bind import api, bind
from ..dispatch.meanings import dispatchable
from ..families import Comparison, Elementwise
from ..op import ANY, FLOATS, NUMBERS, REALS, Attr, In, Op, Out, as_float32
from ..scalar import NUMPY

if TYPE_CHECKING:
    from ..results import Tensor


class Equality(Comparison, abstract=True):
    """Equal or not; also of bools and strings.

    Where shapes do not broadcast and `incompatible_shape_error` is false, the result is one bool.
    """

    incompatible_shape_error = Attr(True)
    T = ANY
    of_strangers = False

    def infer(self) -> TensorSpec:
        try:
            return super().infer()
        except ShapeMismatchError:
            if self.incompatible_shape_error:
                raise
            return TensorSpec((), dtypes.bool_)

    def eager(self, np: Any) -> Any:
        try:
            same = type(self).scalar(NUMPY, self.x, self.y)
        except ValueError:
            if self.incompatible_shape_error:
                raise
            return np.asarray(self.of_strangers)
        return np.asarray(same, np.bool_)

    def xla(self, xla: Any) -> Any:
        if not self.incompatible_shape_error and are_strangers(self.x.shape, self.y.shape):
            return xla.np.asarray(self.of_strangers)
        return super().xla(xla)

    def on_spans(self) -> Any:
        from ..strings.spans.looking import SpansEqual  # which no numbers need
        from ..strings.spans.spans import Spans

        if not (isinstance(self.x, Spans) and isinstance(self.y, Spans)):
            return NotImplemented
        if are_strangers(*[one.shape.as_tuple() for one in (self.x, self.y)]):
            return NotImplemented
        same = bind(SpansEqual, *self.x.parts, *self.y.parts)
        return logical_not(same) if self.of_strangers else same

    def lower(self, loops: Any) -> Any:
        if not self.incompatible_shape_error and are_strangers(self.x.shape, self.y.shape):
            return loops.scalar(loops.constant(self.of_strangers, dtypes.bool_))
        return super().lower(loops)


def are_strangers(x: Sequence[Any], y: Sequence[Any]) -> bool:
    """Whether sizes that are known cannot broadcast; what is known when it runs is checked then."""
    pairs = zip(reversed(x), reversed(y), strict=False)
    return any(isinstance(a, int) and isinstance(b, int) and 1 != a != b != 1 for a, b in pairs)


class Equal(Equality):
    """x == y."""

    def scalar(s: Any, x, y):
        return x == y


class NotEqual(Equality):
    """x != y."""

    of_strangers = True

    def scalar(s: Any, x, y):
        return x != y


@dispatchable(elements=2)
def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x == y, element by element; operands broadcast.

    x, y: any one dtype, strings and bools too. The result is bool. NaN equals nothing.

    >>> tf.equal([1, 2, 3], [3, 2, 1]).numpy()
    array([False,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """
    return bind(Equal, x, y, name=name)


@dispatchable(elements=2)
def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """x != y, element by element; operands broadcast.

    x, y: any one dtype, strings and bools too. The result is bool. NaN differs from everything.

    >>> tf.not_equal([1, 2, 3], 2).numpy()
    array([ True, False,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """
    return bind(NotEqual, x, y, name=name)


class Less(Comparison):
    """Whether x < y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less([1, 2, 3], 2).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = REALS

    def scalar(s: Any, x, y):
        return x < y


less = api(Less)


class LessEqual(Comparison):
    """Whether x <= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less_equal([1, 2, 3], 2).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = REALS

    def scalar(s: Any, x, y):
        return x <= y


less_equal = api(LessEqual)


class Greater(Comparison):
    """Whether x > y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater([1, 2, 3], 2).numpy()
    array([False, False,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = REALS

    def scalar(s: Any, x, y):
        return x > y


greater = api(Greater)


class GreaterEqual(Comparison):
    """Whether x >= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater_equal([1, 2, 3], 2).numpy()
    array([False,  True,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken.
    """

    T = REALS

    def scalar(s: Any, x, y):
        return x >= y


greater_equal = api(GreaterEqual)


class ApproximateEqual(Op):
    """Whether |x - y| < tolerance; the shapes must be equal."""

    x = In("T *s")
    y = In("T *s")
    z = Out("bool *s")
    tolerance = Attr(as_float32(1e-5))
    T = NUMBERS
    differentiable = False

    def expand(self) -> Any:
        from .signs import abs

        return less(abs(self.x - self.y), self.tolerance)


class Test(Elementwise, abstract=True):
    """A question about one float."""

    x = In("T *s")
    y = Out("bool *s")
    T = FLOATS
    differentiable = False

    def result_dtype(self) -> DType:
        return dtypes.bool_


class IsNan(Test):
    """Whether x is not a number, for every element of a float tensor.

    >>> tf.math.is_nan([1.0, np.nan, np.inf]).numpy()
    array([False,  True, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.is_nan(x)


is_nan = api(IsNan)


class IsInf(Test):
    """Whether x is infinite, of either sign, for every element of a float tensor.

    >>> tf.math.is_inf([1.0, np.nan, -np.inf]).numpy()
    array([False, False,  True])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.is_inf(x)


is_inf = api(IsInf)


class IsFinite(Test):
    """Whether x is neither infinite nor NaN, for every element of a float tensor.

    >>> tf.math.is_finite([1.0, np.nan, np.inf]).numpy()
    array([ True, False, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype.
    """

    def scalar(s: Any, x):
        return s.is_finite(x)


is_finite = api(IsFinite)


class Logical(Elementwise, abstract=True):
    """Two bools, which broadcast."""

    x = In("bool ...")
    y = In("bool ...")
    z = Out("bool ...")
    differentiable = False


class LogicalAnd(Logical):
    """Whether both are true, for every element; bools, shapes broadcast.

    >>> tf.logical_and([True, True, False], [True, False, False]).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool.
    """

    def scalar(s: Any, x, y):
        return s.logical_and(x, y)


logical_and = api(LogicalAnd)


class LogicalOr(Logical):
    """Whether at least one is true, for every element; bools, shapes broadcast.

    >>> tf.logical_or([True, True, False], [True, False, False]).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool.
    """

    def scalar(s: Any, x, y):
        return s.logical_or(x, y)


logical_or = api(LogicalOr)


class LogicalNot(Elementwise):
    """Whether x is false, for every element of a bool tensor.

    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])

    Raises:
        DTypeMismatchError: x is not bool.
    """

    x = In("bool *s")
    y = Out("bool *s")
    differentiable = False

    def scalar(s: Any, x):
        return s.logical_not(x)


logical_not = api(LogicalNot)


@dispatchable(elements=2)
def logical_xor(x: Any, y: Any, name: str | None = "LogicalXor") -> Any:
    """Whether exactly one is true, for every element; bools, shapes broadcast.

    >>> tf.math.logical_xor([True, True, False], [True, False, False]).numpy()
    array([False,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool.
    """
    return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=name)


def tensor_equals(x: Any, y: Any) -> Any:
    """What `x == y` means for tensors: False for None, and for shapes that do not broadcast."""
    if y is None:
        return False
    return bind(Equal, x, y, incompatible_shape_error=False)


def tensor_not_equals(x: Any, y: Any) -> Any:
    """What `x != y` means for tensors: True for None, and for shapes that do not broadcast."""
    if y is None:
        return True
    return bind(NotEqual, x, y, incompatible_shape_error=False)
