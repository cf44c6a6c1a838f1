"""Gradients of Python functions that are operations (`tf.py_function`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import tree
from .tape import GradientTape, UnconnectedGradients


def differentiate(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """A function of the `count` operands and the gradients of the results: the operands' own."""

    def backward(*values: Any) -> list[Any]:
        operands, arrived = values[:count], values[count:]
        with GradientTape() as tape:
            for operand in operands:
                if operand.dtype.is_floating:
                    tape.watch(operand)
            results = tree.flatten(function(*operands))
        return tape.gradient(
            results,
            list(operands),
            output_gradients=list(arrived),
            unconnected_gradients=UnconnectedGradients.ZERO,
        )

    return backward
