"""Compiled functions read and write numbers as the kernels do, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill import backends
from tests.fuzz.limits import EXAMPLES

DIGITS = st.text("0123456789", max_size=20)
PLAIN = st.tuples(
    st.sampled_from(["", "-", "+", " ", "\t-"]), DIGITS, st.sampled_from(["", ".", "e"]), DIGITS,
    st.sampled_from(["", "e", "E-", "e+"]), st.text("0123456789", max_size=3),
    st.sampled_from(["", " ", "\n"]),
).map("".join)  # fmt: skip
FLOATS = st.floats(width=64) | st.floats(width=32) | st.integers(-99, 99).map(lambda k: k / 8)
SPELLED = st.one_of(
    PLAIN, FLOATS.map(repr), FLOATS.map(lambda one: f"{one:.7g}"), st.integers().map(str),
    st.integers(-(2**64), 2**64).map(str), st.sampled_from(["nan", "-inf", "0x1p-3", "1_0", ""]),
)  # fmt: skip
TEXTS = st.lists(SPELLED, max_size=4)
SOME = tf.TensorSpec([None], tf.string)


def outcome(function: Any, *operands: Any) -> Any:
    """What comes out, as bytes; or the class of an error."""
    try:
        found = function(*operands).numpy()
    except tf.errors.OpError as error:
        return type(error)
    return found.tolist() if found.dtype == object else found.tobytes()


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint32", "uint64"])
def test_numbers_are_read_or_refused_as_by_kernels(dtype: str) -> None:
    native, reference = (
        tf.function(lambda texts: tf.strings.to_number(texts, dtype), input_signature=[SOME])
        for _ in range(2)
    )

    @settings(max_examples=EXAMPLES or 100, deadline=None)
    @given(TEXTS)
    def agree(texts: list[str]) -> None:
        given_ = tf.constant(texts, tf.string, [len(texts)])
        with backends.using("reference"):
            expected = outcome(reference, given_)
        assert expected == outcome(native, given_)

    agree()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64"])
def test_digits_that_wrap_around_are_counted(dtype: str) -> None:
    native, reference = (
        tf.function(lambda texts: tf.strings.to_number(texts, dtype), input_signature=[SOME])
        for _ in range(2)
    )
    for number in (2**64, 2**64 + 5, 2**65, 10**20, 10**25 + 1):
        for text in (str(number), f"000{number}"):
            with backends.using("reference"):
                expected = outcome(reference, tf.constant([text]))
            assert expected == outcome(native, tf.constant([text]))


def middle(bits: int, shift: int) -> str:
    """The number between two neighbours of so many bits, exactly."""
    number = (1 << bits) + 2 * shift + 1
    return f"{number * 5**20}e-20" if shift % 2 else str(number << shift % 8)


@pytest.mark.parametrize(("dtype", "bits"), [("float32", 24), ("float64", 53)])
def test_numbers_in_the_middle_go_to_the_even_neighbour(dtype: str, bits: int) -> None:
    texts = [middle(bits, shift) for shift in range(64)]
    found = tf.function(lambda: tf.strings.to_number(tf.constant(texts), dtype))()
    expected = np.array([float(text) for text in texts], np.float64)

    assert expected.astype(dtype).tolist() == found.numpy().tolist()


@pytest.mark.sampled
@pytest.mark.parametrize("precision", [-1, 0, 1, 9, 10])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_floats_are_written_as_by_kernels(dtype: str, precision: int) -> None:
    signature = [tf.TensorSpec([None], dtype)]
    native, reference = (
        tf.function(lambda x: tf.as_string(x, precision), input_signature=signature)
        for _ in range(2)
    )

    @settings(max_examples=EXAMPLES or 30, deadline=None)
    @given(st.lists(FLOATS, max_size=4))
    def agree(numbers: list[float]) -> None:
        given_ = tf.cast(np.array(numbers, np.float64), dtype)
        with backends.using("reference"):
            expected = outcome(reference, given_)
        assert expected == outcome(native, given_)

    agree()


def test_halves_are_written_with_the_even_digit() -> None:
    numbers = [0.5, 1.5, 2.5, -0.5, 0.125, 0.375, 2.0**-7, 3 * 2.0**-7, -0.0, 9.5, 2.0**62]
    for precision in (0, 1, 2, 6):
        found = tf.function(lambda p=precision: tf.as_string(tf.constant(numbers, tf.float64), p))()

        assert [b"%.*f" % (precision, one) for one in numbers] == found.numpy().tolist()


def test_in_branches_and_loops_numbers_are_read_and_written() -> None:
    @tf.function
    def total(texts: Any) -> Any:
        found, said = tf.constant(0.0), tf.constant("")
        for text in texts:
            if tf.strings.length(text) > 0:
                found += tf.strings.to_number(text)
                said = tf.strings.join([said, tf.as_string(found, 1)], " ")
        return found, said

    found, said = total(tf.constant(["1.5", "", "0x2", " -1e30 ", "1e3"]))
    assert found.numpy() == np.float32(-1e30)
    assert said.numpy().startswith(b" 1.5 3.5 -1000000015047466219876688855040.0 -1")


def test_what_is_no_number_is_told_by_its_place_in_the_program() -> None:
    @tf.function
    def read(texts: Any) -> Any:
        return tf.strings.to_number(texts, tf.int32)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"convert string: 5x(.|\n)*StringTo"):
        read(tf.constant(["1", "5x"]))
