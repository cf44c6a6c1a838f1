"""`tensorflow.python.tools`: graphs from files, with constants for variables, or made shorter."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from ....checkpoint.inspection import load_checkpoint
from ....core.dtypes import as_dtype
from ....core.files.gfile import GFile
from ....function.session import Session
from ....graph.by_hand.graph_defs import (
    convert_variables_to_constants,
    extract_sub_graph,
    remove_training_nodes,
    with_constants,
)
from ....graph.func_graph import FuncGraph
from ....graph.proto.messages import from_text, message
from ....graph.proto.values import attr_value

VARIABLES = ("VarHandleOp", "Variable", "VariableV2")


def freeze_graph(
    input_graph: Any, input_saver: Any, input_binary: bool, input_checkpoint: Any,
    output_node_names: str, restore_op_name: Any, filename_tensor_name: Any, output_graph: str,
    clear_devices: bool, initializer_nodes: str, variable_names_whitelist: str = "",
    variable_names_denylist: str = "", input_meta_graph: Any = None,
    input_saved_model_dir: Any = None, saved_model_tags: str = "serve",
    checkpoint_version: int = 2,
) -> Any:  # fmt: skip
    """The part of a graph that some nodes need, with values of a checkpoint for its variables.

    The graph is in a file of a GraphDef, of a MetaGraphDef, or in a SavedModel. Lists of names
    have commas. The result is a GraphDef, and written to `output_graph` where that is a name.

    Raises:
        ValueError: there is no graph, no checkpoint or no name of an output.
        NotFoundError: a file is missing, or a variable in the checkpoint.
    """
    names = _split(output_node_names)
    if not names:
        raise ValueError("output_node_names must name at least one node, with commas between")
    chosen = _split(variable_names_whitelist) or None, _split(variable_names_denylist)
    if input_saved_model_dir:
        frozen = _of_saved_model(input_saved_model_dir, _split(saved_model_tags), names, *chosen)
    else:
        graph_def = _read(input_graph, input_binary, input_meta_graph)
        frozen = _with_checkpoint(graph_def, input_checkpoint, names, *chosen)
    for node in frozen.node if clear_devices else ():
        node.device = ""
    if output_graph:
        with GFile(output_graph, "wb") as file:
            file.write(frozen.SerializeToString(deterministic=True))
    return frozen


def _split(names: str) -> list[str]:
    return [one for one in names.replace(" ", "").split(",") if one]


def _read(input_graph: Any, is_binary: bool, input_meta_graph: Any) -> Any:
    """The GraphDef in a file of one, or of a MetaGraphDef."""
    if input_meta_graph:
        return _parsed("MetaGraphDef", input_meta_graph, is_binary).graph_def
    if not input_graph:
        raise ValueError("input_graph, input_meta_graph or input_saved_model_dir is wanted")
    return _parsed("GraphDef", input_graph, is_binary)


def _parsed(kind: str, path: Any, is_binary: bool) -> Any:
    with GFile(path, "rb" if is_binary else "r") as file:
        content = file.read()
    return message(kind).FromString(content) if is_binary else from_text(content, message(kind))


def _with_checkpoint(
    graph_def: Any, path: Any, names: Sequence[str], wanted: Any, spared: Sequence[str]
) -> Any:
    if not path:
        raise ValueError("input_checkpoint is wanted: the prefix of a checkpoint's files")
    part = extract_sub_graph(graph_def, names)
    reader = load_checkpoint(path)
    variables = [node.name for node in part.node if node.op in VARIABLES]
    chosen = [one for one in variables if (wanted is None or one in wanted) and one not in spared]
    return with_constants(part, {one: reader.get_tensor(one) for one in chosen})


def _of_saved_model(
    path: Any, tags: Sequence[str], names: Sequence[str], wanted: Any, spared: Sequence[str]
) -> Any:
    from ....version_one.saved_models import load

    with FuncGraph("frozen").as_default() as graph, Session(graph=graph) as session:
        load(session, tags, path)
        graph_def = graph.as_graph_def()
        return convert_variables_to_constants(session, graph_def, names, wanted, spared)


def strip_unused(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
) -> Any:
    """The part of a GraphDef between some nodes, which become placeholders, and others.

    placeholder_type_enum: the number of the placeholders' dtype, or a list of such.

    Raises:
        KeyError: there is no such node.
    """
    known = {node.name for node in input_graph_def.node}
    for one in (*input_node_names, *output_node_names):
        if one not in known:
            raise KeyError(f"the graph has no node called '{one}'")
    several = isinstance(placeholder_type_enum, Sequence)
    found = message("GraphDef")(library=input_graph_def.library, versions=input_graph_def.versions)
    for node in input_graph_def.node:
        if node.name not in input_node_names:
            found.node.add().CopyFrom(node)
            continue
        place = list(input_node_names).index(node.name)
        number = placeholder_type_enum[place] if several else placeholder_type_enum
        made = found.node.add(name=node.name, op="Placeholder")
        made.attr["dtype"].CopyFrom(attr_value(as_dtype(number), str))
        for kept in ("shape", "_output_shapes"):
            if kept in node.attr:
                made.attr[kept].CopyFrom(node.attr[kept])
    return extract_sub_graph(found, output_node_names)


def optimize_for_inference(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
    toco_compatible: bool = False,
    placeholder_to_const_names: Any = None,
) -> Any:
    """What `strip_unused` leaves of a GraphDef, without what only training needs.

    Batch normalization is not folded into the convolution before it: the compiler of this library
    does both in one loop anyway.

    Raises:
        KeyError: there is no such node.
    """
    part = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    return remove_training_nodes(part, output_node_names)


def print_tensors_in_checkpoint_file(
    file_name: Any,
    tensor_name: str,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Print what a checkpoint holds: all of it, its names, or one tensor; then its size."""
    reader = load_checkpoint(file_name)
    shapes = reader.get_variable_to_shape_map()
    dtypes = reader.get_variable_to_dtype_map()
    every = all_tensors or all_tensor_names
    for name in sorted(shapes) if every or not tensor_name else [tensor_name]:
        print(f"tensor: {name} ({dtypes[name].name}) {shapes[name]}")
        if all_tensors or not every:
            print(reader.get_tensor(name))
    excluded = re.compile(count_exclude_pattern or r"(?!)")
    counted = [math.prod(shape) for name, shape in shapes.items() if not excluded.match(name)]
    print(f"# Total number of params: {sum(counted)}")
