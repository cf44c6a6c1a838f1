"""Images, and batches of these, as batches."""

from __future__ import annotations

from typing import Any

from ..array.shapes import expand_dims, shape_of
from ..conversion import as_tensor


def as_batch(image: Any, name: str = "'images'") -> tuple[Any, bool]:
    """An image as a batch, and whether it was a single one.

    Raises:
        ValueError: its rank is neither 3 nor 4.
    """
    image = as_tensor(image)
    rank = image.shape.rank
    if rank is None:
        raise ValueError(f"{name} contains no shape.")
    if rank not in (3, 4):
        raise ValueError(f"{name} must have either 3 or 4 dimensions.")
    return (expand_dims(image, 0), True) if rank == 3 else (image, False)


def sizes_of(batch: Any) -> tuple[Any, Any]:
    """Height and width: ints where they are known, else tensors."""
    known, found = batch.shape.entries, shape_of(batch)
    height, width = (found[k] if known[k] is None else known[k] for k in (1, 2))
    return height, width
