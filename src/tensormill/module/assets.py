"""Files that belong to a model, and what else it owns that is no variable."""

from __future__ import annotations

import os
from typing import Any

from ..core.trackable import Trackable
from ..eager.convert import convert_to_tensor
from .trackable import AutoTrackable


class Asset(Trackable):
    """A file that is copied into the SavedModel. Functions use `asset_path`, a string tensor.

    After loading, the path is that of the copy.
    """

    def __init__(self, path: Any) -> None:
        self._path: Any = convert_to_tensor(os.fspath(path) if not hasattr(path, "dtype") else path)
        # In a traced function the path has to stay an input: the copy lies elsewhere.
        self._path.is_replaceable = True

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
        """The handle; the resource is made when it is first asked for."""
        if self._resource_handle is None:
            self._resource_handle = self._create_resource()
        return self._resource_handle

    def _create_resource(self) -> Any:
        raise TypeError(f"{type(self).__name__} does not say how its resource is made")

    def _initialize(self) -> None:
        """Fill a new resource."""

    def _destroy_resource(self) -> None:
        """Give the resource back."""
