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
WITHIN = np.array([[[0.1, 0.2, 0.6, 0.7], [0.3, 0.3, 0.9, 0.8]]], np.float32)
SIZE = np.array([50, 60, 3], np.int32)
POINTS = np.array([[0.2, -0.3], [1.5, 1.0]], np.float32)
SCORES = np.array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.7], np.float32)
CLASSES = np.stack([SCORES, SCORES[::-1]], -1)[None]


def cut(*size: int, **options: Any) -> Callable[..., Any]:
    return lambda tf, x, boxes, k: tf.image.crop_and_resize(x, boxes, k, size, **options)


def chosen(name: str, *arguments: Any, **options: Any) -> Callable[..., Any]:
    return lambda tf, boxes, scores: getattr(tf.image, name)(boxes, scores, *arguments, **options)


def glimpse(**options: Any) -> Callable[..., Any]:
    return lambda tf, x, points: tf.image.extract_glimpse(x, [3, 2], points, **options)


def distorted(**options: Any) -> Callable[..., Any]:
    """Parts of an image for several seeds."""

    def call(tf: Any, size: Any, boxes: Any) -> Any:
        function = tf.image.stateless_sample_distorted_bounding_box
        return [function(size, boxes, seed=(seed, 5), **options) for seed in range(3)]

    return call


def distorted_anew(tf: Any, size: Any, boxes: Any) -> Any:
    tf.random.set_seed(4)
    function, raw = tf.image.sample_distorted_bounding_box, tf.raw_ops.SampleDistortedBoundingBox
    return [
        function(size, boxes, seed=3),
        function(size, boxes, seed=3, min_object_covered=0.9, area_range=(0.3, 1.0)),
        raw(image_size=size, bounding_boxes=boxes, seed=1, seed2=2, min_object_covered=0.5),
    ]


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
    "non_max_suppression_padded, the first tile": (
        chosen("non_max_suppression_padded", 5, 0.0, tile_size=2), [NEAR, SCORES],
    ),
    "non_max_suppression_padded, the first tile in order": (
        chosen("non_max_suppression_padded", 5, 0.0, 0.4, sorted_input=True, tile_size=2),
        [NEAR, SCORES],
    ),
    "non_max_suppression_padded, everything": (
        chosen("non_max_suppression_padded", 5, 0.0, pad_to_max_output_size=True), [NEAR, SCORES],
    ),
    "non_max_suppression_padded, overlaps that nothing reaches": (
        chosen("non_max_suppression_padded", 5, 1.5, pad_to_max_output_size=True), [NEAR, SCORES],
    ),
    "non_max_suppression_padded, equal boxes": (
        chosen("non_max_suppression_padded", 3, 1.0, pad_to_max_output_size=True),
        [np.repeat(NEAR[:2], 2, 0), SCORES[:4]],
    ),
    "non_max_suppression_padded in order of infinite scores": (
        chosen("non_max_suppression_padded", 3, pad_to_max_output_size=True, sorted_input=True),
        [NEAR[:4], np.array([np.inf, 3, 2, 1], np.float32)],
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
    **{
        f"extract_glimpse, {centered}, {normalized}": (
            glimpse(centered=centered, normalized=normalized, noise="zero"), [IMAGE, POINTS],
        )
        for centered in (True, False)
        for normalized in (True, False)
    },
    "extract_glimpse within": (glimpse(noise="zero"), [IMAGE, POINTS * 0]),
    "extract_glimpse of other noise": (glimpse(noise="salt"), [IMAGE, POINTS]),
    "extract_glimpse of one point": (glimpse(noise="zero"), [IMAGE, POINTS[:1]]),
    "draw_bounding_boxes": (
        lambda tf, x, boxes: tf.image.draw_bounding_boxes(x, boxes, [[0.5], [2.0]]),
        [IMAGE, np.stack([FRAMES, FRAMES * 0.5])],
    ),
    "draw_bounding_boxes of bytes": (
        lambda tf, x, boxes: tf.image.draw_bounding_boxes(x, boxes, [[9.0]]),
        [(IMAGE[:1] * 255).astype(np.uint8), FRAMES[None]],
    ),
    "draw_bounding_boxes in usual colors": (
        lambda tf, x, boxes: tf.image.draw_bounding_boxes(x, boxes, None),
        [IMAGE.reshape(1, 2, 5, 4), FRAMES[None]],
    ),
    "draw_bounding_boxes of two channels": (
        lambda tf, x, boxes: tf.image.draw_bounding_boxes(x, boxes, None),
        [IMAGE.reshape(1, 4, 5, 2), FRAMES[None]],
    ),
    "draw_bounding_boxes of other batches": (
        lambda tf, x, boxes: tf.image.draw_bounding_boxes(x, boxes, [[9.0]]),
        [IMAGE, FRAMES[None]],
    ),
    "stateless_sample_distorted_bounding_box": (distorted(), [SIZE, WITHIN]),
    "stateless_sample_distorted_bounding_box of ranges": (
        distorted(
            min_object_covered=0.8, aspect_ratio_range=(0.5, 1.0), area_range=(0.5, 0.9),
            max_attempts=10,
        ),
        [SIZE, WITHIN],
    ),
    "stateless_sample_distorted_bounding_box without boxes": (
        distorted(use_image_if_no_bounding_boxes=True), [SIZE.astype(np.int64), WITHIN[:, :0]],
    ),
    "stateless_sample_distorted_bounding_box of no box": (distorted(), [SIZE, WITHIN[:, :0]]),
    "stateless_sample_distorted_bounding_box beyond": (distorted(), [SIZE, WITHIN * 2]),
    "stateless_sample_distorted_bounding_box of no range": (
        distorted(area_range=(0.0, 1.0)), [SIZE, WITHIN],
    ),
    "sample_distorted_bounding_box": (distorted_anew, [SIZE, WITHIN]),
}  # fmt: skip
