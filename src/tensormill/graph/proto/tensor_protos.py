"""`tf.make_tensor_proto` and `tf.make_ndarray`: tensors as messages, and back."""

from __future__ import annotations

from math import prod
from typing import Any, cast

import numpy as np

from ...core import tree
from ...core.dtypes import as_dtype, uint64
from ...core.shapes import TensorShape, as_shape
from ...eager.arrays import Array, to_array
from ...eager.tensor import EagerTensor
from .values import array_of, list_elements, shape_proto, tensor_proto


def make_tensor_proto(
    values: Any, dtype: Any = None, shape: Any = None, verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> Any:  # fmt: skip
    """A TensorProto, TensorFlow's message, with these values.

    values: numbers, strings, lists of them or a NumPy array, which is cast to `dtype`; a
    TensorProto is given back. shape: with fewer values, the last one is that of all others. With
    `verify_shape` values must have the shape; with `allow_broadcast` they may be a single one
    besides.

    >>> print(str(tf.make_tensor_proto(1.5)).strip())
    dtype: DT_FLOAT
    tensor_shape {
    }
    float_val: 1.5

    Raises:
        TypeError: the values do not fit the dtype, or have not the shape that is verified.
        ValueError: no tensor can hold the values, there are too many for the shape, or both of
            `verify_shape` and `allow_broadcast` are asked for.
    """
    if hasattr(values, "tensor_content"):
        return values
    if verify_shape and allow_broadcast:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    array = _array(values, None if dtype is None else as_dtype(dtype))
    if shape is None:
        return tensor_proto(array)
    sizes = tuple(int(size or 0) for size in as_shape(shape).as_tuple())
    is_single = array.shape in ((), (1,))
    if (verify_shape or (allow_broadcast and not is_single)) and array.shape != sizes:
        raise TypeError(f"Expected Tensor's shape: {sizes}, but got {array.shape}.")
    return _of_shape(array, sizes)


def _array(values: Any, dtype: Any) -> Array:
    plain: Any = values.numpy() if isinstance(values, EagerTensor) else values
    if isinstance(plain, (np.ndarray, np.generic)) and dtype is not None:
        plain = np.asarray(cast("Any", plain)).astype(dtype.storage)
    is_wide = dtype is None and isinstance(plain, (int, list, tuple)) and _are_wide(plain)
    return to_array(plain, uint64 if is_wide else dtype)


def _are_wide(value: Any) -> bool:
    """Whether these are numbers that uint64 can hold, and int64 cannot."""
    leaves = tree.flatten(value)
    are_counts = all(type(one) is int and 0 <= one < 1 << 64 for one in leaves)
    return are_counts and any(one >= 1 << 63 for one in leaves)


def _of_shape(array: Array, sizes: tuple[int, ...]) -> Any:
    count = prod(sizes)
    if array.size == count:
        return tensor_proto(array.reshape(sizes))
    if array.size > count:
        raise ValueError(
            f"Too many elements provided. Needed at most {count}, but received {array.size}"
        )
    proto = tensor_proto(array.reshape(-1)[:1].reshape(()) if array.size else array)
    proto.tensor_shape.CopyFrom(shape_proto(TensorShape(sizes)))
    list_elements(proto, array.reshape(-1)[1:])
    return proto


def make_ndarray(tensor: Any) -> Array:
    """The array in a TensorProto.

    >>> tf.make_ndarray(tf.make_tensor_proto([[1, 2], [3, 4]]))
    array([[1, 2],
           [3, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: dtype, shape and contents do not go together.
        UnimplementedError (TensorFlow's is a TypeError): there are no arrays of that dtype.
    """
    return np.array(array_of(tensor))
