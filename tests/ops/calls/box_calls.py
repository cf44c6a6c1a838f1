"""Calls of functions of boxes in images, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

IMAGE = (np.arange(2 * 4 * 5, dtype=np.float32).reshape(2, 4, 5, 1) * 7 % 29) / 29
FRAMES = np.array([[0, 0, 1, 1], [0.13, 0.21, 0.77, 1.4], [0.9, 0.83, 0.1, 0.05]], np.float32)
ENDLESS = FRAMES + np.float32(np.inf)
OF_IMAGES = np.array([0, 1, 1], np.int32)
NEAR = np.array(
    [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1],
     [0, 100, 1, 101], [3, 3, 3, 4]], np.float32,
)  # fmt: skip
SCORES = np.array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.7], np.float32)
CLASSES = np.stack([SCORES, SCORES[::-1]], -1)[None]


def cut(*size: int, **options: Any) -> Callable[..., Any]:
    return lambda tf, x, boxes, k: tf.image.crop_and_resize(x, boxes, k, size, **options)


def chosen(name: str, *arguments: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, boxes, scores: getattr(tf.image, name)(boxes, scores, *arguments, **options)


CALLS: dict[str, Call] = {
    "crop_and_resize": (cut(3, 2), [IMAGE, FRAMES, OF_IMAGES]),
    "crop_and_resize, nearest": (
        cut(2, 3, method="nearest", extrapolation_value=0.5), [IMAGE, FRAMES, OF_IMAGES],
    ),
    "crop_and_resize of bytes": (cut(1, 3), [(IMAGE * 255).astype(np.uint8), FRAMES, OF_IMAGES]),
    "gradient of crop_and_resize": (
        gradient(lambda tf, x, boxes: tf.image.crop_and_resize(x, boxes, OF_IMAGES, [3, 2]) ** 2),
        [IMAGE, FRAMES],
    ),
    "gradient of crop_and_resize, nearest": (
        gradient(lambda tf, x, boxes: tf.image.crop_and_resize(
            x, boxes, OF_IMAGES, [2, 1], method="nearest") ** 2),
        [IMAGE, FRAMES],
    ),
    "crop_and_resize of no such image": (cut(3, 2), [IMAGE, FRAMES, OF_IMAGES + 1]),
    "crop_and_resize to nothing": (cut(3, 0), [IMAGE, FRAMES, OF_IMAGES]),
    "crop_and_resize of boxes without an end": (cut(3, 2), [IMAGE, ENDLESS, OF_IMAGES]),
    "crop_and_resize of other boxes": (cut(3, 2), [IMAGE, FRAMES, OF_IMAGES[:2]]),
    "non_max_suppression": (chosen("non_max_suppression", 3), [NEAR, SCORES]),
    "non_max_suppression of high scores": (
        chosen("non_max_suppression", 10, 0.9, 0.55), [NEAR, SCORES],
    ),
    "non_max_suppression of boxes in any order": (
        chosen("non_max_suppression", 10), [NEAR[:, [2, 3, 0, 1]], SCORES],
    ),
    "non_max_suppression of less than nothing": (
        chosen("non_max_suppression", -1), [NEAR, SCORES],
    ),
    "non_max_suppression of no part": (chosen("non_max_suppression", 3, 1.5), [NEAR, SCORES]),
    "non_max_suppression of other scores": (chosen("non_max_suppression", 3), [NEAR, SCORES[:3]]),
    "non_max_suppression_with_scores": (
        chosen("non_max_suppression_with_scores", 4), [NEAR, SCORES],
    ),
    "non_max_suppression_with_scores, soft": (
        chosen("non_max_suppression_with_scores", 10, soft_nms_sigma=0.5), [NEAR, SCORES],
    ),
    "non_max_suppression_with_scores, soft, high scores": (
        chosen("non_max_suppression_with_scores", 10, 0.5, 0.4, soft_nms_sigma=0.2),
        [NEAR, SCORES],
    ),
    "non_max_suppression_overlaps": (
        chosen("non_max_suppression_overlaps", 5, 0.6), [IMAGE.reshape(5, 8)[:, :5], SCORES[:5]],
    ),
    "non_max_suppression_overlaps of a rectangle": (
        chosen("non_max_suppression_overlaps", 5, 0.6), [IMAGE.reshape(5, 8), SCORES[:5]],
    ),
    "non_max_suppression_padded": (
        chosen("non_max_suppression_padded", 5, pad_to_max_output_size=True), [NEAR, SCORES],
    ),
    "non_max_suppression_padded without zeros": (
        chosen("non_max_suppression_padded", 5, 0.5, 0.55), [NEAR, SCORES],
    ),
    "non_max_suppression_padded of a batch": (
        chosen("non_max_suppression_padded", 4, 0.5, 0.4, pad_to_max_output_size=True),
        [np.stack([NEAR, NEAR[::-1] - 0.5]), np.stack([SCORES, SCORES])],
    ),
    "non_max_suppression_padded in order": (
        chosen("non_max_suppression_padded", 4, pad_to_max_output_size=True, sorted_input=True),
        [NEAR[None], SCORES[None]],
    ),
    "non_max_suppression_padded of a batch without zeros": (
        chosen("non_max_suppression_padded", 4), [NEAR[None], SCORES[None]],
    ),
    "combined_non_max_suppression": (
        chosen("combined_non_max_suppression", 3, 5), [NEAR[None, :, None], CLASSES],
    ),
    "combined_non_max_suppression, padded by class": (
        chosen("combined_non_max_suppression", 2, 5, pad_per_class=True, clip_boxes=False),
        [NEAR[None, :, None], CLASSES],
    ),
    "combined_non_max_suppression of boxes by class": (
        chosen("combined_non_max_suppression", 4, 6, 0.5, 0.4),
        [np.stack([NEAR, NEAR[::-1]], 1)[None], CLASSES],
    ),
    "combined_non_max_suppression of nothing": (
        chosen("combined_non_max_suppression", 0, 6), [NEAR[None, :, None], CLASSES],
    ),
    "combined_non_max_suppression of other classes": (
        chosen("combined_non_max_suppression", 3, 6),
        [np.stack([NEAR] * 3, 1)[None], CLASSES],
    ),
}  # fmt: skip
