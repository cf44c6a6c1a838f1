"""Assertions as TensorFlow 1 calls them: `data` comes before the message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...control.grouping import group
from ...core import context
from ...graph.by_hand.default_graph import get_default_graph
from ...ops.checks import assertions, finite_numbers, shape_assertions
from ...ops.checks.shape_assertions import Shown
from ...ops.dispatch.meanings import dispatchable
from ...ops.math import comparison
from ...testing import comparisons
from .arguments import either, required


@dispatchable(elements=2, asserts=True)
def assert_equal(
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x == y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3) of `data`, or else
    of the operands.

    >>> tf.compat.v1.assert_equal([1, 2], [1, 2])
    >>> tf.compat.v1.assert_equal([1, 2], [1, 3], ["too", "bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: too...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assertions.assert_pair("==", comparison.equal, x, y, message, summarize, name, data)


@dispatchable(elements=2, asserts=True)
def assert_none_equal(
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x != y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3) of `data`, or else
    of the operands.

    >>> tf.compat.v1.assert_none_equal([1, 2], [3, 4])
    >>> tf.compat.v1.assert_none_equal([1, 2], 2, ["too", "bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: too...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assertions.assert_pair("!=", comparison.not_equal, x, y, message, summarize, name, data)


@dispatchable(elements=2, asserts=True)
def assert_less(
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x < y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3) of `data`, or else
    of the operands.

    >>> tf.compat.v1.assert_less([1, 2], 3)
    >>> tf.compat.v1.assert_less([1, 2], 2, ["too", "bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: too...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assertions.assert_pair("<", comparison.less, x, y, message, summarize, name, data)


@dispatchable(elements=2, asserts=True)
def assert_less_equal(
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x <= y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3) of `data`, or else
    of the operands.

    >>> tf.compat.v1.assert_less_equal([1, 2], 2)
    >>> tf.compat.v1.assert_less_equal([1, 2], 1, ["too", "bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: too...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assertions.assert_pair("<=", comparison.less_equal, x, y, message, summarize, name, data)


@dispatchable(elements=2, asserts=True)
def assert_greater(
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x > y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3) of `data`, or else
    of the operands.

    >>> tf.compat.v1.assert_greater([1, 2], 0)
    >>> tf.compat.v1.assert_greater([1, 2], 1, ["too", "bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: too...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assertions.assert_pair(">", comparison.greater, x, y, message, summarize, name, data)


@dispatchable(elements=2, asserts=True)
def assert_greater_equal(
    x: Any,
    y: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x >= y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3) of `data`, or else
    of the operands.

    >>> tf.compat.v1.assert_greater_equal([1, 2], 1)
    >>> tf.compat.v1.assert_greater_equal([1, 2], 2, ["too", "bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: too...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known.
    """
    return assertions.assert_pair(
        ">=", comparison.greater_equal, x, y, message, summarize, name, data
    )


@dispatchable
def assert_positive(
    x: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x > 0 for all elements, numbers of any shape.

    >>> tf.compat.v1.assert_positive([1, 2])
    >>> tf.compat.v1.assert_positive([1, 0], ["bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: bad

    Raises:
        CheckError (an InvalidArgumentError): one is not; at once, where the values are known.
    """
    return assertions.assert_sign(">", comparison.greater, x, message, summarize, name, data)


@dispatchable
def assert_negative(
    x: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x < 0 for all elements, numbers of any shape.

    >>> tf.compat.v1.assert_negative([-1, -2])
    >>> tf.compat.v1.assert_negative([-1, 0], ["bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: bad

    Raises:
        CheckError (an InvalidArgumentError): one is not; at once, where the values are known.
    """
    return assertions.assert_sign("<", comparison.less, x, message, summarize, name, data)


@dispatchable
def assert_non_negative(
    x: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x >= 0 for all elements, numbers of any shape.

    >>> tf.compat.v1.assert_non_negative([1, 0])
    >>> tf.compat.v1.assert_non_negative([1, -1], ["bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: bad

    Raises:
        CheckError (an InvalidArgumentError): one is not; at once, where the values are known.
    """
    return assertions.assert_sign(">=", comparison.greater_equal, x, message, summarize, name, data)


@dispatchable
def assert_non_positive(
    x: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that x <= 0 for all elements, numbers of any shape.

    >>> tf.compat.v1.assert_non_positive([-1, 0])
    >>> tf.compat.v1.assert_non_positive([-1, 1], ["bad"])
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: bad

    Raises:
        CheckError (an InvalidArgumentError): one is not; at once, where the values are known.
    """
    return assertions.assert_sign("<=", comparison.less_equal, x, message, summarize, name, data)


@dispatchable(elements=2, asserts=True)
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that |x - y| <= atol + rtol |y| for all elements (`tf.debugging.assert_near`).

    >>> tf.compat.v1.assert_near([1.0, 2.0], [1.0, 2.125], atol=0.25)

    Raises:
        TypeError: the operands are not floats.
        CheckError (an InvalidArgumentError): it does not hold.
    """
    return assertions.are_near(x, y, rtol, atol, message, summarize, name, data)


@dispatchable
def assert_rank(
    x: Any,
    rank: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that `x` has `rank` axes (`tf.debugging.assert_rank`).

    `data` is shown where the rank turns out to be wrong when the program runs.

    >>> tf.compat.v1.assert_rank([[1, 2]], 2)

    Raises:
        ValueError: it has not.
        InvalidArgumentError: the same, found at run time.
        TypeError: a rank is no integer.
    """
    shown = None if data is None else Shown(data, summarize)
    return shape_assertions.rank_is(x, rank, message, name, shown)


@dispatchable
def assert_rank_at_least(
    x: Any,
    rank: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that `x` has `rank` axes or more (`tf.debugging.assert_rank_at_least`).

    `data` is shown where the rank turns out to be wrong when the program runs.

    >>> tf.compat.v1.assert_rank_at_least([[1, 2]], 1)

    Raises:
        ValueError: it has not.
        InvalidArgumentError: the same, found at run time.
        TypeError: a rank is no integer.
    """
    shown = None if data is None else Shown(data, summarize)
    return shape_assertions.rank_is_at_least(x, rank, message, name, shown)


@dispatchable
def assert_rank_in(
    x: Any,
    ranks: Any,
    data: Sequence[Any] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Any:
    """Check that `x` has one of several ranks (`tf.debugging.assert_rank_in`).

    `data` is shown where the rank turns out to be wrong when the program runs.

    >>> tf.compat.v1.assert_rank_in([1, 2], [1, 2])

    Raises:
        ValueError: it has not.
        InvalidArgumentError: the same, found at run time.
        TypeError: a rank is no integer.
    """
    shown = None if data is None else Shown(data, summarize)
    return shape_assertions.rank_is_in(x, ranks, message, name, shown)


def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> None:
    """Check that a tensor is a scalar.

    >>> tf.compat.v1.assert_scalar(3)
    >>> tf.compat.v1.assert_scalar([3], "rate")
    Traceback (most recent call last):
    ValueError: Expected scalar shape, saw shape: (1,).

    Raises:
        ValueError: it is not, or its shape is not known.
    """
    return shape_assertions.assert_scalar(tensor, message, name)


def verify_tensor_all_finite(
    t: Any = None,
    msg: str | None = None,
    name: str | None = None,
    x: Any = None,
    message: str | None = None,
) -> Any:
    """`t` (floats of any shape), checked to hold no infinite and no NaN elements.

    >>> tf.compat.v1.verify_tensor_all_finite([1.0, float("nan")], "weights")
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: weights : Tensor had NaN values

    Raises:
        InvalidArgumentError: it does; the text begins with `msg`.
        ValueError: an argument is given under both of its names.
        TypeError: there is no message.
    """
    given = required("x", either("x", x, "t", t))
    text = either("message", message, "msg", msg)
    if text is None:
        raise TypeError("verify_tensor_all_finite needs a `msg`: what the error begins with")
    return finite_numbers.assert_all_finite(given, text, name)


def add_check_numerics_ops() -> Any:
    """An operation that checks all floats which the graph computes so far for NaN and infinity.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     y = tf.math.log(tf.constant(-1.0))
    ...     check = tf.compat.v1.add_check_numerics_ops()
    ...     try:
    ...         session.run(check)
    ...     except tf.errors.InvalidArgumentError as error:
    ...         print("Log:0 : Tensor had NaN" in str(error))
    True

    Raises:
        RuntimeError: there is no graph; `tf.debugging.enable_check_numerics` is for eager code.
    """
    if not context.building_graph():
        raise RuntimeError(
            "add_check_numerics_ops() is not compatible with eager execution. To check for Inf's "
            "and NaN's under eager execution, call tf.debugging.enable_check_numerics() once "
            "before executing the checked operations."
        )
    graph = get_default_graph()
    floats = [
        one
        for operation in graph.get_operations()
        for one in operation.outputs
        if one.dtype.is_floating
    ]
    return group(*[finite_numbers.check_numerics(one, message=one.name) for one in floats])


def assert_equal_graph_def(
    actual: Any,
    expected: Any,
    checkpoint_v2: bool = False,
    hash_table_shared_name: bool = False,
) -> None:
    """Check that two GraphDefs say the same (`tf.test.assert_equal_graph_def`).

    >>> graph = tf.Graph().as_graph_def()
    >>> tf.compat.v1.test.assert_equal_graph_def(graph, graph)

    Raises:
        TypeError: one is no GraphDef.
        AssertionError: they differ.
        NotImplementedError: names of checkpoints or tables are to be left out.
    """
    if checkpoint_v2 or hash_table_shared_name:
        raise NotImplementedError(
            "assert_equal_graph_def compares all of both: pass neither checkpoint_v2 nor "
            "hash_table_shared_name"
        )
    comparisons.assert_equal_graph_def(expected, actual)
