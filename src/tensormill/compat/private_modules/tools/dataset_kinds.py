"""Classes that TensorFlow has for single transformations of datasets: `isinstance` asks them."""

from __future__ import annotations

from typing import Any

from ....data.base import class_of_label
from ....data.dataset import DatasetV2


def __getattr__(name: str) -> Any:
    """The class of all datasets that are called so, such as `_BatchDataset`."""
    if name.startswith("__") or not name.endswith("Dataset"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return class_of_label(DatasetV2, name)
