"""Elements and slices picked by index."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from .. import sizes
from ..bind import bind
from ..conversion import as_tensor, static_value
from ..op import ANY, INDEX, NUMBERS, Attr, In, Op, Out, types
from .indexed_slices import IndexedSlices

PLACES = types("i16 i32 i64")


def require_places(np: Any, indices: Any, size: int) -> None:
    """Refuse indices outside of 0 .. size - 1, naming the first."""
    wrong = (indices < 0) | (indices >= size)
    if not wrong.any():
        return
    place = np.argwhere(wrong)[0]
    where = f"[{','.join(map(str, place))}]" if len(place) else ""
    raise InvalidArgumentError(f"indices{where} = {indices[tuple(place)]} is not in [0, {size})")


def check_places(loops: Any, indices: Any, size: Any) -> None:
    """The same, in compiled code."""
    s = loops.scalars
    where = f"[{','.join(['{}'] * indices.rank)}]" if indices.rank else ""

    def inside(*index: Any) -> Any:
        place = s.cast(indices[index], dtypes.int64)
        return (place >= 0) & (place < size)

    loops.check_all(
        indices.shape, inside, InvalidArgumentError, f"indices{where} = {{}} is not in [0, {{}})",
        lambda *index: (*index, indices[index], sizes.scalar(loops, size)),
    )  # fmt: skip


class GatherV2(Op):
    """The slices of `params` along `axis` that `indices` name.

    The result has the shape params[:axis] + indices[batch_dims:] + params[axis + 1:]; the first
    `batch_dims` axes of both operands go together.

    Raises:
        InvalidArgumentError: an index is out of range.
    """

    params = In("Tparams ...")
    indices = In("Tindices ...")
    axis = In("Taxis")
    output = Out("Tparams ...")
    batch_dims = Attr(0)
    Tparams = ANY
    Tindices = PLACES
    Taxis = INDEX

    def place(self, axis: int, rank: int) -> int:
        if rank == 0:
            raise InvalidArgumentError("GatherV2: params must be at least 1 dimensional")
        if not -rank <= axis < rank:
            raise InvalidArgumentError(
                f"GatherV2: Shape must be at least rank {axis + 1 if axis >= 0 else -axis} but is "
                f"rank {rank} (axis {axis} of params)"
            )
        return axis % rank

    def batch(self, rank: int) -> int:
        """How many axes go together, for indices of `rank`."""
        if not -rank <= self.batch_dims <= rank:
            raise InvalidArgumentError(
                f"GatherV2: Expected batch_dims in the range [{-rank}, {rank}], but got "
                f"{self.batch_dims}"
            )
        return self.batch_dims + rank if self.batch_dims < 0 else self.batch_dims

    def infer(self) -> TensorSpec:
        params, indices = self.params.shape.dims, self.indices.shape.dims
        axis = (self.axis.sizes or (None,))[0]
        if params is None or indices is None:
            return TensorSpec(None, self.params.dtype)
        together = self.batch(len(indices))
        if axis is None:
            return TensorSpec(
                (None,) * (len(params) + len(indices) - 1 - together), self.params.dtype
            )
        where = self.place(axis, len(params))
        if together > where:
            raise InvalidArgumentError(
                f"GatherV2: batch_dims ({together}) must be less than or equal to axis ({where})"
            )
        common = TensorShape(params[:together]).merge_with(indices[:together]).dims or ()
        dims = (*common, *params[together:where], *indices[together:], *params[where + 1 :])
        return TensorSpec(dims, self.params.dtype)

    def eager(self, np: Any) -> Any:
        params, indices = self.params, self.indices
        where, together = self.place(int(self.axis), params.ndim), self.batch(indices.ndim)
        if params.shape[:together] != indices.shape[:together] or together > where:
            raise InvalidArgumentError(
                f"GatherV2: params.shape[:{together}]: {list(params.shape[:together])} should be "
                f"equal to indices.shape[:{together}]: {list(indices.shape[:together])}"
            )
        require_places(np, indices, params.shape[where])
        if together == 0:
            return np.take(params, indices, where)
        return params[picked(np, params, indices, where, together)]

    def lower(self, loops: Any) -> Any:
        params, indices = self.params, self.indices
        where = self.place(loops.static(self.axis), params.rank)
        together = self.batch(indices.rank)
        for k in range(together):
            one, other = params.shape[k], indices.shape[k]
            if not sizes.same(one, other):
                message = f"GatherV2: axis {k} is {{}} in params and {{}} in indices"
                sizes.demand(loops, one == other, InvalidArgumentError, message, one, other)
        check_places(loops, indices, params.shape[where])
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

            rows = concat([[-1], sizes_of_params[1:]], 0)
            slices = IndexedSlices(
                reshape(doutput, rows), reshape(self.indices, [-1]), sizes_of_params
            )
            return slices, None, None
        operands = (doutput, self.indices, self.axis, sizes_of_params)
        return bind(GatherGrad, *operands, batch_dims=self.batch_dims), None, None


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
    T = NUMBERS
    Tindices = PLACES
    Taxis = INDEX
    Tshape = INDEX

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.gradient.dtype)

    def eager(self, np: Any) -> Any:
        whole = np.zeros(tuple(self.shape.tolist()), self.gradient.dtype)
        axis = int(self.axis) % whole.ndim
        together = self.batch_dims % self.indices.ndim if self.batch_dims < 0 else self.batch_dims
        taken = (*whole.shape[:axis], *self.indices.shape[together:], *whole.shape[axis + 1 :])
        if self.gradient.shape != taken:
            raise InvalidArgumentError(UNLIKE_TAKEN.format(list(self.gradient.shape), list(taken)))
        if self.indices.shape[:together] != whole.shape[:together]:
            sizes_of_both = self.indices.shape[:together], whole.shape[:together]
            raise InvalidArgumentError(UNLIKE_TAKEN.format(*map(list, sizes_of_both)))
        require_places(np, self.indices, whole.shape[axis])
        np.add.at(whole, picked(np, whole, self.indices, axis, together), self.gradient)
        return whole

    def lower(self, loops: Any) -> Any:
        gradient, indices, shape = self.gradient, self.indices, sizes.shape_in(loops, self.shape)
        axis = loops.static(self.axis) % len(shape)
        together = self.batch_dims % indices.rank if self.batch_dims < 0 else self.batch_dims
        inner = indices.rank - together
        check_places(loops, indices, shape[axis])
        taken = [*shape[:axis], *indices.shape[together:], *shape[axis + 1 :]]
        sizes.require_same(loops, gradient.shape, taken, UNLIKE_TAKEN)
        sizes.require_same(loops, indices.shape[:together], shape[:together], UNLIKE_TAKEN)
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


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Any:
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
        and batch_dims == 0
        and not isinstance(axis, TensorLike)
        and axis == 0
    ):
        return of_variable(indices, name=name)
    return bind(GatherV2, params, indices, axis, batch_dims=batch_dims, name=name)


class GatherNd(Op):
    """The slices of `params` at `indices` [..., k], each the index of k axes.

    Raises:
        InvalidArgumentError: an index is out of range.
    """

    params = In("Tparams ...")
    indices = In("Tindices *s k")
    output = Out("Tparams ...")
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    Tparams = ANY
    Tindices = PLACES

    def infer(self) -> TensorSpec:
        params, indices = self.params.shape.dims, self.indices.shape.dims
        if indices == ():
            raise InvalidArgumentError("GatherNd: indices must be at least a vector")
        if params is None or indices is None or indices[-1] is None:
            return TensorSpec(None, self.params.dtype)
        depth = self.depth(indices[-1], len(params))
        return TensorSpec((*indices[:-1], *params[depth:]), self.params.dtype)

    def depth(self, depth: int, rank: int) -> int:
        if depth > rank:
            raise InvalidArgumentError(
                "GatherNd: index innermost dimension length must be <= params rank; saw: "
                f"{depth} vs. {rank}"
            )
        return depth

    def eager(self, np: Any) -> Any:
        if self.indices.ndim == 0:
            raise InvalidArgumentError("GatherNd: indices must be at least a vector")
        depth = self.depth(self.indices.shape[-1], self.params.ndim)
        require_nd_places(np, self.indices, self.params.shape, "param shape")
        return (
            self.params[tuple(self.indices[..., k] for k in range(depth))]
            if depth
            else (np.broadcast_to(self.params, self.indices.shape[:-1] + self.params.shape))
        )

    def lower(self, loops: Any) -> Any:
        params, indices = self.params, self.indices
        if not isinstance(indices.shape[-1], int):
            from ..lowering import NotStatic

            raise NotStatic("the number of axes that an index of gather_nd speaks of")
        depth = self.depth(indices.shape[-1], params.rank)
        check_nd_places(loops, indices, params.shape, "param shape")
        outer = indices.rank - 1

        def element(*index: Any) -> Any:
            return params[[*nd_place(loops, indices, index[:outer], depth), *index[outer:]]]

        return loops.map([*indices.shape[:-1], *params.shape[depth:]], params.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from .scatter import scatter_nd
        from .shapes import shape, shape_of, squeeze

        if self.indices.shape.rank == 2 and self.indices.shape[-1] == 1:
            rows = squeeze(self.indices, [-1])
            return IndexedSlices(doutput, rows, shape_of(self.params)), None
        sizes_of_params = shape(self.params, self.indices.dtype)
        return scatter_nd(self.indices, doutput, sizes_of_params), None


def nd_place(loops: Any, indices: Any, outer: Any, depth: int) -> list[Any]:
    """The index that stands at `outer` in `indices` [..., depth]."""
    s = loops.scalars
    return [s.cast(indices[[*outer, k]], dtypes.int64) for k in range(depth)]


def require_nd_places(np: Any, indices: Any, shape: Any, what: str) -> None:
    """Refuse indices [..., k] that do not lie within the first k axes of `shape`."""
    limits = np.asarray(shape[: indices.shape[-1]], np.int64)
    wrong = ((indices < 0) | (indices >= limits)).any(-1)
    if not wrong.any():
        return
    place = np.argwhere(wrong)[0]
    where = f"[{','.join(map(str, place))}]" if len(place) else ""
    raise InvalidArgumentError(
        f"indices{where} = {indices[tuple(place)].tolist()} does not index into {what} "
        f"{list(shape)}"
    )


def check_nd_places(loops: Any, indices: Any, shape: Any, what: str) -> None:
    """The same, in compiled code; the last axis of `indices` has a known size."""
    outer, depth = indices.rank - 1, indices.shape[-1]
    if depth == 0:
        return
    where = f"[{','.join(['{}'] * outer)}]" if outer else ""
    found, limits = ", ".join(["{}"] * depth), ", ".join(["{}"] * depth)

    def inside(*index: Any) -> Any:
        fits = None
        for place, limit in zip(nd_place(loops, indices, index, depth), shape, strict=False):
            here = (place >= 0) & (place < limit)
            fits = here if fits is None else fits & here
        return fits

    def facts(*index: Any) -> Any:
        places = nd_place(loops, indices, index, depth)
        return (*index, *places, *(sizes.scalar(loops, size) for size in shape[:depth]))

    message = f"indices{where} = [{found}] does not index into {what} [{limits}]"
    loops.check_all(indices.shape[:-1], inside, InvalidArgumentError, message, facts)


def gather_nd(
    params: Any,
    indices: Any,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Any:
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
