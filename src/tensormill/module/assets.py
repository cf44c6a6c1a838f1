"""Files that belong to a model, and what else it owns that is no variable."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ..core import context, dtypes
from ..core.specs import TensorSpec
from ..core.trackable import Trackable
from ..eager.convert import convert_to_tensor
from ..function.decorator import function
from ..ops.conversion import as_tensor
from ..ops.strings.byte_strings import join
from .trackable import AutoTrackable

# What TensorFlow calls functions of a resource, as children of its object.
CREATE: Final = "_create_resource"
INITIALISE: Final = "_initialize"


@contextmanager
def outermost_scope() -> Generator[Any]:
    """Leave every trace; a graph that is built by hand is kept, and given."""
    here: Any = context.top().interpreter
    if here.building_graph and not here.building_function:
        yield here
        return
    with context.init_scope():
        yield None


class Asset(Trackable):
    """A file that is copied into the SavedModel. Functions use `asset_path`, a string tensor.

    After loading, the path is that of the copy.
    """

    def __init__(self, path: Any) -> None:
        given = os.fspath(path) if not hasattr(path, "dtype") else path
        self._path: Any = convert_to_tensor(given, name="asset_path")
        if not self._path.symbolic:
            # In a traced function the path has to stay an input: the copy lies elsewhere.
            self._path.is_replaceable = True  # pyrefly: ignore[missing-attribute]

    @property
    def asset_path(self) -> Any:
        """Where the file is."""
        return self._path

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return convert_to_tensor(self._path, dtype)


class TrackableResource(AutoTrackable):
    """Base of objects with a state outside of variables, which functions use by a handle.

    Subclasses give `_create_resource(self)`, which returns the handle, and may give
    `_initialize(self)` and `_destroy_resource(self)`.
    """

    def __init__(self, device: str = "") -> None:
        self._resource_device = device
        self._resource_handle: Any = None

    @property
    def resource_handle(self) -> Any:
        """The handle; the resource is made when it is first asked for.

        >>> entries = tf.lookup.KeyValueTensorInitializer(['a', 'b'], [1, 2])
        >>> table = tf.lookup.StaticHashTable(entries, -1)
        >>> table.resource_handle.dtype
        tf.resource
        """
        if self._resource_handle is None:
            with outermost_scope():  # functions use it as well
                self._resource_handle = self._create_resource()
        return self._resource_handle

    def _trackable_children(self, save_type: str = "checkpoint", **options: Any) -> dict[str, Any]:
        children = super()._trackable_children(save_type, **options)
        if save_type != "savedmodel" or not self._is_creatable():
            return children
        return children | {
            CREATE: _traced(self._create_resource),
            INITIALISE: _traced(lambda: _one_after(self._initialize)),
            "_destroy_resource": _traced(lambda: _one_after(self._destroy_resource)),
        }

    def _saveable_functions(self) -> dict[str, tuple[Any, Any]]:
        """Functions that save and restore what is in it, by the name of its attribute."""
        return {}

    def _is_creatable(self) -> bool:
        """Whether the class says how its resource is made."""
        return type(self)._create_resource is not TrackableResource._create_resource

    def _create_resource(self) -> Any:
        raise TypeError(f"{type(self).__name__} does not say how its resource is made")

    def _initialize(self) -> None:
        """Fill a new resource."""

    def _destroy_resource(self) -> None:
        """Give the resource back."""


def _traced(call: Callable[..., Any], input_signature: Sequence[TensorSpec] = ()) -> Any:
    return function(call, input_signature=input_signature, autograph=False)


def _one_after(call: Callable[[], Any]) -> Any:
    """What such functions return in TensorFlow."""
    call()
    return as_tensor(1)


def saveable_functions(resource: Any, specs: Mapping[str, TensorSpec]) -> tuple[Any, Any]:
    """What saves a resource, and what restores it, in TensorFlow's form.

    One gives tensors with their keys, given what these begin with; the other takes the tensors.
    `specs` describe them by the ends of their keys.
    """

    def save(checkpoint_key: Any) -> list[dict[str, Any]]:
        tensors = resource._serialize_to_tensors().items()
        return [
            {"name": join([checkpoint_key, name]), "slice_spec": as_tensor(""), "tensor": tensor}
            for name, tensor in tensors
        ]

    def restore(*restored_tensors: Any) -> Any:
        pairs = zip(specs, restored_tensors, strict=True)
        return _one_after(lambda: resource._restore_from_tensors(dict(pairs)))

    key = TensorSpec((), dtypes.string, "checkpoint_key")
    traced = (_traced(save, [key]), _traced(restore, [*specs.values()]))
    return traced[0].get_concrete_function(), traced[1].get_concrete_function()
