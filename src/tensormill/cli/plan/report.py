"""What was measured, and the times that it takes, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from .devices import Chip
from .exchanges import DeviceExchange
from .request import PlanRequest
from .times import NARROW, speed_of, time_of, time_of_work

PREFIXES: Final = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
MOST_TENSORS: Final = 8


class PlanRow(NamedTuple):
    """One line: a word, how much it is, how long that takes, and what was reckoned with."""

    word: str
    amount: str
    seconds: str = ""
    remark: str = ""


def report(facts: Mapping[str, Any], request: PlanRequest, name: str, chip: Chip) -> Iterator[str]:
    """The lines of the report."""
    mesh = ", ".join(f"{a}={n}" for a, n in zip(facts["axes"], request.sizes, strict=True))
    yield f"{request.script}:{request.function} on {request.devices} x {name} ({mesh})"
    yield "Each device, in each step:"
    yield ""
    yield from _aligned([*_times(facts, chip)])
    yield ""
    yield from _aligned([*_memory(facts)])
    excess = excess_of(facts, chip)
    total = amount(total_of(facts), "B")
    if excess is None:
        yield f"It fits: {total} of {amount(chip.memory, 'B')}."
    else:
        room = f"{total} of {amount(chip.memory, 'B')}"
        yield f"It does not fit: {room}; there is no room for {excess}."
    for one in facts["unknown"]:
        yield f"Not counted: {one}."


def _times(facts: Mapping[str, Any], chip: Chip) -> Iterator[PlanRow]:
    work = time_of_work(facts["work"], chip)
    for dtype, number in facts["work"].items():
        speed = chip.work if dtype in NARROW else chip.wide_work
        took = seconds(number / speed)
        yield PlanRow(
            "products", f"{amount(number, 'FLOP')} {dtype}", took, amount(speed, "FLOP/s")
        )
    traffic = facts["traffic"] / chip.bandwidth
    speed = amount(chip.bandwidth, "B/s")
    yield PlanRow("memory", amount(facts["traffic"], "B"), seconds(traffic), speed)
    exchanged = 0.0
    for kind, axes, size, group, count in facts["exchanges"]:
        one = DeviceExchange(kind, axes, size, tuple(group))
        exchanged += count * time_of(one, chip)
        yield PlanRow(
            kind, f"{count} x {amount(size, 'B')}", seconds(count * time_of(one, chip)),
            f"{amount(speed_of(one, chip), 'B/s')} along {axes}",
        )  # fmt: skip
    apart = max(work, traffic) + exchanged
    least = max(work, traffic, exchanged)
    yield PlanRow("a step", "", seconds(apart), f"{seconds(least)} where exchanges overlap")


def _memory(facts: Mapping[str, Any]) -> Iterator[PlanRow]:
    taken = sorted(facts["taken"], key=lambda one: -one["bytes"])
    for one in taken[:MOST_TENSORS]:
        yield PlanRow(one["name"], amount(one["bytes"], "B"), "", _described(one))
    if rest := taken[MOST_TENSORS:]:
        yield PlanRow(f"{len(rest)} more", amount(sum(one["bytes"] for one in rest), "B"))
    results = facts["results"] - facts["donated"]
    yield PlanRow("results", amount(results, "B"), "", "besides variables, which change in place")
    yield PlanRow("in between", amount(facts["temporaries"], "B"), "", _largest(facts))


def _described(one: Mapping[str, Any]) -> str:
    axes = [axis for axis in one["axes"] if axis is not None]
    how = f"divided along {', '.join(axes)}" if axes else "whole"
    return f"{one['kind']}, {one['dtype']}[{','.join(map(str, one['shape']))}], {how}"


def _largest(facts: Mapping[str, Any]) -> str:
    one = facts["largest"]
    if one is None:
        return ""
    source = f", {one['operation']} ({one['line']})" if one["operation"] else ""
    return f"the largest: {one['shape']}, {amount(one['bytes'], 'B')}{source}"


def total_of(facts: Mapping[str, Any]) -> int:
    """Bytes in the memory of a device; what is donated is there once."""
    given: int = facts["arguments"] + facts["results"] - facts["donated"]
    return given + int(facts["temporaries"])


def excess_of(facts: Mapping[str, Any], chip: Chip) -> str | None:
    """The first thing for which there is no room, variables before arguments; None: all fits."""
    total = 0
    order = ("variable", "constant", "argument")
    taken: Sequence[Any] = sorted(facts["taken"], key=lambda one: order.index(one["kind"]))
    parts = [(f"{one['name']} ({_described(one)})", one["bytes"]) for one in taken]
    parts.append(("what it returns", facts["results"] - facts["donated"]))
    parts.append((f"what it keeps in between ({_largest(facts)})", facts["temporaries"]))
    for what, size in parts:
        total += size
        if total > chip.memory:
            return what
    return None


def _aligned(rows: Sequence[PlanRow]) -> Iterator[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(3)]
    for row in rows:
        word, size, took = (row[k].ljust(widths[k]) for k in range(3))
        yield f"  {word}  {size}  {took}  {row.remark}".rstrip()


def amount(number: float, unit: str) -> str:
    """A number with three digits, in a multiple of a unit."""
    for scale, prefix in PREFIXES:
        if number >= scale:
            return f"{number / scale:.3g} {prefix}{unit}"
    return f"{number:.3g} {unit}"


def seconds(number: float) -> str:
    """A time with three digits."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if number >= scale:
            return f"{number / scale:.3g} {unit}"
    return f"{number / 1e-9:.3g} ns"
