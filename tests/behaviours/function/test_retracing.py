"""Traces that serve many shapes, `reduce_retracing`: statements F32 to F38."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf


class Looking:
    """A traced function that remembers what its body saw of its arguments."""

    def __init__(self, **options: Any) -> None:
        self.seen: list[Any] = []
        self.function = tf.function(self._look, autograph=False, **options)

    def _look(self, *args: Any) -> Any:
        seen = tf.nest.map_structure(_shape_of, args)
        self.seen.append(seen[0] if len(seen) == 1 else seen)
        return tf.constant(0)

    @property
    def traces(self) -> int:
        return self.function.experimental_get_tracing_count()


def _shape_of(value: Any) -> Any:
    return str(value.shape) if hasattr(value, "shape") else value


def shapes_traced(*shapes: list[int]) -> list[str]:
    """The shape that each trace saw, where retracing is reduced."""
    looking = Looking(reduce_retracing=True)
    for shape in shapes:
        looking.function(tf.zeros(shape))
    return looking.seen


@behaviour("F32")
def test_by_default_every_shape_has_its_own_trace() -> None:
    looking = Looking()
    for size in (1, 2, 3, 1):
        looking.function(tf.zeros([size]))

    assert looking.seen == ["(1,)", "(2,)", "(3,)"]


@behaviour("F33")
def test_the_second_shape_relaxes_what_differs_from_an_earlier_one() -> None:
    assert shapes_traced([1, 5], [2, 5], [3, 5], [4, 5]) == ["(1, 5)", "(None, 5)"]


@behaviour("F33")
def test_a_shape_that_the_relaxed_trace_does_not_cover_relaxes_more() -> None:
    assert shapes_traced([1, 5], [2, 5], [2, 6], [7, 8]) == ["(1, 5)", "(None, 5)", "(None, None)"]


@behaviour("F33")
def test_a_relaxed_trace_computes_with_every_size() -> None:
    f = tf.function(tf.reduce_sum, reduce_retracing=True)

    assert [f(tf.ones([size])).numpy() for size in (1, 2, 0, 7)] == [1.0, 2.0, 0.0, 7.0]
    assert f.experimental_get_tracing_count() == 2


@behaviour("F34")
def test_another_rank_relaxes_the_rank_for_good() -> None:
    seen = shapes_traced([1, 1], [2, 1], [2, 2], [3, 3], [3], [4], [], [1, 2, 3])

    assert seen == ["(1, 1)", "(None, 1)", "(None, None)", "<unknown>"]


@behaviour("F35")
def test_other_arguments_keep_their_shapes() -> None:
    looking = Looking(reduce_retracing=True)
    looking.function(tf.zeros([1, 2]), tf.zeros([3]))
    looking.function(tf.zeros([5, 2]), tf.zeros([3]))

    assert looking.seen == [("(1, 2)", "(3,)"), ("(None, 2)", "(3,)")]


@behaviour("F35")
@pytest.mark.parametrize("wrap", [lambda x: [x, 1], lambda x: {"a": x, "b": (tf.zeros([4]),)}])
def test_tensors_in_lists_and_dicts_are_relaxed(wrap: Any) -> None:
    looking = Looking(reduce_retracing=True)
    for size in (1, 2, 3):
        looking.function(wrap(tf.zeros([size])))

    assert looking.seen == [
        tf.nest.map_structure(_shape_of, wrap(tf.zeros([1]))),
        tf.nest.map_structure(_shape_of, wrap(_Unknown())),
    ]


class _Unknown:
    shape = "(None,)"


@behaviour("F35")
def test_another_length_of_a_list_is_another_trace() -> None:
    looking = Looking(reduce_retracing=True)
    for count in (1, 2, 3):
        looking.function([tf.zeros([1])] * count)

    assert looking.traces == 3


@behaviour("F36")
def test_dtypes_are_not_relaxed() -> None:
    looking = Looking(reduce_retracing=True)
    for dtype in (tf.float32, tf.float64, tf.int32):
        looking.function(tf.zeros([1], dtype))

    assert looking.seen == ["(1,)"] * 3


@behaviour("F36")
def test_python_values_are_not_relaxed() -> None:
    looking = Looking(reduce_retracing=True)
    for value in (1, 2, 3):
        looking.function(value)

    assert looking.seen == [1, 2, 3]


@behaviour("F36")
def test_a_tensor_is_relaxed_only_beside_equal_python_values() -> None:
    looking = Looking(reduce_retracing=True)
    for size, value in ((1, "a"), (2, "b"), (3, "b"), (4, "a")):
        looking.function(tf.zeros([size]), value)

    assert looking.seen == [("(1,)", "a"), ("(2,)", "b"), ("(None,)", "b"), ("(None,)", "a")]


@behaviour("F37")
def test_variables_are_relaxed() -> None:
    total = tf.function(tf.reduce_sum, reduce_retracing=True)
    totals = [total(tf.Variable(tf.ones([size]))).numpy() for size in (1, 2, 3)]

    assert totals == [1.0, 2.0, 3.0]
    assert total.experimental_get_tracing_count() == 2


@behaviour("F38")
def test_relax_shapes_is_an_older_name_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        looking = Looking(experimental_relax_shapes=True)
        for size in range(1, 5):
            looking.function(tf.zeros([size]))

    assert looking.seen == ["(1,)", "(None,)"]
