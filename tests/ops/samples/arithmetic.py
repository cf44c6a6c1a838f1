"""Samples of arithmetic, comparisons, logic, bits and casts."""

from __future__ import annotations

from .sample import (
    INF,
    NAN,
    Table,
    array,
    bools,
    case,
    f32,
    f64,
    i32,
    i64,
    scalar,
    spread,
    unit,
    whole,
)

X, Y = spread((2, 3)), spread((2, 3), 0.5, 3.0, 5)
ROW, COLUMN = spread(3, 0.5, 2.0, 1), spread((2, 1), 0.5, 2.0, 2)
Z, W = unit((2, 2)), unit((2, 2), 4)
NO_NUMBER = complex(NAN, NAN)
EDGES = f32(0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 1e-30, 3e38)
OTHERS = f32(0.0, 1.0, -0.0, NAN, INF, 2.0, 1.0, -1e-30, 3e38)
NUMERATORS, DIVISORS = i32(7, -7, 7, -7, 0, 5), i32(2, 2, -2, -2, 3, 5)


def binary(*more: object) -> list:
    """The shapes that broadcasting meets, and the numbers that are special."""
    return [
        case(X, Y), case(X, ROW), case(ROW, Y), case(X, COLUMN), case(COLUMN, ROW),
        case(X, f64(1.5)[0]), case(spread((0, 3)), ROW), case(EDGES, OTHERS, smooth=False),
        *more,
    ]  # fmt: skip


INTEGERS = case(NUMERATORS, DIVISORS)
COMPLEX = case(Z, W)

SAMPLES: Table = {
    "AddV2": binary(INTEGERS, COMPLEX, case(array("u8", [250]), array("u8", [10]))),
    "Add": [
        case(array("str", ["a", "b"]), array("str", "c")),
        case(array("str", [["a"], ["é"]]), array("str", ["", "d"])),
        case(array("str", "x"), array("str", "y")),
        *binary(INTEGERS, COMPLEX),
    ],
    "AddN": [case((X, Y, X)), case((X,)), case((NUMERATORS, DIVISORS)), case((Z, W))],
    "Sub": binary(INTEGERS, COMPLEX, case(array("u8", [3]), array("u8", [10]))),
    "Mul": binary(INTEGERS, COMPLEX, case(i32(2**30), i32(4))),
    "RealDiv": binary(COMPLEX), "Div": [*binary(COMPLEX), case(NUMERATORS, DIVISORS)],
    "FloorDiv": binary(INTEGERS, case(i32(-(2**31), 5), i32(-1, 2)), case(i32(), scalar(0))),
    "FloorMod": binary(INTEGERS, case(i32(-(2**31), 5), i32(-1, 2)),
    case(f32(-5, 5), f32(INF, -3))),
    "TruncateDiv": binary(INTEGERS, case(i64(-(2**62) - 1), i64(3))),
    "TruncateMod": binary(INTEGERS),
    "DivNoNan": [
        case(X, Y), case(X, ROW), case(f32(1, 0, NAN), f32(0, 0, 0), smooth=False), COMPLEX,
    ],
    "MulNoNan": [
        case(X, Y), case(f32(NAN, INF, 2), f32(0, 0, 3), smooth=False), case(X, ROW), COMPLEX,
    ],
    "Pow": [
        case(Y, X), case(Y, ROW), case(COLUMN, ROW),
        case(i32(2, 3, -1, 0, -3), i32(31, 21, 5, 0, 3)),
        case(f32(0, 0, 2, -8, INF, NAN), f32(-1, 0, 0.5, 3, -1, 0), smooth=False),
        case(Z, W, tolerance=1e-9),
        case(
            array("c64", [0] * 6), array("c64", [-1.5 + 1j, 1 + 0.25j, -0.5 - 1j, 0, 2j, -2]),
            expected=array("c64", [NO_NUMBER, 0, NO_NUMBER, 1, NO_NUMBER, NO_NUMBER]), smooth=False,
        ),
    ],
    "Maximum": binary(INTEGERS),
    "Minimum": binary(INTEGERS),
    "SquaredDifference": [case(X, Y), case(X, ROW), case(COLUMN, ROW), INTEGERS, case(Z, W)],
    "Xlogy": [case(X, Y), case(X, ROW), case(f32(0, 0, 1), f32(0, NAN, 2), smooth=False), COMPLEX],
    "Xlog1py": [
        case(X, Y), case(X, ROW), case(f32(0, 0, 1), f32(-1, NAN, 2), smooth=False), COMPLEX,
    ],
    "Xdivy": [case(X, Y), case(X, ROW), case(f32(0, 0, 1), f32(0, NAN, 2), smooth=False), COMPLEX],
    "Atan2": [case(X, Y), case(X, ROW), case(COLUMN, -ROW), case(EDGES, OTHERS, smooth=False)],
    "ReciprocalGrad": [case(X, Y), case(Z, W)],
    "Equal": [
        case(f32(1, NAN, 0), f32(1, NAN, -0.0)), case(NUMERATORS, i32(7)), case(Z, Z),
        case(array("str", ["a", "b"]), array("str", ["a", "c"])),
        case(bools(True, False), bools(True)),
        case(i32(1, 2), i32(1, 2, 3), incompatible_shape_error=False, fixed=(0, 1)),
    ],
    "NotEqual": [
        case(f32(1, NAN, 0), f32(1, NAN, -0.0)), case(NUMERATORS, i32(7)), case(Z, W),
        case(array("str", ["a", "b"]), array("str", ["a", "c"])),
        case(i32(1, 2), i32(1, 2, 3), incompatible_shape_error=False, fixed=(0, 1)),
    ],
    "Less": [case(EDGES, OTHERS), INTEGERS, case(X, ROW)],
    "LessEqual": [case(EDGES, OTHERS), INTEGERS, case(X, ROW)],
    "Greater": [case(EDGES, OTHERS), INTEGERS, case(X, ROW)],
    "GreaterEqual": [case(EDGES, OTHERS), INTEGERS, case(X, ROW)],
    "ApproximateEqual": [case(f32(1, 2, 3), f32(1.000001, 2.1, 3)), case(f32(1), f32(1.5))],
    "IsNan": [case(EDGES), case(f64(NAN, 1)), case(array("bf16", [NAN, 2]))],
    "IsInf": [case(EDGES), case(array("f16", [INF, 2]))],
    "IsFinite": [case(EDGES), case(array("bf16", [NAN, 2]))],
    "LogicalAnd": [case(bools(True, True, False), bools(True, False, False))],
    "LogicalOr": [case(bools(True, True, False), bools(True, False, False))],
    "LogicalNot": [case(bools(True, False)), case(bools())],
    "BitwiseAnd": [INTEGERS, case(array("u8", [255, 7]), array("u8", [15, 9]))],
    "BitwiseOr": [INTEGERS, case(array("u8", [240, 7]), array("u8", [15, 9]))],
    "BitwiseXor": [INTEGERS, case(array("u64", [2**63]), array("u64", [1]))],
    "Invert": [case(NUMERATORS), case(array("u8", [0, 255]))],
    "LeftShift": [
        case(i32(1, 1, 3, 1), i32(4, 40, 0, -1)), case(array("u8", [255]), array("u8", [4])),
    ],
    "RightShift": [
        case(i32(-8, -8, 8), i32(1, 100, 3)), case(array("u8", [255]), array("u8", [4])),
    ],
    "Cast": [
        case(f64(1.5, -2.7, 3e9, NAN, INF), DstT="i32", expected=i32(1, -2, -(2**31), -(2**31),
             -(2**31))),
        case(f32(1.5, -2.7, 300, -300, 0), DstT="u8"), case(f32(1.5, -2.7, 300, NAN), DstT="i8"),
        case(f32(-1.5, 3e9, 2, NAN), DstT="u32"), case(f32(1e19, -1.5, 2, NAN), DstT="u64"),
        case(f32(NAN, 0, 0.5, -0.0), DstT="bool"), case(i32(300, -1), DstT="u8"),
        case(X, DstT="f32", tolerance=1e-6), case(X, DstT="bf16", tolerance=1e-2),
        case(X, DstT="c128"), case(Z, DstT="f64"), case(f32(0.1, 65520, 1e-8), DstT="f16"),
        case(whole((2, 2), -5, 5), DstT="f64"), case(bools(True, False), DstT="f32"),
        case(array("bf16", [1.5, -300.7]), DstT="i16"), case(X, DstT="f64"),
    ],
    "Bitcast": [
        case(f32(1, -2), type="i32"), case(f32(1, -2), type="u8"),
        case(array("u8", [[0, 0, 128, 63]]), type="f32"), case(f64(1.5), type="u64"),
        case(f64([1.5, -2]), type="bf16"), case(array("i16", [[[0, -1, 0, 16312]]]), type="f64"),
    ],
}  # fmt: skip
