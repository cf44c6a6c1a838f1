"""How elements are computed, stored and checked: what all that is lowered is made of."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core import dtypes
from ...core.dtypes import DType
from ..loops.costs import LOOP_WORK
from ..loops.functions import SIMPLE
from ..loops.ir import Allocate, Buffer, Expression, For, Literal, Store
from ..lowered import GivenOutput
from .arrays import MANY_COPIES, Array, Element, Size
from .blocks import Blocks
from .live_values import LiveValues
from .scalars import Scalar, as_size, literal, size_expression
from .sizes.marks import KeptSizes
from .sizes.shape_builder import ShapeBuilder
from .slots import Slots
from .values import Handle

# A computed array that is used twice, or spread by broadcasting, is stored above these costs.
CHEAP = 3 * SIMPLE
# Beyond so many functions, or so many arrays that pull from each other, even a single use stores:
# Python's stack is short. So it does where one loop would hold too much.
LONG = 200
DEEP = 64


class Emitter(ShapeBuilder):
    """Abstract: emits loops into `blocks`. `Builder` says all that `lower` rules may ask for."""

    def __init__(self, blocks: Blocks, run: Any) -> None:
        super().__init__(blocks)
        self.run = run  # lowers a graph: control flow calls it (lowering/graphs.py)
        self.kept_sizes = KeptSizes()
        self.live = LiveValues()
        self.slots = Slots(blocks)
        self.variables: list[Handle] = []  # those whose memory native code knows
        self.given: dict[Buffer, GivenOutput] = {}  # what callbacks gave, where it lies
        self._lists: dict[Expression, Buffer] = {}

    @contextmanager
    def needing(self, values: Sequence[Any]) -> Generator[None]:
        """Whatever is lowered within must leave these values as they are."""
        self.live.enter(dict(enumerate(values)))
        try:
            yield
        finally:
            self.live.leave()

    def memory_of(self, pointer: Expression) -> Buffer:
        """What stands for the elements of a list in `reads` of arrays that look at them."""
        if pointer not in self._lists:
            self._lists[pointer] = Buffer(self.blocks.fresh("elements"), "u8", (), "pointer")
        return self._lists[pointer]

    # ------------------------------------------------------------ arrays

    def map(self, shape: Sequence[Size], dtype: DType, element: Element) -> Array:
        if not shape:
            return self.scalar(element())
        sizes = self.blocks.short_sizes([as_size(size) for size in shape])
        array = Array(dtype, sizes, self.probe, element=element)
        self.probe.examine(array)
        is_deep = array.length > LONG or array.depth > DEEP
        if is_deep or array.cost > LOOP_WORK or array.copies >= MANY_COPIES:
            self.force(array)
        return array

    def view(self, shape: Sequence[Size], dtype: DType, element: Element) -> Array:
        return self.map(shape, dtype, element)

    def stored(self, buffer: Buffer, dtype: DType, shape: Sequence[Size]) -> Array:
        return Array(dtype, self.blocks.short_sizes(shape), self.probe, buffer=buffer)

    # ------------------------------------------------------------ storing

    def force(self, array: Array) -> Buffer:
        """The buffer of `array`, stored now where it was not."""
        if array.buffer is not None:
            return array.buffer
        buffer = self.blocks.temporary(array.dtype, array.shape)
        self.blocks.emit(Allocate(buffer))
        self.fill(buffer, array)
        array.become_stored(buffer)
        return buffer

    def fill(self, buffer: Buffer, array: Array) -> None:
        """Store every element of `array` in `buffer`, which has its shape."""
        if array.registers is not None:
            for number, register in enumerate(array.registers):
                place = (Literal(number, "i64"),) if array.rank else ()
                self.blocks.emit(Store(buffer, place, register.expression))
            return
        self.nest(array.shape, lambda *index: self.store(buffer, index, array[index]))

    def store(self, buffer: Buffer, index: Sequence[Any], value: Scalar) -> None:
        expression = self.blocks.named(value)
        self.blocks.emit(Store(buffer, tuple(size_expression(one) for one in index), expression))

    def nest(self, shape: Sequence[Size], body: Callable[..., None], parallel: bool = True) -> None:
        """Loops over every index of `shape`, `body(*index)` emitting what happens there."""
        self._nest(self.blocks.short_sizes(shape), (), body, parallel)

    def _nest(
        self, shape: tuple[Size, ...], done: tuple[Scalar, ...], body: Any, parallel: bool
    ) -> None:
        if len(done) == len(shape):
            body(*done)
            return
        variable, index = self.blocks.index()
        with self.blocks.block() as statements:
            self._nest(shape, (*done, index), body, parallel)
        outermost = parallel and not done
        extent = size_expression(shape[len(done)])
        self.blocks.emit(For(variable, extent, tuple(statements), parallel=outermost))

    def each(self, count: Size, body: Callable[[Scalar], None]) -> None:
        """A loop in order: what is stored in one step may be read in the next."""
        self._nest((count,), (), body, parallel=False)

    def settle(self, array: Array, uses: int) -> None:
        """Store a new result where several uses would compute too much anew."""
        if array.element is not None and uses > 1 and array.cost > CHEAP:
            self.force(array)

    # ------------------------------------------------------------ checks

    def check(self, condition: Any, error: type[Exception], message: str, *values: Any) -> None:
        if isinstance(condition, bool):
            condition = literal(condition, dtypes.bool_)
        if isinstance(condition.expression, Literal) and condition.expression.value:
            return
        self.blocks.check(condition, error, message, values)
