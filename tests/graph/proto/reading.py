"""Protos as graphs: what the library only reads inside of a model, by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensormill.core import context
from tensormill.core.shapes import TensorShape
from tensormill.core.specs import TensorSpec, ValueSpec
from tensormill.graph import ir
from tensormill.graph.func_graph import FuncGraph
from tensormill.graph.parse import parse_spec
from tensormill.graph.proto.graphdef_import import Functions, Nodes
from tensormill.graph.proto.import_checks import in_order, told_by_node
from tensormill.graph.proto.values import dtype_of, shape_of


def graph_of(graph_def: Any, outputs: Sequence[str] = (), name: str = "graph") -> ir.Graph:
    """The graph of a GraphDef. Its placeholders are the parameters, in the order of the nodes.

    `outputs` names the tensors that are returned ('Identity', 'split:1').
    """
    graph = FuncGraph(name)
    nodes = Nodes(Functions(graph_def.library.function), name)
    with context.interpreting(graph):
        for node in graph_def.node:
            if node.op == "Placeholder":
                with told_by_node(node, name):
                    tensor = graph.placeholder(_placeholder_spec(node), node.name)
                nodes.define(node.name, tensor)
        for node in in_order(graph_def.node, name):
            if node.op != "Placeholder":
                nodes.add(graph, node)
    return graph.finish([nodes.tensor(one) for one in outputs])


def function_of(function_def: Any, library: Sequence[Any] = ()) -> ir.Graph:
    """The graph of a FunctionDef, with those of the library that it calls."""
    functions = Functions([*library, function_def])
    name = function_def.signature.name
    return functions.graph(name, functions.declared_specs(name))


def _placeholder_spec(node: Any) -> ValueSpec:
    if "_spec" in node.attr:
        return parse_spec(node.attr["_spec"].s.decode())
    shape = shape_of(node.attr["shape"].shape) if "shape" in node.attr else TensorShape(None)
    return TensorSpec(shape, dtype_of(node.attr["dtype"].type))
