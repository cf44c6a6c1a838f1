"""Large Fourier transforms in a compiled function: a long row, matrices, cubes."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

SHAPES = (1 << 16,), (512, 512), (64, 64, 64)


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def spectra(row: Any, matrix: Any, cube: Any) -> Any:
        return tf.signal.fft(row), tf.signal.fft2d(matrix), tf.signal.fft3d(cube)

    random = np.random.default_rng(0)
    drawn = [random.normal(size=(2, *shape)) for shape in SHAPES]
    given = [tf.constant((real + 1j * other).astype(np.complex64)) for real, other in drawn]
    return Timed(lambda: spectra(*given), check=float(abs(spectra(*given)[1][3, 7])))


WORK = Work(
    title="`fft` of 65 536 numbers, `fft2d` of 512×512, `fft3d` of 64×64×64",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
