"""Between tensors of the eager interpreter and what they hold: arrays, storages, lists, objects."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ..core.dtypes import of_storage
from ..core.specs import ResourceSpec, TensorSpec, ValueSpec
from ..eager.tensor import wrap, wrap_handle


def payload_of(tensor: Any) -> Any:
    """The array, storage, list value or object inside an eager tensor."""
    return tensor._array


def wrap_payload(payload: Any) -> Any:
    """The eager tensor that holds `payload`."""
    if isinstance(payload, np.ndarray):
        return wrap(payload)  # pyright: ignore[reportUnknownArgumentType]
    return wrap_handle(payload)


def spec_of_payload(payload: Any) -> ValueSpec:
    """What a graph should know of an array, a variable's storage, a list value or an object."""
    if isinstance(payload, np.ndarray):
        array = cast(np.ndarray[Any, Any], payload)
        return TensorSpec(array.shape, of_storage(array.dtype))
    spec = payload.spec
    if isinstance(spec, TensorSpec):
        return ResourceSpec(TensorSpec(spec.shape, spec.dtype), payload.trainable)
    return spec
