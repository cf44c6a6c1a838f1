"""Calls of functions of images, windows and blocks, written for TensorFlow and for us alike."""

from __future__ import annotations

import numpy as np

from .call import Call, gradient

IMAGE = (np.arange(2 * 4 * 6 * 3, dtype=np.float32).reshape(2, 4, 6, 3) * 7 % 29) / 29
BYTES = (IMAGE * 255).astype(np.uint8)
ROW = IMAGE[0, :1]
# Without equal elements: of these TensorFlow's kernels choose one or another.
VOLUME = (np.arange(256, dtype=np.float32).reshape(2, 4, 4, 4, 2) * 45 % 257) / 257
FLAT = IMAGE[:, 0]
KERNEL = np.linspace(-1, 1, 2 * 3 * 3 * 4, dtype=np.float32).reshape(2, 3, 3, 4)
KERNEL_3D = np.linspace(-1, 1, 2 * 2 * 2 * 2 * 3, dtype=np.float32).reshape(2, 2, 2, 2, 3)
WIDTH = np.linspace(-1, 1, 3 * 4 * 3, dtype=np.float32).reshape(3, 4, 3)

CALLS: dict[str, Call] = {
    "adjust_brightness": (lambda tf, x: tf.image.adjust_brightness(x, 0.2), [IMAGE]),
    "adjust_brightness of bytes": (lambda tf, x: tf.image.adjust_brightness(x, -0.3), [BYTES]),
    "adjust_contrast": (lambda tf, x: tf.image.adjust_contrast(x, 1.5), [IMAGE]),
    "adjust_contrast of bytes": (lambda tf, x: tf.image.adjust_contrast(x, 0.5), [BYTES]),
    "adjust_gamma": (lambda tf, x: tf.image.adjust_gamma(x, 2.0, 0.5), [IMAGE]),
    "adjust_gamma of bytes": (lambda tf, x: tf.image.adjust_gamma(x, 0.5), [BYTES]),
    "adjust_saturation": (lambda tf, x: tf.image.adjust_saturation(x, 0.5), [IMAGE]),
    "adjust_hue": (lambda tf, x: tf.image.adjust_hue(x, 0.1), [IMAGE]),
    "image_gradients": (lambda tf, x: tf.image.image_gradients(x), [IMAGE]),
    "per_image_standardization": (lambda tf, x: tf.image.per_image_standardization(x), [IMAGE]),
    "per_image_standardization of bytes": (
        lambda tf, x: tf.image.per_image_standardization(x), [BYTES],
    ),
    "per_image_standardization of dark bytes": (
        lambda tf, x: tf.image.per_image_standardization(x // 64), [BYTES],
    ),
    "per_image_standardization of other floats": (
        lambda tf, x: [
            tf.image.per_image_standardization(tf.cast(x, kind))
            for kind in (tf.float64, tf.float16)
        ],
        [IMAGE],
    ),
    "per_image_standardization of one color": (
        lambda tf, x: tf.image.per_image_standardization(x * 0.0 + 1.0), [IMAGE],
    ),
    "rgb_to_grayscale": (lambda tf, x: tf.image.rgb_to_grayscale(x), [IMAGE]),
    "rgb_to_grayscale of bytes": (lambda tf, x: tf.image.rgb_to_grayscale(x), [BYTES]),
    "total_variation": (lambda tf, x: tf.image.total_variation(x), [IMAGE]),
    "total_variation of one image": (lambda tf, x: tf.image.total_variation(x[0]), [IMAGE]),
    "max_pool": (lambda tf, x: tf.nn.max_pool(x, 2, 2, "SAME"), [IMAGE]),
    "max_pool of rows": (lambda tf, x: tf.nn.max_pool(x, 2, 1, "VALID"), [FLAT]),
    "max_pool1d": (lambda tf, x: tf.nn.max_pool1d(x, 3, 2, "SAME"), [FLAT]),
    "max_pool3d": (lambda tf, x: tf.nn.max_pool3d(x, 2, [2, 1, 2], "VALID"), [VOLUME]),
    "avg_pool": (lambda tf, x: tf.nn.avg_pool(x, [2, 3], 2, "SAME"), [IMAGE]),
    "avg_pool of rows": (lambda tf, x: tf.nn.avg_pool(x, 2, 1, "VALID"), [FLAT]),
    "avg_pool3d": (lambda tf, x: tf.nn.avg_pool3d(x, 3, 2, "SAME"), [VOLUME]),
    "conv3d": (lambda tf, x, w: tf.nn.conv3d(x, w, [1, 1, 2, 1, 1], "SAME"), [VOLUME, KERNEL_3D]),
    "conv3d_transpose": (
        lambda tf, x, w: tf.nn.conv3d_transpose(
            x, tf.transpose(w, [0, 1, 2, 4, 3]), [2, 8, 8, 8, 3], 2, "SAME"
        ),
        [VOLUME, KERNEL_3D],
    ),
    "conv1d_transpose": (
        lambda tf, x, w: tf.nn.conv1d_transpose(x, w, [2, 12, 4], 2, "SAME"), [FLAT, WIDTH],
    ),
    "conv_transpose": (
        lambda tf, x, w: tf.nn.conv_transpose(
            x, tf.transpose(w, [0, 1, 3, 2]), [2, 8, 12, 4], 2, "SAME"
        ),
        [IMAGE, KERNEL],
    ),
    "atrous_conv2d": (lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "SAME"), [IMAGE, KERNEL]),
    "atrous_conv2d, valid": (
        lambda tf, x, w: tf.nn.atrous_conv2d(x, w, 2, "VALID"), [IMAGE, KERNEL],
    ),
    "atrous_conv2d_transpose": (
        lambda tf, x, w: tf.nn.atrous_conv2d_transpose(
            x, tf.transpose(w, [0, 1, 3, 2]), [2, 4, 6, 4], 2, "SAME"
        ),
        [IMAGE, KERNEL],
    ),
    "with_space_to_batch": (
        lambda tf, x, w: tf.nn.with_space_to_batch(
            x, [2, 1], "SAME", lambda one, *_: tf.nn.conv2d(one, w, 1, "VALID"), [2, 3]
        ),
        [IMAGE, KERNEL],
    ),
    "batch_to_space": (
        lambda tf, x: tf.batch_to_space(tf.concat([x, x], 0), [2, 2], [[1, 0], [0, 2]]), [IMAGE],
    ),
    "space_to_batch_nd": (
        lambda tf, x: tf.space_to_batch_nd(x, [2, 3], [[1, 1], [0, 3]]), [IMAGE],
    ),
    "required_space_to_batch_paddings": (
        lambda tf, n: tf.required_space_to_batch_paddings(n, [2, 3], [[1, 0], [0, 1]]),
        [np.array([5, 7], np.int32)],
    ),
    "depth_to_space": (
        lambda tf, x: tf.nn.depth_to_space(tf.concat([x] * 4, -1), 2), [IMAGE],
    ),
    "local_response_normalization": (
        lambda tf, x: tf.nn.local_response_normalization(x, 1, 0.5, 2.0, 0.7), [IMAGE],
    ),
    "lrn": (lambda tf, x: tf.nn.lrn(x), [IMAGE]),
    "ssim": (
        lambda tf, x, y: tf.image.ssim(x, y, 1.0, filter_size=3), [IMAGE, IMAGE**2],
    ),
    "ssim of each window": (
        lambda tf, x, y: tf.image.ssim(x, y, 255, filter_size=2, return_index_map=True),
        [BYTES, BYTES // 2],
    ),
    "ssim_multiscale": (
        lambda tf, x, y: tf.image.ssim_multiscale(x, y, 1.0, (0.3, 0.7), filter_size=2),
        [IMAGE, IMAGE**2],
    ),
    "ssim_multiscale of odd bytes": (
        lambda tf, x, y: tf.image.ssim_multiscale(
            x, y, 255, power_factors=(0.2, 0.8), filter_size=2, filter_sigma=0.7, k1=0.02, k2=0.05
        ),
        [BYTES[0, :3, :5], BYTES[0, :3, :5] // 2],
    ),
    "ssim_multiscale of small images": (
        lambda tf, x, y: tf.image.ssim_multiscale(x, y, 1.0), [IMAGE, IMAGE**2],
    ),
}  # fmt: skip
CALLS |= {
    f"gradient of {name}": (gradient(CALLS[name][0]), CALLS[name][1])
    for name in (
        "adjust_gamma", "total_variation", "max_pool3d", "avg_pool3d", "conv3d", "conv3d_transpose",
        "conv1d_transpose", "atrous_conv2d", "lrn", "ssim_multiscale",
    )
}  # fmt: skip
