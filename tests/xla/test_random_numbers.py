"""Programs draw the numbers that all back ends draw: the same streams, in the same places."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.xla import program
from tensormill.xla.execution import program_calls
from tensormill.xla.scope import making


def drawn(n: Any) -> Any:
    total = tf.zeros([3])
    for _ in tf.range(n):
        total += tf.random.uniform([3])
    return [
        total,
        tf.random.normal([5], dtype=tf.float64),
        tf.random.uniform([4], 0, 10**12, tf.int64),
        tf.random.truncated_normal([9]),
        tf.random.stateless_uniform([3], [1, 2], None, None, tf.int32),
        tf.random.shuffle(tf.range(9)),
        tf.random.categorical([[0.0, 1.0], [-np.inf, 2.0]], 5),
        tf.random.gamma([3], [0.5, 2.0]),
    ]


@pytest.mark.sampled(among="long programs of XLA")
def test_numbers_are_those_of_the_reference_and_go_on_from_call_to_call() -> None:
    found = {}
    for name in ("reference", "xla"):
        tf.random.set_seed(7)
        with backends.using(name):
            function = tf.function(drawn)
            found[name] = [one.numpy() for _ in range(2) for one in function(tf.constant(3))]
            first_again = tf.random.set_seed(7), function(tf.constant(3))
            np.testing.assert_array_equal(first_again[1][0].numpy(), found[name][0])
            if name == "xla":
                assert not function.report().callbacks

    half = len(found["xla"]) // 2
    assert (found["xla"][0] != found["xla"][half]).all()
    for wanted, one in zip(found["reference"], found["xla"], strict=True):
        np.testing.assert_allclose(one, wanted, rtol=2e-6)


def test_each_call_of_a_function_draws_from_its_own_stream_where_it_runs_by_itself() -> None:
    @tf.function
    def inner() -> Any:
        tf.py_function(lambda: None, [], [])
        return tf.random.uniform([2])

    def outer() -> Any:
        return inner(), inner()

    found = {}
    for name in ("cpu", "xla"):
        tf.random.set_seed(7)
        with backends.using(name):
            function = tf.function(outer)
            found[name] = [one.numpy() for _ in range(2) for one in function()]

    np.testing.assert_allclose(found["xla"], found["cpu"], rtol=2e-6)


def test_a_program_is_asked_how_far_its_streams_went_only_where_nobody_else_knows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(program_calls, "_count_on", lambda counters, words: asked.append(words))

    @tf.function
    def once(x: Any) -> Any:
        return tf.nn.dropout(x, 0.5) + tf.random.normal([4])

    @tf.function
    def turning(x: Any) -> Any:
        for _ in tf.range(tf.size(x)):
            x += tf.random.uniform([4])
        return x

    x = tf.ones([4])
    with backends.using("xla"):
        once(x)
        assert not asked
        turning(x)
        assert len(asked) == 1


def test_calls_that_draw_need_no_setting_of_jax_and_go_on_as_first_calls_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @tf.function
    def draw(x: Any) -> Any:
        return tf.nn.dropout(x, 0.5), tf.random.normal([4]), tf.random.uniform([2])

    x = tf.ones([4])
    tf.random.set_seed(7)
    with backends.using("cpu"):
        wanted = [one.numpy() for one in tf.function(draw.python_function)(x)]
    with backends.using("xla"):
        draw(x)
        monkeypatch.setattr(program, "wide", lambda: pytest.fail("a setting is changed"))
        draw(x)
        tf.random.set_seed(7)
        found = [one.numpy() for one in draw(x)]

    for expected, one in zip(wanted, found, strict=True):
        np.testing.assert_allclose(one, expected, rtol=2e-6)


def test_counters_are_whole_in_programs_whatever_their_size() -> None:
    words = np.array([0, 1, 2**31, 2**32 - 1, 2**48 + 5, 2**63 - 1], np.int64)

    with making():
        found = np.asarray(program.words_of_halves(program.halves_of(words)))

    np.testing.assert_array_equal(found, words)


@pytest.mark.parametrize("turns", [None, 2])
def test_threads_that_share_a_program_draw_different_numbers(turns: int | None) -> None:
    n = tf.constant(turns or 0)

    @tf.function
    def draw() -> Any:
        found = tf.random.uniform([2], 0, 2**31 - 1, tf.int32)
        if turns is not None:
            for _ in tf.range(n):
                found = tf.random.uniform([2], 0, 2**31 - 1, tf.int32)
        return found

    tf.random.set_seed(7)
    with backends.using("cpu"):
        wanted = {tuple(draw().numpy().tolist()) for _ in range(40)}
    tf.random.set_seed(7)
    with backends.using("xla"):
        found = drawn_by_threads(tf.function(draw.python_function), 4, 10)

    assert found == wanted


def drawn_by_threads(draw: Any, threads: int, times: int) -> set[tuple[int, ...]]:
    draw()
    tf.random.set_seed(7)
    with ThreadPoolExecutor(threads) as pool:
        each = list(pool.map(lambda _: [draw().numpy().tolist() for _ in range(times)], range(4)))
    return {tuple(one) for some in each for one in some}
