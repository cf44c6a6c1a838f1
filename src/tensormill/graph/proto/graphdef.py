"""Graphs as TensorFlow's GraphDef and FunctionDef protos. `graphdef_import.py` reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

from ...core.dtypes import BY_SHORT
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import SCALAR, TensorShape
from ...core.source import SourceLine
from ...core.specs import ListSpec, ObjectSpec, ResourceSpec, TensorSpec, ValueSpec
from ...ops.control.functional import effects_of
from ...ops.op import REQUIRED, Field, Op, counts_of_outputs
from ...ops.strings.files import WITHIN
from .. import ir
from ..function_names import function_names
from ..names import UniqueNames
from ..operation import Operation
from ..symbolic_parts import known_of
from ..text import spec_text
from .attributes import PLACED_WITH, attributes_of
from .messages import message
from .values import attr_value, shape_proto

if TYPE_CHECKING:
    from ..func_graph import FuncGraph

PACKAGE: Final = __name__.partition(".")[0]
# TensorFlow 2.21 writes this version into its GraphDefs.
PRODUCER: Final = 2473


class PartOfGraph(NamedTuple):
    """Operations that stand for one of a graph; `places`: the tensors that its inputs are."""

    graph: ir.Graph
    places: Mapping[ir.Value, Any]


class FunctionLibrary:
    """The functions that a graph calls, each under a name of its own.

    `form`: gives what is written for a function.
    """

    def __init__(self, form: Callable[[ir.Graph], ir.Graph] | None = None) -> None:
        self._form = form
        self._names = UniqueNames()
        self._by_graph: dict[ir.Graph, str] = {}
        self.functions: list[Any] = []
        # The user's lines behind `node@function`.
        self.lines: dict[str, tuple[SourceLine, ...]] = {}

    def name_of(self, graph: ir.Graph, wanted: str | None = None) -> str:
        """The function's name; it is added where it is new."""
        found = self._by_graph.get(graph)
        if found is None:
            found = self._names.claim(wanted or graph.attrs.get("function_name") or graph.name)
            self._by_graph[graph] = found
            written = graph if self._form is None else self._form(graph)
            self._by_graph.setdefault(written, found)
            self.functions.append(_function_def(written, found, self))
        return found


def graph_def_of(graph: FuncGraph, add_shapes: bool = False) -> Any:
    """A GraphDef with the operations of a traced graph, in the order of their creation.

    What TensorFlow has no operation for is written in its operations; the last one has the name.
    """
    form = import_module(f"{PACKAGE}.saved_model.written_graphs").WrittenForm()
    library = FunctionLibrary(form.of)
    proto = message("GraphDef")()
    proto.versions.producer = PRODUCER
    position = 0
    for operation in graph.get_operations():
        part = form.part(operation)
        if part is not None:
            proto.node.extend(_spelled(operation, part, library, position))
            position += 1
            continue
        node = _node(operation.name, operation, library, position)
        position += operation.kind is not None
        _add_inputs(node, operation)
        if add_shapes:
            shapes = [tensor.shape for tensor in operation.outputs]
            node.attr["_output_shapes"].CopyFrom(attr_value(shapes, library.name_of))
        proto.node.append(node)
    _drop_absent_neighbours(proto.node)
    if library.functions:  # else the field would be there, and empty
        proto.library.function.extend(library.functions)
    return proto


def _drop_absent_neighbours(nodes: Sequence[Any]) -> None:
    """Say of nodes that they are placed with others only where these are in the graph, too:
    TensorFlow does not import it else.
    """
    names = {b"loc:@" + node.name.encode() for node in nodes}
    for node in nodes:
        if PLACED_WITH in node.attr:
            groups = node.attr[PLACED_WITH].list.s
            present = [one for one in groups if one in names]
            del groups[:]
            groups.extend(present)
            if not present:
                del node.attr[PLACED_WITH]


def _spelled(
    operation: Operation, part: PartOfGraph, library: FunctionLibrary, position: int
) -> Iterator[Any]:
    """The nodes that stand for an operation."""
    named = {value: _reference(tensor) for value, tensor in part.places.items()}
    waits = [f"^{before.name}" for before in operation.waits]
    returns, names = part.graph.returns, dict[ir.Application, str]()
    for one in part.graph.operations:
        if one.op.name == "Const" and one.results[0] in named:  # the graph has it already
            continue
        is_last = bool(returns) and one.results == returns
        names[one] = operation.name if is_last else f"{operation.name}/{one.name}"
        node = _node(names[one], one, library, position)
        node.input.extend(named[value] for value in one.operands)
        node.input.extend([*waits, *(f"^{names[before]}" for before in one.after)])
        named.update(
            (value, f"{names[one]}:{k}" if k else names[one]) for k, value in enumerate(one.results)
        )
        yield node
    if operation.name not in names.values():
        node = message("NodeDef")(name=operation.name, op="IdentityN" if returns else "NoOp")
        node.input.extend(named[value] for value in returns)
        node.input.extend([*waits, *(f"^{name}" for name in names.values())])
        if returns:
            kinds = [value.spec.dtype for value in returns]
            node.attr["T"].CopyFrom(attr_value(kinds, library.name_of))
        yield node


def _reference(tensor: Any) -> str:
    return f"{tensor.op.name}:{tensor.value_index}" if tensor.value_index else tensor.op.name


def node_def_of(operation: Operation) -> Any:
    """A NodeDef of one operation."""
    node = _node(operation.name, operation, FunctionLibrary(), operation.position)
    _add_inputs(node, operation)
    return node


class Defined(NamedTuple):
    """A function as converters of graphs see it: `definition` is its FunctionDef."""

    definition: Any


def function_def_of(graph: ir.Graph) -> Any:
    """A FunctionDef of a graph; what it captured is among its arguments."""
    return _function_def(graph, graph.attrs.get("function_name") or graph.name, FunctionLibrary())


def _add_inputs(node: Any, operation: Operation) -> None:
    node.input.extend(map(_reference, operation.inputs))
    node.input.extend(f"^{before.name}" for before in operation.control_inputs)


def _node(
    name: str, operation: Operation | ir.Application, library: FunctionLibrary, position: int
) -> Any:
    """A NodeDef; `position` is the operation's place in its graph (no placeholder has one)."""
    kind = operation.op.name if isinstance(operation, ir.Application) else operation.type
    node = message("NodeDef")(name=name, op=kind, device=operation.device)
    for key, value in attributes_of(operation).items():
        if value is None or key == WITHIN:
            continue
        for graph, wanted in function_names(name, key, value, position).items():
            library.name_of(graph, wanted)
        node.attr[key].CopyFrom(attr_value(_as_attribute(value), library.name_of))
    if kind == "Placeholder" and isinstance(operation, Operation):
        spec = known_of(operation.outputs[0]).spec
        if not isinstance(spec, TensorSpec):  # our own note: TensorFlow ignores underscores
            node.attr["_spec"].s = spec_text(spec).encode()
    return node


def _as_attribute(value: Any) -> Any:
    """Python objects that attributes of ours hold and that no proto can: their names."""
    try:
        attr_value(value, lambda graph: graph.name)
    except TypeError:
        return f"{type(value).__name__}"
    return value


# ---------------------------------------------------------------- functions


def _function_def(graph: ir.Graph, name: str, library: FunctionLibrary) -> Any:
    proto = message("FunctionDef")()
    signature = proto.signature
    signature.name = name
    places = _ArgumentNames()
    references: dict[ir.Value, str] = {}
    for number, value in enumerate(graph.inputs):
        references[value] = places.claim(value.name)
        _argument(signature.input_arg.add(name=references[value]), value.spec)
        _describe(proto.arg_attr[number].attr, value, library)
    shapes = [_shape_of(value.spec) for value in graph.inputs]
    proto.attr["_input_shapes"].CopyFrom(attr_value(shapes, library.name_of))
    names = _node_names(graph, references.values())
    for position, operation in enumerate(graph.operations):
        node = _node(names[operation], operation, library, position)
        _add_references(node, operation, names, references)
        proto.node_def.append(node)
        library.lines[f"{node.name}@{name}"] = operation.source
        references.update(_output_references(operation, names[operation]))
    outputs = _ArgumentNames()
    for value in graph.returns:
        output = outputs.claim(value.name)
        _argument(signature.output_arg.add(name=output), value.spec)
        proto.ret[output] = references[value]
    _add_effects(proto, [names[one] for one in graph.operations if _has_effects(one)])
    for key, value in graph.attrs.get("written_attributes", {}).items():
        proto.attr[key].CopyFrom(attr_value(value, library.name_of))
    return proto


def _node_names(graph: ir.Graph, arguments: Iterable[str]) -> dict[ir.Application, str]:
    """The operations' names, but for those that an argument has."""
    taken = UniqueNames()
    for name in arguments:
        taken.claim(name)
    return {operation: taken.claim(operation.name) for operation in graph.operations}


def _has_effects(operation: ir.Application) -> bool:
    return bool(effects_of(operation.op, operation.attrs))


def _add_effects(proto: Any, names: Sequence[str]) -> None:
    """A call is over when these nodes have run, whether somebody asks for results or not."""
    proto.signature.is_stateful = bool(names)
    for name in names:
        proto.control_ret[name] = name
    proto.signature.control_output.extend(names)


class _ArgumentNames:
    """Names of a signature's arguments: lower case letters, digits and underscores."""

    def __init__(self) -> None:
        self._names = UniqueNames()

    def claim(self, text: str) -> str:
        plain = re.sub(r"[^a-z0-9_]", "_", text.lower())
        return self._names.claim(plain if plain[:1].isalpha() else f"arg_{plain}")


def _argument(arg: Any, spec: ValueSpec) -> None:
    arg.type = spec.dtype.as_datatype_enum
    if isinstance(spec, ResourceSpec):
        data = arg.handle_data.add(dtype=spec.state.dtype.as_datatype_enum)
        data.shape.CopyFrom(shape_proto(spec.state.shape))


def _shape_of(spec: ValueSpec) -> TensorShape:
    return spec.shape if isinstance(spec, TensorSpec) else SCALAR


def _describe(attrs: Any, value: ir.Value, library: FunctionLibrary) -> None:
    attrs["_output_shapes"].CopyFrom(attr_value([_shape_of(value.spec)], library.name_of))
    attrs["_user_specified_name"].s = value.name.encode()
    if isinstance(value.spec, (ResourceSpec, ListSpec, ObjectSpec)):
        attrs["_spec"].s = spec_text(value.spec).encode()


def _add_references(
    node: Any,
    operation: ir.Application,
    names: Mapping[ir.Application, str],
    references: Mapping[ir.Value, str],
) -> None:
    node.input.extend(references[value] for value in operation.operands)
    node.input.extend(f"^{names[before]}" for before in operation.after)


def _output_references(operation: ir.Application, name: str) -> Iterator[tuple[ir.Value, str]]:
    """Inside a function an output is called `node:output_arg:position`."""
    rest = list(operation.results)
    counts = counts_of_outputs(operation.op, operation.attrs, len(rest))
    for field, count in zip(operation.op.outputs, counts, strict=True):
        for position in range(count):
            yield rest.pop(0), f"{name}:{field.public}:{position}"


# ---------------------------------------------------------------- signatures of operations

_ATTR_TYPES: Final = {bool: "bool", int: "int", float: "float", str: "string", bytes: "string"}


def op_def_of(operation: Operation) -> Any:
    """An OpDef: the names and types of inputs, outputs and attributes."""
    proto = message("OpDef")(name=operation.type)
    if operation.kind is None:
        arg = proto.output_arg.add(name="output", type_attr="dtype")
        arg.type = 0
        return proto
    proto = op_signature(operation.kind)
    for name, value in attributes_of(operation).items():
        set_default(proto.attr.add(name=name, type=_attr_type(value)), operation.kind)
    proto.is_stateful = bool(effects_of(operation.kind, operation.attrs))
    return proto


def op_signature(kind: type[Op]) -> Any:
    """An OpDef with names and types of inputs and outputs."""
    proto = message("OpDef")(name=kind.name)
    for fields, args in ((kind.inputs, proto.input_arg), (kind.outputs, proto.output_arg)):
        for field in fields:
            _op_argument(args.add(name=field.public), field)
    return proto


def _op_argument(arg: Any, field: Field) -> None:
    if field.mixed:
        arg.type_list_attr = field.dtype
        return
    if field.number_attr is not None:
        arg.number_attr = field.number_attr
    if field.fixed_dtype is not None:
        arg.type = BY_SHORT[field.dtype].as_datatype_enum
    else:
        arg.type_attr = field.dtype


def _attr_type(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        items = cast(Sequence[Any], value)
        return f"list({_attr_type(items[0]) if items else 'type'})"
    if type(value) in _ATTR_TYPES:
        return _ATTR_TYPES[type(value)]
    if isinstance(value, TensorShape):
        return "shape"
    if isinstance(value, ir.Graph):
        return "func"
    return "tensor" if hasattr(value, "ndim") else "type"


def set_default(attr: Any, kind: type[Op]) -> None:
    """Say in an AttrDef what the attribute is where a node does not have it."""
    default = default_of(kind, attr.name)
    if default is not None:
        attr.default_value.CopyFrom(default)


def default_of(kind: type[Op], name: str) -> Any:
    """The AttrValue that a node without the attribute has, or None."""
    field = next((one for one in kind.attrs if one.public == name), None)
    if field is None or field.default in (REQUIRED, None):
        return None
    return attr_value(field.default, lambda graph: graph.name)
