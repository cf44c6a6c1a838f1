"""Changes of parts of variables, as functions of TensorFlow 1."""

from __future__ import annotations

from typing import Any

from ...ops.array.indexed_slices import IndexedSlices
from ...ops.conversion import as_tensor


def _slices(ref: Any, indices: Any, updates: Any) -> IndexedSlices:
    return IndexedSlices(as_tensor(updates, None, ref.dtype), as_tensor(indices))


def scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Rows `indices` of a variable become the updates.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.scatter_update(v, [1], [[7, 8]]).numpy().tolist()
    [[1, 2], [7, 8]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_update(_slices(ref, indices, updates), name=name)


def scatter_add(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Rows `indices` of a variable get the updates added.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.scatter_add(v, [1], [[7, 8]]).numpy().tolist()
    [[1, 2], [10, 12]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_add(_slices(ref, indices, updates), name=name)


def scatter_sub(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Rows `indices` of a variable get the updates subtracted.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.scatter_sub(v, [1], [[7, 8]]).numpy().tolist()
    [[1, 2], [-4, -4]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_sub(_slices(ref, indices, updates), name=name)


def scatter_mul(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Rows `indices` of a variable are multiplied by the updates.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.scatter_mul(v, [1], [[7, 8]]).numpy().tolist()
    [[1, 2], [21, 32]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_mul(_slices(ref, indices, updates), name=name)


def scatter_div(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Rows `indices` of a variable are divided by the updates.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.compat.v1.scatter_div(v, [1], [[2.0, 2.0]]).numpy().tolist()
    [[1.0, 2.0], [1.5, 2.0]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_div(_slices(ref, indices, updates), name=name)


def scatter_max(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Rows `indices` of a variable become the larger of themselves and the updates.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.scatter_max(v, [1], [[7, 8]]).numpy().tolist()
    [[1, 2], [7, 8]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_max(_slices(ref, indices, updates), name=name)


def scatter_min(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Rows `indices` of a variable become the smaller of themselves and the updates.

    ref: a variable [rows, ...]. indices: int32 or int64, of any shape. updates: of the dtype of
    `ref`, and of the shape of `indices` and a row, or a scalar. The result is the variable.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.scatter_min(v, [1], [[7, 8]]).numpy().tolist()
    [[1, 2], [3, 4]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_min(_slices(ref, indices, updates), name=name)


def scatter_nd_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Elements or slices at `indices` [..., k] of a variable become the updates.

    >>> tf.compat.v1.scatter_nd_update(tf.Variable([1, 2]), [[0]], [7]).numpy().tolist()
    [7, 2]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_nd_update(indices, updates, name)


def scatter_nd_add(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Elements or slices at `indices` [..., k] of a variable get the updates added.

    >>> tf.compat.v1.scatter_nd_add(tf.Variable([1, 2]), [[0]], [7]).numpy().tolist()
    [8, 2]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_nd_add(indices, updates, name)


def scatter_nd_sub(
    ref: Any, indices: Any, updates: Any, use_locking: bool = False, name: str | None = None
) -> Any:
    """Elements or slices at `indices` [..., k] of a variable get the updates subtracted.

    >>> tf.compat.v1.scatter_nd_sub(tf.Variable([1, 2]), [[0]], [7]).numpy().tolist()
    [-6, 2]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype, or this is none to calculate with.
        AttributeError: `ref` is no variable.
    """
    return ref.scatter_nd_sub(indices, updates, name)


def no_regularizer(_: Any) -> None:
    """A regularizer that adds nothing, whatever the scope outside says.

    >>> print(tf.compat.v1.no_regularizer(tf.Variable(1.0)))
    None
    """


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """The value of an integer variable, which is then one larger.

    >>> int(tf.compat.v1.count_up_to(tf.Variable(1), 3))
    1

    Raises:
        OutOfRangeError: it has reached `limit`.
        InvalidArgumentError, TypeError: it is no integer.
    """
    return ref.count_up_to(limit)


def batch_scatter_update(
    ref: Any, indices: Any, updates: Any, use_locking: bool = True, name: str | None = None
) -> Any:
    """Rows of each batch of a variable become the updates: `indices` have its axes but the last.

    >>> v = tf.Variable([[1, 2], [3, 4]])
    >>> tf.compat.v1.batch_scatter_update(v, [[0], [1]], [[7], [8]]).numpy().tolist()
    [[7, 2], [3, 8]]

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not go together.
        DTypeMismatchError: `updates` have another dtype.
        AttributeError: `ref` is no variable.
    """
    return ref.batch_scatter_update(_slices(ref, indices, updates), name=name)
