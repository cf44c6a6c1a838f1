# Written by `make stubs` from the table beside it.

"""`tf.debugging`: checks."""

from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from ..ops.checks.assertions import Assert as Assert
from ..ops.checks.assertions import assert_all_finite as assert_all_finite
from ..ops.checks.assertions import assert_integer as assert_integer
from ..ops.checks.assertions import assert_negative as assert_negative
from ..ops.checks.assertions import assert_non_negative as assert_non_negative
from ..ops.checks.assertions import assert_non_positive as assert_non_positive
from ..ops.checks.assertions import assert_positive as assert_positive
from ..ops.checks.assertions import assert_proper_iterable as assert_proper_iterable
from ..ops.checks.shape_assertions import assert_rank as assert_rank
from ..ops.checks.shape_assertions import assert_rank_at_least as assert_rank_at_least
from ..ops.checks.shape_assertions import assert_rank_in as assert_rank_in
from ..ops.checks.assertions import assert_same_float_dtype as assert_same_float_dtype
from ..ops.checks.shape_assertions import assert_scalar as assert_scalar
from ..ops.checks.shape_assertions import assert_shapes as assert_shapes
from ..ops.checks.assertions import assert_type as assert_type
from ..core.process.tracebacks import disable_traceback_filtering as disable_traceback_filtering
from ..core.process.tracebacks import enable_traceback_filtering as enable_traceback_filtering
from ..ops.checks.assertions import is_numeric_tensor as is_numeric_tensor
from ..core.process.tracebacks import is_traceback_filtering_enabled as is_traceback_filtering_enabled

__all__ = ['Assert', 'assert_all_finite', 'assert_equal', 'assert_greater', 'assert_greater_equal', 'assert_integer', 'assert_less', 'assert_less_equal', 'assert_near', 'assert_negative', 'assert_non_negative', 'assert_non_positive', 'assert_none_equal', 'assert_positive', 'assert_proper_iterable', 'assert_rank', 'assert_rank_at_least', 'assert_rank_in', 'assert_same_float_dtype', 'assert_scalar', 'assert_shapes', 'assert_type', 'check_numerics', 'disable_traceback_filtering', 'enable_traceback_filtering', 'is_numeric_tensor', 'is_traceback_filtering_enabled']

def assert_equal(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x == y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3).

    >>> tf.assert_equal([1, 2], [1, 2])
    >>> tf.assert_equal([1, 2], [1, 3], message="labels")
    Traceback (most recent call last):
    tensormill.errors.CheckError: labels...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_greater(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x > y for all elements; they have one dtype and broadcast.

    >>> tf.assert_greater([1, 2], 0)
    >>> tf.assert_greater([1, 2], 1)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_greater_equal(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x >= y for all elements; they have one dtype and broadcast.

    >>> tf.debugging.assert_greater_equal([1, 2], 1)
    >>> tf.debugging.assert_greater_equal([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_less(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x < y for all elements; they have one dtype and broadcast.

    >>> tf.assert_less([1, 2], 3)
    >>> tf.assert_less([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_less_equal(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x <= y for all elements; they have one dtype and broadcast.

    >>> tf.debugging.assert_less_equal([1, 2], 2)
    >>> tf.debugging.assert_less_equal([1, 2], 1)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_near(x: _Any, y: _Any, rtol: _Any = None, atol: _Any = None, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that |x - y| <= atol + rtol |y| for all elements, of floats or complex numbers of one
    dtype, which broadcast; both tolerances are 10 epsilons of this dtype by default.

    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.125], atol=0.25)
    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.125])
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        TypeError: the operands are not floats.
        CheckError (an InvalidArgumentError): it does not hold."""

def assert_none_equal(x: _Any, y: _Any, summarize: _int | None = None, message: _str | None = None, name: _str | None = None) -> _Any:
    """Check that x != y for all elements; they have one dtype and broadcast.

    >>> tf.debugging.assert_none_equal([1, 2], [3, 4])
    >>> tf.debugging.assert_none_equal([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def check_numerics(tensor: _Any, message: _str, name: _str | None = None) -> _Any:
    """`tensor` (floats of any shape), checked to hold no infinite and no NaN elements.

    The gradient that passes through it is checked, too.

    >>> tf.debugging.check_numerics([1.0, 2.0], "loss").numpy()
    array([1., 2.], dtype=float32)
    >>> tf.debugging.check_numerics([1.0, float("inf")], "loss")
    Traceback (most recent call last):
    tensormill.errors.InvalidArgumentError: loss : Tensor had Inf values

    Raises:
        InvalidArgumentError: it does; the text begins with `message`."""
