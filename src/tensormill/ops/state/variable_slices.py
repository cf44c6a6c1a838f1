"""Assignment to a slice of a variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.specs import TensorSpec
from ...errors import ShapeMismatchError
from ..array.slicing import StridedIndex
from ..demands import either
from ..effects import Reads, Writes
from ..op import Attr, In
from .variables import update_value


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
        shape = sizes.shape(sizes.state(self.ref))
        found = self.demand_index(sizes, shape)
        demand_broadcast(sizes, sizes.shape(self.value), self.taken(sizes, shape, found))
        return found

    def infer(self) -> tuple[TensorSpec, ...]:
        return ()

    def eager(self, np: Any) -> None:
        # "...": one place is an array, too, and of an array of one string its element is put in
        index = (*self.python_index(), ...)

        def changed(target: Any) -> Any:
            target[index] = self.value
            return target

        update_value(self.ref, changed)

    def xla(self, xla: Any) -> tuple[()]:
        part = xla.read(self.ref).at[self.index_in_xla(xla)]
        more = max(self.value.ndim - part.get().ndim, 0)
        xla.write(self.ref, part.set(self.value.reshape(self.value.shape[more:])))
        return ()

    def lower(self, loops: Any) -> tuple[Any, ...]:
        target = loops.read(self.ref)
        ranges = self.ranges(loops, target.shape)
        extents = [count for part, _, _, count in ranges if not part.single]
        value = loops.broadcast(without_leading(loops, self.value, len(extents)), extents)

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


def without_leading(loops: Any, value: Any, rank: int) -> Any:
    """`value` without its first axes, of size 1, where it has more than `rank`."""
    more = value.rank - rank
    if more <= 0:
        return value
    return loops.map(value.shape[more:], value.dtype, lambda *index: value[[*(0,) * more, *index]])


def demand_broadcast(sizes: Any, value: Sequence[Any], part: Sequence[Any]) -> None:
    """`value` broadcasts to the part that is assigned to; before, it may have axes of size 1."""
    shapes, missing = (tuple(value), tuple(part)), len(part) - len(value)
    for one in value[: max(-missing, 0)]:
        fits = sizes.equal(one, 1)
        sizes.require_late(fits, ShapeMismatchError, CANNOT_ASSIGN, *shapes)
    for one, wanted in zip(value[max(-missing, 0) :], part[max(missing, 0) :], strict=True):
        if (same := sizes.equal(one, wanted)) is not True:
            fits = either(same, sizes.equal(one, 1))
            sizes.require_late(fits, ShapeMismatchError, CANNOT_ASSIGN, *shapes)


CANNOT_ASSIGN = "Cannot assign a value of shape {} to a slice of shape {}"
