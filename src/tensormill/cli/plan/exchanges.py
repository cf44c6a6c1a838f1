"""What devices exchange: which of them together, and along which axes of the mesh."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from ...core.process.named_tuples import NamedTuple
from ...xla.compiled_text import Instruction

KINDS: Final = (
    "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute",
    "collective-broadcast", "ragged-all-to-all",
)  # fmt: skip
_IOTA: Final = re.compile(r"\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?")
# mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'a', 'b':(1)2}
_NAMED: Final = re.compile(r"mesh\[([^\]]*)\](?:,? device_ids=\(([^{]*)\))?[^{]*\{([^}]*)\}")
_SIZED: Final = re.compile(r"'([^']+)'=(\d+)")
_TOGETHER: Final = re.compile(r"'([^']+)'(?::\((\d+)\)(\d+))?")
_TRANSPOSED: Final = re.compile(r"\[([\d,]+)\](?:T\(([\d,]+)\))?")


class DeviceExchange(NamedTuple):
    """One kind of exchange, over one set of axes.

    bytes: of one exchange, what a device has of it when it has most. group: the devices that the
    first one exchanges with, itself among them.
    """

    kind: str
    axes: str
    bytes: int
    group: tuple[int, ...]


def kind_of(instruction: Instruction) -> str | None:
    """The kind of exchange that an instruction is, or begins."""
    kind = instruction.opcode.removesuffix("-start")
    return kind if kind in KINDS else None


def exchange_of(
    instruction: Instruction, operands: int, names: Sequence[str], sizes: Sequence[int]
) -> DeviceExchange:
    """The exchange of an instruction whose operands have so many bytes, on a mesh."""
    kind = kind_of(instruction) or ""
    given = instruction.bytes if instruction.opcode == kind else instruction.bytes - operands
    moved = max(operands, given)
    if "_promoted" in instruction.rest:  # CPUs alone add 16 bits as 32
        moved //= 2
    group = _pair(instruction.rest, sizes) or _group(instruction.rest, prod(sizes))
    return DeviceExchange(kind, _axes(group, names, sizes), moved, group)


def _group(text: str, count: int) -> tuple[int, ...]:
    """The devices of the group that has device 0."""
    if (found := _NAMED.search(text.partition("replica_groups=")[2])) is not None:
        return _named(found)
    if (found := _IOTA.search(text)) is not None:
        shape, dims = (tuple(map(int, one.split(","))) for one in found.group(1, 2))
        order: Any = tuple(map(int, found[3].split(","))) if found[3] else None
        ids = np.arange(prod(dims)).reshape(dims).transpose(order).reshape(shape)
        return tuple(next(row for row in ids.tolist() if 0 in row))
    if (found := re.search(r"replica_groups=\{(\{.*?\})\}", text)) is not None:
        rows = [[*map(int, row.split(","))] for row in re.findall(r"\{([\d, ]+)\}", found[1])]
        return tuple(next(row for row in rows if 0 in row))
    return tuple(range(count))


def _named(found: re.Match[str]) -> tuple[int, ...]:
    sizes = {name: int(size) for name, size in _SIZED.findall(found[1])}
    ids = _device_ids(found[2], prod(sizes.values())).reshape([*sizes.values()])
    together = {name: part for name, *part in _TOGETHER.findall(found[3])}
    # Of an axis that is together in part, 'b':(2)4, only the middle of 2 x 4 x the rest varies.
    split, index = list[int](), list[Any]()
    for name, size in sizes.items():
        before, middle = together.get(name, ("1", "1"))
        parts = (int(before or 1), int(middle or size))
        split += [*parts, size // prod(parts)]
        index += [0, slice(None), 0]
    return tuple(np.asarray(ids.reshape(split)[tuple(index)]).reshape(-1).tolist())


def _device_ids(text: str | None, count: int) -> np.ndarray[Any, Any]:
    """The devices of a mesh, in its order: all of them, or as they are written."""
    if not text:
        return np.arange(count)
    if (found := _TRANSPOSED.match(text)) is None:
        return np.array([*map(int, re.findall(r"\d+", text))])
    sizes = [*map(int, found[1].split(","))]
    order: Any = [*map(int, found[2].split(","))] if found[2] else None
    return np.arange(count).reshape(sizes).transpose(order).reshape(-1)


def _pair(text: str, sizes: Sequence[int]) -> tuple[int, ...]:
    """The devices of one of the longest ways of a permutation."""
    found = re.search(r"source_target_pairs=\{(.*?\})\}", text)
    if found is None:
        return ()
    pairs = [tuple(map(int, one)) for one in re.findall(r"\{(\d+),(\d+)\}", found[1])]
    return max(pairs, key=lambda pair: abs(pair[0] - pair[1]), default=(0,))


def _axes(group: Sequence[int], names: Sequence[str], sizes: Sequence[int]) -> str:
    places = np.unravel_index(np.array(group), tuple(sizes))
    moved = [name for name, along in zip(names, places, strict=True) if len({*along.tolist()}) > 1]
    return ", ".join(moved) or "none"
