"""Kernels that take all strings together give what each string gives by itself."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tensormill as tf

TEXT = st.text("aB7 é€\0\n", max_size=6).map(str.encode) | st.binary(max_size=6)
NUMBER = st.integers(-(2**63), 2**63 - 1) | st.integers(-8, 8)


def part(text: bytes, position: int, count: int, unit: str) -> bytes | None:
    """What `substr` gives; None where `position` is outside."""
    whole = [text[place : place + 1] for place in range(len(text))]
    if unit == "UTF8_CHAR":
        whole = characters(text)
    if not -len(whole) <= position <= len(whole):
        return None
    rest = whole[position:]
    taken = max(count, 0) if unit == "UTF8_CHAR" or count >= 0 else len(rest)
    return b"".join(rest[:taken])


def characters(text: bytes) -> list[bytes]:
    """A byte that goes on is of the character before, whether that is one or not."""
    found: list[bytes] = []
    for place in range(len(text)):
        byte = text[place : place + 1]
        if found and b"\x80" <= byte <= b"\xbf":
            found[-1] += byte
        else:
            found.append(byte)
    return found


@given(
    st.lists(st.tuples(TEXT, NUMBER, NUMBER), min_size=1, max_size=4),
    st.sampled_from(["BYTE", "UTF8_CHAR"]),
)
def test_parts_are_those_of_each_string(rows: list[tuple[bytes, int, int]], unit: str) -> None:
    texts, positions, counts = (list(column) for column in zip(*rows, strict=True))
    expected = [part(*row, unit) for row in rows]
    numbers = [tf.constant(one, tf.int64) for one in (positions, counts)]
    unclear = [unit == "UTF8_CHAR" and row[1] < 0 and row[2] < 0 for row in rows]

    if None in expected:
        outside = expected.index(None)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            tf.strings.substr(texts, *numbers, unit=unit)
        assert f"pos {positions[outside]} out of range for string {texts[outside]!r}" in str(
            caught.value
        )
    elif any(unclear):
        first = unclear.index(True)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            tf.strings.substr(texts, *numbers, unit=unit)
        assert f"pos {positions[first]} of string {texts[first]!r} counts" in str(caught.value)
    else:
        assert expected == tf.strings.substr(texts, *numbers, unit=unit).numpy().tolist()


SPELLED = st.sampled_from(
    [
        b"1",
        b" -2\n",
        b"+3",
        b"1_0",
        b"x",
        b"",
        b"1\0",
        b"4294967296",
        b"2.5",
        b"nan",
        b"1e3",
        b"0x1",
    ]
)


@given(st.lists(SPELLED, max_size=3), st.sampled_from([tf.int32, tf.int64, tf.float32, tf.float64]))
def test_numbers_are_those_of_each_string(texts: list[bytes], dtype: tf.DType) -> None:
    each = [spelled([text], dtype) for text in texts]
    wrong = next((one for one in each if isinstance(one, str)), None)

    assert (wrong or [one[0] for one in each]) == spelled(texts, dtype)


def spelled(texts: list[bytes], dtype: tf.DType) -> list[str] | str:
    """The numbers written out; a message where one is none."""
    try:
        numbers = tf.strings.to_number(tf.constant(texts, tf.string), dtype).numpy()
    except tf.errors.InvalidArgumentError as error:
        return str(error)
    return [repr(one) for one in numbers]


@given(st.lists(TEXT, max_size=4), st.sampled_from(["lower", "upper"]))
def test_letters_change_by_themselves_and_among_others(texts: list[bytes], name: str) -> None:
    change = getattr(tf.strings, name)
    expected = [getattr(text.decode("utf-8", "replace"), name)().encode() for text in texts]

    assert expected == change(tf.constant(texts, tf.string), encoding="utf-8").numpy().tolist()


@pytest.mark.parametrize(
    ("expected", "text"), [(5, b"\xff\xfe\x80abc"), (3, b"\x80abc"), (2, "é€".encode()), (0, b"")]
)
def test_bytes_that_are_no_characters_are_counted_and_kept(expected: int, text: bytes) -> None:
    assert expected == tf.strings.length(text, "UTF8_CHAR").numpy()
    assert text == tf.strings.substr(text, 0, 9, "UTF8_CHAR").numpy()


WRITTEN = [
    (b"     +5", 5, {"width": 7, "fill": "+"}),
    (b" 2147483647", 2147483647, {"width": 8, "fill": " "}),
    (b"+1.5", 1.5, {"shortest": True, "fill": "+"}),
    (b"2.", 2.0, {"precision": 0, "fill": "#"}),
    (b"    -inf", -math.inf, {"width": 8, "fill": "0"}),
    (b"-0001.5", -1.5, {"width": 7, "shortest": True, "fill": "0"}),
    (b"( 1.5,-2.0)", 1.5 - 2j, {"width": 4, "precision": 1}),
    (b"(1.5 ,inf )", complex(1.5, math.inf), {"width": 4, "precision": 1, "fill": "-"}),
    (b"   ab", b"ab", {"width": 5}),
    (b"ab   ", b"ab", {"width": 5, "fill": "-"}),
    (b"ab", b"ab", {"precision": 1}),
]


@pytest.mark.parametrize(("expected", "value", "options"), WRITTEN)
def test_fill_and_width_are_those_of_c(
    expected: bytes, value: Any, options: dict[str, Any]
) -> None:
    written = tf.function(lambda x: tf.as_string(x, **options))

    assert expected == tf.as_string(value, **options).numpy() == written(tf.constant(value)).numpy()


def test_numbers_without_a_sign_get_none() -> None:
    assert b"   5" == tf.as_string(tf.constant(5, tf.uint8), width=4, fill="+").numpy()


@pytest.mark.parametrize("value", [1.5, 1, True, "a"])
def test_what_fills_is_one_that_c_knows(value: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match='Fill argument not supported: "x"'):
        tf.as_string(value, width=4, fill="x")


# What TensorFlow gives.
@pytest.mark.parametrize(
    ("most", "parts"),
    [
        (-1, [[], [], [b"x", b"y"], [b"x"], [b"a", b"b", b"c"]]),
        (0, [[b""], [b" \n"], [b" x  y "], [b"x"], [b"a b\tc "]]),
        (1, [[], [], [b"x", b"y "], [b"x", b""], [b"a", b"b\tc "]]),
        (2, [[], [], [b"x", b"y", b""], [b"x"], [b"a", b"b", b"c "]]),
        (3, [[], [], [b"x", b"y"], [b"x"], [b"a", b"b", b"c", b""]]),
    ],
)
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_what_is_left_after_the_last_cut_is_a_part(
    most: int, parts: list[list[bytes]], compiled: bool
) -> None:
    def split(texts: Any) -> Any:
        return tf.strings.split(texts, maxsplit=most)

    texts = tf.constant(["", " \n", " x  y ", "x", "a b\tc "])

    assert parts == (tf.function(split) if compiled else split)(texts).to_list()
