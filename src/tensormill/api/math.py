"""`tf.math`: arithmetic, elementary functions, reductions."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "special=math_special",
    "ops.activations": "softplus softsign",
    "ops.arithmetic": (
        "add floordiv floormod maximum minimum mod multiply "
        "multiply_no_nan negative pow reciprocal scalar_mul sign square "
        "squared_difference subtract"
    ),
    "ops.comparison": (
        "greater greater_equal is_finite is_inf is_nan less less_equal logical_and "
        "logical_not logical_or logical_xor"
    ),
    "ops.counts": "bincount",
    "ops.dispatched": (
        "abs divide divide_no_nan equal not_equal truediv "
        "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_std "
        "reduce_sum reduce_variance"
    ),
    "ops.dispatched_elements": "add_n angle conj imag real reciprocal_no_nan round softmax",
    "ops.dispatched_rows": (
        "cumsum erfcinv reduce_logsumexp unsorted_segment_max unsorted_segment_mean "
        "unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum"
    ),
    "ops.elementwise": (
        "acos acosh asin asinh atan atan2 atanh ceil cos cosh digamma erf erfc exp expm1 floor "
        "lgamma log log1p log_sigmoid rint rsqrt sigmoid sin sinh sqrt tan tanh xdivy "
        "xlog1py xlogy"
    ),
    "ops.grids": "confusion_matrix",
    "ops.incomplete": ("betainc cumulative_logsumexp igamma igammac lbeta polygamma polyval zeta"),
    "ops.manipulation": "invert_permutation",
    "ops.moments": ("count_nonzero is_non_decreasing is_strictly_increasing zero_fraction"),
    "ops.nn": "in_top_k",
    "ops.norms": "l2_normalize",
    "ops.reduce": "reduce_euclidean_norm",
    "ops.scan": "argmax argmin cumprod",
    "ops.softmax": "log_softmax",
    "ops.sorted_segments": "segment_max segment_mean segment_min segment_prod segment_sum",
    "ops.sorting": "top_k",
    "ops.special": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e erfinv ndtri nextafter",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
