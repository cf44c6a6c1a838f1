"""Which operations of a graph that grows write which variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ops.control.functional import effects_of, variable_among
from ..ops.effects import Reads, Writes
from .operation import Operation


class WriteOrder:
    """Looks at each operation once, when it is first asked about one that comes later."""

    def __init__(self) -> None:
        self._places: dict[Operation, int] = {}
        self._first: dict[int, int] = {}  # where a variable is first written, by its handle's id

    def come_before(self, operations: Sequence[Operation], handle: Any, reader: Any) -> bool:
        """Whether any of `operations` writes the variable in front of `reader` (None: at all)."""
        for place in range(len(self._places), len(operations)):
            operation = operations[place]
            self._places[operation] = place
            for written in handles(operation, Writes):
                self._first.setdefault(id(written), place)
        end = len(operations) if reader is None else self._places[reader]
        return self._first.get(id(handle), end) < end


def handles(operation: Operation, wanted: type[Reads | Writes]) -> Iterator[Any]:
    """The variables that an operation reads, or those that it writes."""
    if operation.kind is None:
        return
    for effect in effects_of(operation.kind, operation.attrs):
        if isinstance(effect, wanted):
            yield variable_among(operation.kind, operation.grouped(operation.inputs), effect)
