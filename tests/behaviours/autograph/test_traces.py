"""How often the body of a staged loop is traced: statements B15 and B21."""

from __future__ import annotations

# Some variables get their value in a loop.
# pyright: reportPossiblyUnboundVariable=false
from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.running import run


@behaviour("B15")
def test_loops_in_loops_are_traced_once_each() -> None:
    calls = []

    def f(n: Any) -> Any:
        total = 0
        for i in tf.range(n):
            calls.append("rows")
            for k in tf.range(i):
                calls.append("columns")
                while total < k:
                    calls.append("steps")
                    total += 1
                if total > 3:
                    calls.append("large")
        return total

    assert run(f, 4) == 2
    assert calls == ["rows", "columns", "steps", "large"]


@behaviour("B15")
def test_an_exception_of_a_body_is_raised_the_first_time() -> None:
    calls = []

    def f(xs: Any) -> Any:
        total = 0.0
        for x in xs:
            for _ in tf.range(2):
                calls.append("body")
                total = total + x
                len(calls[0][0] + 1)  # pyright: ignore[reportOperatorIssue]
        return total

    with pytest.raises(TypeError, match="concatenate str"):
        run(f, [1.0])
    assert calls == ["body"]


@behaviour("B21")
@differs
def test_a_variable_without_a_value_costs_no_second_trace() -> None:
    calls = []

    def f(xs: Any) -> Any:
        for x in xs:
            calls.append("body")
            y = x * 2
        return y

    assert run(f, [1, 2]) == 4
    assert calls == ["body"]


# ---- what an earlier trace has left in an object


class Layer:
    """It keeps what it has computed, as layers of attention keep their scores."""

    def __init__(self, last: Any = None) -> None:
        self.last, self.kept = last, {"last": last}

    def __call__(self, x: Any) -> Any:
        self.last = x * 2.0
        self.kept = {"last": self.last}
        return x + 1.0


class Model:
    def __init__(self, layer: Layer) -> None:
        self.layer = layer

    def __call__(self, x: Any) -> Any:
        return self.layer(x)


class Repeated:
    def __init__(self, model: Model) -> None:
        self.model = model

    def __call__(self, x: Any, n: Any) -> Any:
        for _ in tf.range(n):
            x = self.model(x)
        return x


@pytest.mark.parametrize("is_number", [False, True])
def test_a_loop_calls_what_another_trace_has_left_a_tensor_in(is_number: bool) -> None:
    model = Model(Layer(tf.constant(1.0) if is_number else None))
    tf.function(model)(tf.constant(0.0))

    assert tf.function(Repeated(model))(tf.constant(1.0), tf.constant(3)) == 4.0


def test_a_loop_that_was_traced_before_calls_what_another_trace_has_left_a_tensor_in() -> None:
    model = Model(Layer(tf.constant(1.0)))
    tf.function(Repeated(model))(tf.constant(1.0), tf.constant(3))
    tf.function(model)(tf.constant(0.0))

    assert tf.function(Repeated(model))(tf.constant(1.0), tf.constant(3)) == 4.0
