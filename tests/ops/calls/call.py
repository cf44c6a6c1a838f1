"""What tables of calls are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# What is called, `call(tf, *tensors)`, and the arrays that become its tensors.
Call = tuple[Callable[..., Any], list[Any]]


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """The call that gives the gradients of `function` by all its arguments (zeros for none)."""

    def call(tf: Any, *operands: Any) -> Any:
        with tf.GradientTape() as tape:
            for operand in operands:
                tape.watch(operand)
            result = function(tf, *operands)
        found = tape.gradient(result, list(operands), unconnected_gradients="zero")
        return [tf.convert_to_tensor(one) for one in found]

    return call
