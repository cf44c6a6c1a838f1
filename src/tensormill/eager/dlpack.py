"""Tensors to and from other libraries, by DLPack."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .arrays import from_numpy
from .tensor import EagerTensor, wrap

CPU: Final = (1, 0)


class Capsule:
    """A DLPack capsule with the methods that NumPy asks for."""

    def __init__(self, capsule: Any) -> None:
        self._capsule: Final = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return CPU


def to_dlpack(tf_tensor: Any) -> Any:
    """A capsule of a copy of the tensor: whoever takes it may write to it."""
    return tf_tensor.__dlpack__()


def from_dlpack(dlcapsule: Any) -> EagerTensor:
    """A tensor with the value that a capsule, or an object with `__dlpack__`, has now."""
    source = dlcapsule if hasattr(dlcapsule, "__dlpack__") else Capsule(dlcapsule)
    return wrap(from_numpy(np.from_dlpack(source), None))
