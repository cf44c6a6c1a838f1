"""What reading graphs for sizes has found (sizes/kept_sizes.py), for those who lower them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, final

from ....graph.ir import Application

# A loop: the operation, within the operations in whose graphs it is.
Path: TypeAlias = tuple[Application, ...]
# What of a loop may change: an axis of what it carries as this number, or (None) of its elements.
Place: TypeAlias = tuple[int, int | None]


@final
class KeptSizes:
    """The answer: what each loop changes; a loop that was not read keeps nothing."""

    def __init__(self, changes: dict[Path, set[Place]] | None = None) -> None:
        self._changes = changes or {}

    def of(self, path: Iterable[Application]) -> Callable[[int, int | None], bool]:
        """Whether the loop at `path` keeps a size."""
        changes = self._changes.get(tuple(path))
        return lambda number, axis: changes is not None and (number, axis) not in changes
