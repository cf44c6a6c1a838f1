"""Native code writes floats with so many digits as C's `%g` does, or says that it doubts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill.core import native_operations
from tensormill.ops.strings.spans.significant import MOST_DIGITS, SignificantAsSpans
from tensormill.ops.strings.spans.spans import strings_of

RANDOM = np.random.default_rng(0)
ODD = 2 * RANDOM.integers(0, 10**6, 2000) + 1
NUMBERS: dict[str, Any] = {
    "usual": RANDOM.normal(0, 100, 2000),
    "large and small": RANDOM.normal(0, 1, 2000) * 10.0 ** RANDOM.integers(-48, 48, 2000),
    "few digits": np.round(RANDOM.normal(0, 100, 2000), 3),
    "whole": RANDOM.integers(-(10**8), 10**8, 2000) * 1.0,
    "powers of ten": np.nextafter(10.0 ** np.arange(-45, 45).repeat(3), [0, 1, np.inf] * 90),
    "middles": ODD / 2.0 ** RANDOM.integers(0, 30, 2000),
    "middles of whole numbers": ODD * 5 * 10.0 ** RANDOM.integers(0, 6, 2000),
}
NUMBERS["powers of ten"][1::3] = 10.0 ** np.arange(-45, 45)
EXTREMES = [0.0, -0.0, np.nan, np.inf, -np.inf, 5e-324, 1.8e308, 1e-4, 9.9999999e-5, 999999.5]


def written(numbers: Any, digits: int) -> tuple[list[bytes], Any]:
    """The texts of native code, and which of them it doubts."""
    found = native_operations.run(SignificantAsSpans, [numbers], {"digits": digits})
    assert found is not None
    return strings_of(*found[:3]).tolist(), found[3]


def expected(numbers: Any, digits: int, doubtful: Any) -> list[bytes]:
    known = np.where(doubtful, 0, numbers.astype(np.float64))
    return [b"%.*g" % (digits, one) for one in known.tolist()]


@pytest.mark.parametrize("digits", range(1, MOST_DIGITS + 1))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", NUMBERS)
def test_digits_are_those_of_c(kind: str, dtype: str, digits: int) -> None:
    whole = NUMBERS[kind]
    numbers = whole[np.abs(whole) < np.finfo(dtype).max].astype(dtype)
    texts, doubtful = written(numbers, digits)

    assert expected(numbers, digits, doubtful) == texts
    assert doubtful.mean() < 0.1  # of decimal numbers in the middle nobody knows


@pytest.mark.parametrize("digits", range(1, MOST_DIGITS + 1))
def test_what_barely_reaches_the_next_power_of_ten_does_so_as_in_c(digits: int) -> None:
    """What is multiplied is rounded: 9.5e-12, a bit less than 9.5 parts of 1e12, is one of them."""
    middles = [float(f"{10**digits - 1}.5e{power}") for power in range(-50, 40)]
    numbers = np.nextafter(np.repeat(middles, 3), [0, 1, np.inf] * len(middles))
    numbers[1::3] = middles
    numbers = np.append(numbers, 2.0 ** np.arange(-60, 60))  # middles with many digits
    texts, doubtful = written(numbers, digits)

    assert expected(numbers, digits, doubtful) == texts
    twin = SignificantAsSpans(numbers, digits=digits)
    assert [*map(twin._is_doubtful, numbers.tolist())] == doubtful.tolist()


@settings(deadline=None)
@given(st.lists(st.floats() | st.sampled_from(EXTREMES), min_size=1, max_size=20),
       st.sampled_from([1, 6, 9]))  # fmt: skip
def test_any_number_is_written_as_c_writes_it_or_doubted(numbers: list[float], digits: int) -> None:
    array = np.array(numbers)
    texts, doubtful = written(array, digits)

    assert expected(array, digits, doubtful) == texts
    twin = SignificantAsSpans(array, digits=digits)
    assert [twin._is_doubtful(one) for one in numbers] == doubtful.tolist()


@pytest.mark.parametrize("precision", [-1, 0, 1, 4, 9, 12])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("last", [[], EXTREMES])
def test_many_floats_are_strings_as_few_are(precision: int, dtype: str, last: Any) -> None:
    numbers = tf.cast(np.concatenate([NUMBERS["usual"], NUMBERS["few digits"], last]), dtype)

    found = tf.strings.as_string(numbers, precision, shortest=True).numpy().tolist()
    digits = 6 if precision < 0 else precision
    assert [b"%.*g" % (digits, one) for one in tf.cast(numbers, "float64").numpy()] == found
