"""Checks that a program makes of itself: assertions, and numbers that must be numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as numpy_module

from ...core import context, dtypes
from ...core.dtypes import as_dtype
from ...core.tree import Composite
from ...core.values import TensorLike
from ...errors import CheckError
from ..array.shapes import as_scalar
from ..bind import bind
from ..control.flow import no_op
from ..conversion import as_tensor, as_tensors, static_value
from ..dispatch.meanings import dispatchable
from ..families import Checking
from ..math.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from ..math.reduce import reduce_all
from ..op import Attr
from ..strings.tensor_text import array_text


class AssertOp(Checking, tf_name="Assert"):
    """Raises a CheckError with the text of `data` where `condition` is false."""

    summarize = Attr(3)

    def demands(self, sizes: Any) -> None:
        texts = sizes.text(self.data, self.summarize, plain_text)
        self.demand_condition(sizes, CheckError, "assertion failed: {}", texts)

    def eager(self, np: Any) -> tuple[()]:
        return ()

    def lower(self, loops: Any) -> tuple[()]:
        return ()


def plain_text(array: Any, summarize: int) -> str:
    """The elements of an array without its shape; of many, the first ones."""
    flat = array.reshape(-1)
    few = flat if summarize < 0 else flat[:summarize]
    text = array_text(few, -1, quoted=False)[1:-1]
    return text if len(few) == len(flat) else f"{text}..."


@dispatchable
def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> Any:
    """Check that `condition` (a bool scalar) is true when the program gets here.

    In a trace the check is returned, for control dependencies to hang on; else None.

    `data` is a list of tensors and Python values for the message, of each of which `summarize`
    elements are shown (3; -1: all).

    >>> tf.Assert(tf.reduce_all(tf.constant([2, 3]) > 1), ["too small"])
    >>> tf.Assert(False, ["too small:", [1, 0]])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): it is false.
        ValueError: eagerly: it has several elements.
    """
    condition = as_tensor(condition)
    known = static_value(condition)
    if known is not None and known.ndim == 0 and known.all():
        return holding(name)
    count = 3 if summarize is None else summarize
    tensors = [as_tensor(one) for one in data]
    if known is not None and not context.building_graph():
        if known.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous; "
                "use tf.reduce_all on the condition"
            )
        if known.size and known.all():
            return None
        shown = "\n".join(_summary(tensor, count) for tensor in tensors)
        raise CheckError(f"Expected 'False' to be true. Summarized data: {shown}")
    return bind(AssertOp, as_scalar(condition), tensors, summarize=count, name=name)


def holding(name: str | None) -> Any:
    """What a check returns that is known to hold."""
    return no_op(name) if context.building_graph() else None


def require_equal(one: Any, other: Any, message: str) -> None:
    """Check, when the program gets here, that sizes are equal which tracing does not know."""
    Assert(reduce_all(equal(one, other)), [message, one, other])


def _summary(tensor: Any, count: int) -> str:
    array = static_value(tensor)
    if array is None:
        return str(tensor)
    flat = array.reshape(-1)
    shown = flat if count < 0 else flat[:count]
    return ", ".join([str(one) for one in shown] + ["..."] * (len(shown) < len(flat)))


Compare = Callable[[Any, Any], Any]


def assert_pair(
    symbol: str, compare: Compare, x: Any, y: Any, message: str | None, summarize: Any, name: Any,
    data: Sequence[Any] | None = None,
) -> Any:  # fmt: skip
    """Check a relation between all pairs of elements; the operands broadcast.

    `data`, tensors and texts, is shown in the place of the operands.
    """
    x, y = as_tensors(x, y)
    relation = f"Condition x {symbol} y did not hold"
    holds = compare(x, y)
    known = static_value(holds)
    if known is not None:
        if not known.all():
            told = _pair_message(relation, known, x, y, message, summarize)
            raise CheckError(told if data is None else _told(message, data, summarize))
        return holding(name)
    words: list[Any] = [] if message is None else [message]
    shown = [f"{relation} element-wise:", f"x ({_name_of(x)}) = ", x, f"y ({_name_of(y)}) = ", y]
    return Assert(reduce_all(holds), [*words, *(shown if data is None else data)], summarize, name)


def _told(message: str | None, data: Sequence[Any], summarize: int | None) -> str:
    """What an assertion says of the data that it was given."""
    count = 3 if summarize is None else summarize
    shown = [one if isinstance(one, str) else _summary(as_tensor(one), count) for one in data]
    return "\n".join([*([] if message is None else [message]), *shown])


def _name_of(tensor: Any) -> str:
    known = static_value(tensor)
    return "constant" if known is not None else getattr(tensor, "name", "")


def _pair_message(
    relation: str, holds: Any, x: Any, y: Any, message: str | None, summarize: int | None
) -> str:
    """Which pairs broke a relation, and how both operands begin."""
    count = 3 if summarize is None or summarize < 0 else summarize
    lines = [] if message is None else [message]
    lines.append(f"{relation}.")
    left, right = static_value(x), static_value(y)
    if left is None or right is None:
        return "\n".join(lines)
    wide = numpy_module.broadcast_arrays(left, right)
    if holds.ndim:
        places = numpy_module.argwhere(~holds)[:count]
        lines += [f"Indices of first {len(places)} different values:", str(places)]
        for letter, array in zip("xy", wide, strict=True):
            picked = array[tuple(places.T)]
            lines += [f"Corresponding {letter} values:", str(picked)]
    for letter, array in (("x", left), ("y", right)):
        first = array.reshape(-1)[:count]
        lines += [f"First {len(first)} elements of {letter}:", str(first)]
    return "\n".join(lines)


@dispatchable(elements=2, asserts=True)
def assert_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Check that x == y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3).

    >>> tf.assert_equal([1, 2], [1, 2])
    >>> tf.assert_equal([1, 2], [1, 3], message="labels")
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: labels...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assert_pair("==", equal, x, y, message, summarize, name)


@dispatchable(elements=2, asserts=True)
def assert_none_equal(
    x: Any, y: Any, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Check that x != y for all elements; they have one dtype and broadcast.

    >>> tf.debugging.assert_none_equal([1, 2], [3, 4])
    >>> tf.debugging.assert_none_equal([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assert_pair("!=", not_equal, x, y, message, summarize, name)


@dispatchable(elements=2, asserts=True)
def assert_less(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Check that x < y for all elements; they have one dtype and broadcast.

    >>> tf.assert_less([1, 2], 3)
    >>> tf.assert_less([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assert_pair("<", less, x, y, message, summarize, name)


@dispatchable(elements=2, asserts=True)
def assert_less_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Check that x <= y for all elements; they have one dtype and broadcast.

    >>> tf.debugging.assert_less_equal([1, 2], 2)
    >>> tf.debugging.assert_less_equal([1, 2], 1)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assert_pair("<=", less_equal, x, y, message, summarize, name)


@dispatchable(elements=2, asserts=True)
def assert_greater(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Check that x > y for all elements; they have one dtype and broadcast.

    >>> tf.assert_greater([1, 2], 0)
    >>> tf.assert_greater([1, 2], 1)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assert_pair(">", greater, x, y, message, summarize, name)


@dispatchable(elements=2, asserts=True)
def assert_greater_equal(
    x: Any, y: Any, message: str | None = None, summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Check that x >= y for all elements; they have one dtype and broadcast.

    >>> tf.debugging.assert_greater_equal([1, 2], 1)
    >>> tf.debugging.assert_greater_equal([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assert_pair(">=", greater_equal, x, y, message, summarize, name)


@dispatchable(elements=2, asserts=True)
def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, message: str | None = None,
    summarize: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Check that |x - y| <= atol + rtol |y| for all elements, of floats or complex numbers of one
    dtype, which broadcast; both tolerances are 10 epsilons of this dtype by default.

    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.125], atol=0.25)
    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.125])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        ValueError: the operands are not floats.
        CheckError (an InvalidArgumentError): it does not hold.
    """
    return are_near(x, y, rtol, atol, message, summarize, name)


def are_near(
    x: Any, y: Any, rtol: Any, atol: Any, message: str | None, summarize: Any, name: Any,
    data: Sequence[Any] | None = None,
) -> Any:  # fmt: skip
    """`assert_near`, which shows `data` in the place of the operands where that is given."""
    from ..math.signs import abs

    x, y = as_tensors(x, y)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise ValueError(f"assert_near compares floats, not {x.dtype.name}")
    real = x.dtype.real_dtype
    epsilon = 10 * float(dtypes_epsilon(real))
    relative, absolute = (as_tensor(epsilon if t is None else t, real) for t in (rtol, atol))
    holds = less_equal(abs(x - y), absolute + relative * abs(y))
    words: list[Any] = [
        f"x and y not equal to tolerance rtol = {_shown(relative)}, atol = {_shown(absolute)}"
    ]
    words += [f"x ({_name_of(x)}) = ", x, f"y ({_name_of(y)}) = ", y]
    head = [] if message is None else [message]
    return Assert(reduce_all(holds), [*head, *(words if data is None else data)], summarize, name)


def _shown(tolerance: Any) -> Any:
    known = static_value(tolerance)
    return tolerance if known is None else known[()]


def dtypes_epsilon(dtype: dtypes.DType) -> Any:
    """The distance from 1 to the next number of a float dtype."""
    import ml_dtypes

    return ml_dtypes.finfo(dtype.storage).eps


def assert_sign(
    relation: str, compare: Compare, x: Any, message: str | None, summarize: Any, name: Any,
    data: Sequence[Any] | None = None,
) -> Any:  # fmt: skip
    """Check a relation between all elements and zero; `data` as of `assert_pair`."""
    x = as_tensor(x)
    holds = compare(x, as_tensor(0, x.dtype))
    text = f"Condition x {relation} 0 did not hold element-wise:"
    known = static_value(holds)
    if known is not None and not known.all() and static_value(x) is not None:
        head = "" if message is None else f"{message}.  "
        count = 3 if summarize is None else summarize
        if data is not None:
            raise CheckError(_told(message, data, summarize))
        raise CheckError(
            f"{head}\n{text}\nx (shape={x.shape} dtype={x.dtype.name}) = \n{_summary(x, count)}"
        )
    words: list[Any] = [] if message is None else [message]
    shown = [text, f"x ({_name_of(x)}) = ", x]
    return Assert(reduce_all(holds), [*words, *(shown if data is None else data)], summarize, name)


@dispatchable
def assert_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Check that all elements, numbers of any shape, are above 0.

    >>> tf.debugging.assert_positive([1, 2])
    >>> tf.debugging.assert_positive([1, 0])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): one is not; at once, where the values are known.
    """
    return assert_sign(">", greater, x, message, summarize, name)


@dispatchable
def assert_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Check that all elements, numbers of any shape, are below 0.

    >>> tf.debugging.assert_negative([-1, -2])
    >>> tf.debugging.assert_negative([-1, 0])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): one is not; at once, where the values are known.
    """
    return assert_sign("<", less, x, message, summarize, name)


@dispatchable
def assert_non_negative(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Check that no element, of numbers of any shape, is below 0.

    >>> tf.debugging.assert_non_negative([1, 0])
    >>> tf.debugging.assert_non_negative([1, -1])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): one is; at once, where the values are known.
    """
    return assert_sign(">=", greater_equal, x, message, summarize, name)


@dispatchable
def assert_non_positive(
    x: Any, message: str | None = None, summarize: int | None = None, name: str | None = None
) -> Any:
    """Check that no element, of numbers of any shape, is above 0.

    >>> tf.debugging.assert_non_positive([-1, 0])
    >>> tf.debugging.assert_non_positive([-1, 1])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: ...

    Raises:
        CheckError (an InvalidArgumentError): one is; at once, where the values are known.
    """
    return assert_sign("<=", less_equal, x, message, summarize, name)


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether something is a tensor of numbers. A Python number is none, nor is a variable, and
    bool is no number.

    >>> tf.debugging.is_numeric_tensor(tf.constant(1)), tf.debugging.is_numeric_tensor(1)
    (True, False)
    """
    is_variable = hasattr(tensor, "handle")
    return isinstance(tensor, TensorLike) and not is_variable and tensor.dtype.is_numeric


@dispatchable
def assert_type(
    tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """Check the dtype of a tensor.

    >>> tf.debugging.assert_type([1, 2], tf.int32)
    >>> tf.debugging.assert_type([1, 2], tf.int64)
    Traceback (most recent call last):
    TypeError: tensor must be of type tf.int64; got tf.int32

    Raises:
        TypeError: it is another one.
        ValueError: what is given is no tensor, but a structure of tensors without a dtype.
    """
    wanted = as_dtype(tf_type)
    has_dtype = isinstance(tensor, Composite) and hasattr(tensor, "dtype")
    tensor = tensor if has_dtype else as_tensor(tensor)
    if tensor.dtype is not wanted:  # pyrefly: ignore[missing-attribute] (composites have one)
        head = "" if message is None else f"{message}  "
        raise TypeError(f"{head}tensor must be of type {wanted!r}; got {tensor.dtype!r}")


@dispatchable
def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> None:
    """Check that a tensor has an integer dtype.

    >>> tf.debugging.assert_integer([1, 2])
    >>> tf.debugging.assert_integer([1.0, 2.0])
    Traceback (most recent call last):
    TypeError: Expected "x" to be integer type.  Found: tensor of dtype <dtype: 'float32'>

    Raises:
        TypeError: it has another one.
    """
    x = as_tensor(x)
    if not x.dtype.is_integer:
        head = "" if message is None else message
        raise TypeError(f'{head}Expected "x" to be integer type.  Found: tensor of dtype {x.dtype}')


@dispatchable
def assert_proper_iterable(values: Any) -> None:
    """Check that something is a list or the like, and not one tensor, array or string.

    >>> tf.debugging.assert_proper_iterable(["a", "b"])
    >>> tf.debugging.assert_proper_iterable("ab")
    Traceback (most recent call last):
    TypeError: Expected argument "values" to be a 'proper' iterable.  Found: <class 'str'>

    Raises:
        TypeError: it is not.
    """
    kinds = (TensorLike, numpy_module.ndarray, bytes, str)
    if isinstance(values, kinds):
        raise TypeError(
            f"Expected argument \"values\" to be a 'proper' iterable.  Found: {type(values)}"
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


@dispatchable
def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> Any:
    """The one float dtype that all tensors have (and that `dtype` is, where given).

    None among the tensors does not count; where there is nothing it is float32.

    >>> tf.debugging.assert_same_float_dtype([tf.ones([2], tf.float64), None])
    tf.float64

    Raises:
        ValueError: they differ, or it is no float dtype.
    """
    found = None if dtype is None else as_dtype(dtype)
    for tensor in tensors or ():
        if tensor is None:
            continue
        if found is not None and tensor.dtype is not found:
            raise ValueError(f"{tensor}, type={tensor.dtype}, must be of the same type ({found}).")
        found = tensor.dtype
    found = dtypes.float32 if found is None else found
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found}.")
    return found
