"""Graphs as text. `parse.py` reads it back.

    graph step(x: f32[?, 8], w: f32[8, 4])[v: resource<f32[4]>] -> f32[?, 4]:
      h: f32[?, 4] = MatMul(x, w, transpose_b=True)     # train.py:12
      b: f32[4] = ReadVariableOp(v, dtype=f32)
      y: f32[?, 4] = StatelessIf(c, [h, b], then_branch=@then, else_branch=@otherwise)
      return y

    graph then(h: f32[?, 4], b: f32[4]) -> f32[?, 4]:
      ...

Captures stand in brackets after the parameters. Operands come first, a list of them in brackets,
then the attributes that are not at their defaults. Graphs among the attributes are printed below
under their names. An operation is called as its first result; one without results says `as "name"`.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from ..core.dtypes import DType, of_storage
from ..core.shapes import TensorShape
from ..core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec, ValueSpec
from ..ops.constant import Const
from .ir import Application, Graph, Value

# An array of more elements is written as its bytes.
LARGEST_LITERAL: Final = 64
_COMMENT_COLUMN: Final = 56

Array = np.ndarray[Any, Any]


def print_graph(graph: Graph, notes: Mapping[Application, str] | None = None) -> str:
    """The text of a graph and of those that it calls; `notes` are shown under operations."""
    printer = Printer(notes or {})
    texts = [printer.graph(graph)]
    while printer.waiting:
        texts.append(printer.graph(printer.waiting.pop(0)))
    return "\n\n".join(texts)


class Printer:
    """Prints graphs one by one; `waiting` has those that were mentioned and not printed yet."""

    def __init__(self, notes: Mapping[Application, str]) -> None:
        self.waiting: list[Graph] = []
        self._notes = notes
        self._names: dict[Graph, str] = {}

    def graph(self, graph: Graph) -> str:
        names = ValueNames()
        parameters = ", ".join(_declared(value, names) for value in graph.parameters)
        captures = ", ".join(_declared(value, names) for value in graph.captures)
        returned = ", ".join(spec_text(value.spec) for value in graph.returns) or "()"
        held = f"[{captures}]" if captures else ""
        lines = [f"graph {self.name_of(graph)}({parameters}){held} -> {returned}:"]
        for operation in graph.operations:
            lines.append(_commented(f"  {self.operation(operation, names)}", operation))
            lines += [f"  ^ {line}" for line in self._notes.get(operation, "").splitlines()]
        lines.append(f"  return {', '.join(names.of(value) for value in graph.returns)}".rstrip())
        return "\n".join(lines)

    def name_of(self, graph: Graph) -> str:
        """The name under which a graph is printed: another one for each graph."""
        if graph not in self._names:
            name, number = graph.name, 0
            while name in self._names.values():
                number += 1
                name = f"{graph.name}_{number}"
            self._names[graph] = name
        return self._names[graph]

    def operation(self, operation: Application, names: ValueNames) -> str:
        arguments = [*_operands(operation, names), *self._attrs(operation)]
        text = f"{operation.op.name}({', '.join(arguments)})"
        if operation.results:
            results = ", ".join(_declared(value, names) for value in operation.results)
            text = f"{results} = {text}"
        else:
            text += f' as "{operation.name}"'
        if operation.after:
            text += " after " + ", ".join(f'"{before.name}"' for before in operation.after)
        if operation.device:
            text += f' on "{operation.device}"'
        kind = operation.gradient_type
        return f'{text} differentiated as "{kind}"' if kind else text

    def _attrs(self, operation: Application) -> Iterator[str]:
        for field in operation.op.attrs:
            value = operation.attrs.get(field.name, field.default)
            if operation.op is Const:
                if field.name == "value":
                    yield f"value={array_text(value)}"
            elif not _equal(value, field.default):
                yield f"{field.name}={self.attr(value)}"

    def attr(self, value: Any) -> str:
        if isinstance(value, Graph):
            if value not in self._names:
                self.waiting.append(value)
            return f"@{self.name_of(value)}"
        if isinstance(value, (tuple, list)):
            items = [self.attr(one) for one in cast(Sequence[Any], value)]
            if isinstance(value, list):
                return f"[{', '.join(items)}]"
            return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        return attr_text(value)


class ValueNames:
    """The names of one graph's values; a second value of a name gets a number."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._taken: set[str] = set()

    def of(self, value: Value) -> str:
        if value not in self._names:
            name, number = value.name, 0
            while name in self._taken:
                number += 1
                name = f"{value.name}.{number}"
            self._taken.add(name)
            self._names[value] = name
        return self._names[value]


def _declared(value: Value, names: ValueNames) -> str:
    return f"{names.of(value)}: {spec_text(value.spec)}"


def _operands(operation: Application, names: ValueNames) -> Iterator[str]:
    if sum(1 if count is None else count for count in operation.counts) != len(operation.operands):
        yield from (names.of(value) for value in operation.operands)  # wrong, and to be shown
        return
    for group in operation.grouped(operation.operands):
        if isinstance(group, tuple):
            yield f"[{', '.join(names.of(value) for value in cast(tuple[Value, ...], group))}]"
        else:
            yield names.of(group)


def _commented(text: str, operation: Application) -> str:
    if operation.line is None:
        return text
    return f"{text.ljust(_COMMENT_COLUMN)}  # {operation.line}"


def _equal(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and value == default)


def spec_text(spec: ValueSpec) -> str:
    """`f32[?, 8]`, `resource<f32[]>`, `frozen<f32[]>` (not trainable), `list<f32[?]>`,
    `object<iterator(f32[?])>`, `value<dataset(f32[?])>`, `value<sparse(f32[?])>[3]`.
    """
    if isinstance(spec, ResourceSpec):
        return f"{'resource' if spec.trainable else 'frozen'}<{_tensor_text(spec.state)}>"
    if isinstance(spec, ListSpec):
        return f"list<{_tensor_text(spec.element)}>"
    if isinstance(spec, ObjectSpec):
        return spec.short
    return _tensor_text(spec)


def _tensor_text(spec: TensorSpec) -> str:
    return f"{spec.dtype.short}{_dims_text(spec.shape)}"


def _dims_text(shape: TensorShape) -> str:
    if shape.entries is None:
        return "[...]"
    return f"[{', '.join('?' if size is None else str(size) for size in shape.entries)}]"


def attr_text(value: Any) -> str:
    """An attribute that is no graph and no list; what cannot be read back is in angle brackets."""
    if isinstance(value, DType):
        return value.short
    if isinstance(value, TensorShape):
        return f"shape{_dims_text(value)}"
    if isinstance(value, (TensorSpec, ResourceSpec, ListSpec, ObjectSpec)):
        return spec_text(value)
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        spec = TensorSpec(array.shape, of_storage(array.dtype))
        return f"array {_tensor_text(spec)} {array_text(array)}"
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return _scalar_text(value)
    return f"<{type(value).__name__}>"


def array_text(array: Array) -> str:
    """Nested lists of numbers; the bytes of a long array."""
    if array.dtype.kind == "O" or array.size <= LARGEST_LITERAL:
        return _nested(_plain(array).tolist())
    return f'data"{base64.b64encode(array.tobytes()).decode()}"'


def _plain(array: Array) -> Array:
    """Floats as the doubles that are written as briefly: 0.1 for float32's 0.1."""
    if array.dtype.kind not in "fV" or array.dtype == np.float64:
        return array
    shortest = [float(str(element)) for element in array.reshape(-1)]
    return np.array(shortest, np.float64).reshape(array.shape)


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_nested, cast(list[Any], value)))}]"
    return _scalar_text(value)


def _scalar_text(value: Any) -> str:
    if isinstance(value, complex):
        return f"complex({value.real!r}, {value.imag!r})"
    return repr(value)
