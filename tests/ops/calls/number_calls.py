"""Calls of functions of one number: values and gradients of several at a time, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from .call import Call, gradient

ROWS = 6  # functions of one call

POSITIVE = (0.25, 1.5, 3.0, 7.5)

# Functions, by numbers of which all have values and derivatives.
FUNCTIONS = {
    "acos asin atanh math.erfinv": (-0.9, -0.25, 0.5, 0.75),
    "acosh": (1.25, 2.0, 7.5),
    "math.ndtri": (0.125, 0.5, 0.75),
    "math.log math.rsqrt math.digamma math.lgamma math.log1p math.reciprocal": POSITIVE,
    "math.special.bessel_k0 math.special.bessel_k0e math.special.bessel_k1 "
    "math.special.bessel_k1e math.special.bessel_y0 math.special.bessel_y1": POSITIVE,
    "math.special.expint math.special.spence": POSITIVE,
    "asinh atan cos cosh exp floor sigmoid sign sin sinh tan tanh math.ceil math.rint math.erf "
    "math.erfc math.expm1 math.bessel_i0 math.bessel_i0e math.bessel_i1 math.bessel_i1e "
    "math.special.bessel_j0 math.special.bessel_j1 math.special.dawsn math.special.fresnel_cos "
    "math.special.fresnel_sin nn.elu nn.relu nn.relu6 nn.selu nn.softplus "
    "nn.softsign": (-2.25, -0.75, 0.5, 1.75, 6.5),
}


def rows() -> Iterator[tuple[list[str], Any]]:
    for names, numbers in FUNCTIONS.items():
        each = names.split()
        for start in range(0, len(each), ROWS):
            yield each[start : start + ROWS], np.array(numbers)


def values(names: Sequence[str]) -> Callable[..., Any]:
    """Each function of each operand, and its gradients."""
    return lambda tf, *operands: [
        [
            [attrgetter(name)(tf)(one) for one in operands],
            gradient(lambda tf, x, name=name: attrgetter(name)(tf)(x))(tf, operands[0]),
        ]
        for name in names
    ]


def refusal(name: str) -> Call:
    return lambda tf, x: attrgetter(name)(tf)(x), [np.array([b"a"], object)]


CALLS: dict[str, Call] = {
    f"of numbers: {' '.join(names)}": (values(names), [x.astype(np.float32), x])
    for names, x in rows()
}
CALLS |= {f"{name} of a string": refusal(name) for names, _ in rows() for name in names}
COMPILED: list[str] = []
