"""SavedModels of TensorFlow 1: a graph with signatures and variables, but no objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from ..core.dtypes import as_dtype
from ..core.process.named_tuples import NamedTuple
from ..core.specs import TensorSpec
from ..eager.convert import convert_to_tensor
from ..errors import InvalidArgumentError, NotFoundError
from ..formats.bundle_operations import part_of_value
from ..formats.data_files import index_name
from ..formats.tensor_bundle import BundleReader
from ..function.wrap_function import GraphParts, Pruned
from ..graph.func_graph import FuncGraph
from ..graph.operation import Operation
from ..graph.proto.graph_import import import_nodes
from ..graph.proto.import_checks import told_by
from ..graph.proto.values import array_of
from ..module.trackable import AutoTrackable
from .read import asset_paths, variables_prefix
from .tensor_infos import parts_of, put_together, spec_of

# Where the operation stands that fills tables and the like, once variables have their values.
INIT_KEYS: Final = ("saved_model_main_op", "legacy_init_op")
INIT_SIGNATURE: Final = "__saved_model_init_op"


class GraphModel(AutoTrackable):
    """What `tf.saved_model.load` gives for such a SavedModel: `signatures`, `variables`, `graph`.

    `prune(feeds, fetches)` gives other parts of the graph as functions.
    """

    def __init__(self, directory: str, meta: Any) -> None:
        self.graph: Any = FuncGraph()
        import_nodes(self.graph, meta.graph_def)
        parts = GraphParts(self.graph)
        self._parts = parts
        for variable, value in restored_values(self.graph, meta.graph_def, directory):
            parts.variable(variable).assign(value)
        initializer = initializer_of(self.graph, meta)
        if initializer is not None:
            paths = asset_paths(meta, directory)
            asked = [self.graph.as_graph_element(name) for name in paths]
            told = [convert_to_tensor(path) for path in paths.values()]
            parts.step(asked, [initializer], "initialize").results(told)
        self.variables = list(parts.variables.values())
        self.signatures = MappingProxyType(
            {
                name: GraphSignature(parts, signature, name)
                for name, signature in meta.signature_def.items()
                if name not in (INIT_SIGNATURE, "__saved_model_train_op")
            }
        )
        self.tensorflow_version = meta.meta_info_def.tensorflow_version

    def prune(self, feeds: Any, fetches: Any, name: str | None = None) -> Pruned:
        """The function from `feeds` to `fetches`: nests of tensors and operations, or names.

        Raises:
            InvalidArgumentError: a fetch needs a placeholder that is not among `feeds`.
        """
        return Pruned(self._parts, feeds, fetches, name or "pruned")


class GraphSignature:
    """A signature as a function of tensors, by their names or in the order of these.

    The parts of a sparse or ragged input `x` are `x_indices`, `x_values`, `x_dense_shape` or
    `x_component_0`, …; such outputs are whole.
    """

    def __init__(self, parts: GraphParts, signature: Any, name: str) -> None:
        given = [
            part
            for key in sorted(signature.inputs)
            for part in parts_of(signature.inputs[key], key)
        ]
        self._names: Final = [part.keyword for part in given]
        self.name: Final = name
        self._outputs: Final = {key: signature.outputs[key] for key in sorted(signature.outputs)}
        self.structured_outputs = {key: spec_of(one, key) for key, one in self._outputs.items()}
        fetches = {
            key: [part.tensor for part in parts_of(one, key)] for key, one in self._outputs.items()
        }
        self._pruned: Final = Pruned(parts, [part.tensor for part in given], fetches, name)
        self.structured_input_signature = (
            (),
            {
                key: TensorSpec(tensor.shape, tensor.dtype, key)
                for key, tensor in zip(self._names, self._pruned.inputs, strict=True)
            },
        )

    @property
    def inputs(self) -> list[Any]:
        """The tensors of the graph that it takes."""
        return self._pruned.inputs

    @property
    def outputs(self) -> list[Any]:
        """The tensors of the graph that it returns."""
        return self._pruned.outputs

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Run.

        Raises:
            TypeError: arguments are missing, or are not those of the signature.
        """
        given = dict(zip(self._names, args, strict=False)) | kwargs
        if len(args) > len(self._names) or given.keys() != set(self._names):
            raise TypeError(
                f"{self.name} takes the tensors {self._names}, got {len(args)} by place and "
                f"{sorted(kwargs)} by name"
            )
        specs = self.structured_input_signature[1]
        results = self._pruned(
            *[convert_to_tensor(given[key], specs[key].dtype) for key in self._names]
        )
        return {key: put_together(one, results[key]) for key, one in self._outputs.items()}


def initializer_of(graph: FuncGraph, meta: Any, scope: str = "") -> Operation | None:
    """The operation that is to run when variables have their values, or None."""
    signature = meta.signature_def.get(INIT_SIGNATURE) if meta.signature_def else None
    names = [] if signature is None else [one.name for one in signature.outputs.values()]
    for key in INIT_KEYS:
        if key in meta.collection_def:
            names += meta.collection_def[key].node_list.value
    known = graph.operations_by_name()
    found = [known.get(scope + one.partition(":")[0]) for one in names]
    return next((one for one in found if one is not None), None)


def restored_values(
    graph: FuncGraph, graph_def: Any, directory: str, scope: str = ""
) -> Iterator[tuple[Operation, Any]]:
    """The operations that give handles of variables, and the variables' values in the files.

    Raises:
        NotFoundError: the files have no value for one that they should have.
        InvalidArgumentError: a value is of another shape or dtype.
    """
    prefix = variables_prefix(directory)
    if not os.path.exists(index_name(prefix)):
        return
    bundle = BundleReader(prefix)
    with told_by(f"the variables of {directory}", "their names where they are restored"):
        keys = keys_of(graph_def)
    for operation in graph.get_operations():
        name = operation.name.removeprefix(scope)
        if operation.type != "VarHandleOp" or not operation.name.startswith(scope):
            continue
        key, part = keys.get(name, RestoredFrom(name, ""))
        if key in bundle:
            yield operation, _fitting(operation, key, part_of_value(bundle, key, part))
        elif name in keys:
            raise NotFoundError(f"Key {key} not found in checkpoint {prefix}")


def _fitting(operation: Operation, key: str, value: Any) -> Any:
    wanted: Any = operation.outputs[0]._known.spec
    fits = wanted.state.shape.is_compatible_with(value.shape)
    if not fits or as_dtype(value.dtype) is not wanted.state.dtype:
        raise InvalidArgumentError(
            f"'{key}' is {as_dtype(value.dtype).name}{list(value.shape)} in the files, and the "
            f"variable '{operation.name}' is {wanted.state.short}"
        )
    return value


class RestoredFrom(NamedTuple):
    """Under which key the value of a variable stands, and which part of what is there it is."""

    name: str
    part: str


def keys_of(graph_def: Any) -> dict[str, RestoredFrom]:
    """Where in the files values of variables stand: what assigns restored ones says it.

    Models of `tf.saved_model.save` do so in a function that is given the handles.
    """
    return _Keys(graph_def.library).within(graph_def.node)


class _Keys:
    """The keys by what handles are called in a graph, or in the body of a function."""

    def __init__(self, library: Any) -> None:
        self._library = {function.signature.name: function for function in library.function}
        self._of_functions: dict[
            str, dict[str, RestoredFrom]
        ] = {}  # by the names of their arguments

    def within(self, nodes: Iterable[Any]) -> dict[str, RestoredFrom]:
        by_name = {node.name: node for node in nodes}
        found: dict[str, RestoredFrom] = {}
        for node in by_name.values():
            if node.op in ("AssignVariableOp", "Assign") and len(node.input) > 1:
                key = _restored_key(by_name, node.input[1])
                if key is not None:
                    found[_giver(node.input[0])] = key
            elif node.op in ("PartitionedCall", "StatefulPartitionedCall"):
                found.update(self._of_call(node))
        return found

    def _of_call(self, node: Any) -> dict[str, RestoredFrom]:
        name = node.attr["f"].func.name
        function = self._library.get(name)
        if function is None:
            return {}
        if name not in self._of_functions:
            self._of_functions[name] = {}  # what a damaged file's function finds that calls itself
            self._of_functions[name] = self.within(function.node_def)
        keys = self._of_functions[name]
        pairs = zip(function.signature.input_arg, node.input, strict=False)
        return {_giver(given): keys[arg.name] for arg, given in pairs if arg.name in keys}


def _giver(reference: str) -> str:
    """The name of the operation, or of the argument, that gives what is referred to."""
    return reference.partition(":")[0]


def _restored_key(nodes: Mapping[str, Any], reference: str) -> RestoredFrom | None:
    """Where it is that RestoreV2 gives there; None where it is something else."""
    name, _, number = reference.partition(":")
    seen = set[str]()
    while (node := nodes.get(name)) is not None and node.op == "Identity" and name not in seen:
        seen.add(name)
        name, _, number = node.input[0].partition(":")
    if node is None or node.op != "RestoreV2":
        return None
    said = [nodes.get(_giver(one)) for one in node.input[1:3]]
    if any(one is None or one.op != "Const" for one in said):
        return None
    place = int(number.rpartition(":")[2] or 0)  # functions say "tensors:3"
    listed = [array_of(one.attr["value"].tensor).reshape(-1) for one in said if one is not None]
    return RestoredFrom(*[one[place].decode() for one in listed])
