"""Elements by condition, place and order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import dtypes
from ..ops.array import select as choice
from ..ops.array import shapes, sorting
from ..ops.array.broadcasting import broadcast_dynamic_shape, broadcast_to
from ..ops.array.concatenation import concat, stack, unstack
from ..ops.array.fill import zeros_like
from ..ops.array.gather import gather, gather_densely
from ..ops.array.shapes import reshape, shape_of
from ..ops.conversion import known_rank
from ..ops.math import comparison, division
from ..ops.math.cast import cast
from ..ops.math.norms import clip_by_value
from .axes import moveaxis, ravel
from .pairs import maximum, minimum
from .promotion import as_array, as_arrays, as_bools
from .sizes import from_the_front


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """The elements of `x` where the condition is not 0, else those of `y`; all three broadcast.

    x, y: of any dtype; the result has the one that both have in common.

    With a condition alone, where it is not 0: `nonzero(condition)`.

    >>> tf.experimental.numpy.where([True, False], 1, 2.5).numpy()
    array([1. , 2.5])

    Raises:
        ValueError: only one of `x` and `y` is given.
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("where: both x and y are wanted, or neither")
    return choice.where(as_bools(condition), *as_arrays(x, y))


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    """The elements of the first choice whose condition is not 0, else `default`.

    condlist, choicelist: lists of one length. All broadcast, to the shape of the result.

    >>> x = np.array([1, 5, 9])
    >>> tf.experimental.numpy.select([x < 3, x < 7], [x, x * 10], -1).numpy()
    array([ 1, 50, -1])

    Raises:
        ValueError: not as many choices as conditions, or none.
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            f"condlist must have the same length as choicelist: {len(condlist)} vs. "
            f"{len(choicelist)}"
        )
    if not len(condlist):
        raise ValueError("select: condlist is empty")
    *choices, result = as_arrays(*choicelist, default)
    for condition, chosen in zip(reversed([*condlist]), reversed(choices), strict=True):
        result = choice.where(as_bools(condition), chosen, result)
    return result


def nonzero(a: Any) -> list[Any]:
    """Where elements are not 0: a vector of places (int64) for each axis; a scalar counts as one.

    >>> [places.numpy() for places in tf.experimental.numpy.nonzero([[1, 0], [0, 2]])]
    [array([0, 1]), array([0, 1])]

    Raises:
        UnimplementedError: `a` are strings.
        ValueError: it is nothing that an array can hold.
    """
    a = as_bools(a)
    if known_rank(a, "nonzero") == 0:
        a = reshape(a, [1])
    return unstack(choice.where(a), axis=1, num=a.shape.rank)


def ix_(*args: Any) -> list[Any]:
    """Vectors of places, each along an axis of its own: together they name a grid.

    args: vectors of integers, or of bools, which stand for the places that are True.

    >>> [one.shape for one in tf.experimental.numpy.ix_([0, 1], [2, 3, 4])]
    [TensorShape([2, 1]), TensorShape([1, 3])]

    Raises:
        ValueError: one is no vector, or holds neither integers nor bools.
    """
    found: list[Any] = []
    for position, one in enumerate(map(as_array, args)):
        if one.shape.rank != 1:
            raise ValueError(f"ix_ needs vectors, got shape {one.shape} at place {position}")
        if not (one.dtype.is_integer or one.dtype.is_bool):
            raise ValueError(f"ix_ needs integers or bools, got {one.dtype.name}")
        places = nonzero(one)[0] if one.dtype.is_bool else one
        found.append(reshape(places, [-1 if k == position else 1 for k in range(len(args))]))
    return found


def meshgrid(*xi: Any, **kwargs: Any) -> list[Any]:
    """The coordinates of a grid: an array for each vector, with an axis for each of them.

    xi: vectors. indexing: "xy", where the first two axes change places, or "ij".

    The arrays have the dtypes of the vectors.

    >>> [one.numpy() for one in tf.experimental.numpy.meshgrid([1, 2], [3, 4, 5])[:1]]
    [array([[1, 2],
           [1, 2],
           [1, 2]])]

    Raises:
        ValueError: another `indexing`; `sparse` is True or `copy` False.
    """
    if kwargs.get("sparse", False):
        raise ValueError("meshgrid: sparse=True is not supported")
    if not kwargs.get("copy", True):
        raise ValueError("meshgrid: copy=False is not supported")
    indexing = kwargs.get("indexing", "xy")
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing={indexing!r} is neither 'xy' nor 'ij'")
    vectors = [ravel(one) for one in xi]
    if not vectors:
        return []
    order = [*range(len(vectors))]
    if indexing == "xy":
        order[:2] = reversed(order[:2])
    shape = stack([shape_of(vectors[k])[0] for k in order])
    return [
        broadcast_to(reshape(one, [-1 if k == position else 1 for k in order]), shape)
        for position, one in enumerate(vectors)
    ]


def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "clip") -> Any:
    """The elements, or slices along an axis, at `indices`; without an axis, of `a` as a vector.

    indices: integers of any shape, which stands in the place of the axis. mode: places beside the
    axis are its ends ("clip"), or are counted from the other one ("wrap").

    >>> tf.experimental.numpy.take([10, 20, 30], [0, 5]).numpy()
    array([10, 30])

    Raises:
        ValueError: `out` is given, or another `mode`.
        TypeError: indices are no integers.
    """
    if out is not None:
        raise ValueError(f"take: out={out!r} is not supported: tensors are never written to")
    if mode not in ("clip", "wrap"):
        raise ValueError(f"take: mode={mode!r} is neither 'clip' nor 'wrap'")
    a, indices = as_array(a), _as_places(indices)
    if axis is None:
        a, axis = ravel(a), 0
    if a.shape.rank is not None:
        axis = from_the_front(axis, a.shape.rank)
    count = cast(shape_of(a)[axis], indices.dtype)
    if mode == "clip":
        indices = clip_by_value(indices, zeros_like(count), count - 1)
    else:
        indices = division.floormod(indices, count)
    return gather_densely(a, indices, axis=axis)


def _as_places(indices: Any) -> Any:
    indices = as_array(indices)
    if not indices.dtype.is_integer:
        raise TypeError(f"indices are integers, got {indices.dtype.name}")
    return indices if indices.dtype.name in ("int32", "int64") else cast(indices, dtypes.int64)


def take_along_axis(arr: Any, indices: Any, axis: Any) -> Any:
    """The element at each index along an axis: `arr[i, indices[i, j]]` for `axis` 1 of two.

    arr, indices: as many axes each, which broadcast, but for `axis`; negative indices count from
    the end. Without an axis, of `arr` as a vector.

    The result has the dtype of `arr`, the shape of `indices`.

    >>> tf.experimental.numpy.take_along_axis([[3, 1, 2]], [[2, 0]], 1).numpy()
    array([[2, 3]])

    Raises:
        ValueError: they have not as many axes.
        InvalidArgumentError: an index is beside the axis.
    """
    arr, indices = as_array(arr), _as_places(indices)
    if axis is None:
        arr, axis = ravel(arr), 0
    rank = known_rank(arr, "take_along_axis")
    if known_rank(indices, "take_along_axis") != rank:
        raise ValueError(
            f"take_along_axis: arr and indices have as many axes, got shapes {arr.shape} and "
            f"{indices.shape}"
        )
    axis = from_the_front(axis, rank)
    arr, indices = moveaxis(arr, axis, -1), moveaxis(indices, axis, -1)
    outer = broadcast_dynamic_shape(shape_of(arr)[:-1], shape_of(indices)[:-1])
    count = shape_of(arr)[-1:]
    rows = reshape(broadcast_to(arr, concat([outer, count], 0)), concat([[-1], count], 0))
    shape = concat([outer, shape_of(indices)[-1:]], 0)
    places = reshape(broadcast_to(indices, shape), concat([[-1], shape_of(indices)[-1:]], 0))
    size = cast(count[0], places.dtype)
    places = choice.where(comparison.less(places, zeros_like(places)), places + size, places)
    found = gather(rows, places, axis=1, batch_dims=1)
    return moveaxis(reshape(found, shape), -1, axis)


def compress(condition: Any, a: Any, axis: Any = None) -> Any:
    """The slices along an axis for which the condition is not 0; without one, of all elements.

    a: an array of any dtype, which the result has.

    condition: a vector, at most as long as the axis: what it does not name is left out.

    >>> tf.experimental.numpy.compress([0, 1, 1], [10, 20, 30]).numpy()
    array([20, 30])

    Raises:
        ValueError: the condition is no vector, or is too long.
    """
    condition, a = as_bools(condition), as_array(a)
    if condition.shape.rank != 1:
        raise ValueError(f"compress: the condition is a vector, got shape {condition.shape}")
    if axis is None:
        a, axis = ravel(a), 0
    axis = from_the_front(axis, known_rank(a, "compress"))
    known, wanted = a.shape[axis], condition.shape[0]
    if known is not None and wanted is not None and wanted > known:
        raise ValueError(f"compress: {wanted} conditions are more than the {known} slices")
    return gather_densely(a, reshape(choice.where(condition), [-1]), axis=axis)


def clip(a: Any, a_min: Any, a_max: Any) -> Any:
    """The elements, no smaller than `a_min` and no larger than `a_max`; None is no bound.

    They broadcast and take the dtype that they share. Where the bounds are in the wrong order, the
    result is the lower one.

    >>> tf.experimental.numpy.clip([1, 5, 9], 2, 7).numpy()
    array([2, 5, 7])

    Raises:
        ValueError: there is no bound.
    """
    if a_min is None and a_max is None:
        raise ValueError("clip: a_min or a_max is wanted")
    if a_min is None:
        return minimum(a, a_max)
    if a_max is None:
        return maximum(a, a_min)
    a, a_min, a_max = as_arrays(a, a_min, a_max)
    return maximum(minimum(a, a_max), a_min)


def sort(a: Any, axis: Any = -1, kind: str = "quicksort", order: Any = None) -> Any:
    """The elements in order, along an axis; without one, all of them as a vector. NaNs come last.

    a: real numbers. kind: "quicksort"; whatever it is called, equal elements keep their order.

    >>> tf.experimental.numpy.sort([3, 1, 2]).numpy()
    array([1, 2, 3])

    Raises:
        ValueError: another `kind`, or an `order`.
    """
    if kind != "quicksort":
        raise ValueError(f"sort: kind={kind!r} is not supported, only 'quicksort' is")
    a, axis = _to_sort("sort", a, axis, order)
    return sorting.sort(a, axis)


def argsort(a: Any, axis: Any = -1, kind: str = "quicksort", order: Any = None) -> Any:
    """The places (int64) of the elements in order; without an axis, of all as a vector.

    a: real numbers; a scalar is a vector of one. kind: "quicksort" or "stable"; either keeps the
    order of equal elements.

    >>> tf.experimental.numpy.argsort([3, 1, 2]).numpy()
    array([1, 2, 0])

    Raises:
        ValueError: another `kind`, or an `order`.
    """
    if kind not in ("quicksort", "stable"):
        raise ValueError(f"argsort: kind={kind!r} is neither 'quicksort' nor 'stable'")
    a, axis = _to_sort("argsort", a, axis, order)
    if a.shape.rank == 0:
        a = shapes.expand_dims(a, 0)
    return cast(sorting.argsort(a, axis, stable=True), dtypes.int64)


def _to_sort(name: str, a: Any, axis: Any, order: Any) -> tuple[Any, Any]:
    if order is not None:
        raise ValueError(f"{name}: order={order!r} is not supported: elements have no fields")
    a = as_array(a)
    return (ravel(a), 0) if axis is None else (a, axis)


def diff(a: Any, n: int = 1, axis: int = -1) -> Any:
    """The difference of each element to the one before, along an axis; n times.

    a: numbers, or bools, of which it says whether they differ.

    >>> tf.experimental.numpy.diff([1, 4, 9]).numpy()
    array([3, 5])

    Raises:
        ValueError: n is negative; (and IndexError) there is no such axis.
    """
    if n < 0:
        raise ValueError(f"diff: n={n} is negative")
    a = as_array(a)
    axis = from_the_front(axis, known_rank(a, "diff"))
    later, earlier = [slice(None)] * (axis + 1), [slice(None)] * (axis + 1)
    later[axis], earlier[axis] = slice(1, None), slice(None, -1)
    for _ in range(n):
        one, other = a[tuple(later)], a[tuple(earlier)]
        a = comparison.not_equal(one, other) if a.dtype.is_bool else one - other
    return a
