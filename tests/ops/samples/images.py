"""Samples of images resized, in other colours, in patches, transformed."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import Table, array, case, f32, i32, i64, scalar, spread, whole

IMAGE = spread((2, 4, 5, 3), 0, 1)
NARROW = array("f32", IMAGE)
GREY = np.round(spread((2, 2, 3), 0, 1) * 2) / 2
PATCH: dict[str, Any] = {"ksizes": [1, 3, 2, 1], "strides": [1, 2, 1, 1], "rates": [1, 1, 2, 1]}
BLOCK: dict[str, Any] = {"ksizes": [1, 2, 3, 2, 1], "strides": [1, 2, 1, 1, 1]}
TURNED = f32([1.1, 0.2, -1.3, 0.1, 0.9, 0.7, 0.01, -0.02], [0.8, -0.3, 2.5, 0.2, 1.2, -3.1, 0, 0])
SEEN = array("f32", spread((2, 3, 7, 3)))
SIZES = i32(3, 7), i32(9, 2)
HALVES: dict[str, Any] = {"half_pixel_centers": True}
CORNERS: dict[str, Any] = {"align_corners": True}
OPTIONS: tuple[dict[str, Any], ...] = {}, HALVES, CORNERS
WAYS: tuple[dict[str, Any], ...] = {}, HALVES, HALVES, CORNERS


def resized(*more: Any, exact: bool = False) -> list[Any]:
    """Smaller and larger; `exact`: whole numbers keep their dtype."""
    tolerance = 1e-12 if exact else 4e-6
    return [
        *(case(NARROW, size, tolerance=tolerance, fixed=(1,)) for size in SIZES),
        case(whole((1, 3, 2, 1), 0, 200, "u8"), i32(5, 5), tolerance=tolerance),
        *more,
    ]


def centred(exact: bool = False) -> list[Any]:
    tolerance = 1e-12 if exact else 4e-6
    return [
        *(case(NARROW, size, tolerance=tolerance, half_pixel_centers=True) for size in SIZES),
        case(NARROW, i32(6, 1), tolerance=tolerance, align_corners=True),
    ]


def sampled(kernel: str, antialias: bool, size: Any) -> Any:
    scale = np.array(size / np.array([4, 5]), np.float32)
    return case(
        NARROW, size, scale, f32(0.0, 0.5), kernel_type=kernel, antialias=antialias, tolerance=2e-5
    )


# Sums of 1, 2, 5: 2 + 5; 2 * 5; nothing. The weights 9 and 7 are not read.
THREE_ROWS = f32([[1], [2], [5]])
READS = i64(1, 2, 0), i64(2, 1, 0), f32([1, 1], [2, 9], [7, 7])


SAMPLES: Table = {
    "ResizeNearestNeighbor": resized(*centred(True), exact=True),
    "ResizeNearestNeighborGrad": [
        case(NARROW, i32(3, 7), tolerance=1e-5, **options)
        for options in OPTIONS
    ],
    "ResizeBilinear": resized(*centred()),
    "ResizeBilinearGrad": [
        case(NARROW, array("f32", spread((2, 3, 7, 3), 0, 1)), tolerance=1e-5, **options)
        for options in OPTIONS
    ],
    "ResizeBicubic": [
        case(NARROW, size, tolerance=2e-5, **options)
        for options, size in zip(WAYS, 2 * SIZES, strict=True)
    ],
    "ResizeArea": [case(NARROW, size, tolerance=1e-5) for size in SIZES],
    "ScaleAndTranslate": [
        sampled("triangle", True, SIZES[0]), sampled("lanczos3", False, SIZES[1]),
        sampled("gaussian", True, SIZES[0]), sampled("mitchellcubic", True, SIZES[1]),
        sampled("keyscubic", False, SIZES[0]),
    ],
    "ResizeBicubicGrad": [
        case(SEEN, array(dtype, IMAGE), tolerance=2e-5, **options)
        for dtype, options in (("f32", {}), ("f32", HALVES), ("f64", CORNERS))
    ],
    "ScaleAndTranslateGrad": [
        case(SEEN, NARROW, f32(0.8, 1.5), f32(0.0, 0.5), kernel_type=kernel, antialias=antialias,
             tolerance=2e-5)
        for kernel, antialias in (("triangle", True), ("lanczos3", False), ("mitchellcubic", True))
    ],
    "SumWindows": [case(THREE_ROWS, *READS, expected=f32([[7], [10], [0]]))],
    "SpreadWindows": [
        case(
            THREE_ROWS, *READS, scalar(4, "i64"), fixed=(4,), expected=f32([[0], [1], [5], [0]])
        ),
    ],
    "ImageProjectiveTransformV2": [
        case(NARROW, TURNED, SIZES[0], interpolation=way, fill_mode=mode, tolerance=1e-5)
        for way, mode in (("NEAREST", "CONSTANT"), ("BILINEAR", "REFLECT"))
    ],
    "RGBToHSV": [case(IMAGE), case(GREY, smooth=False), case(NARROW, tolerance=1e-5)],
    "HSVToRGB": [case(IMAGE), case(GREY, smooth=False), case(NARROW, tolerance=1e-5)],
    "AdjustContrastv2": [case(NARROW, scalar(1.7, "f32"), tolerance=1e-5)],
    "AdjustHue": [case(NARROW, scalar(turn, "f32"), tolerance=1e-5) for turn in (0.3, -0.8)],
    "AdjustSaturation": [case(NARROW, scalar(by, "f32"), tolerance=1e-5) for by in (0.3, 3.0)],
    "ExtractImagePatches": [
        case(IMAGE, padding=padding, **PATCH) for padding in ("SAME", "VALID")
    ],
    "ExtractVolumePatches": [
        case(spread((1, 4, 3, 2, 2)), padding=padding, **BLOCK) for padding in ("SAME", "VALID")
    ],
    "ImageProjectiveTransformV3": [
        case(
            NARROW, TURNED, i32(3, 6), scalar(0.5, "f32"), interpolation=way, fill_mode=mode,
            tolerance=1e-5,
        )
        for way, mode in (
            ("NEAREST", "CONSTANT"), ("BILINEAR", "REFLECT"), ("BILINEAR", "WRAP"),
            ("NEAREST", "NEAREST"),
        )
    ] + [
        case(
            whole((1, 3, 2, 1), 0, 200, "u8"), TURNED[:1], i32(3, 6), scalar(7.0, "f32"),
            interpolation="NEAREST", fill_mode="CONSTANT",
        ),
    ],
}  # fmt: skip
