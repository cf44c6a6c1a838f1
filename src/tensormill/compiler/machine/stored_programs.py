"""What the disk cache knows of a compiled graph, so that a hit needs no lowering.

    graph ──graph_key──► text ──► its hash names an entry (cache.py)
                                    │ there: object code, and JSON ──restored──► Lowered
                                    │        with the graph that is at hand; no LLVM is loaded
                                    └ not there: lowered and compiled, then put there with
                                             `description`; a program that calls Python, or keeps
                                             its objects, is stored by its LLVM IR alone

The key is made of everything in the graph that decides its code: operations, attributes, constants,
specs, and which value goes where. Names and source lines are left out; a failed check finds its
operation by its position, and so reports the lines that the graph has now.
"""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np

from ...core.dtypes import DType
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...errors import own_name
from ...graph.ir import Graph, Value
from ...graph.nested_graphs import every_operation
from ..lowered import ArrayInput, Failure, Lowered, PlainInput, VariableInput
from .cache import Json


class NotStorable(Exception):
    """Something in a graph has no text that determines it."""


def graph_key(graph: Graph, parameters: int) -> str | None:
    """Text that determines the code of a graph; None where there is none."""
    described = _Description()
    try:
        described.add(graph)
    except NotStorable:
        return None
    return "\n".join([f"parameters {parameters}", *described.lines])


class _Description:
    """The text of a graph. A graph that occurs in it again is named by its number."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers: dict[Graph, int] = {}

    def add(self, graph: Graph) -> None:
        lines = self.lines
        numbers: dict[Value, int] = {}
        for value in graph.inputs:
            numbers[value] = len(numbers)
        lines.append("graph " + " ".join(value.spec.short for value in graph.inputs))
        for operation in graph.operations:
            operands = ",".join([str(numbers[value]) for value in operation.operands])
            results = " ".join([value.spec.short for value in operation.results])
            attrs = [f"{n}={self._attr(v)}" for n, v in sorted(operation.attrs.items())]
            lines.append(
                f"{operation.op.name} {operands} {operation.counts} {' '.join(attrs)} -> {results}"
            )
            for value in operation.results:
                numbers[value] = len(numbers)
        lines.append("return " + ",".join([str(numbers[value]) for value in graph.returns]))

    def _attr(self, value: Any) -> str:
        match value:
            case None | bool() | int() | str():
                return f"{type(value).__name__}:{value!r}"
            case float():
                return value.hex()
            case DType():
                return value.short
            case TensorShape() | TensorSpec():
                return str(value)
            case np.ndarray():
                return _array(cast("np.ndarray[Any, Any]", value))
            case Graph():
                return self._inner(value)
            case list() | tuple():
                return f"[{','.join([self._attr(one) for one in cast(Sequence[Any], value)])}]"
            case _:
                raise NotStorable(type(value).__name__)

    def _inner(self, graph: Graph) -> str:
        if graph in self._numbers:
            return f"{{{self._numbers[graph]}}}"
        number = self._numbers[graph] = len(self._numbers)
        outer, self.lines = self.lines, list[str]()
        self.add(graph)
        inside, self.lines = self.lines, outer
        return "{" + "\n".join([str(number), *inside]) + "}"


def _array(value: np.ndarray[Any, Any]) -> str:
    if value.dtype.kind == "O":
        elements = value.reshape(-1).tolist()
        if not all(isinstance(one, (bytes, str)) for one in elements):
            raise NotStorable("objects")
        return f"strings{value.shape}{elements!r}"
    return f"{value.dtype.str}{value.shape}{value.tobytes().hex()}"


# ---------------------------------------------------------------- what is stored


def description(lowered: Lowered, graph: Graph) -> dict[str, Json] | None:
    """What `restored` needs; None where a program is not plain or a failure has no place."""
    if not lowered.is_plain:
        return None
    places = {operation: k for k, operation in enumerate(every_operation(graph))}
    failures: list[Json] = []
    for failure in lowered.failures:
        if failure.operation is not None and failure.operation not in places:
            return None
        place = None if failure.operation is None else places[failure.operation]
        failures.append([own_name(failure.error), failure.message, place])
    return {
        "frame": lowered.frame_entries,
        "inputs": [_described(one) for one in lowered.plain_inputs],
        "outputs": [one if isinstance(one, int) else None for one in lowered.outputs],
        "counters": list[Json](lowered.counters),
        "failures": failures,
    }


def restored(stored: Mapping[str, Any], graph: Graph) -> Lowered:
    """What `description` described, for a graph with the same key."""
    inputs = tuple(
        _input(kind, word, written, value.spec)
        for (kind, word, written), value in zip(stored["inputs"], graph.inputs, strict=True)
    )
    outputs = tuple(
        value.spec if number is None else number
        for number, value in zip(stored["outputs"], graph.returns, strict=True)
    )
    operations = [*every_operation(graph)] if stored["failures"] else []
    failures = tuple(
        Failure(_error(name), message, None if place is None else operations[place])
        for name, message, place in cast("list[tuple[str, str, int | None]]", stored["failures"])
    )
    counters = tuple(bool(one) for one in stored["counters"])
    return Lowered(None, stored["frame"], inputs, outputs, counters, failures, (), ())


def _described(given: PlainInput) -> Json:
    match given:
        case ArrayInput():
            return ["array", given.word, False]
        case VariableInput():
            return ["state", given.word, given.written]


def _input(kind: Literal["array", "state"], word: int, written: bool, spec: Any) -> PlainInput:
    match kind:
        case "array":
            return ArrayInput(word, spec)
        case "state":
            return VariableInput(word, spec, written)


def _error(name: str) -> type[Exception]:
    errors = importlib.import_module("...errors", __package__)  # `from ..` finds the public names
    return getattr(errors, name, None) or getattr(builtins, name)
