"""What running an operation does besides giving results."""

from __future__ import annotations

from dataclasses import dataclass

from ..ops.functional import effects_of, operand_called
from .ir import Operation, Value


@dataclass(frozen=True, slots=True)
class Effects:
    """`reads` and `writes` are handles; `others` are "prints", "random", "checks", "python", ...

    A handle that an operation gets by a way that cannot be followed makes it read or write
    `everything`.
    """

    reads: frozenset[Value] = frozenset()
    writes: frozenset[Value] = frozenset()
    others: frozenset[str] = frozenset()
    everything: bool = False

    def __bool__(self) -> bool:
        return bool(self.reads or self.writes or self.others or self.everything)


def effects(operation: Operation) -> Effects:
    """The effects of one operation; those of its graphs, where it runs some."""
    reads: set[Value] = set()
    writes: set[Value] = set()
    others: set[str] = set()
    everything = False
    for effect in effects_of(operation.op, operation.attrs):
        kind, _, resource = effect.partition(" ")
        if not resource:
            others.add(kind)
            continue
        handle = operand_called(operation, resource)
        if not isinstance(handle, Value):
            everything = True
        else:
            (reads if kind == "reads" else writes).add(handle)
    return Effects(frozenset(reads), frozenset(writes), frozenset(others), everything)
