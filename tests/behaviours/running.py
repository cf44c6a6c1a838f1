"""Running functions compiled, and looking at what was staged."""

from __future__ import annotations

from typing import Any

from tests.behaviours.library import tf

VECTOR = tf.TensorSpec([None], tf.int32)


def run(function: Any, *values: Any, **options: Any) -> Any:
    """What a `tf.function` returns for tensors of these values, as Python values."""
    return plain(tf.function(function, **options)(*map(tf.constant, values)))


def of_any_length(function: Any, value: Any) -> Any:
    return run(function, value, input_signature=[VECTOR])


def plain(value: Any) -> Any:
    """Tensors, in lists, tuples and dicts, too, as Python values."""
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    value = value.numpy() if hasattr(value, "numpy") else value
    return value.tolist() if hasattr(value, "tolist") else value


def is_staged(function: Any, *arguments: Any) -> bool:
    """Whether the function, traced on arguments like these, has a loop of the graph."""
    concrete = tf.function(function).get_concrete_function(*map(tf.constant, arguments))
    operations = concrete.graph.get_operations()
    return any(operation.type in ("While", "StatelessWhile") for operation in operations)
