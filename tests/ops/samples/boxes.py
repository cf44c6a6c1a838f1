"""Samples of boxes in images: cut out, drawn, chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import INF, NAN, Table, array, case, f32, i32, i64, scalar, spread, whole

IMAGE = array("f32", spread((2, 4, 5, 3), 0, 1))
# Within the image, partly outside, mirrored, wholly outside.
FRAMES = f32([0, 0, 1, 1], [0.13, 0.21, 0.77, 1.4], [0.9, 0.83, 0.1, 0.05], [1.2, -3, 2, -2])
OF_IMAGES = i32(0, 1, 1, 0)
CROPS = array("f32", spread((4, 3, 2, 3)))


# Five beside each other, some of them twice; corners in any order.
NEAR = f32(
    [0, 0, 1, 1],
    [0, 0.1, 1, 1.1],
    [1, 0.9, 0, -0.1],
    [0, 10, 1, 11],
    [0, 10.1, 1, 11.1],
    [0, 100, 1, 101],
    [3, 3, 3, 4],
    [0, 0.3, 1, 1.3],
)
SCORES = f32(0.9, 0.75, 0.6, 0.95, 0.5, 0.3, 0.7, 0.75)
HALF, FEW, MANY = scalar(0.5, "f32"), scalar(3), scalar(20)
LOW = scalar(0.4, "f32")


def narrow(*operands: Any) -> list[Any]:
    return [array("f16", one) if one.dtype == np.float32 else one for one in operands]


# Some reach beyond the image, some have their corners in another order.
OUTLINES = f32(
    [0.1, 0.1, 0.8, 0.9],
    [-0.2, 0.3, 0.5, 1.3],
    [0.8, 0.2, 0.3, 0.7],
    [1.1, 0.1, 1.4, 0.4],
    [-1, -1, -0.1, -0.1],
    [0.5, 0.5, 0.5, 0.5],
)
WITHIN = f32([[0.1, 0.2, 0.6, 0.7], [0.3, 0.3, 0.9, 0.8]])


def drawn(depth: int, dtype: str, *colors: Any) -> Any:
    image = array(dtype, spread((2, 7, 9, depth), 0, 1))
    return case(image, np.stack([OUTLINES, OUTLINES[::-1] * 0.9]), *colors, smooth=False)


def seen() -> list[Any]:
    """Noise is never the same."""
    return [
        case(IMAGE, i32(3, 2), f32([0.2, -0.3], [1.5, 1.0]), centered=centered, smooth=False,
             normalized=normalized, noise="zero", uniform_noise=False)
        for centered in (True, False)
        for normalized in (True, False)
    ]  # fmt: skip


def combined(
    *, q: int = 1, boxes: int = 6, classes: int = 3, per_class: int = 2, total: int = 4,
    threshold: float = 0.1, **options: Any,
) -> Any:  # fmt: skip
    corners = array("f32", spread((2, boxes, q if classes else 1, 4), -0.3, 1.3))
    scores = array("f32", spread((2, boxes, classes), 0, 1, seed=2))
    numbers = scalar(per_class), scalar(total), scalar(0.2, "f32"), scalar(threshold, "f32")
    return case(corners, scores, *numbers, **options)


def cut(image: Any, size: Any, **options: Any) -> Any:
    # The boxes have a gradient of TensorFlow's, which jumps at pixels.
    return case(image, FRAMES, OF_IMAGES, size, smooth=False, tolerance=1e-5, **options)


SAMPLES: Table = {
    "CropAndResize": [
        cut(IMAGE, i32(3, 2)), cut(IMAGE, i32(1, 4), extrapolation_value=0.5),
        cut(IMAGE, i32(6, 7), method="nearest"), cut(whole((2, 3, 4, 1), 0, 255, "u8"), i32(2, 3)),
        cut(np.array(IMAGE, np.float64), i32(2, 2)),
    ],
    "CropAndResizeGradImage": [
        case(CROPS, FRAMES, OF_IMAGES, i32(2, 4, 5, 3), T=dtype, method=method, smooth=False,
             tolerance=2e-3 if dtype == "f16" else 1e-5)
        for dtype, method in (("f32", "bilinear"), ("f64", "nearest"), ("f16", "bilinear"))
    ] + [
        case(CROPS[:, :1], FRAMES, OF_IMAGES, i32(3, 6, 1, 3), T="f32", smooth=False,
             tolerance=1e-5),
    ],
    "CropAndResizeGradBoxes": [
        case(CROPS, IMAGE, FRAMES, OF_IMAGES, tolerance=2e-5),
        case(CROPS[:, :1], IMAGE, FRAMES, OF_IMAGES, tolerance=2e-5),
    ],
    "NonMaxSuppression": [case(NEAR, SCORES, MANY), case(NEAR, SCORES, FEW, iou_threshold=0.9)],
    "NonMaxSuppressionV2": [
        case(NEAR, SCORES, MANY, HALF), case(*narrow(NEAR, SCORES, FEW), HALF),
        case(NEAR[:0], SCORES[:0], FEW, HALF),
    ],
    "NonMaxSuppressionV3": [
        case(NEAR, SCORES, FEW, HALF, LOW), case(NEAR, SCORES, MANY, HALF, scalar(0.6, "f32")),
        case(NEAR, SCORES, scalar(0), HALF, LOW), case(NEAR, SCORES * 0, FEW, HALF, HALF),
        case(NEAR, f32(NAN, INF, -INF, 1, 1, NAN, 1, INF), MANY, HALF, scalar(-INF, "f32")),
    ],
    "NonMaxSuppressionV4": [
        case(NEAR, SCORES, MANY, HALF, LOW, fixed=(2,), pad_to_max_output_size=padded)
        for padded in (False, True)
    ],
    "NonMaxSuppressionV5": [
        case(NEAR, SCORES, size, HALF, LOW, scalar(sigma, "f32"), pad_to_max_output_size=padded)
        for size, sigma, padded in (
            (MANY, 0.5, False), (MANY, 0.0, True), (FEW, 0.1, False), (FEW, 2.0, True),
        )
    ] + [case(*narrow(NEAR, SCORES, MANY, HALF, LOW, HALF), tolerance=2e-3)],
    "CombinedNonMaxSuppression": [
        combined(per_class=2, total=4), combined(per_class=3, total=20, clip_boxes=False),
        combined(per_class=2, total=20, pad_per_class=True), combined(q=3, total=5, threshold=0.5),
        combined(boxes=0, total=2), combined(classes=0, total=2),
    ],
    "DrawBoundingBoxes": [drawn(depth, "f32") for depth in (1, 3)],
    "DrawBoundingBoxesV2": [
        drawn(3, "f32", array("f32", spread((2, 4), 0, 1))), drawn(1, "f16", f32([2], [3], [4])),
        drawn(4, "f32", f32().reshape(0, 4)),
        case(IMAGE[:, :0], f32([[0, 0, 1, 1]], [[0, 0, 1, 1]]), f32([1, 2, 3])),
    ],
    "StatelessSampleDistortedBoundingBox": [
        case(array("u8", [50, 60, 3]), WITHIN, LOW, i32(1, seed)) for seed in range(3)
    ] + [
        case(i64(20, 9, 3), WITHIN[:, :0], LOW, i64(1, 2), use_image_if_no_bounding_boxes=True),
        case(i64(20, 9, 3), WITHIN[:, :0], scalar(1.0, "f32"), i64(1, 2), max_attempts=5,
             use_image_if_no_bounding_boxes=True),
        case(i32(7, 3, 3), WITHIN, HALF, i32(2, 3), aspect_ratio_range=[1.0, 1.5],
             area_range=[0.1, 0.3], max_attempts=3),
    ],
    "ExtractGlimpse": seen(),
    "ExtractGlimpseV2": [
        *seen(),
        case(IMAGE, i32(7, 9), f32([0, 0], [0.3, -0.4]), noise="zero", uniform_noise=False),
    ],
    "NonMaxSuppressionWithOverlaps": [
        case(array("f32", spread((8, 8), 0, 1)), SCORES, size, HALF, LOW) for size in (FEW, MANY)
    ],
}  # fmt: skip
