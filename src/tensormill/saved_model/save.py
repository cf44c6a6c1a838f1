"""`tf.saved_model.save`: an object with its variables and functions in TensorFlow's format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, Final

from ..core import context, dtypes
from ..core.dtypes import of_storage
from ..core.files.gfile import text, translated
from ..core.process.logs import logger
from ..core.specs import TensorSpec
from ..distribution.frames import as_one
from ..formats.bundle_writer import Piece
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..graph.proto.graphdef import PRODUCER
from ..graph.proto.messages import message
from ..graph.proto.values import dtype_of
from .debug_info import Lines, debug_info_of
from .directory import replacing_directory
from .exported import Exported, ExportedFunctions, traces_of
from .node_defs import GraphNodes, restore_function, save_function, string, strings
from .op_list import strip_defaults, stripped_op_list
from .options import (
    INIT_SIGNATURE,
    MAIN_OP_KEY,
    PREDICT_METHOD_NAME,
    SAVED_MODEL_SCHEMA_VERSION,
    SERVING,
    SaveOptions,
)
from .parts_of_replicas import has_parts_of_replicas
from .saved_objects import OBJECT_GRAPH_KEY, SavedObjects, trackable_graph
from .signatures import signatures_of
from .tensor_infos import describe
from .view import ObjectView, SavedNode, SignatureMap, require_trackable

# What TensorFlow would be that writes such files.
VERSION: Final = "2.21.0"
_FORMAT_V2: Final = 2  # SaverDef.V2


def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Write `obj`, a `tf.Module` or another trackable object, to the directory `export_dir`.

    Variables, tracked lists, dicts and modules, and the traces that its tf.functions have now are
    written; Python attributes and methods are not. `signatures` is a traced function, or a dict of
    them by name; without it, the only function with an input signature is served.

    What was in the directory is replaced when all is written, and kept if that fails.

    >>> module = tf.Module()
    >>> module.double = tf.function(lambda x: 2 * x, input_signature=[tf.TensorSpec([None])])
    >>> tf.saved_model.save(module, "doubling")
    >>> tf.saved_model.load("doubling").double(tf.constant([1.0, 2.0])).numpy()
    array([2., 4.], dtype=float32)

    Raises:
        ValueError: `obj` is no trackable object; a signature that is no traced function.
        AssertionError: a function uses a variable that is no part of `obj`; or a function is being
            traced.
        ResourceExhaustedError, PermissionDeniedError, FailedPreconditionError: the disk is full;
            the directory may not be written; there is a file in its place.
    """
    written(obj, export_dir, signatures, options)


def written(obj: Any, export_dir: Any, signatures: Any, options: Any) -> Sequence[SavedNode]:
    """Write `obj` to a directory, as `save` says; the objects that were met."""
    if context.building_graph():
        raise AssertionError(
            "tf.saved_model.save is not supported inside a traced function: call it eagerly, after "
            "the function"
        )
    require_trackable(obj)
    model = _Model(obj, signatures, options or SaveOptions())
    path = text(export_dir)
    with translated(path), replacing_directory(path) as directory:
        values = [Piece(name, value) for name, value in model.arrays.items()]
        directory.write_model(model.proto, values, model.assets)
        if model.options.save_debug_info:
            directory.write_debug_info(debug_info_of(model.lines))
    logger.info("Assets written to: %s", os.path.join(path, "assets"))
    return model.nodes


class _Model:
    """The proto of a SavedModel, and the arrays and files beside it."""

    def __init__(self, root: Any, signatures: Any, options: SaveOptions) -> None:
        self.options = options
        self._functions = ExportedFunctions(options.experimental_custom_gradients)
        self._nodes = GraphNodes()
        self.proto = message("SavedModel")(saved_model_schema_version=SAVED_MODEL_SCHEMA_VERSION)
        with as_one() if has_parts_of_replicas(root) else nullcontext():
            described = self._describe_objects(root, signatures)
        self.arrays = {
            key: variable.value()._array for key, variable in self._objects.variables.items()
        } | self._objects.tensors
        self.arrays[OBJECT_GRAPH_KEY] = string(described)
        self.assets = self._objects.files

    def _describe_objects(self, root: Any, signatures: Any) -> bytes:
        """All but the values; what says of these which objects have them."""
        view = ObjectView(root)
        self._signatures = signatures_of(view.of_root, signatures)
        view.visit({"signatures": SignatureMap(self._signatures)})
        self.nodes = view.nodes
        self._objects = SavedObjects(view, self._functions, self._nodes)
        described = trackable_graph(view, self._objects).SerializeToString()
        self._fill(self.proto.meta_graphs.add(), described)
        return described

    @property
    def lines(self) -> Lines:
        """The user's lines behind the nodes of the functions."""
        return self._functions.lines

    def _fill(self, meta: Any, described: bytes) -> None:
        info = meta.meta_info_def
        info.tags.extend([SERVING, *(self.options.extra_tags or ())])
        info.tensorflow_version = VERSION
        for name, function in self.options.function_aliases.items():
            for concrete in _traces(function):
                info.function_aliases[self._functions.add(concrete).name] = name
        for key, concrete in self._signatures.items():
            self._add_signature(meta.signature_def[key], key, self._functions.add(concrete))
        self._add_initialisation(meta)
        library = [] if self.options.experimental_skip_saver else self._add_saver(meta, described)
        meta.object_graph_def.CopyFrom(self._objects.proto)
        meta.graph_def.node.extend(self._nodes.nodes)
        meta.graph_def.versions.producer = PRODUCER
        meta.graph_def.versions.min_consumer = 12
        meta.graph_def.library.function.extend([*self._functions.function_defs, *library])
        for gradient in self._functions.gradients:
            meta.graph_def.library.registered_gradients.add(
                gradient_func=gradient.name, registered_op_type=gradient.kind
            )
        info.stripped_op_list.CopyFrom(stripped_op_list(meta.graph_def))
        strip_defaults(meta.graph_def)
        info.stripped_default_attrs = True
        for asset in self._objects.assets:
            file = meta.asset_file_def.add(filename=asset.filename)
            file.tensor_info.name = f"{asset.node}:0"

    def _add_signature(self, signature: Any, key: str, exported: Exported) -> None:
        """Placeholders, a call, and what a server needs to know of both."""
        concrete = exported.concrete
        specs = {one.name: one for one in concrete.structured_input_signature[1].values()}
        inputs: list[str] = []
        for keyword in exported.keywords:
            spec = specs[keyword]
            name = self._nodes.placeholder(f"{key}_{keyword}", spec)
            inputs.append(name)
            describe(signature.inputs[keyword], iter([f"{name}:0"]), spec)
        proto = self._definition(exported.name)
        call = self._nodes.call(
            exported.name,
            [*inputs, *self._objects.inputs_of(exported)],
            [dtype_of(one.type) for one in proto.signature.input_arg],
            [dtype_of(one.type) for one in proto.signature.output_arg],
            proto.signature.is_stateful,
        )
        names = (f"{call}:{place}" for place in range(len(concrete.outputs)))
        for keyword, value in sorted(concrete.graph.structured_outputs.items()):
            describe(signature.outputs[keyword], names, value)
        signature.method_name = PREDICT_METHOD_NAME

    def _definition(self, name: str) -> Any:
        found = (one for one in self._functions.function_defs if one.signature.name == name)
        return next(found)

    def _add_initialisation(self, meta: Any) -> None:
        calls = [f"^{name}" for name in self._objects.initialisers]
        name = self._nodes.add("NoOp", "NoOp", calls)
        meta.collection_def[MAIN_OP_KEY].node_list.value.append(name)
        output = meta.signature_def[INIT_SIGNATURE].outputs[INIT_SIGNATURE]
        output.name = name
        output.tensor_shape.unknown_rank = True

    def _add_saver(self, meta: Any, described: bytes) -> list[Any]:
        """Functions that save and restore the variables, and calls of them."""
        variables, handles = self._objects.variables, list(self._objects.handles.values())
        save_proto = save_function("__inference__traced_save", variables, OBJECT_GRAPH_KEY)
        restore_proto = restore_function("__inference__traced_restore", variables)
        graph = self._nodes.constant("object_graph", string(described))
        filename = self._nodes.placeholder("saver_filename", _STRING)
        types = [_STRING.dtype, *([_RESOURCE] * len(handles))]
        saved = self._nodes.call(
            save_proto.signature.name,
            [filename, *handles, graph],
            [*types, _STRING.dtype],
            [_STRING.dtype],
        )
        restored = self._nodes.call(
            restore_proto.signature.name, [filename, *handles], types, [_STRING.dtype]
        )
        saver = meta.saver_def
        saver.filename_tensor_name, saver.save_tensor_name = f"{filename}:0", f"{saved}:0"
        saver.restore_op_name = self._after(restored, self._add_restoring(filename))
        saver.version = _FORMAT_V2
        return [save_proto, restore_proto]

    def _add_restoring(self, filename: str) -> list[str]:
        """Calls of the functions that put back what resources store, a table's entries."""
        calls: list[str] = []
        for keys, exported in self._objects.restoring:
            types = [of_storage(self._objects.tensors[key].dtype) for key in keys]
            names = self._nodes.constant("tensor_names", strings(keys))
            slices = self._nodes.constant("shape_and_slices", strings([""] * len(keys)))
            read = self._nodes.add("RestoreV2", "RestoreV2", [filename, names, slices],
                                   dtypes=types)  # fmt: skip
            tensors = [f"{read}:{place}" for place in range(len(keys))]
            signature = self._definition(exported.name).signature
            call = self._nodes.call(
                exported.name,
                [*tensors, *self._objects.inputs_of(exported)],
                [dtype_of(one.type) for one in signature.input_arg],
                [dtype_of(one.type) for one in signature.output_arg],
            )
            calls.append(call)
        return calls

    def _after(self, node: str, others: Sequence[str]) -> str:
        """A node that runs when all of these have run."""
        if not others:
            return node
        return self._nodes.add("restore_all", "NoOp", [f"^{one}" for one in (node, *others)])


def _traces(function: Any) -> Sequence[ConcreteFunction]:
    if isinstance(function, ConcreteFunction):
        return [function]
    if isinstance(function, Function):
        return traces_of(function)
    raise TypeError(f"function_aliases wants tf.functions, but got {function!r}")


_STRING: Final = TensorSpec((), dtypes.string)
_RESOURCE: Final = dtypes.resource
