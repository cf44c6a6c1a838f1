"""The SavedObjectGraph: every object that is saved, and which functions use which of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..checkpoint.object_graph import note_which_have_values
from ..core.files import gfile
from ..core.process.named_tuples import NamedTuple
from ..eager.storage import Storage
from ..eager.variable import Variable
from ..errors import UnimplementedError
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..graph.payload import payload_of
from ..graph.proto.messages import message
from ..graph.proto.values import shape_proto
from ..module.assets import CREATE, INITIALISE, Asset
from ..module.data_structures import ListWrapper, _DictWrapper
from ..ops.conversion import as_tensor
from ..ops.state.lookup import HashTable
from .directory import name_of_file
from .exported import (
    Exported,
    ExportedFunctions,
    bare_proto,
    concrete_proto,
    function_proto,
    traces_of,
)
from .gradients import ExportedGradient
from .node_defs import GraphNodes, string
from .parts_of_replicas import handles_of_parts, require_one_part
from .view import ObjectView, SavedNode, SignatureMap, variable_of

UNTRACKED: Final = (
    "The function '{function}' uses an 'untracked' resource: {what}. What functions capture has to "
    "be found from the object that is saved: make it an attribute of that object, or of one of its "
    "attributes"
)


class SavedAsset(NamedTuple):
    """What an asset's file is called in the model, and the node that says where it is."""

    filename: str
    node: str


class SavedObjects:
    """Objects as protos, and as nodes of the graph that functions are given."""

    def __init__(self, view: ObjectView, functions: ExportedFunctions, nodes: GraphNodes) -> None:
        self._view = view
        self._functions = functions
        self._nodes = nodes
        self.proto: Any = message("SavedObjectGraph")()
        self.variables: dict[str, Variable] = {}  # by the key of the value in the bundle
        self.handles: dict[str, str] = {}  # by the same key: nodes of the graph
        self.assets: list[SavedAsset] = []
        self.files: dict[str, str] = {}  # of the assets: where they are, by their names there
        self._numbers: dict[int, int] = {}  # of what functions capture, by identity
        self._names: dict[int, str] = {}  # nodes of the graph, by the number of the object
        self._resources: list[SavedNode] = []
        self.attributes: dict[int, dict[str, str]] = {}  # of resources: their keys in the bundle
        self.tensors: dict[str, Any] = {}  # what resources store, by key
        # Functions that put that back, with the keys of the tensors that they take.
        self.restoring: list[tuple[list[str], Exported]] = []
        for node in view.nodes:
            self.proto.nodes.append(self._written(node))
        for node in view.nodes:
            self._add_functions(node)
        for resource in self._resources:
            self._add_saveables(resource)
        for exported in functions.all:
            self._add_concrete(exported)
        for gradient in functions.gradients:
            self._add_gradient(gradient)
        for resource in self._resources:
            self._names[resource.number] = self._call(self._child(resource, CREATE))
        self.initialisers = [self._call(self._child(one, INITIALISE)) for one in self._resources]

    def _child(self, node: SavedNode, name: str) -> Function:
        return self._view.nodes[node.children[name]].value

    def inputs_of(self, exported: Exported) -> list[str]:
        """The nodes of the graph that a function captured."""
        return [self._names[self._number(exported, one)] for one in exported.captured]

    # ---- objects
    def _written(self, node: SavedNode) -> Any:
        proto = message("SavedObject")()
        for name, number in node.children.items():
            proto.children.add(node_id=number, local_name=name)
        variable = variable_of(node.value)
        if variable is not None:
            self._write_variable(proto.variable, node, variable)
        elif isinstance(node.value, Asset):
            self._write_asset(proto.asset, node, node.value)
        elif CREATE in node.children:
            self._write_resource(proto.resource, node)
        elif not isinstance(node.value, (Function, ConcreteFunction)):
            proto.user_object.identifier = identifier_of(node.value)
            proto.user_object.version.producer = 1
            proto.user_object.version.min_consumer = 1
        return proto

    def _write_variable(self, proto: Any, node: SavedNode, variable: Variable) -> None:
        proto.dtype = variable.dtype.as_datatype_enum
        proto.shape.CopyFrom(shape_proto(variable.shape))
        proto.trainable = variable.trainable
        proto.synchronization = int(variable.synchronization.value)
        proto.aggregation = int(variable.aggregation.value)
        proto.name = variable.name.partition(":")[0]
        storage = payload_of(variable.handle)
        if id(storage) in self._numbers:
            return
        self._numbers[id(storage)] = node.number
        for handle in handles_of_parts(variable):
            self._numbers.setdefault(id(payload_of(handle)), node.number)
        key = checkpoint_key(node.path, _VALUE)
        self.variables[key] = variable
        self.handles[key] = self._names[node.number] = self._nodes.variable(variable)

    def _write_asset(self, proto: Any, node: SavedNode, asset: Asset) -> None:
        proto.asset_file_def_index = len(self.assets)
        path = payload_of(asset.asset_path)[()]
        name = self._nodes.constant("asset_path", string(path))
        self.assets.append(SavedAsset(name_of_file(self.files, os.fsdecode(path)), name))
        self._numbers[id(asset.asset_path)] = node.number
        self._names[node.number] = name

    def _write_resource(self, proto: Any, node: SavedNode) -> None:
        """What functions use by a handle: a function makes it again."""
        proto.device = ""
        self._numbers[id(payload_of(node.value.resource_handle))] = node.number
        self._resources.append(node)

    def _add_saveables(self, node: SavedNode) -> None:
        """Functions that save and restore what is in a resource, and what they save now."""
        saveables = self.proto.nodes[node.number].saveable_objects
        for name, functions in node.value._saveable_functions().items():
            key = self.attributes.setdefault(node.number, {})[name] = checkpoint_key(
                node.path, name
            )
            stored = {
                gfile.text(one["name"]): payload_of(one["tensor"])
                for one in functions[0](as_tensor(key))
            }
            self.tensors |= stored
            numbers = [self._add_bare(function) for function in functions]
            self.restoring.append(([*stored], self._functions.add(functions[1])))
            saveables[name].save_function, saveables[name].restore_function = numbers

    def _add_bare(self, function: ConcreteFunction) -> int:
        proto = bare_proto(self._functions.add(function))
        self.proto.nodes.add().bare_concrete_function.CopyFrom(proto)
        return len(self.proto.nodes) - 1

    def _call(self, function: Function) -> str:
        """A node of the graph that calls a function without arguments."""
        (concrete,) = traces_of(function)
        exported = self._functions.add(concrete)
        taken, returned = (
            [one.dtype for one in listed] for listed in (concrete.inputs, concrete.outputs)
        )
        return self._nodes.call(exported.name, self.inputs_of(exported), taken, returned)

    # ---- functions
    def _add_functions(self, node: SavedNode) -> None:
        proto = self.proto.nodes[node.number]
        if isinstance(node.value, Function):
            exported = [self._functions.add(one) for one in traces_of(node.value)]
            proto.function.CopyFrom(function_proto(node.value, [one.name for one in exported]))
        elif isinstance(node.value, ConcreteFunction):
            proto.bare_concrete_function.CopyFrom(bare_proto(self._functions.add(node.value)))

    def _add_concrete(self, exported: Exported) -> None:
        numbers = [self._number(exported, one) for one in exported.captured]
        self.proto.concrete_functions[exported.name].CopyFrom(concrete_proto(exported, numbers))

    def _add_gradient(self, gradient: ExportedGradient) -> None:
        numbers: list[int] = []
        for name in gradient.captured:
            numbers.append(len(self.proto.nodes))
            captured = self.proto.nodes.add().captured_tensor
            captured.name, captured.concrete_function = name, gradient.owner
        self.proto.concrete_functions[gradient.name].CopyFrom(gradient.written(numbers))

    def _number(self, exported: Exported, tensor: Any) -> int:
        """The object that a captured tensor is; constants become objects now.

        Raises:
            AssertionError: a variable that is not among the saved objects.
            ValueError: a part of a variable, for which the whole cannot stand.
            UnimplementedError: a handle of another kind of object.
        """
        require_one_part(exported, tensor)
        payload = payload_of(tensor)
        is_array = isinstance(payload, np.ndarray)
        found = self._numbers.get(id(tensor) if is_array else id(payload))
        if found is not None:
            return found
        if not is_array and not isinstance(payload, (Storage, HashTable)):
            raise UnimplementedError(
                f"the function '{exported.name}' uses {payload!r}: functions that use objects "
                "other than variables and tables (iterators, datasets) cannot be saved"
            )
        if not is_array:
            what = getattr(payload, "name", None) or repr(tensor)
            raise AssertionError(UNTRACKED.format(what=what, function=exported.name))
        return self._add_constant(tensor, payload)

    def _add_constant(self, tensor: Any, array: Any) -> int:
        number = self._numbers[id(tensor)] = len(self.proto.nodes)
        name = self._names[number] = self._nodes.constant("Const", array)
        proto = self.proto.nodes.add(registered_name="tf.TrackableConstant")
        proto.constant.operation = name
        return number


def identifier_of(value: Any) -> str:
    """What TensorFlow calls the class of an object: by that it is made again."""
    if isinstance(value, SignatureMap):
        return "signature_map"
    if isinstance(value, (list, ListWrapper)):
        return "trackable_list_wrapper"
    if isinstance(value, tuple):
        return "trackable_tuple_wrapper"
    if isinstance(value, (Mapping, _DictWrapper)):
        return "trackable_dict_wrapper"
    return "_generic_user_object"


# ---------------------------------------------------------------- the bundle of variables

OBJECT_GRAPH_KEY: Final = "_CHECKPOINTABLE_OBJECT_GRAPH"
_ATTRIBUTES: Final = ".ATTRIBUTES"
_VALUE: Final = "VARIABLE_VALUE"


def checkpoint_key(path: tuple[str, ...], attribute: str) -> str:
    """The name of an object's value in checkpoints: its path, escaped as TensorFlow does."""
    escaped = (name.replace(".", "..").replace("/", ".S") for name in path)
    return "/".join([*escaped, _ATTRIBUTES, attribute])


def trackable_graph(view: ObjectView, objects: SavedObjects) -> Any:
    """A TrackableObjectGraph of the same nodes, which says where their values are."""
    proto = message("TrackableObjectGraph")()
    stored = {id(payload_of(variable.handle)): key for key, variable in objects.variables.items()}
    for node in view.nodes:
        made = proto.nodes.add()
        for name, number in node.children.items():
            made.children.add(node_id=number, local_name=name)
        variable = variable_of(node.value)
        if variable is not None:
            key = stored[id(payload_of(variable.handle))]
            full_name = variable.name.partition(":")[0]
            made.attributes.add(name=_VALUE, full_name=full_name, checkpoint_key=key)
        for name, key in objects.attributes.get(node.number, {}).items():
            made.attributes.add(name=name, checkpoint_key=key)
    note_which_have_values(proto)
    return proto
