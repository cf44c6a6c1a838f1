"""Images, and batches of these, as batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...errors import KnownShapeError
from ..array.concatenation import concat, stack
from ..array.shapes import expand_dims, reshape, shape_of, squeeze
from ..control.flow import ensure_shape
from ..conversion import as_tensor, static_value
from ..math.reduce import reduce_prod


def as_batch(
    image: Any, name: str = "'images'", unknown_is_one: bool = False, may_be_empty: bool = False
) -> tuple[Any, bool]:
    """An image as a batch, and whether it was a single one.

    unknown_is_one: whether an image of unknown rank is a single one. may_be_empty: whether one may
    be known to have no pixels.

    Raises:
        ValueError: its rank is neither 3 nor 4, or it has no pixels.
        InvalidArgumentError: it is not a single one, in a function that does not know the rank.
    """
    image = as_tensor(image)
    rank = image.shape.rank
    if rank is None and unknown_is_one:
        image, rank = ensure_shape(image, [None, None, None]), 3
    if rank is None:
        raise ValueError(f"{name} contains no shape.")
    if rank not in (3, 4):
        raise ValueError(f"{name} must have either 3 or 4 dimensions.")
    if not may_be_empty:
        demand_pixels(image)
    return (expand_dims(image, 0), True) if rank == 3 else (image, False)


def demand_pixels(image: Any) -> None:
    """Refuse an image that is known to have no rows, columns or channels.

    Raises:
        ValueError: it has none.
    """
    if 0 in image.shape[-3:].as_list():
        raise KnownShapeError(f"inner 3 dims of 'image.shape' must be > 0: {image.shape}")


def sizes_of(batch: Any) -> tuple[Any, Any]:
    """Height and width: ints where they are known, else tensors."""
    known, found = batch.shape.entries, shape_of(batch)
    height, width = (found[k] if known[k] is None else known[k] for k in (1, 2))
    return height, width


def of_each(image: Any, change: Callable[[Any], Any], name: str | None = None) -> Any:
    """`change(batch)` of an image or a batch, whose rank a function need not know.

    Raises:
        ValueError: its rank is neither 3 nor 4.
        InvalidArgumentError: its rank is below 3, in a function that does not know it.
    """
    image = as_tensor(image)
    if image.shape.rank is None:
        sizes = shape_of(image)
        many, own = sizes[:-3], [sizes[axis] for axis in (-3, -2, -1)]
        changed = change(reshape(image, stack([reduce_prod(many), *own])))
        return reshape(changed, concat([many, shape_of(changed)[1:]], 0), name=name)
    batch, single = as_batch(image, "'image'")
    changed = change(batch)
    return squeeze(changed, [0], name=name) if single else changed


def of_sizes(changed: Any, batch: Any, height: Any, width: Any) -> Any:
    """`changed`, with all that is known of it: images of `batch`, now so high and wide."""
    if changed.shape.is_fully_defined():
        return changed
    count, *_, channels = batch.shape.entries
    known = [static_value(as_tensor(size)) for size in (height, width)]
    sides = [None if size is None else int(size) for size in known]
    return ensure_shape(changed, [count, *sides, channels])
