"""Functions of arrays as TensorFlow 1 calls them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import context, dtypes
from ...core.shapes import as_shape
from ...core.values import TensorLike
from ...eager import convert
from ...eager.arrays import to_array
from ...ops.array import (
    fill,
    grids,
    padding,
    partitions,
    rearrangement,
    select,
    shapes,
)  # fmt: skip
from ...ops.array import (
    gather as gathering,
)
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.dispatch.meanings import dispatchable
from ...ops.math import division
from ...ops.ragged.ragged_tensor import RaggedTensor
from ..ragged import chosen_rows
from .arguments import either, required


def constant(
    value: Any,
    dtype: Any = None,
    shape: Any = None,
    name: str = "Const",
    verify_shape: bool = False,
) -> Any:
    """A tensor of a value. In a graph the last element is repeated where `shape` has more.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     print(session.run(tf.compat.v1.constant([1, 2], shape=[4])))
    [1 2 2 2]

    Raises:
        TypeError: with `verify_shape`, or eagerly, the value has another shape.
    """
    if shape is None or isinstance(value, TensorLike):
        return convert.constant(value, dtype, shape, name)
    array = to_array(value, None if dtype is None else dtypes.as_dtype(dtype))
    wanted: Any = as_shape(shape).as_list()
    if verify_shape and list(array.shape) != wanted:
        raise TypeError(f"Expected Tensor's shape: {tuple(wanted)}, got {array.shape}.")
    count = int(np.prod(wanted))
    if 0 < array.size < count and context.building_graph():
        flat = array.reshape(-1)
        array = np.concatenate([flat, np.repeat(flat[-1:], count - flat.size)])
    return convert.constant(array, None, wanted, name)


def convert_to_tensor(
    value: Any,
    dtype: Any = None,
    name: str | None = None,
    preferred_dtype: Any = None,
    dtype_hint: Any = None,
) -> Any:
    """A value as a tensor (`tf.convert_to_tensor`).

    >>> tf.compat.v1.convert_to_tensor([1, 2], preferred_dtype=tf.float32).numpy()
    array([1., 2.], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    hint = either("dtype_hint", dtype_hint, "preferred_dtype", preferred_dtype)
    return convert.convert_to_tensor(value, dtype, hint, name)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """`x` where `condition` is true and `y` elsewhere; without them, where it is true.

    x and y are of one shape; `condition` has it, too, or is a vector that chooses among rows. They
    may be ragged; then `condition` has their very rows, or is a vector.

    >>> tf.compat.v1.where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]]).numpy()
    array([[1, 2],
           [7, 8]], dtype=int32)

    Raises:
        ValueError: only one of x and y is given, or the shapes do not fit.
    """
    if x is None or y is None:
        return select.where(condition, x, y, name)
    if any(isinstance(one, RaggedTensor) for one in (condition, x, y)):
        return chosen_rows(condition, x, y)
    chosen, first = as_tensor(condition, None, dtypes.bool_), as_tensor(x)
    second = as_tensor(y, first.dtype) if not hasattr(y, "dtype") else as_tensor(y)
    return bind(select.Select, chosen, first, second, name=name)


@dispatchable
def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Any:
    """The slices of `tensor` along `axis` for which `mask` is true (`tf.boolean_mask`).

    >>> tf.compat.v1.boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)

    Raises:
        ValueError: the shapes do not fit.
    """
    return select.boolean_mask(tensor, mask, axis, name)


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Any:
    """`input` with an axis of size 1 more.

    input: a tensor of any dtype, which the result has.

    >>> tf.compat.v1.expand_dims([1, 2], dim=0).shape
    TensorShape([1, 2])

    Raises:
        ValueError: no axis is given, or under both of its names.
    """
    place = either("axis", axis, "dim", dim)
    return shapes.expand_dims(input, required("axis", place), name)


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Any:
    """`input` without axes of size 1: all of them, or those named.

    input: a tensor of any dtype, which the result has.

    >>> tf.compat.v1.squeeze([[1, 2]], squeeze_dims=[0]).shape
    TensorShape([2])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return shapes.squeeze(input, either("axis", axis, "squeeze_dims", squeeze_dims), name)


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    name: str | None = None,
    axis: Any = None,
    batch_dims: int = 0,
) -> Any:
    """Slices of `params` at indices (`tf.gather`).

    >>> tf.compat.v1.gather([1, 2, 3], [2, 0]).numpy()
    array([3, 1], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or there is no such axis.
        DTypeMismatchError: the indices are not integers.
    """
    return gathering.gather(params, indices, None, axis, batch_dims, name)


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """In each batch the elements at indices, of the last axis of `indices`.

    >>> tf.compat.v1.batch_gather([[1, 2], [3, 4]], [[1], [0]]).numpy()
    array([[2],
           [3]], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range.
        DTypeMismatchError: the indices are not integers.
        ValueError: `indices` has no axis, or `params` has fewer axes.
    """
    places = as_tensor(indices)
    if places.shape.rank == 0:
        raise ValueError("batch_gather: indices must have an axis")
    last = (places.shape.rank or 1) - 1
    return gathering.gather(params, places, None, last, last, name)


def gather_nd(
    params: Any,
    indices: Any,
    name: str | None = None,
    batch_dims: int = 0,
    bad_indices_policy: str = "",
) -> Any:
    """Elements or slices at indices [..., k] (`tf.gather_nd`).

    >>> tf.compat.v1.gather_nd([[1, 2], [3, 4]], [[1, 0]]).numpy()
    array([3], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or has more numbers than there are axes.
        DTypeMismatchError: the indices are not integers.
        ValueError: `batch_dims` is below 0.
    """
    return gathering.gather_nd(params, indices, batch_dims, name, bad_indices_policy)


def ones_like(
    tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Any:
    """Ones of the same shape.

    tensor: numbers or bools of any shape; the result has its dtype, unless `dtype` says another.

    >>> tf.compat.v1.ones_like([3, 4]).numpy()
    array([1, 1], dtype=int32)

    Raises:
        TypeError: there is no such dtype, or none that has ones.
        DTypeMismatchError: `tensor` are strings, and no other dtype is given.
    """
    return fill.ones_like(as_tensor(tensor), dtype, name)


def zeros_like(
    tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Any:
    """Zeros of the same shape.

    tensor: of any shape and dtype; the result has its dtype, unless `dtype` says another one.

    >>> tf.compat.v1.zeros_like([3, 4]).numpy()
    array([0, 0], dtype=int32)

    Raises:
        TypeError: there is no such dtype, or none that has zeros.
        ValueError: the operand is nothing that a tensor can hold.
    """
    return fill.zeros_like(tensor, dtype, name)


def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    name: str | None = None,
    constant_values: Any = 0,
) -> Any:
    """`tensor` with something around it (`tf.pad`).

    >>> tf.compat.v1.pad([1, 2], [[1, 0]]).numpy()
    array([0, 1, 2], dtype=int32)

    Raises:
        ValueError: there is no such mode.
        InvalidArgumentError: the paddings are not [rank, 2], are below 0, or too many to mirror.
    """
    return padding.pad(tensor, paddings, mode, constant_values, name)


def reverse_sequence(
    input: Any,
    seq_lengths: Any,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
    seq_dim: int | None = None,
    batch_dim: int | None = None,
) -> Any:
    """The beginning of each row the other way round (`tf.reverse_sequence`).

    >>> tf.compat.v1.reverse_sequence([[1, 2, 3]], [2], seq_dim=1).numpy()
    array([[2, 1, 3]], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    along = either("seq_axis", seq_axis, "seq_dim", seq_dim)
    batch = either("batch_axis", batch_axis, "batch_dim", batch_dim)
    return partitions.reverse_sequence(input, seq_lengths, along, batch, name)


def shape(input: Any, name: str | None = None, out_type: Any = None) -> Any:
    """The sizes of the axes, an integer vector (`tf.shape`).

    >>> tf.compat.v1.shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)

    Raises:
        TypeError: there is no such dtype.
        DTypeMismatchError: `out_type` is neither int32 nor int64.
        ValueError: the operand is nothing that a tensor can hold.
    """
    return shapes.shape(input, out_type, name)


def size(input: Any, name: str | None = None, out_type: Any = None) -> Any:
    """How many elements there are (`tf.size`).

    >>> int(tf.compat.v1.size([[1, 2, 3]]))
    3

    Raises:
        TypeError: there is no such dtype.
        ValueError: the operand is nothing that a tensor can hold.
    """
    return shapes.size(input, out_type, name)


def transpose(a: Any, perm: Any = None, name: str = "transpose", conjugate: bool = False) -> Any:
    """`a` with its axes in another order, the reverse one if none is said (`tf.transpose`).

    >>> tf.compat.v1.transpose([[1, 2]]).shape
    TensorShape([2, 1])

    Raises:
        InvalidArgumentError: `perm` does not name each axis once.
    """
    return rearrangement.transpose(a, perm, conjugate, name)


@dispatchable(elements=2)
def div(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y; of integers, rounded towards minus infinity, as in Python 2.

    x, y: numbers of one dtype, whose shapes broadcast; the result has both.

    >>> float(tf.compat.v1.div(7.0, 2.0)), int(tf.compat.v1.div(7, 2))
    (3.5, 3)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not numbers.
        InvalidArgumentError: an integer is divided by 0.
    """
    first = as_tensor(x)
    second = as_tensor(y, first.dtype)
    if first.dtype.is_floating or first.dtype.is_complex:
        return division.divide(first, second, name)
    return division.floordiv(first, second, name=name)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    weights: Any = None,
) -> Any:
    """How often each class was taken for each one (`tf.math.confusion_matrix`).

    >>> tf.compat.v1.confusion_matrix([0, 1], [1, 1]).numpy()
    array([[0, 1],
           [0, 1]], dtype=int32)

    Raises:
        InvalidArgumentError: a class is below 0 or not below `num_classes`, or lengths differ.
        TypeError: there is no such dtype.
    """
    return grids.confusion_matrix(labels, predictions, num_classes, weights, dtype, name)
