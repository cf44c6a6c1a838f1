"""TensorFlow's GraphDef and FunctionDef protos as graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ..core.dtypes import BY_ENUM
from ..core.shapes import TensorShape
from ..core.specs import Known, ResourceSpec, TensorSpec, ValueSpec
from ..errors import UnimplementedError
from ..ops.op import REGISTRY, REQUIRED, Field, Op, specs_of
from . import ir
from .parse import parse_spec
from .proto_values import python_value, shape_of


def graph_of(graph_def: Any, outputs: Sequence[str] = (), name: str = "graph") -> ir.Graph:
    """The graph of a GraphDef. Its placeholders are the parameters, in the order of the nodes.

    `outputs` names the tensors that are returned ('Identity', 'split:1').

    Raises:
        UnimplementedError: a node is of a kind that the library does not have.
    """
    functions = _Functions(graph_def.library.function)
    importer = _Importer(functions)
    parameters: list[ir.Value] = []
    for node in _in_order(graph_def.node):
        if node.op == "Placeholder":
            parameters.append(importer.define(node.name, _placeholder_spec(node)))
        else:
            importer.add(node, _tensor_reference)
    returns = tuple(importer.find(_tensor_reference(one)) for one in outputs)
    order = {node.name: number for number, node in enumerate(graph_def.node)}
    parameters.sort(key=lambda value: order[value.name])
    return ir.Graph(name, tuple(parameters), (), tuple(importer.operations), returns)


def function_of(function_def: Any, library: Sequence[Any] = ()) -> ir.Graph:
    """The graph of a FunctionDef, with those of the library that it calls."""
    functions = _Functions([*library, function_def])
    return functions(function_def.signature.name)


class _Functions:
    """Imports the functions of a library when they are asked for."""

    def __init__(self, protos: Sequence[Any]) -> None:
        self._protos = {proto.signature.name: proto for proto in protos}
        self._graphs: dict[str, ir.Graph] = {}

    def __call__(self, name: str) -> ir.Graph:
        if name not in self._graphs:
            self._graphs[name] = self._imported(self._protos[name])
        return self._graphs[name]

    def _imported(self, proto: Any) -> ir.Graph:
        importer = _Importer(self)
        parameters = tuple(
            importer.define(arg.name, _argument_spec(proto, number, arg))
            for number, arg in enumerate(proto.signature.input_arg)
        )
        for node in _in_order(proto.node_def):
            importer.add(node, importer.function_reference)
        returns = tuple(
            importer.find(importer.function_reference(proto.ret[arg.name]))
            for arg in proto.signature.output_arg
        )
        name = proto.signature.name
        attrs = {"function_name": name}
        return ir.Graph(name, parameters, (), tuple(importer.operations), returns, attrs)


class _Importer:
    """Makes the operations of one graph."""

    def __init__(self, functions: _Functions) -> None:
        self.operations: list[ir.Operation] = []
        self._functions = functions
        self._by_name: dict[str, ir.Operation] = {}
        self._values: dict[tuple[str, int], ir.Value] = {}
        self._constants: dict[ir.Value, Any] = {}

    def define(self, name: str, spec: ValueSpec) -> ir.Value:
        value = self._values[name, 0] = ir.Value(name, spec)
        return value

    def find(self, reference: tuple[str, int]) -> ir.Value:
        return self._values[reference]

    def function_reference(self, text: str) -> tuple[str, int]:
        """'node:output_arg:position' counts from the first result of that output."""
        name, _, rest = text.partition(":")
        if not rest:
            return name, 0
        output, _, position = rest.partition(":")
        return name, self._first_result(self._by_name[name], output) + int(position or 0)

    def _first_result(self, operation: ir.Operation, output: str) -> int:
        fields = operation.op.outputs
        number = next(k for k, field in enumerate(fields) if field.name == output)
        listed = next((k for k in range(number) if fields[k].listed is not None), None)
        if listed is None:
            return number
        return len(operation.results) - (len(fields) - number)

    def add(self, node: Any, reference: Callable[[str], tuple[str, int]]) -> None:
        op = REGISTRY.get(node.op)
        if op is None:
            raise UnimplementedError(f"node '{node.name}': there is no operation '{node.op}'")
        given = {key: python_value(value, self._functions) for key, value in node.attr.items()}
        data = [one for one in node.input if not one.startswith("^")]
        operands = tuple(self.find(reference(one)) for one in data)
        counts = tuple(_count(field, given, len(data), op) for field in op.inputs)
        attrs = _attrs(op, given)
        after = tuple(
            self._by_name[one[1:]]
            for one in node.input
            if one[1:] in self._by_name and one[0] == "^"
        )
        results = self._results(node.name, op, operands, counts, attrs)
        made = ir.Operation(
            op, node.name, operands, counts, attrs, results, after, device=node.device
        )
        self.operations.append(made)
        self._by_name[node.name] = made

    def _results(
        self,
        name: str,
        op: type[Op],
        operands: tuple[ir.Value, ...],
        counts: tuple[int | None, ...],
        attrs: Mapping[str, Any],
    ) -> tuple[ir.Value, ...]:
        known = tuple(Known(one.spec, self._constants.get(one)) for one in operands)
        shell = ir.Operation(op, name, operands, counts, attrs, ())
        specs = specs_of(op, shell.grouped(known), dict(attrs))
        results: list[ir.Value] = []
        for index, spec in enumerate(specs):
            value = ir.Value(f"{name}:{index}" if index else name, spec)
            self._values[name, index] = value
            results.append(value)
        if op.name == "Const":
            self._constants[results[0]] = attrs["value"]
        return tuple(results)


def _tensor_reference(text: str) -> tuple[str, int]:
    name, _, index = text.partition(":")
    return name, int(index or 0)


def _in_order(nodes: Sequence[Any]) -> list[Any]:
    """Nodes after those that they take from: protos may have any order."""
    by_name = {node.name: node for node in nodes}
    placed: dict[str, Any] = {}
    for start in nodes:
        pending = [start]
        while pending:
            node = pending[-1]
            sources = [one.lstrip("^").partition(":")[0] for one in node.input]
            missing = [one for one in sources if one in by_name and one not in placed]
            if missing and node.name not in placed:
                pending.extend(by_name[one] for one in missing)
            else:
                placed[pending.pop().name] = node
    return list(placed.values())


def _count(field: Field, given: Mapping[str, Any], total: int, op: type[Op]) -> int | None:
    if field.listed is None:
        return None
    if field.listed == "each" and field.dtype in given:
        return len(given[field.dtype])
    if field.listed in given:
        return int(given[field.listed])
    return total - sum(1 for other in op.inputs if other.listed is None)


def _attrs(op: type[Op], given: Mapping[str, Any]) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    for field in op.attrs:
        value = given.get(field.name, field.default)
        if value is REQUIRED:
            raise UnimplementedError(
                f"a node of kind '{op.name}' lacks the attribute '{field.name}'"
            )
        attrs[field.name] = _like_default(value, field.default)
    return attrs


def _like_default(value: Any, default: Any) -> Any:
    """Strings are bytes in protos, and sequences are lists."""
    if isinstance(value, bytes) and not isinstance(default, bytes):
        return value.decode()
    if isinstance(value, list) and isinstance(default, tuple):
        return tuple(cast(list[Any], value))
    return cast(Any, value)


def _placeholder_spec(node: Any) -> ValueSpec:
    if "_spec" in node.attr:
        return parse_spec(node.attr["_spec"].s.decode())
    shape = shape_of(node.attr["shape"].shape) if "shape" in node.attr else TensorShape(None)
    return TensorSpec(shape, BY_ENUM[node.attr["dtype"].type])


def _argument_spec(proto: Any, number: int, arg: Any) -> ValueSpec:
    attrs: Any = proto.arg_attr[number].attr if number in proto.arg_attr else {}
    if "_spec" in attrs:
        return parse_spec(attrs["_spec"].s.decode())
    if arg.handle_data:
        data = arg.handle_data[0]
        return ResourceSpec(TensorSpec(shape_of(data.shape), BY_ENUM[data.dtype]))
    shape = TensorShape(None)
    if "_output_shapes" in attrs and attrs["_output_shapes"].list.shape:
        shape = shape_of(attrs["_output_shapes"].list.shape[0])
    return TensorSpec(shape, BY_ENUM[arg.type])
