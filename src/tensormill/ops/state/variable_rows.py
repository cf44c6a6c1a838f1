"""Rows of a variable: read and changed without touching the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.gather import demand_places
from ..array.indexed_slices import IndexedSlices
from ..array.scatter import demand_update, scattered, scattered_loops
from ..demands import refuse
from ..effects import Reads, Writes
from ..in_xla.places import scattered_at, scattered_at_nd, slices_at
from ..lowering import ScatterWith
from ..op import INDEX, NUMBERS, QUANTIZED, Attr, In, Op, Out
from .variables import read, update_value


class RowUpdate(Op, abstract=True):
    """Rows `indices` of the variable combined with `updates`, one after the other.

    `updates` has the shape of `indices` followed by that of a row, or is a scalar.
    """

    resource = In("resource")
    indices = In("Tindices ...")
    updates = In("dtype ...")
    dtype = Attr()
    Tindices = INDEX
    effects = (Reads("resource"), Writes("resource"))
    differentiable = False
    kind: ClassVar[ScatterWith]

    def demands(self, sizes: Any) -> Any:
        """The value of the variable."""
        target = sizes.state(self.resource)
        shape, updates = sizes.shape(target), sizes.shape(self.updates)
        if not shape:  # of which TensorFlow looks at a size that is not there
            refuse(InvalidArgumentError, NO_ROWS, self.name)
        if updates:
            expected = (*sizes.shape(self.indices), *shape[1:])
            sizes.alike(updates, expected, ShapeMismatchError, UNLIKE_ROWS)
        demand_places(sizes, self.indices, shape[0])
        return target

    def infer(self) -> tuple[TensorSpec, ...]:
        return ()

    def eager(self, np: Any) -> None:
        storage, indices = self.resource, self.indices

        def changed(target: Any) -> Any:
            self.change(np, target, indices, self.updates)
            return target

        update_value(storage, changed)

    def xla(self, xla: Any) -> tuple[()]:
        xla.write(self.resource, self.changed_in_xla(xla, self.found))
        return ()

    def changed_in_xla(self, xla: Any, target: Any) -> Any:
        indices = self.indices
        updates = xla.np.broadcast_to(self.updates, (*indices.shape, *target.shape[1:]))
        return scattered_at(xla, self.kind, target, indices, updates, 0)

    def change(self, np: Any, target: Any, indices: Any, updates: Any) -> None:
        index = indices.reshape(-1, 1)
        scattered(np, self.kind, target, index, by_row(np, target, indices, updates))


def by_row(np: Any, target: Any, indices: Any, updates: Any) -> Any:
    """Updates, one row for each of the flattened indices."""
    row = target.shape[1:]
    return np.broadcast_to(updates, indices.shape + row).reshape((indices.size, *row))


NO_ROWS = "{}: a variable without axes has no rows; use `assign` and its like"
UNLIKE_ROWS = (
    "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
    "updates.shape {}, expected {}"
)


class ResourceScatter(RowUpdate, abstract=True):
    """Those of which the loop language has the combination."""

    def lower(self, loops: Any) -> tuple[Any, ...]:
        target, indices, updates = self.found, self.indices, self.updates
        depth = indices.rank

        def position(*index: Any) -> Sequence[Any]:
            row = loops.scalars.cast(indices[index[:depth]], dtypes.int64)
            return [row, *index[depth:]]

        def value(*index: Any) -> Any:
            return updates[index if updates.rank else ()]

        extents = [*indices.shape, *target.shape[1:]]
        loops.write(self.resource, loops.scatter(self.kind, target, extents, position, value))
        return ()


class ResourceScatterUpdate(ResourceScatter):
    """Rows are replaced."""

    kind = "set"


class ResourceScatterAdd(ResourceScatter):
    """Updates are added to rows; those of equal index add up."""

    dtype = Attr(allowed=NUMBERS | QUANTIZED)
    kind = "add"


class ResourceScatterSub(ResourceScatter):
    """Updates are subtracted from rows."""

    dtype = Attr(allowed=NUMBERS | QUANTIZED)
    kind = "sub"


class ResourceScatterMul(ResourceScatter):
    """Rows are multiplied."""

    dtype = Attr(allowed=NUMBERS | QUANTIZED)
    kind = "mul"

    def change(self, np: Any, target: Any, indices: Any, updates: Any) -> None:
        np.multiply.at(target, indices, updates)


class ResourceScatterDiv(RowUpdate):
    """Rows are divided. The loop language has no such combination: a callback step."""

    dtype = Attr(allowed=NUMBERS | QUANTIZED)

    def change(self, np: Any, target: Any, indices: Any, updates: Any) -> None:
        np.divide.at(target, indices, updates)

    def changed_in_xla(self, xla: Any, target: Any) -> Any:
        xla.refuse("rows of equal number are divided in turn")


class ResourceScatterMax(ResourceScatter):
    """Rows become the larger of themselves and the updates."""

    dtype = Attr(allowed=NUMBERS | QUANTIZED)
    kind = "max"


class ResourceScatterMin(ResourceScatter):
    """Rows become the smaller of themselves and the updates."""

    dtype = Attr(allowed=NUMBERS | QUANTIZED)
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
    bad_indices_policy = Attr("", "DEFAULT ERROR IGNORE")
    effects = (Reads("ref"), Writes("ref"))
    differentiable = False
    kind: ClassVar[ScatterWith]

    def demands(self, sizes: Any) -> Any:
        """The value of the variable."""
        target, policy = sizes.state(self.ref), self.bad_indices_policy
        demand_update(sizes, self.name, self.indices, self.updates, sizes.shape(target), policy)
        return target

    def infer(self) -> tuple[TensorSpec, ...]:
        return ()

    def eager(self, np: Any) -> None:
        indices, updates, policy = self.indices, self.updates, self.bad_indices_policy
        update_value(
            self.ref, lambda target: scattered(np, self.kind, target, indices, updates, policy)
        )

    def xla(self, xla: Any) -> tuple[()]:
        changed = scattered_at_nd(xla, self.kind, self.found, self.indices, self.updates)
        xla.write(self.ref, changed)
        return ()

    def lower(self, loops: Any) -> tuple[Any, ...]:
        target, policy = self.found, self.bad_indices_policy
        changed = scattered_loops(loops, self.kind, target, self.indices, self.updates, policy)
        loops.write(self.ref, changed)
        return ()


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
    batch_dims = Attr(0)
    validate_indices = Attr(True)
    Tindices = INDEX
    effects = (Reads("resource"),)

    def demands(self, sizes: Any) -> Any:
        """The value of the variable."""
        table = sizes.state(self.resource)
        shape = sizes.shape(table)
        message = "params must be at least 1 dimensional"
        sizes.require(len(shape) > 0, ShapeMismatchError, message)
        demand_places(sizes, self.indices, shape[0])
        return table

    def infer(self) -> TensorSpec:
        state = self.resource.spec.state
        return TensorSpec(self.indices.shape + state.shape[1:], state.dtype)

    def eager(self, np: Any) -> Any:
        return self.found[self.indices]

    def xla(self, xla: Any) -> Any:
        return slices_at(xla, self.found, self.indices, 0)

    def lower(self, loops: Any) -> Any:
        table, indices = self.found, self.indices
        depth = indices.rank

        def element(*index: Any) -> Any:
            row = loops.scalars.cast(indices[index[:depth]], dtypes.int64)
            return table[[row, *index[depth:]]]

        return loops.map([*indices.shape, *table.shape[1:]], table.dtype, element)

    def vjp(self, doutput: Any) -> Any:
        from ..array.concatenation import concat
        from ..array.shapes import reshape, shape_of

        sizes = shape_of(read(self.resource, self.dtype))
        rows = reshape(doutput, concat([[-1], sizes[1:]], 0))
        return IndexedSlices(rows, reshape(self.indices, [-1]), sizes), None
