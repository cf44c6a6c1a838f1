"""Many complex numbers are transformed in vectors, as exactly as NumPy does it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.native import shared
from tensormill.compiler.native.fourier import functions as fourier
from tensormill.compiler.native.fourier import lanes, roots
from tests.compiler.native.functions import Evaluated

HALF_UNIT = {"c64": 2.0**-24, "c128": 2.0**-53}
DTYPES = {"c64": np.complex64, "c128": np.complex128}
PLAIN = {"fft": np.fft.fft, "ifft": np.fft.ifft}
KINDS = [(kind, short) for kind in PLAIN for short in DTYPES]
# Columns, short rows, long rows; some fill vectors, others don't.
SHAPES = [
    (128, 64), (3, 60, 75), (2, 45, 300), (1000, 17), (2, 1024, 16), (9, 1000), (17, 486),
    (2, 4096), (3, 5000), (10_000,), (65_536,), (9, 997), (1021, 16), (8192, 2), (2, 1, 5000),
    (20, 997), (2, 100, 97), (17, 499), (300, 29),
]  # fmt: skip


def drawn(shape: tuple[int, ...], short: str = "c128") -> Any:
    real, imaginary = np.random.default_rng(4).normal(size=(2, *shape))
    return (real + 1j * imaginary).astype(DTYPES[short])


def off(found: Any, expected: Any, short: str) -> float:
    """The error beside the size of all, in halves of a unit in the last place."""
    found = np.asarray(found)
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected) / HALF_UNIT[short])


@pytest.mark.sampled
@pytest.mark.parametrize("short", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_errors_grow_with_the_logarithm_of_the_size(shape: tuple[int, ...], short: str) -> None:
    most = 4 + 1.5 * np.log2(np.prod(shape))
    x = drawn(shape, short)
    wide = x.astype(np.complex128)
    for name, plain in {"fft": np.fft.fft, "ifft": np.fft.ifft}.items():
        found = tf.function(getattr(tf.signal, name))(x)
        assert off(found, plain(wide), short) <= most, name
    if x.ndim > 1:
        for name, plain in {"fft2d": np.fft.fft2, "ifft2d": np.fft.ifft2}.items():
            found = tf.function(getattr(tf.signal, name))(x)
            assert off(found, plain(wide), short) <= most, name


@pytest.mark.parametrize("lengths", [[100, 90], [128, 60], [81, 130]])
def test_columns_are_cut_or_filled_with_zeros(lengths: list[int]) -> None:
    x = drawn((2, 100, 90)).real
    transform = tf.function(lambda x: tf.signal.rfft2d(x, lengths))

    assert off(transform(x), np.fft.rfft2(x, lengths), "c128") < 20


@pytest.mark.parametrize("shape", [(128, 80), (40, 300), (9000,)])
def test_large_operands_have_the_same_bits_eagerly(shape: tuple[int, ...]) -> None:
    x = drawn(shape, "c64")
    for transform in (tf.signal.fft, tf.signal.ifft):
        np.testing.assert_array_equal(tf.function(transform)(x), transform(x))


def test_what_is_not_finite_stays_in_its_row() -> None:
    x = drawn((40, 256), "c64")
    expected = np.asarray(tf.signal.fft(x))
    x[3, 5] = np.nan

    found = np.asarray(tf.signal.fft(x))

    assert np.isnan(found[3]).all()
    rest = np.arange(40) != 3
    np.testing.assert_array_equal(expected[rest], found[rest])


@pytest.mark.sampled
@pytest.mark.parametrize(("kind", "short"), KINDS)
def test_steps_touch_what_they_may_in_whatever_order(kind: str, short: str) -> None:
    name = f"{fourier.PREFIX}{kind}_{short}"
    width = lanes.lane_numbers(short).lanes
    some, points = width + 1, 15
    functions = tuple(shared.functions(name))
    cases: list[tuple[str, tuple[int, ...], int, tuple[int, ...]]] = [
        ("many_columns", (2, points, some), 1, (2, points, some, points)),
        ("short_rows", (some, points), 1, (some, points)),
        ("long_rows", (2, 18 * 20), 1, (2, 18 * 20, 18)),
        ("many_chirps", (some, 11), 1, (some, 11, 24)),
    ]
    for function, shape, axis, sizes in cases:
        x = drawn(shape, short)
        both = [np.zeros_like(x), np.zeros_like(x)]
        for found, backwards in zip(both, (False, True), strict=True):
            run = Evaluated(functions, backwards=backwards)
            assert run(f"{name}.{function}", run.room(x), run.room(found), *sizes)
        expected = PLAIN[kind](x.astype(np.complex128), axis=axis)
        assert off(both[0], expected, short) < 20, function
        np.testing.assert_array_equal(*both, err_msg=function)


@pytest.mark.parametrize("kept", [0, 3])
def test_tables_beyond_the_limit_are_freed(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "_MOST_BYTES", kept * roots._LEAST_BYTES)
    fourier.functions.cache_clear()
    name = f"{fourier.PREFIX}fft_c64"
    run = Evaluated(tuple(shared.functions(name)))
    for points in (8, 9, 10, 12, 15, 9):
        x = drawn((16, points), "c64")
        found = np.zeros_like(x)
        assert run(f"{name}.short_rows", run.room(x), run.room(found), 16, points)
        assert off(found, np.fft.fft(x.astype(np.complex128)), "c64") < 20
    fourier.functions.cache_clear()

    assert run.memory.blocks == kept
