"""MetaGraphDefs: a graph with its collections, as `.meta` files have them."""

from __future__ import annotations

import os
from typing import Any

from ...core.files.atomic import write_file
from ...core.files.folders import make_folders
from ...core.files.gfile import text, translated
from ...eager.scopes import executing_eagerly
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.by_hand.variable_defs import variable_def
from ...graph.by_hand.variables import GraphVariable
from ...graph.func_graph import FuncGraph
from ...graph.operation import Operation
from ...graph.proto.messages import message, to_text
from ...graph.symbolic import SymbolicTensor
from .scoped_meta_graph import below


def write_meta_graph(filename: Any, proto: Any, as_text: bool = False) -> Any:
    """A MetaGraphDef, written to a file if one is named."""
    if filename is not None:
        path = text(filename)
        with translated(path):
            make_folders(os.path.dirname(path) or ".")
            write_file(path, to_text(proto).encode() if as_text else proto.SerializeToString())
    return proto


def without_devices(proto: Any) -> Any:
    """A MetaGraphDef whose operations, those of functions too, may run anywhere."""
    functions = [one.node_def for one in proto.graph_def.library.function]
    for nodes in (proto.graph_def.node, *functions):
        for node in nodes:
            node.device = ""
    return proto


def meta_graph_of(graph: FuncGraph, collection_list: Any = None) -> Any:
    """The graph as a proto, and what of its collections can be said in one."""
    proto = message("MetaGraphDef")(graph_def=graph.as_graph_def(add_shapes=True))
    proto.meta_info_def.tensorflow_version = "2.21.0"
    for name in graph.get_all_collection_keys() if collection_list is None else collection_list:
        _add_collection(proto.collection_def[name], graph.get_collection(name))
        if not proto.collection_def[name].WhichOneof("kind"):
            del proto.collection_def[name]
    return proto


def _add_collection(proto: Any, kept: list[Any]) -> None:
    if kept and all(isinstance(one, GraphVariable) for one in kept):
        proto.bytes_list.value.extend(variable_def(one).SerializeToString() for one in kept)
    elif kept and all(isinstance(one, (Operation, SymbolicTensor)) for one in kept):
        proto.node_list.value.extend(one.name for one in kept)
    elif kept and all(type(one) is int for one in kept):
        proto.int64_list.value.extend(kept)
    elif kept and all(type(one) is float for one in kept):
        proto.float_list.value.extend(kept)
    elif kept and all(isinstance(one, (str, bytes)) for one in kept):
        encoded = [one.encode() if isinstance(one, str) else one for one in kept]
        proto.bytes_list.value.extend(encoded)


def export_meta_graph(
    filename: Any = None,
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    as_text: bool = False,
    graph: Any = None,
    export_scope: str | None = None,
    clear_devices: bool = False,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> Any:
    """The MetaGraphDef of a graph with its collections, written to a file if one is named.

    The default graph's, unless `graph` is given. meta_info_def, graph_def, saver_def: protos that
    are put into it, a GraphDef in the place of that of the graph. as_text: the file is in
    protobuf's text form. export_scope: only what is below this name scope, called without it; what
    that takes from outside is called `$unbound_inputs_...`, and an import says by `input_map` what
    it is. clear_devices: operations say no device. The last four are accepted, and change nothing.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     proto = tf.compat.v1.train.export_meta_graph()
    >>> [node.name for node in proto.graph_def.node][:2]
    ['v/Initializer/initial_value', 'v']

    Raises:
        RuntimeError: operations run at once, and no graph is given.
        FailedPreconditionError: a file lies where a folder would be.
    """
    if graph is None and executing_eagerly():
        raise RuntimeError(
            "export_meta_graph: there is no default graph where operations run at once; enter one "
            "by tf.Graph().as_default(), or say graph=..."
        )
    proto = meta_graph_of(graph or get_default_graph(), collection_list)
    if export_scope:
        proto = below(proto, export_scope)
    given = {"meta_info_def": meta_info_def, "graph_def": graph_def, "saver_def": saver_def}
    for field, part in given.items():
        if part is not None:
            proto.ClearField(field)
            getattr(proto, field).MergeFromString(part.SerializeToString())
    return write_meta_graph(filename, without_devices(proto) if clear_devices else proto, as_text)
