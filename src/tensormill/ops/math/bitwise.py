"""Logic of the bits of integers."""

from __future__ import annotations

from typing import Any

from ...core.native_operations import MANY
from ..bind import api
from ..families import Binary, Unary
from ..op import as_eager, types

INTEGERS = types("i8 i16 i32 i64 u8 u16 u32 u64")


class Bitwise(Binary, abstract=True):
    """Two integers of one dtype."""

    T = INTEGERS
    differentiable = False


class BitwiseAnd(Bitwise):
    """The bits that both have; integers of one dtype, shapes broadcast.

    >>> tf.bitwise.bitwise_and([0b1100, 0b1010], 0b0110).numpy()
    array([4, 2], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers.
    """

    def scalar(s: Any, x, y):
        return x & y


bitwise_and = api(BitwiseAnd)


class BitwiseOr(Bitwise):
    """The bits that at least one has; integers of one dtype, shapes broadcast.

    >>> tf.bitwise.bitwise_or([0b1100, 0b1010], 0b0110).numpy()
    array([14, 14], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers.
    """

    def scalar(s: Any, x, y):
        return x | y


bitwise_or = api(BitwiseOr)


class BitwiseXor(Bitwise):
    """The bits that exactly one has; integers of one dtype, shapes broadcast.

    >>> tf.bitwise.bitwise_xor([0b1100, 0b1010], 0b0110).numpy()
    array([10, 12], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers.
    """

    def scalar(s: Any, x, y):
        return x ^ y


bitwise_xor = api(BitwiseXor)


class Invert(Unary):
    """Every bit turned over, of integers of any shape: -x - 1 of signed ones.

    >>> tf.bitwise.invert([0, 5, -1]).numpy()
    array([-1, -6,  0], dtype=int32)

    Raises:
        DTypeMismatchError: another dtype.
    """

    T = INTEGERS
    differentiable = False

    def scalar(s: Any, x):
        return ~x


invert = api(Invert)


class Shift(Bitwise, abstract=True):
    """A shift by y bits; y is first brought into 0 .. bits - 1."""

    native_from = MANY

    xla = as_eager

    def eager(self, np: Any) -> Any:
        bits = 8 * self.y.dtype.itemsize
        return type(self).scalar(np, self.x, np.clip(self.y, 0, bits - 1))

    def lower(self, loops: Any) -> Any:
        s, x, y = loops.scalars, self.x, self.y
        shape = loops.broadcast_shape(x.shape, y.shape)
        left, right = loops.broadcast(x, shape), loops.broadcast(y, shape)
        lowest = loops.constant(0, y.dtype)
        highest = loops.constant(8 * y.dtype.size - 1, y.dtype)

        def element(*index: Any) -> Any:
            count = s.minimum(s.maximum(right[index], lowest), highest)
            return type(self).scalar(s, left[index], count)

        return loops.map(shape, x.dtype, element)


class LeftShift(Shift):
    """The bits of x moved up by y; integers of one dtype, shapes broadcast. y is first brought into
    0 .. bits - 1.

    >>> tf.bitwise.left_shift([1, 3, -1], 2).numpy()
    array([ 4, 12, -4], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers.
    """

    def scalar(s: Any, x, y):
        return s.left_shift(x, y)


left_shift = api(LeftShift)


class RightShift(Shift):
    """The bits of x moved down by y; the sign is kept. Integers of one dtype, shapes broadcast. y
    is first brought into 0 .. bits - 1.

    >>> tf.bitwise.right_shift([8, 9, -8], 2).numpy()
    array([ 2,  2, -2], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not integers.
    """

    def scalar(s: Any, x, y):
        return s.right_shift(x, y)


right_shift = api(RightShift)
