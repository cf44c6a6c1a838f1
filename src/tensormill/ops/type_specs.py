"""`tf.type_spec_from_value`: what describes a value that exists."""

from __future__ import annotations

from typing import Any

from ..core.specs import TensorSpec, VariableSpec
from ..core.type_spec import TypeSpec, spec_of
from ..core.values import TensorLike
from .conversion import as_tensor


def type_spec_from_value(value: Any) -> TypeSpec:
    """The spec of a tensor, a variable, a composite, or of what becomes a tensor.

    >>> tf.type_spec_from_value([[1, 2], [3, 4]])
    TensorSpec(shape=(2, 2), dtype=tf.int32, name=None)

    Raises:
        TypeError: nothing describes such a value.
    """
    found = None if isinstance(value, TypeSpec) else spec_of(value)
    if found is not None:
        return found
    if isinstance(value, TensorLike):
        if hasattr(value, "handle"):
            trainable = getattr(value, "trainable", True)
            return VariableSpec(value.shape, value.dtype, trainable)
        return TensorSpec(value.shape, value.dtype)
    try:
        tensor = as_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Could not build a TypeSpec for {value!r} of unsupported type {type(value)}."
        ) from error
    return TensorSpec(tensor.shape, tensor.dtype)
