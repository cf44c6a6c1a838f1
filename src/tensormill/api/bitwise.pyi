# Written by `make stubs` from the table beside it.

"""`tf.bitwise`: the bits of integers."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any

__all__ = ['bitwise_and', 'bitwise_or', 'bitwise_xor', 'invert', 'left_shift', 'right_shift']

def bitwise_and(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The bits that both have; integers of one dtype, shapes broadcast.

    >>> tf.bitwise.bitwise_and([0b1100, 0b1010], 0b0110).numpy()
    array([4, 2], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers."""

def bitwise_or(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The bits that at least one has; integers of one dtype, shapes broadcast.

    >>> tf.bitwise.bitwise_or([0b1100, 0b1010], 0b0110).numpy()
    array([14, 14], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers."""

def bitwise_xor(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The bits that exactly one has; integers of one dtype, shapes broadcast.

    >>> tf.bitwise.bitwise_xor([0b1100, 0b1010], 0b0110).numpy()
    array([10, 12], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers."""

def invert(x: _Any, name: _Any = None) -> _Tensor:
    """Every bit turned over, of integers of any shape: -x - 1 of signed ones.

    >>> tf.bitwise.invert([0, 5, -1]).numpy()
    array([-1, -6,  0], dtype=int32)

    Raises:
        DTypeMismatchError: another dtype."""

def left_shift(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The bits of x moved up by y; integers of one dtype, shapes broadcast. y is first brought into
    0 .. bits - 1.

    >>> tf.bitwise.left_shift([1, 3, -1], 2).numpy()
    array([ 4, 12, -4], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers."""

def right_shift(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The bits of x moved down by y; the sign is kept. Integers of one dtype, shapes broadcast. y
    is first brought into 0 .. bits - 1.

    >>> tf.bitwise.right_shift([8, 9, -8], 2).numpy()
    array([ 2,  2, -2], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers."""
