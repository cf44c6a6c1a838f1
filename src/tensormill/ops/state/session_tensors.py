"""Tensors that a session keeps between runs, by handles."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as numpy_module

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..effects import World
from ..op import Attr, In, Op, Out

# By handle; who has the handle drops it.
_kept: Final[dict[str, Any]] = {}
_numbers: Final = itertools.count()


class GetSessionHandle(Op):
    """Keeps a tensor; the handle tells it."""

    value = In("T ...")
    handle = Out("str")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.string)

    def eager(self, np: Any) -> Any:
        return np.array(_keep(self.value), object)


class GetSessionTensor(Op):
    """The tensor that a handle tells."""

    handle = In("str")
    value = Out("dtype ...")
    dtype = Attr()
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(None, self.dtype)

    def eager(self, np: Any) -> Any:
        value = held(self.handle.item())
        if value.dtype != self.dtype.storage:
            raise InvalidArgumentError(
                f"GetSessionTensor: the tensor is of {value.dtype}, not of {self.dtype.name}"
            )
        return value.copy()


class DeleteSessionTensor(Op):
    """Drops the tensor that a handle tells."""

    handle = In("str")
    effects = (World.PYTHON,)
    differentiable = False

    def infer(self) -> tuple[()]:
        return ()

    def eager(self, np: Any) -> tuple[()]:
        word = _word(self.handle.item())
        if _kept.pop(word, None) is None:
            raise InvalidArgumentError(_absent(word))
        return ()


def _keep(value: Any) -> bytes:
    word = f"GetSessionHandle;{next(_numbers)};/job:localhost/replica:0/task:0/device:CPU:0"
    _kept[word] = numpy_module.array(value)
    return word.encode()


def held(handle: Any) -> Any:
    """The array that a handle tells.

    Raises:
        InvalidArgumentError: it is not kept any more.
    """
    word = _word(handle)
    if word not in _kept:
        raise InvalidArgumentError(_absent(word))
    return _kept[word]


def drop(handle: Any) -> None:
    """Drop what a handle tells, if it is there."""
    _kept.pop(_word(handle), None)


def _word(handle: Any) -> str:
    return handle.decode() if isinstance(handle, bytes) else str(handle)


def _absent(word: str) -> str:
    return f"The tensor with handle '{word}' is not in the session store."
