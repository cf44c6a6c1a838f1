"""`tf.debugging`: checks."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.process.tracebacks": (
        "disable_traceback_filtering enable_traceback_filtering is_traceback_filtering_enabled"
    ),
    "eager.device_settings": "get_log_device_placement set_log_device_placement",
    "ops.checks.numeric_watch": "disable_check_numerics enable_check_numerics",
    "ops.checks.assertions": (
        "Assert assert_equal assert_greater assert_greater_equal assert_integer "
        "assert_less assert_less_equal assert_near assert_negative assert_non_negative "
        "assert_non_positive assert_none_equal assert_positive assert_proper_iterable "
        "assert_same_float_dtype assert_type is_numeric_tensor"
    ),
    "ops.checks.finite_numbers": "assert_all_finite check_numerics",
    "ops.checks.shape_assertions": (
        "assert_rank assert_rank_at_least assert_rank_in assert_scalar assert_shapes"
    ),
}

GONE = {
    "experimental": (
        ": TensorFlow's debugger is not here; use tf.debugging.enable_check_numerics, or tf.summary"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, gone=GONE)
