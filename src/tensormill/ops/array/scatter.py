"""Elements and slices put in places named by indices: the reverse of gathering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, KernelMissingError, ShapeMismatchError
from ..bind import api, bind
from ..dispatch.meanings import dispatchable
from ..in_xla.places import scattered_at_nd
from ..lowering import ScatterWith
from ..op import ANY, INDEX, NARROW, NATIVE, NUMBERS, REALS, Attr, In, Moves, Op, Out, types
from .gather import (
    IGNORE,
    NO_PLACE,
    PLACES,
    demand_nd_places,
    gather_nd,
    is_inside,
    nd_place,
    nd_place_inside,
    some_place,
)

if TYPE_CHECKING:
    from ..results import Tensor

_COMBINE = {
    "add": lambda np, target, index, updates: np.add.at(target, index, updates),
    "sub": lambda np, target, index, updates: np.subtract.at(target, index, updates),
    "max": lambda np, target, index, updates: np.maximum.at(target, index, updates),
    "min": lambda np, target, index, updates: np.minimum.at(target, index, updates),
}
_WHOLE = {
    "set": lambda np, target, update: update,
    "add": lambda np, target, update: target + update,
    "sub": lambda np, target, update: target - update,
    "max": lambda np, target, update: np.maximum(target, update),
    "min": lambda np, target, update: np.minimum(target, update),
}


def scattered(
    np: Any, kind: ScatterWith, target: Any, indices: Any, updates: Any, policy: str = ""
) -> Any:
    """`target`, changed at `indices` [..., k] by `updates`, in order."""
    index = tuple(indices[..., k] for k in range(indices.shape[-1]))
    if index and policy == IGNORE:
        inside = is_inside(index, target.shape)
        return scattered(np, kind, target, indices[inside], updates[inside])
    if not index:  # every update concerns the whole
        for place in np.ndindex(indices.shape[:-1]):
            target = _WHOLE[kind](np, target, updates[place])
        return target
    if kind == "set":
        target[(*index, ...)] = updates  # "...": of an array of one string, its element is put in
    elif target.dtype.kind == "O":
        for place in np.ndindex(indices.shape[:-1]):
            target[tuple(indices[place])] = updates[place]
    else:
        _COMBINE[kind](np, target, index, updates)
    return target


def scattered_loops(
    loops: Any, kind: ScatterWith, target: Any, indices: Any, updates: Any, policy: str = ""
) -> Any:
    """The same, in compiled code."""
    depth, outer = indices.shape[-1], indices.rank - 1

    def position(*index: Any) -> Any:
        return [*nd_place(loops, indices, index[:outer], depth), *index[outer:]]

    def value(*index: Any) -> Any:
        return updates[index]

    if not depth or policy != IGNORE:
        return loops.scatter(kind, target, updates.shape, position, value)

    def checked(index: Any) -> tuple[list[Any], Any]:
        return nd_place_inside(loops, indices, index[:outer], target.shape[:depth])

    return loops.scatter(
        kind, target, updates.shape, lambda *index: [*checked(index)[0], *index[outer:]], value,
        lambda *index: checked(index)[1],
    )  # fmt: skip


def demand_update(
    sizes: Any, name: str, indices: Any, updates: Any, target: Any, policy: str = ""
) -> None:
    """Updates have the shape of the indices [..., k] followed by that of a slice of `target`, a
    shape, within which the indices lie.
    """
    places, given = sizes.shape(indices), sizes.shape(updates)
    depth = sizes.fixed(places[-1], "the number of axes that an index speaks of")
    rank = len(target)
    sizes.require(depth <= rank, InvalidArgumentError, TOO_LONG, name, depth, rank)
    wanted = (*places[:-1], *target[depth:])
    sizes.alike(given, wanted, ShapeMismatchError, UNLIKE_SLICES, name, places)
    there = some_place(sizes, target, places[:-1], depth)
    sizes.require(there, InvalidArgumentError, NO_PLACE, name, target)
    if policy != IGNORE:
        demand_nd_places(sizes, indices, target, "shape")


TOO_LONG = "{}: index innermost dimension length must be <= rank of the shape; saw: {} vs. {}"
UNLIKE_SLICES = (
    "{}: Outer dimensions of indices and update must match. Indices shape: {}, updates shape: {}, "
    "wanted: {}"
)


class ScatterNd(Op):
    """`updates` added into zeros of `shape` at `indices` [..., k]: each is the index of the first k
    axes, and updates.shape is indices.shape[:-1] + shape[k:].

    >>> tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [4]).numpy()
    array([ 0, 12,  0,  6], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    """

    indices = In("Tindices *i k")
    updates = In("T ...")
    shape = In("Tindices n")
    output = Out("T ...")
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    T = ANY - NARROW
    refusal = KernelMissingError
    Tindices = PLACES

    def demands(self, sizes: Any) -> Any:
        shape = sizes.possible_late(sizes.numbers(self.shape))
        policy = self.bad_indices_policy
        demand_update(sizes, "ScatterNd", self.indices, self.updates, shape, policy)
        return shape

    def infer(self) -> TensorSpec:
        return TensorSpec(self.shape.as_shape(), self.updates.dtype)

    def eager(self, np: Any) -> Any:
        zero = b"" if self.updates.dtype.kind == "O" else 0
        target = np.full(self.found, zero, self.updates.dtype)
        policy = self.bad_indices_policy
        return scattered(np, "add", target, self.indices, self.updates, policy)

    def xla(self, xla: Any) -> Any:
        target = xla.np.zeros(tuple(map(xla.fixed, self.found)), self.updates.dtype)
        return scattered_at_nd(xla, "add", target, self.indices, self.updates)

    def lower(self, loops: Any) -> Any:
        shape, dtype = self.found, self.updates.dtype
        zero = loops.constant(0, dtype)
        target = loops.map(shape, dtype, lambda *index: zero)
        kind = "max" if dtype.is_bool else "add"
        policy = self.bad_indices_policy
        return scattered_loops(loops, kind, target, self.indices, self.updates, policy)

    def vjp(self, doutput: Any) -> Any:
        policy = self.bad_indices_policy
        return None, gather_nd(doutput, self.indices, bad_indices_policy=policy), None


scatter_nd = api(ScatterNd)


class TensorScatter(Op, abstract=True):
    """A copy of `tensor` changed at `indices` [..., k] by `updates`, one after the other."""

    tensor = In("T *s")
    indices = In("Tindices *i k")
    updates = In("T ...")
    output = Out("T *s")
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    T = NATIVE
    Tindices = INDEX
    kind: ClassVar[ScatterWith]

    def demands(self, sizes: Any) -> None:
        shape, policy = sizes.shape(self.tensor), self.bad_indices_policy
        demand_update(sizes, self.name, self.indices, self.updates, shape, policy)

    def infer(self) -> TensorSpec:
        return TensorSpec(self.tensor.shape, self.tensor.dtype)

    def eager(self, np: Any) -> Any:
        tensor, policy = self.tensor.copy(), self.bad_indices_policy
        return scattered(np, self.kind, tensor, self.indices, self.updates, policy)

    def xla(self, xla: Any) -> Any:
        return scattered_at_nd(xla, self.kind, self.tensor, self.indices, self.updates)

    def lower(self, loops: Any) -> Any:
        tensor, policy = self.tensor, self.bad_indices_policy
        return scattered_loops(loops, self.kind, tensor, self.indices, self.updates, policy)

    def at_updates(self, x: Any) -> Any:
        """The slices of `x` where updates go."""
        return gather_nd(x, self.indices, bad_indices_policy=self.bad_indices_policy)


class TensorScatterUpdate(TensorScatter):
    """A copy of `tensor` with `updates` at `indices`; of several at one place, the last."""

    kind = "set"
    T = ANY
    Tindices = types("i16 i32 i64 u16")
    moves = Moves.ELEMENTS

    def vjp(self, doutput: Any) -> Any:
        from .fill import zeros_like

        return (
            lambda: bind(
                TensorScatterUpdate,
                doutput,
                self.indices,
                zeros_like(self.updates),
                bad_indices_policy=self.bad_indices_policy,
            ),
            None,
            lambda: self.at_updates(doutput),
        )


@dispatchable
def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of `tensor` with `updates` at `indices` [..., k]; the last of several at one place.

    tensor: any dtype. indices: int16, int32 or int64, each the index of the first k axes.
    updates: [indices.shape[:-1] + tensor.shape[k:]], of the dtype of tensor.

    >>> tf.tensor_scatter_nd_update([[1, 2], [3, 4]], [[1]], [[5, 6]]).numpy()
    array([[1, 2],
           [5, 6]], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range; also a ValueError where shapes do not fit.
    """
    return bind(TensorScatterUpdate, tensor, indices, updates, name=name)


class TensorScatterAdd(TensorScatter):
    """A copy of `tensor` to which `updates` are added at `indices` [..., k]: each is the index of
    the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_add([1, 2, 3], [[0], [2], [0]], [10, 20, 30]).numpy()
    array([41,  2, 23], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    """

    T = NUMBERS
    refusal = KernelMissingError
    kind = "add"

    def vjp(self, doutput: Any) -> Any:
        return doutput, None, lambda: self.at_updates(doutput)


tensor_scatter_nd_add = api(TensorScatterAdd, "tensor_scatter_nd_add")


class TensorScatterSub(TensorScatter):
    """A copy of `tensor` from which `updates` are subtracted at `indices` [..., k]: each is the
    index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_sub([10, 20, 30], [[0], [2], [0]], [1, 2, 3]).numpy()
    array([ 6, 20, 28], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    """

    T = NUMBERS
    refusal = KernelMissingError
    kind = "sub"

    def vjp(self, doutput: Any) -> Any:
        return doutput, None, lambda: -self.at_updates(doutput)


tensor_scatter_nd_sub = api(TensorScatterSub, "tensor_scatter_nd_sub")


class TensorScatterExtremum(TensorScatter, abstract=True):
    """A copy of `tensor` in which only larger (or smaller) updates count; ties share gradients."""

    T = REALS
    refusal = KernelMissingError

    def vjp(self, doutput: Any) -> Any:
        from ..math.cast import cast
        from ..math.comparison import equal
        from .shapes import shape

        indices, dtype = self.indices, doutput.dtype
        stayed = cast(equal(self.tensor, self.output), dtype)
        chosen = cast(equal(self.updates, self.at_updates(self.output)), dtype)
        sizes, policy = shape(self.tensor, indices.dtype), self.bad_indices_policy
        winners = stayed + scatter_nd(indices, chosen, sizes, bad_indices_policy=policy)
        share = doutput / winners
        return share * stayed, None, self.at_updates(share) * chosen


class TensorScatterMax(TensorScatterExtremum):
    """A copy of `tensor` with the larger of itself and `updates` at `indices` [..., k]: each is the
    index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_max([1, 2, 3], [[0], [2]], [5, 0]).numpy()
    array([5, 2, 3], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    """

    kind = "max"


tensor_scatter_nd_max = api(TensorScatterMax, "tensor_scatter_nd_max")


class TensorScatterMin(TensorScatterExtremum):
    """A copy of `tensor` with the smaller of itself and `updates` at `indices` [..., k]: each is
    the index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_min([1, 2, 3], [[0], [2]], [5, 0]).numpy()
    array([1, 2, 0], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    """

    kind = "min"


tensor_scatter_nd_min = api(TensorScatterMin, "tensor_scatter_nd_min")
