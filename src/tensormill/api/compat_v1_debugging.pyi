# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.debugging`: assertions that take `data` before the message."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.checks.assertions import Assert as Assert
from ..version_one.functions.assertions import verify_tensor_all_finite as assert_all_finite
from ..version_one.functions.assertions import assert_equal as assert_equal
from ..version_one.functions.assertions import assert_greater as assert_greater
from ..version_one.functions.assertions import assert_greater_equal as assert_greater_equal
from ..ops.checks.assertions import assert_integer as assert_integer
from ..version_one.functions.assertions import assert_less as assert_less
from ..version_one.functions.assertions import assert_less_equal as assert_less_equal
from ..version_one.functions.assertions import assert_near as assert_near
from ..version_one.functions.assertions import assert_negative as assert_negative
from ..version_one.functions.assertions import assert_non_negative as assert_non_negative
from ..version_one.functions.assertions import assert_non_positive as assert_non_positive
from ..version_one.functions.assertions import assert_none_equal as assert_none_equal
from ..version_one.functions.assertions import assert_positive as assert_positive
from ..ops.checks.assertions import assert_proper_iterable as assert_proper_iterable
from ..version_one.functions.assertions import assert_rank as assert_rank
from ..version_one.functions.assertions import assert_rank_at_least as assert_rank_at_least
from ..version_one.functions.assertions import assert_rank_in as assert_rank_in
from ..ops.checks.assertions import assert_same_float_dtype as assert_same_float_dtype
from ..version_one.functions.assertions import assert_scalar as assert_scalar
from ..ops.checks.shape_assertions import assert_shapes as assert_shapes
from ..ops.checks.assertions import assert_type as assert_type
from ..ops.checks.finite_numbers import check_numerics as check_numerics
from ..ops.checks.numeric_watch import disable_check_numerics as disable_check_numerics
from ..core.process.tracebacks import disable_traceback_filtering as disable_traceback_filtering
from ..ops.checks.numeric_watch import enable_check_numerics as enable_check_numerics
from ..core.process.tracebacks import enable_traceback_filtering as enable_traceback_filtering
from ..eager.device_settings import get_log_device_placement as get_log_device_placement
from ..ops.math.moments import is_non_decreasing as is_non_decreasing
from ..ops.checks.assertions import is_numeric_tensor as is_numeric_tensor
from ..ops.math.moments import is_strictly_increasing as is_strictly_increasing
from ..core.process.tracebacks import is_traceback_filtering_enabled as is_traceback_filtering_enabled
from ..eager.device_settings import set_log_device_placement as set_log_device_placement

__all__ = ['Assert', 'assert_all_finite', 'assert_equal', 'assert_greater', 'assert_greater_equal', 'assert_integer', 'assert_less', 'assert_less_equal', 'assert_near', 'assert_negative', 'assert_non_negative', 'assert_non_positive', 'assert_none_equal', 'assert_positive', 'assert_proper_iterable', 'assert_rank', 'assert_rank_at_least', 'assert_rank_in', 'assert_same_float_dtype', 'assert_scalar', 'assert_shapes', 'assert_type', 'check_numerics', 'disable_check_numerics', 'disable_traceback_filtering', 'enable_check_numerics', 'enable_traceback_filtering', 'get_log_device_placement', 'is_finite', 'is_inf', 'is_nan', 'is_non_decreasing', 'is_numeric_tensor', 'is_strictly_increasing', 'is_traceback_filtering_enabled', 'set_log_device_placement']

def is_finite(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is neither infinite nor NaN, for every element of a float tensor.

    >>> tf.math.is_finite([1.0, np.nan, np.inf]).numpy()
    array([ True, False, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def is_inf(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is infinite, of either sign, for every element of a float tensor.

    >>> tf.math.is_inf([1.0, np.nan, -np.inf]).numpy()
    array([False, False,  True])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def is_nan(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is not a number, for every element of a float tensor.

    >>> tf.math.is_nan([1.0, np.nan, np.inf]).numpy()
    array([False,  True, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""
