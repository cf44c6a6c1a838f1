"""Functions of strings run on spans of bytes, and give what the kernels give on Python's."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill import backends
from tensormill.compiler import eager_texts
from tensormill.compiler.program import NativeExecutable
from tensormill.ops.strings.spans import spans
from tests.fuzz.limits import EXAMPLES

TEXT = st.text("aB7 é€\0\n", max_size=6).map(str.encode) | st.binary(max_size=6)
TEXTS = st.lists(TEXT, max_size=5)
ANY = tf.TensorSpec([None], tf.string)
NUMBERS = tf.TensorSpec([None], tf.int32)
ONE = tf.TensorSpec([], tf.string)


def arrays(tensors: Any) -> list[Any]:
    return [
        np.asarray(one.numpy(), object).tolist()
        for one in tf.nest.flatten(tensors, expand_composites=True)
    ]


def compiled(*signature: Any) -> Callable[[Any], tuple[Any, Any]]:
    """The function as it is compiled, and as the reference runs it."""

    def both(body: Any) -> tuple[Any, Any]:
        native, reference = (tf.function(body, input_signature=signature) for _ in range(2))
        return native, reference

    return both


@compiled(ANY, ONE, NUMBERS)
def looked_at(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.gather(texts, places)
    return (
        tf.strings.length(texts), tf.strings.length(texts, unit="UTF8_CHAR"),
        texts == one, chosen != tf.reverse(chosen, [0]), chosen[:, None] == texts[None, :],
        tf.strings.length(chosen[::-1]), tf.shape(tf.strings.strip(texts)),
    )  # fmt: skip


@compiled(ANY, ONE, NUMBERS)
def changed(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.strings.strip(tf.gather(texts, places))
    return (
        tf.strings.upper(chosen), tf.strings.lower(texts), tf.strings.strip(texts), texts,
        tf.strings.join([chosen, one, chosen], "--"), tf.strings.join([one, one]),
        tf.strings.join([tf.strings.substr(chosen, 0, 2), "x"]),
        tf.concat([texts, chosen, [one]], 0), tf.stack([one, tf.strings.upper(one)]),
        tf.where(tf.strings.length(texts) > 2, one, tf.strings.upper(texts)),
        tf.reshape(tf.tile(texts, [2]), [2, -1]), tf.expand_dims(chosen, 1),
        tf.strings.join([tf.as_string(places), tf.as_string(places > 1), tf.as_string(0.5)]),
    )  # fmt: skip


@compiled(ANY, ONE, NUMBERS)
def cut(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.gather(texts, places)
    each = [("", -1), ("", 0), ("", 1), ("", 2), ("a", -1), (" a", 1), ("B", 0), ("\0", 2)]
    rows = [tf.strings.split(chosen, sep, most) for sep, most in each]
    found = [(row.values, row.row_splits) for row in rows]
    return (
        found,
        tf.strings.upper(tf.strings.split(one)),
        tf.strings.split(chosen, one + "x").values,
    )


@compiled(ANY, ONE, NUMBERS)
def in_rows(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.gather(texts, places)
    words, pairs = tf.strings.split(chosen), tf.stack([chosen, tf.strings.upper(chosen)], 1)
    cut = [
        tf.raw_ops.StringSplit(input=chosen, delimiter=cuts, skip_empty=skip)
        for cuts in ("", "a", " 7\0") for skip in (True, False)
    ]  # fmt: skip
    return (
        words.to_tensor(), words.to_tensor("+", shape=[None, 2]), cut, chosen + one + "x",
        tf.strings.bytes_split(chosen).values, tf.sparse.to_dense(words.to_sparse(), "-"),
        tf.strings.reduce_join(pairs, 1, separator=", "), tf.strings.reduce_join(pairs, [1, 0]),
        tf.strings.reduce_join(words, -1, separator=" "),
        tf.strings.unsorted_segment_join(chosen, places % 3, 4, "-"),
        tf.strings.unsorted_segment_join(pairs, places % 2, 2, "-"),
        tf.strings.ngrams(words, 2), tf.strings.ngrams(pairs, [1, 2], "é", pad_values=("<", ">")),
        tf.strings.ngrams(words, [3, 4], preserve_short_sequences=True),
        tf.strings.ngrams(words, 3, pad_values="p", padding_width=1, preserve_short_sequences=True),
    )  # fmt: skip


@compiled(ANY, ONE, NUMBERS)
def replaced(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.gather(texts, places)
    patterns = [
        "a",
        "[aB7]",
        r"\s+",
        "aB",
        "[a-z][aB]+",
        "(a)(B+)|7",
        "^[^a]{1,2}",
        "é|a|.",
        "B7?$",
    ]
    return [
        tf.strings.regex_replace(chosen, pattern, rewrite, everywhere)
        for pattern in patterns
        for rewrite in ("", "+", r"<\0\0>", *([r"\2-\1"] if "(" in pattern else []))
        for everywhere in (True, False)
    ], [tf.strings.regex_full_match(texts, pattern) for pattern in (*patterns, ".*a.*", "")]


@compiled(ANY, ONE, NUMBERS)
def coded(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.gather(texts, places)
    long = tf.strings.join([chosen, one, tf.strings.reduce_join(texts)])
    hashed = [
        (
            tf.strings.to_hash_bucket_fast(some, 2**40),
            tf.raw_ops.StringToHashBucket(string_tensor=some, num_buckets=2**40),
            tf.strings.to_hash_bucket_strong(some, 2**40, [3, -5]), tf.fingerprint(some),
        )
        for some in (chosen, long, tf.strings.reduce_join(tf.tile(long[:1], [9]))[None])
    ]  # fmt: skip
    letters = [tf.io.encode_base64(long, pad=pad) for pad in (True, False)]
    numbers = [
        tf.io.decode_raw(texts, dtype, fixed_length=8, little_endian=little)
        for dtype in (tf.uint8, tf.int16, tf.int64) for little in (True, False)
    ]  # fmt: skip
    return (
        hashed, letters, [tf.io.decode_base64(some) for some in letters], numbers,
        tf.io.decode_raw(tf.fill([2], one), tf.int8), tf.as_string(places > 1),
    )  # fmt: skip


@compiled(ANY, ONE, NUMBERS)
def of_characters(texts: Any, one: Any, places: Any) -> Any:
    chosen = tf.strings.join([tf.gather(texts, places), one])
    decoded = [
        tf.strings.unicode_decode_with_offsets(
            chosen, "UTF-8", errors, 63, replace_control_characters=replaces
        )
        for errors in ("replace", "ignore") for replaces in (True, False)
    ]  # fmt: skip
    numbers = tf.strings.unicode_decode(texts, "UTF-8").with_flat_values
    strange = numbers(tf.strings.unicode_decode(texts, "UTF-8").values * 3000 - 100_000)
    changed = [
        (
            tf.strings.unicode_transcode(chosen[:, None], "UTF-8", encoding, errors),
            tf.strings.unicode_encode(strange, encoding, errors),
        )
        for encoding in ("UTF-8", "UTF-16-BE", "UTF-32-BE") for errors in ("replace", "ignore")
    ]  # fmt: skip
    return decoded, changed, tf.strings.unicode_split(texts, "UTF-8")


@compiled(ANY)
def decoded_or_refused(texts: Any) -> Any:
    return tf.strings.unicode_transcode(texts, "UTF-8", "UTF-8", errors="strict")


@compiled(NUMBERS)
def encoded_or_refused(numbers: Any) -> Any:
    return tf.strings.unicode_encode(numbers[:, None] * 20_000, "UTF-16-BE", errors="strict")


@compiled(ANY, NUMBERS, NUMBERS)
def cut_or_refused(texts: Any, begins: Any, counts: Any) -> Any:
    return tf.strings.substr(texts, begins[:, None], counts[:, None], "UTF8_CHAR")


@compiled(ANY)
def read_or_refused(texts: Any) -> Any:
    return tf.io.decode_base64(texts)


@compiled(ANY)
def numbers_or_refused(texts: Any) -> Any:
    return tf.io.decode_raw(texts, tf.int16)


@compiled(ANY, ONE, NUMBERS)
def in_loops(texts: Any, one: Any, places: Any) -> Any:
    longest, joined, swapped = tf.constant(""), one, texts
    for place in places:
        text = texts[place]
        if tf.strings.length(text) > tf.strings.length(longest):
            longest = text
        elif text == one:
            joined = tf.strings.upper(joined)
        else:
            joined = tf.strings.join([joined, text, joined], "+")
        if tf.strings.length(joined) > 40:
            joined = tf.strings.substr(joined, -3, 2)
        longest, joined = joined, longest
        swapped = tf.concat([swapped[1:], [tf.strings.strip(longest)]], 0)
    return longest, joined, swapped


@compiled(ANY, ONE, NUMBERS)
def with_python(texts: Any, one: Any, places: Any) -> Any:
    """Steps in Python get strings that native code made, and the other way round."""
    marked = tf.strings.regex_replace(tf.strings.upper(texts), "(?:[A-Z])", "<\\0>")
    for place in places:
        marked = tf.strings.regex_replace(tf.strings.join([marked, texts[place]]), "(B)", "")
    kept = tf.py_function(lambda given: given, [tf.strings.strip(marked)], tf.string)
    return marked, tf.strings.length(marked), tf.strings.join([tf.ensure_shape(kept, [None]), one])


@pytest.mark.sampled
@pytest.mark.parametrize(
    "pair",
    [looked_at, changed, cut, in_rows, replaced, coded, of_characters, in_loops, with_python],
)
def test_spans_give_what_the_kernels_give(pair: Any) -> None:
    native, reference = pair
    native(tf.constant(["a"]), "b", [0])  # before time is taken

    @settings(max_examples=EXAMPLES or 25, deadline=None)
    @given(TEXTS, TEXT, st.lists(st.integers(0, 2**31 - 1), max_size=6))
    def agree(texts: list[bytes], one: bytes, numbers: list[int]) -> None:
        places = [number % len(texts) for number in numbers if texts]
        given_ = (
            tf.constant(texts, tf.string, [len(texts)]), tf.constant(one),
            tf.constant(places, tf.int32, [len(places)]),
        )  # fmt: skip
        with backends.using("reference"):
            expected = arrays(reference(*given_))
        assert expected == arrays(native(*given_))

    agree()


PAIRS = st.lists(st.tuples(st.integers(-3, 3), st.integers(-1, 4)), max_size=2)
LETTERS = st.text("aZ9-_=/", max_size=9).map(str.encode)


def result_or_error(function: Any, *operands: Any) -> Any:
    try:
        return arrays(function(*operands))
    except tf.errors.OpError as error:
        return type(error)


@pytest.mark.sampled
@settings(max_examples=EXAMPLES or 50, deadline=None)
@given(TEXTS, PAIRS)
def test_characters_are_cut_or_refused_as_by_kernels(
    texts: list[bytes], pairs: list[tuple[int, int]]
) -> None:
    parts = np.array(pairs, np.int32).reshape(-1, 2)
    given_ = tf.constant(texts, tf.string, [len(texts)]), parts[:, 0], parts[:, 1]
    native, reference = cut_or_refused
    with backends.using("reference"):
        expected = result_or_error(reference, *given_)

    assert expected == result_or_error(native, *given_)


@pytest.mark.sampled
@settings(max_examples=EXAMPLES or 50, deadline=None)
@given(TEXTS, st.lists(st.integers(-1, 60), max_size=2))
def test_characters_are_read_and_written_or_refused_as_by_kernels(
    texts: list[bytes], numbers: list[int]
) -> None:
    strings = tf.constant(texts, tf.string, [len(texts)])
    for pair, given_ in (
        (decoded_or_refused, strings),
        (encoded_or_refused, np.array(numbers, np.int32)),
    ):
        native, reference = pair
        with backends.using("reference"):
            expected = result_or_error(reference, given_)
        assert expected == result_or_error(native, given_)


@pytest.mark.sampled
@pytest.mark.parametrize("pair", [read_or_refused, numbers_or_refused])
def test_bytes_are_read_or_refused_as_by_kernels(pair: Any) -> None:
    native, reference = pair

    @settings(max_examples=EXAMPLES or 50, deadline=None)
    @given(st.lists(LETTERS, max_size=3))
    def agree(texts: list[bytes]) -> None:
        given_ = tf.constant(texts, tf.string, [len(texts)])
        with backends.using("reference"):
            expected = result_or_error(reference, given_)
        assert expected == result_or_error(native, given_)

    agree()


@pytest.mark.parametrize("pair", [in_loops, in_rows, replaced, coded, of_characters])
def test_native_functions_of_strings_call_no_python(pair: Any) -> None:
    native, _ = pair
    native(["a", "b"], "b", [1, 0])

    assert native.get_concrete_function().callee.executable.callbacks == ()


def test_functions_of_numbers_alone_are_called_as_they_are() -> None:
    @tf.function
    def same(x: Any) -> Any:
        return x == 1.0

    same(tf.constant([1.0, 2.0]))
    assert type(same.get_concrete_function(tf.constant([1.0, 2.0])).callee.executable) is (
        NativeExecutable
    )


def test_what_is_not_touched_is_handed_on() -> None:
    given_ = tf.constant(["a", "b"])

    @tf.function
    def longer(texts: Any) -> Any:
        return texts, tf.strings.length(texts)

    assert longer(given_)[0] is given_


def test_variables_of_strings_are_read_and_assigned_in_order() -> None:
    state = tf.Variable(["a", "b"])

    @tf.function
    def doubled(text: Any) -> Any:
        before = tf.strings.join([state, text])
        state.assign(tf.strings.upper(before))
        return before, tf.strings.length(state)

    before, lengths = doubled(tf.constant("xy"))
    assert before.numpy().tolist() == [b"axy", b"bxy"]
    assert state.numpy().tolist() == [b"AXY", b"BXY"]
    assert lengths.numpy().tolist() == [3, 3]


def test_a_start_outside_of_a_string_is_refused() -> None:
    @tf.function
    def cut(texts: Any, start: Any) -> Any:
        return tf.strings.substr(texts, start, 1)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"pos\[1\] is out of range"):
        cut(tf.constant(["abc", "ab"]), tf.constant(3))


def test_unknown_ranks_stay_in_python() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.string)])
    def measured(texts: Any) -> Any:
        return tf.strings.length(tf.strings.join([texts, "x"]))

    assert measured([["a"], ["bc"]]).numpy().tolist() == [[2], [3]]
    assert measured("a").numpy() == 2


@settings(max_examples=EXAMPLES or 25, deadline=None)
@given(st.lists(TEXT, min_size=eager_texts.MANY, max_size=2 * eager_texts.MANY))
def test_native_code_and_python_pass_the_border_alike(texts: list[bytes]) -> None:
    strings = np.empty((len(texts), 1), object)
    strings[:, 0] = texts
    found, expected = eager_texts.spans_in(strings), spans.spans_in(strings)

    assert [one.tolist() for one in expected] == [one.tolist() for one in found]
    assert strings.tolist() == eager_texts.strings_of(*found).tolist()


def test_what_is_no_string_does_not_pass_the_border() -> None:
    strings = np.array([b"a"] * eager_texts.MANY, object)
    strings[-1] = "a"

    with pytest.raises(tf.errors.InternalError, match="holds bytes only"):
        eager_texts.spans_in(strings)


def test_calls_leave_nothing_behind() -> None:
    texts = tf.constant([b"%d, a longer string" % k for k in range(100)])

    @tf.function
    def swapped(texts: Any) -> Any:
        text = tf.constant("")
        for one in texts:
            text = tf.strings.join([tf.strings.substr(text, 0, 1), one])
        return tf.strings.upper(texts), text

    def blocks_after(calls: int) -> int:
        for _ in range(calls):
            swapped(texts)
        gc.collect()
        return sys.getallocatedblocks()

    blocks_after(5)
    objects = texts.numpy().tolist()
    counts = [*map(sys.getrefcount, objects)]
    assert blocks_after(5) + 1000 > blocks_after(20)  # each call makes 101 strings
    assert counts == [*map(sys.getrefcount, objects)]
