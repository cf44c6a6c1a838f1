"""Programs of everything in everything: their values and derivatives, in every way there is.

Not every program is taken in every way: what comes next is compiled for sizes that are not known
where this one is for those it gets, and takes second derivatives in graphs in another order. With
`TENSORMILL_EFFORT` each is taken in all.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.composition.programs import PROGRAMS
from tests.composition.ways import WAYS, eagerly

POINT = np.array([0.7, 0.4, 1.1])
ALONG = np.array([0.3, -0.5, 0.2])

NAMES = sorted(PROGRAMS)
each_program = pytest.mark.parametrize("name", NAMES)
EVERY = "TENSORMILL_EFFORT" in os.environ


def ways(name: str) -> dict[str, Callable[..., Any]]:
    """In graphs: a program is compiled in one of two ways."""
    other = ("any size", "compiled")[NAMES.index(name) % 2]
    return {way: run for way, run in WAYS.items() if EVERY or way != other}


def summed(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: tf.reduce_sum(function(x) * tf.constant(1.0, tf.float64))


def slope(function: Callable[..., Any]) -> Callable[..., Any]:
    def differentiated(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    return differentiated


def along(function: Callable[..., Any]) -> Callable[..., Any]:
    def pushed(x: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(ALONG)) as accumulator:
            y = function(x)
        return accumulator.jvp(y)

    return pushed


def dotted(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: tf.reduce_sum(function(x) * ALONG)


def differences(function: Callable[..., Any], step: float = 1e-5) -> Any:
    """The derivative along `ALONG`, from values that were computed eagerly."""
    ahead, behind = (eagerly(function, POINT + sign * step * ALONG)[0] for sign in (1, -1))
    return (ahead - behind) / (2 * step)


@pytest.mark.sampled
@each_program
def test_values_are_those_of_eager_execution(name: str) -> None:
    function = PROGRAMS[name]
    (expected,) = eagerly(function, POINT)

    for name_of_way, way in ways(name).items():
        (found,) = way(function, POINT)
        np.testing.assert_allclose(found, expected, rtol=1e-12, err_msg=name_of_way)


@pytest.mark.sampled
@each_program
def test_gradients(name: str) -> None:
    function = summed(PROGRAMS[name])
    expected = differences(function)
    derivative = slope(function)
    (first,) = eagerly(derivative, POINT)

    np.testing.assert_allclose(first @ ALONG, expected, rtol=1e-7, atol=1e-8)
    for name_of_way, way in ways(name).items():
        (found,) = way(derivative, POINT)
        np.testing.assert_allclose(found, first, rtol=1e-11, atol=1e-12, err_msg=name_of_way)


@pytest.mark.sampled
@each_program
def test_derivatives_along_a_direction(name: str) -> None:
    expected, derivative = differences(PROGRAMS[name]), along(PROGRAMS[name])
    for name_of_way, way in ways(name).items():
        (found,) = way(derivative, POINT)
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8, err_msg=name_of_way)


@pytest.mark.sampled
@each_program
def test_second_derivatives(name: str) -> None:
    """All orders are run eagerly; one is traced and compiled, for the next program another one."""
    function = summed(PROGRAMS[name])
    expected = differences(slope(function))
    orders = {
        "reverse over reverse": slope(dotted(slope(function))),
        "forward over reverse": along(slope(function)),
        "reverse over forward": slope(along(function)),
    }
    turn = NAMES.index(name) % len(orders)
    for number, (order, second) in enumerate(orders.items()):
        for mode in ("eager", "reference", "compiled")[: 3 if EVERY or number == turn else 1]:
            (found,) = WAYS[mode](second, POINT)
            np.testing.assert_allclose(
                found, expected, rtol=1e-6, atol=1e-7, err_msg=f"{order}, {mode}"
            )
