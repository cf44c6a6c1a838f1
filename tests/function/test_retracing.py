"""Relaxed shapes, and the warning about too many traces."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import tensormill as tf


def shapes_traced(*shapes: list[int]) -> list[str]:
    """The shape that each trace saw."""
    seen: list[str] = []

    @tf.function(reduce_retracing=True, autograph=False)
    def look(x: Any) -> Any:
        seen.append(str(x.shape))
        return x

    for shape in shapes:
        look(tf.zeros(shape))
    return seen


def test_without_reduce_retracing_every_shape_is_traced() -> None:
    @tf.function
    def same(x: Any) -> Any:
        return x

    for size in range(3):
        same(tf.zeros([size]))

    assert same.experimental_get_tracing_count() == 3


def test_the_second_shape_relaxes_the_dimension_that_changed() -> None:
    seen = shapes_traced([1, 5], [2, 5], [3, 5], [4, 5], [2, 6], [7, 8])

    assert seen == ["(1, 5)", "(None, 5)", "(None, None)"]


def test_another_rank_relaxes_the_rank() -> None:
    seen = shapes_traced([1, 1], [2, 1], [2, 2], [3, 3], [3], [4])

    assert seen == ["(1, 1)", "(None, 1)", "(None, None)", "<unknown>"]


def test_relaxation_leaves_other_arguments_exact() -> None:
    seen: list[tuple[str, str]] = []

    @tf.function(reduce_retracing=True, autograph=False)
    def look(pair: Any, x: Any) -> Any:
        seen.append((str(pair["a"].shape), str(x.shape)))
        return x

    look({"a": tf.zeros([1])}, tf.zeros([3]))
    look({"a": tf.zeros([2])}, tf.zeros([3]))

    assert seen == [("(1,)", "(3,)"), ("(None,)", "(3,)")]


def test_neither_dtypes_nor_python_values_are_relaxed() -> None:
    @tf.function(reduce_retracing=True)
    def same(x: Any) -> Any:
        return x

    for value in (1, 2, 3, tf.zeros([1]), tf.zeros([1], tf.float64)):
        same(value)

    assert same.experimental_get_tracing_count() == 5


def test_variables_are_relaxed_too() -> None:
    @tf.function(reduce_retracing=True)
    def total(v: Any) -> Any:
        return tf.reduce_sum(v)

    totals = [total(tf.Variable(tf.ones([size]))).numpy() for size in (1, 2, 3)]

    assert totals == [1.0, 2.0, 3.0]
    assert total.experimental_get_tracing_count() == 2


def test_relax_shapes_is_an_older_name() -> None:
    same = tf.function(lambda x: x, experimental_relax_shapes=True)
    for size in range(5):
        same(tf.zeros([size]))

    assert same.experimental_get_tracing_count() == 2


def warnings_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if "retracing" in r.getMessage()]


def test_the_fifth_trace_in_a_row_is_warned_about_twice(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def same(x: Any) -> Any:
        return x

    with caplog.at_level(logging.WARNING, "tensorflow"):
        for value in range(9):
            same(value)
    found = warnings_of(caplog)

    assert [text[:22] for text in found] == ["5 out of the last 5 ca", "6 out of the last 6 ca"]


def test_the_warning_names_the_argument_and_what_to_do(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def step(batch: Any, rate: Any) -> Any:
        return batch["x"] * rate

    with caplog.at_level(logging.WARNING, "tensorflow"):
        for size in range(1, 6):
            step({"x": tf.zeros([size, 8])}, 0.1)
    (text,) = warnings_of(caplog)

    assert "triggered tf.function retracing" in text
    assert "batch['x']: now f32[5, 8], before f32[" in text
    assert "reduce_retracing=True" in text
    assert "test_retracing.py" in text
    assert 'step({"x": tf.zeros([size, 8])}, 0.1)' in text


def test_cached_calls_in_between_keep_the_warning_away(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def same(x: Any) -> Any:
        return x

    with caplog.at_level(logging.WARNING, "tensorflow"):
        for value in range(4):
            same(tf.zeros([value]))
        for _ in range(11):
            same(tf.zeros([3]))
        same(tf.zeros([9]))

    assert warnings_of(caplog) == []


def test_some_cached_calls_in_between_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def same(x: Any) -> Any:
        return x

    with caplog.at_level(logging.WARNING, "tensorflow"):
        for value in range(4):
            same(tf.zeros([value]))
        for _ in range(5):
            same(tf.zeros([3]))
        same(tf.zeros([9]))

    assert warnings_of(caplog)[0].startswith("5 out of the last 10 calls to <function")


def test_traces_that_were_asked_for_are_not_counted(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def same(x: Any) -> Any:
        return x

    with caplog.at_level(logging.WARNING, "tensorflow"):
        for size in range(9):
            same.get_concrete_function(tf.TensorSpec([size]))

    assert warnings_of(caplog) == []


def test_functions_made_by_one_line_share_the_budget(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "tensorflow"):
        for _ in range(5):
            tf.function(lambda x: x)(tf.constant(1))

    assert "make the tf.function once" in warnings_of(caplog)[0]


def test_explain_tells_each_trace_and_why() -> None:
    @tf.function
    def step(x: Any, training: Any = False) -> Any:
        return x

    step(tf.zeros([1]))
    step(tf.zeros([2]))
    step(tf.zeros([2]), True)
    text = step.explain()

    assert "step: 3 traces" in text
    assert "x: now f32[2], before f32[1]" in text
    assert "training: now True (bool), before False (bool)" in text


def test_traces_inside_other_traces_are_not_counted(caplog: pytest.LogCaptureFixture) -> None:
    @tf.function
    def inner(x: Any) -> Any:
        return x

    @tf.function
    def outer() -> Any:
        return [inner(value) for value in range(8)]

    with caplog.at_level(logging.WARNING, "tensorflow"):
        outer()

    assert warnings_of(caplog) == []
