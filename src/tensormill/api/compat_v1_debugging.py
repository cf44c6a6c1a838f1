"""`tf.compat.v1.debugging`: assertions that take `data` before the message."""

from __future__ import annotations

from . import debugging
from .lazy import joined, namespace

TABLE = joined(
    debugging,
    {
        "version_one.functions.assertions": (
            "assert_equal assert_greater assert_greater_equal assert_less assert_less_equal "
            "assert_near assert_negative assert_non_negative assert_non_positive assert_none_equal "
            "assert_positive assert_rank assert_rank_at_least assert_rank_in assert_scalar "
            "assert_all_finite=verify_tensor_all_finite"
        ),
        "ops.math.comparison": "is_finite is_inf is_nan",
        "ops.math.moments": "is_non_decreasing is_strictly_increasing",
    },
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.debugging")
