"""`tf.train.experimental.PythonState`: Python objects in checkpoints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from ..core import dtypes
from ..core.trackable import Trackable
from ..eager.convert import convert_to_tensor
from ..graph.payload import payload_of

_NAME = "py_state"


class PythonState(Trackable, ABC):
    """Base of objects that a checkpoint keeps as bytes."""

    @abstractmethod
    def serialize(self) -> bytes:
        """The object as bytes, or as text."""

    @abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Become what was serialized."""

    def _serialize_to_tensors(self) -> dict[str, Any]:
        return {_NAME: convert_to_tensor(self.serialize(), dtypes.string)}

    def _restore_from_tensors(self, restored_tensors: Mapping[str, Any]) -> None:
        self.deserialize(payload_of(restored_tensors[_NAME]).item())
