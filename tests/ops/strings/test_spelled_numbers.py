"""tf.strings.to_number reads what C reads, and rounds once."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensormill as tf

# As TensorFlow reads them.
FLOAT32 = [
    ("0x1.0p+3", "0x1p3"),
    ("0x1.0p+3", " 0X1P03 "),
    ("0x1.0p+4", "0x10"),
    ("-0x1.8p+1", "-0x1.8p1"),
    ("0x1.0p-1", "0x.8"),
    ("0x1.0p+0", "+0x1."),
    ("0x1.e5p+8", "0x1e5"),
    ("inf", "0x1p99999"),
    ("-inf", "-0x1p99999"),
    ("0x0p+0", "0x1p-99999"),
    ("nan", "nan(1)"),
    ("nan", "-NaN()"),
    ("nan", "+nan(a_b)"),
    # between two float32, and a little below and above the middle
    ("0x1.000002p+0", "1.00000017881393432617187499"),
    ("0x1.000004p+0", "1.00000017881393432617187500"),
    ("0x1.000002p+0", "0x1.00000100000000001p0"),
    ("0x1.0p+0", "0x1.000001p0"),
    ("0x1.000004p+0", "0x1.000003p0"),
    ("0x1.0p+0", "1.000000059604644775390625" + 5000 * "0"),
    ("0x1.000002p+0", "1.000000059604644775390625" + 5000 * "0" + "1"),
    ("0x1.0p-149", "7.0064923216240853547e-46"),
    ("0x0p+0", "7.0064923216240853546e-46"),
    ("0x1.fffffep+127", "3.40282356779733642752e38"),
    ("0x1.fffffep+127", "0x1.fffffefffffffffp127"),
    ("inf", "0x1.ffffffp127"),
]
NO_NUMBERS = [
    "0x", "0x.", "0x1p", "0x1p1.5", "0xg", "0x1 p3", "0x1_0", "x1", "1_0", "-", ".e5", "1f",
    "nan(1 )", "nan(-)", "nan (1)", "nan(1)x", "nan((1))", "nan(1", "inf()", "- 1",
]  # fmt: skip


@pytest.mark.parametrize(("expected", "text"), FLOAT32, ids=range(len(FLOAT32)))
def test_float32_numbers_are_tensorflow_s(expected: str, text: str) -> None:
    wanted = np.float32(float.fromhex(expected))

    for texts in ([text], [text, "1"]):  # alone, and where the other one is read at once
        found = tf.strings.to_number(texts).numpy()[0]
        np.testing.assert_equal(found, wanted)
        assert np.isnan(wanted) or np.signbit(found) == np.signbit(wanted)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_c_does_not_read_is_refused(text: str) -> None:
    for dtype in (tf.float32, tf.float64):
        with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
            tf.strings.to_number(text, dtype)


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_integers_have_neither_fractions_nor_hexadecimal_digits(dtype: tf.DType) -> None:
    for text in ("0x10", "1.5", "nan(1)"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
            tf.strings.to_number(text, dtype)


def test_float64_numbers_are_read_to_their_last_digit() -> None:
    expected = [float.fromhex(text) for text in ("0x1.000001p0", "0x1.8p-150", "0x1p128")]

    found = tf.strings.to_number(["0x1.000001p0", "0x1.8p-150", "0x1p128"], tf.float64)
    assert expected == found.numpy().tolist()


@st.composite
def texts_near_the_middle(draw: st.DrawFn) -> str:
    """A number between two float32, or beside the middle of these by very little."""
    bits = draw(st.integers(0, 0x7F7FFFFE))
    low, high = np.array([bits, bits + 1], np.int32).view(np.float32)
    middle = (Decimal(float(low)) + Decimal(float(high))) / 2
    beside = middle * (1 + Decimal(draw(st.sampled_from([-1, 0, 1]))).scaleb(-25))
    return draw(st.sampled_from(["", "-"])) + f"{beside:e}"


@given(st.lists(texts_near_the_middle(), min_size=1, max_size=4))
def test_float32_numbers_are_the_nearest(texts: list[str]) -> None:
    assert list(map(nearest, texts)) == tf.strings.to_number(texts).numpy().tolist()


def nearest(text: str) -> float:
    """Of the numbers beside a first guess the nearest; of two as near, the even one."""
    guess, exact = np.float32(text), Fraction(text)
    around = [np.nextafter(guess, np.float32(limit)) for limit in (-np.inf, np.inf)]

    def distance(one: np.float32) -> tuple[Fraction, int]:
        return abs(Fraction(float(one)) - exact), int(one.view(np.int32)) & 1

    return float(min([guess, *filter(np.isfinite, around)], key=distance))
