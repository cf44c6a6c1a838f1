# Written by `make stubs` from the table beside it.

"""`tf.debugging`: checks."""

from ..ops.checks.assertions import Assert as Assert
from ..ops.checks.finite_numbers import assert_all_finite as assert_all_finite
from ..ops.checks.assertions import assert_equal as assert_equal
from ..ops.checks.assertions import assert_greater as assert_greater
from ..ops.checks.assertions import assert_greater_equal as assert_greater_equal
from ..ops.checks.assertions import assert_integer as assert_integer
from ..ops.checks.assertions import assert_less as assert_less
from ..ops.checks.assertions import assert_less_equal as assert_less_equal
from ..ops.checks.assertions import assert_near as assert_near
from ..ops.checks.assertions import assert_negative as assert_negative
from ..ops.checks.assertions import assert_non_negative as assert_non_negative
from ..ops.checks.assertions import assert_non_positive as assert_non_positive
from ..ops.checks.assertions import assert_none_equal as assert_none_equal
from ..ops.checks.assertions import assert_positive as assert_positive
from ..ops.checks.assertions import assert_proper_iterable as assert_proper_iterable
from ..ops.checks.shape_assertions import assert_rank as assert_rank
from ..ops.checks.shape_assertions import assert_rank_at_least as assert_rank_at_least
from ..ops.checks.shape_assertions import assert_rank_in as assert_rank_in
from ..ops.checks.assertions import assert_same_float_dtype as assert_same_float_dtype
from ..ops.checks.shape_assertions import assert_scalar as assert_scalar
from ..ops.checks.shape_assertions import assert_shapes as assert_shapes
from ..ops.checks.assertions import assert_type as assert_type
from ..ops.checks.finite_numbers import check_numerics as check_numerics
from ..ops.checks.numeric_watch import disable_check_numerics as disable_check_numerics
from ..core.process.tracebacks import disable_traceback_filtering as disable_traceback_filtering
from ..ops.checks.numeric_watch import enable_check_numerics as enable_check_numerics
from ..core.process.tracebacks import enable_traceback_filtering as enable_traceback_filtering
from ..eager.device_settings import get_log_device_placement as get_log_device_placement
from ..ops.checks.assertions import is_numeric_tensor as is_numeric_tensor
from ..core.process.tracebacks import is_traceback_filtering_enabled as is_traceback_filtering_enabled
from ..eager.device_settings import set_log_device_placement as set_log_device_placement

__all__ = ['Assert', 'assert_all_finite', 'assert_equal', 'assert_greater', 'assert_greater_equal', 'assert_integer', 'assert_less', 'assert_less_equal', 'assert_near', 'assert_negative', 'assert_non_negative', 'assert_non_positive', 'assert_none_equal', 'assert_positive', 'assert_proper_iterable', 'assert_rank', 'assert_rank_at_least', 'assert_rank_in', 'assert_same_float_dtype', 'assert_scalar', 'assert_shapes', 'assert_type', 'check_numerics', 'disable_check_numerics', 'disable_traceback_filtering', 'enable_check_numerics', 'enable_traceback_filtering', 'get_log_device_placement', 'is_numeric_tensor', 'is_traceback_filtering_enabled', 'set_log_device_placement']
