"""The same elements in another shape or order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.values import TensorLike
from ..ops.array import rearrangement, shapes
from ..ops.array.broadcasting import broadcast_dynamic_shape
from ..ops.array.broadcasting import broadcast_to as spread
from ..ops.array.concatenation import concat
from ..ops.array.fill import ones
from ..ops.array.fill import range as range_of
from ..ops.array.scatter import tensor_scatter_nd_update
from ..ops.array.select import boolean_mask
from ..ops.array.shapes import shape_of
from ..ops.conversion import as_tensor, known_rank
from ..ops.math.arithmetic import maximum
from ..ops.math.comparison import not_equal
from ..ops.math.reduce import reduce_all
from .promotion import as_array, keeps_weak
from .sizes import all_from_the_front, as_shape_vector, from_the_front


@keeps_weak
def reshape(a: Any, newshape: Any, order: str = "C") -> Any:
    """The elements in another shape; one size may be -1, for what is left.

    a: an array of any dtype, which the result has.

    order: "C", rows first, or "F", columns first, both when reading `a` and when filling the
    result.

    >>> tf.experimental.numpy.reshape([1, 2, 3, 4], (2, -1), order="F").numpy()
    array([[1, 3],
           [2, 4]])

    Raises:
        ValueError: another `order`.
        InvalidArgumentError: the shape has not as many elements (ValueError in a trace).
    """
    a = as_array(a)
    sizes = as_shape_vector(newshape)
    if order == "C":
        return shapes.reshape(a, sizes)
    if order != "F":
        raise ValueError(f"reshape: order={order!r} is neither 'C' nor 'F'")
    read = rearrangement.transpose(a)
    return rearrangement.transpose(shapes.reshape(read, rearrangement.reverse(sizes, [0])))


@keeps_weak
def ravel(a: Any) -> Any:
    """The elements as a vector, rows first.

    a: an array of any rank and dtype; the result has its dtype.

    >>> tf.experimental.numpy.ravel([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4])

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    return shapes.reshape(as_array(a), [-1])


@keeps_weak
def flatten(a: Any, order: str = "C") -> Any:
    """The elements as a vector: rows first ("C", "A", "K") or columns first ("F").

    a: an array of any rank and dtype; the result has its dtype.

    >>> tf.experimental.numpy.flatten([[1, 2], [3, 4]], "F").numpy()
    array([1, 3, 2, 4])

    Raises:
        ValueError: another `order`.
    """
    if order not in ("C", "A", "K", "F"):
        raise ValueError(f"flatten: order={order!r} is none of 'C', 'A', 'K' and 'F'")
    return ravel(rearrangement.transpose(as_array(a)) if order == "F" else a)


@keeps_weak
def transpose(a: Any, axes: Any = None) -> Any:
    """The axes in another order: axis k of the result was `axes[k]`; the reverse by default.

    a: an array of any rank and dtype; the result has its dtype.

    >>> tf.experimental.numpy.transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]])

    Raises:
        InvalidArgumentError: `axes` does not name every axis once (ValueError in a trace).
    """
    a = as_array(a)
    if axes is None or isinstance(axes, TensorLike):
        return rearrangement.transpose(a, axes)
    rank = len(axes)
    return rearrangement.transpose(a, [axis + rank if axis < 0 else axis for axis in axes])


@keeps_weak
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """The axes `source` (one, or several) where `destination` says, the others in their order.

    a: an array of any rank and dtype; the result has its dtype.

    >>> tf.experimental.numpy.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    TensorShape([3, 4, 2])

    Raises:
        ValueError: they are not as many, or an axis does not exist or is named twice.
    """
    a = as_array(a)
    rank = a.shape.rank
    if rank is None:
        return rearrangement.transpose(a, _order_at_run_time(a, source, destination))
    moved, places = all_from_the_front(source, rank), all_from_the_front(destination, rank)
    if len(moved) != len(places):
        raise ValueError(f"moveaxis: {len(moved)} axes are to go to {len(places)} places")
    if len({*moved}) < len(moved) or len({*places}) < len(places):
        raise ValueError(f"moveaxis: an axis is named twice in {source!r} or {destination!r}")
    order = [axis for axis in range(rank) if axis not in moved]
    for place, axis in sorted(zip(places, moved, strict=True)):
        order.insert(place, axis)
    return rearrangement.transpose(a, order)


@keeps_weak
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """Two axes in each other's place.

    a: an array of any rank and dtype; the result has its dtype.

    >>> tf.experimental.numpy.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    TensorShape([4, 3, 2])

    Raises:
        IndexError: (and ValueError) an axis does not exist.
    """
    a = as_array(a)
    rank = a.shape.rank
    if rank is None:
        order = _order_at_run_time(a, [axis1, axis2], [axis2, axis1])
        return rearrangement.transpose(a, order)
    order = [*range(rank)]
    one, other = from_the_front(axis1, rank), from_the_front(axis2, rank)
    order[one], order[other] = other, one
    return rearrangement.transpose(a, order)


def _order_at_run_time(a: Any, source: Any, destination: Any) -> Any:
    """The axes of a tensor of unknown rank, those in `source` at the places in `destination`."""
    rank = shapes.rank(a)
    every = range_of(rank)
    moved, places = (_from_the_front(axes, rank) for axes in (source, destination))
    order = tensor_scatter_nd_update(every, shapes.expand_dims(places, 1), moved)
    free, others = (boolean_mask(every, _is_none_of(every, one)) for one in (places, moved))
    return tensor_scatter_nd_update(order, shapes.expand_dims(free, 1), others)


def _from_the_front(axes: Any, rank: Any) -> Any:
    counted = np.atleast_1d(np.asarray(axes, np.int32))
    return as_tensor(counted) + rank * (counted < 0).astype(np.int32)


def _is_none_of(every: Any, axes: Any) -> Any:
    return reduce_all(not_equal(shapes.expand_dims(every, 1), axes), 1)


@keeps_weak
def expand_dims(a: Any, axis: Any) -> Any:
    """One more axis of size 1, which becomes `axis`; several for several.

    a: an array of any dtype, which the result has.

    >>> tf.experimental.numpy.expand_dims([1, 2], 0).shape
    TensorShape([1, 2])

    Raises:
        InvalidArgumentError: there is no such place (ValueError in a trace).
    """
    a = as_array(a)
    if not isinstance(axis, (list, tuple)):
        return shapes.expand_dims(a, axis)
    for place in sorted(all_from_the_front(axis, known_rank(a, "expand_dims") + len(axis))):
        a = shapes.expand_dims(a, place)
    return a


@keeps_weak
def squeeze(a: Any, axis: Any = None) -> Any:
    """Without axes of size 1: the ones named, or all of them.

    a: an array of any rank and dtype; the result has its dtype.

    >>> tf.experimental.numpy.squeeze([[[1, 2]]], axis=0).shape
    TensorShape([1, 2])

    Raises:
        InvalidArgumentError: an axis has another size (ValueError in a trace).
    """
    return shapes.squeeze(as_array(a), [*axis] if isinstance(axis, tuple) else axis)


def _at_least(rank: int, arys: tuple[Any, ...], before: Any) -> Any:
    """Arrays of at least that many axes; `before` says how many of those that miss come first."""
    found = [_with_axes(one, rank, before) for one in map(as_array, arys)]
    return found[0] if len(found) == 1 else found


def _with_axes(x: Any, rank: int, before: Any) -> Any:
    if x.shape.rank is None:
        missing = maximum(rank - shapes.rank(x), 0)
        first = maximum(before(missing), 0)
        sizes = [ones([first], np.int32), shape_of(x), ones([missing - first], np.int32)]
        return shapes.reshape(x, concat(sizes, 0))
    missing = max(rank - x.shape.rank, 0)
    first = max(before(missing), 0)
    for place in [0] * first + [-1] * (missing - first):
        x = shapes.expand_dims(x, place)
    return x


def atleast_1d(*arys: Any) -> Any:
    """Each array with one axis at least; a list, where there are several.

    Their dtypes stay as they are.

    >>> tf.experimental.numpy.atleast_1d(5).numpy()
    array([5])

    Raises:
        ValueError: one is nothing that an array can hold.
    """
    return _at_least(1, arys, lambda missing: missing)


def atleast_2d(*arys: Any) -> Any:
    """Each array with two axes at least, the new ones first; a list, where there are several.

    Their dtypes stay as they are.

    >>> tf.experimental.numpy.atleast_2d([1, 2]).numpy()
    array([[1, 2]])

    Raises:
        ValueError: one is nothing that an array can hold.
    """
    return _at_least(2, arys, lambda missing: missing)


def atleast_3d(*arys: Any) -> Any:
    """Each array with three axes at least; a list, where there are several.

    A vector becomes [1, n, 1], a matrix [m, n, 1].

    Dtypes stay as they are.

    >>> tf.experimental.numpy.atleast_3d([1, 2]).shape
    TensorShape([1, 2, 1])

    Raises:
        ValueError: one is nothing that an array can hold.
    """
    return _at_least(3, arys, lambda missing: missing - 1)


def broadcast_to(array: Any, shape: Any) -> Any:
    """The array repeated along axes of size 1, and along new ones in front, up to a shape.

    array: of any dtype, which the result has.

    >>> tf.experimental.numpy.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]])

    Raises:
        InvalidArgumentError: it does not broadcast to the shape (ValueError in a trace).
    """
    return spread(as_array(array), as_shape_vector(shape))


def broadcast_arrays(*args: Any, **kwargs: Any) -> list[Any]:
    """Arrays broadcast to the shape that they share; each keeps its dtype.

    >>> [one.shape for one in tf.experimental.numpy.broadcast_arrays([1, 2], [[1.0], [2.0]])]
    [TensorShape([2, 2]), TensorShape([2, 2])]

    Raises:
        ValueError: `subok` is True, or another keyword is given.
        InvalidArgumentError: the shapes do not broadcast.
    """
    if kwargs.pop("subok", False):
        raise ValueError("broadcast_arrays: subok=True is not supported: tensors have one class")
    if kwargs:
        raise ValueError(f"broadcast_arrays takes no keyword {sorted(kwargs)}")
    arrays = [as_array(one) for one in args]
    if not arrays:
        return []
    shape = shape_of(arrays[0])
    for one in arrays[1:]:
        shape = broadcast_dynamic_shape(shape, shape_of(one))
    return [spread(one, shape) for one in arrays]


def flip(m: Any, axis: Any = None) -> Any:
    """The elements in reverse along an axis, or several, or (None) all.

    m: an array of any dtype; the result has its shape and dtype.

    >>> tf.experimental.numpy.flip([[1, 2], [3, 4]], 1).numpy()
    array([[2, 1],
           [4, 3]])

    Raises:
        InvalidArgumentError: there is no such axis (ValueError in a trace).
    """
    m = as_array(m)
    if axis is None:
        return shapes.reshape(rearrangement.reverse(ravel(m), [0]), shape_of(m))
    several = axis if isinstance(axis, (list, tuple)) else [axis]
    return rearrangement.reverse(m, np.array(several, np.int32))


def flipud(m: Any) -> Any:
    """The rows in reverse.

    m: anything with an axis or more; the result has its shape and dtype.

    >>> tf.experimental.numpy.flipud([[1, 2], [3, 4]]).numpy()
    array([[3, 4],
           [1, 2]])

    Raises:
        InvalidArgumentError: `m` is a scalar.
    """
    return flip(m, 0)


def fliplr(m: Any) -> Any:
    """The columns in reverse.

    m: anything with two axes or more; the result has its shape and dtype.

    >>> tf.experimental.numpy.fliplr([[1, 2], [3, 4]]).numpy()
    array([[2, 1],
           [4, 3]])

    Raises:
        InvalidArgumentError: `m` has no columns.
    """
    return flip(m, 1)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """The elements moved by `shift` places along `axis`; those that leave come in at the front.

    a: an array of any dtype, which the result has.

    Without an axis, along the vector of all elements. Several axes take as many shifts.

    >>> tf.experimental.numpy.roll([1, 2, 3], 1).numpy()
    array([3, 1, 2])

    Raises:
        InvalidArgumentError: an axis does not exist, or there are not as many shifts.
    """
    a = as_array(a)
    if axis is not None:
        return rearrangement.roll(a, as_array(shift), as_array(axis))
    return shapes.reshape(rearrangement.roll(ravel(a), as_array(shift), 0), shape_of(a))


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """The array turned by k quarters, in the plane of two axes, from the first to the second.

    m: an array with at least two axes, of any dtype, which the result has.

    >>> tf.experimental.numpy.rot90([[1, 2], [3, 4]]).numpy()
    array([[2, 4],
           [1, 3]])

    Raises:
        ValueError: they are not two different axes of `m`.
    """
    m = as_array(m)
    if len(axes) != 2:
        raise ValueError(f"rot90: two axes span a plane, got {axes!r}")
    first, second = axes if m.shape.rank is None else all_from_the_front(axes, m.shape.rank)
    if first == second:
        raise ValueError(f"rot90: two different axes span a plane, got {axes!r}")
    match k % 4:
        case 0:
            return m
        case 1:
            return swapaxes(flip(m, second), first, second)
        case 2:
            return flip(m, [first, second])
        case _:
            return flip(swapaxes(m, first, second), second)


def size(x: Any, axis: Any = None) -> Any:
    """The number of elements: an int, or an int32 tensor where only run time will know it.

    >>> int(tf.experimental.numpy.size([[1, 2], [3, 4]]))
    4

    Raises:
        NotImplementedError: an axis is given; the shape knows its size.
    """
    if axis is not None:
        raise NotImplementedError("size: axis is not supported; use x.shape[axis]")
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return 1
    x = as_array(x)
    known = x.shape.num_elements()
    return shapes.size(x) if known is None else np.int64(known)


def shape(a: Any) -> Any:
    """The shape, as far as it is known.

    a: an array of any rank and dtype; the result is a TensorShape.

    >>> tf.experimental.numpy.shape([[1, 2, 3]])
    TensorShape([1, 3])

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    return as_array(a).shape


def ndim(a: Any) -> Any:
    """The number of axes: an int, or a tensor where only run time will know it.

    >>> tf.experimental.numpy.ndim([[1, 2, 3]])
    2

    Raises:
        ValueError: it is nothing that an array can hold.
    """
    a = as_array(a)
    return shapes.rank(a) if a.shape.rank is None else a.shape.rank


def isscalar(num: Any) -> bool:
    """Whether `num` has no axes: numbers, strings, and tensors of shape [].

    >>> tf.experimental.numpy.isscalar(1.5), tf.experimental.numpy.isscalar([1.5])
    (True, False)

    Raises:
        ValueError: `num` is nothing that a tensor can hold.
    """
    return as_array(num).shape.rank == 0
