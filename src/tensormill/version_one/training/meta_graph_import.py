"""`tf.compat.v1.train.import_meta_graph`: a graph with its collections, out of a `.meta` file."""

from __future__ import annotations

import os
from typing import Any, Final

from ...core.files.gfile import text, translated
from ...core.process.logs import logger
from ...errors import UnimplementedError
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.by_hand.variables import GraphVariable
from ...graph.func_graph import FuncGraph
from ...graph.proto.graph_import import ImportedNodes, import_nodes
from ...graph.proto.messages import DecodeError, from_text, message
from ...saved_model.graph_model import keys_of
from .saver import Saver
from .scoped_meta_graph import OF_VARIABLES, UNBOUND_INPUTS

# Notes of how TensorFlow built loops, runs queues and saves, which mean nothing here.
NOT_KEPT: Final = (
    GraphKeys.COND_CONTEXT, GraphKeys.WHILE_CONTEXT, GraphKeys.QUEUE_RUNNERS, GraphKeys.SAVERS,
    UNBOUND_INPUTS,
)  # fmt: skip


def import_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    import_scope: str | None = None,
    **kwargs: Any,
) -> Saver | None:
    """Add the graph of a MetaGraphDef to the default one, with its collections.

    meta_graph_or_file: a MetaGraphDef, or the name of a file that a Saver wrote. import_scope: what
    names begin with here. `input_map` as of `tf.import_graph_def`. The result is a Saver of the
    graph's variables by the names that they have in checkpoints; None where there are none. Devices
    are ignored.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     v = tf.Variable(2.0, name="v")
    ...     session.run(v.initializer)
    ...     path = tf.compat.v1.train.Saver().save(session, "whole/model")
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     tf.compat.v1.train.import_meta_graph(path + ".meta").restore(session, path)
    ...     print(session.run("v/Read/ReadVariableOp:0"))
    2.0

    Raises:
        OSError: there is no such file, or no MetaGraphDef in it.
        RuntimeError: operations run at once here.
        ValueError: `input_map` does not say what stands for an operation outside of `export_scope`.
    """
    meta = _meta_graph(meta_graph_or_file)
    graph = get_default_graph()
    scope = f"{import_scope}/" if import_scope else ""
    given = {
        key: graph.convert(value, None, None)
        for key, value in (kwargs.get("input_map") or {}).items()
    }
    if missing := _unbound(meta) - given.keys():
        raise ValueError(
            f"Graph contains unbound inputs: {', '.join(sorted(missing))}. Must provide these "
            "inputs through input_map."
        )
    nodes = import_nodes(graph, meta.graph_def, given, import_scope or "")
    made: dict[str, GraphVariable] = {}
    for key, kept in meta.collection_def.items():
        if key not in NOT_KEPT:
            for one in _kept(nodes, graph, key, kept, made, scope):
                graph.add_to_collection(key, one)
    if any(node.op.startswith("LookupTableImport") for node in meta.graph_def.node):
        # Its own operations restore tables.
        return (
            Saver.from_proto(meta.saver_def, import_scope) if _kept_files(meta.saver_def) else None
        )
    keys, restored = keys_of(meta.graph_def), _restored_by(meta)
    named: dict[str, Any] = {}
    for variable in made.values():
        own = variable.op.name.removeprefix(scope)
        if any(variable is one for one in graph.get_collection(GraphKeys.GLOBAL_VARIABLES)):
            place = variable._save_slice_info
            if own in keys:
                key, is_part = keys[own].name, bool(keys[own].part)
            else:
                key, is_part = (own, False) if place is None else (place.full_name, True)
            if restored is not None and key not in restored:
                continue
            if is_part:
                named.setdefault(key, []).append(variable)
            else:
                named[key] = variable
    return Saver(named, **_kept_files(meta.saver_def)) if named else None


def _unbound(meta: Any) -> set[str]:
    """What a part of a graph takes from outside, as `export_scope` calls it."""
    if UNBOUND_INPUTS not in meta.collection_def:
        return set()
    return {one.decode() for one in meta.collection_def[UNBOUND_INPUTS].bytes_list.value}


def _kept_files(saver_def: Any) -> dict[str, Any]:
    """How many checkpoints the Saver kept that a file tells of."""
    if not saver_def.filename_tensor_name:
        return {}
    return {
        "max_to_keep": saver_def.max_to_keep,
        "keep_checkpoint_every_n_hours": saver_def.keep_checkpoint_every_n_hours,
    }


def _restored_by(meta: Any) -> frozenset[str] | None:
    """The keys that a file's Saver restores; None where it tells of none."""
    nodes = {node.name: node for node in meta.graph_def.node}
    waiting, seen = [meta.saver_def.restore_op_name], set[str]()
    keys = set[str]()
    while waiting:
        name = waiting.pop().removeprefix("^").partition(":")[0]
        if name in seen or name not in nodes:
            continue
        seen.add(name)
        node = nodes[name]
        if node.op == "RestoreV2" and len(node.input) > 1:
            told = nodes.get(node.input[1].partition(":")[0])
            if told is not None:
                keys.update(key.decode() for key in told.attr["value"].tensor.string_val)
        else:
            waiting += node.input
    return frozenset(keys) or None


def read_meta_graph_file(filename: Any) -> Any:
    """The MetaGraphDef in a file, as bytes or as text.

    Raises:
        OSError: there is none, or it is none.
    """
    return _meta_graph(filename)


def _meta_graph(given: Any) -> Any:
    kind = message("MetaGraphDef")
    if hasattr(given, "graph_def"):
        return given if type(given) is kind else kind.FromString(given.SerializeToString())
    path = text(given)
    if not os.path.exists(path):
        raise OSError(f"File does not exist. Received: {path}.")
    with translated(path), open(path, "rb") as file:
        content = file.read()
    try:
        return kind.FromString(content)
    except DecodeError:
        pass
    try:
        return from_text(content.decode(), kind)
    except Exception as error:
        raise OSError(f"Cannot parse file {path}: {error}.") from None


def _kept(
    nodes: ImportedNodes,
    graph: FuncGraph,
    key: str,
    kept: Any,
    made: dict[str, GraphVariable],
    scope: str,
) -> list[Any]:
    """What a collection keeps; variables are made once for all collections."""
    kind = kept.WhichOneof("kind")
    if kind is None or kind == "any_list":
        return []
    values = getattr(kept, kind).value
    if kind == "node_list":
        return [one for name in values for one in _element(nodes, graph, key, name)]
    if kind == "bytes_list" and key in OF_VARIABLES:
        return [_variable(graph, one, made, scope) for one in values]
    if kind == "bytes_list" and scope:  # TensorFlow takes strings for names
        return [scope + one.decode() for one in values]
    return list(values)


def _element(nodes: ImportedNodes, graph: FuncGraph, key: str, name: str) -> list[Any]:
    """An operation or tensor in a collection; what could not be imported is told of, and left."""
    try:
        return [nodes.element(graph, name)]
    except UnimplementedError as error:
        logger.warning("the collection '%s' has lost '%s': %s", key, name, error.message)
        return []


def _variable(
    graph: FuncGraph, serialized: bytes, made: dict[str, GraphVariable], scope: str
) -> GraphVariable:
    proto = message("VariableDef").FromString(serialized)
    found = made.get(proto.variable_name)
    if found is None:
        try:
            found = made[proto.variable_name] = GraphVariable.of_def(graph, proto, scope)
        except KeyError as error:
            raise UnimplementedError(
                f"the variable {proto.variable_name} was not imported: {error}"
            ) from None
    return found
