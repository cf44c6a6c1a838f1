"""Samples of convolutions, pooling and blocks of space."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import Table, array, case, f32, f64, i32, i64, spread, whole

IMAGE, FILTER = spread((2, 5, 4, 3)), spread((3, 2, 3, 4), -1, 1, 2)
VOLUME, CUBE = spread((1, 3, 4, 3, 2)), spread((2, 2, 2, 2, 3), -1, 1, 2)
DEEP = spread((2, 2, 1, 3, 2), -1, 1, 4)
ONE, TWO, HIGH = [1, 1, 1, 1], [1, 2, 2, 1], [1, 2, 1, 1]
EXPLICIT: dict[str, Any] = {"padding": "EXPLICIT", "explicit_paddings": [0, 0, 1, 2, 0, 1, 0, 0]}


def dims(*sizes: int) -> Any:
    return np.array(sizes, np.int32)


def images(*more: Any) -> list[Any]:
    """The three operations' attributes: padding, strides, dilations."""
    return [
        {"strides": HIGH, "padding": "VALID"},
        {"strides": TWO, "padding": "SAME"},
        {"strides": ONE, "padding": "VALID", "dilations": HIGH},
        {"strides": TWO, **EXPLICIT},
        *more,
    ]


def output_of(attrs: dict[str, Any]) -> tuple[int, int]:
    """The spatial sizes of IMAGE's convolution with FILTER."""
    found: list[int] = []
    rates = attrs.get("dilations", ONE)
    margins = attrs.get("explicit_paddings", [0] * 8)
    for axis in (1, 2):
        size, stride = IMAGE.shape[axis], attrs["strides"][axis]
        reach = (FILTER.shape[axis - 1] - 1) * rates[axis]
        room = size + margins[2 * axis] + margins[2 * axis + 1] - reach
        found.append(-(-(size if attrs["padding"] == "SAME" else room) // stride))
    return found[0], found[1]


def gradient_of(attrs: dict[str, Any], channels: int) -> Any:
    return spread((2, *output_of(attrs), channels), -1, 1, 5)


def shorter(*operands: Any, dilations: Any = ONE, **attrs: Any) -> Any:
    """A sample; in float32 if windows are dilated: TensorFlow has no others."""
    fewer = [one if dilations == ONE or one.dtype == np.int32 else array("f32", one)
             for one in operands]  # fmt: skip
    return case(*fewer, dilations=dilations, **attrs)


DEPTHWISE = spread((3, 2, 3, 2), -1, 1, 3)
# TensorFlow's depthwise convolutions have one stride for both axes.
EVEN = [attrs for attrs in images() if attrs["strides"] != HIGH]
EVEN[1] = {**EVEN[1], "dilations": TWO}
UNDILATED = [attrs for attrs in EVEN if "dilations" not in attrs]
POOLED: list[dict[str, Any]] = [
    {"ksize": [1, 2, 2, 1], "strides": TWO, "padding": "VALID"},
    {"ksize": [1, 3, 2, 1], "strides": TWO, "padding": "SAME"},
    {"ksize": [1, 5, 4, 1], "strides": ONE, "padding": "SAME"},
]
DEEP = spread((2, 1, 2, 4))
DEPTH: dict[str, Any] = {"ksize": [1, 1, 1, 2], "strides": [1, 1, 1, 2], "padding": "VALID"}
POOLED_VOLUMES: list[dict[str, Any]] = [
    {"ksize": [1, 2, 2, 1, 1], "strides": [1, 2, 2, 1, 1], "padding": "SAME"},
    {"ksize": [1, 3, 3, 3, 1], "strides": [1, 1, 1, 1, 1], "padding": "VALID"},
]


def largest(x: Any, attrs: dict[str, Any]) -> Any:
    """The largest elements, found one by one."""
    kernel, strides = attrs["ksize"][1:-1], attrs["strides"][1:-1]
    counts, befores = [], []
    for size, k, stride in zip(x.shape[1:-1], kernel, strides, strict=True):
        same = attrs["padding"] == "SAME"
        count = -(-size // stride) if same else (size - k) // stride + 1
        counts.append(count)
        befores.append(max(0, (count - 1) * stride + k - size) // 2 if same else 0)
    result = np.zeros((x.shape[0], *counts, x.shape[-1]), x.dtype)
    for place in np.ndindex(*counts):
        seen = tuple(
            slice(max(0, i * stride - before), max(0, i * stride - before + k))
            if i * stride >= before
            else slice(0, k - before + i * stride)
            for i, stride, before, k in zip(place, strides, befores, kernel, strict=True)
        )
        axes = tuple(range(1, x.ndim - 1))
        result[(slice(None), *place)] = x[(slice(None), *seen)].max(axes)
    return result


def of_pool(x: Any, attrs: dict[str, Any]) -> Any:
    """The input, its largest elements, and a gradient of these."""
    y = largest(x, attrs)
    return x, y, spread(y.shape, -1, 1, 6).astype(x.dtype)


def like_input(x: Any, attrs: dict[str, Any]) -> Any:
    return x, largest(x, attrs), spread(x.shape, -1, 1, 6).astype(x.dtype)


def pooled(attrs: dict[str, Any], channels: int = 3) -> Any:
    return spread((*largest(IMAGE, attrs).shape[:3], channels), -1, 1, 6)


BATCH = spread((2, 4, 6, 2))

NORMED = array("f32", spread((2, 4, 3, 3)))
VECTORS = f32(0.5, 2.0, -1.0), f32(0.1, 0.0, 1.0)
MOMENTS = f32(0.2, -0.1, 0.0), f32(1.5, 0.7, 2.0)

SAMPLES: Table = {
    "Conv2D": [
        *(shorter(IMAGE, FILTER, **attrs) for attrs in images()),
        case(spread((1, 4, 4, 2)), spread((1, 1, 2, 3), seed=1), strides=TWO, padding="VALID"),
        case(array("f16", IMAGE), array("f16", FILTER), strides=TWO, padding="SAME"),
        case(
            array("f32", spread((1, 4, 4, 4))), array("f32", spread((3, 3, 2, 6))), strides=ONE,
            padding="SAME",
        ),
        case(
            i32([[[1], [2]], [[3], [4]]]), i32([[[1]], [[10]]]), strides=ONE, padding="VALID",
            expected=i32([[[21]], [[43]]]),
        ),
        case(
            array("f32", spread((1, 3, 4, 4))), array("f32", FILTER), strides=ONE, padding="SAME",
            data_format="NCHW",
        ),
        case(spread((0, 5, 4, 3)), FILTER, strides=ONE, padding="SAME"),
    ],
    "Conv2DBackpropInput": [
        *(
            shorter(dims(*IMAGE.shape), FILTER, gradient_of(attrs, 4), fixed=(0,), **attrs)
            for attrs in images()
        ),
    ],
    "Conv2DBackpropFilter": [
        *(
            shorter(IMAGE, dims(*FILTER.shape), gradient_of(attrs, 4), fixed=(1,), **attrs)
            for attrs in images()
        ),
        case(
            spread((3, 20, 20, 3)), dims(3, 2, 3, 20),
            spread((3, 20, 20, 20), -1, 1, 3), strides=ONE, padding="SAME",
            smooth=False,
        ),
    ],
    "Conv3D": [
        case(VOLUME, CUBE, strides=[1] * 5, padding="VALID"),
        case(VOLUME, CUBE, strides=[1, 1, 2, 2, 1], padding="SAME"),
    ],
    "Conv3DBackpropInputV2": [
        case(dims(*VOLUME.shape), CUBE, spread((1, 2, 3, 2, 3), seed=4), strides=[1] * 5,
             padding="VALID", fixed=(0,)),
        case(dims(*VOLUME.shape), CUBE, spread((1, 3, 2, 2, 3), seed=4), fixed=(0,),
             strides=[1, 1, 2, 2, 1], padding="SAME"),
    ],
    "Conv3DBackpropFilterV2": [
        case(VOLUME, dims(*CUBE.shape), spread((1, 2, 3, 2, 3), seed=4), strides=[1] * 5,
             padding="VALID", fixed=(1,)),
        case(VOLUME, dims(*CUBE.shape), spread((1, 3, 2, 2, 3), seed=4), fixed=(1,),
             strides=[1, 1, 2, 2, 1], padding="SAME"),
    ],
    "DepthwiseConv2dNative": [
        *(shorter(IMAGE, DEPTHWISE, **attrs) for attrs in EVEN),
        case(IMAGE, spread((3, 3, 3, 1), seed=1), strides=ONE, padding="SAME"),
        case(array("f32", IMAGE), array("f32", spread((6, 5, 3, 1))), strides=ONE, padding="SAME"),
        case(array("f16", IMAGE), array("f16", DEPTHWISE), strides=ONE, padding="SAME"),
    ],
    "DepthwiseConv2dNativeBackpropInput": [
        *(
            shorter(dims(*IMAGE.shape), DEPTHWISE, gradient_of(attrs, 6), fixed=(0,), **attrs)
            for attrs in UNDILATED
        ),
    ],
    "DepthwiseConv2dNativeBackpropFilter": [
        *(
            shorter(IMAGE, dims(*DEPTHWISE.shape), gradient_of(attrs, 6), fixed=(1,), **attrs)
            for attrs in UNDILATED
        ),
        case(IMAGE, dims(3, 2, 3, 1), gradient_of(EVEN[0], 3), fixed=(1,), **EVEN[0]),
    ],
    "MaxPool": [
        *(case(IMAGE, **attrs) for attrs in POOLED),
        case(whole((1, 5, 5, 2), 0, 3), **POOLED[1]),
        case(array("f16", IMAGE), **POOLED[1]),
        case(array("f32", IMAGE), ksize=[1, 3, 3, 1], strides=TWO, **EXPLICIT),
        case(DEEP, **DEPTH, expected=DEEP.reshape(2, 1, 2, 2, 2).max(-1)),
    ],
    "MaxPoolGrad": [
        *(case(*of_pool(IMAGE, attrs), **attrs) for attrs in POOLED),
        case(*of_pool(whole((1, 5, 4, 3), 0, 3, "f32"), POOLED[1]), **POOLED[1]),
        case(
            f32([[[1, 3, 5, 4]]]), f32([[[3, 5]]]), f32([[[7, 8]]]), **DEPTH,
            expected=f32([[[0, 7, 8, 0]]]),
        ),
    ],
    "MaxPoolGradGrad": [
        *(case(*like_input(IMAGE, attrs), **attrs) for attrs in POOLED),
        case(*like_input(whole((1, 5, 4, 3), 0, 3, "f32"), POOLED[1]), **POOLED[1]),
    ],
    "MaxPool3D": [case(array("f32", VOLUME), **attrs) for attrs in POOLED_VOLUMES],
    "MaxPool3DGrad": [
        case(*of_pool(array("f32", VOLUME), attrs), **attrs) for attrs in POOLED_VOLUMES
    ],
    "MaxPool3DGradGrad": [
        case(*like_input(array("f32", VOLUME), attrs), **attrs) for attrs in POOLED_VOLUMES
    ],
    "AvgPool": [
        *(case(IMAGE, **attrs) for attrs in POOLED), case(array("f16", IMAGE), **POOLED[1]),
    ],
    "AvgPoolGrad": [
        *(case(dims(*IMAGE.shape), pooled(attrs), fixed=(0,), **attrs) for attrs in POOLED),
        case(dims(*IMAGE.shape), array("f16", pooled(POOLED[1])), **POOLED[1]),
    ],
    "AvgPool3D": [case(array("f32", VOLUME), **attrs) for attrs in POOLED_VOLUMES],
    "AvgPool3DGrad": [
        case(
            dims(*VOLUME.shape), array("f32", spread(largest(VOLUME, attrs).shape)), fixed=(0,),
            **attrs,
        )
        for attrs in POOLED_VOLUMES
    ],
    "MaxPoolWithArgmax": [
        case(IMAGE, Targmax="i64", **POOLED[1]),
        case(IMAGE, Targmax="i32", include_batch_in_index=True, **POOLED[0]),
    ],
    "MaxPoolGradWithArgmax": [
        case(
            spread((2, 4, 4, 1)), spread((2, 2, 2, 1), seed=2),
            i64([[[0], [2]], [[9], [15]]], [[[5], [3]], [[12], [10]]]), ksize=[1, 2, 2, 1],
            strides=TWO, padding="VALID",
        ),
        case(
            spread((2, 2, 2, 1)), spread((2, 1, 1, 1), seed=2), i64([[[3]]], [[[4]]]),
            ksize=[1, 2, 2, 1], strides=TWO, padding="VALID", include_batch_in_index=True,
        ),
    ],
    "MaxPoolGradGradWithArgmax": [
        case(
            spread((2, 4, 4, 1)), spread((2, 4, 4, 1), seed=2),
            i64([[[0], [2]], [[9], [15]]], [[[5], [3]], [[12], [10]]]), ksize=[1, 2, 2, 1],
            strides=TWO, padding="VALID",
            expected=spread((2, 4, 4, 1), seed=2).reshape(2, 16)[
                [[0], [1]], [[0, 2, 9, 15], [5, 3, 12, 10]]
            ].reshape(2, 2, 2, 1),
        ),
    ],
    "SpaceToDepth": [
        case(BATCH, block_size=2),
        case(
            array("str", [[[[b"a"], [b"b"]], [[b"c"], [b"d"]]]]), block_size=2,
            expected=array("str", [[[[b"a", b"b", b"c", b"d"]]]]),
        ),
    ],
    "DepthToSpace": [case(spread((2, 3, 2, 8)), block_size=2), case(spread((1, 2, 2, 9)),
                                                                    block_size=3)],
    "SpaceToBatchND": [
        case(BATCH, i32(2, 3), i32([0, 0], [0, 0]), fixed=(1, 2)),
        case(BATCH, i32(2, 3), i64([1, 1], [0, 3]), fixed=(1, 2)),
        case(f64([1, 2, 3], [4, 5, 6]), i32(2), i32([1, 0]), fixed=(1, 2)),
    ],
    "BatchToSpaceND": [
        case(spread((12, 2, 3, 2)), i32(2, 3), i32([0, 0], [0, 0]), fixed=(1, 2)),
        case(spread((12, 2, 3, 2)), i32(2, 3), i64([1, 1], [0, 3]), fixed=(1, 2)),
    ],
    "FusedBatchNormV3": [
        case(NORMED, *VECTORS, f32(), f32(), tolerance=1e-5),
        case(NORMED, *VECTORS, *MOMENTS, is_training=False, tolerance=1e-5),
        case(NORMED, *VECTORS, *MOMENTS, exponential_avg_factor=0.25, tolerance=1e-5),
        case(
            array("f32", spread((2, 3, 2, 4))), *VECTORS, f32(), f32(), data_format="NCHW",
            tolerance=1e-5,
        ),
    ],
    "FusedBatchNormGradV3": [
        case(
            array("f32", spread((2, 4, 3, 3), seed=3)), NORMED, f32(0.5, 2.0, -1.0), *MOMENTS,
            f32(), is_training=trained, tolerance=1e-4,
        )
        for trained in (True, False)
    ],
    "LRN": [
        case(array("f32", spread((1, 2, 2, 7))), tolerance=1e-5),
        case(
            array("f32", spread((1, 2, 2, 7))), depth_radius=1, bias=2.0, alpha=0.5, beta=0.75,
            tolerance=1e-5,
        ),
    ],
    "LRNGrad": [
        case(
            array("f32", spread((1, 1, 2, 5), seed=2)), array("f32", spread((1, 1, 2, 5))),
            array("f32", spread((1, 1, 2, 5), seed=4)), depth_radius=2, tolerance=1e-5,
        ),
    ],
}  # fmt: skip
