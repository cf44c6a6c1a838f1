"""Reductions as TensorFlow 1 calls them: `reduction_indices` and `keep_dims` mean axes, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core import dtypes
from ...ops.conversion import as_tensor
from ...ops.math import moments, norms, reduce, scan
from .arguments import either

Reduce = Callable[..., Any]


def _reduced(
    function: Reduce,
    input_tensor: Any,
    axis: Any,
    keepdims: bool | None,
    name: str | None,
    reduction_indices: Any,
    keep_dims: bool | None,
) -> Any:
    axes = either("axis", axis, "reduction_indices", reduction_indices)
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return function(input_tensor, axes, bool(kept), name)


def reduce_sum(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The sum over axes, of all elements if none is named.

    input_tensor: numbers of any shape, whose dtype the result has. axis: an int, or a list of them;
    with `keepdims` their sizes become 1, else they are gone.

    >>> tf.compat.v1.reduce_sum([[1, 2], [3, 4]], reduction_indices=1, keep_dims=True).numpy()
    array([[3],
           [7]], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_sum, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_mean(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The mean over axes, of all elements if none is named.

    input_tensor: numbers of any shape, whose dtype the result has. axis: an int, or a list of them;
    with `keepdims` their sizes become 1, else they are gone.

    >>> tf.compat.v1.reduce_mean([[1.0, 2.0], [3.0, 4.0]], reduction_indices=[0]).numpy()
    array([2., 3.], dtype=float32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_mean, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_prod(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The product over axes, of all elements if none is named.

    input_tensor: numbers of any shape, whose dtype the result has. axis: an int, or a list of them;
    with `keepdims` their sizes become 1, else they are gone.

    >>> int(tf.compat.v1.reduce_prod([[1, 2], [3, 4]]))
    24

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_prod, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_max(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The largest over axes, of all elements if none is named.

    input_tensor: numbers of any shape, whose dtype the result has. axis: an int, or a list of them;
    with `keepdims` their sizes become 1, else they are gone.

    >>> tf.compat.v1.reduce_max([[1, 2], [3, 4]], reduction_indices=0).numpy()
    array([3, 4], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_max, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_min(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The smallest over axes, of all elements if none is named.

    input_tensor: numbers of any shape, whose dtype the result has. axis: an int, or a list of them;
    with `keepdims` their sizes become 1, else they are gone.

    >>> tf.compat.v1.reduce_min([[1, 2], [3, 4]], reduction_indices=0).numpy()
    array([1, 2], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_min, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_all(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """Whether all are true over axes, of all elements if none is named.

    input_tensor: bools of any shape. axis: an int, or a list of them; with `keepdims` their sizes
    become 1, else they are gone.

    >>> tf.compat.v1.reduce_all([[True, False], [True, True]], reduction_indices=0).numpy()
    array([ True, False])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_all, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_any(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """Whether any is true over axes, of all elements if none is named.

    input_tensor: bools of any shape. axis: an int, or a list of them; with `keepdims` their sizes
    become 1, else they are gone.

    >>> tf.compat.v1.reduce_any([[True, False], [False, False]], reduction_indices=0).numpy()
    array([ True, False])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        reduce.reduce_any, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def reduce_logsumexp(
    input_tensor: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The logarithm of the sum of exponentials over axes, of all elements if none is named.

    input_tensor: floats of any shape, whose dtype the result has. axis: an int, or a list of them;
    with `keepdims` their sizes become 1, else they are gone.

    >>> round(float(tf.compat.v1.reduce_logsumexp([0.0, 0.0])), 4)
    0.6931

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return _reduced(
        moments.reduce_logsumexp, input_tensor, axis, keepdims, name, reduction_indices, keep_dims
    )


def argmax(
    input: Any,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Any:
    """Where the largest is along an axis, the first one if none is named.

    input: numbers with at least one axis. The result has the other axes, and `output_type`.

    >>> tf.compat.v1.argmax([[1, 5, 2], [7, 0, 3]], 1).numpy()
    array([1, 0])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return scan.argmax(input, either("axis", axis, "dimension", dimension), output_type, name)


def argmin(
    input: Any,
    axis: Any = None,
    name: str | None = None,
    dimension: Any = None,
    output_type: Any = dtypes.int64,
) -> Any:
    """Where the smallest is along an axis, the first one if none is named.

    input: numbers with at least one axis. The result has the other axes, and `output_type`.

    >>> tf.compat.v1.argmin([[1, 5, 2], [7, 0, 3]], 1).numpy()
    array([0, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    return scan.argmin(input, either("axis", axis, "dimension", dimension), output_type, name)


def arg_max(
    input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Where the largest is along an axis.

    >>> tf.compat.v1.arg_max([[1, 5, 2], [7, 0, 3]], 1).numpy()
    array([1, 0])

    Raises:
        InvalidArgumentError: there is no such axis, or nothing along it.
        DTypeMismatchError: `input` are strings, or `output_type` is no integer.
        ValueError: `dimension` is None.
    """
    return scan.argmax(input, as_tensor(dimension), output_type, name)


def arg_min(
    input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Where the smallest is along an axis.

    >>> tf.compat.v1.arg_min([[1, 5, 2], [7, 0, 3]], 1).numpy()
    array([0, 1])

    Raises:
        InvalidArgumentError: there is no such axis, or nothing along it.
        DTypeMismatchError: `input` are strings, or `output_type` is no integer.
        ValueError: `dimension` is None.
    """
    return scan.argmin(input, as_tensor(dimension), output_type, name)


def count_nonzero(
    input_tensor: Any = None,
    axis: Any = None,
    keepdims: bool | None = None,
    dtype: Any = dtypes.int64,
    name: str | None = None,
    reduction_indices: Any = None,
    keep_dims: bool | None = None,
    input: Any = None,
) -> Any:
    """How many elements are not zero over axes, of all elements if none is named.

    input_tensor: numbers, bools or strings of any shape. With `keepdims` the sizes of the axes
    become 1, else these are gone. The result has the `dtype`.

    >>> tf.compat.v1.count_nonzero([[1, 0], [3, 4]], reduction_indices=[0]).numpy()
    array([2, 1])

    Raises:
        ValueError: an argument is given under both of its names.
    """
    given = either("input", input, "input_tensor", input_tensor)
    axes = either("axis", axis, "reduction_indices", reduction_indices)
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return moments.count_nonzero(given, axes, bool(kept), dtype, name)


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Any:
    """The norm over one axis or two, of all elements if none is named (`tf.norm`).

    >>> float(tf.compat.v1.norm([3.0, 4.0]))
    5.0

    Raises:
        ValueError: an argument is given under both of its names.
    """
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return norms.norm(tensor, ord, axis, bool(kept), name)
