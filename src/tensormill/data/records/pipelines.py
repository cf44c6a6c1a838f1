"""What functions that read many files into batches have in common."""

from __future__ import annotations

from typing import Any

from ...core.files import gfile
from ..dataset import DatasetV2


def files_matching(patterns: Any) -> list[str]:
    """The files that match a pattern or several, in order.

    Raises:
        ValueError: there are none.
    """
    listed = list(patterns) if isinstance(patterns, (list, tuple)) else [patterns]
    if not listed:
        raise ValueError("Argument `file_pattern` should not be empty.")
    found = sorted(path for pattern in listed for path in gfile.glob(gfile.text(pattern)))
    if not found:
        raise ValueError(f"No files match `file_pattern` {patterns}.")
    return found


def shuffled_and_repeated(
    dataset: DatasetV2, epochs: int | None, shuffle: bool, buffer_size: int, seed: int | None
) -> DatasetV2:
    """The elements, shuffled anew each time that they come."""
    if shuffle:
        dataset = dataset.shuffle(buffer_size, seed)
    return dataset if epochs == 1 else dataset.repeat(epochs)
