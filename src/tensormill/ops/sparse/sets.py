"""`tf.sets`: the last axis of tensors of integers or strings as sets."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...errors import ShapeMismatchError
from ..array.concatenation import concat, stack
from ..array.fill import fill
from ..array.fill import range as numbers
from ..array.gather import gather
from ..array.scatter import scatter_nd
from ..array.select import boolean_mask
from ..array.shapes import reshape
from ..array.shapes import size as count_of
from ..checks.assertions import Assert, require_equal
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.comparison import equal, greater
from ..math.division import floordiv, floormod
from ..math.reduce import reduce_max, reduce_prod
from ..math.scan import cumsum
from ..math.segments import unsorted_segment_max, unsorted_segment_sum
from .arithmetic import SPARSE
from .conversion import from_dense
from .linear_indices import grouped, indices_of, places_of
from .sparse_tensor import SparseTensor, as_sparse


@dispatchable
def intersection(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What is in both sets, row by row, sorted: a sparse tensor.

    a, b: [..., m] and [..., n], dense or sparse; integers or strings, the same dtype of both.

    >>> both = tf.sets.intersection([[1, 2, 2, 3]], [[3, 2, 9]])
    >>> tf.sparse.to_dense(both).numpy()
    array([[2, 3]], dtype=int32)

    Raises:
        TypeError: other dtypes, or two.
        InvalidArgumentError: other axes than the last differ, or there is no other.
    """
    return _combined(a, b, lambda marks: equal(marks, 3))


@dispatchable
def union(a: Any, b: Any, validate_indices: bool = True) -> SparseTensor:
    """What is in one of the sets, row by row, sorted: a sparse tensor.

    a, b: [..., m] and [..., n], dense or sparse; integers or strings, the same dtype of both.

    >>> either = tf.sets.union([[1, 2, 2, 3]], [[3, 2, 9]])
    >>> tf.sparse.to_dense(either).numpy()
    array([[1, 2, 3, 9]], dtype=int32)

    Raises:
        TypeError: other dtypes, or two.
        InvalidArgumentError: other axes than the last differ, or there is no other.
    """
    return _combined(a, b, lambda marks: greater(marks, 0))


@dispatchable
def difference(a: Any, b: Any, aminusb: bool = True, validate_indices: bool = True) -> SparseTensor:
    """What is in one set and not in the other, row by row, sorted: a sparse tensor.

    a, b: [..., m] and [..., n], dense or sparse; integers or strings, the same dtype of both.
    aminusb: what `a` has and `b` has not; otherwise, what `b` has and `a` has not.

    >>> left = tf.sets.difference([[1, 2, 2, 3]], [[3, 9]])
    >>> tf.sparse.to_dense(left).numpy()
    array([[1, 2]], dtype=int32)

    Raises:
        TypeError: other dtypes, or two.
        InvalidArgumentError: other axes than the last differ, or there is no other.
    """
    return _combined(a, b, lambda marks: equal(marks, 1 if aminusb else 2))


@dispatchable
def size(a: Any, validate_indices: bool = True) -> Any:
    """How many different values each row has (int32): [..., n] gives [...].

    a: dense or sparse, of integers or strings.

    >>> tf.sets.size([[1, 1, 2], [5, 5, 5]]).numpy()
    array([2, 1], dtype=int32)

    Raises:
        TypeError: other dtypes.
        InvalidArgumentError: a vector, which has no rows.
    """
    both = union(a, a)
    sizes = both.dense_shape[:-1]
    rows = places_of(both.indices[:, :-1], sizes)
    ones = fill([count_of(rows)], as_tensor(1))
    return reshape(unsorted_segment_sum(ones, rows, reduce_prod(sizes)), sizes)


def _as_sparse(value: Any) -> SparseTensor:
    """Every element of a dense tensor counts, zeros too."""
    if isinstance(value, SPARSE):
        return as_sparse(value)
    dense = as_tensor(value)
    marks = from_dense(dense == dense)
    return SparseTensor.of_parts(marks.indices, reshape(dense, [-1]), marks.dense_shape)


def _require_alike(one: Any, other: Any) -> None:
    """Refuse dtypes that sets have not.

    Raises:
        TypeError: neither integers nor strings, or not the same of both.
    """
    if one is not other:
        raise TypeError(f"Types don't match: sets of {one.name} and of {other.name}")
    if not (one.is_integer or one is dtypes.string):
        raise TypeError(f"sets consist of integers or strings, not of {one.name}")


def _require_rows(sets: SparseTensor) -> None:
    """Refuse a vector: sets are rows of something.

    Raises:
        InvalidArgumentError: it has less than two axes.
    """
    rank = sets.shape.rank
    message = "tf.sets: a tensor with at least two axes is wanted, whose rows are sets; got shape "
    if rank is not None and rank < 2:
        raise ShapeMismatchError(f"{message}{sets.shape}")
    if rank is None:
        axes = count_of(sets.dense_shape)
        Assert(greater(axes, 1), [message, sets.dense_shape])


def _combined(a: Any, b: Any, chosen: Any) -> SparseTensor:
    a, b = _as_sparse(a), _as_sparse(b)
    _require_alike(a.dtype, b.dtype)
    _require_rows(a)
    _require_rows(b)
    sizes = a.dense_shape[:-1]
    require_equal(sizes, b.dense_shape[:-1], "sets: the rows of both must be as many: ")
    names = grouped(concat([a.values, b.values], 0))
    count = reshape(count_of(names.order, dtypes.int64), [1])
    name = scatter_nd(cast(names.order, dtypes.int64)[:, None], names.members, count)
    span = maximum(names.count, 1)
    indices = concat([a.indices[:, :-1], b.indices[:, :-1]], 0)
    keys = places_of(indices, sizes) * span + name
    bits = concat([fill([count_of(a.values)], 1), fill([count_of(b.values)], 2)], 0)
    groups = grouped(keys)
    ordered = gather(bits, groups.order)
    marks = sum(
        unsorted_segment_max(cast(equal(ordered, bit), dtypes.int32), groups.members, groups.count)
        * bit
        for bit in (1, 2)
    )
    kept = boolean_mask(groups.places, chosen(marks))
    values = gather(names.places, floormod(kept, span))
    return _by_rows(floordiv(kept, span), values, sizes, a)


def _by_rows(rows: Any, values: Any, sizes: Any, a: SparseTensor) -> SparseTensor:
    """The sets as a sparse tensor; `rows` ascend."""
    ones = rows * 0 + 1
    lengths = scatter_nd(rows[:, None], ones, reshape(reduce_prod(sizes), [1]))
    place = numbers(count_of(rows, dtypes.int64)) - gather(cumsum(lengths, exclusive=True), rows)
    widest = reduce_max(concat([[0], lengths], 0))
    indices = concat([indices_of(rows, sizes), place[:, None]], 1)
    shape = concat([sizes, stack([widest])], 0)
    made = SparseTensor.of_parts(indices, values, shape)
    if a.shape.rank is not None:
        made.set_shape([*a.shape.as_list()[:-1], None])
    return made
