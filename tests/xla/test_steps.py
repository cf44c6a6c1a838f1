"""Steps of optimizers and changes of rows, all in one program: what variables are afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tests.ops.calls.training_calls import INDICES, OF_ROWS, RATES, STEPS

ROWS = np.linspace(0.25, 2.0, 12).reshape(4, 3)
GRADIENT = np.linspace(-1.0, 1.5, 15).reshape(5, 3)
SCATTERS = ("Update", "Add", "Sub", "Mul", "Max", "Min")


def steps() -> list[tuple[list[Any], Callable[[], Any]]]:
    """Fresh variables, and what changes them."""
    found = [step(name, False) for name in STEPS] + [step(name, True) for name in OF_ROWS]
    return found + [scattered(kind) for kind in SCATTERS] + [gathered()]


def step(name: str, of_rows: bool) -> tuple[list[Any], Callable[[], Any]]:
    states, scalars = (words.split() for words in STEPS[name])
    variables = [tf.Variable(ROWS / (k + 1)) for k in range(len(states))]
    given = {one: tf.constant(RATES[one], tf.float64) for one in scalars if one in RATES}
    if "global_step" in scalars:
        given["global_step"] = tf.constant(1, tf.int64)
    slope = "delta" if not of_rows and "GradientDescent" in name else "grad"
    given[slope] = tf.constant(GRADIENT if of_rows else GRADIENT[:4])
    if of_rows:
        given["indices"] = tf.constant(INDICES)
    handles = {state: one.handle for state, one in zip(states, variables, strict=True)}
    function = getattr(tf.raw_ops, f"Resource{'Sparse' * of_rows}Apply{name}")
    return variables, lambda: function(**handles, **given)


def scattered(kind: str) -> tuple[list[Any], Callable[[], Any]]:
    variable = tf.Variable(ROWS)
    # Of equal rows that are replaced XLA leaves open which one stays.
    rows, values = (INDICES[1:4], GRADIENT[1:4]) if kind == "Update" else (INDICES, GRADIENT)
    function = getattr(tf.raw_ops, f"ResourceScatter{kind}")
    given = tf.constant(rows), tf.constant(values)
    return [variable], lambda: function(
        resource=variable.handle, indices=given[0], updates=given[1]
    )


def gathered() -> tuple[list[Any], Callable[[], Any]]:
    table, variable = tf.Variable(ROWS), tf.Variable(GRADIENT)
    rows = tf.constant(INDICES)
    return [variable], lambda: variable.assign(tf.gather(table, rows))


@pytest.mark.sampled(among="long programs of XLA")
def test_steps_change_variables_as_eager_ones_do() -> None:
    eager, compiled = steps(), steps()
    for _, change in eager:
        change()
    every = tf.function(lambda: [change() for _, change in compiled] and None)
    with backends.using("xla"):
        every()

    assert "in Python" not in str(every.report())
    for (before, _), (after, _) in zip(eager, compiled, strict=True):
        for one, other in zip(before, after, strict=True):
            np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-12, atol=1e-12)
