"""Samples of Fourier transforms."""

from __future__ import annotations

import numpy as np

from .sample import Table, case, i32, spread, unit

ROW, MATRIX, CUBE = spread(7), spread((3, 4)), spread((2, 3, 4))
HALF, HALF_MATRIX, HALF_CUBE = unit(4), unit((3, 3)), unit((2, 3, 3))
SINGLE = unit((2, 5)).astype(np.complex64)

SAMPLES: Table = {
    "FFT": [case(unit((2, 5))), case(SINGLE)], "IFFT": [case(unit((2, 5))), case(SINGLE)],
    "FFT2D": [case(unit((3, 4)))], "IFFT2D": [case(unit((3, 4)))],
    "FFT3D": [case(unit((2, 3, 4)))], "IFFT3D": [case(unit((2, 3, 4)))],
    "RFFT": [
        case(ROW, i32(7), Tcomplex="c128"),
        case(MATRIX, i32(3), Tcomplex="c128", fixed=(1,)),
        case(np.float32(ROW), i32(7), Tcomplex="c64"),
    ],
    "RFFT2D": [case(MATRIX, i32(3, 4), Tcomplex="c128")],
    "RFFT3D": [case(CUBE, i32(2, 3, 4), Tcomplex="c128")],
    "IRFFT": [
        case(HALF, i32(6), Treal="f64"), case(HALF, i32(7), Treal="f64"),
        case(HALF, i32(4), Treal="f64", fixed=(1,)),
        case(HALF.astype(np.complex64), i32(6), Treal="f32"),
    ],
    "IRFFT2D": [case(HALF_MATRIX, i32(3, 4), Treal="f64")],
    "IRFFT3D": [case(HALF_CUBE, i32(2, 3, 4), Treal="f64")],
}  # fmt: skip
