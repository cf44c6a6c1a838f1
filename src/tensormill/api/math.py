"""`tf.math`: arithmetic, elementary functions, reductions."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "special=math_special",
    "ops.nn.activations": "softplus softsign",
    "ops.math.arithmetic": (
        "add maximum minimum multiply multiply_no_nan negative pow reciprocal scalar_mul square "
        "squared_difference subtract"
    ),
    "ops.math.division": "floordiv floormod mod",
    "ops.math.signs": "sign",
    "ops.math.comparison": (
        "greater greater_equal is_finite is_inf is_nan less less_equal logical_and "
        "logical_not logical_or logical_xor"
    ),
    "ops.math.counts": "bincount",
    "ops.dispatch.arrays": (
        "abs divide divide_no_nan equal not_equal truediv "
        "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_std "
        "reduce_sum reduce_variance"
    ),
    "ops.dispatch.elements": "add_n angle conj imag real reciprocal_no_nan round softmax",
    "ops.dispatch.rows": (
        "cumsum erfcinv reduce_logsumexp unsorted_segment_max unsorted_segment_mean "
        "unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum"
    ),
    "ops.math.elementwise": (
        "ceil digamma erf erfc exp expm1 floor lgamma log log1p log_sigmoid rint rsqrt sigmoid "
        "sqrt xdivy xlog1py xlogy"
    ),
    "ops.math.circular": ("acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh"),
    "ops.array.grids": "confusion_matrix",
    "ops.math.incomplete_gamma": (
        "betainc cumulative_logsumexp igamma igammac lbeta polygamma polyval zeta"
    ),
    "ops.array.rearrangement": "invert_permutation",
    "ops.math.moments": ("count_nonzero is_non_decreasing is_strictly_increasing zero_fraction"),
    "ops.nn.bias_and_dropout": "in_top_k",
    "ops.math.norms": "l2_normalize",
    "ops.math.reduce": "reduce_euclidean_norm",
    "ops.math.scan": "argmax argmin cumprod",
    "ops.nn.softmax": "log_softmax",
    "ops.math.sorted_segments": "segment_max segment_mean segment_min segment_prod segment_sum",
    "ops.array.sorting": "top_k",
    "ops.math.special": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e erfinv ndtri nextafter",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
