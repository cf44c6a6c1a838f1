"""Tensors that hold positions: lines, grids, masks of lengths, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.process.tracebacks import shallow
from ...core.values import TensorLike
from ...errors import ShapeMismatchError
from ..bind import bind
from ..composed import composed
from ..conversion import as_tensor, as_tensors, static_int
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from ..math.comparison import less
from ..math.division import QUOTIENT
from ..math.reduce import reduce_max, reduce_prod
from ..op import INDEX
from ..sizes import make_nothing
from .fill import LinSpace, ones_like, zeros
from .fill import range as range_tensor
from .scatter import scatter_nd
from .shapes import as_shape_tensor, expand_dims, rank, reshape, shape, shape_of, size, squeeze
from .shapes import rank as rank_of

if TYPE_CHECKING:
    from ..results import Tensor


@dispatchable
def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from start to stop, both included, along a new axis at `axis`.

    start, stop: floats or integers, which broadcast. Integers give float64 (8 and 16 bits:
    float32). For scalars the result has the shape [num].

    >>> tf.linspace(0, 1, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])

    Raises:
        InvalidArgumentError: `num` is negative.
    """
    start, stop, num = *as_tensors(start, stop), _as_count(num)
    if (wide := QUOTIENT.get(start.dtype)) is not None:
        start, stop = cast(start, wide), cast(stop, wide)
    if start.shape.rank == 0 and stop.shape.rank == 0:
        return bind(LinSpace, start, stop, num, name=name or "linspace")
    return _lines(start, stop, num, axis)


def _as_count(num: Any) -> Any:
    """How many numbers there are to be: a tensor of any integers is taken, too.

    Raises:
        TypeError: it is a tensor of others.
    """
    if not isinstance(num, TensorLike) or num.dtype in INDEX:
        return num
    if not num.dtype.is_integer:
        raise TypeError(f"linspace: num must be of an integer dtype, but is of {num.dtype.name}")
    return cast(num, dtypes.int32)


def _lines(start: Any, stop: Any, num: Any, axis: int) -> Any:
    """Lines between the elements of two tensors, along a new axis."""
    from ..math.arithmetic import maximum
    from .concatenation import concat
    from .rearrangement import transpose
    from .select import where

    ones = ones_like(start) * ones_like(stop)  # of both shapes, and numbers without end stay so
    base = start * ones
    rank = base.shape.rank
    if rank is not None:
        place = axis % (rank + 1)
        shape = [*base.shape.entries[:place], static_int(num), *base.shape.entries[place:]]
        if make_nothing(shape):
            return reshape(base[:0], shape)
    steps, gaps = range_tensor(0, num), maximum(as_tensor(num) - 1, 1)
    first, last = expand_dims(base, -1), expand_dims(stop * ones, -1)
    line = first + (last - first) / cast(gaps, start.dtype) * cast(steps, start.dtype)
    line = where(less(steps, gaps), where(less(0, steps), line, first), last)
    if rank is None:
        count = rank_of(base)
        axes, place = range_tensor(count), axis if axis >= 0 else count + 1 + axis
        return transpose(line, concat([axes[:place], [count], axes[place:]], 0))
    place = axis % (rank + 1)
    order = [*range(place), rank, *range(place, rank)]
    return transpose(line, order)


@shallow
def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """For n vectors, n tensors of rank n that hold the coordinates of their grid.

    Vectors of sizes a, b, c, ... give the shape [b, a, c, ...] with indexing="xy", the default, and
    [a, b, c, ...] with indexing="ij". The only other keyword is `name`.

    They have the dtypes of the vectors.

    >>> [one.numpy().tolist() for one in tf.meshgrid([1, 2, 3], [4, 5])]
    [[[1, 2, 3], [1, 2, 3]], [[4, 4, 4], [5, 5, 5]]]

    Raises:
        ValueError: another indexing.
        TypeError: an unknown keyword.
    """
    indexing, name = kwargs.pop("indexing", "xy"), kwargs.pop("name", "meshgrid")
    if kwargs:
        raise TypeError(f"'{next(iter(kwargs))}' is an invalid keyword argument for this function")
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` must be one of 'xy' or 'ij'. Received: {indexing} in {name}"
        )
    count = len(args)
    vectors = [reshape(one, [-1]) for one in args]
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = [1, 0]
    shape: list[Any] = [None] * count
    for vector, place in zip(vectors, places, strict=True):
        known = vector.shape[0]
        shape[place] = shape_of(vector)[0] if known is None else known
    from .broadcasting import broadcast_to

    sizes = as_shape_tensor(shape)
    grids = []
    for vector, place in zip(vectors, places, strict=True):
        column = [1] * count
        column[place] = -1
        grids.append(broadcast_to(reshape(vector, column), sizes))
    return grids


@dispatchable
@composed("SequenceMask")
def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool_, name: str | None = None
) -> Tensor:
    """For each length n a row that begins with n ones (True); `maxlen` long, or the largest.

    lengths: numbers of any shape s; the result has the shape s + [maxlen] and the dtype `dtype`.

    >>> tf.sequence_mask([1, 3]).numpy()
    array([[ True, False, False],
           [ True,  True,  True]])

    Raises:
        InvalidArgumentError: `maxlen` is negative.
    """
    lengths, kind = as_tensor(lengths), dtypes.bool_ if dtype is None else as_dtype(dtype)
    if maxlen is None:
        from ..math.arithmetic import maximum

        maxlen = maximum(reduce_max(lengths), 0)
    else:
        maxlen = as_tensor(maxlen)
    shape = [*(lengths.shape.entries or (None,)), static_int(maxlen)]
    if make_nothing(shape):
        return zeros(shape, kind, name)
    row = range_tensor(as_tensor(0, maxlen.dtype), maxlen, as_tensor(1, maxlen.dtype))
    mask = less(row, cast(expand_dims(lengths, -1), maxlen.dtype))
    return cast(mask, kind, name)


@dispatchable
def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Any:
    """The coordinates, [rank, ...], of flat indices into a tensor with sizes `dims`, [rank].

    indices: a scalar or a vector. indices, dims: int32 or int64, of the same dtype.

    >>> tf.unravel_index([1, 5], [2, 3]).numpy()
    array([[0, 1],
           [1, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: an index is negative, or behind the end; indices have more axes.
    """
    from ..checks.assertions import assert_less, assert_non_negative
    from ..math.scan import cumprod
    from .concatenation import concat, stack, unstack

    indices, dims = as_tensors(indices, dims)
    assert_less(rank(indices), 2, message="unravel_index: indices are a scalar or a vector")
    assert_non_negative(indices, message="unravel_index: an index is negative")
    assert_less(indices, reduce_prod(dims), message="unravel_index: an index is behind the end")
    if not dims.shape.num_elements():  # unknown, or none
        sizes, flat = reshape(dims, [-1, 1]), reshape(indices, [1, -1])
        strides = cumprod(sizes, 0, exclusive=True, reverse=True)
        found = flat // strides % sizes
        return reshape(found, concat([shape_of(dims), shape_of(indices)], 0), name=name)
    strides = unstack(cumprod(dims, exclusive=True, reverse=True))
    pairs = zip(strides, unstack(dims), strict=True)
    return stack([indices // stride % size for stride, size in pairs], name=name)


def _of_one_rank(labels: Any, predictions: Any) -> tuple[Any, Any]:
    """Both, without the last axis of the one that has one more, of size 1."""
    own, other = labels.shape.rank, predictions.shape.rank
    if own is None or other is None:
        return _as_vectors(labels, predictions)
    if own == other + 1:
        labels = squeeze(labels, [-1])
    elif other == own + 1:
        predictions = squeeze(predictions, [-1])
    if (labels.shape.rank, predictions.shape.rank) != (1, 1):
        raise ShapeMismatchError(
            "labels and predictions are vectors, of which one may be a column; these have the "
            f"shapes {labels.shape} and {predictions.shape}"
        )
    return labels, predictions


def _as_vectors(*pair: Any) -> Any:
    """Two vectors, of which one may be a column: the ranks are looked at while the program runs."""
    from ..checks.assertions import assert_less, require_equal
    from ..checks.shape_assertions import assert_rank_in

    for values in pair:
        assert_rank_in(values, [1, 2], message="labels and predictions are vectors or columns: ")
        require_equal(size(values), shape(values)[:1], "a column has one number in each row: ")
    assert_less(sum(map(rank, pair)), 4, message="one of labels and predictions is a vector")
    return [reshape(values, [-1]) for values in pair]


@dispatchable
@composed("confusion_matrix")
def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How often (or with which total weight) label i was predicted as j: [classes, classes].

    labels, predictions: integers [n]. weights: numbers [n]. Without `num_classes` there is one more
    than the largest number that occurs.

    >>> tf.math.confusion_matrix([0, 1, 1], [0, 0, 1]).numpy()
    array([[1, 0],
           [1, 1]], dtype=int32)

    Raises:
        InvalidArgumentError: a number is negative, or not below `num_classes`.
    """
    from ..checks.assertions import assert_less, assert_non_negative
    from ..math.arithmetic import maximum
    from .concatenation import stack

    labels, predictions = _of_one_rank(cast(labels, dtypes.int64), cast(predictions, dtypes.int64))
    for values, word in ((labels, "`labels`"), (predictions, "`predictions`")):
        assert_non_negative(values, message=f"{word} contains negative values")
    if num_classes is None:
        count = maximum(reduce_max(predictions), reduce_max(labels)) + 1
    else:
        count = cast(num_classes, dtypes.int64)
        for values, word in ((labels, "`labels`"), (predictions, "`predictions`")):
            assert_less(values, count, message=f"{word} out of bound")
    marks = ones_like(predictions, dtype) if weights is None else cast(weights, dtype)
    places = stack([labels, predictions], axis=1)
    return scatter_nd(places, marks, stack([count, count]), name=name)
