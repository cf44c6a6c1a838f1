"""What an operation says of shapes and of single numbers, whoever listens: the half of the language
of `lower` rules (ops/lowering.py) that needs no loops.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ....core import dtypes
from ....core.dtypes import DType
from ....core.shapes import INCOMPATIBLE
from ....errors import ShapeMismatchError
from ....ops.compiled_demands import spelled
from ....ops.lowering import MOST_NUMBERS, NotStatic
from ...loops.ir import Buffer, Literal
from ..arrays import Array, Element, Probe, Size, same_size
from ..blocks import Blocks
from ..scalars import SCALARS, Scalar, as_size, literal, size_expression
from ..values import Opaque

REGISTER_LIMIT = 64  # constant vectors up to this length are literals
FEW = 8  # of so many literals one is chosen by comparisons


class ShapeBuilder(ABC):
    """Abstract: `Builder` emits loops as well, `SizeBuilder` looks at sizes of results alone."""

    scalars = SCALARS

    def __init__(self, blocks: Blocks) -> None:
        self.blocks = blocks
        self.probe = Probe()

    @abstractmethod
    def view(self, shape: Sequence[Size], dtype: DType, element: Element) -> Array:
        """An array of elements that are only moved."""

    @abstractmethod
    def settle(self, array: Array, uses: int) -> None:
        """Store an array where several uses would compute too much anew."""

    @abstractmethod
    def check(self, condition: Any, error: type[Exception], message: str, *values: Any) -> None:
        """Leave the program where it is found at run time that a condition does not hold."""

    # ------------------------------------------------------------ numbers

    def scalar(self, value: Scalar) -> Array:
        return Array(value.dtype, (), self.probe, registers=(self.blocks.let(value),))

    def vector(self, elements: Sequence[Any], dtype: DType) -> Array:
        numbers = [SCALARS.cast(self._number(one, dtype), dtype) for one in elements]
        registers = self.blocks.let_all(numbers)
        return Array(dtype, (len(registers),), self.probe, registers=registers)

    def _number(self, value: Any, dtype: DType) -> Scalar:
        return value if isinstance(value, Scalar) else literal(value, dtype)

    def constant(self, value: Any, dtype: DType) -> Scalar:
        return literal(value, dtype)

    def few_literals(self, value: np.ndarray[Any, Any], dtype: DType) -> Array | None:
        """The array of a constant, where it is a number or a short vector."""
        if value.ndim > 1 or value.size > REGISTER_LIMIT or (value.ndim and not value.size):
            return None
        registers = tuple(literal(one, dtype) for one in value.reshape(-1))
        data = self.data(value, dtype) if value.size > FEW else None
        return Array(dtype, value.shape, self.probe, registers=registers, constant=value, data=data)

    def data(self, value: np.ndarray[Any, Any], dtype: DType) -> Buffer:
        """Numbers that are part of the program, where it loads one of them."""
        shape = tuple(size_expression(size) for size in value.shape)
        kept = value.view(np.uint8) if dtype.is_narrow else value
        return Buffer(self.blocks.fresh("c"), dtype.kept_as, shape, "constant", kept)

    def renamed(self, x: Array, shape: tuple[Size, ...]) -> Array | None:
        """`x` reshaped, where it is numbers in registers that stay a vector or a number."""
        if x.registers is None or len(shape) > 1:
            return None
        # A size may be known only when the program runs, which then has checked that it is theirs.
        sizes = [size if isinstance(size, int) else -1 for size in shape]
        constant = None if x.constant is None else x.constant.reshape(sizes)
        return Array(
            x.dtype, shape, self.probe, registers=x.registers, constant=constant, data=x.data
        )

    def elements(self, x: Array | Opaque) -> tuple[Scalar, ...]:
        if not isinstance(x, Array):
            raise NotStatic("its rank is only known at run time")
        if x.registers is not None:
            return x.registers
        if x.constant is not None:  # stored since, but known all the same
            return tuple(literal(one, x.dtype) for one in x.constant.reshape(-1))
        if x.rank == 0:
            return (self.blocks.let(x[()]),)
        sizes = [size for size in x.shape if isinstance(size, int)]
        if len(sizes) < x.rank:
            raise NotStatic("its length is only known at run time")
        return self.blocks.let_all([x[place] for place in np.ndindex(*sizes)])

    def sizes(self, x: Array) -> tuple[Size, ...]:
        return tuple(self.blocks.as_size(one) for one in self.elements(x))

    def is_count(self, size: Size) -> bool:
        return size >= 0 if isinstance(size, int) else self.blocks.is_count(size.expression)

    def static(self, x: Array) -> Any:
        if x.constant is not None:
            return x.constant.tolist()
        if x.registers is not None:
            known = [one.expression for one in x.registers]
            if all(isinstance(one, Literal) for one in known):
                values: list[Any] = [one.value for one in known if isinstance(one, Literal)]
                return values if x.rank else values[0]
        raise NotStatic("it must be a constant for native code")

    # ------------------------------------------------------------ shapes

    def broadcast_shape(self, *shapes: Sequence[Size]) -> tuple[Size, ...]:
        return reduce(self._two_shapes, map(tuple, shapes))

    def _two_shapes(self, left: tuple[Size, ...], right: tuple[Size, ...]) -> tuple[Size, ...]:
        rank = max(len(left), len(right))
        padded = ((1,) * (rank - len(shape)) + shape for shape in (left, right))

        def require(fits: Scalar | bool, a: Size, b: Size) -> None:
            message, shown = spelled(INCOMPATIBLE, (left, right, a, b))
            self.check(fits, ShapeMismatchError, message, *shown[:MOST_NUMBERS])

        return tuple([self._two_sizes(a, b, require) for a, b in zip(*padded, strict=True)])

    def _two_sizes(
        self, a: Size, b: Size, require: Callable[[Scalar | bool, Size, Size], None]
    ) -> Size:
        if isinstance(a, int) and a == 1:
            return b
        if (isinstance(b, int) and b == 1) or same_size(a, b):
            return a
        if isinstance(a, int) and isinstance(b, int):  # found by now, unknown while tracing
            require(False, a, b)
            return a
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return self.blocks.common_size(a, b, lambda fits: require(fits, a, b))
        known, other = (a, b) if isinstance(a, int) else (b, a)
        require((other == known) | (other == 1), a, b)
        return known

    def broadcast(self, x: Array, shape: Sequence[Size]) -> Array:
        shape = tuple(map(as_size, shape))
        if len(shape) == x.rank and all(map(same_size, x.shape, shape)):
            return x
        if x.registers is not None and x.rank == 0:
            (only,) = x.registers
            return self.view(shape, x.dtype, lambda *_: only)
        self.settle(x, 2)
        lead = len(shape) - x.rank
        rules = [_stretch(a, b) for a, b in zip(x.shape, shape[lead:], strict=True)]

        def element(*index: Any) -> Scalar:
            return x[[rule(one) for rule, one in zip(rules, index[lead:], strict=True)]]

        return self.view(shape, x.dtype, element)

    def count(self, shape: Sequence[Size]) -> Size:
        product: Size = 1
        for size in shape:
            product = size * product if isinstance(size, Scalar) else product * size
        return as_size(product)


def _stretch(size: Size, wanted: Size) -> Callable[[Any], Any]:
    """How an index of the broadcast axis becomes one of the axis itself."""
    if same_size(size, wanted):
        return lambda index: index
    if isinstance(size, int):
        return (lambda index: 0) if size == 1 else (lambda index: index)
    return lambda index: SCALARS.where(size == 1, literal(0, dtypes.int64), index)
