"""Calls of pieces of networks that few programs use, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

IMAGES = np.linspace(-1, 1, 2 * 4 * 6 * 2).reshape(2, 4, 6, 2) ** 3
FILTER = np.linspace(-1, 1, 2 * 3 * 2 * 3).reshape(2, 3, 2, 3)
DEPTHWISE = np.linspace(-1, 1, 2 * 3 * 2 * 2).reshape(2, 3, 2, 2)
VOLUMES = np.linspace(-1, 1, 3 * 4 * 4 * 2).reshape(1, 3, 4, 4, 2)
LABELS = np.array([[1, 1, 2, 2, 1], [3, 3, 3, 0, 0], [0, 0, 0, 1, 1]], np.int32)
ROWS = np.array([[3, 1, 2, 5, 4], [0, -1, 7, 7, 2]], np.float32)


def halves(tf: Any) -> Callable[..., Any]:
    return lambda shape, dtype: tf.random.stateless_uniform(shape, (1, 2), dtype=dtype)


def normalized(scaled: bool) -> Callable[..., Any]:
    def call(tf: Any, x: Any) -> Any:
        mean, variance, beta, gamma = (
            tf.constant(values, tf.float64) for values in ([1, 2], [3, 4], [0.5, 0.6], [2, 3])
        )
        return tf.nn.batch_norm_with_global_normalization(
            x, mean, variance, beta, gamma, 1e-3, scaled
        )

    return call


SMALL = np.linspace(-1, 1, 2 * 3 * 2).reshape(2, 3, 2) ** 2


def morphed(name: str, strides: Any, padding: str, dilations: Any, form: str = "NHWC") -> Any:
    def call(tf: Any, x: Any, filters: Any) -> Any:
        return getattr(tf.nn, name)(x, filters, strides, padding, form, dilations)

    return call


def pooled(name: str, **options: Any) -> Any:
    def call(tf: Any, x: Any) -> Any:
        tf.random.set_seed(2)
        function = getattr(tf.nn, f"fractional_{name}_pool")
        return function(x, [1.0, 1.4, 1.7, 1.0], seed=5, **options)

    return call


def edited(**options: Any) -> Any:
    """Of tensors without their zeros."""

    def call(tf: Any, hypothesis: Any, truth: Any) -> Any:
        pair = (tf.sparse.from_dense(one) for one in (hypothesis, truth))
        return tf.edit_distance(*pair, **options)

    return call


ONES = [1, 1, 1, 1]
CALLS: dict[str, Call] = {
    "conv": (lambda tf, x, w: tf.conv(x, w, [1, 1, 2, 1], "SAME"), [IMAGES, FILTER]),
    "conv of one image": (
        lambda tf, x, w: tf.conv(x[0], w, [1, 1, 1, 1], "VALID", batch_dims=0), [IMAGES, FILTER],
    ),
    "conv with margins": (
        lambda tf, x, w: tf.conv(
            x, w, [1, 1, 1, 1], "EXPLICIT", explicit_paddings=[0, 0, 1, 0, 2, 1, 0, 0]
        ),
        [IMAGES, FILTER],
    ),
    "conv of groups": (
        lambda tf, x, w: tf.conv(x, w, [1, 1, 1, 1], "SAME", groups=2), [IMAGES, FILTER],
    ),
    "depthwise_conv2d_backprop_input": (
        lambda tf, dy, w: tf.nn.depthwise_conv2d_backprop_input(
            [2, 4, 6, 2], w, tf.concat([dy, dy], -1), [1, 1, 1, 1], "SAME"
        ),
        [IMAGES, DEPTHWISE],
    ),
    "depthwise_conv2d_backprop_filter": (
        lambda tf, x, dy: tf.nn.depthwise_conv2d_backprop_filter(
            x, [2, 3, 2, 2], tf.concat([dy, dy], -1), [1, 1, 1, 1], "SAME"
        ),
        [IMAGES, IMAGES[:, ::-1]],
    ),
    "extract_volume_patches": (
        lambda tf, x: tf.extract_volume_patches(x, [1, 2, 3, 2, 1], [1, 1, 2, 1, 1], "SAME"),
        [VOLUMES],
    ),
    "extract_volume_patches of images": (
        lambda tf, x: tf.extract_volume_patches(x, [1, 2, 3, 2, 1], [1, 1, 2, 1, 1], "SAME"),
        [IMAGES],
    ),
    "dilation2d": (morphed("dilation2d", ONES, "SAME", ONES), [IMAGES, SMALL]),
    "dilation2d of few": (
        morphed("dilation2d", [1, 2, 1, 1], "VALID", [1, 2, 1, 1]), [IMAGES, SMALL],
    ),
    "dilation2d of integers": (
        morphed("dilation2d", ONES, "SAME", ONES),
        [(IMAGES * 100).astype(np.int32), (SMALL * 9).astype(np.int32)],
    ),
    "erosion2d": (morphed("erosion2d", [1, 1, 2, 1], "SAME", ONES), [IMAGES, SMALL]),
    "gradient of dilation2d": (
        gradient(morphed("dilation2d", [1, 1, 2, 1], "SAME", ONES)), [IMAGES, SMALL],
    ),
    "gradient of erosion2d": (
        gradient(morphed("erosion2d", ONES, "VALID", [1, 1, 2, 1])), [IMAGES, SMALL],
    ),
    "dilation2d of other depth": (
        morphed("dilation2d", ONES, "SAME", ONES), [IMAGES, SMALL[..., :1]],
    ),
    "dilation2d across images": (
        morphed("dilation2d", [2, 1, 1, 1], "SAME", ONES), [IMAGES, SMALL],
    ),
    "dilation2d of channels first": (
        morphed("dilation2d", ONES, "SAME", ONES, "NCHW"), [IMAGES, SMALL],
    ),
    "isotonic_regression": (lambda tf, x: tf.nn.isotonic_regression(x), [ROWS]),
    "isotonic_regression, rising": (
        lambda tf, x: tf.nn.isotonic_regression(x, decreasing=False), [ROWS.astype(np.float64)],
    ),
    "isotonic_regression of columns": (
        lambda tf, x: tf.nn.isotonic_regression(x, axis=1), [IMAGES[..., 0]],
    ),
    "isotonic_regression of integers": (
        lambda tf, x: tf.nn.isotonic_regression(x), [ROWS.astype(np.int32)],
    ),
    "gradient of isotonic_regression": (
        gradient(lambda tf, x: tf.nn.isotonic_regression(x).output * [1.0, 2, 3, 4, 5]), [ROWS],
    ),
    "edit_distance": (edited(), [LABELS, LABELS[::-1]]),
    "edit_distance, not by length": (edited(normalize=False), [LABELS, LABELS[:2, :3]]),
    "edit_distance of floats": (
        edited(), [IMAGES[0].round(0), np.moveaxis(IMAGES[1], 0, 1)[:4, :3].round(0)],
    ),
    "edit_distance of other ranks": (edited(), [LABELS, LABELS[None]]),
    "edit_distance of vectors": (edited(), [LABELS[0], LABELS[1]]),
    "edit_distance of dense tensors": (
        lambda tf, x, y: tf.edit_distance(x, y), [LABELS, LABELS],
    ),
    **{
        f"fractional_{name}_pool, {way}": (pooled(name, **options), [IMAGES])
        for name in ("max", "avg")
        for way, options in (
            ("in random order", {}), ("overlapping", {"overlapping": True}),
            ("pseudo-random", {"pseudo_random": True}),
            ("both", {"pseudo_random": True, "overlapping": True}),
        )
    },
    "fractional_max_pool of integers": (pooled("max"), [LABELS[None, ..., None]]),
    "fractional_avg_pool of integers": (pooled("avg"), [LABELS[None, ..., None]]),
    "gradient of fractional_max_pool": (
        gradient(lambda tf, x: pooled("max", overlapping=True)(tf, x)[0] ** 2), [IMAGES],
    ),
    "fractional_max_pool of channels": (
        lambda tf, x: tf.nn.fractional_max_pool(x, [1.0, 1.5, 1.5, 2.0]), [IMAGES],
    ),
    "fractional_avg_pool of one number": (
        lambda tf, x: tf.nn.fractional_avg_pool(x, 1.5), [IMAGES],
    ),
    "fractional_max_pool to nothing": (
        lambda tf, x: tf.nn.fractional_max_pool(x, 9.0), [IMAGES],
    ),
    "nn.space_to_batch": (
        lambda tf, x: tf.nn.space_to_batch(x, [2, 3], [[1, 1], [0, 3]]), [IMAGES],
    ),
    "batch_norm_with_global_normalization": (normalized(True), [IMAGES]),
    "batch_norm_with_global_normalization, not scaled": (normalized(False), [IMAGES]),
    "general_dropout": (
        lambda tf, x: tf.nn.experimental.general_dropout(x, 0.4, halves(tf)), [IMAGES],
    ),
    "general_dropout of whole channels": (
        lambda tf, x: tf.nn.experimental.general_dropout(x, 0.4, halves(tf), [2, 1, 1, 2]),
        [IMAGES],
    ),
    "general_dropout of everything": (
        lambda tf, x: tf.nn.experimental.general_dropout(x, 1.0, halves(tf)), [IMAGES],
    ),
    "collapse_repeated": (
        lambda tf, x, n: tf.nn.collapse_repeated(x, n), [LABELS, np.array([5, 3, 4], np.int32)],
    ),
    "collapse_repeated of few": (
        lambda tf, x, n: tf.nn.collapse_repeated(x, n),
        [LABELS.astype(np.int64), np.array([1, 0, 3])],
    ),
    "collapse_repeated of no time": (
        lambda tf, x, n: tf.nn.collapse_repeated(x, n), [LABELS[:, :0], np.zeros(3, np.int32)],
    ),
    "ctc_unique_labels": (lambda tf, x: tf.nn.ctc_unique_labels(x), [LABELS]),
    "ctc_unique_labels of int64": (
        lambda tf, x: tf.nn.ctc_unique_labels(x), [LABELS.T.astype(np.int64)],
    ),
    "ctc_unique_labels of a row": (lambda tf, x: tf.nn.ctc_unique_labels(x), [LABELS[0]]),
    "approx_max_k": (lambda tf, x: tf.nn.approx_max_k(x, 3), [ROWS]),
    "approx_top_k": (lambda tf, x: tf.approx_top_k(x, 2), [ROWS.astype(np.float16)]),
    "approx_max_k of too few": (lambda tf, x: tf.nn.approx_max_k(x, 6), [ROWS]),
    "gradient of approx_max_k": (
        gradient(lambda tf, x: tf.nn.approx_max_k(x, 2)[0] ** 2), [ROWS],
    ),
}  # fmt: skip
# TensorFlow's kernels of these know no columns whose number is not known before.
COMPILED = [name for name in CALLS if "approx" not in name]
