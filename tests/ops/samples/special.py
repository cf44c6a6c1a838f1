"""Samples of special functions."""

from __future__ import annotations

from .sample import INF, NAN, Sample, Table, array, case, f32, f64, spread

INSIDE = spread(6, -0.95, 0.95)
POSITIVE = spread(6, 0.2, 6.0)


def each(low: float, high: float, *special: float) -> list[Sample]:
    return [
        case(spread((2, 3), low, high), tolerance=1e-11),
        case(f64(*special, NAN), smooth=False),
        case(f32(*spread(4, low, high))), case(array("f16", spread(3, low, high))),
    ]  # fmt: skip


def without_half(low: float, high: float, *special: float) -> list[Sample]:
    return each(low, high, *special)[:3]


SAMPLES: Table = {
    "Erfinv": without_half(-0.99, 0.99, 1, -1, 2, 0),
    "Ndtri": without_half(0.01, 0.99, 1, 0, 2, 0.5, 1e-300),
    "BesselI0": each(-4, 4, 0, 30), "BesselI1": each(-4, 4, 0, 30),
    "BesselI0e": each(-4, 4, 0, 800), "BesselI1e": each(-4, 4, 0, 800),
    "BesselJ0": each(-4, 4, 0, 30), "BesselJ1": each(-4, 4, 0, 30),
    "BesselK0": each(0.5, 4, 0, 30), "BesselK1": each(0.5, 4, 0, 30),
    "BesselK0e": each(0.5, 4, 0, 800), "BesselK1e": each(0.5, 4, 0, 800),
    "BesselY0": each(0.5, 4, 0, 30), "BesselY1": each(0.5, 4, 0, 30),
    "Dawsn": without_half(-3, 3, 0, INF), "Expint": without_half(0.5, 4, 0),
    "FresnelSin": without_half(-3, 3, 0), "FresnelCos": without_half(-3, 3, 0),
    "Spence": without_half(0.2, 4, 0, 1),
    "NextAfter": [
        case(
            f64(1, 1, 0, 0, -0.0, -1, 2, NAN, 1, INF), f64(2, 0, 1, -1, 1, -2, 2, 1, NAN, 0),
            smooth=False,
        ),
        case(f32(1, 1, 0, 0, -1, -1, INF), f32(2, 0, 1, -1, 1, -2, 0)),
        case(spread((2, 1)), spread(3)),
    ],
    "Igamma": [
        case(POSITIVE, POSITIVE[::-1], tolerance=1e-11),
        case(f64(0, -1, 1, 1, NAN, 0), f64(1, 1, -1, 0, 1, 0), smooth=False),
        case(f64([1], [2]), f64(0.5, 1.5), smooth=False), case(f32(1, 2), f32(0.5, 3)),
    ],
    "Igammac": [
        case(POSITIVE, POSITIVE[::-1], tolerance=1e-11),
        case(f64(0, -1, 1, 1, NAN), f64(1, 1, -1, 0, 1), smooth=False),
    ],
    "IgammaGradA": [
        case(POSITIVE, POSITIVE[::-1], tolerance=1e-10),
        case(f64(0.1, 50, 3), f64(2, 45, 60), tolerance=1e-10), case(f32(1, 2), f32(0.5, 3)),
    ],
    "RandomGammaGrad": [case(POSITIVE, POSITIVE[::-1], tolerance=1e-9)],
    "Zeta": [
        case(f64(1, 0.5, 2, 2, -1, 3), f64(1, 1, -1, -1.5, 2, 0.5), smooth=False),
        case(spread(4, 1.5, 4), spread(4, 0.5, 3), tolerance=1e-11), case(f32(2, 3), f32(1, 2)),
        case(f64(2, 3, 2.5, INF, 4, 5, 1), f64(0, 0, -1, -2, -INF, -INF, 0), smooth=False),
        case(f64(1e15, 1e30, 1e30, INF, INF), f64(1.5, 1, 0.5, 2, 1),
             expected=f64(0, 1, INF, 0, 1), smooth=False),
    ],
    "Polygamma": [
        case(f64(0, 1, 2, 3), spread(4, 0.5, 3), tolerance=1e-11),
        case(f64(1.5, -1, 0), f64(1, 1, 2), smooth=False), case(f32(2, 1), f32(1, 2)),
        case(f64(0, 1, 2, 3, 2, 3), f64(0, 0, -1, -1, -INF, -INF), smooth=False),
    ],
    "Betainc": [
        case(POSITIVE, POSITIVE[::-1], spread(6, 0.05, 0.95), tolerance=1e-11),
        case(f64(1, 0, -1, 1, 1), f64(1, 1, 1, 1, 1), f64(0, 0.5, 0.5, 1.5, 1), smooth=False),
        case(f64(1, 2), f64(2, 1), array("f64", 0.3)),
    ],
    "CumulativeLogsumexp": [
        case(spread((2, 4)), array("i32", 1)),
        case(spread((2, 4)), array("i32", 0), reverse=True),
        case(spread((2, 4)), array("i64", -1), exclusive=True, smooth=False),
        case(f32(1, 2, 3), array("i32", 0)),
    ],
}  # fmt: skip
