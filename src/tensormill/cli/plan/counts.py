"""What one device does in a compiled program: work, memory traffic, exchanges.

Bodies of loops count as often as they run, where the compiler knows that; of branches the one that
works most. Work is that of products and convolutions: two operations for each number that is
multiplied and added.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Final, final

from ...xla.compiled_text import CompiledText, Instruction
from .exchanges import DeviceExchange, exchange_of, kind_of

# These move nothing: they say where something lies, or what they call moves it.
FREE: Final = frozenset((
    "parameter", "constant", "tuple", "get-tuple-element", "bitcast", "while", "conditional",
    "call", "after-all", "partition-id", "replica-id", "opt-barrier", "iota",
))  # fmt: skip
SLICES: Final = frozenset(("dynamic-slice", "slice", "gather"))
# What operands are computed in: of the step an instruction belongs to, where that says it.
DtypeOf = Callable[[Instruction], str | None]


@dataclass
class Counts:
    """What is done once, or so many times."""

    work: Counter[str] = field(default_factory=Counter[str])  # by dtype
    traffic: int = 0  # bytes
    exchanges: Counter[DeviceExchange] = field(default_factory=Counter[DeviceExchange])
    unknown: set[str] = field(default_factory=set[str])

    def add(self, other: Counts, times: int = 1) -> None:
        for own, more in ((self.work, other.work), (self.exchanges, other.exchanges)):
            for key, number in more.items():
                own[key] += number * times  # type: ignore[index]
        self.traffic += other.traffic * times
        self.unknown |= other.unknown


@final
class Counting:
    """Counts a program for a mesh."""

    def __init__(
        self, text: CompiledText, names: Sequence[str], sizes: Sequence[int], dtype_of: DtypeOf,
        turns: Mapping[int, int],
    ) -> None:  # fmt: skip
        self._computations: Final = text.computations
        self._entry: Final = text.entry
        self._names, self._sizes = tuple(names), tuple(sizes)
        self._dtype_of: Final = dtype_of
        self._turns: Final = turns  # of loops, by the numbers of steps
        self._known: Final[dict[str, Counts]] = {}

    @property
    def counts(self) -> Counts:
        """Those of the whole program."""
        return self._of(self._entry)

    def _of(self, computation: str) -> Counts:
        found = self._known.get(computation)
        if found is None:
            found = self._known[computation] = Counts()
            known = self._computations[computation]
            for one in known.values():
                self._count(one, known, found)
        return found

    def _count(self, one: Instruction, known: Mapping[str, Instruction], found: Counts) -> None:
        if one.opcode == "while":
            self._loop(one, found)
        elif one.opcode == "conditional":
            branches = [self._of(name) for name in _branches(one)]
            found.add(max(branches, key=lambda branch: branch.work.total()))
        elif one.opcode in ("call", "async-start"):
            for name in one.called("to_apply") + one.called("calls"):
                found.add(self._of(name))
        elif one.opcode == "fusion":
            for name in one.called("calls"):
                found.work.update(self._of(name).work)
        if kind_of(one) is not None:
            moved = sum(known[name].bytes for name in one.operands)
            found.exchanges[exchange_of(one, moved, self._names, self._sizes)] += 1
        elif one.opcode == "custom-call":
            target = re.search(r'custom_call_target="([^"]*)"', one.rest)
            found.unknown.add(target[1] if target else "custom-call")
        if work := work_of(one, known):
            found.work[self._dtype_of(one) or one.shapes[0].dtype] += work
        found.traffic += self._moved(one, known)

    def _loop(self, one: Instruction, found: Counts) -> None:
        seen = re.search(r'"known_trip_count":\{"n":"(\d+)"', one.rest)
        times = int(seen[1]) if seen else self._turns.get(-1 if one.step is None else one.step)
        if times is None:
            found.unknown.add("the turns of a loop, which counts as one turn")
            times = 1
        for word in ("body", "condition"):
            for name in one.called(word):
                found.add(self._of(name), times)

    def _moved(self, one: Instruction, known: Mapping[str, Instruction]) -> int:
        """The bytes that an instruction reads and writes."""
        if one.opcode in FREE:
            return 0
        if one.opcode in SLICES:
            return 2 * one.bytes
        if one.opcode == "dynamic-update-slice":
            return 2 * known[one.operands[1]].bytes
        if one.opcode == "fusion":
            return self._moved_by_fusion(one)
        return one.bytes + sum(known[name].bytes for name in one.operands)

    def _moved_by_fusion(self, one: Instruction) -> int:
        """Of what is only cut out, or only written in part, these parts."""
        (name,) = one.called("calls")
        inside = self._computations[name]
        total = 0
        for given in inside.values():
            if given.opcode == "parameter":
                uses = [use for use in inside.values() if given.name in use.operands]
                total += _read_by(given, uses)
            elif given.is_root:
                is_part = given.opcode == "dynamic-update-slice"
                total += inside[given.operands[1]].bytes if is_part else given.bytes
        return total


def _read_by(given: Instruction, uses: Sequence[Instruction]) -> int:
    read = 0
    for use in uses:
        if use.opcode == "dynamic-update-slice" and use.operands[0] == given.name:
            continue
        if use.opcode not in SLICES or use.operands[0] != given.name:
            return given.bytes
        read += use.bytes
    return min(read, given.bytes)


def _branches(one: Instruction) -> list[str]:
    words = ("branch_computations", "true_computation", "false_computation")
    return [name for word in words for name in one.called(word)]


def work_of(one: Instruction, known: Mapping[str, Instruction]) -> int:
    """The operations of a product or a convolution; 0 for other instructions."""
    if one.opcode == "dot":
        (left,) = known[one.operands[0]].shapes
        inner = prod(left.sizes[axis] for axis in one.numbers("lhs_contracting_dims"))
        return 2 * prod(one.shapes[0].sizes) * inner
    if one.opcode == "convolution":
        (kernel,) = known[one.operands[1]].shapes
        labels = re.search(r"dim_labels=\w+_(\w+)->", one.rest)
        assert labels is not None, one.rest
        inner = prod(kernel.sizes) // max(1, kernel.sizes[labels[1].index("o")])
        apart = re.search(r"lhs_dilate=([\dx]+)", one.rest)
        spread = prod(map(int, apart[1].split("x"))) if apart else 1
        return 2 * prod(one.shapes[0].sizes) * inner // spread
    return 0
