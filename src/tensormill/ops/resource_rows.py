"""Rows of a variable: read and changed without touching the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import dtypes
from ..core.shapes import UNKNOWN, TensorShape
from ..core.specs import TensorSpec
from ..errors import InvalidArgumentError, ShapeMismatchError
from .conversion import as_tensor
from .indexed_slices import IndexedSlices
from .lowering import NotStatic
from .op import INDEX, Attr, In, Op, Out
from .state import as_text, read


class ResourceScatter(Op, abstract=True):
    """Rows `indices` of the variable combined with `updates`, one after the other.

    `updates` has the shape of `indices` followed by that of a row, or is a scalar.
    """

    resource = In("resource")
    indices = In("Tindices ...")
    updates = In("dtype ...")
    dtype = Attr()
    Tindices = INDEX
    effects = ("reads resource", "writes resource")
    differentiable = False
    kind = ""

    def infer(self) -> tuple[TensorSpec, ...]:
        state, updates = self.resource.spec.state.shape, self.updates.shape
        if updates.rank != 0:
            wanted = self.indices.shape + state[1:] if state.rank else UNKNOWN
            require_updates(wanted, updates)
        return ()

    def eager(self, np: Any) -> None:
        storage, indices = self.resource, self.indices
        require_in_range(np, indices, len(storage.read()))
        if self.updates.ndim:
            wanted = TensorShape(indices.shape + storage.read().shape[1:])
            require_updates(wanted, TensorShape(self.updates.shape))
        target = writable(storage)
        SCATTER[self.kind](np, target, indices, self.updates)
        storage.write(target)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        target, indices, updates = loops.read(self.resource), self.indices, self.updates
        check_rows(loops, indices, target.shape[0])
        depth = indices.rank

        def position(*index: Any) -> Sequence[Any]:
            row = loops.scalars.cast(indices[index[:depth]], dtypes.int64)
            return [row, *index[depth:]]

        def value(*index: Any) -> Any:
            return updates[index if updates.rank else ()]

        extents = [*indices.shape, *target.shape[1:]]
        loops.write(self.resource, loops.scatter(self.kind, target, extents, position, value))
        return ()




def _set(np: Any, target: Any, indices: Any, updates: Any) -> None:
    target[indices] = updates


SCATTER: dict[str, Any] = {
    "set": _set,
    "add": lambda np, target, indices, updates: np.add.at(target, indices, updates),
    "sub": lambda np, target, indices, updates: np.subtract.at(target, indices, updates),
    "mul": lambda np, target, indices, updates: np.multiply.at(target, indices, updates),
    "div": lambda np, target, indices, updates: np.divide.at(target, indices, updates),
    "max": lambda np, target, indices, updates: np.maximum.at(target, indices, updates),
    "min": lambda np, target, indices, updates: np.minimum.at(target, indices, updates),
}


def writable(storage: Any) -> Any:
    """An array of the variable's value that may be changed: its own, or a copy of a shared one."""
    own = storage.sole_array()
    return storage.read().copy() if own is None else own


def require_updates(wanted: TensorShape, updates: TensorShape) -> None:
    if not wanted.is_compatible_with(updates):
        raise ShapeMismatchError(
            f"Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], "
            f"got updates.shape {as_text(updates)}, expected {as_text(wanted)}"
        )


def require_in_range(np: Any, indices: Any, size: int) -> None:
    """Raise the error of the first index that is no row."""
    if indices.size == 0 or int(indices.min()) >= 0 and int(indices.max()) < size:
        return
    place = np.argwhere((indices < 0) | (indices >= size))[0]
    where = ",".join(map(str, place))
    found = indices[tuple(place)]
    raise InvalidArgumentError(f"indices[{where}] = {found} is not in [0, {size})")


def check_rows(loops: Any, indices: Any, size: Any) -> None:
    """The same, in compiled code."""
    where = ",".join(["{}"] * indices.rank)

    def in_range(*index: Any) -> Any:
        row = indices[index]
        return (row >= 0) & (loops.scalars.cast(row, dtypes.int64) < size)

    def facts(*index: Any) -> Sequence[Any]:
        return [*index, indices[index], size]

    message = f"indices[{where}] = {{}} is not in [0, {{}})"
    loops.check_all(indices.shape, in_range, InvalidArgumentError, message, facts)


class ResourceScatterUpdate(ResourceScatter):
    """Rows are replaced."""

    kind = "set"


class ResourceScatterAdd(ResourceScatter):
    """Updates are added to rows; those of equal index add up."""

    kind = "add"


class ResourceScatterSub(ResourceScatter):
    """Updates are subtracted from rows."""

    kind = "sub"


class ResourceScatterMul(ResourceScatter):
    """Rows are multiplied."""

    kind = "mul"


class ResourceScatterDiv(ResourceScatter):
    """Rows are divided."""

    kind = "div"
    lower = None  # the loop language has no division that accumulates


class ResourceScatterMax(ResourceScatter):
    """Rows become the larger of themselves and the updates."""

    kind = "max"


class ResourceScatterMin(ResourceScatter):
    """Rows become the smaller of themselves and the updates."""

    kind = "min"


class ResourceScatterNd(Op, abstract=True):
    """Elements or slices of the variable combined with `updates`, one after the other.

    `indices` is [..., k]: each vector of k numbers says where along the first k axes;
    `updates` has the shape of `indices` without its last axis, followed by that of a slice.
    """

    ref = In("resource")
    indices = In("Tindices ...")
    updates = In("T ...")
    T = Attr()
    Tindices = INDEX
    use_locking = Attr(True)
    effects = ("reads ref", "writes ref")
    differentiable = False
    kind = ""

    def infer(self) -> tuple[TensorSpec, ...]:
        indices, state = self.indices.shape, self.ref.spec.state.shape
        depth = indices.dims[-1] if indices.dims else None
        if depth is not None and state.rank is not None:
            require_depth(depth, state.rank)
            require_updates(indices[:-1] + state[depth:], self.updates.shape)
        return ()

    def eager(self, np: Any) -> None:
        storage, indices = self.ref, self.indices
        shape = storage.read().shape
        depth = indices.shape[-1]
        require_depth(depth, len(shape))
        wanted = indices.shape[:-1] + shape[depth:]
        require_updates(TensorShape(wanted), TensorShape(self.updates.shape))
        places = indices.reshape(-1, depth)
        require_places(np, places, shape)
        target = writable(storage)
        updates = self.updates.reshape((len(places), *shape[depth:]))
        SCATTER[self.kind](np, target, tuple(places.T), updates)
        storage.write(target)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        target, indices, updates = loops.read(self.ref), self.indices, self.updates
        outer, depth = indices.rank - 1, indices.shape[-1]
        if not isinstance(depth, int):
            raise NotStatic
        wide = dtypes.int64

        def place(*index: Any) -> list[Any]:
            return [loops.scalars.cast(indices[[*index[:outer], k]], wide) for k in range(depth)]

        def in_range(*index: Any) -> Any:
            inside = loops.constant(True, dtypes.bool_)
            for axis, at in enumerate(place(*index)):
                inside = inside & (at >= 0) & (at < target.shape[axis])
            return inside

        def facts(*index: Any) -> Sequence[Any]:
            return [*index, *place(*index), *target.shape]

        loops.check_all(
            indices.shape[:-1], in_range, InvalidArgumentError,
            does_not_index(["{}"] * outer, ["{}"] * depth, ["{}"] * target.rank), facts,
        )  # fmt: skip
        extents = [*indices.shape[:-1], *target.shape[depth:]]
        changed = loops.scatter(
            self.kind,
            target,
            extents,
            lambda *index: [*place(*index), *index[outer:]],
            lambda *index: updates[index],
        )
        loops.write(self.ref, changed)
        return ()


def require_depth(depth: int, rank: int) -> None:
    if depth > rank:
        raise ShapeMismatchError(
            f"The inner dimension of indices is {depth}, but the variable has rank {rank}"
        )


def require_places(np: Any, places: Any, shape: tuple[int, ...]) -> None:
    depth = places.shape[1]
    outside = ((places < 0) | (places >= np.asarray(shape[:depth], places.dtype))).any(axis=1)
    if outside.any():
        first = int(outside.argmax())
        raise InvalidArgumentError(does_not_index([first], places[first].tolist(), shape))


def does_not_index(where: Sequence[Any], place: Sequence[Any], shape: Sequence[Any]) -> str:
    def listed(items: Sequence[Any]) -> str:
        return ", ".join(map(str, items))

    return f"indices[{listed(where)}] = [{listed(place)}] does not index into shape [{listed(shape)}]"


class ResourceScatterNdUpdate(ResourceScatterNd):
    """Slices are replaced."""

    kind = "set"


class ResourceScatterNdAdd(ResourceScatterNd):
    """Updates are added; those of equal index add up."""

    kind = "add"


class ResourceScatterNdSub(ResourceScatterNd):
    """Updates are subtracted."""

    kind = "sub"


class ResourceScatterNdMax(ResourceScatterNd):
    """Slices become the larger of themselves and the updates."""

    kind = "max"


class ResourceScatterNdMin(ResourceScatterNd):
    """Slices become the smaller of themselves and the updates."""

    kind = "min"


class ResourceGather(Op):
    """Rows `indices` of a variable: [*indices.shape, *row]. Reads only these rows."""

    resource = In("resource")
    indices = In("Tindices ...")
    output = Out("dtype ...")
    dtype = Attr()
    Tindices = INDEX
    effects = ("reads resource",)

    def infer(self) -> TensorSpec:
        state = self.resource.spec.state
        if state.shape.rank == 0:
            raise ShapeMismatchError("params must be at least 1 dimensional")
        return TensorSpec(self.indices.shape + state.shape[1:], state.dtype)

    def eager(self, np: Any) -> Any:
        table = self.resource.read()
        require_in_range(np, self.indices, len(table))
        return table[self.indices]

    def lower(self, loops: Any) -> Any:
        table, indices = loops.read(self.resource), self.indices
        check_rows(loops, indices, table.shape[0])
        depth = indices.rank

        def element(*index: Any) -> Any:
            row = loops.scalars.cast(indices[index[:depth]], dtypes.int64)
            return table[[row, *index[depth:]]]

        return loops.map([*indices.shape, *table.shape[1:]], table.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        return gather_gradient(self.indices, doutput, variable_shape(self.resource, self.dtype)), None


def variable_shape(handle: Any, dtype: Any) -> Any:
    """The shape of the value behind a handle: constant where it is known."""
    from .shapes import shape_of

    return shape_of(read(handle, dtype))


def gather_gradient(indices: Any, doutput: Any, shape: Any) -> IndexedSlices:
    from .reshape import reshape

    rows = reshape(indices, [-1])
    inner = doutput.shape[indices.shape.rank or 0 :].dims
    if inner is None or None in inner:
        inner_shape = as_tensor(shape)[1:]
        from .array import concat, size

        values = reshape(doutput, concat([[size(indices)], inner_shape], 0))
    else:
        values = reshape(doutput, [-1 if 0 not in inner else rows.shape[0] or 0, *inner])
    return IndexedSlices(values, rows, shape)
