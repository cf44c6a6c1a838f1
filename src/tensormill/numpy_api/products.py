"""Products of vectors and matrices, and sums of products."""

from __future__ import annotations

from typing import Any

from ..control.folds import foldl
from ..core import dtypes
from ..ops.array import fill, shapes
from ..ops.array.concatenation import concat
from ..ops.array.concatenation import stack as stacked
from ..ops.array.fill import zeros_like
from ..ops.array.rearrangement import transpose
from ..ops.array.shapes import reshape, shape_of
from ..ops.checks.assertions import assert_less_equal
from ..ops.conversion import known_rank
from ..ops.linalg import contraction
from ..ops.linalg import einsum as sums
from ..ops.linalg.matmul import matmul as matrix_product
from ..ops.math.arithmetic import maximum, minimum, multiply
from ..ops.math.cast import cast
from ..ops.math.comparison import equal
from ..ops.math.complex import conj
from ..ops.math.reduce import reduce_prod, reduce_sum
from .axes import moveaxis, ravel
from .promotion import as_arrays
from .sizes import from_the_front


def matmul(x1: Any, x2: Any) -> Any:
    """The products of the matrices in the last two axes; a vector is a row before, a column behind.

    x1, x2: numbers [..., m, k] and [..., k, n]; the axes in front broadcast.

    >>> tf.experimental.numpy.matmul([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7])

    Raises:
        ValueError: one is a scalar.
        InvalidArgumentError: the inner sizes differ (ValueError in a trace).
    """
    x1, x2 = as_arrays(x1, x2)
    first, second = x1.shape.rank, x2.shape.rank
    if first is None or second is None:
        return _matmul_of_any_rank(x1, x2)
    if not first or not second:
        raise ValueError(f"matmul needs no scalars, got shapes {x1.shape} and {x2.shape}")
    if first == second == 1:
        return contraction.tensordot(x1, x2, 1)
    if second == 1:
        product = matrix_product(x1, shapes.expand_dims(x2, -1))
        return shapes.squeeze(product, [-1])
    if first == 1:
        return shapes.squeeze(matrix_product(shapes.expand_dims(x1, 0), x2), [-2])
    return matrix_product(x1, x2)


def _matmul_of_any_rank(x1: Any, x2: Any) -> Any:
    """Matrices of what run time finds to be vectors; the product loses their axes again."""
    sizes = shape_of(x1), shape_of(x2)
    rows, columns = (cast(equal(shapes.rank(one), 1), dtypes.int32) for one in (x1, x2))
    row, column = fill.ones([rows], dtypes.int32), fill.ones([columns], dtypes.int32)
    product = matrix_product(
        reshape(x1, concat([row, sizes[0]], 0)), reshape(x2, concat([sizes[1], column], 0))
    )
    found = shape_of(product)
    return reshape(product, concat([found[:-2], found[-2:-1][rows:], found[-1:][columns:]], 0))


def dot(a: Any, b: Any) -> Any:
    """The sum of products along the last axis of `a` and the last but one of `b` (or its only one).

    The result has the dtype that both have in common.

    A scalar multiplies.

    >>> tf.experimental.numpy.dot([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7])

    Raises:
        InvalidArgumentError: these axes have not one size (ValueError in a trace).
    """
    a, b = as_arrays(a, b)
    if a.shape.rank is None or b.shape.rank is None:
        return _inner_of_any_rank(a, _last_axes_swapped(b, shapes.rank(a)))
    if not a.shape.rank or not b.shape.rank:
        return multiply(a, b)
    return contraction.tensordot(a, b, [[-1], [-1 if b.shape.rank == 1 else -2]])


def inner(a: Any, b: Any) -> Any:
    """The sum of products along the last axes; a scalar multiplies.

    a, b: numbers, whose last axes have one size; the result has their other axes, and the dtype
    that both have in common.

    >>> int(tf.experimental.numpy.inner([1, 2], [3, 4]))
    11

    Raises:
        InvalidArgumentError: these axes have not one size (ValueError in a trace).
    """
    a, b = as_arrays(a, b)
    if a.shape.rank is None or b.shape.rank is None:
        return _inner_of_any_rank(a, b)
    if not a.shape.rank or not b.shape.rank:
        return multiply(a, b)
    return contraction.tensordot(a, b, [[-1], [-1]])


def _inner_of_any_rank(a: Any, b: Any) -> Any:
    """A product of matrices: a scalar, on either side, makes every element a row of one number."""
    sizes, ranks = (shape_of(a), shape_of(b)), (shapes.rank(a), shapes.rank(b))
    rows = cast(minimum(*ranks) > 0, dtypes.int32)  # whether there are any
    heads = [size[: rank - rows] for size, rank in zip(sizes, ranks, strict=True)]
    length = reduce_prod(sizes[0][ranks[0] - rows :])
    left, right = (
        reshape(one, stacked([reduce_prod(head), length]))
        for one, head in zip((a, b), heads, strict=True)
    )
    return reshape(matrix_product(left, right, transpose_b=True), concat(heads, 0))


def _last_axes_swapped(x: Any, beside: Any) -> Any:
    """A tensor of unknown rank; as it is where it or what is `beside` it lacks these axes."""
    rank = shapes.rank(x)
    outer = maximum(rank - 2 * cast(beside > 0, dtypes.int32), 0)
    places = fill.range(rank)
    return transpose(x, concat([places[:outer], places[outer:][::-1]], 0))


def outer(a: Any, b: Any) -> Any:
    """The product of each element of `a` with each of `b`, both as vectors.

    The result has the dtype that both have in common.

    >>> tf.experimental.numpy.outer([1, 2], [3, 4]).numpy()
    array([[3, 4],
           [6, 8]])

    Raises:
        TypeError: the dtypes have none in common.
        ValueError: an operand is nothing that an array can hold.
    """
    a, b = as_arrays(a, b)
    product = reshape(a, [-1, 1]), reshape(b, [1, -1])
    return product[0] & product[1] if a.dtype.is_bool else multiply(*product)


def vdot(a: Any, b: Any) -> Any:
    """The sum of products of all elements; of complex numbers, those of `a` conjugated.

    >>> complex(tf.experimental.numpy.vdot([1, 2j], [3, 4]))
    (3-8j)

    Raises:
        InvalidArgumentError: they are not as many (ValueError in a trace).
    """
    a, b = as_arrays(a, b)
    return contraction.tensordot(ravel(conj(a) if a.dtype.is_complex else a), ravel(b), 1)


def kron(a: Any, b: Any) -> Any:
    """Kronecker's product: each element of `a` times the whole of `b`, in its place.

    a, b: numbers of any shapes. The result has as many axes as the one that has more, the size of
    each is the product of both sizes, and the dtype is what they have in common.

    >>> tf.experimental.numpy.kron([1, 2], [3, 4]).numpy()
    array([3, 4, 6, 8])

    Raises:
        TypeError: the dtypes have none in common.
        ValueError: an operand is nothing that an array can hold.
    """
    a, b = as_arrays(a, b)
    rank = max(known_rank(a, "kron"), known_rank(b, "kron"))
    a, b = (_with_rank(one, rank) for one in (a, b))
    sizes = [shape_of(a), shape_of(b)]
    ones = shapes.reshape(sizes[0], [-1]) * 0 + 1
    apart = reshape(stacked([sizes[0], ones], 1), [-1]), reshape(stacked([ones, sizes[1]], 1), [-1])
    factors = reshape(a, apart[0]), reshape(b, apart[1])
    product = factors[0] & factors[1] if a.dtype.is_bool else multiply(*factors)
    return reshape(product, sizes[0] * sizes[1])


def _with_rank(x: Any, rank: int) -> Any:
    missing = rank - x.shape.rank
    return reshape(x, concat([[1] * missing, shape_of(x)], 0)) if missing else x


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum of products along axes of `a` and of `b`.

    axes: how many: the last of `a`, the first of `b`; or the axes of each, in two lists.

    The result has the other axes of `a`, then those of `b`, and the dtype that both promote to.

    >>> tf.experimental.numpy.tensordot([[1, 2], [3, 4]], [1, 1], axes=1).numpy()
    array([3, 7])

    Raises:
        InvalidArgumentError: these axes have not one size (ValueError in a trace).
    """
    a, b = as_arrays(a, b)
    return contraction.tensordot(a, b, axes)


def einsum(subscripts: str, *operands: Any, **kwargs: Any) -> Any:
    """The sum of products that `subscripts` describes, as in "ij,jk->ik".

    operands: an array for each part before the arrow; they take the dtype that they share. kwargs:
    `optimize`, `casting` and `order`, which change nothing here.

    >>> tf.experimental.numpy.einsum("ij->ji", [[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]])

    Raises:
        ValueError: the subscripts do not fit the operands.
    """
    return sums.einsum(subscripts, *as_arrays(*operands))


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    """The cross products of vectors of three numbers; one of two has 0 as its third.

    axisa, axisb: along which axis they lie; axisc: where those of the result do. axis: all three.
    Of two vectors of two numbers it is the third number alone.

    >>> tf.experimental.numpy.cross([1, 2, 3], [4, 5, 6]).numpy()
    array([-3,  6, -3])

    Raises:
        ValueError: vectors have neither two nor three numbers.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = as_arrays(a, b)
    a, b = (
        moveaxis(one, from_the_front(place, known_rank(one, "cross")), -1)
        for one, place in ((a, axisa), (b, axisb))
    )
    for one in (a, b):
        if one.shape[-1] not in (2, 3, None):
            raise ValueError(f"cross: vectors have two or three numbers, got shape {one.shape}")
    first, second = _numbers(a), _numbers(b)
    z = first[0] * second[1] - first[1] * second[0]
    counts = {a.shape[-1], b.shape[-1]}
    if counts == {2}:
        return z
    zero = z - z
    third = [one[2] if len(one) == 3 else zero for one in (first, second)]
    x = first[1] * third[1] - third[0] * second[1]
    y = third[0] * second[0] - first[0] * third[1]
    found = stacked([x + zero, y + zero, z], -1)
    if None not in counts or 3 in counts:
        return moveaxis(found, -1, axisc)
    most = maximum(shape_of(a)[-1], shape_of(b)[-1])
    return _third_alone(found, axisc, cast(equal(most, 2), dtypes.int32))


def _third_alone(found: Any, axis: Any, is_so: Any) -> Any:
    """Products [..., 3] with these numbers along `axis`; or, if `is_so`, the third without it."""
    place = from_the_front(axis, known_rank(found, "cross"))
    moved = moveaxis(found[..., 2 * is_so :], -1, place)
    sizes = shape_of(moved)
    kept = sizes[place : place + 1][: 1 - is_so]
    return reshape(moved, concat([sizes[:place], kept, sizes[place + 1 :]], 0))


def _numbers(x: Any) -> list[Any]:
    """Two or three; three where it is unknown, the last of which is then 0 if it is not there."""
    count = x.shape[-1]
    if count is not None:
        return [x[..., k] for k in range(count)]
    assert_less_equal(shape_of(x)[-1], 3, message="cross: vectors have two or three numbers")
    return [x[..., 0], x[..., 1], reduce_sum(x[..., 2:3], -1)]


def polyval(p: Any, x: Any) -> Any:
    """The polynomial with the coefficients `p`, the highest first, at `x`.

    p: coefficients along the first axis.

    The result has the shape of `x`, and the dtype that both promote to.

    >>> tf.experimental.numpy.polyval([1, 0, 2], [1, 2]).numpy()
    array([3, 6])

    Raises:
        TypeError: the dtypes have none in common.
        ValueError: an operand is nothing that an array can hold.
    """
    p, x = as_arrays(p, x)
    if p.shape.rank == 0:
        p = reshape(p, [1])
    count = p.shape[0]
    if count is None:
        return foldl(lambda value, one: value * x + one, p, zeros_like(p[0] + x))
    value = p[0] + zeros_like(x) if count else zeros_like(x)
    for k in range(1, count):
        value = value * x + p[k]
    return value
