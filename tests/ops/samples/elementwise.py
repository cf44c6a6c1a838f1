"""Samples of functions of one element."""

from __future__ import annotations

from .sample import INF, NAN, Sample, Table, case, f32, i32, spread, unit, whole

SPECIAL = f32(0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 20.0, -20.0, 1e-6, INF, -INF, NAN)
Z = unit((2, 2))


def unary(low: float, high: float, *more: Sample, tolerance: float = 1e-5) -> list[Sample]:
    """Numbers of the domain, all special numbers, nothing, and a scalar."""
    return [
        case(spread((2, 3), low, high)), case(SPECIAL, smooth=False, tolerance=tolerance),
        case(spread((0, 2))), case(spread((), low, high, 2)), *more,
    ]  # fmt: skip


COMPLEX = case(Z, tolerance=1e-10)
INTEGER = case(whole(6, -9, 9))

SAMPLES: Table = {
    "Neg": unary(-2, 2, COMPLEX, INTEGER),
    "Abs": unary(-2, 2, INTEGER),
    "Sign": unary(-2, 2, COMPLEX, INTEGER, case(0 * Z)),
    "Square": unary(-2, 2, COMPLEX, INTEGER, case(whole(4, 0, 20, "u8"))),
    "Reciprocal": unary(0.5, 3, COMPLEX),
    "Sqrt": unary(0.2, 4, COMPLEX),
    "Rsqrt": unary(0.2, 4, case(Z, tolerance=1e-9)),
    "SqrtGrad": [
        case(spread((2, 3), 0.5, 2), spread((2, 3), -1, 1, 4)), case(Z, unit((2, 2), 5)),
        case(f32(0, 0, 2), f32(0, 1, 0), smooth=False),
    ],
    "RsqrtGrad": [
        case(spread((2, 3), 0.5, 2), spread((2, 3), -1, 1, 4)), case(Z, unit((2, 2), 5)),
        case(f32(INF, 2), f32(0, 0), smooth=False, expected=f32(0, 0)),
    ],
    "Exp": unary(-2, 2, COMPLEX), "Expm1": unary(-2, 2),
    "Log": unary(0.2, 4, COMPLEX), "Log1p": unary(-0.5, 4),
    "Sin": unary(-4, 4, COMPLEX), "Cos": unary(-4, 4, COMPLEX), "Tan": unary(-1, 1),
    "Asin": unary(-0.9, 0.9), "Acos": unary(-0.9, 0.9), "Atan": unary(-3, 3),
    "Sinh": unary(-2, 2, COMPLEX), "Cosh": unary(-2, 2, COMPLEX), "Tanh": unary(-2, 2, COMPLEX),
    "TanhGrad": [
        case(spread((2, 3), -0.9, 0.9), spread((2, 3), -1, 1, 4)), case(Z, unit((2, 2), 5)),
    ],
    "Asinh": unary(-2, 2), "Acosh": unary(1.2, 4), "Atanh": unary(-0.9, 0.9),
    "Sigmoid": unary(-4, 4, COMPLEX),
    "SigmoidGrad": [
        case(spread((2, 3), 0.1, 0.9), spread((2, 3), -1, 1, 4)), case(Z, unit((2, 2), 5)),
    ],
    "Erf": unary(-2, 2), "Erfc": unary(-2, 2),
    "Lgamma": unary(0.5, 4, tolerance=1e-4), "Digamma": unary(0.5, 4, tolerance=1e-4),
    "Floor": unary(-2, 2), "Ceil": unary(-2, 2),
    "Rint": unary(-2, 2, case(f32(0.5, 1.5, 2.5, -0.5))),
    "Round": unary(-2, 2, case(f32(0.5, 1.5, 2.5, -0.5)), case(i32(1, -2), expected=i32(1, -2))),
    "Real": [case(Z, Tout="f64"), case(Z.astype("complex64"), Tout="f32")],
    "Imag": [case(Z, Tout="f64"), case(Z.astype("complex64"), Tout="f32")],
    "Angle": [case(Z, Tout="f64"), case(Z.astype("complex64"), Tout="f32")],
    "ComplexAbs": [case(Z, Tout="f64"), case(Z.astype("complex64"), Tout="f32")],
    "Conj": [case(Z), case(Z.astype("complex64"))],
    "Complex": [
        case(spread((2, 2)), spread((2, 2), seed=3), Tout="c128"),
        case(spread((2, 1)), spread(3, seed=3), Tout="c128"),
        case(f32(1, 2), f32(3, -4), Tout="c64"),
    ],
}  # fmt: skip
