"""`tf.compat.v1.graph_util`: parts of GraphDefs, and GraphDefs whose variables are constants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...core.dtypes import int32, string
from ..proto.messages import message
from ..proto.values import tensor_proto
from .frozen_nodes import FrozenFunctions, FrozenNodes, owner_of

# Variables without handles, what changes them, and what often is their first value.
ON_PROCESSORS: Final = frozenset(
    "Assign AssignAdd AssignSub ScatterAdd ScatterSub ScatterUpdate TruncatedNormal Variable "
    "VariableV2".split()
)


def extract_sub_graph(graph_def: Any, dest_nodes: Sequence[str]) -> Any:
    """The nodes of a GraphDef that some nodes need, with them, as a GraphDef.

    dest_nodes: a list of names.

    >>> with tf.Graph().as_default() as graph:
    ...     x, y = tf.constant(1.0, name="x"), tf.constant(2.0, name="y")
    ...     z = tf.negative(x, name="z")
    >>> part = tf.compat.v1.graph_util.extract_sub_graph(graph.as_graph_def(), ["z"])
    >>> [node.name for node in part.node]
    ['x', 'z']

    Raises:
        TypeError: it is no GraphDef, or the names are one string.
        AssertionError: there is no such node.
    """
    if getattr(getattr(graph_def, "DESCRIPTOR", None), "name", "") != "GraphDef":
        raise TypeError(f"graph_def must be a GraphDef, not {type(graph_def).__name__}")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be an iterable of strings, not a string")
    nodes = {node.name: node for node in graph_def.node}
    for one in dest_nodes:
        if one not in nodes:
            raise AssertionError(f"{one} is not in graph")
    needed, pending = set[str](), list(dest_nodes)
    while pending:
        name = pending.pop()
        if name not in needed and name in nodes:
            needed.add(name)
            pending += map(owner_of, nodes[name].input)
    found = message("GraphDef")()
    found.node.extend(node for node in graph_def.node if node.name in needed)
    found.library.CopyFrom(graph_def.library)
    found.versions.CopyFrom(graph_def.versions)
    return found


def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: Sequence[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """The part of a GraphDef that some nodes need, with the values of a session for its variables.

    sess: a session with the graph, whose variables have values. The lists name variables: those
    alone that become constants, or those that do not.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0, name="v")
    ...     y = tf.negative(v, name="y")
    ...     session.run(v.initializer)
    ...     frozen = tf.compat.v1.graph_util.convert_variables_to_constants(
    ...         session, session.graph.as_graph_def(), ["y"])
    >>> sorted(node.op for node in frozen.node)
    ['Const', 'Identity', 'Neg']

    Raises:
        AssertionError: there is no such node.
        FailedPreconditionError: a variable has no value.
        NotImplementedError: a variable is changed, or needed itself.
    """
    part = extract_sub_graph(input_graph_def, output_node_names)
    wanted = None if variable_names_whitelist is None else set(variable_names_whitelist)
    spared = set(variable_names_blacklist or ())
    handles = {
        node.name
        for node in part.node
        if node.op == "VarHandleOp"
        and (wanted is None or node.name in wanted)
        and node.name not in spared
    }
    return with_constants(part, _values(sess, sorted(handles)))


def with_constants(graph_def: Any, values: Mapping[str, Any]) -> Any:
    """A GraphDef whose variables of these names are constants: what is read of them."""
    found = message("GraphDef")(library=graph_def.library, versions=graph_def.versions)
    for node in graph_def.node:
        if node.name in values:  # or a variable of TensorFlow 1, which is the value
            made = found.node.add(name=node.name, op="Const")
            made.attr["dtype"].CopyFrom(node.attr["dtype"])
            made.attr["value"].tensor.CopyFrom(tensor_proto(np.asarray(values[node.name])))
    kinds = {node.name: node.attr["dtype"].type for node in found.node}
    others = [node for node in graph_def.node if node.name not in values]
    FrozenNodes(FrozenFunctions(found.library), found.node.add, kinds).write(others)
    return found


def remove_training_nodes(input_graph: Any, protected_nodes: Sequence[str] | None = None) -> Any:
    """A GraphDef without what only training needs: identities, and checks of numbers.

    protected_nodes: names of nodes that stay. So do nodes that others wait for, or that wait.

    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.identity(tf.compat.v1.placeholder(tf.float32, [], "x"))
    ...     y = tf.negative(x, name="y")
    >>> shorter = tf.compat.v1.graph_util.remove_training_nodes(graph.as_graph_def())
    >>> [(node.name, list(node.input)) for node in shorter.node]
    [('x', []), ('y', ['x'])]

    Raises:
        AttributeError: it is no GraphDef.
    """
    kept = set(protected_nodes or ())
    awaited = {owner_of(one) for node in input_graph.node for one in node.input if one[0] == "^"}
    spliced = {
        node.name: node.input[0]
        for node in input_graph.node
        if node.op in ("CheckNumerics", "Identity")
        and len(node.input) == 1
        and node.name not in kept | awaited
    }
    found = message("GraphDef")(library=input_graph.library, versions=input_graph.versions)
    for node in input_graph.node:
        if node.name in spliced:
            continue
        made = found.node.add()
        made.CopyFrom(node)
        made.input[:] = [_source(one, spliced) for one in node.input]
    return found


def _source(reference: str, spliced: Mapping[str, str]) -> str:
    """What an input names when these nodes are left out."""
    while reference.removesuffix(":0") in spliced:
        reference = spliced[reference.removesuffix(":0")]
    return reference


def _values(sess: Any, names: Sequence[str]) -> dict[str, Any]:
    storages = [sess.storage(sess.graph.get_operation_by_name(name)) for name in names]
    return {name: storage.read() for name, storage in zip(names, storages, strict=True)}


def tensor_shape_from_node_def_name(graph: Any, input_name: str) -> Any:
    """The shape of the tensor that an input of a node names.

    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant([1.0, 2.0], name="x")
    >>> tf.compat.v1.graph_util.tensor_shape_from_node_def_name(graph, "x")
    TensorShape([2])

    Raises:
        KeyError: there is no such tensor.
    """
    name = input_name if ":" in input_name else f"{input_name}:0"
    return graph.get_tensor_by_name(name).get_shape()


def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether TensorFlow has a node of a graph on a processor alone: texts and whole numbers.

    node: an operation of a graph, or a NodeDef. pin_variables_on_cpu: so it has variables without
    handles, and what changes them.

    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant("text")
    >>> tf.compat.v1.graph_util.must_run_on_cpu(x.op)
    True

    Raises:
        AssertionError: it is no node.
    """
    proto = getattr(node, "node_def", node)
    if getattr(getattr(proto, "DESCRIPTOR", None), "name", "") != "NodeDef":
        raise AssertionError(f"a node of a graph is wanted, not {node!r}")
    if pin_variables_on_cpu and proto.op in ON_PROCESSORS:
        return True
    if proto.op == "Const":
        return "dtype" in proto.attr and proto.attr["dtype"].type in (
            string.as_datatype_enum,
            int32.as_datatype_enum,
        )
    kind = proto.attr["T"].type if "T" in proto.attr else 0
    return proto.op == "DynamicStitch" and kind == int32.as_datatype_enum
