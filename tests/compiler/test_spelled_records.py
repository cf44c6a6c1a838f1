"""Compiled functions cut records and find distinct strings as the kernels do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tensormill as tf
from tensormill import backends
from tests.fuzz.limits import EXAMPLES

FIELD = st.sampled_from(["1", "-2.5", "", "NA", "a b", " 7", '"x,1"', '"', "1e3", "\n", "0x1"])
RECORD = st.lists(FIELD, min_size=2, max_size=4).map(",".join)
NUMBERS_ONLY = st.tuples(st.sampled_from(["1", "2.5", "", " 7"]), st.text("ab", max_size=2)).map(
    ",".join
)
RECORDS = st.lists(RECORD, max_size=3) | st.lists(NUMBERS_ONLY, max_size=4)
SOME = tf.TensorSpec([None], tf.string)
WAYS: dict[str, dict[str, Any]] = {
    "defaults": {"record_defaults": [[0.5], ["none"]]},
    "required": {"record_defaults": [tf.zeros([0]), tf.zeros([0], tf.string)]},
    "missing": {"record_defaults": [[1], [""]], "na_value": "NA"},
    "unquoted": {"record_defaults": [tf.constant(2.0, tf.float64), "x"], "use_quote_delim": False},
    "selected": {"record_defaults": [["y"], ["z"]], "select_cols": [0, 2]},
    "other delimiter": {"record_defaults": [[""], [0.0]], "field_delim": " "},
}


def outcome(function: Any, *operands: Any) -> Any:
    try:
        return [one.numpy().tolist() for one in tf.nest.flatten(function(*operands))]
    except tf.errors.OpError as error:
        return type(error)


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
def test_records_are_cut_or_refused_as_by_kernels(way: str) -> None:
    def columns(texts: Any) -> Any:
        return tf.io.decode_csv(tf.stack([texts, texts], 1), **WAYS[way])

    native, reference = (tf.function(columns, input_signature=[SOME]) for _ in range(2))

    @settings(max_examples=EXAMPLES or 60, deadline=None)
    @given(RECORDS)
    def agree(texts: list[str]) -> None:
        given_ = tf.constant(texts, tf.string, [len(texts)])
        with backends.using("reference"):
            expected = outcome(reference, given_)
        assert expected == outcome(native, given_)

    agree()


@pytest.mark.sampled
def test_distinct_strings_are_those_of_kernels() -> None:
    def of_all(texts: Any) -> Any:
        words = tf.strings.split(texts).values
        return (
            tf.unique(texts), tf.unique_with_counts(words, tf.int64),
            tf.raw_ops.UniqueV2(x=tf.strings.upper(texts), axis=[0]),
        )  # fmt: skip

    native, reference = (tf.function(of_all, input_signature=[SOME]) for _ in range(2))

    @settings(max_examples=EXAMPLES or 30, deadline=None)
    @given(st.lists(st.text("ab é\0", max_size=12), max_size=12))
    def agree(texts: list[str]) -> None:
        given_ = tf.constant(texts, tf.string, [len(texts)])
        with backends.using("reference"):
            expected = outcome(reference, given_)
        assert expected == outcome(native, given_)

    agree()


def test_distinct_strings_are_found_without_python() -> None:
    native = tf.function(lambda texts: tf.unique_with_counts(texts), input_signature=[SOME])

    assert [one.numpy().tolist() for one in native(["b", "a", "b"])] == [
        [b"b", b"a"], [0, 1, 0], [2, 1],
    ]  # fmt: skip
    assert native.get_concrete_function().callee.executable.callbacks == ()
