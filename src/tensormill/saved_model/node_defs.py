"""NodeDefs and FunctionDefs that are written by hand: what saves and restores a model in TF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core import dtypes
from ..core.dtypes import of_storage
from ..core.shapes import SCALAR, TensorShape
from ..graph import ir
from ..graph.names import UniqueNames
from ..graph.proto.messages import message
from ..graph.proto.values import attr_value, shape_proto


def node_def(name: str, op: str, inputs: Sequence[str] = (), /, **attrs: Any) -> Any:
    """A NodeDef; the value of an attribute may be a FunctionName."""
    node = message("NodeDef")(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        if isinstance(value, FunctionName):
            node.attr[key].func.name = value
        else:
            node.attr[key].CopyFrom(attr_value(value, _no_graph))
    return node


def _no_graph(graph: ir.Graph) -> str:
    raise TypeError(f"the graph {graph.name} is in no library")


class FunctionName(str):
    """An attribute that names a function of the library."""


def const_node(name: str, array: Any) -> Any:
    """A Const."""
    dtype = of_storage(array.dtype)
    shapes = [TensorShape(array.shape)]
    return node_def(name, "Const", value=array, dtype=dtype, _output_shapes=shapes)


def strings(values: Sequence[str | bytes]) -> Any:
    """A string vector."""
    array = np.empty(len(values), object)
    array[:] = [one.encode() if isinstance(one, str) else one for one in values]
    return array


def string(value: bytes) -> Any:
    """A string scalar."""
    array = np.empty((), object)
    array[()] = value
    return array


class GraphNodes:
    """The nodes of a GraphDef, each under a name of its own."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self._names = UniqueNames()

    def add(self, wanted: str, op: str, inputs: Sequence[str] = (), /, **attrs: Any) -> str:
        """Add a node; its name."""
        name = self._names.claim(wanted)
        self.nodes.append(node_def(name, op, inputs, **attrs))
        return name

    def constant(self, wanted: str, array: Any) -> str:
        name = self._names.claim(wanted)
        self.nodes.append(const_node(name, array))
        return name

    def variable(self, variable: Any) -> str:
        """The handle of a variable, and a node that reads it."""
        name = self._names.claim(_node_name(variable.name))
        attrs = {"dtype": variable.dtype, "shape": variable.shape, "_output_shapes": [SCALAR]}
        named = {"shared_name": name, "debug_name": f"{name}/"}
        self.nodes.append(node_def(name, "VarHandleOp", **attrs, **named))
        shapes = [variable.shape]
        read = f"{name}/Read/ReadVariableOp"
        self.add(read, "ReadVariableOp", [name], dtype=variable.dtype, _output_shapes=shapes)
        return name

    def placeholder(self, wanted: str, spec: Any) -> str:
        shapes = [spec.shape]
        return self.add(
            wanted, "Placeholder", dtype=spec.dtype, shape=spec.shape, _output_shapes=shapes
        )

    def call(
        self,
        function: str,
        inputs: Sequence[str],
        taken: Sequence[Any],
        returned: Sequence[Any],
        is_stateful: bool = True,
    ) -> str:
        """A call of a function of the library, whose types are given."""
        op = "StatefulPartitionedCall" if is_stateful else "PartitionedCall"
        types = {"Tin": list(taken), "Tout": list(returned)}
        return self.add(op, op, inputs, f=FunctionName(function), **types)


def _node_name(variable_name: str) -> str:
    """'scope/w:0' without the number of the output."""
    name = variable_name.partition(":")[0].replace(" ", "_")
    return name or "Variable"


# ---------------------------------------------------------------- saving and restoring


def save_function(name: str, variables: Mapping[str, Any], described: str) -> Any:
    """`name(file_prefix, *handles)` writes a bundle of the variables, by their keys.

    `described` is the key under which the object graph is written, the last argument.
    """
    proto = _function(name, variables)
    proto.signature.input_arg.add(name="object_graph", type=dtypes.string.as_datatype_enum)
    keys = [*variables, described]
    reads: list[str] = []
    for number, variable in enumerate(variables.values()):
        read = node_def(f"read_{number}", "ReadVariableOp", [f"v{number}"], dtype=variable.dtype)
        proto.node_def.append(read)
        reads.append(f"read_{number}:value:0")
    proto.node_def.append(const_node("tensor_names", strings(keys)))
    proto.node_def.append(const_node("shape_and_slices", strings([""] * len(keys))))
    types = [*(variable.dtype for variable in variables.values()), dtypes.string]
    inputs = ["file_prefix", "tensor_names:output:0", "shape_and_slices:output:0"]
    proto.node_def.append(
        node_def("save", "SaveV2", [*inputs, *reads, "object_graph"], dtypes=types)
    )
    return _ended(proto, ["save"])


def restore_function(name: str, variables: Mapping[str, Any]) -> Any:
    """`name(file_prefix, *handles)` assigns what a bundle has under the keys of the variables."""
    proto = _function(name, variables)
    if not variables:
        return _ended(proto, [])
    proto.node_def.append(const_node("tensor_names", strings(list(variables))))
    proto.node_def.append(const_node("shape_and_slices", strings([""] * len(variables))))
    inputs = ["file_prefix", "tensor_names:output:0", "shape_and_slices:output:0"]
    types = [variable.dtype for variable in variables.values()]
    proto.node_def.append(node_def("restore", "RestoreV2", inputs, dtypes=types))
    assigned: list[str] = []
    for number, variable in enumerate(variables.values()):
        assigned.append(f"assign_{number}")
        value = f"restore:tensors:{number}"
        proto.node_def.append(
            node_def(assigned[-1], "AssignVariableOp", [f"v{number}", value], dtype=variable.dtype)
        )
    return _ended(proto, assigned)


def _function(name: str, variables: Mapping[str, Any]) -> Any:
    """A function of a file's name and of variables' handles that returns the name."""
    proto = message("FunctionDef")()
    proto.signature.name = name
    proto.signature.is_stateful = True
    proto.signature.input_arg.add(name="file_prefix", type=dtypes.string.as_datatype_enum)
    for number, variable in enumerate(variables.values()):
        arg = proto.signature.input_arg.add(
            name=f"v{number}", type=dtypes.resource.as_datatype_enum
        )
        data = arg.handle_data.add(dtype=variable.dtype.as_datatype_enum)
        data.shape.CopyFrom(shape_proto(variable.shape))
    return proto


def _ended(proto: Any, effects: Sequence[str]) -> Any:
    """The function, returning the file's name when these nodes have run."""
    inputs = ["file_prefix", *(f"^{name}" for name in effects)]
    proto.node_def.append(node_def("done", "Identity", inputs, T=dtypes.string))
    proto.signature.output_arg.add(name="done", type=dtypes.string.as_datatype_enum)
    proto.ret["done"] = "done:output:0"
    for name in effects:
        proto.control_ret[name] = name
    proto.signature.control_output.extend(effects)
    return proto
