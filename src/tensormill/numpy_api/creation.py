"""Arrays from nothing, from numbers, and from one another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import dtypes
from ..core.values import TensorLike
from ..ops.array import fill
from ..ops.array.broadcasting import broadcast_to
from ..ops.array.concatenation import concat
from ..ops.array.grids import linspace as evenly_spaced
from ..ops.array.select import where
from ..ops.array.shapes import rank as rank_of_tensor
from ..ops.array.shapes import reshape, shape_of
from ..ops.control.flow import identity as passed_on
from ..ops.conversion import as_tensor, known_rank, static_value
from ..ops.math.arithmetic import maximum
from ..ops.math.cast import cast
from ..ops.math.power import power
from .axes import moveaxis
from .elementwise import log10
from .promotion import as_array, as_arrays, common_dtype, dtype_of, keeps_weak
from .sizes import as_shape_vector


def zeros(shape: Any, dtype: Any = float) -> Any:
    """Zeros, of a shape (a size or several) and dtype (float64).

    >>> tf.experimental.numpy.zeros((2, 2)).numpy()
    array([[0., 0.],
           [0., 0.]])

    Raises:
        InvalidArgumentError: a size is negative.
        TypeError: there is no such dtype.
    """
    return fill.zeros(as_shape_vector(shape), _required(dtype))


def ones(shape: Any, dtype: Any = float) -> Any:
    """Ones, of a shape (a size or several) and dtype (float64).

    >>> tf.experimental.numpy.ones(3, dtype=np.int8).numpy()
    array([1, 1, 1], dtype=int8)

    Raises:
        InvalidArgumentError: a size is negative.
        TypeError: there is no such dtype.
    """
    return fill.ones(as_shape_vector(shape), _required(dtype))


def _required(dtype: Any) -> Any:
    if dtype is None:
        raise TypeError("dtype=None: a dtype is wanted, such as float or np.float32")
    return dtype_of(dtype)


def empty(shape: Any, dtype: Any = float) -> Any:
    """What `zeros` makes: no tensor is without values.

    >>> tf.experimental.numpy.empty(2).numpy()
    array([0., 0.])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    return zeros(shape, dtype)


@keeps_weak
def zeros_like(a: Any, dtype: Any = None) -> Any:
    """Zeros of the shape of `a`, and of its dtype unless another one is given.

    >>> tf.experimental.numpy.zeros_like([1, 2]).numpy()
    array([0, 0])

    Raises:
        TypeError: there is no such dtype.
        ValueError: `a` is nothing that an array can hold.
    """
    return fill.zeros_like(as_array(a), None if dtype is None else dtype_of(dtype))


@keeps_weak
def ones_like(a: Any, dtype: Any = None) -> Any:
    """Ones of the shape of `a`, and of its dtype unless another one is given.

    >>> tf.experimental.numpy.ones_like([1.5, 2]).numpy()
    array([1., 1.])

    Raises:
        TypeError: there is no such dtype.
        ValueError: `a` is nothing that an array can hold.
    """
    return fill.ones_like(as_array(a), None if dtype is None else dtype_of(dtype))


def empty_like(a: Any, dtype: Any = None) -> Any:
    """What `zeros_like` makes: no tensor is without values.

    a: anything that is an array to NumPy. dtype: that of the result, which has the shape of `a`.

    >>> tf.experimental.numpy.empty_like([1, 2]).numpy()
    array([0, 0])

    Raises:
        TypeError: there is no such dtype.
        ValueError: `a` is nothing that an array can hold.
    """
    return zeros_like(a, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """`fill_value` broadcast to a shape; its dtype, unless another one is given.

    >>> tf.experimental.numpy.full((2, 2), [1.0, 2.0]).numpy()
    array([[1., 2.],
           [1., 2.]])

    Raises:
        InvalidArgumentError: it does not broadcast to the shape.
    """
    return broadcast_to(as_array(fill_value, dtype), as_shape_vector(shape))


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True,
    shape: Any = None,
) -> Any:  # fmt: skip
    """`fill_value` broadcast to the shape of `a`; of its dtype, unless another one is given.

    >>> tf.experimental.numpy.full_like([1, 2], 3.7).numpy()
    array([3, 3])

    Raises:
        ValueError: `order`, `subok` or `shape` asks for what no tensor has.
    """
    if order != "K" or not subok or shape is not None:
        raise ValueError(
            f"full_like takes order='K', subok=True and shape=None only, got order={order!r}, "
            f"subok={subok!r}, shape={shape!r}; `full` takes a shape"
        )
    a = as_array(a)
    return broadcast_to(as_array(fill_value, a.dtype if dtype is None else dtype), shape_of(a))


def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float) -> Any:
    """Ones on the diagonal `k` (above the main one; below, if negative) of N rows and M columns.

    N, M: numbers; as many columns as rows by default. The other elements are 0.

    >>> tf.experimental.numpy.eye(2, 3, 1).numpy()
    array([[0., 1., 0.],
           [0., 0., 1.]])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    rows, columns = _indices(N, N if M is None else M)
    return cast(columns - rows == as_array(k, np.int64), _required(dtype))


def identity(n: Any, dtype: Any = float) -> Any:
    """A square matrix of n rows: 1 on the diagonal, 0 elsewhere.

    >>> tf.experimental.numpy.identity(2, dtype=int).numpy()
    array([[1, 0],
           [0, 1]])

    Raises:
        InvalidArgumentError: n is negative.
    """
    return eye(n, dtype=dtype)


def tri(N: Any, M: Any = None, k: int = 0, dtype: Any = None) -> Any:
    """Ones on and below the diagonal `k` of N rows and M columns; 0 above. float64 by default.

    >>> tf.experimental.numpy.tri(2, 3, 1).numpy()
    array([[1., 1., 0.],
           [1., 1., 1.]])

    Raises:
        InvalidArgumentError: a size is negative.
    """
    rows, columns = _indices(N, N if M is None else M)
    return cast(columns - rows <= as_array(k, np.int64), dtype_of(dtype or float))


def _indices(rows: Any, columns: Any) -> tuple[Any, Any]:
    """The places 0, 1, ... of rows, as a column, and of columns."""
    counts = fill.ones([as_array(rows, np.int32), as_array(columns, np.int32)], np.int64)
    places = [fill.range(as_array(size, np.int64)) for size in (rows, columns)]
    return reshape(places[0], [-1, 1]) * counts, places[1] * counts


def tril(m: Any, k: int = 0) -> Any:
    """The matrices of `m` with 0 above their diagonal `k`.

    m: any numbers or bools, of two axes or more.

    >>> tf.experimental.numpy.tril([[1, 2], [3, 4]]).numpy()
    array([[1, 0],
           [3, 4]])

    Raises:
        ValueError: `m` has fewer than two axes.
    """
    m = _matrices("tril", m)
    return where(_at_or_below(m, k), m, fill.zeros_like(m))


def triu(m: Any, k: int = 0) -> Any:
    """The matrices of `m` with 0 below their diagonal `k`.

    m: any numbers or bools, of two axes or more.

    >>> tf.experimental.numpy.triu([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [0, 4]])

    Raises:
        ValueError: `m` has fewer than two axes.
    """
    m = _matrices("triu", m)
    return where(_at_or_below(m, k - 1), fill.zeros_like(m), m)


def _matrices(name: str, m: Any) -> Any:
    m = as_array(m)
    if m.shape.rank is not None and m.shape.rank < 2:
        raise ValueError(f"{name} needs at least two axes, got shape {m.shape}")
    return m


def _at_or_below(m: Any, k: Any) -> Any:
    sizes = shape_of(m)
    return tri(sizes[-2], sizes[-1], k, bool)


@keeps_weak
def array(val: Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Any:
    """`val` as a tensor of the dtype that NumPy would give it, or of `dtype`.

    val: numbers, strings, arrays, tensors, and lists of these of one length. Axes of size 1 come
    first where there are fewer than `ndmin`. A tensor is never changed, so `copy` decides only
    whether the result is another object.

    >>> tf.experimental.numpy.array([1, 2.5], ndmin=2)
    <tf.Tensor: shape=(1, 2), dtype=float64, numpy=array([[1. , 2.5]])>

    Raises:
        ValueError: no tensor can hold the value.
    """
    tensor = as_array(val, dtype)
    if copy and tensor is val:
        tensor = passed_on(tensor)
    known = tensor.shape.rank
    if not ndmin or (known is not None and known >= ndmin):
        return tensor
    missing = maximum(ndmin - (rank_of_tensor(tensor) if known is None else known), 0)
    return reshape(tensor, concat([fill.ones([missing], np.int32), shape_of(tensor)], 0))


@keeps_weak
def asarray(a: Any, dtype: Any = None) -> Any:
    """`a` as a tensor of the dtype that NumPy would give it, or of `dtype`; a tensor as it is.

    >>> tf.experimental.numpy.asarray([1, 2])
    <tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>

    Raises:
        ValueError: no tensor can hold the value.
    """
    return array(a, dtype, copy=False)


@keeps_weak
def asanyarray(a: Any, dtype: Any = None) -> Any:
    """What `asarray` makes.

    a: of any shape and dtype, which it keeps unless `dtype` is another one.

    >>> tf.experimental.numpy.asanyarray(1.5).numpy().dtype
    dtype('float64')

    Raises:
        ValueError: no tensor can hold the value.
    """
    return asarray(a, dtype)


@keeps_weak
def ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    """What `asarray` makes, of at least one axis.

    It keeps its dtype unless `dtype` is another one.

    >>> tf.experimental.numpy.ascontiguousarray(5).numpy()
    array([5])

    Raises:
        ValueError: no tensor can hold the value.
    """
    return array(a, dtype, ndmin=1)


@keeps_weak
def copy(a: Any) -> Any:
    """`a` as a tensor of its own.

    a: anything that is an array to NumPy; the result has its shape and dtype.

    >>> tf.experimental.numpy.copy([1, 2]).numpy()
    array([1, 2])

    Raises:
        ValueError: no tensor can hold the value.
    """
    return array(a)


@keeps_weak
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """`start`, `start + step`, ..., up to `stop` but without it; from 0 if only one is given.

    The dtype is the one that they share, unless another one is given.

    >>> tf.experimental.numpy.arange(1, 3, 0.5).numpy()
    array([1. , 1.5, 2. , 2.5])

    Raises:
        ValueError: `step` is 0.
        TypeError: a bound is complex.
    """
    if stop is None:
        start, stop = 0, start
    if not isinstance(step, TensorLike) and step == 0:
        raise ValueError("arange: step is 0")
    shared = common_dtype(start, stop, step)
    if shared.is_complex:
        raise TypeError(f"arange: there is no order of complex numbers: {start!r}, {stop!r}")
    counting = shared if shared.name in COUNTED else dtype_of(float if shared.is_floating else int)
    bounds = [cast(one, counting) for one in as_arrays(start, stop, step)]
    if not isinstance(step, TensorLike) and _is_apart(*bounds):
        bounds[1] = bounds[0]
    return cast(
        fill.range(bounds[0], bounds[1], bounds[2]), shared if dtype is None else dtype_of(dtype)
    )


# Of which `tf.range` makes numbers.
COUNTED = ("int32", "int64", "float32", "float64")


def _is_apart(start: Any, stop: Any, step: Any) -> bool:
    """Whether steps lead away from the end, as far as that is known."""
    known = [one for one in map(static_value, (start, stop, step)) if one is not None]
    return len(known) == 3 and bool((known[1] - known[0]) * known[2] <= 0)


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: Any = float, axis: int = 0,
) -> Any:  # fmt: skip
    """`num` numbers at equal distances, from `start` to `stop` (itself only with an `endpoint`).

    start, stop: numbers that broadcast; the new axis becomes `axis`. The result is of floats: of
    theirs, unless a `dtype` is given. With `retstep` the distance is returned, too.

    >>> tf.experimental.numpy.linspace(0, 1, 5).numpy()
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])

    Raises:
        ValueError: `num` is negative.
    """
    if num < 0:
        raise ValueError(f"linspace: num={num} is negative")
    first, last = _bounds(start, stop)
    places = num - 1 if endpoint else num
    distance = (last - first) / cast(max(places, 1) if places else np.nan, first.dtype)
    last = last if endpoint else last - distance
    if num > 1 and not first.dtype.is_complex:
        found = evenly_spaced(first, last, num, axis=axis)
    else:
        spaced = _spaced(first, last, num)
        found = moveaxis(spaced, 0, axis) if axis else spaced
    found = _of_dtype(found, dtype)
    return (found, distance) if retstep else found


def _bounds(start: Any, stop: Any) -> list[Any]:
    """Both as floats of one dtype and shape."""
    first, last = as_arrays(start, stop)
    if not (first.dtype.is_floating or first.dtype.is_complex):
        shared = common_dtype(0.0)
        first, last = cast(first, shared), cast(last, shared)
    return [first + fill.zeros_like(last), last + fill.zeros_like(first)]


def _spaced(first: Any, last: Any, num: int) -> Any:
    """Numbers along a new axis in front; none or one of them, or complex ones, too."""
    ahead = cast(np.arange(num) / max(num - 1, 1), first.dtype)
    ahead = reshape(ahead, [num] + [1] * known_rank(first, "linspace"))
    return first + (last - first) * ahead


def _of_dtype(found: Any, dtype: Any) -> Any:
    """Floats as they are, unless another dtype is given than Python's float, which says nothing."""
    return found if dtype is None or dtype is float else cast(found, dtype_of(dtype))


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """`base` to the powers `linspace(start, stop, num, endpoint)`.

    start, stop: scalars, or arrays that broadcast; the result has `num` elements along `axis`,
    floats unless `dtype` says otherwise.

    >>> tf.experimental.numpy.logspace(0, 2, 3).numpy()
    array([  1.,  10., 100.])

    Raises:
        ValueError: `num` is negative.
    """
    powers = linspace(start, stop, num, endpoint, axis=axis)
    return _of_dtype(power(as_array(base, powers.dtype), powers), dtype)


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    """`num` numbers at equal ratios, from `start` to `stop` (itself only with an `endpoint`).

    start, stop: numbers of one sign that broadcast; the new axis becomes `axis`.

    >>> tf.experimental.numpy.geomspace(1, 100, 3).numpy()
    array([  1.,  10., 100.])

    Raises:
        ValueError: `num` is negative.
    """
    first, last = _bounds(as_array(start), as_array(stop))
    ten = as_array(10.0)
    if first.dtype in (dtypes.float16, dtypes.float32):
        first, last = cast(first, ten.dtype), cast(last, ten.dtype)
    powers = linspace(fill.zeros_like(first), log10(last / first), num, endpoint, axis=axis)
    base = reshape(first, _with_axis(first, axis))
    found = base * power(cast(ten, powers.dtype), powers)
    return _of_dtype(found, dtype)


def _with_axis(x: Any, axis: int) -> Any:
    """The shape of `x` with a size 1 more, which becomes `axis`."""
    place = axis % (known_rank(x, "geomspace") + 1)
    sizes = shape_of(x)
    return concat([sizes[:place], [1], sizes[place:]], 0)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """A row of powers for each element of a vector: N of them, from the highest to 1.

    With `increasing` they begin with 1. As many as there are elements by default.

    The result has the dtype of `x`.

    >>> tf.experimental.numpy.vander([2, 3], 3).numpy()
    array([[4, 2, 1],
           [9, 3, 1]])

    Raises:
        ValueError: `x` is no vector, or N is negative.
    """
    x = as_array(x)
    if x.shape.rank not in (1, None):
        raise ValueError(f"vander needs a vector, got shape {x.shape}")
    if N is not None and N < 0:
        raise ValueError(f"vander: N={N} is negative")
    count = shape_of(x)[0] if N is None else as_tensor(N, dtype_of(np.int32))
    exponents = fill.range(count)
    exponents = exponents if increasing else count - 1 - exponents
    wide = cast(x, dtype_of(np.int64)) if x.dtype.is_integer or x.dtype.is_bool else x
    return cast(power(reshape(wide, [-1, 1]), cast(exponents, wide.dtype)), x.dtype)
