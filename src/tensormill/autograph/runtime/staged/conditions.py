"""What may stand in a condition."""

from __future__ import annotations

from typing import Any

from ....errors import InvalidArgumentError
from ....ops.array.shapes import reshape
from .. import tensors


def _may_be_one(tensor: Any) -> bool:
    """Whether a tensor has one element, as far as its shape says: [1, 1], [1, None]."""
    return tensor.shape.rank is None or all(size in (1, None) for size in tensor.shape.as_list())


def _scalar(tensor: Any) -> Any:
    """The only element of a tensor; that it is the only one is checked when this runs."""
    return reshape(tensor, []) if tensor.shape.rank else tensor


def condition(value: Any, statement: str) -> Any:
    """The condition as a scalar bool tensor: of a number, whether it is not zero.

    Raises:
        ValueError: it is no scalar, or a string.
    """
    tensor = tensors.as_tensor(tensors.as_condition(value))
    if tensor.dtype.name == "bool" and _may_be_one(tensor):
        return _scalar(tensor)
    if tensor.shape.rank == 0 and tensors.is_number(tensor):
        return tensors.cast(tensor, "bool")
    raise ValueError(
        f"condition of {statement} expected to be `tf.bool` scalar, got {tensor}; to use as "
        "boolean Tensor, use `tf.cast`; to check for None, use `is not None`; for more than one "
        "element, use `tf.reduce_any` or `tf.reduce_all`"
    )


def truth(tensor: Any) -> Any:
    """What `bool(tensor)` is: whether its only element is not zero.

    Raises:
        ValueError: it has more elements than one.
    """
    if not _may_be_one(tensor):
        raise ValueError(
            f"bool() of a tensor wants one element, got {tensor}; use `tf.cast(x, tf.bool)` for "
            "each element, `tf.reduce_any` or `tf.reduce_all` for all of them"
        )
    return tensors.cast(_scalar(tensor), "bool")


def operand(value: Any, word: str) -> Any:
    """An operand of `and` or `or` as a scalar bool tensor.

    Raises:
        InvalidArgumentError: it has another dtype or shape.
    """
    tensor = tensors.as_tensor(tensors.as_condition(value))
    if tensor.dtype.name == "bool" and _may_be_one(tensor):
        return _scalar(tensor)
    raise InvalidArgumentError(
        f"operand of `{word}`: expected bool scalar, got {tensor}; compare it with something, or "
        "use tf.logical_and and tf.logical_or for more than one element"
    )
