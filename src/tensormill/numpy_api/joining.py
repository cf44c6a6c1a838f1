"""Arrays together, apart, and several times."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.values import TensorLike
from ..ops.array import concatenation, rearrangement
from ..ops.array.fill import fill, ones_like
from ..ops.array.padding import pad as padded
from ..ops.array.shapes import rank as rank_of
from ..ops.array.shapes import reshape, shape_of
from ..ops.conversion import as_tensor, known_rank, static_value
from ..ops.math.arithmetic import maximum, minimum
from .axes import atleast_1d, atleast_2d, atleast_3d, ravel
from .promotion import as_array, as_arrays


def _several(name: str, arrays: Any) -> list[Any]:
    """Arrays of one dtype; a single array stands for those along its first axis."""
    if isinstance(arrays, (TensorLike, np.ndarray)):
        return concatenation.unstack(as_array(arrays))
    arrays = [*arrays]
    if not arrays:
        raise ValueError(f"{name} needs an array at least")
    return as_arrays(*arrays)


def _of_themselves(name: str, arrays: Any) -> list[Any]:
    """Arrays of one dtype, for which numbers in lists are int64 and float64."""
    if not isinstance(arrays, (TensorLike, np.ndarray)):
        arrays = [as_array(one) for one in arrays]
    return _several(name, arrays)


def concatenate(arys: Any, axis: Any = 0) -> Any:
    """Arrays behind each other along an axis; without one, all their elements as a vector.

    arys: a list of arrays, which take the dtype that they share.

    >>> tf.experimental.numpy.concatenate([[1, 2], [3.5]]).numpy()
    array([1. , 2. , 3.5])

    Raises:
        ValueError: there is none.
        InvalidArgumentError: the other sizes differ, or there is no such axis (ValueError in a
            trace).
    """
    if isinstance(arys, (TensorLike, np.ndarray)) and axis == 0:
        return as_array(arys)
    arrays = _several("concatenate", arys)
    if axis is None:
        return concatenation.concat([ravel(one) for one in arrays], 0)
    return concatenation.concat(arrays, axis)


def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """`values` behind `arr` along an axis; without one, the elements of both as a vector.

    The result has the dtype that both have in common.

    >>> tf.experimental.numpy.append([1, 2], [[3, 4]]).numpy()
    array([1, 2, 3, 4])

    Raises:
        InvalidArgumentError: the other sizes differ, or there is no such axis (ValueError in a
            trace).
    """
    return concatenate(_of_themselves("append", [arr, values]), axis)


def stack(arrays: Any, axis: int = 0) -> Any:
    """Arrays of one shape beside each other, along a new axis; they take the dtype they share.

    >>> tf.experimental.numpy.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]])

    Raises:
        ValueError: there is none.
        InvalidArgumentError: their shapes differ (ValueError in a trace).
    """
    if isinstance(arrays, (TensorLike, np.ndarray)) and axis == 0:
        return as_array(arrays)
    return concatenation.stack(_several("stack", arrays), axis)


def vstack(tup: Any) -> Any:
    """Arrays below each other; vectors are rows.

    They share the dtype that operands of `add` would.

    >>> tf.experimental.numpy.vstack([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [3, 4]])

    Raises:
        InvalidArgumentError: the other sizes differ (ValueError in a trace).
    """
    return concatenation.concat([atleast_2d(one) for one in _of_themselves("vstack", tup)], 0)


def hstack(tup: Any) -> Any:
    """Arrays beside each other, along the second axis; vectors along their only one.

    They share the dtype that operands of `add` would.

    >>> tf.experimental.numpy.hstack([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4])

    Raises:
        InvalidArgumentError: the other sizes differ (ValueError in a trace).
    """
    arrays = [atleast_1d(one) for one in _of_themselves("hstack", tup)]
    return concatenation.concat(arrays, _across(arrays[0]))


def _across(x: Any) -> Any:
    """The second axis; of vectors the first. Where only a run knows the rank, a tensor."""
    if x.shape.rank is None:
        return minimum(rank_of(x) - 1, 1)
    return 0 if x.shape.rank == 1 else 1


def dstack(tup: Any) -> Any:
    """Arrays behind each other, along the third axis.

    They share the dtype that operands of `add` would.

    >>> tf.experimental.numpy.dstack([[1, 2], [3, 4]]).shape
    TensorShape([1, 2, 2])

    Raises:
        InvalidArgumentError: the other sizes differ (ValueError in a trace).
    """
    return concatenation.concat([atleast_3d(one) for one in _of_themselves("dstack", tup)], 2)


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """The parts of an array along an axis: so many of one size, or those between places.

    ary: of any dtype, which the parts have.

    >>> [part.numpy() for part in tf.experimental.numpy.split([1, 2, 3, 4], [1, 3])]
    [array([1]), array([2, 3]), array([4])]

    Raises:
        ValueError: a place is before the one before it.
        InvalidArgumentError: the axis does not divide into so many.
        TypeError: neither a number of parts nor places.
    """
    ary = as_array(ary)
    if isinstance(indices_or_sections, (int, np.integer)):
        return concatenation.split(ary, int(indices_or_sections), axis)
    if isinstance(indices_or_sections, TensorLike):
        known = static_value(as_tensor(indices_or_sections))
        if known is None:
            raise TypeError("split: places must be known while tracing; tf.split takes sizes")
        indices_or_sections = known.tolist()
    before, parts = 0, []
    for place in indices_or_sections:
        if place < before:
            raise ValueError(f"split: the place {place} is before the place {before}")
        parts.append(_between(ary, axis, before, place))
        before = place
    return [*parts, _between(ary, axis, before, None)]


def _between(x: Any, axis: int, start: int, stop: int | None) -> Any:
    key: list[Any] = [slice(None)] * known_rank(x, "split")
    key[axis] = slice(start, stop)
    return x[tuple(key)]


def _split_at_rank(name: str, least: int, ary: Any, places: Any, axis: Any) -> list[Any]:
    ary = as_array(ary)
    if ary.shape.rank is not None and ary.shape.rank < least:
        raise ValueError(f"{name} needs {least} axes at least, got shape {ary.shape}")
    return split(ary, places, axis)


def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """The parts of an array beside each other: along the second axis, of vectors along the first.

    ary: of any dtype, which the parts have.

    >>> [part.numpy() for part in tf.experimental.numpy.hsplit([1, 2, 3, 4], 2)]
    [array([1, 2]), array([3, 4])]

    Raises:
        ValueError: `ary` is a scalar.
        InvalidArgumentError: the axis does not divide into so many.
    """
    ary = as_array(ary)
    return _split_at_rank("hsplit", 1, ary, indices_or_sections, _across(ary))


def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """The parts of an array below each other: along its first axis.

    ary: two axes at least, of any dtype, which the parts have.

    >>> [part.numpy() for part in tf.experimental.numpy.vsplit([[1, 2], [3, 4]], 2)]
    [array([[1, 2]]), array([[3, 4]])]

    Raises:
        ValueError: `ary` has fewer than two axes.
        InvalidArgumentError: the axis does not divide into so many.
    """
    return _split_at_rank("vsplit", 2, ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """The parts of an array behind each other: along its third axis.

    ary: three axes at least, of any dtype, which the parts have.

    >>> [part.shape for part in tf.experimental.numpy.dsplit(np.zeros((2, 3, 4)), 2)]
    [TensorShape([2, 3, 2]), TensorShape([2, 3, 2])]

    Raises:
        ValueError: `ary` has fewer than three axes.
        InvalidArgumentError: the axis does not divide into so many.
    """
    return _split_at_rank("dsplit", 3, ary, indices_or_sections, 2)


def tile(a: Any, reps: Any) -> Any:
    """The array repeated, `reps` times along each axis: of the last axes, where they are fewer.

    a: an array of any dtype, which the result has.

    >>> tf.experimental.numpy.tile([1, 2], (2, 2)).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])

    Raises:
        InvalidArgumentError: a number is negative.
    """
    a = as_array(a)
    times = reshape(as_array(reps, np.int32), [-1])
    sizes = shape_of(a)
    count = times.shape.num_elements()
    if count is None:
        raise ValueError(f"tile: how many `reps` there are is not known while tracing: {reps!r}")
    if a.shape.rank is None:
        missing = count - rank_of(a)
        before = (
            fill(reshape(maximum(missing, 0), [1]), 1),
            fill(reshape(maximum(-missing, 0), [1]), 1),
        )
        a = reshape(a, concatenation.concat([before[0], sizes], 0))
        return rearrangement.tile(a, concatenation.concat([before[1], times], 0))
    missing = count - a.shape.rank
    if missing > 0:
        a = reshape(a, concatenation.concat([np.ones(missing, np.int32), sizes], 0))
    elif missing < 0:
        times = concatenation.concat([ones_like(sizes[:-missing], np.int32), times], 0)
    return rearrangement.tile(a, times)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element, or each slice along an axis, several times: `repeats`, or one number for each.

    Without an axis, the elements of `a` as a vector.

    >>> tf.experimental.numpy.repeat([[1, 2], [3, 4]], [1, 2], axis=0).numpy()
    array([[1, 2],
           [3, 4],
           [3, 4]])

    Raises:
        ValueError: there are not as many numbers as slices.
        InvalidArgumentError: a number is negative.
    """
    return rearrangement.repeat(as_array(a), as_array(repeats), axis)


def pad(array: Any, pad_width: Any, mode: str, **kwargs: Any) -> Any:
    """The array with more elements around it.

    pad_width: for each axis how many come before and behind; one pair is for all axes, one number
    for both sides of all. mode: "constant" puts in the keyword `constant_values`, a scalar (0);
    "reflect" mirrors the array without its border, "symmetric" with it.

    >>> tf.experimental.numpy.pad([1, 2, 3], [(2, 1)], "reflect").numpy()
    array([3, 2, 1, 2, 3, 2])

    Raises:
        ValueError: another `mode`.
        InvalidArgumentError: widths of another shape, negative ones, or more than a mirror shows.
    """
    if mode not in ("constant", "reflect", "symmetric"):
        raise ValueError(f"pad: mode={mode!r} is none of 'constant', 'reflect' and 'symmetric'")
    array = as_array(array)
    if not isinstance(pad_width, TensorLike):
        pad_width = np.asarray(pad_width, np.int32)
        if pad_width.ndim < 2:
            pad_width = np.broadcast_to(pad_width, (known_rank(array, "pad"), 2))
    value = kwargs.get("constant_values", 0)
    value = as_array(value, bool) if array.dtype.is_bool else as_tensor(value, array.dtype)
    return padded(array, pad_width, mode, value)
