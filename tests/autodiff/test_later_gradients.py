"""Gradients of the user's within others: traced when somebody asks for a gradient of that order."""

from __future__ import annotations

import functools
import gc
import itertools
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.errors import InaccessibleTensorError

PROGRAMS: dict[str, Callable[[Any], Any]] = {}
V, W = tf.Variable(1.5), tf.Variable(0.75)
E = tf.constant([1.25])


class Holder:
    scale: Any = None
    shift: Any = None


H = Holder()
H.scale, H.shift = tf.constant(0.3), tf.Variable(2.5)


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    PROGRAMS[function.__name__] = function
    return function


def with_gradient(of_gradient: Callable[..., Any], of_gradients: Callable[..., Any]) -> Any:
    """x², whose gradient is a function of (dy, x) with a gradient of its own."""
    inner = tf.custom_gradient(lambda dy, x: (of_gradient(dy, x), of_gradients(dy, x)))
    return tf.custom_gradient(lambda x: (x * x, lambda dy: inner(dy, x)))


@tf.custom_gradient
def sine(x: Any) -> Any:
    return tf.sin(x), lambda dy: dy * cosine(x)


@tf.custom_gradient
def cosine(x: Any) -> Any:
    return tf.cos(x), lambda dy: -dy * sine(x)


program(sine)


@program
def from_globals(x: Any) -> Any:
    def gradients(dy: Any, x: Any) -> Any:
        return lambda ddy: (ddy * x * V, ddy * dy * x * E[0] * V)

    return with_gradient(lambda dy, x: dy * x * x, gradients)(x)


@program
def from_attributes(x: Any) -> Any:
    def gradients(dy: Any, x: Any) -> Any:
        return lambda ddy: (ddy * x * H.scale, ddy * dy * x * H.shift)

    return with_gradient(lambda dy, x: dy * x, gradients)(x)


@program
def from_the_outermost(x: Any) -> Any:
    kept = [tf.exp(x) * 1.1]

    def gradients(dy: Any, x: Any) -> Any:
        return lambda ddy: (ddy * kept[0] * tf.sin(kept[0]), ddy * dy * kept[0] * x)

    return with_gradient(lambda dy, x: dy * tf.ones_like(x), gradients)(x)


@program
def hidden_but_known(x: Any) -> Any:
    find = {"y": tf.exp(x) * 1.1}.__getitem__

    def gradients(dy: Any, x: Any) -> Any:
        return lambda ddy: (ddy * find("y"), ddy * dy * find("y") * x)

    return with_gradient(lambda dy, x: dy * tf.ones_like(x), gradients)(x)


@program
def by_methods(x: Any) -> Any:
    class Scaled:
        def __init__(self, factor: Any) -> None:
            self.factor = factor

        def gradients(self, dy: Any, x: Any, ddy: Any) -> Any:
            return ddy * self.factor, ddy * dy * self.factor * x

    method = Scaled(tf.exp(x)).gradients
    return with_gradient(lambda dy, x: dy * x, lambda dy, x: functools.partial(method, dy, x))(x)


@program
def with_variables(x: Any) -> Any:
    @tf.custom_gradient
    def inner(dy: Any, x: Any) -> Any:
        def back(ddy: Any, variables: Any = None) -> Any:
            return (ddy * W * x, ddy * dy * W * x), [ddy * dy * x * 1.1 for _ in variables]

        return dy * W * x, back

    @tf.custom_gradient
    def outer(x: Any) -> Any:
        def back(dy: Any, variables: Any = None) -> Any:
            return inner(dy, x) * V, [dy * x * x * V for _ in variables]

        return x * x * V, back

    return outer(x)


@program
def over_a_loop(x: Any) -> Any:
    return tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, sine(a) + x), [0, x])[1]


@program
def in_a_branch(x: Any) -> Any:
    return tf.cond(x > 0.0, lambda: sine(x) * x, lambda: cosine(x))


@program
def in_a_function(x: Any) -> Any:
    return tf.function(lambda x: sine(x) * 2.0)(x)


@program
def a_loop_in_the_gradient(x: Any) -> Any:
    @tf.custom_gradient
    def inner(x: Any) -> Any:
        def back(dy: Any) -> Any:
            step = lambda i, a: (i + 1, a * sine(x))  # noqa: E731
            return -tf.while_loop(lambda i, a: i < 2, step, [0, dy])[1]

        return tf.cos(x), back

    return tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy * inner(x)))(x)


@program
def a_tape_in_the_gradient(x: Any) -> Any:
    @tf.custom_gradient
    def inner(x: Any) -> Any:
        def back(dy: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.sin(x) * x
            return dy * tape.gradient(y, x)

        return tf.sin(x) * x, back

    return tf.custom_gradient(lambda x: (inner(x), lambda dy: dy * inner(x)))(x)


@program
def computed_again(x: Any) -> Any:
    inner = tf.recompute_grad(lambda x: tf.sin(x) * V * x)
    return tf.custom_gradient(lambda x: (tf.sin(x), lambda dy: dy * inner(x)))(x)


@program
def around_what_has_none(x: Any) -> Any:
    @tf.custom_gradient
    def power(x: Any) -> Any:
        y = tf.raw_ops.PreventGradient(input=tf.exp(2.0 * x))
        return y, lambda dy: 2.0 * dy * power(x)

    return power(x)


@program
def two_results(x: Any) -> Any:
    @tf.custom_gradient
    def both(x: Any) -> Any:
        def back(of_sine: Any, of_cosine: Any) -> Any:
            sine, cosine = both(x)
            return of_sine * cosine - of_cosine * sine

        return (tf.sin(x), tf.cos(x)), back

    sine, cosine = both(x)
    return sine * cosine + sine


def derivative(function: Callable[..., Any], order: int, sources: Any = ()) -> Any:
    """The derivative by the argument; the last one by `sources`, too."""
    if not order:
        return function

    def derived(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = derivative(function, order - 1)(x)
        found = tape.gradient(result, [x, *sources])
        return found if sources else found[0]

    return derived


def numbers(found: Any) -> list[float | None]:
    return [None if one is None else float(one) for one in found]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "order"),
    [
        *itertools.product(PROGRAMS, range(1, 4)),
        *itertools.product(["sine", "two_results", "around_what_has_none"], (4, 5)),
    ],
)
def test_derivatives_of_a_function_are_those_of_operations(name: str, order: int) -> None:
    function, x = PROGRAMS[name], tf.constant(0.4)
    sources = [V, W, H.shift]
    expected = numbers(derivative(function, order, sources)(x))
    inside = numbers(tf.function(derivative(function, order, sources))(x))
    outside = numbers(derivative(tf.function(function), order, sources)(x))

    assert [one is None for one in expected] == [one is None for one in inside]
    assert zeros_for_none(expected) == pytest.approx(zeros_for_none(inside), rel=1e-4)
    assert zeros_for_none(expected) == pytest.approx(zeros_for_none(outside), rel=1e-4)


def zeros_for_none(found: list[float | None]) -> list[float]:
    return [one or 0.0 for one in found]


def counted() -> tuple[Any, list[int]]:
    """A function that is part of its own gradient, and how often that was traced."""
    traced: list[int] = []

    @tf.custom_gradient
    def power(x: Any) -> Any:
        def back(dy: Any) -> Any:
            traced.append(1)
            return 2.0 * dy * power(x)

        return tf.exp(2.0 * x), back

    return power, traced


@pytest.mark.parametrize("order", range(1, 6))
def test_an_order_is_traced_when_somebody_asks_for_it(order: int) -> None:
    for where in (
        lambda f: tf.function(derivative(f, order)),
        lambda f: derivative(tf.function(f), order),
    ):
        power, traced = counted()
        assert 2.0**order == float(where(power)(tf.constant(0.0)))
        assert order == len(traced)


def test_a_derivative_is_traced_once_for_all_who_ask() -> None:
    power, traced = counted()
    second = derivative(tf.function(power), 2)
    assert [4.0] * 3 == [float(second(tf.constant(0.0))) for _ in range(3)]
    assert 2 == len(traced)


def test_what_draws_is_drawn_once_for_all_orders() -> None:
    def twice(x: Any) -> Any:
        mask = tf.random.uniform([], 1.0, 2.0)
        gradients = lambda dy, x: lambda ddy: (ddy * mask, ddy * dy * mask)  # noqa: E731
        return with_gradient(lambda dy, x: dy * x, gradients)(x), mask

    @tf.function
    def second(x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y, mask = twice(x)
            slope = inner.gradient(y, x)
        return outer.gradient(slope, x), mask

    found, mask = second(tf.constant(0.5))
    assert float(mask) == float(found)


@pytest.mark.parametrize("kind", ["drawn", "variable"])
def test_what_could_not_be_foreseen_is_told(kind: str) -> None:
    @tf.function
    def function(x: Any) -> Any:
        hidden = tf.random.uniform([]) if kind == "drawn" else tf.Variable(2.0)
        find = {"y": hidden}.__getitem__
        gradients = lambda dy, x: lambda ddy: (ddy * find("y"), ddy * dy)  # noqa: E731
        return with_gradient(lambda dy, x: dy * x, gradients)(x)

    if kind == "variable":
        v = tf.Variable(2.0)
        find = {"y": v}.__getitem__
        gradients = lambda dy, x: lambda ddy: (ddy * find("y"), ddy * dy)  # noqa: E731
        function = tf.function(with_gradient(lambda dy, x: dy * x, gradients))
    with pytest.raises(InaccessibleTensorError, match="could not be foreseen: let"):
        derivative(function, 2)(tf.constant(0.5))


def test_a_function_whose_gradients_wait_is_freed_at_once() -> None:
    class Marker:
        pass

    def function() -> tuple[Any, weakref.ref[Marker]]:
        marker = Marker()
        gradients = lambda dy, x: lambda ddy: (ddy * x, ddy * dy, marker)[:2]  # noqa: E731
        made = tf.function(with_gradient(lambda dy, x: dy * x, gradients))
        made(tf.constant(0.5))
        derivative(made, 1)(tf.constant(0.5))
        return made, weakref.ref(marker)

    gc.disable()
    try:
        made, marker = function()
        assert marker() is not None
        del made
        assert marker() is None
    finally:
        gc.enable()


def test_two_orders_are_saved(tmp_path: Path) -> None:
    power, traced = counted()
    module = tf.Module()
    module.power = tf.function(power, input_signature=[tf.TensorSpec([], tf.float32)])
    tf.saved_model.save(module, str(tmp_path))
    assert 2 == len(traced)

    loaded = tf.saved_model.load(str(tmp_path)).power
    zero = tf.constant(0.0)
    assert [1.0, 2.0, 4.0] == [float(derivative(loaded, order)(zero)) for order in range(3)]
    with pytest.raises(LookupError, match="was not saved"):
        derivative(loaded, 3)(zero)
