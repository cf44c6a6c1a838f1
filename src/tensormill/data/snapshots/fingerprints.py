"""`Dataset.fingerprint`: a number that says which elements a dataset has.

It is made of how the dataset was made: kinds of nodes, tensors, options, the graphs of users'
functions and what these captured. Names, source lines and seeds that nobody gave are left out, so
that another process finds the same number for the same program.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from hashlib import blake2b
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...core.dtypes import DType
from ...core.shapes import TensorShape
from ...core.text import strings_in
from ...core.type_spec import TypeSpec
from ...eager.storage import Storage
from ...eager.tensor import EagerHandle, EagerTensor, wrap
from ...graph.ir import Graph, Value
from ...graph.nested_graphs import every_operation
from ...ops.control.functional import effects_of
from ...ops.effects import Writes
from ..functions import CompiledFunction
from ..nodes.node import Element, Node
from ..operations import Recipe
from ..seeds import Seeds


def fingerprint(node: Node, of_contents: bool = False) -> int:
    """64 bits. `of_contents`: of the values that variables have now, and of when the files that are
    read were written last, as well: elements that are kept are of these. Where functions assign
    variables themselves (count what they do), values say nothing.
    """
    digest = _Digest(of_contents, of_contents and _assigns(node))
    digest.add(node)
    return digest.number()


def fingerprint_tensors(node: Node) -> Element:
    """The same, as an uint64 scalar."""
    return (wrap(np.array(fingerprint(node), np.uint64)),)


class _Digest:
    """Reads objects. One that occurs again is named by its number."""

    def __init__(self, of_contents: bool, assigns: bool) -> None:
        self._of_contents = of_contents
        self._of_variables = of_contents and not assigns
        self._hash = blake2b(digest_size=8)
        self._seen: dict[int, tuple[int, Any]] = {}

    def number(self) -> int:
        return int.from_bytes(self._hash.digest(), "little")

    def _say(self, *words: Any) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode()
            self._hash.update(len(data).to_bytes(8, "little") + data)

    def add(self, value: Any) -> None:
        """Read a value."""
        match value:
            case Recipe():
                self._object(value, lambda: self._all(value.make, value.specs))
            case None | bool() | int() | float() | complex() | str() | bytes():
                self._say(type(value).__name__, value)
            case DType() | TensorShape() | TypeSpec() | np.dtype():
                self._say(repr(value))
            case np.ndarray() | np.generic():
                self._array(np.asarray(value))
            case EagerTensor() | EagerHandle():
                self.add(value._array)
            case list() | tuple():
                self._say("row", len(value))
                self._all(*value)
            case Mapping():
                self._say("table", len(value))
                self._all(*(part for pair in value.items() for part in pair))
            case set() | frozenset():
                self._all("set", *sorted(map(str, value)))
            case _:
                self._object(value, lambda: self._look_into(value))

    def _all(self, *values: Any) -> None:
        for value in values:
            self.add(value)

    def _array(self, array: np.ndarray[Any, Any]) -> None:
        self._say("array", array.dtype.str, array.shape)
        if array.dtype.kind == "O":
            self._say(*strings_in(array))
        else:
            self._hash.update(array.tobytes())

    def _object(self, value: Any, look: Any) -> None:
        if id(value) in self._seen:
            self._say("again", self._seen[id(value)][0])
            return
        self._seen[id(value)] = len(self._seen), value  # kept, so that its number is its own
        look()

    def _look_into(self, value: Any) -> None:
        match value:
            case Storage():
                self._all("variable", value.read() if self._of_variables else None)
            case Node() if value.recipe is not None:
                make, operands = value.recipe
                self._all(*map(_state_of_file, value.files if self._of_contents else ()))
                self._all(make, list(value.inputs), list(operands))
            case CompiledFunction():
                self._all("function", value.graph, list(value.captured))
            case Graph():
                self._graph(value)
            case Seeds():
                self._all("seeds", value.asked, value.is_fresh)
            case partial():
                self._all("partial", value.func, value.args, value.keywords)
            case MethodType():
                self._all("method", value.__func__, value.__self__)
            case FunctionType():
                cells = [cell.cell_contents for cell in value.__closure__ or ()]
                self._all(value.__module__, value.__code__, value.__defaults__, cells)
            case CodeType():
                self._all(value.co_code, list(value.co_consts), value.co_names)
            case type() | ModuleType() | BuiltinFunctionType():
                self._say(getattr(value, "__qualname__", value.__name__), value.__module__
                          if isinstance(value, type) else "")  # fmt: skip
            case _:
                self._all(type(value), dict(getattr(value, "__dict__", {})))

    def _graph(self, graph: Graph) -> None:
        numbers: dict[Value, int] = {}
        for value in graph.inputs:
            numbers[value] = len(numbers)
        self._all("graph", [value.spec for value in graph.inputs])
        for operation in graph.operations:
            self._say(operation.op.name, [numbers[value] for value in operation.operands])
            self.add(dict(sorted(operation.attrs.items())))
            for value in operation.results:
                numbers[value] = len(numbers)
        self._say([numbers[value] for value in graph.returns])


def _state_of_file(name: str) -> tuple[int, int] | None:
    """Size and time of the last change; None where there is no such file."""
    try:
        found = os.stat(name)
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _assigns(node: Node) -> bool:
    steps = (step for one in node.functions for step in every_operation(one.graph))
    effects = (effect for step in steps for effect in effects_of(step.op, step.attrs))
    return any(isinstance(one, Writes) for one in effects) or any(map(_assigns, node.inputs))
