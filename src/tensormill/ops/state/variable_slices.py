"""Assignment to a slice of a variable."""

from __future__ import annotations

from typing import Any

from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.slicing import StridedIndex
from ..effects import Reads, Writes
from ..op import Attr, In
from .variables import as_text, update_value


class ResourceStridedSliceAssign(StridedIndex):
    """`ref[begin:end:strides] = value`, with the masks of StridedSlice; `value` broadcasts."""

    ref = In("resource")
    begin = In("Index n")
    end = In("Index n")
    strides = In("Index n")
    value = In("T ...")
    T = Attr()
    effects = (Reads("ref"), Writes("ref"))
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        return self.demand_index(sizes, sizes.shape(sizes.state(self.ref)))

    def infer(self) -> tuple[TensorSpec, ...]:
        dims = self.ref.spec.state.shape.dims
        if self.found is not None and dims is not None:
            require_broadcast(self.value.shape, TensorShape(self.inferred(dims)))
        return ()

    def eager(self, np: Any) -> None:
        storage = self.ref
        # "...": one place is an array, too, and of an array of one string its element is put in
        index = (*self.python_index(), ...)
        part = TensorShape(storage.read()[index].shape)
        require_broadcast(TensorShape(self.value.shape), part)

        def changed(target: Any) -> Any:
            target[index] = self.value
            return target

        update_value(storage, changed)

    def lower(self, loops: Any) -> tuple[Any, ...]:
        target = loops.read(self.ref)
        ranges = self.ranges(loops, target.shape)
        extents = [count for part, _, _, count in ranges if not part.single]
        loops.broadcast_shape(extents, self.value.shape)
        value = loops.broadcast(self.value, extents)

        def position(*index: Any) -> list[Any]:
            given = iter(index)
            places: list[Any] = []
            for part, start, step, _ in ranges:
                offset = 0 if part.single else next(given)
                if part.axis is not None:
                    places.append(start + offset * step)
            return places

        changed = loops.scatter("set", target, extents, position, lambda *index: value[index])
        loops.write(self.ref, changed)
        return ()


def require_broadcast(value: TensorShape, part: TensorShape) -> None:
    """Raise an error unless `value` broadcasts to the part that is assigned to."""
    if value.dims is None or part.dims is None:
        return
    missing = len(part.dims) - len(value.dims)
    fits = missing >= 0 and all(
        size is None or size == 1 or wanted is None or size == wanted
        for size, wanted in zip(value.dims, part.dims[missing:], strict=True)
    )
    if not fits:
        raise ShapeMismatchError(
            f"Cannot assign a value of shape {as_text(value)} to a slice of shape {as_text(part)}"
        )
