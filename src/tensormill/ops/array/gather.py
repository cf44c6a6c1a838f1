"""Elements and slices picked by index."""

from __future__ import annotations

from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..in_xla.places import scattered_at, slices_at, slices_at_nd
from ..op import ANY, INDEX, NUMBERS, Attr, In, Moves, Op, Out, types
from ..origins import Origin
from .indexed_slices import IndexedSlices

if TYPE_CHECKING:
    from ..results import Tensor

PLACES = types("i16 i32 i64")


def demand_places(sizes: Any, indices: Any, size: Any) -> None:
    """Indices lie within 0 .. size - 1."""
    message = "indices{at} = {it} is not in [0, {})"
    sizes.each(
        indices, lambda place: (place >= 0) & (place < size), InvalidArgumentError, message, size
    )


class GatherV2(Op):
    """The slices of `params` along `axis` that `indices` name.

    The result has the shape params[:axis] + indices[batch_dims:] + params[axis + 1:]; the first
    `batch_dims` axes of both operands go together.

    Raises:
        InvalidArgumentError: an index is out of range.
    """

    moves = Moves.ELEMENTS
    params = In("Tparams ...")
    indices = In("Tindices ...")
    axis = In("Taxis")
    output = Out("Tparams ...")
    batch_dims = Attr(0)
    Tparams = ANY
    Tindices = PLACES
    Taxis = INDEX

    def demands(self, sizes: Any) -> tuple[int, int]:
        """The axis, and how many axes go together, both counted from the front."""
        params, indices = sizes.shape(self.params), sizes.shape(self.indices)
        together = self.together(sizes, len(indices)) if self.batch_dims else 0
        rank = len(params)
        if rank == 0:
            refuse(InvalidArgumentError, SCALAR_PARAMS)
        axis = sizes.static(self.axis)
        if not -rank <= axis < rank:
            refuse(InvalidArgumentError, NO_AXIS, axis + 1 if axis >= 0 else -axis, rank, axis)
        where = axis % rank
        if together:
            fits = together <= where
            sizes.require_late(fits, InvalidArgumentError, BEHIND_AXIS, together, where)
            first, other = params[:together], indices[:together]
            sizes.alike(first, other, ShapeMismatchError, UNLIKE_BATCH, together)
        demand_places(sizes, self.indices, params[where])
        return where, together

    def together(self, sizes: Any, rank: int) -> int:
        """How many axes go together, for indices of `rank`."""
        given = self.batch_dims
        sizes.require(-rank <= given <= rank, InvalidArgumentError, WRONG_BATCH, -rank, rank, given)
        return given + rank if given < 0 else given

    def infer(self) -> TensorSpec:
        params, indices = self.params.shape.entries, self.indices.shape.entries
        if params is None or indices is None:
            return TensorSpec(None, self.params.dtype)
        if self.found is None:  # the axis is not known
            together = self.batch_dims + (len(indices) if self.batch_dims < 0 else 0)
            rank = len(params) + len(indices) - 1 - together
            return TensorSpec((None,) * rank, self.params.dtype)
        where, together = self.found
        common = TensorShape(params[:together]).merge_with(indices[:together]).entries or ()
        dims = (*common, *params[together:where], *indices[together:], *params[where + 1 :])
        return TensorSpec(dims, self.params.dtype)

    def eager(self, np: Any) -> Any:
        params, indices, (where, together) = self.params, self.indices, self.found
        if together == 0:
            return np.take(params, indices, where)
        return params[picked(np, params, indices, where, together)]

    def xla(self, xla: Any) -> Any:
        return slices_at(xla, self.params, self.indices, *self.found)

    def lower(self, loops: Any) -> Any:
        params, indices = self.params, self.indices
        where, together = self.found
        inner = indices.rank - together

        def element(*index: Any) -> Any:
            chosen = indices[[*index[:together], *index[where : where + inner]]]
            row = loops.scalars.cast(chosen, dtypes.int64)
            return params[[*index[:where], row, *index[where + inner :]]]

        shape = [
            *params.shape[:where], *indices.shape[together:], *params.shape[where + 1 :]
        ]  # fmt: skip
        return loops.map(shape, params.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from .shapes import reshape, shape_of

        axis = static_value(self.axis)
        sizes_of_params = shape_of(self.params)
        if axis is not None and int(axis) == 0 and self.batch_dims == 0:
            from .concatenation import concat

            rows = reshape(self.indices, [-1])
            shape = concat([shape_of(rows), sizes_of_params[1:]], 0)
            return IndexedSlices(reshape(doutput, shape), rows, sizes_of_params), None, None
        operands = (doutput, self.indices, self.axis, sizes_of_params)
        return bind(GatherGrad, *operands, batch_dims=self.batch_dims), None, None


SCALAR_PARAMS = "GatherV2: params must be at least 1 dimensional"
NO_AXIS = "GatherV2: Shape must be at least rank {} but is rank {} (axis {} of params)"
WRONG_BATCH = "GatherV2: Expected batch_dims in the range [{}, {}], but got {}"
BEHIND_AXIS = "GatherV2: batch_dims ({}) must be less than or equal to axis ({})"
UNLIKE_BATCH = "GatherV2: params.shape[:{0}]: {1} should be equal to indices.shape[:{0}]: {2}"


def picked(np: Any, params: Any, indices: Any, axis: int, together: int) -> tuple[Any, ...]:
    """The index with which NumPy gathers, or scatters, these slices of `params`."""
    inner = indices.ndim - together
    total = axis + inner
    index: list[Any] = []
    for k in range(axis):
        shape = [1] * total
        shape[k] = params.shape[k]
        index.append(np.arange(params.shape[k]).reshape(shape))
    spread = indices.shape[:together] + (1,) * (axis - together) + indices.shape[together:]
    return (*index, indices.reshape(spread))


UNLIKE_TAKEN = "GatherGrad: Dimensions must be equal, but are {} and {}"


class GatherGrad(Op):
    """`gradient` added into zeros of `shape`, where GatherV2 took the slices: its transpose.

    Our own operation: TensorFlow composes it of transpositions and a segment sum.
    """

    gradient = In("T ...")
    indices = In("Tindices ...")
    axis = In("Taxis")
    shape = In("Tshape n")
    output = Out("T ...")
    batch_dims = Attr(0)
    origin = Origin.GRAPHS
    T = NUMBERS
    Tindices = PLACES
    Taxis = INDEX
    Tshape = INDEX

    def demands(self, sizes: Any) -> Any:
        """The axis, and how many axes go together, counted from the front; the shape."""
        shape = sizes.numbers(self.shape)
        sizes.possible(shape)
        gradient, indices = sizes.shape(self.gradient), sizes.shape(self.indices)
        axis = sizes.static(self.axis) % len(shape)
        together = self.batch_dims % len(indices) if self.batch_dims < 0 else self.batch_dims
        taken = (*shape[:axis], *indices[together:], *shape[axis + 1 :])
        sizes.alike(gradient, taken, ShapeMismatchError, UNLIKE_TAKEN)
        sizes.alike(indices[:together], shape[:together], ShapeMismatchError, UNLIKE_TAKEN)
        demand_places(sizes, self.indices, shape[axis])
        return axis, together, shape

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.gradient.dtype)

    def eager(self, np: Any) -> Any:
        axis, together, shape = self.found
        whole = np.zeros(shape, self.gradient.dtype)
        np.add.at(whole, picked(np, whole, self.indices, axis, together), self.gradient)
        return whole

    def xla(self, xla: Any) -> Any:
        axis, together, shape = self.found
        whole = xla.np.zeros(tuple(map(xla.fixed, shape)), self.gradient.dtype)
        return scattered_at(xla, "add", whole, self.indices, self.gradient, axis, together)

    def lower(self, loops: Any) -> Any:
        gradient, indices, (axis, together, shape) = self.gradient, self.indices, self.found
        inner = indices.rank - together
        zero = loops.constant(0, gradient.dtype)

        def position(*index: Any) -> Any:
            chosen = indices[[*index[:together], *index[axis : axis + inner]]]
            row = loops.scalars.cast(chosen, dtypes.int64)
            return [*index[:axis], row, *index[axis + inner :]]

        target = loops.map(shape, gradient.dtype, lambda *index: zero)
        return loops.scatter(
            "add", target, gradient.shape, position, lambda *index: gradient[index]
        )

    def vjp(self, doutput: Any) -> Any:
        back = bind(GatherV2, doutput, self.indices, self.axis, batch_dims=self.batch_dims)
        return back, None, None, None


@dispatchable
def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of `params` along `axis` (`batch_dims`, by default) that `indices` name.

    params: [..., n, ...], any dtype. indices: int16, int32 or int64 of any shape. The result has
    the shape params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]; the first
    `batch_dims` axes of both go together. The gradient with respect to `params` is IndexedSlices
    where `axis` is 0.

    >>> tf.gather([[1, 2, 3], [4, 5, 6]], [2, 0], axis=1).numpy()
    array([[3, 1],
           [6, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: an index is outside of [0, n), or there is no such axis.
    """
    axis = batch_dims if axis is None else axis
    of_variable = getattr(params, "sparse_read", None)
    if (
        of_variable is not None
        and hasattr(params, "handle")  # a user's class may say its value alone
        and batch_dims == 0
        and not isinstance(axis, TensorLike)
        and axis == 0
    ):
        return of_variable(indices, name=name)
    return bind(GatherV2, params, indices, axis, batch_dims=batch_dims, name=name)


def gather_densely(params: Any, indices: Any, axis: Any = 0, name: str | None = None) -> Any:
    """`gather` for functions whose gradient is a tensor, and nobody's IndexedSlices."""
    from .shapes import reshape, shape_of

    return gather(reshape(params, shape_of(params)), indices, axis=axis, name=name)


class GatherNd(Op):
    """The slices of `params` at `indices` [..., k], each the index of k axes.

    Raises:
        InvalidArgumentError: an index is out of range.
    """

    moves = Moves.ELEMENTS
    params = In("Tparams ...")
    indices = In("Tindices *s k")
    output = Out("Tparams ...")
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    Tparams = ANY
    Tindices = PLACES

    def demands(self, sizes: Any) -> int:
        """Of how many axes an index speaks."""
        indices = sizes.shape(self.indices)
        message = "GatherNd: indices must be at least a vector"
        sizes.require(len(indices) > 0, InvalidArgumentError, message)
        params, depth = sizes.shape(self.params), sizes.fixed(indices[-1], "how long an index is")
        sizes.require(depth <= len(params), InvalidArgumentError, TOO_LONG, depth, len(params))
        if self.bad_indices_policy == IGNORE:
            there = some_place(sizes, params, indices[:-1], depth)
            sizes.require_late(there, InvalidArgumentError, NO_PLACE, self.name, params)
        else:
            demand_nd_places(sizes, self.indices, params, "param shape")
        return depth

    def infer(self) -> TensorSpec:
        params, indices, depth = self.params.shape.entries, self.indices.shape.entries, self.found
        if params is None or indices is None or depth is None:
            return TensorSpec(None, self.params.dtype)
        return TensorSpec((*indices[:-1], *params[depth:]), self.params.dtype)

    def eager(self, np: Any) -> Any:
        params, indices, depth = self.params, self.indices, self.found
        if not depth:
            return np.broadcast_to(params, indices.shape[:-1] + params.shape)
        place = tuple([indices[..., k] for k in range(depth)])
        if self.bad_indices_policy != IGNORE:
            return params[place]
        inside = is_inside(place, params.shape)
        found = params[tuple([np.where(inside, one, 0) for one in place])]
        found[~inside] = b"" if params.dtype.kind == "O" else 0
        return found

    def xla(self, xla: Any) -> Any:
        return slices_at_nd(xla, self.params, self.indices)

    def lower(self, loops: Any) -> Any:
        params, indices, depth = self.params, self.indices, self.found
        outer = indices.rank - 1

        def element(*index: Any) -> Any:
            return params[[*nd_place(loops, indices, index[:outer], depth), *index[outer:]]]

        def element_or_zero(*index: Any) -> Any:
            place, inside = nd_place_inside(loops, indices, index[:outer], params.shape[:depth])
            zero = loops.constant(0, params.dtype)
            return loops.scalars.where(inside, params[[*place, *index[outer:]]], zero)

        ignores = depth and self.bad_indices_policy == IGNORE
        shape = [*indices.shape[:-1], *params.shape[depth:]]
        return loops.map(shape, params.dtype, element_or_zero if ignores else element)

    def vjp(self, doutput: Any) -> Any:
        from .scatter import scatter_nd
        from .shapes import shape, shape_of, squeeze

        policy = self.bad_indices_policy
        if self.indices.shape.rank == 2 and self.indices.shape[-1] == 1 and policy != IGNORE:
            rows = squeeze(self.indices, [-1])
            return IndexedSlices(doutput, rows, shape_of(self.params)), None
        sizes_of_params = shape(self.params, self.indices.dtype)
        return scatter_nd(self.indices, doutput, sizes_of_params, bad_indices_policy=policy), None


# What `bad_indices_policy` says where indices out of range are passed over: they give zeros.
IGNORE = "IGNORE"
TOO_LONG = "GatherNd: index innermost dimension length must be <= params rank; saw: {} vs. {}"


def nd_place(loops: Any, indices: Any, outer: Any, depth: int) -> list[Any]:
    """The index that stands at `outer` in `indices` [..., depth]."""
    s = loops.scalars
    return [s.cast(indices[[*outer, k]], dtypes.int64) for k in range(depth)]


def nd_place_inside(loops: Any, indices: Any, outer: Any, shape: Any) -> tuple[list[Any], Any]:
    """The same within an array of `shape`, and whether it is; the first place where it is not."""
    place, zero = nd_place(loops, indices, outer, len(shape)), loops.constant(0, dtypes.int64)
    inside = is_inside(place, shape)
    return [loops.scalars.where(inside, one, zero) for one in place], inside


def is_inside(place: Any, shape: Any) -> Any:
    """Whether an index lies within the first axes of `shape`."""
    limits = zip(place, shape, strict=False)
    return reduce(and_, [(one >= 0) & (one < limit) for one, limit in limits])


def demand_nd_places(sizes: Any, indices: Any, shape: Any, what: str) -> None:
    """Indices [..., k] lie within the first k axes of `shape`."""
    message = "indices{at} = {it} does not index into {} {}"
    sizes.each_row(
        indices, lambda place: is_inside(place, shape), InvalidArgumentError, message, what, shape
    )


def some_place(sizes: Any, shape: Any, outer: Any, depth: int) -> Any:
    """Whether there is something that indices [*outer, depth] may be about, if there are any."""
    return (sizes.count(outer) == 0) | (sizes.count(shape[:depth]) > 0)


NO_PLACE = "{}: there are indices, but none can be inside of shape {}"


@dispatchable
def gather_nd(
    params: Any,
    indices: Any,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """The slices of `params` at `indices` [..., k], each the index of k axes.

    params: any dtype. indices: int16, int32 or int64; k is at most the rank of params. The first
    `batch_dims` axes of both go together and are not spoken of by the indices. Without them the
    result has the shape indices.shape[:-1] + params.shape[k:].

    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range or speaks of more axes than there are; also a
            ValueError where the first axes do not go together.
    """
    count = static_value(batch_dims)
    params, indices = as_tensor(params), as_tensor(indices)
    if count is not None and int(count) < 0:
        raise ValueError(f"gather_nd: batch_dims must not be negative, got {count}")
    if count is not None and int(count) > 0:
        one, other = params.shape[: int(count)], indices.shape[: int(count)]
        if not one.is_compatible_with(other):
            raise ShapeMismatchError(
                f"gather_nd: the first {count} axes of params and indices must agree, got {one} "
                f"and {other}"
            )
        if None in (*one.as_list(), *other.as_list()):
            _require_one_batch(params, indices, int(count))
        indices = _with_batch_indices(indices, int(count))
    return bind(GatherNd, params, indices, bad_indices_policy=bad_indices_policy, name=name)


def _require_one_batch(params: Any, indices: Any, batch_dims: int) -> None:
    from ..checks.assertions import require_equal
    from .shapes import shape_of

    one, other = shape_of(params)[:batch_dims], shape_of(indices)[:batch_dims]
    message = f"gather_nd: the first {batch_dims} axes of params and indices must agree, got "
    require_equal(one, other, message)


def _with_batch_indices(indices: Any, batch_dims: int) -> Any:
    """Indices that name their own first axes too: [b..., k] becomes [b..., batch_dims + k]."""
    from ..math.cast import cast
    from .broadcasting import broadcast_to
    from .concatenation import concat
    from .fill import range as range_tensor
    from .folded_axes import with_axes
    from .shapes import rank as rank_of
    from .shapes import reshape, shape_of

    sizes_of_indices = shape_of(indices)
    rank = indices.shape.rank
    outer = concat([sizes_of_indices[:-1], [1]], 0)
    grids = []
    for axis in range(batch_dims):
        line = cast(range_tensor(sizes_of_indices[axis]), indices.dtype)
        if rank is None:
            column = with_axes(line, rank_of(indices) - axis - 1)
        else:
            column = reshape(line, [-1, *[1] * (rank - axis - 1)])
        grids.append(broadcast_to(column, outer))
    return concat([*grids, indices], -1)


def batch_indices(indices: Any) -> Any:
    """[*batch, n] indices of the axis after the batch, as full indices [*batch, n, rank]."""
    from .shapes import expand_dims

    rank = indices.shape.rank
    if rank is None:
        from .folded_axes import innermost

        return innermost(indices, 1, batch_indices)
    return _with_batch_indices(expand_dims(indices, -1), rank - 1)
