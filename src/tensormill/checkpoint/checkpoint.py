"""`tf.train.Checkpoint`: the values of a program's objects, in TensorFlow's files."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ..core import context, dtypes
from ..core.files.gfile import said, text, translated
from ..core.signatures import signature_of
from ..eager.convert import convert_to_tensor
from ..eager.tensor import wrap
from ..eager.variable import Variable
from ..eager.variable_saving import VARIABLE_VALUE
from ..errors import NotFoundError
from ..formats.bundle_writer import write_bundle, write_shards
from ..formats.tensor_bundle import BundleReader
from ..graph.payload import payload_of
from ..module.data_structures import children_of, is_trackable
from ..module.trackable import AutoTrackable
from ..ops.control.python_functions import numpy_function
from .load_status import CheckpointLoadStatus, InitializationOnlyStatus, NameBasedSaverStatus
from .object_graph import OBJECT_GRAPH_KEY, ExtendedView, serialized, state_of
from .restoration import Restoration
from .sharding import require_callback, shards_of
from .state_file import update_checkpoint_state

_COUNTER: Final = "save_counter"


@dataclass(frozen=True)
class CheckpointOptions:
    """How checkpoints are written and read.

    `experimental_write_callbacks` are called when a checkpoint is there, with its path if they take
    an argument. `experimental_sharding_callback` says how many data files there are, and what is in
    each. The others are accepted: there is one device, and writing ends before `save` does.
    """

    experimental_io_device: str | None = None
    experimental_enable_async_checkpoint: bool = False
    experimental_write_callbacks: Sequence[Callable[..., Any]] | None = None
    enable_async: bool = False
    experimental_skip_slot_variables: bool = False
    experimental_sharding_callback: Any = None


class Checkpoint(AutoTrackable):
    """Saves and restores trackable objects: variables, modules, optimizers, lists of them.

    Values are found again by the names of attributes on the way from `root` (or from the checkpoint
    itself, whose attributes are the keyword arguments). Objects that are made after `restore` get
    their values when they are assigned to an attribute, or put into a list or dict.

    >>> v = tf.Variable(1.0)
    >>> checkpoint = tf.train.Checkpoint(v=v)
    >>> path = checkpoint.save('training/model')
    >>> v.assign(5.0).numpy()
    np.float32(5.0)
    >>> status = checkpoint.restore(path)
    >>> path, v.numpy()
    ('training/model-1', np.float32(1.0))

    Raises:
        ValueError: an argument has no state that could be saved, or the root has another child
            of that name.
    """

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        for name, value in sorted(kwargs.items()):
            require_trackable(name, value)
            setattr(self, name, value)
        if root is None:
            return
        referred = root() if isinstance(root, weakref.ref) else root
        require_trackable("root", referred)
        own = children_of(referred)
        for name in kwargs:
            if own.get(name, kwargs[name]) is not kwargs[name]:
                raise ValueError(
                    f"Cannot create a Checkpoint with keyword argument {name} if root.{name} "
                    f"already exists: {own[name]!r}"
                )
        self.root = root

    if TYPE_CHECKING:
        # Its attributes are the keyword arguments.
        def __getattr__(self, name: str) -> Any: ...

    # ---- writing

    @property
    def save_counter(self) -> Variable:
        """How often `save` was called, an int64 variable; checkpoints are numbered by it."""
        self._make_save_counter()
        return self._self_save_counter

    def _make_save_counter(self) -> None:
        if "_self_save_counter" in self.__dict__:
            return
        with context.init_scope():
            counter = Variable(0, trainable=False, name=_COUNTER, dtype=dtypes.int64)
        self._self_save_counter = counter
        self._track_trackable(counter, _COUNTER)

    def save(self, file_prefix: Any, options: CheckpointOptions | None = None) -> str:
        """Write a checkpoint called `<file_prefix>-<number>`, and note it as the newest one.

        Returns:
            Its path, which `restore` takes.

        Raises:
            NotImplementedError: a function is being traced.
        """
        path = self.write_next(file_prefix, options)
        update_checkpoint_state(os.path.dirname(path), path, [path])
        return path

    def write_next(self, file_prefix: Any, options: CheckpointOptions | None = None) -> str:
        """As `save`, but note nothing: the caller does."""
        if context.building_graph():
            raise NotImplementedError(
                "Calling tf.train.Checkpoint.save() from a function is not supported: it writes "
                "the file that names the newest checkpoint, and counts. Use write() there."
            )
        self.save_counter.assign_add(1)
        return self.write(f"{said(file_prefix)}-{int(self.save_counter)}", options)

    def write(self, file_prefix: Any, options: CheckpointOptions | None = None) -> Any:
        """Write a checkpoint at this very path; within a function, whenever the function runs.

        Returns:
            The path; within a function a string tensor.
        """
        path = said(file_prefix)
        if context.building_graph():
            return self._write_staged(path, options)
        self._write(path, options)
        _call_back(options, path)
        return path

    def _write(self, path: str, options: CheckpointOptions | None = None) -> None:
        graph, tensors = serialized(self._view().nodes())
        arrays = _arrays(tensors) | {OBJECT_GRAPH_KEY: graph.SerializeToString()}
        _write_files(path, arrays, options)

    def _write_staged(self, path: str, options: CheckpointOptions | None) -> Any:
        graph, tensors = serialized(self._view().nodes())
        contents = graph.SerializeToString()

        def write(*arrays: Any) -> bytes:
            named = dict(zip(tensors, arrays, strict=True))
            _write_files(path, named | {OBJECT_GRAPH_KEY: contents}, options)
            _call_back(options, path)
            return path.encode()

        return numpy_function(write, list(tensors.values()), dtypes.string)

    def sync(self) -> None:
        """Do nothing: writing has ended when `save` and `write` return."""

    # ---- reading

    def restore(self, save_path: Any, options: CheckpointOptions | None = None) -> Any:
        """Take over the values of a checkpoint, or of a SavedModel's directory.

        Objects and values that do not meet are no error; the status that is returned can check.

        Raises:
            NotFoundError: there is no such checkpoint.
            DataLossError: it is damaged.
            ShapeMismatchError, DTypeMismatchError: a value does not fit its variable.
        """
        if save_path is None:
            return InitializationOnlyStatus()
        path = _variables_path(text(save_path))
        self._make_save_counter()
        try:
            return self._read(path)
        except NotFoundError as error:
            raise NotFoundError(
                f"Nothing can be restored from {text(save_path)}: {error.message}\nMaybe it "
                "is missing the checkpoint suffix, the number in 'folder/ckpt-1': "
                "tf.train.latest_checkpoint(folder) finds the last one"
            ) from None

    def read(self, save_path: Any, options: CheckpointOptions | None = None) -> Any:
        """As `restore`, for what `write` has written: `save_counter` is no part of it."""
        if save_path is None:
            return InitializationOnlyStatus()
        return self._read(text(save_path))

    def _read(self, path: str) -> Any:
        if context.building_graph():
            raise NotImplementedError(
                "restoring a checkpoint cannot be a part of a function: do it before the function "
                "is called"
            )
        reader = BundleReader(path)
        if OBJECT_GRAPH_KEY not in reader:
            return restored_by_name(reader, self._view())
        counter = self.__dict__.get("_self_save_counter")  # what write() wrote has none
        return CheckpointLoadStatus(Restoration(reader, self._view()), optional=counter)

    def _view(self) -> ExtendedView:
        root = self.__dict__.get("root")
        if isinstance(root, weakref.ref):
            root = root()
        if root is None:
            return ExtendedView(self, {})
        return ExtendedView(root, children_of(self))


def require_trackable(name: str, value: Any) -> None:
    if not is_trackable(value):
        raise ValueError(
            f"a `Checkpoint` wants {name} to be a trackable object (a variable, module, list or "
            f"dict of such), not {value!r}"
        )


def _write_files(path: str, arrays: Mapping[str, Any], options: CheckpointOptions | None) -> None:
    callback = None if options is None else options.experimental_sharding_callback
    require_callback(callback)
    with translated(path):
        if callback is None:
            write_bundle(path, arrays)
        else:
            write_shards(path, shards_of(callback, arrays))


def _arrays(tensors: Mapping[str, Any]) -> dict[str, Any]:
    return {key: payload_of(convert_to_tensor(tensor)) for key, tensor in tensors.items()}


def _call_back(options: CheckpointOptions | None, path: str) -> None:
    for callback in (options and options.experimental_write_callbacks) or ():
        callback(*[path][: len(signature_of(callback).parameters)])


def _variables_path(path: str) -> str:
    """Where the variables are, if `path` is that of a SavedModel."""
    names = ("saved_model.pb", "saved_model.pbtxt")
    if any(os.path.exists(os.path.join(path, name)) for name in names):
        return os.path.join(path, "variables", "variables")
    return path


def restored_by_name(reader: BundleReader, view: ExtendedView) -> NameBasedSaverStatus:
    """Restore a checkpoint that knows variables by their names only."""
    used: set[str] = set()
    unmatched = []
    for node in view.nodes():
        name = getattr(node.value, "_shared_name", "")
        if VARIABLE_VALUE not in state_of(node.value) or name == _COUNTER:
            continue
        if name in reader:
            node.value._restore_from_tensors({VARIABLE_VALUE: wrap(reader.read(name))})
            used.add(name)
        else:
            unmatched.append(node)
    return NameBasedSaverStatus([key for key in reader.keys() if key not in used], unmatched)
