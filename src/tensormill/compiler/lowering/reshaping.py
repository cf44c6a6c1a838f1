"""The same elements under another shape, without moving them where that can be avoided."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..loops.ir import Address, Allocate, Bind
from . import state
from .arrays import Array, Size, same_size
from .emitter import Emitter
from .scalars import Scalar, literal


def reshape(builder: Emitter, x: Array, shape: tuple[Size, ...]) -> Array:
    """Unit axes and split axes are index arithmetic; merged axes need the memory in a row."""
    if (renamed := builder.renamed(x, shape)) is not None:
        return renamed
    if (places := _unit_axes(x.shape, shape)) is not None:
        return builder.view(shape, x.dtype, lambda *index: x[places(index)])
    if (groups := _splits(x.shape, shape)) is not None:
        return builder.view(shape, x.dtype, lambda *index: x[_merge(groups, shape, index)])
    return _through_flat_memory(builder, x, shape)


def _unit_axes(old: tuple[Size, ...], new: tuple[Size, ...]) -> Any:
    """How an index of `new` becomes one of `old` where they differ by axes of size 1 only."""
    kept_old = [axis for axis, size in enumerate(old) if not _is_one(size)]
    kept_new = [axis for axis, size in enumerate(new) if not _is_one(size)]
    if len(kept_old) != len(kept_new):
        return None
    if not all(same_size(old[a], new[b]) for a, b in zip(kept_old, kept_new, strict=True)):
        return None
    source = dict(zip(kept_old, kept_new, strict=True))

    def places(index: Any) -> list[Any]:
        return [index[source[axis]] if axis in source else 0 for axis in range(len(old))]

    return places


def _is_one(size: Size) -> bool:
    return isinstance(size, int) and size == 1


def _splits(old: tuple[Size, ...], new: tuple[Size, ...]) -> list[list[int]] | None:
    """For each axis of `old` the axes of `new` that it splits into, or None."""
    groups: list[list[int]] = []
    position = 0
    for size in old:
        group: list[int] = []
        product = 1
        if position < len(new) and same_size(size, new[position]):
            groups.append([position])
            position += 1
            continue
        while isinstance(size, int) and product != size and position < len(new):
            part = new[position]
            if not isinstance(part, int) or part == 0:
                return None
            product *= part
            group.append(position)
            position += 1
        if not isinstance(size, int) or product != size:
            return None
        groups.append(group)
    while position < len(new) and _is_one(new[position]):
        position += 1
    return groups if position == len(new) else None


def _merge(groups: list[list[int]], shape: tuple[Size, ...], index: Any) -> list[Any]:
    places: list[Any] = []
    for group in groups:
        place: Any = index[group[0]] if group else 0
        for axis in group[1:]:
            place = place * shape[axis] + index[axis]
        places.append(place)
    return places


def _through_flat_memory(builder: Emitter, x: Array, shape: tuple[Size, ...]) -> Array:
    """Elements in a row in memory, read with a linear index."""
    row = _row(builder, x)
    return builder.view(shape, x.dtype, lambda *index: row[(linear(shape, index),)])


def _row(builder: Emitter, x: Array) -> Array:
    """The elements as a vector: the memory itself where nobody ever writes it, else a copy."""
    count = state.memory_count(builder, x.shape)
    if x.buffer is not None and x.buffer.space in ("input", "constant"):
        flat = builder.blocks.pointed(x.dtype, (count,), "flat")
        builder.blocks.emit(Bind(flat, Address(x.buffer)))
        return builder.stored(flat, x.dtype, (count,))
    flat = builder.blocks.temporary(x.dtype, (count,), "flat")
    builder.blocks.emit(Allocate(flat))
    builder.nest(x.shape, lambda *index: builder.store(flat, (linear(x.shape, index),), x[index]))
    return builder.stored(flat, x.dtype, (count,))


def linear(shape: tuple[Size, ...], index: Any) -> Scalar:
    """The place of `index` in row-major order."""
    place: Any = literal(0, dtypes.int64)
    for size, one in zip(shape, index, strict=True):
        place = place * size + one
    return place
