"""Datasets of users' types that say themselves which tensors stand for them in batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..control import encodings


def batched(dataset: Any, batch: Callable[[Any], Any], size: int | None) -> Any:
    """A dataset in batches, as `batch` makes them of a dataset of tensors."""
    spec = dataset.element_spec
    parts = batch(dataset.map(lambda *element: encodings.encoded(_element(element, spec), 0)))
    return _decoded(parts, encodings.batched(spec, size))


def unbatched(dataset: Any) -> Any:
    """The rows of each element."""
    spec = dataset.element_spec
    parts = dataset.map(lambda *element: encodings.encoded(_element(element, spec), 1)).unbatch()
    return _decoded(parts, encodings.unbatched(spec))


def _decoded(parts: Any, spec: Any) -> Any:
    whole = isinstance(parts.element_spec, tuple)
    return parts.map(lambda *part: encodings.decoded(spec, part if whole else part[0]))


def _element(element: tuple[Any, ...], spec: Any) -> Any:
    """What a function of `map` is given, as one value."""
    return element if isinstance(spec, tuple) else element[0]
