"""How variables take part in checkpoints."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from copy import deepcopy
from typing import Any, Final

from ..core.dtypes import as_dtype
from ..core.trackable import Trackable
from ..errors import DTypeMismatchError, ShapeMismatchError

VARIABLE_VALUE: Final = "VARIABLE_VALUE"


class Saving(Trackable):
    """The state of a variable: its value, under TensorFlow's name for that."""

    name: Any
    shape: Any
    dtype: Any
    value: Any
    assign: Any

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return {VARIABLE_VALUE: self.value()}

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> Any:
        """Take over a saved value.

        Raises:
            ShapeMismatchError: (a ValueError) it is of another shape.
            DTypeMismatchError: (a TypeError) it is of another dtype.
        """
        value = restored_tensors[VARIABLE_VALUE]
        if as_dtype(value.dtype) is not self.dtype:
            raise DTypeMismatchError(
                f"Received a value of dtype {as_dtype(value.dtype).name}, which does not equal "
                f"original dtype {self.dtype.name} of the variable {self.name} to restore"
            )
        if not self.shape.is_compatible_with(value.shape):
            raise ShapeMismatchError(
                f"Received incompatible tensor with shape {tuple(value.shape)} for the variable "
                f"{self.name}, whose shape is {self.shape}"
            )
        return self.assign(value)

    def _copy_trackable_to_cpu(self, object_map: MutableMapping[Any, Any]) -> None:
        """Bring the copy that `object_map` (by identity) has of this variable up to date."""
        if self in object_map:
            object_map[self].assign(self)
        else:
            object_map[self] = deepcopy(self)
