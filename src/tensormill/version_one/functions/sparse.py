"""Functions of sparse tensors as TensorFlow 1 calls them."""

from __future__ import annotations

from typing import Any, Final

from ...core import dtypes
from ...ops.array.concatenation import concat as concatenated
from ...ops.array.shapes import expand_dims, reshape
from ...ops.bind import bind
from ...ops.conversion import as_tensor
from ...ops.linalg.matmul import matmul
from ...ops.math.cast import cast
from ...ops.sparse import arithmetic, conversion, layout, reductions, segments
from ...ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue, as_sparse
from .arguments import either, required


def add(a: Any, b: Any, threshold: Any = None, thresh: Any = None) -> Any:
    """The sum: sparse of two sparse tensors, dense where one of them is dense (`tf.sparse.add`).

    >>> sparse = tf.sparse.from_dense([[1, 0, 2]])
    >>> tf.compat.v1.sparse_add(sparse, tf.constant([[5, 5, 5]])).numpy()
    array([[6, 5, 7]], dtype=int32)

    Raises:
        TypeError: neither is sparse, or the dtypes differ.
        InvalidArgumentError: the shapes differ.
        ValueError: an argument is given under both of its names.
    """
    least = either("threshold", threshold, "thresh", thresh)
    return arithmetic.add(a, b, 0 if least is None else least)


def concat(
    axis: Any,
    sp_inputs: Any,
    name: str | None = None,
    expand_nonconcat_dim: bool = False,
    concat_dim: Any = None,
    expand_nonconcat_dims: bool | None = None,
) -> Any:
    """Sparse tensors one after another along `axis` (`tf.sparse.concat`).

    >>> one = tf.sparse.from_dense([[1, 0]])
    >>> tf.sparse.to_dense(tf.compat.v1.sparse_concat(1, [one, one])).numpy()
    array([[1, 0, 1, 0]], dtype=int32)

    Raises:
        InvalidArgumentError: other axes differ (unless they may), or there is no such axis.
        ValueError: an argument is given under both of its names, or no rank is known.
    """
    widens = either(
        "expand_nonconcat_dims", expand_nonconcat_dims,
        "expand_nonconcat_dim", expand_nonconcat_dim or None,
    )  # fmt: skip
    along = either("axis", axis, "concat_dim", concat_dim)
    return layout.concat(along, sp_inputs, bool(widens), name)


class KeywordRequired:
    """Stands before arguments that have to be given by name."""

    def __repr__(self) -> str:
        return "KeywordRequired()"


BY_NAME: Final = KeywordRequired()


def split(
    keyword_required: Any = BY_NAME,
    sp_input: Any = None,
    num_split: Any = None,
    axis: Any = None,
    name: str | None = None,
    split_dim: Any = None,
) -> Any:
    """`num_split` parts along `axis` (`tf.sparse.split`); all arguments are given by name.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2, 3]])
    >>> halves = tf.compat.v1.sparse_split(sp_input=sparse, num_split=2, axis=1)
    >>> [tf.sparse.to_dense(one).numpy().tolist() for one in halves]
    [[[1, 0]], [[2, 3]]]

    Raises:
        ValueError: an argument is given by its place, or is missing.
        InvalidArgumentError: there is no such axis, or there are more parts than it is long.
    """
    if keyword_required is not BY_NAME:
        raise ValueError("sparse_split takes its arguments by name: sp_input=, num_split=, axis=")
    along = required("axis", either("axis", axis, "split_dim", split_dim))
    return layout.split(
        required("sp_input", sp_input), required("num_split", num_split), along, name
    )


def _reduced(function: Any, given: Any, is_sparse: bool, names: tuple[Any, ...]) -> Any:
    axis, keepdims, reduction_axes, keep_dims = names
    axes = either("axis", axis, "reduction_axes", reduction_axes)
    kept = either("keepdims", keepdims, "keep_dims", keep_dims)
    return function(given, axes, bool(kept), is_sparse)


def reduce_sum(
    sp_input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    reduction_axes: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The sum over axes, of all elements if none is named (`tf.sparse.reduce_sum`).

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
    >>> tf.compat.v1.sparse_reduce_sum(sparse, reduction_axes=1).numpy()
    array([3, 3], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    names = (axis, keepdims, reduction_axes, keep_dims)
    return _reduced(reductions.reduce_sum, sp_input, False, names)


def reduce_max(
    sp_input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    reduction_axes: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """The largest of the elements that are there, along axes (`tf.sparse.reduce_max`).

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
    >>> tf.compat.v1.sparse_reduce_max(sparse, 1, True).numpy()
    array([[2],
           [3]], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    names = (axis, keepdims, reduction_axes, keep_dims)
    return _reduced(reductions.reduce_max, sp_input, False, names)


def reduce_sum_sparse(
    sp_input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    reduction_axes: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """`reduce_sum` as a sparse tensor.

    sp_input: a sparse tensor of real numbers, whose dtype the result has; its shape is without the
    axes that are reduced, unless they are kept with size 1.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 0]])
    >>> tf.compat.v1.sparse_reduce_sum_sparse(sparse, 1).values.numpy()
    array([3], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    names = (axis, keepdims, reduction_axes, keep_dims)
    return _reduced(reductions.reduce_sum, sp_input, True, names)


def reduce_max_sparse(
    sp_input: Any,
    axis: Any = None,
    keepdims: bool | None = None,
    reduction_axes: Any = None,
    keep_dims: bool | None = None,
) -> Any:
    """`reduce_max` as a sparse tensor.

    sp_input: a sparse tensor of real numbers, whose dtype the result has; its shape is without the
    axes that are reduced, unless they are kept with size 1.

    >>> sparse = tf.sparse.from_dense([[1, 0, 2], [0, 0, 0]])
    >>> tf.compat.v1.sparse_reduce_max_sparse(sparse, 1).values.numpy()
    array([2], dtype=int32)

    Raises:
        ValueError: an argument is given under both of its names.
    """
    names = (axis, keepdims, reduction_axes, keep_dims)
    return _reduced(reductions.reduce_max, sp_input, True, names)


def segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    name: str | None = None,
    num_segments: Any = None,
    sparse_gradient: bool = False,
) -> Any:
    """The sums of the rows `indices` of `data` in each segment (`tf.sparse.segment_sum`).

    >>> tf.compat.v1.sparse_segment_sum([1, 2, 3], [0, 2], [0, 0]).numpy()
    array([4], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range; or segments are below 0, descend, or are
            not below `num_segments`.
        DTypeMismatchError: `data` are not numbers, or the others not integers.
    """
    return segments.segment_sum(data, indices, segment_ids, num_segments, name, sparse_gradient)


def segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    name: str | None = None,
    num_segments: Any = None,
    sparse_gradient: bool = False,
) -> Any:
    """The means of the rows `indices` of `data` in each segment (`tf.sparse.segment_mean`).

    >>> tf.compat.v1.sparse_segment_mean([1.0, 2.0, 3.0], [0, 2], [0, 0]).numpy()
    array([2.], dtype=float32)

    Raises:
        InvalidArgumentError: an index is out of range; or segments are below 0, descend, or are
            not below `num_segments`.
        DTypeMismatchError: `data` are not numbers, or the others not integers.
    """
    return segments.segment_mean(data, indices, segment_ids, num_segments, name, sparse_gradient)


def segment_sqrt_n(
    data: Any,
    indices: Any,
    segment_ids: Any,
    name: str | None = None,
    num_segments: Any = None,
    sparse_gradient: bool = False,
) -> Any:
    """The sums of rows by the root of their number (`tf.sparse.segment_sqrt_n`).

    >>> tf.compat.v1.sparse_segment_sqrt_n([1.0, 2.0, 3.0, 4.0], [0, 1, 2, 3], [0] * 4).numpy()
    array([5.], dtype=float32)

    Raises:
        InvalidArgumentError: an index is out of range; or segments are below 0, descend, or are
            not below `num_segments`.
        DTypeMismatchError: `data` are not numbers, or the others not integers.
    """
    return segments.segment_sqrt_n(data, indices, segment_ids, num_segments, name, sparse_gradient)


def sparse_to_dense(
    sparse_indices: Any,
    output_shape: Any,
    sparse_values: Any,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Any:
    """A tensor of `output_shape` that is `default_value` except at `sparse_indices`.

    sparse_indices: one index, a vector of them, or [n, rank]; sparse_values: a scalar for all of
    them, or a vector. The indices ascend and differ, if they are validated.

    >>> tf.compat.v1.sparse_to_dense([1, 3], [5], 7).numpy()
    array([0, 7, 0, 7, 0], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of bounds, out of order or repeated.
    """
    values = as_tensor(sparse_values)
    return bind(
        conversion.SparseToDense, sparse_indices, output_shape, values,
        as_tensor(default_value, values.dtype), validate_indices=validate_indices, name=name,
    )  # fmt: skip


def sparse_matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """`tf.matmul` of dense matrices; that one of them has many zeros makes no difference.

    >>> tf.compat.v1.sparse_matmul([[1.0, 2.0]], [[3.0], [4.0]], a_is_sparse=True).numpy()
    array([[11.]], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not go together.
    """
    return matmul(a, b, transpose_a, transpose_b, name=name)


def merge(
    sp_ids: Any, sp_values: Any, vocab_size: Any, name: str | None = None,
    already_sorted: bool = False,
) -> Any:  # fmt: skip
    """Features by their numbers: in each row the values of `sp_values`, at the places that the
    elements of `sp_ids` tell.

    sp_ids: sparse integers [rows, n], or a list of them, for so many last axes. sp_values: sparse
    numbers with the same indices. vocab_size: the sizes of the last axes.

    >>> ids = tf.sparse.from_dense(tf.constant([[3, 1], [2, 0]], tf.int64))
    >>> weights = tf.sparse.from_dense([[0.5, 1.0], [2.0, 0.0]])
    >>> tf.sparse.to_dense(tf.compat.v1.sparse.merge(ids, weights, 4)).numpy()
    array([[0. , 1. , 0. , 0.5],
           [0. , 0. , 2. , 0. ]], dtype=float32)

    Raises:
        TypeError: `sp_ids` are no sparse tensors, or `vocab_size` is no list as they are.
        ValueError: there are not as many sizes as tensors.
    """
    several = isinstance(sp_ids, (list, tuple)) and not isinstance(sp_ids, SparseTensorValue)
    if several != isinstance(vocab_size, (list, tuple)):
        raise TypeError(f"merge: vocab_size is a list where sp_ids are one, got {vocab_size!r}")
    ids, sizes = (sp_ids, vocab_size) if several else ([sp_ids], [vocab_size])
    if len(ids) != len(sizes):
        raise ValueError(f"merge: {len(ids)} tensors of numbers, but {len(sizes)} sizes")
    ids, sp_values = [as_sparse(one, "sp_ids") for one in ids], as_sparse(sp_values, "sp_values")
    columns = [cast(expand_dims(one.values, 1), dtypes.int64) for one in ids]
    indices = concatenated([ids[0].indices[:, :-1], *columns], 1)
    wide = [cast(reshape(size, [1]), dtypes.int64) for size in sizes]
    found = SparseTensor(
        indices, sp_values.values, concatenated([ids[0].dense_shape[:-1], *wide], 0)
    )
    return found if already_sorted else layout.reorder(found, name)
