"""Samples of operations that are told in other ways elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import Table, array, case, f32, i32, i64, spread, whole

IMAGES = spread((2, 4, 6, 2))
FILTER = spread((2, 3, 2, 3))
VOLUMES, BLOCK = spread((1, 3, 4, 4, 2)), spread((2, 2, 2, 2, 2))
ROW, PAIR, BACK = (f32(values).reshape(1, 1, -1, 1) for values in ([1, 2, 3], [1, 1], [1, 10]))
ROWS = array("f32", spread((2, 3, 5)))
SHOWN = np.zeros((1, 2, 1, 1), np.float32)
ONES: dict[str, Any] = {"strides": [1, 1, 1, 1], "padding": "VALID"}
CUBES: dict[str, Any] = {"strides": [1, 1, 1, 1, 1], "padding": "SAME"}

SHIFTED: dict[str, Any] = {"strides": [1, 2, 1, 1], "rates": [1, 1, 2, 1]}
DENSE: dict[str, Any] = {"strides": [1, 1, 1, 1], "rates": [1, 1, 1, 1]}
RAISED = spread((2, 3, 2), seed=1)


def dilated(*upstream: Any) -> list[Any]:
    """`upstream`: the shapes of gradients of the four."""
    ways = (("SAME", SHIFTED), ("VALID", SHIFTED), ("SAME", DENSE), ("VALID", DENSE))
    return [
        case(IMAGES, RAISED, *(spread(shape, seed=2) for shape in shapes), padding=padding, **way)
        for (padding, way), shapes in zip(ways, upstream or [()] * 4, strict=True)
    ]


SUMS = ((2, 2, 6, 2),), ((2, 2, 2, 2),), ((2, 4, 6, 2),), ((2, 3, 4, 2),)


def sparse(shape: Any, values: Any, *places: Any) -> tuple[Any, ...]:
    return np.array(places, np.int64).reshape(-1, len(shape)), values, np.array(shape)


SAID = sparse((2, 2, 3), i32(1, 2, 3, 7), (0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 1, 0))
MEANT = sparse((3, 2, 2), i32(1, 3, 7, 8, 5), (0, 0, 0), (0, 0, 1), (1, 1, 0), (1, 1, 1), (2, 0, 1))
SPOKEN = sparse((1, 2), array("str", ["a", "b"]), (0, 0), (0, 1))
WRITTEN = sparse((1, 1), array("str", ["b"]), (0, 0))

PIXELS, BORDERS = spread((1, 5, 7, 2)), (i64(0, 2, 5), i64(0, 3, 5, 7))


# One cell is nearly everything, and the last ones do not go to the end.
UNEVEN = i64(0, 1, 4), i64(0, 5, 6, 7)


def highest(overlapping: bool, borders: Any = BORDERS) -> Any:
    """The largest elements of the cells between the borders."""
    rows, columns = (zip(one[:-1], one[1:] + overlapping, strict=True) for one in borders)
    wide = list(columns)
    return np.array([[PIXELS[0, a:b, c:d].max((0, 1)) for c, d in wide] for a, b in rows])[None]


SAMPLES: Table = {
    "EditDistance": [
        case(*SAID, *MEANT), case(*SAID, *MEANT, normalize=False), case(*MEANT, *SAID),
        case(*SPOKEN, *WRITTEN), case(*sparse((2, 0), i32()), *sparse((0, 0), i32())),
    ],
    "Dilation2D": [
        *dilated(), case(IMAGES[:, :1], RAISED, padding="VALID", **DENSE),
        case(whole((1, 3, 3, 1), 0, 99, "u8"), whole((2, 2, 1), 0, 9, "u8"),
                         padding="SAME", **DENSE),
    ],
    "Dilation2DTangent": [
        case(np.array([[[[1.0], [5], [2]]]]), np.zeros((1, 2, 1)),
             np.array([[[[10.0], [20], [30]]]]), np.array([[[0.5], [0.25]]]), padding="VALID",
             **DENSE, expected=np.array([[[[20.25], [20.5]]]])),
    ],
    "Dilation2DBackpropInput": dilated(*SUMS),
    "Dilation2DBackpropFilter": dilated(*SUMS),
    "ApproxTopK": [
        case(ROWS, k=2), case(array("f16", ROWS), k=5),
        case(f32([3, 1], [2, 5], [4, 0]), k=2, reduction_dimension=0, is_max_k=False,
             expected=(f32([2, 0], [3, 1]), i32([1, 2], [0, 0]))),
    ],
    "Conv": [
        case(IMAGES, FILTER, **ONES),
        case(IMAGES[None], FILTER, strides=[1, 2, 1, 1], padding="SAME", batch_dims=2),
        case(IMAGES[0], FILTER, batch_dims=0, dilations=[1, 2, 1, 1], **ONES),
        case(VOLUMES, BLOCK, **CUBES), case(whole((1, 3, 3, 1), -3, 3), whole((2, 2, 1, 1), -3, 3),
                                           **ONES),
    ],
    "Conv2DBackpropInputV2": [
        case(ROW * 0, PAIR.reshape(1, 2, 1, 1), BACK, **ONES,
             expected=f32(1, 11, 10).reshape(1, 1, 3, 1)),
        case(np.float64(ROW), np.float64(PAIR).reshape(1, 2, 1, 1), np.float64(BACK), **ONES,
             expected=np.array([1.0, 11, 10]).reshape(1, 1, 3, 1)),
    ],
    "Conv2DBackpropFilterV2": [
        case(ROW, SHOWN, BACK, **ONES, expected=f32(21, 32).reshape(1, 2, 1, 1)),
        case(np.float64(ROW), np.float64(SHOWN), np.float64(BACK), **ONES,
             expected=np.array([21.0, 32]).reshape(1, 2, 1, 1)),
    ],
    "IsotonicRegression": [
        case(array("f32", spread((3, 7)))),
        case(f32([3, 1, 2, 4, 1], [1, 2, 3, 2, 1]), smooth=False),
        case(i32([3, 1, 2, 4, 1], [1, 2, 3, 2, 1]), output_dtype="f64"),
        case(array("f64", spread((2, 5))), output_dtype="f64"), case(ROWS[:, 0, :0]),
    ],
    "FractionalMaxPoolGrad": [
        case(PIXELS, highest(overlapping), spread((1, 2, 3, 2)), *BORDERS, overlapping=overlapping)
        for overlapping in (False, True)
    ] + [
        case(PIXELS, highest(True, UNEVEN), spread((1, 2, 3, 2)), *UNEVEN, overlapping=True),
    ],
    "FractionalAvgPoolGrad": [
        case(i64(1, 5, 7, 2), spread((1, 2, 3, 2)), *borders, overlapping=overlapping)
        for overlapping in (False, True) for borders in (BORDERS, UNEVEN)
    ] + [case(i64(1, 5, 7, 2), whole((1, 2, 3, 2), -99, 99), *BORDERS)],
    "SpaceToBatch": [case(IMAGES, i32([1, 1], [0, 0]), fixed=(1,), block_size=2)],
    "BatchToSpace": [
        case(spread((8, 2, 3, 1)), i32([1, 0], [0, 2]), fixed=(1,), block_size=2),
        case(whole((9, 1, 2, 1), 0, 9), i32([0, 0], [1, 1]), fixed=(1,), block_size=3),
    ],
}  # fmt: skip
