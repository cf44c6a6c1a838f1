"""`tf.import_graph_def`: the nodes of a GraphDef as operations of the graph that is being built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import Any, Final

from ...core import context
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape
from ...errors import UnimplementedError
from ...ops.bind import bind
from ...ops.op import REGISTRY
from ...ops.state.handles import VarHandleOp
from ...ops.state.variables import read
from ...ops.training.references import ByReference, value_after
from ..by_hand.default_graph import get_default_graph
from ..func_graph import FuncGraph
from .functionalization import functionalized
from .graphdef_import import FunctionReference, Functions, Nodes, attributes
from .import_checks import in_order, told_by
from .messages import message
from .values import dtype_of, python_value, shape_of

# Operations that a later folder has.
_ON_FILES: Final = ("MergeV2Checkpoints", "RestoreV2", "SaveV2")
# Variables of TensorFlow 1 without handles.
_VARIABLES: Final = ("Variable", "VariableV2", "TemporaryVariable")


class ReferenceTo(NamedTuple):
    """A variable without a handle: who takes it reads it, unless it is assigned to."""

    handle: Any


class AfterStep(NamedTuple):
    """What an operation on such a variable gives: the variable again, and its value then."""

    handle: Any
    value: Any
    step: Any


class MissingResult(NamedTuple):
    """What a node would give whose kind is not there."""

    reason: str


class ImportedNodes(Nodes):
    """The nodes of a whole graph: what cannot be imported is missing until somebody wants it."""

    def __init__(
        self, functions: Functions, owner: str, input_map: Mapping[str, Any], prefix: str
    ) -> None:
        super().__init__(functions, owner)
        self._input_map = {_full(key): value for key, value in input_map.items()}
        self._prefix = prefix

    def tensor(self, reference: str) -> Any:
        """The tensor of a reference, or what stands for it."""
        mapped = self._input_map.get(_full(reference))
        return super().tensor(reference) if mapped is None else mapped

    def operand(self, reference: str) -> Any:
        """The same as nodes take it: variables are read.

        Raises:
            UnimplementedError: it is missing.
        """
        found = self.tensor(reference)
        if isinstance(found, MissingResult):
            raise UnimplementedError(found.reason)
        if isinstance(found, AfterStep):
            return found.value
        if isinstance(found, ReferenceTo):
            return read(found.handle, found.handle._known.spec.state.dtype)
        return found

    def add(self, graph: FuncGraph, node: Any) -> None:
        """Add one node, or note that it is missing."""
        try:
            self._require_what_comes_before(node)
            if node.op in ("Placeholder", "PlaceholderV2"):
                self.define(node.name, _placeholder(graph, node))
            elif node.op in _VARIABLES:
                self.define(node.name, ReferenceTo(_variable(node)))
            elif (op := REGISTRY.get(node.op)) is not None and issubclass(op, ByReference):
                self._update(graph, node, op)
            else:
                self._add_operation(graph, node)
        except UnimplementedError as error:
            reason = f"'{node.name}' ({node.op}) was not imported: {error.message}"
            self._tensors[node.name] = [MissingResult(reason)] * 64

    def _require_what_comes_before(self, node: Any) -> None:
        """Raise if something that has to happen before a node is missing."""
        for one in node.input:
            found = self._tensors.get(one[1:]) if one.startswith("^") else None
            if found and isinstance(found[0], MissingResult):
                raise UnimplementedError(found[0].reason)

    def _add_operation(self, graph: FuncGraph, node: Any) -> None:
        plain = message("NodeDef")()
        plain.CopyFrom(node)
        data = [one for one in node.input if not one.startswith("^")]
        before = dict(self._tensors)
        for number, one in enumerate(data):
            self._tensors[f"operand {number}"] = (self.operand(one),)
        del plain.input[:]
        plain.input.extend(f"operand {number}" for number in range(len(data)))
        plain.input.extend(one for one in node.input if one.startswith("^"))
        mapped, self._input_map = self._input_map, {}
        try:
            super().add(graph, plain)
        finally:
            self._input_map = mapped
        made = self._tensors[node.name]
        self._tensors = {**before, node.name: made}

    def _update(self, graph: FuncGraph, node: Any, op: type[ByReference]) -> None:
        """Add an operation on variables without handles: it takes the handles behind them."""
        from ...eager.scopes import control_dependencies

        data = [one for one in node.input if not one.startswith("^")]
        operands: list[Any] = []
        waits = [self._operations.get(one[1:]) for one in node.input if one.startswith("^")]
        for field, one in zip(op.inputs, data, strict=True):
            operand = self.tensor(one)
            if field.name not in op.references:
                operand = self.operand(one)
            elif isinstance(operand, ReferenceTo | AfterStep):
                waits.append(operand.step if isinstance(operand, AfterStep) else None)
                operand = operand.handle
            else:
                raise UnimplementedError(f"{node.op} of what is no variable")
            operands.append(operand)
        given = {key: python_value(value, FunctionReference) for key, value in node.attr.items()}
        attrs = dict(attributes(op, given))
        with control_dependencies([one for one in waits if one is not None]):
            if op.step is ByReference.step:
                self.define(node.name, bind(op, *operands, **attrs, name=node.name))
                self._operations[node.name] = graph.latest_operation
                return
            done = self._operations[node.name] = op(*operands, **attrs).step(node.name)
            value = value_after(operands[0], done)
            self._tensors[node.name] = [AfterStep(operands[0], value, done)]

    def element(self, graph: FuncGraph, name: str) -> Any:
        """The operation or tensor called so in the GraphDef.

        Raises:
            ValueError: there is none.
        """
        owner, _, number = name.partition(":")
        if owner not in self._tensors and owner not in self._operations:
            raise ValueError(f"Requested return_element {name!r} not found in graph_def.")
        if number:
            return self.operand(name)
        found = self._operations.get(owner)
        return found if found is not None else self.operand(f"{owner}:0").op


def _full(reference: str) -> str:
    return reference if ":" in reference or reference.startswith("^") else f"{reference}:0"


def _placeholder(graph: FuncGraph, node: Any) -> Any:
    from ...core.specs import TensorSpec

    shape = shape_of(node.attr["shape"].shape) if "shape" in node.attr else TensorShape(None)
    spec = TensorSpec(shape, dtype_of(node.attr["dtype"].type))
    return graph.unbound_placeholder(spec, node.name)


def _variable(node: Any) -> Any:
    shape, dtype = shape_of(node.attr["shape"].shape), dtype_of(node.attr["dtype"].type)
    shared = node.attr["shared_name"].s.decode() or node.name
    return bind(VarHandleOp, dtype=dtype, shape=shape, shared_name=shared, name=node.name)


def import_nodes(
    graph: FuncGraph,
    graph_def: Any,
    input_map: Mapping[str, Any] | None = None,
    name: str = "",
    within: Sequence[str] = (),
) -> ImportedNodes:
    """Add the nodes of a GraphDef to `graph`, in a name scope.

    within: the directories in which they may touch files; none: anywhere.
    """
    with told_by(
        f"control flow of '{graph.name}'", "what TensorFlow 1 makes of loops and branches"
    ):
        definition = functionalized(graph_def)
    bodies = (one.node_def for one in definition.library.function)
    if any(node.op in _ON_FILES for node in chain(definition.node, *bodies)):
        import_module("tensormill.formats.bundle_operations")
    place = str(len(graph.get_operations()))
    functions = Functions(definition.library.function, within=within, imported_as=place)
    with context.entered(context.Context(graph)), graph.name_scope(name) as scope:
        given = input_map or {}
        nodes = ImportedNodes(functions, graph.name, given, scope)
        outside = {key.partition(":")[0] for key in given} - {node.name for node in definition.node}
        for node in in_order(definition.node, graph.name, outside):
            nodes.add(graph, node)
    return nodes


def import_graph_def(
    graph_def: Any,
    input_map: Mapping[str, Any] | None = None,
    return_elements: Sequence[str] | None = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> Any:
    """Add the nodes of a GraphDef to the graph that is being built, or that waits to be where
    operations run at once (`tf.compat.v1.get_default_graph()`).

    graph_def: a `tf.compat.v1.GraphDef`, or its bytes. input_map: tensors that stand for those of
    these names. return_elements: names of operations and tensors, which are returned. name: what
    all names begin with, "import" unless it is given. Control flow of TensorFlow 1 becomes If and
    While. Operations that the library does not have are left out, until somebody asks for them.

    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.compat.v1.placeholder(tf.float32, [], name="x")
    ...     y = tf.add(x, 1.0, name="y")
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     given = tf.constant(2.0)
    ...     (y,) = tf.graph_util.import_graph_def(graph.as_graph_def(), {"x": given}, ["y:0"])
    ...     print(y.name, session.run(y))
    import/y:0 3.0

    Raises:
        TypeError: `graph_def` is no GraphDef.
        ValueError: an element that is to be returned, or a key of `input_map`, is not there.
        InvalidArgumentError: nodes do not fit.
    """
    definition = _definition(graph_def)
    graph = get_default_graph()
    given = {key: graph.convert(value, None, None) for key, value in (input_map or {}).items()}
    _require_known(given, definition)
    prefix = "import" if name is None else name
    nodes = import_nodes(graph, definition, given, prefix)
    if return_elements is None:
        return None
    return [nodes.element(graph, one) for one in return_elements]


def _definition(given: Any) -> Any:
    """A GraphDef, from its bytes too, or from a message of another library's class.

    Raises:
        TypeError: it is none of these.
    """
    if type(given) is message("GraphDef"):
        return given
    if not isinstance(given, bytes) and not hasattr(given, "SerializeToString"):
        raise TypeError(f"graph_def must be a GraphDef, got {type(given).__name__}: {given!r}")
    return message("GraphDef").FromString(
        given if isinstance(given, bytes) else given.SerializeToString()
    )


def _require_known(input_map: Mapping[str, Any], definition: Any) -> None:
    """Raise ValueError where tensors stand for those of nodes that are not there."""
    known = {node.name for node in definition.node}
    unknown = [key for key in input_map if key.removeprefix("^").partition(":")[0] not in known]
    if unknown:
        raise ValueError(
            f"Attempted to map inputs that were not found in graph_def: {unknown}; its nodes are "
            f"{sorted(known)}"
        )
