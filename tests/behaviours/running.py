"""Running functions compiled, and looking at what was staged."""

from __future__ import annotations

from typing import Any

from tests.behaviours.library import tf


def run(function: Any, *arguments: Any) -> Any:
    """The function's result as plain values, compiled, on tensors."""
    result = tf.function(function)(*(tf.constant(one) for one in arguments))
    return tf.nest.map_structure(plain, result)


def plain(tensor: Any) -> Any:
    value = tensor.numpy()
    return value.tolist() if hasattr(value, "tolist") else value


def is_staged(function: Any, *arguments: Any) -> bool:
    """Whether the function, traced on arguments like these, has a loop of the graph."""
    concrete = tf.function(function).get_concrete_function(*map(tf.constant, arguments))
    operations = concrete.graph.get_operations()
    return any(operation.type in ("While", "StatelessWhile") for operation in operations)
