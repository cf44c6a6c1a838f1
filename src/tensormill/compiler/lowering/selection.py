"""Arrays whose length depends on values: the places where a condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ..loops.ir import Address, Allocate, Bind, Set
from .arrays import Array
from .reductions import reduce
from .scalars import SCALARS, Scalar, literal

if TYPE_CHECKING:
    from .builder import Builder


def places(builder: Builder, condition: Array) -> Array:
    """The indices of the true elements of a bool array, in row-major order: int64 [n, rank].

    They are counted first, so that only as much memory is taken as they need.
    """
    if condition.element is not None and condition.cost > 0:
        builder.force(condition)
    blocks, shape = builder.blocks, condition.shape

    def one(_: Any, index: Any) -> Scalar:
        return SCALARS.cast(condition[index], dtypes.int64)

    count = reduce(builder, "sum", (), shape, dtypes.int64, one)[()]
    # Every element is stored where the next true one goes, so that there is no branch to guess
    # wrong; what the last ones leave behind the end is in a row of its own.
    buffer = blocks.temporary(dtypes.int64, (count + 1, len(shape)), "places")
    blocks.emit(Allocate(buffer))
    found = blocks.register("found", dtypes.int64, literal(0, dtypes.int64))
    place = Scalar(found, dtypes.int64)

    def body(*index: Any) -> None:
        for axis, here in enumerate(index):
            builder.store(buffer, (place, axis), here)
        blocks.emit(Set(found, blocks.named(place + one((), index))))

    builder.nest(shape, body, parallel=False)
    rows = blocks.pointed(dtypes.int64, (count, len(shape)), "places")
    blocks.emit(Bind(rows, Address(buffer)))
    return builder.stored(rows, dtypes.int64, (count, len(shape)))
