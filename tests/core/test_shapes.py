"""Shapes with unknown sizes and unknown ranks."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.core.shapes import (
    UNKNOWN,
    TensorShape,
    as_shape,
    broadcast_dims,
    broadcast_shapes,
)
from tensormill.errors import ShapeMismatchError

S = TensorShape


@pytest.mark.parametrize(
    ("written", "shown", "shape"),
    [
        ("TensorShape([1, None])", "(1, None)", S([1, None])),
        ("TensorShape([3])", "(3,)", S(3)),
        ("TensorShape([])", "()", S([])),
        ("TensorShape(None)", "<unknown>", UNKNOWN),
    ],
)
def test_repr_and_str_are_tensorflows(written: str, shown: str, shape: TensorShape) -> None:
    assert (written, shown) == (repr(shape), str(shape))


def test_a_shape_equals_lists_and_tuples() -> None:
    assert [1, 2] == S([1, 2]) == (1, 2)
    assert S([None]) == S([None])
    assert S([1]) != UNKNOWN
    assert S([1]) != "x"
    assert hash(S([1, 2])) == hash(S((1, 2)))
    assert S([1, None]) == pickle.loads(pickle.dumps(S([1, None])))


def test_parts_are_sizes_or_shapes() -> None:
    shape = S([1, 2, 3])

    assert (2, 3, [2, 3], [1, 2, 3]) == (shape[1], shape[-1], shape[1:], list(shape))
    assert UNKNOWN[0] is None
    assert (None, [None, None], None) == (UNKNOWN[1:].rank, UNKNOWN[1:3], UNKNOWN[-1:].rank)
    with pytest.raises(IndexError):
        shape[5]


def test_an_unknown_rank_has_neither_length_nor_elements() -> None:
    for ask in (len, list, S.as_list, S.as_tuple):
        with pytest.raises(ValueError, match="unknown"):
            ask(UNKNOWN)
    assert (None, None, False, False) == (
        UNKNOWN.rank, UNKNOWN.num_elements(), bool(UNKNOWN), UNKNOWN.is_fully_defined(),
    )  # fmt: skip


def test_elements_are_counted_where_all_sizes_are_known() -> None:
    assert (6, 1, 0, None) == tuple(S(x).num_elements() for x in ([2, 3], [], [0, 3], [1, None]))


def test_shapes_are_joined() -> None:
    assert [1, 2, 3] == S([1]) + [2, 3] == [1] + S([2, 3]) == S([1, 2]).concatenate(3)  # noqa: RUF005
    assert (S([1]) + None).rank is None


@pytest.mark.parametrize("value", [[1.5], ["a"], {"a": 1}.items(), object()])
def test_sizes_are_integers(value: Any) -> None:
    with pytest.raises(TypeError, match="must be integer or None"):
        S(value)


@pytest.mark.parametrize("value", [3, np.int64(3), np.array(3)])
def test_one_size_is_a_shape_of_one_axis(value: Any) -> None:
    assert [3] == TensorShape(value)


def test_sizes_are_not_negative() -> None:
    with pytest.raises(ValueError, match="must be >= 0"):
        S([-1])


def test_numpy_takes_a_shape() -> None:
    shape: Any = S([np.int64(1), 2])

    assert (1, 2) == np.zeros(shape).shape


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: S([1, 2]).merge_with([1, 3]), "not compatible"),
        (lambda: S([1, 2]).assert_is_compatible_with([2]), "incompatible"),
        (lambda: S([1, 2]).with_rank(3), "not compatible"),
        (lambda: S([1]).with_rank_at_least(2), "at least 2"),
        (lambda: S([1, 2]).with_rank_at_most(1), "at most 1"),
        (lambda: S([1]).assert_has_rank(2), "must have rank 2"),
        (lambda: S([1]).assert_same_rank([1, 2]), "same rank"),
        (lambda: S([None]).assert_is_fully_defined(), "not fully defined"),
    ],
)
def test_demands_that_fail_are_value_errors(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


dims = st.lists(st.none() | st.integers(0, 3), max_size=3)
shapes = st.none() | dims


@settings(max_examples=60, deadline=None)
@given(shapes, shapes)
def test_merging_and_relaxing_go_opposite_ways(one: Any, other: Any) -> None:
    a, b = S(one), S(other)
    relaxed = a.relax(b)

    assert a.is_subtype_of(relaxed)
    assert b.is_subtype_of(relaxed)
    assert relaxed == b.relax(a)
    if a.is_compatible_with(b):
        merged = a.merge_with(b)
        assert merged.is_subtype_of(a)
        assert merged.is_subtype_of(b)
        assert merged == b.merge_with(a)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=3), st.lists(st.integers(0, 3), max_size=3))
def test_broadcasting_is_numpys(one: list[int], other: list[int]) -> None:
    try:
        expected = np.broadcast_shapes(tuple(one), tuple(other))
    except ValueError:
        with pytest.raises(ShapeMismatchError, match="Incompatible shapes"):
            broadcast_dims(tuple(one), tuple(other))
        return
    assert expected == broadcast_dims(tuple(one), tuple(other))


def test_broadcasting_with_unknown_sizes() -> None:
    assert (None, 3) == broadcast_dims((None, 1), (3,))
    assert (3,) == broadcast_dims((None,), (3,))
    assert broadcast_shapes(UNKNOWN, as_shape([1])).rank is None


def test_a_shape_is_a_trace_type_without_values() -> None:
    shape = TensorShape([1, 2])

    assert TensorShape([1, None]) == shape.most_specific_common_supertype([TensorShape([1, 3])])
    assert None is shape.most_specific_common_supertype([[1, 2]])
    assert None is shape.most_specific_common_supertype([TensorShape([1])])
    assert [] == shape.flatten() == shape.to_tensors(1)
    with pytest.raises(AssertionError):
        shape.cast(1, None)


def test_dims_are_what_tensorflow_1_had() -> None:
    assert [2, None] == [one.value for one in TensorShape([2, None]).dims or ()]
    assert TensorShape(None).dims is None
