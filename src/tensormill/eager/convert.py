"""Anything as a tensor, by the interpreter on top; `arrays.py` does what needs no tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import context
from ..core.dtypes import DType, as_dtype
from ..core.numpy_behavior import changes
from ..core.process.tracebacks import hide_frames
from ..core.shapes import as_shape
from ..core.tree import Composite
from ..core.values import TensorLike
from ..errors import ConversionDTypeError, KnownDTypeError
from ..ops.array.broadcasting import broadcast_to
from ..ops.array.concatenation import stack
from ..ops.array.shapes import reshape
from ..ops.conversion import static_value
from ..ops.dispatch.meanings import dispatchable
from ..ops.math.cast import cast
from .arrays import Array, is_sequence, to_array
from .conversion_functions import by_registration, registered
from .tensor import EagerTensor, Tensor

# What an interpreter calls for a value that is no tensor: `constant(array) -> Tensor`.
Constant = Callable[[Array], Any]


@dispatchable
def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """`value` as a tensor: itself if it is one, else a constant.

    Python and NumPy values, lists of tensors and numbers, variables, and objects with a method
    `__tf_tensor__(dtype, name)` can be tensors. `dtype` is demanded; `dtype_hint` is taken only
    where the value allows it. Python's ints become int32, its floats float32.

    >>> tf.convert_to_tensor([tf.constant(1), 2]).numpy()
    array([1, 2], dtype=int32)

    Raises:
        ValueError: a tensor of another dtype, or a value that no tensor can hold.
        DTypeMismatchError (a TypeError): the value does not fit `dtype`.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    hint = None if dtype_hint is None else as_dtype(dtype_hint)
    here: Any = context.top().interpreter
    try:
        if name is not None and not _is_tensor_valued(value):
            return here.constant(to_array(value, wanted, hint), name)
        found = here.convert(value, wanted, hint)
    except (TypeError, ValueError) as error:
        hide_frames(error)
        raise
    if found.symbolic and found is not value and _is_tensor_valued(value):
        found.op.give_default_name()  # it was made for no operation
    return found


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor of a constant value; with `shape`, its elements in that shape.

    value: a number, a string, a NumPy array, or nested lists of them, all of one length. Python's
    ints become int32, its floats float32. A single element fills the shape.

    >>> tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy()
    array([[1, 2],
           [3, 4]], dtype=int32)

    Raises:
        TypeError: the value does not fit `dtype`, or its elements do not fill `shape`.
        ValueError: no tensor can hold the value.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    try:
        if _is_tensor_valued(value):
            tensor = _constant_of_tensor(value, wanted, shape)
            return tensor if changes.constant is None else changes.constant(value, tensor)
        array = to_array(value, wanted)
        if shape is not None:
            array = _with_shape(array, as_shape(shape).as_tuple(), value)
    except (TypeError, ValueError) as error:
        hide_frames(error)
        raise
    interpreter: Any = context.top().interpreter
    tensor = interpreter.constant(array, name)
    if changes.constant is not None and dtype is None:
        return changes.constant(value, tensor)
    return tensor


def _constant_of_tensor(value: Any, dtype: DType | None, shape: Any) -> Any:
    own = value.dtype if isinstance(value, TensorLike) else dtype
    if dtype is not None and own is not dtype:
        agreeing = context.top().interpreter.in_one_dtype([value], frozenset((dtype,)))
        if agreeing is None:
            raise KnownDTypeError(
                f"Expected tensor {value} with dtype {dtype!r}, but got dtype {own!r}; "
                f"use tf.cast to convert it"
            )
        (value,) = agreeing
    tensor = convert_to_tensor(value, dtype)
    if shape is None:
        return tensor
    sizes = as_shape(shape).as_list()
    if tensor.shape.num_elements() == 1:
        return broadcast_to(reshape(tensor, []), sizes)
    return reshape(tensor, sizes)


def _with_shape(array: Array, dims: tuple[int | None, ...], value: Any) -> Array:
    sizes = tuple(size or 0 for size in dims)
    count = int(np.prod(sizes, dtype=np.int64))
    if array.size == count:
        return array.reshape(sizes)
    if array.size == 1:
        return np.full(sizes, array.reshape(()), array.dtype)  # an array keeps zero bytes
    raise TypeError(
        f"Eager execution of tf.constant with unsupported shape. Tensor {array} (converted from "
        f"{value!r}) has {array.size} elements, but got `shape` {sizes} with {count} elements."
    )


def convert_value(
    value: Any, dtype: DType | None, preferred: DType | None, constant: Constant
) -> Any:
    """A value that is no `Tensor` as one of the interpreter on top; `constant` makes constants."""
    if hasattr(type(value), "__tf_tensor__"):
        return _by_protocol(value, dtype)
    if registered and (found := by_registration(value, dtype, preferred)) is not None:
        return found
    if is_sequence(value) and (found := first_tensor(value)) is not None:
        wanted = dtype or found.dtype
        return pack(value, wanted, casts=wanted is not found.dtype)
    return constant(to_array(value, dtype, preferred))


def _by_protocol(value: Any, dtype: DType | None) -> Any:
    tensor = value.__tf_tensor__(dtype, None)
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{type(value).__name__}.__tf_tensor__ returned {tensor!r}: no tensor")
    return check_dtype(tensor, dtype)


def check_dtype(tensor: Any, dtype: DType | None) -> Any:
    """The tensor itself.

    Raises:
        ConversionDTypeError (a ValueError and TypeError): its dtype is another one.
    """
    if dtype is None or tensor.dtype is dtype:
        return tensor
    way = "tf.strings.as_string" if dtype.name == "string" else "tf.cast"
    raise ConversionDTypeError(
        f"Tensor conversion requested dtype {dtype.name} for Tensor with dtype "
        f"{tensor.dtype.name}: {tensor!r}; use {way}"
    )


def _is_tensor_valued(value: Any) -> bool:
    if isinstance(value, TensorLike) or hasattr(type(value), "__tf_tensor__"):
        return True
    if registered and any(isinstance(value, one.types) for one in registered):
        return True
    return is_sequence(value) and first_tensor(value) is not None


def first_tensor(sequence: Any) -> Any:
    """The first tensor or variable somewhere in nested sequences, or None."""
    if isinstance(sequence, (bytearray, memoryview, range)):
        return None
    for item in sequence:
        if isinstance(item, TensorLike):
            return item
        if isinstance(item, (list, tuple)) and (found := first_tensor(item)) is not None:
            return found
    return None


def pack(sequence: Any, dtype: DType, casts: bool) -> Any:
    """Nested lists of tensors and numbers as one tensor.

    As in TensorFlow, `casts` where the first tensor has another dtype than is asked for: then all
    are cast. Else those of other dtypes are refused.
    """
    return stack([_row(item, dtype, casts) for item in sequence])


def _row(item: Any, dtype: DType, casts: bool) -> Any:
    if isinstance(item, TensorLike):
        return cast(item, dtype) if casts else item
    if is_sequence(item) and first_tensor(item) is not None:
        return pack(item, dtype, casts)
    return convert_to_tensor(item, dtype)


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor as NumPy has it; None where only run time will know it.

    What is no tensor is what it is; of composites there is none. `partial` changes nothing.

    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)
    """
    if not isinstance(tensor, TensorLike):
        return None if isinstance(tensor, Composite) else tensor
    if isinstance(tensor, EagerTensor):
        return tensor.numpy()
    value = static_value(tensor)
    return None if value is None else value.copy()
