"""Steps of optimizers in compiled functions are those of eager execution, rows in turn as well."""

from __future__ import annotations

from typing import Any

import numpy as np

import tensormill as tf
from tests.ops.calls.training_calls import CALLS


def test_compiled_steps_are_the_eager_ones() -> None:
    """All in one function, whose variables are made before it."""
    named = {name: call for name, call in CALLS.items() if "step" in name and "float32" in name}
    names = list(named)
    values = [[tf.Variable(one) for one in arrays[1:]] for _, arrays in named.values()]
    gradients = [arrays[0] for _, arrays in named.values()]
    specs = [tf.TensorSpec([None] * 2, gradient.dtype) for gradient in gradients]

    @tf.function(input_signature=specs, autograph=False)
    def compiled(*given: Any) -> None:
        for gradient, variables, name in zip(given, values, names, strict=True):
            named[name][0](Given(variables), gradient, *variables)

    compiled(*map(tf.constant, gradients))
    for name, variables in zip(names, values, strict=True):
        call, arrays = named[name]
        for one, expected in zip(variables, call(tf, *map(tf.constant, arrays)), strict=True):
            np.testing.assert_allclose(one.numpy(), expected.numpy(), 2e-6, 1e-6, err_msg=name)
    assert compiled.report().callbacks == ()


class Given:
    """`tf`, whose new variables are those that are given."""

    def __init__(self, variables: list[Any]) -> None:
        self._left = list(variables)

    def Variable(self, _: Any) -> Any:
        return self._left.pop(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(tf, name)


def test_steps_by_gradients_that_are_the_variables_themselves() -> None:
    """What is written first is what the others still read."""

    def made() -> list[Any]:
        return [tf.Variable(np.linspace(0.5, 1.5, 12) * scale) for scale in (1.0, 0.7, 1.2)]

    def steps(v: Any, m: Any, w: Any) -> None:
        handles = {"var": v.handle, "accum": w.handle, "linear": m.handle}
        rates = {"lr": 0.1, "l1": 0.1, "l2": 0.2, "lr_power": -0.5}
        tf.raw_ops.ResourceApplyFtrl(**handles, **rates, grad=v * w + m)
        tf.raw_ops.ResourceApplyFtrl(**handles, **rates, grad=tf.reverse(v, [0]))

    eager, compiled = made(), made()
    steps(*eager)
    tf.function(lambda: steps(*compiled))()

    for expected, one in zip(eager, compiled, strict=True):
        np.testing.assert_allclose(one.numpy(), expected.numpy(), 1e-12)
