"""Norms, and tensors clipped by value or by norm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as numpy_module

from ...core import dtypes
from ...core.native_operations import MANY, SLOW
from ...core.shapes import broadcast_shapes
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, KnownShapeError
from ..array.broadcasting import unbroadcast
from ..array.concatenation import concat
from ..array.fill import ones_like, zeros_like
from ..array.fill import range as range_tensor
from ..array.indexed_slices import IndexedSlices
from ..array.select import boolean_mask, where
from ..bind import bind
from ..composed import composed
from ..control.flow import identity
from ..conversion import as_tensor, as_tensors
from ..dispatch.meanings import dispatchable
from ..families import normalize_axis
from ..op import NUMBERS, In, Op, Out
from .arithmetic import maximum, minimum, multiply, square
from .cast import cast
from .comparison import equal, greater, is_finite, less, logical_not
from .complex import complex as complex_of
from .complex import conj, imag, real
from .elementwise import rsqrt, sqrt
from .reduce import reduce_any, reduce_max, reduce_sum
from .signs import abs

if TYPE_CHECKING:
    from ..results import Tensor


@dispatchable
@composed("norm")
def norm(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A norm of vectors (`axis` is an int, or None: all elements), or of matrices (two axes).

    tensor: floats or complex numbers of any shape. ord: "euclidean", 1, 2, inf; for matrices also
    "fro"; for vectors any positive number. The norm 2 of a matrix is its largest singular value.
    The axes go, unless `keepdims`.

    >>> tf.norm([[3.0, 4.0], [-5.0, 12.0]], axis=1).numpy()
    array([ 5., 13.], dtype=float32)
    >>> tf.norm([[3.0, 4.0], [-5.0, 12.0]], ord=1, axis=1).numpy()
    array([ 7., 17.], dtype=float32)

    Raises:
        ValueError: there is no such norm, or more than two axes.
        DTypeMismatchError: an integer tensor, where a root is taken.
    """
    x, keep = as_tensor(tensor), bool(keepdims)
    is_matrix = isinstance(axis, (list, tuple)) and len(axis) == 2
    if isinstance(axis, (list, tuple)) and not is_matrix and len(axis) != 1:
        raise ValueError(
            f"a norm is of vectors, along one axis, or of matrices, along two: not {axis}"
        )
    allowed = ("euclidean", "fro", 1, 2, numpy_module.inf) if is_matrix else ("euclidean",)
    positive = not is_matrix and not isinstance(ord, str) and ord > 0
    if ord not in allowed and not positive:
        kind = "matrix" if is_matrix else "vector"
        raise ValueError(f"'ord' must be a supported {kind} norm, got {ord}")
    if is_matrix and ord in (1, numpy_module.inf):
        return _matrix_norm(x, ord, axis, keep)
    if is_matrix and ord == 2:
        return _spectral_norm(x, ord, axis, keep)
    if ord in ("euclidean", "fro", 2):
        squares = x * conj(x) if x.dtype.is_complex else square(x)
        return sqrt(reduce_sum(squares, axis, keep), name=name)
    if ord == 1:
        return reduce_sum(abs(x), axis, keep)
    if ord == numpy_module.inf:
        return reduce_max(abs(x), axis, keep)
    return reduce_sum(abs(x) ** ord, axis, keep) ** (1.0 / float(ord))


def _matrix_norm(x: Any, ord: Any, axis: Any, keep: bool) -> Any:
    from ..array.shapes import squeeze

    if x.shape.rank is None:
        return _folded_norm(_matrix_norm, x, ord, axis, keep)
    rank = x.shape.rank
    rows, columns = (normalize_axis(k, rank, "norm") for k in axis)
    inner, outer = (rows, columns) if ord == 1 else (columns, rows)
    result = reduce_max(reduce_sum(abs(x), inner, True), outer, True)
    return result if keep else squeeze(result, [rows, columns])


def _folded_norm(function: Any, x: Any, ord: Any, axis: Any, keep: bool) -> Any:
    """A norm of matrices where only a run knows which axes are not theirs: those are one axis."""
    from ..array.folded_axes import innermost
    from ..array.rearrangement import invert_permutation, transpose
    from ..array.shapes import rank, reshape, shape_of

    count = rank(x)
    axes = range_tensor(count)
    own = as_tensor(axis, dtypes.int32) % count
    is_own = reduce_any(equal(axes[:, None], own), 1)
    order = concat([boolean_mask(axes, logical_not(is_own)), own], 0)
    moved = transpose(x, order)
    found = innermost(moved, 2, lambda folded: function(folded, ord, [1, 2], True))
    kept = transpose(found, invert_permutation(order))
    if keep:
        return kept
    return reshape(kept, boolean_mask(shape_of(kept), logical_not(is_own)))


def _spectral_norm(x: Any, ord: Any, axis: Any, keep: bool) -> Any:
    from ..array.rearrangement import transpose
    from ..array.shapes import expand_dims
    from ..linalg.eigenvalues import svd

    if x.shape.rank is None:
        return _folded_norm(_spectral_norm, x, ord, axis, keep)
    rank = x.shape.rank
    inner = sorted(normalize_axis(k, rank, "norm") for k in axis)
    order = [*(k for k in range(rank) if k not in inner), *inner]
    result = reduce_max(svd(transpose(x, order), compute_uv=False), -1)
    for k in inner if keep else ():
        result = expand_dims(result, k)
    return result


@dispatchable
@composed("l2_normalize", names_result=True)
def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None
) -> Tensor:
    """x / sqrt(max(sum(x x), epsilon)) along `axis`.

    x: floats or complex numbers; the result has its shape and dtype. axis: an int, several, or
    None: all. dim: an older name of it. What is shorter than sqrt(epsilon) does not reach length 1.

    >>> tf.math.l2_normalize([[3.0, 4.0], [0.0, 0.0]], axis=1).numpy().round(3)
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)

    Raises:
        DTypeMismatchError: an integer tensor.
        InvalidArgumentError: an axis does not exist, or is named twice.
    """
    x, axis = as_tensor(x), dim if axis is None else axis
    if x.dtype.is_complex:
        total = cast(reduce_sum(x * conj(x), axis, keepdims=True), x.dtype.real_dtype)
        return x * cast(rsqrt(maximum(total, epsilon)), x.dtype)
    total = reduce_sum(square(x), axis, keepdims=True)
    return multiply(x, rsqrt(maximum(total, epsilon)), name=name)


@dispatchable
def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """`tensor` divided by its norm, and that norm with its axes kept.

    tensor: floats or complex numbers of any shape. ord, axis: as `tf.norm` takes them. Zeros
    divided by their norm are NaN.

    >>> unit, length = tf.linalg.normalize([[3.0, 4.0], [0.0, 2.0]], axis=1)
    >>> unit.numpy().round(3)
    array([[0.6, 0.8],
           [0. , 1. ]], dtype=float32)
    >>> length.shape
    TensorShape([2, 1])

    Raises:
        ValueError: there is no such norm.
        DTypeMismatchError: an integer tensor, where a root is taken.
    """
    tensor = as_tensor(tensor)
    length = cast(norm(tensor, ord, axis, True), tensor.dtype)
    return tensor / length, length


class ClipByValue(Op):
    """min(max(t, clip_value_min), clip_value_max); the limits are numbers, or of the shape of t.

    Of complex numbers, both parts are clipped.
    """

    native_from = MANY

    t = In("T ...")
    clip_value_min = In("T ...")
    clip_value_max = In("T ...")
    output = Out("T ...")
    T = NUMBERS

    def demands(self, sizes: Any) -> None:
        shape = sizes.shape(self.t)
        for limit in (self.clip_value_min, self.clip_value_max):
            limits = sizes.shape(limit)
            if limits:
                fits = sizes.are_same(limits, shape)
                sizes.require_late(fits, InvalidArgumentError, NO_LIMITS, limits, shape)

    def infer(self) -> Any:
        return TensorSpec(self.t.shape, self.t.dtype)

    def expand(self) -> Any:
        t, low, high = self.t, self.clip_value_min, self.clip_value_max
        if not t.dtype.is_complex:
            return maximum(minimum(t, high), low)
        parts = (maximum(minimum(of(t), of(high)), of(low)) for of in (real, imag))
        return complex_of(*parts)

    def vjp(self, doutput: Any) -> Any:
        """The gradient goes to whichever of the three the output is; a tie goes to `t`."""
        t, low, high = self.t, self.clip_value_min, self.clip_value_max
        none = zeros_like(doutput)
        is_low, is_high = less(t, low), greater(t, high)

        def dt() -> Any:
            return where(is_low, none, where(is_high, none, doutput))

        def dhigh() -> Any:
            return where(is_low, none, where(is_high, doutput, none))

        return (
            lambda: unbroadcast(dt(), t, low, high),
            lambda: unbroadcast(where(is_low, doutput, none), low, t, high),
            lambda: unbroadcast(dhigh(), high, t, low),
        )


NO_LIMITS = "ClipByValue: limits of shape {} are neither numbers nor of the shape {} of the input"


@dispatchable(elements=1)
def clip_by_value(
    t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None
) -> Tensor:
    """`t` with elements outside of the two limits moved to them. IndexedSlices stay sliced.

    t: real numbers. The limits are of its dtype and broadcast to its shape, which the result has.
    Of limits that cross, the lower one wins.

    >>> tf.clip_by_value([-3, 0, 7], -1, 5).numpy()
    array([-1,  0,  5], dtype=int32)

    Raises:
        KnownShapeError (a ValueError): a limit does not broadcast to the shape of `t`.
        DTypeMismatchError: the dtypes differ, or are complex, bool or string.
    """
    if isinstance(t, IndexedSlices):
        clipped = clip_by_value(t.values, clip_value_min, clip_value_max, name)
        sliced: Any = IndexedSlices(clipped, t.indices, t.dense_shape)
        return sliced
    t, low, high = as_tensors(t, clip_value_min, clip_value_max)
    for limit in (low, high):
        if not broadcast_shapes(t.shape, limit.shape).is_compatible_with(t.shape):
            raise KnownShapeError(
                f"a limit of shape {limit.shape} does not broadcast to the shape {t.shape}"
            )
    if low.shape.rank == high.shape.rank == 0 and not t.dtype.is_complex:
        return bind(ClipByValue, t, low, high, name=name or "clip_by_value")
    return _clipped(t, low, high, name)


@composed("clip_by_value", names_result=True)
def _clipped(t: Any, low: Any, high: Any, name: str | None) -> Tensor:
    return maximum(minimum(t, high), low, name=name)


@dispatchable
@composed("clip_by_norm", names_result=True)
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """`t` scaled down where its L2 norm along `axes` (all) is above `clip_norm`.

    t: floats, or IndexedSlices of them; the result has its shape. clip_norm: a number, or a tensor
    that broadcasts to the norms; a negative one is 0.

    >>> tf.clip_by_norm([[3.0, 4.0], [0.0, 1.0]], 2.5, axes=[1]).numpy()
    array([[1.5, 2. ],
           [0. , 1. ]], dtype=float32)

    Raises:
        DTypeMismatchError: an integer tensor.
    """
    if isinstance(t, IndexedSlices):
        clipped = clip_by_norm(t.values, clip_norm, axes)
        sliced: Any = IndexedSlices(clipped, t.indices, t.dense_shape)
        return sliced
    t = as_tensor(t)
    total = reduce_sum(square(t), axes, keepdims=True)
    some = greater(total, 0)
    length = where(some, sqrt(where(some, total, ones_like(total))), total)
    limit = as_tensor(clip_norm, None if isinstance(clip_norm, TensorLike) else t.dtype)
    limit = maximum(limit, zeros_like(limit))
    return identity((t * limit) / maximum(length, limit), name=name)


class L2Loss(Op):
    """Half the sum of squares, as a scalar."""

    t = In("T ...")
    output = Out("T")
    T = frozenset(dtype for dtype in NUMBERS if dtype.is_floating)
    native_from = SLOW

    def expand(self) -> Any:
        return reduce_sum(square(self.t)) * 0.5

    def vjp(self, doutput: Any) -> Any:
        return self.t * doutput


@dispatchable
def l2_loss(t: Any, name: str | None = None) -> Any:
    """Half the sum of squares, as a scalar.

    t: floats of any shape; the result has its dtype.

    >>> float(tf.nn.l2_loss([3.0, 4.0]))
    12.5

    Raises:
        DTypeMismatchError: a tensor of another dtype.
    """
    return bind(L2Loss, t, name=name)


@dispatchable
@composed("global_norm")
def global_norm(t_list: Any, name: str | None = None) -> Any:
    """The L2 norm of all tensors of a list together; None entries are left out.

    t_list: floats of one dtype and any shapes, or IndexedSlices of them. The result is a scalar;
    0.0 for a list of none.

    >>> float(tf.linalg.global_norm([[3.0], None, [[0.0, 4.0]]]))
    5.0

    Raises:
        DTypeMismatchError: the dtypes differ, or are not floats.
    """
    losses = [l2_loss(_values(t)) for t in t_list if t is not None]
    if not losses:
        return as_tensor(0.0)
    from .sums import add_n

    return sqrt(add_n(losses) * 2.0, name="global_norm")


def _values(t: Any) -> Any:
    return t.values if isinstance(t, IndexedSlices) else as_tensor(t)


@dispatchable
def clip_by_global_norm(
    t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Any]:
    """All tensors of a list scaled by one factor: their norm together is at most `clip_norm`.

    t_list: floats of any shapes, IndexedSlices of them, and None, which stays. Returns the list,
    and the norm before (`use_norm`, where given). An infinite norm makes NaNs.

    >>> clipped, norm = tf.clip_by_global_norm([[3.0], [0.0, 4.0]], 2.5)
    >>> [t.numpy().tolist() for t in clipped], float(norm)
    ([[1.5], [0.0, 2.0]], 5.0)

    Raises:
        TypeError: `t_list` is no list.
    """
    if not isinstance(t_list, (list, tuple)):
        raise TypeError("`t_list` should be a sequence.")
    length = global_norm(t_list, name=name) if use_norm is None else as_tensor(use_norm)
    return _scaled_alike(t_list, length, clip_norm, name=name), length


@composed("clip_by_global_norm", names_result=True)
def _scaled_alike(t_list: Any, length: Any, clip_norm: Any, name: str | None = None) -> list[Any]:
    """Each tensor scaled by what brings the norm of all down; it is called by its place."""
    limit = as_tensor(clip_norm, None if isinstance(clip_norm, TensorLike) else length.dtype)
    scale = limit * minimum(1.0 / length, 1.0 / limit)
    scale = where(is_finite(length), scale, as_tensor(float("nan"), length.dtype))
    scope = (name or "").rpartition("/")[0].rpartition("/")[2]

    def scaled(place: int, t: Any) -> Any:
        dense = _values(t)
        clipped = identity(dense * cast(scale, dense.dtype), name=f"{scope}/_{place}")
        if isinstance(t, IndexedSlices):
            return IndexedSlices(clipped, t.indices, t.dense_shape)
        return clipped

    return [None if t is None else scaled(place, t) for place, t in enumerate(t_list)]
