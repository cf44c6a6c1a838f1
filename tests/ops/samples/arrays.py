"""Samples of operations that make, move, join and cut arrays."""

from __future__ import annotations

from typing import Any

from .sample import Table, array, bools, case, f32, f64, i32, i64, scalar, spread, unit, whole

X, CUBE = spread((2, 3)), spread((2, 3, 4))
TEXTS = array("str", [["a", "b", "c"], ["d", "e", "f"]])
NOTHING = spread((0, 3))


def updated(operand: Any, update: Any, *starts: int) -> Any:
    """`operand` with `update` written into it from `starts` on."""
    changed = operand.copy()
    places = zip(starts, update.shape, strict=True)
    changed[tuple(slice(start, start + size) for start, size in places)] = update
    return changed


SAMPLES: Table = {
    "BroadcastTo": [
        case(X, i32(2, 3), fixed=(1,)), case(spread(3), i32(2, 3), fixed=(1,)),
        case(spread((2, 1)), i64(4, 2, 3), fixed=(1,)), case(scalar(1.5, "f64"), i32(2, 2)),
        case(spread((1, 3)), i32(0, 3), fixed=(1,)), case(TEXTS[0], i32(2, 3)),
    ],
    "BroadcastArgs": [case(i32(2, 1), i32(3)), case(i64(4, 1, 2), i64(3, 1)), case(i32(), i32(5))],
    "SumToShape": [
        case(X, i32(2, 3), expected=X, fixed=(1,)), case(X, i32(3), expected=X.sum(0), fixed=(1,)),
        case(X, i32(2, 1), expected=X.sum(1, keepdims=True), fixed=(1,)),
        case(CUBE, i32(3, 1), expected=CUBE.sum((0, 2))[:, None]),
        case(CUBE, i32(), expected=CUBE.sum()), case(NOTHING, i32(3), expected=NOTHING.sum(0)),
    ],
    "Shape": [case(CUBE), case(CUBE, out_type="i64"), case(scalar(1)), case(TEXTS), case(NOTHING)],
    "Size": [case(CUBE), case(CUBE, out_type="i64"), case(scalar(1)), case(NOTHING)],
    "Rank": [case(CUBE), case(scalar(1)), case(TEXTS)],
    "Reshape": [
        case(CUBE, i32(4, 6), fixed=(1,)), case(CUBE, i32(-1), fixed=(1,)),
        case(CUBE, i64(3, -1, 2)),
        case(X, i32(1, 6, 1), fixed=(1,)), case(f64(2.5), i32(), fixed=(1,)),
        case(NOTHING, i32(3, 0), fixed=(1,)), case(TEXTS, i32(6), fixed=(1,)),
        case(spread((6, 4)), i32(2, 3, 4)),
    ],
    "ExpandDims": [
        case(X, scalar(0), fixed=(1,)), case(X, scalar(-1), fixed=(1,)),
        case(X, i64(1), fixed=(1,)),
        case(scalar(1.5, "f64"), scalar(0), fixed=(1,)),
    ],
    "Squeeze": [
        case(spread((1, 3, 1))), case(spread((1, 3, 1)), squeeze_dims=[0]),
        case(spread((1, 3, 1)), squeeze_dims=[-1, 0]), case(X), case(spread((1, 1))),
    ],
    "EnsureShape": [
        case(X, shape=[2, 3]), case(X, shape=[None, 3]), case(X, shape=None),
        case(scalar(1), shape=[]),
    ],
    "Transpose": [
        case(CUBE, i32(2, 0, 1), fixed=(1,)), case(X, i32(1, 0), fixed=(1,)),
        case(CUBE, i64(0, 2, 1), fixed=(1,)),
        case(spread(3), i32(0), fixed=(1,)), case(scalar(1.5, "f64"), i32(), fixed=(1,)),
        case(TEXTS, i32(1, 0), fixed=(1,)), case(unit((2, 2)), i32(1, 0), fixed=(1,)),
    ],
    "InvertPermutation": [
        case(i32(2, 0, 1)), case(i64()), case(i32(3, 4, 0, 2, 1)),
    ],
    "ConcatV2": [
        case((X, X), scalar(0), fixed=(1,)), case((X, spread((2, 1)), X), scalar(1), fixed=(1,)),
        case((X, NOTHING), scalar(0), fixed=(1,)),
        case((CUBE, spread((2, 1, 4))), scalar(-2, "i64"), fixed=(1,)),
        case((TEXTS, TEXTS), scalar(1), fixed=(1,)),
        case((i32(1), i32(2, 3)), scalar(0), fixed=(1,)),
    ],
    "Pack": [
        case((X, 2 * X)), case((X, 2 * X), axis=1), case((X, X, X), axis=-1),
        case((scalar(1.5, "f64"), scalar(2.5, "f64"))), case((NOTHING,)), case((TEXTS, TEXTS)),
    ],
    "Unpack": [
        case(X, num=2), case(X, num=3, axis=1), case(CUBE, num=4, axis=-1), case(spread(2), num=2),
        case(NOTHING, num=0), case(TEXTS, num=2),
    ],
    "Split": [
        case(scalar(1), spread((2, 6)), num_split=3, fixed=(0,)),
        case(scalar(0), X, num_split=2, fixed=(0,)),
        case(scalar(-1), CUBE, num_split=1, fixed=(0,)),
        case(scalar(1), TEXTS, num_split=3, fixed=(0,)),
    ],
    "SplitV": [
        case(X, i32(1, 2), scalar(1), num_split=2, fixed=(1, 2)),
        case(X, i64(2, -1), scalar(-1), num_split=2, fixed=(1, 2)),
        case(X, i32(0, 1, 1), scalar(0), num_split=3, fixed=(2,)),
    ],
    "Slice": [
        case(X, i32(0, 1), i32(2, 2), fixed=(1, 2)), case(X, i32(1, 0), i32(-1, -1), fixed=(1, 2)),
        case(CUBE, i64(1, 0, 2), i64(1, -1, 2)), case(X, i32(2, 0), i32(0, 3)),
        case(TEXTS, i32(0, 1), i32(1, -1)),
    ],
    "StridedSlice": [
        case(X, i32(0), i32(1), i32(1), shrink_axis_mask=1, fixed=(1, 2, 3)),
        case(X, i32(-1), i32(0), i32(1), shrink_axis_mask=1, fixed=(1, 2, 3)),
        case(X, i32(0, 0), i32(0, 0), i32(1, -1), begin_mask=3, end_mask=3, fixed=(1, 2, 3)),
        case(CUBE, i32(0, 0, 1), i32(0, 0, 3), i32(1, 2, 1), begin_mask=3, end_mask=3, fixed=(3,)),
        case(CUBE, i32(0, 1), i32(0, 2), i32(1, 1), ellipsis_mask=1, shrink_axis_mask=2,
             fixed=(3,)),
        case(CUBE, i32(0, 0, -1), i32(0, 0, -4), i32(1, 1, -2), ellipsis_mask=1, new_axis_mask=2,
             fixed=(3,)),
        case(spread(7), i32(6), i32(0), i32(-2), fixed=(3,)),
        case(spread(7), i32(100), i32(-100), i32(-3), fixed=(3,)),
        case(spread(7), i32(5), i32(2), i32(1), fixed=(3,)),
        case(spread(7), i64(-3), i64(-1), i64(1), fixed=(3,)),
        case(X, i32(0), i32(0), i32(1), new_axis_mask=1, fixed=(3,)),
        case(TEXTS, i32(1), i32(2), i32(1), shrink_axis_mask=1, fixed=(1, 2, 3)),
        case(NOTHING, i32(0), i32(2), i32(1), fixed=(3,)),
    ],
    "XlaDynamicSlice": [
        case(X, i32(1, 1), i32(1, 2), expected=X[1:2, 1:3], fixed=(2,)),
        case(X, i32(0, 0), i32(2, 3), expected=X),
        # a start is moved to where there is room
        case(spread(4), i32(3), i32(2), expected=spread(4)[2:], fixed=(2,)),
        case(spread(4), i64(-3), i64(2), expected=spread(4)[:2], fixed=(2,)),
        case(X, i32(5, 1), i32(0, 2), expected=X[:0, 1:], fixed=(2,)),
        case(TEXTS, i32(1, 0), i32(1, 2), expected=TEXTS[1:, :2]),
        case(scalar(1.5, "f64"), i32(), i32(), expected=scalar(1.5, "f64")),
    ],
    "XlaDynamicUpdateSlice": [
        case(X, spread((1, 2)), i32(1, 1), expected=updated(X, spread((1, 2)), 1, 1), fixed=(2,)),
        case(X, spread((2, 3)), i32(0, 0), expected=spread((2, 3))),
        # a start is moved to where there is room
        case(spread(4), spread(2), i32(3), expected=updated(spread(4), spread(2), 2), fixed=(2,)),
        case(spread(4), spread(2), i64(-3), expected=updated(spread(4), spread(2), 0)),
        case(X, spread((0, 2)), i32(1, 1), expected=X),
        case(scalar("a", "str"), scalar("b", "str"), i32(), expected=scalar("b", "str")),
        case(TEXTS, TEXTS[:1], i32(1, 0), expected=updated(TEXTS, TEXTS[:1], 1, 0)),
        case(scalar(1.5, "f64"), scalar(2.5, "f64"), i32(), expected=scalar(2.5, "f64")),
    ],
    "StridedSliceGrad": [
        case(i32(2, 3), i32(0), i32(1), i32(1), spread(3), shrink_axis_mask=1, fixed=(0, 3)),
        case(i32(2, 3), i32(0, 0), i32(0, 0), i32(1, -1), X, begin_mask=3, end_mask=3, fixed=(0,
             3)),
        case(i32(7), i32(6), i32(0), i32(-2), spread(3), fixed=(0, 3)),
        case(i32(7), i32(1), i32(7), i32(3), spread(2), fixed=(3,)),
        case(i32(2, 3), i32(0, 0), i32(0, 2), i32(1, 1), spread((2, 2)), end_mask=1, fixed=(0, 3)),
        case(i32(2, 3, 4), i32(0, 0, -1), i32(0, 0, -4), i32(1, 1, -2), spread((2, 3, 1, 2)),
             ellipsis_mask=1,
             new_axis_mask=2, fixed=(0, 3)),
    ],
    "Tile": [
        case(X, i32(2, 1), fixed=(1,)), case(X, i64(1, 3), fixed=(1,)), case(spread(2), i32(3)),
        case(X, i32(0, 2), fixed=(1,)), case(scalar(1.5, "f64"), i32(), fixed=(1,)),
        case(TEXTS, i32(1, 2)),
    ],
    "Pad": [
        case(X, i32([1, 0], [2, 1]), fixed=(1,)), case(X, i32([0, 0], [0, 2]), fixed=(1,)),
        case(spread(2), i64([0, 3]), fixed=(1,)),
        case(scalar(1.5, "f64"), i32().reshape(0, 2), fixed=(1,)),
        case(whole((2, 2), 0, 9), i32([1, 1], [1, 1]), fixed=(1,)),
    ],
    "PadV2": [
        case(X, i32([1, 0], [2, 1]), scalar(7.5, "f64"), fixed=(1,)),
        case(whole(2, 0, 9), i32([1, 2]), scalar(-1), fixed=(1,)),
    ],
    "MirrorPad": [
        case(X, i32([1, 0], [2, 1]), mode="REFLECT", fixed=(1,)),
        case(X, i32([1, 2], [3, 1]), mode="SYMMETRIC", fixed=(1,)),
        case(CUBE, i32([0, 0], [2, 2], [0, 3]), mode="REFLECT", fixed=(1,)),
    ],
    "MirrorPadGrad": [
        case(spread((3, 6)), i32([1, 0], [2, 1]), mode="REFLECT", fixed=(1,)),
        case(spread((5, 7)), i32([1, 2], [3, 1]), mode="SYMMETRIC", fixed=(1,)),
    ],
    "ReverseV2": [
        case(CUBE, i32(0, 2), fixed=(1,)), case(X, i64(-1), fixed=(1,)), case(X, i32(), fixed=(1,)),
        case(TEXTS, i32(1), fixed=(1,)), case(scalar(3), i32(-1), fixed=(1,)),
    ],
    "Roll": [
        case(X, scalar(1), scalar(1), fixed=(2,)), case(CUBE, i32(1, -2), i32(0, 2), fixed=(2,)),
        case(X, i32(4, 1), i64(1, -1), fixed=(2,)),
        case(spread(5), scalar(-7), scalar(0), fixed=(2,)),
    ],
    "Fill": [
        case(i32(2, 3), scalar(1.5, "f64"), fixed=(0,)), case(i64(0, 2), scalar(7)),
        case(i32(), scalar(True, "bool")),
        case(i32(2), scalar("a", "str"), fixed=(0,)),
    ],
    "ZerosLike": [case(X), case(TEXTS), case(NOTHING), case(bools(True)), case(unit(2))],
    "OnesLike": [case(X), case(NOTHING), case(bools(False)), case(unit(2)), case(scalar(3, "u8"))],
    "Range": [
        case(scalar(0), scalar(5), scalar(1)), case(scalar(5), scalar(-4), scalar(-3)),
        case(scalar(0.0, "f32"), scalar(1.0, "f32"), scalar(0.1, "f32")),
        case(scalar(3), scalar(3), scalar(-1)),
        case(scalar(-2, "i64"), scalar(9, "i64"), scalar(2, "i64")),
        case(scalar(1.0, "f64"), scalar(0.0, "f64"), scalar(-0.3, "f64")),
    ],
    "LinSpace": [
        case(scalar(0.0, "f64"), scalar(1.0, "f64"), scalar(5), fixed=(2,)),
        case(scalar(2.0, "f32"), scalar(-1.0, "f32"), scalar(7)),
        case(scalar(2.0, "f32"), scalar(9.0, "f32"), scalar(1)),
    ],
    "OneHot": [
        case(i32(0, 2, -1, 5), scalar(3), scalar(1.0, "f32"), scalar(0.0, "f32"), fixed=(1,)),
        case(i64([0, 1], [1, 0]), scalar(2), scalar(5), scalar(7), axis=0, fixed=(1,)),
        case(i64([0, 1], [1, 0]), scalar(2), scalar(True, "bool"), scalar(False, "bool"), axis=1),
        case(scalar(1, "u8"), scalar(3), scalar("x", "str"), scalar("y", "str")),
    ],
    "Identity": [case(X), case(TEXTS), case(scalar(1))],
    "IdentityN": [case((X, scalar(1)))],
    "TensormillFitting": [
        case((X, X[0], scalar(1)), axes=("m n", "n", ""), names=("x", "y", "z"), whole="whole",
             expected=(X, X[0], scalar(1))),
        case((X, X[0], X[:2]), axes=("*s n", "n", "2 *t"), names=("x", "y", "z"), whole="whole",
             expected=(X, X[0], X[:2])),
    ],
    "PlaceholderWithDefault": [case(X, shape=(None, X.shape[1])), case(scalar(1), shape=())],
    "Snapshot": [case(X)],
    "Relayout": [case(X, layout="", expected=X)],
    "RelayoutLike": [case(X, scalar(1), expected=X)],
    "TensormillProduct": [case(X, (X, X), equation="", expected=X)],
    "GuaranteeConst": [case(X), case(TEXTS)],
    "StopGradient": [case(X), case(TEXTS)],
    "PreventGradient": [case(X, message="no", smooth=False)],
    "NoOp": [case()],
    "SelectV2": [
        case(bools([True, False, True], [False, False, True]), X, 2 * X),
        case(bools(True, False, True), X, spread(3)),
        case(bools([True], [False]), scalar(1.5, "f64"), X), case(scalar(True, "bool"), X, -X),
        case(bools(True, False), f32(1, 2), f32(3, 4)),
        case(bools(True, False), TEXTS[0, :2], TEXTS[1, :2]),
    ],
    "Where": [
        case(bools([True, False, True], [False, False, True])), case(f32(0, 2, 0, -1)),
        case(bools()),
    ],
}  # fmt: skip
