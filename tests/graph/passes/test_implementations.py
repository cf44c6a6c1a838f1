"""Functions for one thing: which of them runs (recorded from TensorFlow, unless a test says so)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.passes.implementations import _purposes

_numbers = count()
ONE = tf.constant(1.0)


class Pair:
    """Two functions for one thing; the graphs of those that are traced call the first."""

    def __init__(
        self,
        device: str = "CPU",
        one: Callable[..., Any] = lambda x: 2.0 * x,
        other: Callable[..., Any] = lambda x: 3.0 * x,
    ) -> None:
        name = f"purpose_{next(_numbers)}"
        first = {"api_implements": name}
        second = {"api_implements": name, "api_preferred_device": device}
        self.one = tf.function(one, autograph=False, experimental_attributes=first)
        self.other = tf.function(other, autograph=False, experimental_attributes=second)

    def add(self, x: Any) -> None:
        self.other.get_concrete_function(x).add_to_graph()

    def __call__(self, x: Any) -> Any:
        result = self.one(x)
        self.add(x)
        return result


def test_a_graph_calls_what_prefers_the_cpu_and_eager_code_what_it_says() -> None:
    pair = Pair()
    assert float(pair(ONE)) == 2.0
    assert float(tf.function(pair.one)(ONE)) == 3.0


def in_a_loop(pair: Pair, x: Any) -> Any:
    def body(i: Any, y: Any) -> Any:
        return i + 1, pair(y)

    return tf.while_loop(lambda i, _: i < 2, body, (0, x))[1] / 3.0


CALLS: dict[str, Callable[[Pair, Any], Any]] = {
    "before it is added": lambda pair, x: pair(x),
    "after": lambda pair, x: (pair.add(x), pair.one(x))[1],
    "in a callee": lambda pair, x: tf.function(pair)(x),
    "added by a callee": lambda pair, x: (tf.function(pair)(x), pair.one(x))[1],
    "in a branch": lambda pair, x: tf.cond(x > 0.0, lambda: pair(x), lambda: x),
    "in a loop": in_a_loop,
    "where the other is called, too": lambda pair, x: pair.one(x) + 0.0 * pair.other(x),
}


@pytest.mark.sampled
@pytest.mark.parametrize("case", CALLS)
def test_it_is_chosen_wherever_the_call_stands(case: str) -> None:
    pair = Pair()
    assert float(tf.function(lambda x: CALLS[case](pair, x))(ONE)) == 3.0


@pytest.mark.parametrize(
    "pair",
    [
        Pair("GPU"),
        Pair("cpu"),
        Pair(other=lambda x: tf.cast(3.0 * x, tf.float64)),
        Pair(other=lambda x: (3.0 * x, x)),
        Pair(other=lambda x: 3.0 * x * ONE),  # takes what it captures besides
    ],
)
def test_another_device_or_other_dtypes_leave_the_call_as_it_is(pair: Pair) -> None:
    assert float(tf.function(pair)(ONE)) == 2.0


def test_a_dataset_calls_what_it_says() -> None:
    assert [2.0] == [float(x) for x in tf.data.Dataset.from_tensors(ONE).map(Pair())]


def test_gradients_are_of_what_runs() -> None:
    # TensorFlow: the same, where `add_gradient_functions_to_graph` was called, too.
    inner = tf.function(Pair(one=lambda x: 2.0 * x * x, other=lambda x: 3.0 * x * x))
    with tf.GradientTape() as tape:
        tape.watch(ONE)
        result = inner(ONE)
    assert (3.0, 6.0) == (float(result), float(tape.gradient(result, ONE)))


def test_a_call_that_a_tape_watches_stays_what_it_is_differentiated_as() -> None:
    pair = Pair(one=lambda x: 2.0 * x, other=lambda x: 3.0 * x)

    @tf.function
    def both(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = pair(x)
        return result, tape.gradient(result, x)

    assert [2.0, 2.0] == [float(x) for x in both(ONE)]


def test_a_saved_function_calls_what_ran(tmp_path: Path) -> None:
    module = tf.Module()
    module.call = tf.function(Pair(), input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(module, str(tmp_path))
    assert float(tf.saved_model.load(str(tmp_path)).call(ONE)) == 3.0


def test_a_purpose_lives_as_long_as_a_function_for_it() -> None:
    import gc

    gc.collect()
    before = len(_purposes)
    tf.function(lambda x: Pair()(x))(ONE)
    gc.collect()
    assert len(_purposes) == before
