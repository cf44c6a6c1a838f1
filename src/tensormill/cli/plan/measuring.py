"""The process that measures: `python -m tensormill.cli.plan.measuring REQUEST RESULT`.

It runs the script with as many host devices as the mesh has, compiles the function for them, and
writes what it found as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ...compat import install
from ...core.specs import TensorSpec
from ...dtensor.meshes import WrongAxes, planned
from ...ops.dispatch.divisions import Division
from ...xla.compiled_text import Instruction
from ...xla.language import NotInXla
from ...xla.partitioned import Absent, Partitioned, partitioned
from .counts import FREE, Counting
from .placing import divisions_of
from .request import CannotPlan, PlanRequest, read_request
from .subject import Subject, Taken, loaded, subject_of

CANNOT: Final = 2
NARROWER: Final = {"bfloat16": "bf16", "float16": "f16"}


def main() -> None:
    """Measure, and write it down.

    Raises:
        SystemExit: 2 where it is refused.
    """
    request, result = read_request(sys.argv[1]), Path(sys.argv[2])
    del sys.argv[1:]
    sys.argv[0] = request.script
    try:
        facts = measured(request)
    except (CannotPlan, WrongAxes) as refusal:
        result.write_text(json.dumps({"refused": str(refusal)}))
        raise SystemExit(CANNOT) from None
    result.write_text(json.dumps(facts))


def measured(request: PlanRequest) -> dict[str, Any]:
    """What the compiler says of the function of a script.

    Raises:
        CannotPlan: there is no such function, or it can not be one program.
    """
    install()
    with planned(request.sizes) as meshes:
        module = loaded(request.script)
        subject = subject_of(module, request)
    return compiled(subject, _axes(meshes, request), request)


def _axes(meshes: Sequence[tuple[str, ...]], request: PlanRequest) -> tuple[str, ...]:
    """The names of the axes: those of the meshes that the script has made."""
    for names in meshes:
        if names != meshes[0]:
            one, other = map(", ".join, (meshes[0], names))
            raise CannotPlan(f"{request.script} makes meshes of the axes {one} and of {other}")
        if request.names_are_own and names != request.axes:
            own, said = map(", ".join, (names, request.axes))
            raise CannotPlan(f"{request.script} makes a mesh of the axes {own}, --mesh says {said}")
    return meshes[0] if meshes else request.axes


def compiled(subject: Subject, axes: tuple[str, ...], request: PlanRequest) -> dict[str, Any]:
    """The same of a function that was found."""
    divisions = divisions_of(subject.taken, axes, request)
    operands = [_operand(*pair) for pair in zip(subject.taken, divisions, strict=True)]
    try:
        found = partitioned(subject.graph, operands)
    except NotInXla as refusal:
        raise CannotPlan(f"{request.function} can not be one program: {refusal}") from None
    counting = Counting(
        found.text, axes, request.sizes, lambda one: _dtype_of(one, found), found.turns
    )
    counts = counting.counts
    used = [k for k, value in enumerate(subject.graph.inputs) if value in found.used]
    return {
        "axes": axes,
        "taken": [_fact(subject.taken[k], divisions[k], found) for k in used],
        "arguments": found.memory.argument_size_in_bytes,
        "results": _returned(found),
        "donated": found.memory.alias_size_in_bytes,
        "temporaries": found.memory.temp_size_in_bytes,
        "work": counts.work, "traffic": counts.traffic, "unknown": sorted(counts.unknown),
        "exchanges": [[*one, count] for one, count in counts.exchanges.items()],
        "largest": _largest(found),
    }  # fmt: skip


def _operand(one: Taken, division: Division) -> Any:
    if one.storage is None:
        return Absent(one.shape, one.dtype, division)
    one.storage.division = division
    return one.storage


def _fact(one: Taken, division: Division, found: Partitioned) -> dict[str, Any]:
    parts = dict(zip(division.names, division.sizes, strict=True))
    pairs = zip(one.shape, division.axes, strict=True)
    local = [size // parts.get(axis or "", 1) for size, axis in pairs]
    size = one.dtype.itemsize
    for number in local:
        size *= number
    return {
        "name": one.name, "kind": one.kind, "dtype": one.dtype.name, "shape": one.shape,
        "axes": division.axes, "bytes": size, "is_changed": one.storage in found.written,
    }  # fmt: skip


def _dtype_of(one: Instruction, found: Partitioned) -> str | None:
    """What the step of an instruction multiplies: CPUs compute in float32 what is narrower."""
    operation = None if one.step is None else found.steps[one.step]
    specs = [value.spec for value in operation.operands] if operation else []
    names = {one.dtype.name if isinstance(one, TensorSpec) else "" for one in specs}
    return NARROWER.get(names.pop()) if len(names) == 1 else None


def _returned(found: Partitioned) -> int:
    """The bytes of all results: XLA's number has a pointer more for each of several."""
    entry = found.text.computations[found.text.entry]
    return next(one.bytes for one in entry.values() if one.is_root)


def _largest(found: Partitioned) -> dict[str, Any] | None:
    """The largest value in between, and where it comes from."""
    made = [
        one
        for one in found.text.computations[found.text.entry].values()
        if one.opcode not in FREE and not one.is_root
    ]
    if not made:
        return None
    largest = max(made, key=lambda one: one.bytes)
    operation = None if largest.step is None else found.steps[largest.step]
    return {
        "shape": ", ".join(map(str, largest.shapes)), "bytes": largest.bytes,
        "operation": operation and operation.name, "line": operation and str(operation.line),
    }  # fmt: skip


if __name__ == "__main__":
    main()
