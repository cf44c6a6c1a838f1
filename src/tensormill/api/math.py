"""`tf.math`: arithmetic, elementary functions, reductions."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.array.approximate_top": "approx_max_k approx_min_k",
    "ops.random.sobol": "sobol_sample",
    "": "special=math_special",
    "ops.nn.activations": "softplus softsign",
    "ops.math.arithmetic": (
        "add maximum minimum multiply multiply_no_nan negative reciprocal scalar_mul square "
        "squared_difference subtract"
    ),
    "ops.math.division": "divide divide_no_nan floordiv floormod mod reciprocal_no_nan truediv",
    "ops.math.signs": "abs sign",
    "ops.math.comparison": (
        "equal greater greater_equal is_finite is_inf is_nan less less_equal logical_and "
        "logical_not logical_or logical_xor not_equal"
    ),
    "ops.math.counts": "bincount",
    "ops.math.elementwise": (
        "ceil erf erfc exp expm1 floor log log1p log_sigmoid rint round rsqrt "
        "sigmoid sqrt xdivy xlog1py xlogy"
    ),
    "ops.math.circular": ("acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh"),
    "ops.array.grids": "confusion_matrix",
    "ops.math.gamma_functions": (
        "betainc digamma igamma igammac lbeta lgamma polygamma polyval zeta"
    ),
    "ops.array.rearrangement": "invert_permutation",
    "ops.math.moments": (
        "count_nonzero is_non_decreasing is_strictly_increasing reduce_logsumexp reduce_std "
        "reduce_variance zero_fraction"
    ),
    "ops.nn.bias_and_dropout": "in_top_k",
    "ops.math.norms": "l2_normalize",
    "ops.math.power": "pow",
    "ops.math.reduce": (
        "reduce_all reduce_any reduce_euclidean_norm reduce_max reduce_mean reduce_min "
        "reduce_prod reduce_sum"
    ),
    "ops.math.scan": "argmax argmin cumprod cumsum cumulative_logsumexp",
    "ops.nn.softmax": "log_softmax softmax",
    "ops.math.sorted_segments": "segment_max segment_mean segment_min segment_prod segment_sum",
    "ops.array.sorting": "top_k",
    "ops.math.special": "bessel_i0 bessel_i0e bessel_i1 bessel_i1e erfcinv erfinv ndtri nextafter",
    "ops.math.sums": "accumulate_n add_n",
    "ops.math.complex": "angle conj imag real",
    "ops.math.segments": (
        "unsorted_segment_max unsorted_segment_mean unsorted_segment_min unsorted_segment_prod "
        "unsorted_segment_sqrt_n unsorted_segment_sum"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
