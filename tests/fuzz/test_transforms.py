"""Derivatives and rows of random programs are the same in every way to ask for them.

The Jacobian by a loop over the results is what the others are compared with: vectorised, forward
mode, the gradient of recomputed programs, each eagerly and in a function; and second derivatives
with each other. `vectorized_map` gives what the program gives for each row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

import tensormill as tf

from .limits import limits, no_passes
from .making import Maker
from .programs import Program, Type
from .test_programs import State

LIMITS = limits(10, HealthCheck.data_too_large, HealthCheck.filter_too_much)
pytestmark = pytest.mark.usefixtures(no_passes.__name__)
PARAMETERS = (Type(tf.float64, ("n", 3)), Type(tf.float64, (3,)), Type(tf.int32, ("n",)))
X = np.array([[0.5, -1.25, 2.0], [1.5, 0.75, -0.5]])
TANGENT = np.array([[1.0, -0.5, 0.25], [0.75, 2.0, -1.5]])

Function = Callable[..., Any]


@st.composite
def functions(draw: Any) -> Program:
    """A program with one result of floats, which changes no variables."""
    maker = Maker(draw, PARAMETERS, 0, assigns=False)
    maker.grow(draw(st.integers(1, 8)))
    floats = [k for k, one in enumerate(maker.program.types) if one.is_float]
    maker.program.give(maker.choose(floats[::-1]))
    return maker.program


def of_x(program: Program) -> Function:
    """The program as a function of its first parameter."""
    state, others = State(), (tf.constant([0.25, -0.75, 1.5], tf.float64), tf.constant([1, 0]))
    return lambda x: program(state, x, *others)[0]


def jacobian(function: Function, x: Any, *, by_loop: bool = False) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.jacobian(y, x, unconnected_gradients="zero", experimental_use_pfor=not by_loop)


def gradient(function: Function, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tf.convert_to_tensor(tape.gradient(y, x, unconnected_gradients="zero"))


def along(function: Function, x: Any, tangent: Any) -> Any:
    with tf.autodiff.ForwardAccumulator(x, tangent) as accumulator:
        y = function(x)
    return accumulator.jvp(y, unconnected_gradients="zero")


def assert_same(run: Callable[[], Any], wanted: Any) -> None:
    """Eagerly and in a function, it gives that."""
    for found in (run(), tf.function(run, autograph=False)()):
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


def evaluated(function: Function, *arguments: Any) -> Any:
    """A result that later ones are compared with; programs that fail say nothing."""
    try:
        result = function(*arguments)
    except (tf.errors.OpError, ValueError):
        assume(False)
    assume(np.isfinite(result).all())
    return result


@pytest.mark.sampled(among="random programs")
@LIMITS
@given(functions())
def test_every_way_to_a_first_derivative_gives_the_same(program: Program) -> None:
    function, x, tangent = of_x(program), tf.constant(X), tf.constant(TANGENT)
    y = evaluated(function, x)
    matrix = evaluated(lambda: jacobian(function, x, by_loop=True))

    assert matrix.shape == y.shape + x.shape
    assert_same(lambda: jacobian(function, x), matrix)
    moved = tf.tensordot(tf.cast(matrix, tf.float64), tangent, [[-2, -1], [0, 1]])
    assert_same(lambda: along(function, x, tangent), tf.cast(moved, y.dtype))
    summed = tf.reduce_sum(matrix, list(range(y.shape.rank)))
    assert_same(lambda: gradient(tf.recompute_grad(function), x), summed)


@pytest.mark.sampled(among="random programs")
@LIMITS
@given(functions())
def test_every_way_to_a_second_derivative_gives_the_same(program: Program) -> None:
    function, x, tangent = of_x(program), tf.constant(X), tf.constant(TANGENT)

    def slope(x: Any) -> Any:
        return gradient(function, x)

    evaluated(function, x)
    product = evaluated(lambda: gradient(lambda x: tf.reduce_sum(slope(x) * tangent), x))
    matrix = evaluated(lambda: jacobian(slope, x, by_loop=True))

    assert_same(lambda: tf.tensordot(tangent, matrix, [[0, 1], [0, 1]]), product)
    assert_same(lambda: gradient(lambda x: tf.reduce_sum(slope(x) * tangent), x), product)
    forward = tf.tensordot(matrix, tangent, [[-2, -1], [0, 1]])
    assert_same(lambda: along(slope, x, tangent), forward)
    backward = evaluated(lambda: gradient(lambda x: tf.reduce_sum(along(function, x, tangent)), x))
    assert_same(lambda: backward, product)


@pytest.mark.sampled(among="random programs")
@LIMITS
@given(functions())
def test_vectorized_it_gives_what_it_gives_for_each_row(program: Program) -> None:
    function = of_x(program)
    rows = tf.constant(np.stack([X, X[::-1] * 0.75, X * -2.0]))
    results = [evaluated(function, row) for row in rows]
    assume(len({tuple(one.shape) for one in results}) == 1)

    assert_same(lambda: tf.vectorized_map(function, rows), tf.stack(results))
