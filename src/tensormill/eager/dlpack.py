"""Tensors to and from other libraries, by DLPack."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..errors import InvalidArgumentError
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
    """A capsule of a copy of the tensor: whoever takes it may write to it.

    tf_tensor: an eager tensor of numbers.

    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1, 2]))
    >>> tf.experimental.dlpack.from_dlpack(capsule).numpy()
    array([1, 2], dtype=int32)

    Raises:
        InvalidArgumentError: it is no tensor.
        BufferError: DLPack has no such dtype (strings).
    """
    if not isinstance(tf_tensor, EagerTensor):
        raise InvalidArgumentError(f"to_dlpack takes a tensor, got {tf_tensor!r}")
    return tf_tensor.__dlpack__()


def from_dlpack(dlcapsule: Any) -> EagerTensor:
    """A tensor with the value that a capsule, or an object with `__dlpack__`, has now.

    >>> array = np.array([1.0, 2.0])
    >>> x = tf.experimental.dlpack.from_dlpack(array)
    >>> array[0] = 9.0  # the tensor has its own memory
    >>> x.numpy()
    array([1., 2.])

    Raises:
        TypeError: it is none of both.
        InvalidArgumentError: the capsule was taken before.
        BufferError: its elements are not numbers.
    """
    return wrap(from_numpy(np.from_dlpack(_source(dlcapsule)), None))


def _source(given: Any) -> Any:
    """What NumPy asks for an array."""
    if hasattr(given, "__dlpack__"):
        return given
    if type(given).__name__ != "PyCapsule":
        raise TypeError(f"a capsule, or something with __dlpack__, is wanted, got {given!r}")
    if '"used_dltensor"' in repr(given):
        raise InvalidArgumentError("the capsule was taken before; one can be taken once")
    return Capsule(given)
