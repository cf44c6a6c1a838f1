"""What makes a Python object a tensor to the library."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar, Final, Protocol, runtime_checkable

import numpy as np

from .dtypes import DType
from .shapes import TensorShape


class TensorBase:
    """Base of whatever users may call a tensor: of tensors, and of other libraries' classes.

    Those say with `__tf_tensor__(dtype, name)` which tensor they stand for; nothing else is
    expected of them (Keras's variables have strings for dtypes).
    """

    __slots__ = ()

    # Whether it is a number of Python's that a loop carries (graph/numbers/python_numbers.py).
    is_pythons: ClassVar[bool] = False


class TensorLike(TensorBase):
    """Base of tensors and variables: anything that already has a dtype and a shape.

    `isinstance(x, TensorLike)` is how the library asks "is its dtype fixed?"; Python numbers
    and NumPy arrays beside it adopt that dtype.
    """

    __slots__ = ()

    dtype: DType
    shape: TensorShape
    # Whether a function that takes it is one for all such: not for a variable of several parts.
    is_one_tensor: ClassVar[bool] = True


@runtime_checkable
class TensorProtocol(Protocol):
    """Something that says which tensor it stands for."""

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Any:
        """The tensor."""


# What may become a tensor: `isinstance(3, tf.types.experimental.TensorLike)`. `isinstance` takes no
# `list[Any]`.
_NUMPY: Final = np.ndarray | np.generic  # pyrefly: ignore[implicit-any-type-argument]
# pyrefly: ignore[implicit-any-type-argument]
_ROWS: Final = tuple | list  # pyright: ignore[reportMissingTypeArgument]
Convertible: Final = (
    TensorLike | TensorProtocol | int | float | bool | str | bytes | complex | _ROWS | _NUMPY
)


# Bases of classes that are asked for where most programs have none: `isinstance` then needs no
# import of the modules that make them.


class RaggedBase(TensorBase):
    """Base of `tf.RaggedTensor` (ops/ragged/ragged_tensor.py)."""

    __slots__ = ()


class PartitionedBase:
    """Base of variables in parts (version_one/partitioned.py): one is iterated for its parts."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class TensorArrayBase:
    """Base of `tf.TensorArray` (control/tensor_array.py)."""

    __slots__ = ()


class OperationBase:
    """Base of `tf.Operation` (graph/operation.py)."""

    __slots__ = ()


class StagedListBase:
    """Base of what lists become that staged code makes longer (control/staged_list.py)."""

    __slots__ = ()

    @staticmethod
    def note_element(value: Any) -> None:
        """Be told each element; AutoGraph puts what notes them here."""


def tensor_class() -> type[Any]:
    """`tf.Tensor`, which is of a later folder."""
    found: type[Any] = import_module("tensormill.eager.tensor").Tensor
    return found


def is_tensor(x: Any) -> bool:
    """Whether `x` is a tensor of some kind: dense, ragged, sparse or of slices, or a variable.
    An object of another library is, too, if it says so by `is_tensor_like`.

    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(tf.Variable(1)), tf.is_tensor(np.ones(2))
    (True, True, False)
    """
    if isinstance(x, TensorBase):
        return not x.is_pythons
    return bool(getattr(x, "is_tensor_like", False))
