"""SavedModels of TensorFlow 1 in sessions: graphs with signatures and the values of variables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from ..core.dtypes import string
from ..core.files.gfile import text
from ..core.tree import flatten
from ..core.values import TensorLike
from ..eager.scopes import executing_eagerly
from ..formats.bundle_operations import parts_of as places_of
from ..formats.bundle_operations import piece_of
from ..formats.bundle_writer import Piece, as_array
from ..formats.data_files import index_name
from ..graph.by_hand.default_graph import get_default_graph
from ..graph.operation import Operation
from ..graph.proto.graph_import import import_nodes
from ..graph.proto.messages import message
from ..graph.proto.tensor_protos import make_tensor_proto
from ..graph.proto.values import attr_value
from ..graph.symbolic import SymbolicTensor
from ..ops.conversion import static_value
from ..saved_model import options
from ..saved_model.directory import name_of_file, replacing_directory
from ..saved_model.graph_model import INIT_KEYS, initializer_of, restored_values
from ..saved_model.read import (
    add_asset_files,
    asset_paths,
    contains_saved_model,
    meta_graph_of,
    read_saved_model,
    variables_prefix,
)
from ..saved_model.tensor_infos import describe, parts_of, put_together
from .training.meta_graph import meta_graph_of as described
from .training.saved_values import SavedValue, saved_values


def load(
    sess: Any, tags: Any, export_dir: Any, import_scope: str | None = None, **saver_kwargs: Any
) -> Any:
    """Add the graph of a SavedModel to that of a session, which gets the values of its variables.

    tags: those of the graph. Its MetaGraphDef is returned; `signature_def` of it names tensors.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, [], name="x")
    ...     y = tf.multiply(x, tf.Variable(2.0), name="y")
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     tf.compat.v1.saved_model.simple_save(session, "doubled", {"x": x}, {"y": y})
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     meta = tf.compat.v1.saved_model.load(session, ["serve"], "doubled")
    ...     print(session.run("y:0", {"x:0": 4.0}))
    8.0

    Raises:
        OSError: there is no SavedModel.
        RuntimeError: it has no graph with these tags.
    """
    directory = text(export_dir)
    try:
        meta = meta_graph_of(read_saved_model(directory), tags, directory)
    except ValueError as error:
        raise RuntimeError(
            f"MetaGraphDef associated with tags {tags} could not be found in SavedModel: {error}"
        ) from None
    scope = f"{import_scope}/" if import_scope else ""
    import_nodes(sess.graph, meta.graph_def, name=scope)
    for operation, value in restored_values(sess.graph, meta.graph_def, directory, scope):
        sess.storage(operation).write(value)
    if _has_tables_to_fill(meta.graph_def):
        _restore_all(sess, meta, directory, scope)
    initializer = initializer_of(sess.graph, meta, scope)
    if initializer is not None:
        sess.run(initializer, asset_paths(meta, directory, scope))
    return meta


def _has_tables_to_fill(graph_def: Any) -> bool:
    """Whether tables of it begin with what the files have for them."""
    nodes = chain(graph_def.node, *(one.node_def for one in graph_def.library.function))
    return any(one.op.startswith(("MutableHash", "MutableDense")) for one in nodes)


def _restore_all(sess: Any, meta: Any, directory: str, scope: str) -> None:
    """Run what the file restores its own values by: tables', too."""
    saver = meta.saver_def
    if saver.restore_op_name and os.path.exists(index_name(variables_prefix(directory))):
        feed = {f"{scope}{saver.filename_tensor_name}": variables_prefix(directory)}
        sess.run(f"{scope}{saver.restore_op_name}", feed)


def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether the directory has a SavedModel in it.

    >>> tf.compat.v1.saved_model.maybe_saved_model_directory("nowhere")
    False

    Raises:
        TypeError: it is no path.
    """
    return contains_saved_model(export_dir)


def build_tensor_info(tensor: Any) -> Any:
    """What a signature says of a tensor: its name, dtype and shape; of a sparse or ragged one, of
    the tensors that it has as parts.

    >>> with tf.Graph().as_default():
    ...     info = tf.compat.v1.saved_model.build_tensor_info(tf.constant(1.0, name="x"))
    >>> info.name
    'x:0'

    Raises:
        RuntimeError: operations run at once, where tensors have no names.
        AttributeError: it is no tensor.
    """
    if executing_eagerly():
        raise RuntimeError(
            "build_tensor_info: tensors have names in graphs; enter one by tf.Graph().as_default()"
        )
    info = message("TensorInfo")()
    describe(info, iter([part.name for part in flatten(tensor, expand_composites=True)]), tensor)
    return info


def get_tensor_from_tensor_info(
    tensor_info: Any, graph: Any = None, import_scope: str | None = None
) -> Any:
    """What a signature names: a tensor of a graph, the default one if none is given, or a sparse or
    ragged one of such parts.

    >>> with tf.Graph().as_default():
    ...     x = tf.constant(1.0, name="x")
    ...     info = tf.compat.v1.saved_model.build_tensor_info(x)
    ...     print(tf.compat.v1.saved_model.get_tensor_from_tensor_info(info) is x)
    True

    Raises:
        KeyError: the graph has no such tensor.
    """
    scope = f"{import_scope}/" if import_scope else ""
    within = graph or get_default_graph()
    parts = [within.get_tensor_by_name(scope + one.tensor) for one in parts_of(tensor_info, "")]
    return put_together(tensor_info, parts)


def build_signature_def(
    inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    method_name: str | None = None,
    defaults: Any = None,
) -> Any:
    """A signature of TensorInfos.

    defaults: tensors whose values are known, by the names of inputs that may be left out.

    >>> signature = tf.compat.v1.saved_model.build_signature_def(method_name="serve")
    >>> signature.method_name
    'serve'

    Raises:
        TypeError: `inputs` or `outputs` hold something else.
        AttributeError: they, or `defaults`, are no dict.
        ValueError: `defaults` hold something else than tensors of known values.
    """
    signature = message("SignatureDef")(method_name=method_name or "")
    for name, info in (inputs or {}).items():
        signature.inputs[name].CopyFrom(info)
    for name, info in (outputs or {}).items():
        signature.outputs[name].CopyFrom(info)
    for name, tensor in (defaults or {}).items():
        value = static_value(tensor) if isinstance(tensor, TensorLike) else None
        if value is None:
            raise ValueError(f"the default of {name!r} is no tensor of a known value: {tensor!r}")
        signature.defaults[name].CopyFrom(make_tensor_proto(value))
    return signature


def predict_signature_def(inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Any:
    """The signature of a prediction, from tensors by name.

    >>> with tf.Graph().as_default():
    ...     x = tf.constant(1.0, name="x")
    ...     signature = tf.compat.v1.saved_model.predict_signature_def({"x": x}, {"y": x})
    >>> signature.method_name
    'tensorflow/serving/predict'

    Raises:
        ValueError: there are no inputs or no outputs.
    """
    if not inputs or not outputs:
        raise ValueError("Prediction inputs and outputs cannot be None or empty.")
    return build_signature_def(
        {name: build_tensor_info(one) for name, one in inputs.items()},
        {name: build_tensor_info(one) for name, one in outputs.items()},
        options.PREDICT_METHOD_NAME,
    )


def simple_save(
    session: Any,
    export_dir: Any,
    inputs: Mapping[str, Any],
    outputs: Mapping[str, Any],
    legacy_init_op: Any = None,
) -> None:
    """Write the graph and the variables of a session as a SavedModel with one signature.

    inputs and outputs: tensors by the names of the signature "serving_default".

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, [])
    ...     tf.compat.v1.saved_model.simple_save(session, "plain", {"x": x}, {"y": x + 1.0})
    >>> float(tf.saved_model.load("plain").signatures["serving_default"](x=tf.constant(1.0))["y"])
    2.0

    Raises:
        AssertionError: the directory is there already.
        ValueError: there are no inputs or no outputs.
    """
    builder = SavedModelBuilder(export_dir)
    signature = predict_signature_def(inputs, outputs)
    builder.add_meta_graph_and_variables(
        session,
        [options.SERVING],
        {options.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        main_op=legacy_init_op,
    )
    builder.save()


class SavedModelBuilder:
    """Collects what a SavedModel is to hold: a graph with tags and signatures, and variables.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.constant(1.0)
    ...     builder = tf.compat.v1.saved_model.Builder("built")
    ...     builder.add_meta_graph_and_variables(session, ["serve"])
    ...     print(builder.save())
    b'built/saved_model.pb'

    Raises:
        AssertionError: the directory is there, and has something in it.
    """

    def __init__(self, export_dir: Any) -> None:
        self._directory: Final = text(export_dir)
        if os.path.isdir(self._directory) and os.listdir(self._directory):
            raise AssertionError(
                f"Export directory {self._directory} already exists, and isn't empty. Please "
                "choose a different export directory, or delete all the contents of it."
            )
        self._metas: list[Any] = []
        self._written: list[Piece] = []
        self._assets: dict[str, str] = {}  # where the files are, by their names in the model
        self._names: frozenset[tuple[str, str]] = frozenset()

    def add_meta_graph_and_variables(
        self,
        sess: Any,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """The graph of a session, and the values that it has for the graph's variables.

        assets_collection: constants with paths of files, which are copied into the model. main_op,
        or legacy_init_op: an operation that runs when the model is loaded.

        Raises:
            FailedPreconditionError: a variable has no value.
            TypeError: an asset is no constant with a path.
            ValueError: both operations are given.
            AssertionError: this was called already.
        """
        if self._metas:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please "
                "invoke `add_meta_graph()` instead."
            )
        variables = saved_values(sess.graph.get_collection("variables"))
        self._add(
            sess.graph, variables, tags, signature_def_map, assets_collection, legacy_init_op,
            main_op,
        )  # fmt: skip
        values = sess.run([one.holder for one in variables]) if variables else []
        names, parts = [one.name for one in variables], [one.part for one in variables]
        found = places_of("SavedModelBuilder", names, parts, list(map(as_array, values)))
        self._written = list(map(piece_of, found))
        self._names = frozenset(zip(names, parts, strict=True))

    def add_meta_graph(
        self,
        tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """The graph that is built now, whose variables have the values of the first that was added.

        main_op, or legacy_init_op: an operation that runs when the model is loaded.

        Raises:
            AssertionError: `add_meta_graph_and_variables` was not called.
            TypeError: an asset is no constant with a path.
            ValueError: both operations are given.
        """
        if not self._metas:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )
        graph = get_default_graph()
        listed = saved_values(graph.get_collection("variables"))
        variables = [one for one in listed if (one.name, one.part) in self._names]
        self._add(
            graph, variables, tags, signature_def_map, assets_collection, legacy_init_op, main_op
        )

    def _add(
        self, graph: Any, variables: Sequence[SavedValue], tags: Iterable[str],
        signature_def_map: Mapping[str, Any] | None, assets_collection: Any, legacy_init_op: Any,
        main_op: Any,
    ) -> None:  # fmt: skip
        if main_op is not None and legacy_init_op is not None:
            raise ValueError("`main_op` and `legacy_init_op` say the same: give one of them")
        meta = described(graph)
        paths = [(_path_in(one), one) for one in assets_collection or ()]
        add_asset_files(meta, {one.name: name_of_file(self._assets, path) for path, one in paths})
        self._metas.append(meta)
        meta.meta_info_def.tags.extend(tags)
        for name, signature in (signature_def_map or {}).items():
            meta.signature_def[name].CopyFrom(signature)
        _add_restoring(meta, variables)
        begin: Operation | None = main_op if main_op is not None else legacy_init_op
        if begin is not None:
            meta.collection_def[INIT_KEYS[0]].node_list.value.append(begin.name)

    def save(
        self,
        as_text: bool = False,
        experimental_image_format: bool = False,
        experimental_image_writer_options: Any = None,
    ) -> bytes:
        """Write it; the name of the file with the graph, as bytes.

        Raises:
            AssertionError: nothing was added.
            NotImplementedError: as text, or as an image.
        """
        if not self._metas:
            raise AssertionError("Graph state including variables and assets has not been added.")
        if as_text:
            raise NotImplementedError("SavedModels are not written as text")
        if experimental_image_format:
            raise NotImplementedError("SavedModels are written as directories, not as images")
        proto = message("SavedModel")(saved_model_schema_version=1, meta_graphs=self._metas)
        with replacing_directory(self._directory) as folder:
            folder.write_model(proto, self._written, self._assets)
        return os.fsencode(os.path.join(self._directory, options.SAVED_MODEL_FILENAME_PB))


def _path_in(asset: Any) -> str:
    """The path that a constant of a graph tells."""
    if not isinstance(asset, SymbolicTensor):
        raise TypeError(f"Asset path tensor {asset} must be a Tensor.")
    if asset.dtype is not string or asset.op.type != "Const":
        raise TypeError(
            f"Asset path tensor {asset} must be a constant of dtype string, and is a "
            f"{asset.op.type} of {asset.dtype.name}"
        )
    path: Any = static_value(asset)
    return os.fsdecode(path.item())


def _add_restoring(meta: Any, variables: Sequence[SavedValue]) -> None:
    """The operations by which TensorFlow gives variables the values in the files."""
    add = _Adding(meta.graph_def)
    filename = add.constant("save/Const", np.array(b"model", object))
    assigned: list[str] = []
    if variables:
        names = np.array([one.name.encode() for one in variables], object)
        parts = np.array([one.part.encode() for one in variables], object)
        wanted = add.constant("save/RestoreV2/tensor_names", names)
        slices = add.constant("save/RestoreV2/shape_and_slices", parts)
        dtypes = [one.holder.dtype for one in variables]
        restore = add.node("save/RestoreV2", "RestoreV2", [filename, wanted, slices], dtypes=dtypes)
        assigned = [
            add.node(
                f"save/AssignVariableOp_{number}",
                "AssignVariableOp",
                [one.holder.op.name, f"{restore}:{number}" if number else restore],
                dtype=one.holder.dtype,
            )
            for number, one in enumerate(variables)
        ]
    restored = add.node("save/restore_all", "NoOp", [f"^{one}" for one in assigned])
    saver = meta.saver_def
    saver.filename_tensor_name = f"{filename}:0"
    saver.save_tensor_name = f"{filename}:0"
    saver.restore_op_name = restored
    saver.version, saver.max_to_keep = 2, 5


class _Adding:
    """Adds nodes to a GraphDef, under names that are free."""

    def __init__(self, graph_def: Any) -> None:
        self._graph_def = graph_def
        self._names = {node.name for node in graph_def.node}

    def node(self, name: str, op: str, inputs: Sequence[str], **attrs: Any) -> str:
        while name in self._names:
            name += "_"
        self._names.add(name)
        node = self._graph_def.node.add(name=name, op=op, input=inputs)
        for key, value in attrs.items():
            node.attr[key].CopyFrom(attr_value(value, str))
        return name

    def constant(self, name: str, array: Any) -> str:
        return self.node(name, "Const", [], value=array, dtype=string)
