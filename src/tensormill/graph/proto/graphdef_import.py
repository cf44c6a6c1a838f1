"""TensorFlow's GraphDef and FunctionDef protos as graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from importlib import import_module
from typing import Any, Final, cast

import numpy as np

from ...core import context
from ...core.dtypes import resource
from ...core.process.named_tuples import NamedTuple
from ...core.process.with_blocks import setting
from ...core.source import SourceLine
from ...core.specs import ListSpec, ResourceSpec, TensorSpec, ValueSpec
from ...errors import InvalidArgumentError, UnimplementedError
from ...ops import catalogue as catalogue  # so that every operation is known
from ...ops.absent import absence
from ...ops.bind import bind, require_choices
from ...ops.constant import Const
from ...ops.control.flow import PreventGradient
from ...ops.control.functional import GivenGraphs, Loop, returned_specs
from ...ops.op import REGISTRY, REQUIRED, Field, Op, counts_of_outputs, named_in_files
from ...ops.strings.files import WITHIN
from .. import ir
from ..func_graph import FuncGraph
from ..operation import Operation
from ..parse import parse_spec
from ..serialized import operations as operations
from ..symbolic import SymbolicTensor
from ..symbolic_parts import known_of
from ..text import spec_text
from .attributes import GRADIENT_TYPE, PLACED_WITH, within_scope
from .import_checks import (
    function_called,
    in_order,
    require_dtypes,
    require_kind,
    told_by,
    told_by_node,
)
from .import_rules import DEFAULTS, OUTPUTS, RULES, decided
from .values import contiguous_array, dtype_of, is_repeated, python_value, shape_of

# How many bytes a constant of equal elements has at least that is computed when it is needed: its
# file need not be as large.
_FILLED_FROM: Final = 1 << 20

# What the names of operations on datasets have in them.
_CALLS: Final = ("PartitionedCall", "StatefulPartitionedCall")
_OF_DATASETS: Final = ("Dataset", "Iterator", "SeedGenerator", "MemoryCache")

# What is being replayed here, the innermost last.
_ACTIVE: ContextVar[tuple[tuple[Functions, str], ...]] = ContextVar("_ACTIVE", default=())

# By these attributes of an IdentityN we remember a gradient that the user has given: the function
# of gradients and saved tensors, how many tensors are values, operands and saved, and of which
# operands it gives gradients.
GRADIENT: Final = "_tensormill_gradient"
COUNTS: Final = "_tensormill_counts"
CONNECTED: Final = "_tensormill_connected"
# By this one TensorFlow remembers it.


class GivenGradient(NamedTuple):
    """A gradient of the user's for an IdentityN.

    `function` takes the gradients of all its results and the tensors that `captured` refers to;
    it returns gradients for the inputs numbered in `connected`.
    """

    function: str
    captured: Sequence[str]
    connected: tuple[int, ...]


# Gives the gradient that is registered under a name, for a node in the function of another name.
FindGradient = Callable[[str, str], GivenGradient | None]


class Functions:
    """The functions of a library. They become graphs when it is known what they are given.

    A FunctionDef does not say what its lists and handles hold, and may not say sizes: the
    operands of a call do.
    """

    def __init__(
        self,
        protos: Sequence[Any],
        find_gradient: FindGradient = lambda kind, owner: None,
        lines: Mapping[str, tuple[SourceLine, ...]] | None = None,
        within: Sequence[str] = (),
        imported_as: str = "",
    ) -> None:
        """`lines` are the user's behind `node@function`, as far as they are known.

        `within` are the directories in which the functions may touch files; none: anywhere.
        `imported_as` tells this import into a graph built by hand from others into the same.
        """
        self.within = tuple(within)
        self.find_gradient = find_gradient
        self.lines = lines or {}
        self._protos = {proto.signature.name: proto for proto in protos}
        self._graphs: dict[tuple[str, ...], ir.Graph] = {}
        self._imported_as = imported_as
        self._sharing: dict[str, bool] = {}

    def has(self, name: str) -> bool:
        """Whether there is a function of that name."""
        return name in self._protos

    def proto(self, name: str) -> Any:
        """The FunctionDef called `name`.

        Raises:
            InvalidArgumentError: there is none.
        """
        if name not in self._protos:
            raise InvalidArgumentError(f"there is no function '{name}' in the library of the graph")
        return self._protos[name]

    def shares_tables(self, name: str) -> bool:
        """Whether the function, or one that it calls, makes a table that has a name."""
        if name not in self._sharing:
            self._sharing[name] = False  # a circle is refused where it is replayed
            self._sharing[name] = any(
                (node.attr["shared_name"].s and _is_table(node))
                or any(self.shares_tables(one) for one in self._called(node))
                for node in (self._protos[name].node_def if name in self._protos else ())
            )
        return self._sharing[name]

    def shared_name(self, graph: FuncGraph, node: Any) -> str:
        """The name by which a session finds the table of a node; none of what is no table."""
        said = node.attr["shared_name"].s.decode()
        if not said or graph.building_function or not self._imported_as or not _is_table(node):
            return ""
        return f"{said}@{self._imported_as}"

    def _called(self, node: Any) -> list[str]:
        if node.op in self._protos:
            return [node.op]
        return [node.attr["f"].func.name] if node.op in _CALLS else []

    def declared_specs(self, name: str) -> list[ValueSpec]:
        """What the FunctionDef says of its arguments."""
        proto = self.proto(name)
        specs: list[ValueSpec] = []
        for number, arg in enumerate(proto.signature.input_arg):
            with told_by(f"argument '{arg.name}' of '{name}'", "a spec"):
                specs.append(_argument_spec(proto, number, arg))
        return specs

    def graph(self, name: str, specs: Sequence[ValueSpec]) -> ir.Graph:
        """The function as a graph of parameters with these specs."""
        key = (name, *map(spec_text, specs))
        if key not in self._graphs:
            self._graphs[key] = self._imported(name, specs)
        return self._graphs[key]

    def _imported(self, name: str, specs: Sequence[ValueSpec]) -> ir.Graph:
        args = self._arguments(name, len(specs))
        graph = FuncGraph(name)
        with context.interpreting(graph):
            pairs = zip(args, specs, strict=True)
            operands = [graph.placeholder(spec, arg.name) for arg, spec in pairs]
            outputs = self.replay(name, graph, operands)
        made = graph.finish(outputs)
        attrs = {"function_name": name}
        return ir.Graph(name, made.parameters, (), made.operations, made.returns, attrs)

    def replay(
        self, name: str, graph: FuncGraph, operands: Sequence[SymbolicTensor]
    ) -> list[SymbolicTensor]:
        """Add the nodes of a function to `graph`, which is being traced; what it returns.

        Raises:
            UnimplementedError: a node is of a kind that the library does not have.
        """
        proto, args = self.proto(name), self._arguments(name, len(operands))
        nodes = Nodes(self, name)
        for arg, operand in zip(args, operands, strict=True):
            nodes.define(arg.name, operand)
        with self._entered(name):
            for node in in_order(proto.node_def, name, {arg.name for arg in args}):
                nodes.add(graph, node)
        return [nodes.result(proto.ret, arg.name) for arg in proto.signature.output_arg]

    def _arguments(self, name: str, count: int) -> Sequence[Any]:
        """The arguments of a function that is given so many tensors."""
        args = self.proto(name).signature.input_arg
        if len(args) != count:
            raise InvalidArgumentError(
                f"the function '{name}' takes {len(args)} tensors, and {count} are given"
            )
        return args

    def _entered(self, name: str) -> AbstractContextManager[None]:
        """Note that a function is being replayed.

        Raises:
            InvalidArgumentError: it is replayed already: it calls itself.
        """
        active = _ACTIVE.get()
        if (self, name) in active:
            names = " → ".join(one for owner, one in active if owner is self)
            raise InvalidArgumentError(f"functions call each other in a circle: {names} → {name}")
        return setting(_ACTIVE, (*active, (self, name)))

    def gradient(
        self, name: str, results: Sequence[SymbolicTensor], saved: Sequence[SymbolicTensor]
    ) -> ir.Graph:
        """A function of the gradients of all results of a node, as one of those of its tensors.

        Handles among the results have none: the function is given zeros.
        """
        graph = FuncGraph(name)
        with context.interpreting(graph):
            arrived = [_arriving(graph, known_of(one).spec) for one in results]
            rest = [graph.placeholder(known_of(one).spec, "saved") for one in saved]
            outputs = self.replay(name, graph, [*arrived, *rest])
        return graph.finish(outputs)

    def loop(self, cond: str, body: str, specs: Sequence[ValueSpec]) -> tuple[ir.Graph, ir.Graph]:
        """Condition and body for loop variables that begin as `specs`.

        What changes from one iteration to the next is not known of them.
        """
        state = list(specs)
        while True:
            graph = self.graph(body, state)
            if len(graph.returns) != len(state):
                raise InvalidArgumentError(
                    f"the loop has {len(state)} variables, and its body '{body}' returns "
                    f"{len(graph.returns)}"
                )
            wider = [_join(*pair) for pair in zip(state, returned_specs(graph), strict=True)]
            if list(map(spec_text, wider)) == list(map(spec_text, state)):
                return self.graph(cond, state), graph
            state = wider


def _join(before: ValueSpec, after: ValueSpec) -> ValueSpec:
    """What is known of a loop variable that is one thing before and one after an iteration."""
    if isinstance(before, TensorSpec) and isinstance(after, TensorSpec):
        return TensorSpec(before.shape.relax(after.shape), before.dtype)
    if isinstance(before, ListSpec) and isinstance(after, ListSpec):
        element = before.element
        shape = element.shape.relax(after.element.shape)
        return ListSpec(TensorSpec(shape, element.dtype))
    return before


def _operation(kind: str) -> type[Op] | None:
    """The operation of that name. Those on datasets are imported with the first of them, and some
    have a longer name in files.
    """
    if kind not in REGISTRY and any(word in kind for word in _OF_DATASETS):
        import_module("tensormill.data.graphs.catalogue")
        return REGISTRY.get(kind, REGISTRY.get(kind.removeprefix("Experimental")))
    return named_in_files(kind)


def _is_table(node: Any) -> bool:
    return "HashTable" in node.op


class FunctionReference(NamedTuple):
    """An attribute that names a function of the library."""

    name: str


class Nodes:
    """The nodes of one GraphDef or FunctionDef, as they are added to a graph."""

    def __init__(self, functions: Functions, owner: str) -> None:
        self._functions = functions
        self._owner = owner
        self._tensors: dict[str, Sequence[Any]] = {}
        self._operations: dict[str, Operation] = {}
        self._kinds: dict[str, type[Op]] = {}
        self._outputs: dict[str, list[str]] = {}  # of nodes that call a function by its name
        self._steps: dict[str, Sequence[Operation]] = {}  # of calls that were written out

    def define(self, name: str, tensor: Any) -> None:
        self._tensors[name] = (tensor,)

    def tensor(self, reference: str) -> Any:
        """'node', 'node:1', or as functions have it, 'node:output_arg:position'.

        Raises:
            InvalidArgumentError: there is no such tensor.
        """
        name, _, rest = reference.partition(":")
        output, _, position = rest.rpartition(":")
        results = self._tensors.get(name)
        if results is None:
            raise self._no_tensor(reference, f"there is no node or argument '{name}'")
        first = self._first_result(name, output) if output else 0
        if first is None:
            raise self._no_tensor(reference, f"'{name}' has no output called '{output}'")
        number = int(position) if position.isdecimal() and len(position) < 10 else 0
        if position not in ("", str(number)) or not 0 <= first + number < len(results):
            raise self._no_tensor(reference, f"'{name}' has {len(results)} outputs")
        return results[first + number]

    def _no_tensor(self, reference: str, reason: str) -> InvalidArgumentError:
        return InvalidArgumentError(f"'{reference}' of '{self._owner}' is no tensor: {reason}")

    def result(self, given: Mapping[str, str], name: str) -> Any:
        """What the function returns as `name`; `given` says which tensor that is."""
        if name not in given:
            raise InvalidArgumentError(
                f"function '{self._owner}' does not say what it returns as '{name}'"
            )
        return decided(self.tensor(given[name]))

    def _first_result(self, name: str, output: str) -> int | None:
        """Where the results of one output begin: functions count from there."""
        if name in self._outputs:
            outputs = self._outputs[name]
            return outputs.index(output) if output in outputs else None
        kind = self._kinds.get(name)
        if kind is None:  # made by a rule: it is known where the outputs are
            return OUTPUTS.get(output, 0)
        fields = kind.outputs
        number = next((k for k, field in enumerate(fields) if field.public == output), None)
        if number is None or all(not field.listed for field in fields[:number]):
            return number
        operation = self._operations[name]
        counts = counts_of_outputs(kind, operation.attrs, len(self._tensors[name]))
        return sum(counts[:number])

    def add(self, graph: FuncGraph, node: Any) -> None:
        """Add one node; what it takes must be there."""
        lines = self._functions.lines.get(f"{node.name}@{self._owner}", ())
        with told_by_node(node, self._owner), graph.replaying(lines):
            self._add(graph, node)

    def _add(self, graph: FuncGraph, node: Any) -> None:
        data = [self.tensor(one) for one in node.input if not one.startswith("^")]
        before = [self._operations.get(one[1:]) for one in node.input if one.startswith("^")]
        if node.op == "Const" and node.attr["dtype"].type == resource.as_datatype_enum:
            # A handle of another process: of what a dataset shares between its passes.
            self._tensors[node.name] = [bind(cast("type[Op]", _operation("DummySeedGenerator")))]
            return
        given = {key: python_value(value, FunctionReference) for key, value in node.attr.items()}
        rule = RULES.get(node.op)
        made = rule(data, given) if rule is not None else None
        data = data if made is not None else [decided(one) for one in data]
        if GRADIENT in given:
            made = self._customized(graph, node.name, data, given)
        elif node.op == "IdentityN" and GRADIENT_TYPE in given:
            made = self._registered(graph, node.name, data, given[GRADIENT_TYPE].decode())
        if made is not None:
            self._tensors[node.name] = made
            return
        self._tensors[node.name] = self._apply(graph, node, data, given)
        operation = self._operations[node.name] = graph.latest_operation
        waits = tuple(dict.fromkeys(one for one in before if one is not None))
        steps = self._steps.pop(node.name, ())
        for one in steps:
            one.waits = tuple(dict.fromkeys((*one.waits, *waits)))
        operation.waits = (*waits, *steps)
        operation.device = node.device
        graph.devices.place(operation)
        if PLACED_WITH in given:
            operation.beside = within_scope(given[PLACED_WITH], operation.name, node.name)
        if node.op not in _CALLS:  # theirs is a number of TensorFlow's
            operation.gradient_type = given.get(GRADIENT_TYPE, b"").decode()

    def _apply(
        self, graph: FuncGraph, node: Any, data: Sequence[Any], given: Mapping[str, Any]
    ) -> Sequence[Any]:
        op = _operation(node.op)
        if op is None and self._functions.has(node.op):
            named = self._functions.proto(node.op).signature.output_arg
            self._outputs[node.name] = [arg.name for arg in named]
            return self._functions.replay(node.op, graph, data)
        if op is None:
            raise UnimplementedError(f"there is no operation '{node.op}'{absence(node.op)}")
        function = function_called(node.op, given)
        self._kinds[node.name] = op
        called = given.get("f")
        if (
            node.op in _CALLS
            and isinstance(called, FunctionReference)
            and not graph.building_function
            and self._functions.shares_tables(called.name)
        ):
            return self._written_out(graph, node.name, called.name, data)
        attrs = dict(attributes(op, given))
        if function is not None:
            attrs["token"] = function
        if WITHIN in attrs:
            attrs[WITHIN] = self._functions.within
        if "shared_name" in attrs:  # of a table: that of another file is another one
            attrs["shared_name"] = self._functions.shared_name(graph, node)
        if op is Const:
            return (self._constant(graph, node.name, attrs["value"]),)
        operands = tuple(_grouped(op, given, data))
        require_dtypes(op, operands, attrs, given)
        require_choices(op, attrs)
        if issubclass(op, GivenGraphs):
            attrs.update(self._graphs(op, attrs, operands))
        return graph.apply(op, operands, attrs, node.name)

    def _written_out(
        self, graph: FuncGraph, name: str, function: str, data: Sequence[Any]
    ) -> Sequence[Any]:
        """A call in a graph that is built by hand, as the operations of what it calls.

        So the session finds the tables that functions share by their names.
        """
        count = len(graph.get_operations())
        with graph.name_scope(f"{name}/"):
            results = tuple(self._functions.replay(function, graph, data))
        made = graph.get_operations()[count:]
        if results:
            outputs = graph.apply(REGISTRY["IdentityN"], (results,), {}, name)
        else:
            outputs = graph.apply(REGISTRY["NoOp"], (), {}, name)
        self._steps[name] = tuple(made)
        return outputs

    def _constant(self, graph: FuncGraph, name: str, value: Any) -> Any:
        """A Const, or where it says one number very often, the operation that fills with it."""
        if not isinstance(value, np.ndarray):
            raise InvalidArgumentError(
                f"attribute 'value' of Const: expected a tensor, got {value!r:.100}"
            )
        array = cast("np.ndarray[Any, Any]", value)
        if not is_repeated(array) or array.nbytes <= _FILLED_FROM:
            return graph.constant(contiguous_array(array), name)
        dims = graph.constant(np.array(array.shape, np.int64), f"{name}/dims")
        number = graph.constant(np.array(array.flat[0], array.dtype), f"{name}/value")
        return graph.apply(REGISTRY["Fill"], (dims, number), {}, name)[0]

    def _customized(
        self, graph: FuncGraph, name: str, data: Sequence[Any], given: Mapping[str, Any]
    ) -> Sequence[Any]:
        """Values with a gradient of the user's, and what else the node hands on."""
        count, operands = self._counts(given, len(data))
        values, saved = tuple(data[:count]), tuple(data[count + operands :])
        specs = [known_of(tensor).spec for tensor in (*values, *saved)]
        attrs = {
            "gradient": self._functions.graph(given[GRADIENT].name, specs),
            "connected": tuple(given[CONNECTED]),
        }
        kind = REGISTRY["CustomGradient"]  # defined where gradients are
        groups = (values, tuple(data[count : count + operands]), saved)
        return [*graph.apply(kind, groups, attrs, name), *data[count:]]

    def _counts(self, given: Mapping[str, Any], total: int) -> tuple[int, int]:
        """How many of the inputs are values, and how many operands."""
        counts: Any = given.get(COUNTS)
        connected: Any = given.get(CONNECTED)
        if not _are_positions(counts, total) or len(counts) != 3 or sum(counts) != total:
            raise InvalidArgumentError(
                f"attribute '{COUNTS}': {counts!r:.100} does not divide {total} inputs"
            )
        if not _are_positions(connected, counts[1] - 1):
            raise InvalidArgumentError(
                f"attribute '{CONNECTED}': {connected!r:.100} are none of {counts[1]} operands"
            )
        if not isinstance(given[GRADIENT], FunctionReference):
            raise InvalidArgumentError(f"attribute '{GRADIENT}' names no function")
        return counts[0], counts[1]

    def _registered(
        self, graph: FuncGraph, name: str, data: Sequence[Any], kind: str
    ) -> Sequence[Any]:
        """The same with a gradient that TensorFlow has written; an error if it cannot be found."""
        found = self._functions.find_gradient(kind, self._owner)
        self._tensors[name] = data  # what it hands on may be what its gradient needs
        try:
            saved = None if found is None else [self.tensor(one) for one in found.captured]
        except LookupError:
            saved = None
        if found is None or saved is None:
            message = f"the gradient {kind} of '{name}' was not saved"
            return [_refusing(one, message) for one in data]
        gradient = self._functions.gradient(found.function, data, saved)
        values = tuple(one for one in data if isinstance(known_of(one).spec, TensorSpec))
        attrs = {"gradient": gradient, "connected": found.connected}
        groups = (values, tuple(data), tuple(saved))
        results = iter(graph.apply(REGISTRY["CustomGradient"], groups, attrs, name))
        return [next(results) if isinstance(known_of(x).spec, TensorSpec) else x for x in data]

    def _graphs(
        self, op: type[GivenGraphs], attrs: Mapping[str, Any], operands: Sequence[Any]
    ) -> dict[str, Any]:
        """The functions that attributes name, as graphs for these operands."""
        if issubclass(op, Loop):
            specs = [known_of(tensor).spec for tensor in operands[0]]
            cond, body = self._functions.loop(attrs["cond"].name, attrs["body"].name, specs)
            return {"cond": cond, "body": body}
        return op.graphs_for(attrs, operands, self._graph)

    def _graph(self, named: Any, specs: Sequence[ValueSpec] | None) -> Any:
        if isinstance(named, (list, tuple)) and not isinstance(named, FunctionReference):
            return tuple(self._graph(one, specs) for one in cast(Sequence[Any], named))
        given = self._functions.declared_specs(named.name) if specs is None else specs
        return self._functions.graph(named.name, given)


def _arriving(graph: FuncGraph, spec: ValueSpec) -> SymbolicTensor:
    if isinstance(spec, ResourceSpec):
        dims = [size or 0 for size in spec.state.shape.entries or ()]
        return graph.constant(np.zeros(dims, spec.state.dtype.storage), "no_gradient")
    return graph.placeholder(spec, "result_grads")


def _refusing(tensor: SymbolicTensor, message: str) -> Any:
    if not isinstance(known_of(tensor).spec, TensorSpec) or not tensor.dtype.is_differentiable:
        return tensor
    return bind(PreventGradient, tensor, message=message)


def _are_positions(value: Any, last: int) -> bool:
    """Whether this is a list of numbers from 0 to `last`."""
    return isinstance(value, list) and all(
        type(one) is int and 0 <= one <= last for one in cast("list[Any]", value)
    )


def _grouped(op: type[Op], given: Mapping[str, Any], data: Sequence[Any]) -> Iterator[Any]:
    """Flat inputs as the fields of the operation take them.

    Raises:
        InvalidArgumentError: there are fewer, or more.
    """
    rest = list(data)
    for field in op.inputs:
        count = _count(field, given, len(data), op)
        taken = 1 if count is None else count
        if not 0 <= taken <= len(rest):
            raise InvalidArgumentError(
                f"{op.name} takes {taken} for '{field.public}', and {len(rest)} of its "
                f"{len(data)} inputs are left"
            )
        yield rest[0] if count is None else tuple(rest[:taken])
        del rest[:taken]
    if rest:
        raise InvalidArgumentError(f"{op.name} is given {len(data)} inputs, {len(rest)} too many")


def _count(field: Field, given: Mapping[str, Any], total: int, op: type[Op]) -> int | None:
    if not field.listed:
        return None
    if field.mixed and field.dtype in given:
        require_kind(op.name, field.dtype, given[field.dtype], [])
        return len(given[field.dtype])
    if (number := field.number_attr) is not None and number in given:
        require_kind(op.name, number, given[number], 0)
        return given[number]
    return total - sum(1 for other in op.inputs if not other.listed)


def attributes(op: type[Op], given: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The attributes of the operation, as its class has them.

    Raises:
        UnimplementedError: one is missing that has no default.
    """
    for field in op.attrs:
        default = DEFAULTS.get((op.name, field.name), field.default)
        value = given.get(field.public, default)
        if value is REQUIRED:
            raise UnimplementedError(
                f"a node of kind '{op.name}' lacks the attribute '{field.name}'"
            )
        if value is not default:
            require_kind(op.name, field.public, value, field.default)
        yield field.name, _like_default(value, field.default)


def _like_default(value: Any, default: Any) -> Any:
    """Strings are bytes in protos, and sequences are lists."""
    if isinstance(value, bytes) and not isinstance(default, bytes):
        return value.decode()
    if isinstance(value, list) and isinstance(default, tuple):
        return tuple(cast(list[Any], value))
    return cast(Any, value)


def _argument_spec(proto: Any, number: int, arg: Any) -> ValueSpec:
    attrs: Any = proto.arg_attr[number].attr if number in proto.arg_attr else {}
    if "_spec" in attrs:
        return parse_spec(attrs["_spec"].s.decode())
    if arg.handle_data:
        data = arg.handle_data[0]
        return ResourceSpec(TensorSpec(shape_of(data.shape), dtype_of(data.dtype)))
    shapes = attrs["_output_shapes"].list.shape if "_output_shapes" in attrs else ()
    return TensorSpec(shape_of(shapes[0]) if shapes else None, dtype_of(arg.type))
