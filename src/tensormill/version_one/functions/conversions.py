"""Conversions under names that TensorFlow 2 has no more."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.tree import Composite
from ...eager.convert import convert_to_tensor
from ...ops.math.cast import cast
from ...ops.sparse.sparse_tensor import SparseTensorValue, as_sparse


def convert_to_tensor_or_indexed_slices(
    value: Any, dtype: Any = None, name: str | None = None
) -> Any:
    """`value` as a tensor, unless it is IndexedSlices already.

    The tensor has the shape of `value`, and its dtype unless another one is given.

    >>> tf.compat.v1.convert_to_tensor_or_indexed_slices([1, 2]).numpy()
    array([1, 2], dtype=int32)

    Raises:
        ValueError: the slices have another dtype.
    """
    return _converted(value, dtype, name, ValueError)


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: Any = None, name: str | None = None
) -> Any:
    """`value` as a tensor, unless it is a sparse one already.

    The tensor has the shape of `value`, and its dtype unless another one is given.

    >>> sparse = tf.sparse.from_dense([0, 1])
    >>> tf.compat.v1.convert_to_tensor_or_sparse_tensor(sparse) is sparse
    True

    Raises:
        RuntimeError: the sparse tensor has another dtype.
    """
    return _converted(value, dtype, name, RuntimeError)


def _converted(value: Any, dtype: Any, name: str | None, error: type[Exception]) -> Any:
    if isinstance(value, SparseTensorValue):
        value = as_sparse(value)
    if not isinstance(value, Composite):
        return convert_to_tensor(value, dtype, name=name)
    if dtype is not None and value.dtype is not dtypes.as_dtype(dtype):  # type: ignore[attr-defined]
        raise error(f"{value!r} has another dtype than {dtypes.as_dtype(dtype).name}")
    return value


def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Any:
    """`x` as bfloat16.

    >>> tf.compat.v1.to_bfloat16([1.5]).dtype
    tf.bfloat16

    Raises:
        UnimplementedError: `x` are strings.
    """
    return cast(x, dtypes.bfloat16, name=name)


def to_complex64(x: Any, name: str = "ToComplex64") -> Any:
    """`x` as complex64.

    x: numbers or bools of any shape, which the result has.

    >>> tf.compat.v1.to_complex64([1.5]).numpy()
    array([1.5+0.j], dtype=complex64)

    Raises:
        UnimplementedError: `x` are strings.
    """
    return cast(x, dtypes.complex64, name=name)


def to_complex128(x: Any, name: str = "ToComplex128") -> Any:
    """`x` as complex128.

    x: numbers or bools of any shape, which the result has.

    >>> tf.compat.v1.to_complex128([1.5]).numpy()
    array([1.5+0.j])

    Raises:
        UnimplementedError: `x` are strings.
    """
    return cast(x, dtypes.complex128, name=name)
