"""`tf.saved_model.load`: the objects of a SavedModel, with their values and functions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from ..core import context
from ..core.dtypes import as_dtype
from ..core.files import gfile
from ..core.files.folder_exchange import bring_back
from ..core.process.lazy_property import lazy_property
from ..core.process.with_blocks import setting
from ..core.specs import TensorSpec
from ..eager.convert import convert_to_tensor
from ..eager.creation import Creator, creators
from ..eager.tensor import from_array
from ..eager.variable import Variable
from ..eager.variable_options import VariableAggregationV2, VariableSynchronization
from ..errors import InvalidArgumentError, NotFoundError, OpError, UnimplementedError
from ..formats.data_files import index_name
from ..formats.tensor_bundle import BundleReader
from ..graph.payload import payload_of
from ..graph.proto.graphdef_import import Functions
from ..graph.proto.import_checks import told_by
from ..graph.proto.structured import decoded
from ..graph.proto.values import array_of, contiguous_array, dtype_of, shape_of
from ..module.assets import Asset, TrackableResource
from ..module.data_structures import ListWrapper, _DictWrapper
from ..module.trackable import AutoTrackable, NoDependency
from .debug_info import lines_of, read_debug_info
from .function_specs import parameters_of
from .gradients import RegisteredGradients
from .options import ASSETS_DIRECTORY, LoadOptions
from .read import (
    VALUE,
    attributes_of,
    meta_graph_of,
    proto_path,
    read_saved_model,
    variables_prefix,
)
from .restored import (
    FunctionSource,
    RestoredFunction,
    RestoredSignatures,
    SavedTrace,
    UnusableFunction,
)
from .validation import LIST_IDENTIFIERS, position_of, validate

CALL: Final = "__call__"


def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """The object that was saved in a directory: its variables, containers, modules and functions.

    Functions have the traces with which they were saved. `signatures` of the object maps names to
    functions of keyword tensors. An operation that the library does not have is an error when a
    function that uses it is called.

    >>> module = tf.Module()
    >>> module.steps = tf.Variable([1, 2])
    >>> tf.saved_model.save(module, "steps")
    >>> tf.saved_model.load("steps").steps.numpy()
    array([1, 2], dtype=int32)

    Raises:
        OSError: there is no SavedModel, or it is none.
        PermissionDeniedError: a file of it may not be read.
        FileNotFoundError: the files of the variables, or of a table, are missing.
        DataLossError: they are damaged.
        InvalidArgumentError: its parts do not fit.
        ValueError: no graph has these tags; a value does not fit its variable.
    """
    directory = gfile.text(export_dir)
    with suppress(OSError):
        bring_back(directory)
    while True:
        before = _identity(directory)
        try:
            root = _loaded(directory, tags, options or LoadOptions())
        except Exception as error:
            if _identity(directory) == before:
                if isinstance(error, NotFoundError):  # of a table that begins with the file
                    raise FileNotFoundError(error.message) from error
                raise
        else:
            if _identity(directory) == before:
                return root


def _identity(directory: str) -> list[Any]:
    """What differs when another SavedModel took the place of this one, perhaps while it is read;
    files that somebody puts beside its own change nothing.
    """
    files = (proto_path(directory), index_name(variables_prefix(directory)))
    return [_stamp(directory)[:2], *map(_stamp, files)]


def _stamp(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_mtime_ns


def _loaded(directory: str, tags: Any, options: Any) -> Any:
    meta = meta_graph_of(read_saved_model(directory), tags, directory)
    asked = () if context.building_graph() else creators.get()  # those of a graph are for its own
    if not meta.object_graph_def.nodes:
        from .graph_model import GraphModel  # of TensorFlow 1: a graph without objects

        with context.entered(context.base):
            return GraphModel(directory, meta)
    validate(meta, proto_path(directory), RESERVED)
    with context.entered(context.base), setting(creators, asked):
        loader = Loader(directory, meta, options)
        root = loader.load()
    if isinstance(root, RestoredObject):
        root.__dict__["tensorflow_version"] = meta.meta_info_def.tensorflow_version
        root.__dict__["tensorflow_git_version"] = meta.meta_info_def.tensorflow_git_version
        root.__dict__["graph_debug_info"] = loader.debug_info
        if loader.wants_aliases:
            root.function_aliases = NoDependency(loader.aliases())
    return root


class RestoredObject(AutoTrackable):
    """An object of a SavedModel: its attributes are the children that were saved."""

    @property
    def variables(self) -> tuple[Any, ...]:
        """All variables below, each once."""
        found = self.__dict__.get("variables")
        return tuple(_variables_below(self)) if found is None else found

    @variables.setter
    def variables(self, value: Any) -> None:
        self.__dict__["variables"] = value

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """The trainable variables below, each once."""
        found = self.__dict__.get("trainable_variables")
        if found is not None:
            return found
        return tuple(variable for variable in self.variables if variable.trainable)

    @trainable_variables.setter
    def trainable_variables(self, value: Any) -> None:
        self.__dict__["trainable_variables"] = value


class CallableObject(RestoredObject):
    """An object whose method `__call__` was saved."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        called, seen = self.__dict__[CALL], {id(self)}
        while isinstance(called, CallableObject):
            if id(called) in seen:
                raise InvalidArgumentError(
                    f"an object of the SavedModel is called by its child '{CALL}', which is "
                    "called by that object again: the file is damaged"
                )
            seen.add(id(called))
            called = called.__dict__[CALL]
        return called(*args, **kwargs)


# So TensorFlow calls what it loads, and programs print it.
RestoredObject.__name__ = CallableObject.__name__ = "_UserObject"


class RestoredResource(RestoredObject, TrackableResource):
    """What functions use by a handle, a table: functions that were saved make and fill it."""

    def __init__(self) -> None:
        super().__init__()
        self._self_saveables: dict[str, tuple[SavedTrace, SavedTrace]] = {}

    def _is_creatable(self) -> bool:
        return False  # these functions are children already

    def _saveable_functions(self) -> dict[str, tuple[Any, Any]]:
        found = self._self_saveables.items()
        return {name: (save.concrete, restore.concrete) for name, (save, restore) in found}


# What objects need of themselves, and could not have as a child.
RESERVED: Final = frozenset(
    {name for name in dir(RestoredObject) if name not in ("variables", "trainable_variables")}
    | {"_self_children", "_self_deferred", "_self_untracked", "_self_setattr_tracking"}
)


def _variables_below(root: Any) -> Iterator[Variable]:
    pending, seen = [root], {id(root)}
    while pending:
        value = pending.pop(0)
        if isinstance(value, Variable):
            yield value
        elif isinstance(value, (RestoredObject, ListWrapper, _DictWrapper)):
            children = value._trackable_children().values()
            new = {id(child): child for child in children if id(child) not in seen}
            seen |= new.keys()
            pending += new.values()


def _without_value(_: Creator, **kwargs: Any) -> Variable:
    """The last creator that is asked, for variables whose values are read later."""
    return Variable.uninitialized(
        TensorSpec(kwargs["shape"], kwargs["dtype"]),
        kwargs["name"],
        kwargs["trainable"],
        kwargs["constraint"],
        kwargs["synchronization"],
        kwargs["aggregation"],
    )


class Loader:
    """Makes the objects of one SavedModel."""

    def __init__(self, directory: str, meta: Any, options: LoadOptions) -> None:
        self._directory = directory
        self._meta = meta
        self._options = options
        self._graph = meta.object_graph_def
        self._objects: list[Any] = []
        self._stored: tuple[BundleReader, dict[int, dict[str, str]]] | None = None
        library = meta.graph_def.library
        self.debug_info = read_debug_info(directory)
        lines = {} if self.debug_info is None else lines_of(self.debug_info)
        gradients = RegisteredGradients(library, self._graph)
        within = [os.path.abspath(directory), *options.allowed_directories]
        self._source = FunctionSource(
            proto_path(directory),
            Functions(library.function, gradients.find, lines, within),
            self._graph.concrete_functions,
            self._captured,
        )

    def load(self) -> Any:
        """The root."""
        with setting(creators, (_without_value, *creators.get())):
            self._objects = [self._made(number) for number in range(len(self._graph.nodes))]
        if not self._options.experimental_skip_checkpoint:
            self._restore()
        for number, proto in enumerate(self._graph.nodes):
            for child in proto.children:
                self._attach(number, child.local_name, child.node_id)
        self._initialise()
        return self._objects[0]

    # ---- functions that were saved under other names
    @property
    def wants_aliases(self) -> bool:
        return self._options.experimental_load_function_aliases

    def aliases(self) -> dict[str, RestoredFunction]:
        """By alias, a function of the traces that were saved under it."""
        names: dict[str, list[str]] = {}
        for name, alias in self._meta.meta_info_def.function_aliases.items():
            names.setdefault(alias, []).append(name)
        return {alias: self._aliased(alias, traces) for alias, traces in names.items()}

    def _aliased(self, alias: str, names: list[str]) -> RestoredFunction:
        owners = (proto.function for proto in self._graph.nodes if proto.HasField("function"))
        saved = next((one for one in owners if set(names) & set(one.concrete_functions)), None)
        if saved is None:
            raise UnimplementedError(
                f"{self._directory}: no object has the functions of the alias '{alias}'; save the "
                "tf.function as an attribute, too"
            )
        return self._function(alias, saved.function_spec, names)

    # ---- objects
    def _made(self, number: int) -> Any:
        proto = self._graph.nodes[number]
        kind = proto.WhichOneof("kind")
        make = getattr(self, f"_make_{kind}", None)
        if make is None:
            return RestoredObject()
        with told_by(f"{proto_path(self._directory)}: object {number}", f"a valid {kind}"):
            return make(proto, number)

    def _make_user_object(self, proto: Any, number: int) -> Any:
        identifier = proto.user_object.identifier
        if identifier in LIST_IDENTIFIERS:
            return ListWrapper()
        if identifier == "trackable_dict_wrapper":
            return _DictWrapper()
        if identifier == "signature_map":
            return RestoredSignatures()
        is_callable = any(child.local_name == CALL for child in proto.children)
        return CallableObject() if is_callable else RestoredObject()

    def _make_variable(self, proto: Any, number: int) -> Any:
        saved = proto.variable
        return Variable(
            shape=shape_of(saved.shape),
            dtype=dtype_of(saved.dtype),
            name=saved.name or None,
            trainable=saved.trainable,
            synchronization=VariableSynchronization(saved.synchronization),
            aggregation=VariableAggregationV2(saved.aggregation),
        )

    def _make_resource(self, proto: Any, number: int) -> Any:
        return RestoredResource()

    def _make_asset(self, proto: Any, number: int) -> Any:
        file = self._meta.asset_file_def[proto.asset.asset_file_def_index]
        return Asset(os.path.join(self._directory, ASSETS_DIRECTORY, file.filename))

    def _make_constant(self, proto: Any, number: int) -> Any:
        node = self._nodes[proto.constant.operation]
        return from_array(contiguous_array(array_of(node.attr["value"].tensor)))

    def _make_function(self, proto: Any, number: int) -> Any:
        saved = proto.function
        return self._function(self._name_of(number), saved.function_spec, saved.concrete_functions)

    def _function(self, name: str, spec: Any, traces: Iterable[str]) -> RestoredFunction:
        parameters = parameters_of(spec)
        saved = [SavedTrace(self._source, trace, parameters) for trace in traces]
        return RestoredFunction(name, parameters, decoded(spec.input_signature), saved)

    def _name_of(self, number: int) -> str:
        return self._names.get(number, "function")

    @lazy_property
    def _names(self) -> dict[int, str]:
        """An attribute under which each object is found."""
        children = (child for proto in self._graph.nodes for child in proto.children)
        return {child.node_id: child.local_name for child in children}

    @lazy_property
    def _nodes(self) -> dict[str, Any]:
        return {node.name: node for node in self._meta.graph_def.node}

    def _make_bare_concrete_function(self, proto: Any, number: int) -> Any:
        bare = proto.bare_concrete_function
        parameters = parameters_of(bare.function_spec)
        return SavedTrace(self._source, bare.concrete_function_name, parameters)

    # ---- children
    def _attach(self, number: int, name: str, child_number: int) -> None:
        owner, child = self._objects[number], self._objects[child_number]
        if isinstance(owner, RestoredSignatures):
            owner.add(name, child)
            return
        if not isinstance(owner, (ListWrapper, _DictWrapper, RestoredObject)):
            return
        if isinstance(child, SavedTrace):
            child = _bare(child)
        if isinstance(owner, ListWrapper):
            _put(owner, name, child)
        elif isinstance(owner, _DictWrapper):
            owner[name] = child
        else:
            setattr(owner, name, child)

    def _captured(self, number: int) -> Any:
        """What a function is given for an object."""
        found = self._objects[number]
        if isinstance(found, Variable):
            return found.handle
        if isinstance(found, Asset):
            return found.asset_path
        if isinstance(found, TrackableResource):
            return found.resource_handle
        if hasattr(found, "dtype"):
            return found
        kind = self._graph.nodes[number].WhichOneof("kind")
        raise UnimplementedError(
            f"the function uses '{self._name_of(number)}', an object of the kind {kind}, which "
            "cannot be loaded"
        )

    # ---- values
    def _restore(self) -> None:
        kinds = {proto.WhichOneof("kind") for proto in self._graph.nodes}
        if not kinds & {"variable", "resource"}:
            return
        try:
            reader = BundleReader(variables_prefix(self._directory))
            found = attributes_of(reader, self._graph)
            for number, value in enumerate(self._objects):
                if isinstance(value, Variable):
                    self._assign(value, reader, found.get(number, {}).get(VALUE))
        except NotFoundError as error:
            raise FileNotFoundError(error.message) from error
        self._stored = reader, found

    def _assign(self, variable: Variable, reader: BundleReader, key: str | None) -> None:
        if key is not None:
            array = reader.read(key)
            given = TensorSpec(array.shape, as_dtype(array.dtype))
            if not given.is_subtype_of(TensorSpec(variable.shape, variable.dtype)):
                raise ValueError(
                    f"Received incompatible tensor for the variable '{variable.name}' of the "
                    f"SavedModel in {self._directory}: it is {variable.dtype.name} "
                    f"{variable.shape}, but the value is {given.dtype.name} {given.shape}"
                )
            if variable.is_one_tensor:
                payload_of(variable.handle).write(array)
            else:
                variable.assign(from_array(contiguous_array(array)), read_value=False)
        elif not self._options.allow_partial_checkpoint:
            raise AssertionError(
                f"the SavedModel in {self._directory} has no value for the variable "
                f"'{variable.name}'; LoadOptions(allow_partial_checkpoint=True) leaves it without"
            )

    def _initialise(self) -> None:
        """Make and fill what is used by handles: first as it was made, then as it was saved."""
        for number, found in enumerate(self._objects):
            if isinstance(found, RestoredResource):
                for name, one in self._graph.nodes[number].saveable_objects.items():
                    functions = one.save_function, one.restore_function
                    found._self_saveables[name] = tuple(self._objects[k] for k in functions)
                found._initialize()
                self._take_stored(number, found)
            elif isinstance(found, TrackableResource):  # one that was there: a table of a layer
                found._initialize()

    def _take_stored(self, number: int, resource: RestoredResource) -> None:
        """Let functions take the tensors that those name which save them."""
        if self._stored is None:
            return
        reader, attributes = self._stored
        for name, (save, restore) in resource._saveable_functions().items():
            key = attributes.get(number, {}).get(name)
            if key is not None:
                keys = [gfile.text(one["name"]) for one in save(convert_to_tensor(key))]
                arrays = [contiguous_array(reader.read(one)) for one in keys]
                restore.call_with([from_array(array) for array in arrays])


def _bare(trace: SavedTrace) -> Any:
    try:
        return trace.concrete
    except (OpError, TypeError, ValueError) as error:
        return UnusableFunction(trace.name, error)


def _put(owner: ListWrapper, name: str, child: Any) -> None:
    """Elements that were no objects are None."""
    position = position_of(name)
    if position is None:
        return  # a field's name: the field has a number as well
    owner.extend([None] * (position + 1 - len(owner)))
    owner[position] = child
