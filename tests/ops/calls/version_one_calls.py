"""Calls of functions as TensorFlow 1 called them, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

X = np.sin(np.arange(12.0)).reshape(3, 4).astype(np.float32)
N = np.arange(6, dtype=np.int32).reshape(2, 3)
IMAGE = np.cos(np.arange(32.0)).reshape(1, 4, 4, 2).astype(np.float32)
KERNEL = np.sin(np.arange(24.0)).reshape(2, 2, 2, 3).astype(np.float32)
LABELS = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0.25, 0.25, 0.25, 0.25]], np.float32)


def one(name: str, *args: Any, **options: Any) -> Callable[..., Any]:
    """The call of a function of `tf.compat.v1`, the arrays first."""

    def call(tf: Any, *tensors: Any) -> Any:
        function = tf.compat.v1
        for part in name.split("."):
            function = getattr(function, part)
        return function(*tensors, *args, **options)

    return call


def ctc(tf: Any, logits: Any) -> Any:
    labels = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], tf.constant([1, 2, 0]), [2, 2])
    return tf.compat.v1.nn.ctc_loss(labels, logits, [4, 5], time_major=False)


def loop(tf: Any, x: Any) -> Any:
    def is_small(y: Any) -> Any:
        return tf.reduce_sum(y) < 10.0

    # Whatever it is called with, it ends.
    return tf.compat.v1.while_loop(is_small, lambda y: y + 1.0, [x], maximum_iterations=50)


def branch(tf: Any, x: Any) -> Any:
    return tf.compat.v1.cond(tf.reduce_sum(x) > 0, lambda: [x + 1], fn2=lambda: [x - 1])


def scanned(tf: Any, x: Any) -> Any:
    return tf.compat.v1.scan(lambda a, b: a * 0.5 + b, x, reverse=True)


def soft_loss(tf: Any, logits: Any) -> Any:
    return tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=LABELS, logits=logits)


def levels(tf: Any, x: Any, kind: str = "quint8") -> Any:
    return tf.compat.v1.quantize_v2(x, -1.0, 2.0, getattr(tf, kind))


def of_levels(name: str, *args: Any) -> Callable[..., Any]:
    """What a function of levels gives, as floats."""

    def call(tf: Any, x: Any) -> Any:
        found = getattr(tf.compat.v1.nn, name)(*levels(tf, x), *args)
        return [tf.quantization.dequantize(*found), *found[1:]]

    return call


def convolved_levels(tf: Any, x: Any, kernel: Any) -> Any:
    (image, *at), (weights, *of) = levels(tf, x), levels(tf, kernel)
    strides = [1, 1, 1, 1]
    found = tf.compat.v1.nn.quantized_conv2d(image, weights, *at, *of, strides, "VALID")
    return [tf.bitcast(found[0], tf.int32), *found[1:]]


LEVELS: dict[str, Call] = {
    "quantize_v2": (
        lambda tf, x: tf.quantization.dequantize(*levels(tf, x, "qint8")), [X],
    ),
    "quantize_v2 by its older order": (
        lambda tf, x: tf.bitcast(
            one("quantize_v2", -1.0, 1.0, tf.qint8, "SCALED", None, "HALF_TO_EVEN", True)(tf, x)[0],
            tf.int8,
        ),
        [X],
    ),
    "quantize_v2 of no such mode": (
        lambda tf, x: tf.compat.v1.quantize_v2(x, -1.0, 1.0, tf.qint8, "NONE"), [X],
    ),
    "quantized_max_pool": (
        of_levels("quantized_max_pool", [1, 2, 2, 1], [1, 1, 1, 1], "VALID"), [IMAGE],
    ),
    "quantized_avg_pool": (
        of_levels("quantized_avg_pool", [1, 2, 2, 1], [1, 1, 1, 1], "VALID"), [IMAGE],
    ),
    "quantized_avg_pool, same": (
        of_levels("quantized_avg_pool", [1, 3, 3, 1], [1, 2, 2, 1], "SAME"), [IMAGE],
    ),
    "quantized_conv2d": (convolved_levels, [IMAGE, KERNEL]),
    "quantized_concat of TensorFlow 1": (
        lambda tf, x: tf.quantization.dequantize(
            *tf.compat.v1.quantized_concat(
                0, *[[one, one] for one in levels(tf, x)]
            )
        ),
        [X],
    ),
}  # fmt: skip

REDUCTIONS: dict[str, Call] = {
    f"{name} of {key}": (one(name, **options), [X])
    for name in ("reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min")
    for key, options in {
        "all": {},
        "indices": {"reduction_indices": [1]},
        "kept": {"axis": 0, "keep_dims": True},
    }.items()
}

LOSSES: dict[str, Call] = {
    f"{name} {key}": (one(f"losses.{name}", **options), [np.abs(LABELS), np.abs(X)])
    for name in (
        "absolute_difference", "mean_squared_error", "huber_loss", "log_loss", "hinge_loss",
        "sigmoid_cross_entropy", "softmax_cross_entropy",
    )
    for key, options in {
        "plain": {},
        "weighted": {"weights": 2.0, "reduction": "weighted_mean"},
        "summed": {"weights": 0.5, "reduction": "weighted_sum"},
        "of the batch": {"reduction": "weighted_sum_over_batch_size"},
        "apart": {"reduction": "none"},
    }.items()
}  # fmt: skip


def scattered(name: str, *indices: Any) -> Callable[..., Any]:
    """What a variable is after some of it has changed."""

    def call(tf: Any, start: Any, updates: Any) -> Any:
        variable = tf.Variable(start)
        getattr(tf.compat.v1, name)(variable, list(indices), updates)
        return variable.value()

    return call


BYTES = (np.arange(60) % 50).reshape(4, 5, 3).astype(np.uint8)
OLD: dict[str, Call] = {
    **{
        f"scatter_{kind}": (scattered(f"scatter_{kind}", 2, 0), [X, np.abs(X[:2]) + 0.5])
        for kind in ("update", "add", "sub", "mul", "div", "max", "min")
    },
    **{
        f"scatter_nd_{kind}": (scattered(f"scatter_nd_{kind}", [2, 1], [0, 3]), [X, X[0, :2]])
        for kind in ("update", "add", "sub")
    },
    **REDUCTIONS,
    **LOSSES,
    "losses of rows": (
        one("losses.mean_squared_error", weights=np.array([[1.0], [0.0], [2.0]], np.float32)),
        [LABELS, X],
    ),
    "smoothed": (one("losses.softmax_cross_entropy", label_smoothing=0.2), [LABELS, X]),
    "smoothed sigmoid": (one("losses.sigmoid_cross_entropy", label_smoothing=0.2), [LABELS, X]),
    "classes": (
        one("losses.sparse_softmax_cross_entropy", weights=[1.0, 0.0, 2.0]),
        [np.array([1, 3, 0], np.int32), X],
    ),
    "cosine distance": (one("losses.cosine_distance", axis=1), [LABELS, X]),
    "pairwise of rows": (
        one("losses.mean_pairwise_squared_error", np.array([[1.0], [0.0], [2.0]], np.float32)),
        [LABELS, X],
    ),
    "weights that do not fit": (one("losses.mean_squared_error", weights=[1.0, 2.0]), [LABELS, X]),
    "reduce_all": (one("reduce_all", reduction_indices=0), [X > 0]),
    "reduce_any": (one("reduce_any", keep_dims=True), [X > 0]),
    "reduce_logsumexp": (one("reduce_logsumexp", reduction_indices=[0]), [X]),
    "both names": (one("reduce_sum", axis=0, reduction_indices=[1]), [X]),
    "argmax": (one("argmax", dimension=1), [X]),
    "argmin": (one("argmin", 1, output_type="int32"), [X]),
    "arg_max": (one("arg_max", 0), [X]),
    "arg_min": (one("arg_min", 0), [X]),
    "count_nonzero": (one("count_nonzero", reduction_indices=[1], keep_dims=True), [N]),
    "norm": (one("norm", axis=1, keep_dims=True), [X]),
    "where of rows": (one("where"), [np.array([True, False, True]), X, -X]),
    "where of elements": (one("where"), [X > 0, X, -X]),
    "where it is true": (one("where"), [X > 0]),
    "boolean_mask": (one("boolean_mask", [True, False, True, True], axis=1), [X]),
    "expand_dims": (one("expand_dims", dim=1), [X]),
    "squeeze": (one("squeeze", squeeze_dims=[1]), [X[:, :1]]),
    "gather": (one("gather", [1, 0], None, None, 1), [X]),
    "batch_gather": (one("batch_gather", [[0], [2], [1]]), [X]),
    "gather_nd": (one("gather_nd", [[1, 2], [0, 0]]), [X]),
    "ones_like": (one("ones_like", "int64", None, True), [X]),
    "zeros_like": (one("zeros_like", optimize=False), [N]),
    "pad": (one("pad", [[1, 0], [0, 2]], "CONSTANT", None, 5), [N]),
    "reverse_sequence": (one("reverse_sequence", [2, 3], seq_dim=1, batch_dim=0), [N]),
    "shape": (one("shape", None, "int64"), [X]),
    "size": (lambda tf, x: tf.compat.v1.size(x, None, tf.int64), [X]),
    "transpose": (one("transpose", [1, 0], "turned"), [X]),
    "div of floats": (one("div", 2.0), [X]),
    "div of integers": (one("div", -4), [N]),
    "confusion_matrix": (
        one("confusion_matrix", 3, "float32", None, [1.0, 2.0]),
        [np.array([0, 2]), np.array([1, 2])],
    ),
    "constant": (lambda tf: tf.compat.v1.constant([1.0, 2.0], shape=[2, 1]), []),
    "constant of another shape": (
        lambda tf: tf.compat.v1.constant([1.0], shape=[2], verify_shape=True), [],
    ),
    "while_loop": (loop, [X]),
    "cond": (branch, [X]),
    "scan": (scanned, [X]),
    "gradient of scan": (gradient(scanned), [X]),
    "avg_pool": (one("nn.avg_pool", [1, 2, 2, 1], [1, 2, 2, 1], "SAME"), [IMAGE]),
    "max_pool": (one("nn.max_pool", [1, 2, 2, 1], [1, 1, 1, 1], "VALID"), [IMAGE]),
    "conv1d": (one("nn.conv1d", stride=2, padding="SAME"), [IMAGE[0], KERNEL[0]]),
    "conv2d": (one("nn.conv2d", [1, 2, 2, 1], "SAME"), [IMAGE, KERNEL]),
    "conv2d of filters": (
        lambda tf, x, k: tf.compat.v1.nn.conv2d(x, filters=k, strides=1, padding="VALID"),
        [IMAGE, KERNEL],
    ),
    "conv2d_transpose": (
        one("nn.conv2d_transpose", [1, 8, 8, 2], [1, 2, 2, 1]), [IMAGE[..., :2], KERNEL[..., :2]],
    ),
    "convolution": (one("nn.convolution", "VALID", dilation_rate=[2, 2]), [IMAGE, KERNEL]),
    "depthwise": (one("nn.depthwise_conv2d", [1, 1, 1, 1], "SAME"), [IMAGE, KERNEL]),
    "dropout": (one("nn.dropout", keep_prob=1.0), [X]),
    "moments": (one("nn.moments", [0], keep_dims=True), [X]),
    "softmax": (one("nn.softmax", dim=0), [X]),
    "log_softmax": (one("nn.log_softmax", axis=1), [X]),
    "softmax loss": (soft_loss, [X]),
    "gradient of the softmax loss": (gradient(soft_loss), [X]),
    "softmax loss, second version": (
        one("nn.softmax_cross_entropy_with_logits_v2", dim=1), [LABELS, X],
    ),
    "weighted loss": (
        lambda tf, x, y: tf.compat.v1.nn.weighted_cross_entropy_with_logits(
            targets=y, logits=x, pos_weight=2.0
        ),
        [X, LABELS],
    ),
    "embedding_lookup": (one("nn.embedding_lookup", [2, 0], "div"), [X]),
    "ctc_loss": (ctc, [np.sin(np.arange(40.0)).reshape(2, 5, 4).astype(np.float32)]),
    "in_top_k": (one("nn.in_top_k", [1, 0, 3], 2), [X]),
    "crelu": (one("nn.crelu", None, 0), [X]),
    "xw_plus_b": (one("nn.xw_plus_b"), [X, X.T.copy(), X[:, 0].copy()]),
    "relu_layer": (one("nn.relu_layer"), [X, X.T.copy(), X[:, 0].copy()]),
    "space_to_depth": (one("space_to_depth", 2), [IMAGE]),
    "depth_to_space": (one("depth_to_space", 2), [np.tile(IMAGE, [1, 1, 1, 2])]),
    **{
        f"resize_images {method} {corners}": (
            one("image.resize_images", [7, 3], method, corners), [IMAGE],
        )
        for method in (0, 1, 2, 3) for corners in (False, True)
    },
    "resize of one size": (one("image.resize", [4, 5]), [BYTES]),
    "resize in proportion": (
        one("image.resize_images", [8, 6], preserve_aspect_ratio=True), [BYTES],
    ),
    "resize by no such method": (one("image.resize_images", [8, 6], "lanczos3"), [BYTES]),
    "resize_image_with_pad": (one("image.resize_image_with_pad", 9, 6), [BYTES]),
    "resize_image_with_pad, nearest": (
        one("image.resize_image_with_pad", 5, 8, 1, align_corners=True), [BYTES],
    ),
    "resize_bilinear": (
        one("image.resize_bilinear", [3, 3], half_pixel_centers=True), [IMAGE],
    ),
    "resize_nearest_neighbor": (one("image.resize_nearest_neighbor", [3, 3], True), [IMAGE]),
    "resize_bicubic": (one("image.resize_bicubic", [3, 7]), [IMAGE]),
    "resize_area": (one("image.resize_area", [2, 2]), [IMAGE]),
    "crop_and_resize": (
        one("image.crop_and_resize", [[0.0, 0.0, 1.0, 0.5]], [0], [2, 3]), [IMAGE],
    ),
    "draw_bounding_boxes": (
        one("image.draw_bounding_boxes", [[[0.0, 0.0, 1.0, 0.5]]]), [IMAGE[:1, :, :, :1]],
    ),
    "extract_glimpse": (
        one("image.extract_glimpse", [2, 2], [[0.0, 0.1]] * len(IMAGE)), [IMAGE],
    ),
    "extract_image_patches": (
        one("extract_image_patches", [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), [IMAGE],
    ),
    "sample_distorted_bounding_box": (
        lambda tf, box: tf.compat.v1.image.sample_distorted_bounding_box([40, 50, 3], box, 3, 4),
        [np.array([[[0.0, 0.0, 1.0, 0.5]]], np.float32)],
    ),
    "stateless_multinomial": (one("random.stateless_multinomial", 9, [1, 2]), [X]),
}  # fmt: skip

CALLS: dict[str, Call] = {f"v1 {name}": call for name, call in (OLD | LEVELS).items()}

# Functions that make variables make them once.
# Images of a size that is known to be the wanted one stay as they are.
COMPILED = [name for name in CALLS if "scatter" not in name and "of one size" not in name]
COMPILED = [name for name in COMPILED if name.removeprefix("v1 ") not in LEVELS]
