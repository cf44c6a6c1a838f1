"""Calls of functions of statistics, losses and numbers, written for TensorFlow and for us alike."""

from __future__ import annotations

import numpy as np

from .call import Call, gradient

X = np.array([[1.0, -2.0, 3.5], [0.5, 4.0, -1.5]], np.float32)
V = np.array([3.0, 4.0, 0.0, -2.5, 9.0])
N = np.array([3, 1, -2, 1, 7], np.int32)
CUBES = np.arange(2 * 3 * 4 * 4, dtype=np.float32).reshape(2, 3, 4, 4) * 7 % 11
TEXTS = np.array([b"first", b"", b"the third"], object)

CALLS: dict[str, Call] = {
    "sufficient_statistics": (
        lambda tf, x: tf.nn.sufficient_statistics(x, [0], shift=1.0)[1:], [X],
    ),
    "normalize_moments": (
        lambda tf, x: tf.nn.normalize_moments(2.0, x, x * x + 1.0, shift=0.5), [X],
    ),
    "weighted_moments": (lambda tf, x: tf.nn.weighted_moments(x, [0], abs(x) + 1.0), [X]),
    "weighted_moments of nothing": (
        lambda tf, x: tf.nn.weighted_moments(x, [0], x * [0.0, 1.0, 0.0] + [0.0, 9.0, 0.0]), [X],
    ),
    "weighted_moments of columns": (
        lambda tf, x: tf.nn.weighted_moments(x, [0], [[1.0], [3.0]], keepdims=True), [X],
    ),
    "compute_average_loss": (
        lambda tf, x: tf.nn.compute_average_loss(x, global_batch_size=4), [X[0]],
    ),
    "compute_average_loss, weighted": (
        lambda tf, x: tf.nn.compute_average_loss(
            x, sample_weight=[1.0, 0.0, 2.0], global_batch_size=3
        ),
        [X[0]],
    ),
    "scale_regularization_loss": (lambda tf, x: tf.nn.scale_regularization_loss(x), [X]),
    "reduce_euclidean_norm": (lambda tf, x: tf.math.reduce_euclidean_norm(x, 1), [X]),
    "histogram_fixed_width_bins": (
        lambda tf, x: tf.histogram_fixed_width_bins(x, [-2.0, 8.0], 4), [X],
    ),
    "identity_n": (lambda tf, x, y: tf.identity_n([x, y]), [X, N]),
    "shape_n": (lambda tf, x, y: tf.shape_n([x, x[0], y]), [X, X]),
    "multiply_no_nan": (lambda tf, x: tf.math.multiply_no_nan(x / 0.0, [0, 1, 0, 2, 0.0]), [V]),
    "xlog1py": (lambda tf, x: tf.math.xlog1py(x, abs(x)), [V]),
    "xdivy": (lambda tf, x: tf.math.xdivy(x, x - 3.0), [V]),
    "nextafter": (lambda tf, x: tf.math.nextafter(x, 4.0 - x), [V]),
    "truncatemod": (lambda tf, x: tf.truncatemod(x, 3), [N]),
    "realdiv": (lambda tf, x: tf.realdiv(x, 4.0), [V]),
    "invert_permutation": (lambda tf, x: tf.math.invert_permutation(tf.argsort(x)), [N]),
    "segment_min": (lambda tf, x: tf.math.segment_min(x, [0, 0, 2, 2, 2]), [V]),
    "segment_prod": (lambda tf, x: tf.math.segment_prod(x, [0, 0, 2, 2, 3]), [V]),
    "unsorted_segment_min": (
        lambda tf, x: tf.math.unsorted_segment_min(x, [2, 0, 2, -1, 0], 4), [V],
    ),
    "tensor_scatter_nd_min": (
        lambda tf, x: tf.tensor_scatter_nd_min(x, [[0], [3], [0]], [5.0, -9.0, 1.0]), [V],
    ),
    "tensor_scatter_nd_sub": (
        lambda tf, x: tf.tensor_scatter_nd_sub(x, [[0], [3], [0]], [5.0, -9.0, 1.0]), [V],
    ),
    "bitwise": (
        lambda tf, x: [
            tf.bitwise.bitwise_and(x, 5), tf.bitwise.bitwise_or(x, 8), tf.bitwise.bitwise_xor(x, 7),
            tf.bitwise.invert(x), tf.bitwise.left_shift(x, 2), tf.bitwise.right_shift(x, 1),
        ],
        [N],
    ),
    "bessel of first kind": (
        lambda tf, x: [
            tf.math.bessel_i0(x), tf.math.bessel_i0e(x), tf.math.bessel_i1(x),
            tf.math.bessel_i1e(x), tf.math.special.bessel_j0(x), tf.math.special.bessel_j1(x),
        ],
        [V],
    ),
    "bessel of second kind": (
        lambda tf, x: [
            tf.math.special.bessel_k0(x), tf.math.special.bessel_k0e(x),
            tf.math.special.bessel_k1(x), tf.math.special.bessel_k1e(x),
            tf.math.special.bessel_y0(x), tf.math.special.bessel_y1(x),
        ],
        [abs(V) + 0.5],
    ),
    "integrals": (
        lambda tf, x: [
            tf.math.special.expint(x), tf.math.special.fresnel_cos(x),
            tf.math.special.fresnel_sin(x), tf.math.special.spence(x),
        ],
        [abs(V) + 0.5],
    ),
    "erfinv and ndtri": (lambda tf, x: [tf.math.erfinv(x / 10), tf.math.ndtri(x / 10)],
                         [abs(V) + 0.5]),
    "igammac": (lambda tf, x: tf.math.igammac(x, 2.0), [abs(V) + 0.5]),
    "softsign": (lambda tf, x: tf.math.softsign(x), [V]),
    "fft in three dimensions": (
        lambda tf, x: [
            tf.signal.rfft3d(x), tf.signal.irfft3d(tf.signal.rfft3d(x)),
            tf.signal.ifft3d(tf.cast(x, tf.complex64)),
        ],
        [CUBES],
    ),
    "substr": (lambda tf, x: tf.strings.substr(x, 0, 3), [TEXTS]),
    "regex_full_match": (lambda tf, x: tf.strings.regex_full_match(x, ".*ir.*"), [TEXTS]),
    "to_hash_bucket_fast": (lambda tf, x: tf.strings.to_hash_bucket_fast(x, 100), [TEXTS]),
    "to_hash_bucket_strong": (
        lambda tf, x: tf.strings.to_hash_bucket_strong(x, 100, [1, 2]), [TEXTS],
    ),
    "stateless_fold_in": (
        lambda tf, x: tf.random.experimental.stateless_fold_in([1, 2], x[0]), [N],
    ),
}  # fmt: skip
CALLS |= {
    f"gradient of {name}": (gradient(CALLS[name][0]), CALLS[name][1])
    for name in (
        "weighted_moments", "reduce_euclidean_norm", "multiply_no_nan", "xlog1py", "segment_min",
        "unsorted_segment_min", "tensor_scatter_nd_min", "tensor_scatter_nd_sub",
    )
}  # fmt: skip
