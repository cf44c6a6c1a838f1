"""The loop builder: what `lower` rules speak to (ops/lowering.py says what each method means)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...ops.lowering import Extremum, ReduceWith, ScanWith, ScatterWith
from ..loops.costs import LOOP_WORK
from ..loops.functions import SIMPLE
from ..loops.ir import Allocate, Buffer, Check, Choice, For, Literal, Statement, Store  # fmt: skip
from . import (
    control_flow,
    convolutions,
    elimination,
    lists,
    products,
    reductions,
    selection,
    sorting,
    state,
)
from .arrays import MANY_COPIES, Array, Element, Size
from .blocks import Blocks
from .live_values import LiveValues
from .scalars import Scalar, as_size, literal, size_expression
from .sizes.kept_sizes import KeptSizes
from .sizes.shape_builder import ShapeBuilder

# A computed array that is used twice, or spread by broadcasting, is stored above these costs.
CHEAP = 3 * SIMPLE
# Beyond so many functions, or so many arrays that pull from each other, even a single use stores:
# Python's stack is short. So it does where one loop would hold too much.
LONG = 200
DEEP = 64


class Builder(ShapeBuilder):
    """Emits loops into `blocks` and hands arrays to `lower` rules."""

    def __init__(self, blocks: Blocks, run: Any) -> None:
        super().__init__(blocks)
        self.run = run  # lowers a graph: control flow calls it (lowering/graphs.py)
        self.kept_sizes = KeptSizes()
        self.live = LiveValues()
        self.slots = state.Slots(blocks)
        self.variables: list[state.Handle] = []  # those whose memory native code knows

    @contextmanager
    def needing(self, values: Sequence[Any]) -> Generator[None]:
        """Whatever is lowered within must leave these values as they are."""
        self.live.enter(dict(enumerate(values)))
        try:
            yield
        finally:
            self.live.leave()

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

    def kept(self, x: Array) -> Array:
        reductions.finish_scatter(self, x)
        if x.element is not None and x.cost:
            self.force(x)
        return x

    def stored(self, buffer: Buffer, dtype: DType, shape: Sequence[Size]) -> Array:
        return Array(dtype, self.blocks.short_sizes(shape), self.probe, buffer=buffer)

    def literal_array(self, value: np.ndarray[Any, Any], dtype: DType) -> Array:
        """The array of a constant: literals where it is small or all the same."""
        if (few := self.few_literals(value, dtype)) is not None:
            return few
        shape = tuple(int(size) for size in value.shape)
        if _is_uniform(value):
            first = literal(value.reshape(-1)[0], dtype)
            array = self.view(shape, dtype, lambda *_: first)
            array.constant = value
            return array
        sizes = tuple(size_expression(size) for size in shape)
        buffer = Buffer(self.blocks.fresh("c"), dtype.short, sizes, "constant", value)
        return Array(dtype, shape, self.probe, buffer=buffer, constant=value)

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

    # ------------------------------------------------------------ shapes

    def reshape(self, x: Array, shape: Sequence[Size]) -> Array:
        from .reshaping import reshape

        return reshape(self, x, tuple(as_size(size) for size in shape))

    # ------------------------------------------------------------ checks

    def check(self, condition: Any, error: type[Exception], message: str, *values: Any) -> None:
        if isinstance(condition, bool):
            condition = literal(condition, dtypes.bool_)
        if isinstance(condition.expression, Literal) and condition.expression.value:
            return
        self.blocks.check(condition, error, message, values)

    def check_all(
        self,
        shape: Sequence[Size],
        condition: Callable[..., Scalar],
        error: type[Exception],
        message: str,
        values: Callable[..., Sequence[Any]],
    ) -> None:
        def body(*index: Any) -> None:
            self.check(condition(*index), error, message, *values(*index))

        with self.blocks.block() as statements:
            self.nest(shape, body, parallel=False)
        if _checks_something(statements):
            self.blocks.emit(*statements)

    # ------------------------------------------------------------ the rest, by topic

    def reduce(
        self,
        kind: ReduceWith,
        shape: Sequence[Size],
        extents: Sequence[Size],
        dtype: DType,
        element: Any,
    ) -> Array:
        return reductions.reduce(self, kind, tuple(shape), tuple(extents), dtype, element)

    def arg_reduce(self, kind: Extremum, x: Array, axis: int, dtype: DType) -> Array:
        return reductions.arg_reduce(self, kind, x, axis, dtype)

    def places(self, condition: Array) -> Array:
        return selection.places(self, condition)

    def order(self, x: Array, precedes: Any) -> Array:
        return sorting.order(self, x, precedes)

    def leading(self, x: Array, count: int, precedes: Any) -> Array:
        return sorting.leading(self, x, count, precedes)

    def shuffled(self, count: Size, others: Array) -> Array:
        return sorting.shuffled(self, count, others)

    def accepted(self, rows: Size, width: int, dtype: DType, candidates: Any) -> Array:
        return selection.accepted(self, rows, width, dtype, candidates)

    def search(self, count: Size, values: Array, dtype: DType, is_below: Any) -> Array:
        return sorting.search(self, count, values, dtype, is_below)

    def scan(self, kind: ScanWith, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        return reductions.scan(self, kind, x, axis, exclusive, reverse)

    def matmul(self, a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> Array:
        return products.matmul(self, a, b, transpose_a, transpose_b)

    def cholesky(self, x: Array) -> Array:
        return elimination.cholesky(self, x)

    def substitute(self, matrix: Array, rhs: Array, lower: bool, adjoint: bool) -> Array:
        return elimination.substitute(self, matrix, rhs, lower, adjoint)

    def solve(self, matrix: Array, rhs: Array, adjoint: bool, singular: Any) -> Array:
        return elimination.solve(self, matrix, rhs, adjoint, singular)

    def inverse(self, matrix: Array, adjoint: bool, singular: Any) -> Array:
        return elimination.inverse(self, matrix, adjoint, singular)

    def determinant(self, matrix: Array) -> Array:
        return elimination.determinant(self, matrix)

    def log_determinant(self, matrix: Array) -> tuple[Array, Array]:
        return elimination.log_determinant(self, matrix)

    def convolve(self, x: Array, filter: Array, windows: Any) -> Array:
        return convolutions.convolve(self, x, filter, windows)

    def convolve_back(self, dy: Array, filter: Array, windows: Any, shape: Sequence[Size]) -> Array:
        return convolutions.convolve_back(self, dy, filter, windows, shape)

    def filter_gradient(self, x: Array, dy: Array, windows: Any, shape: Sequence[Size]) -> Array:
        return convolutions.filter_gradient(self, x, dy, windows, shape)

    def scatter(
        self, kind: ScatterWith, target: Array, extents: Sequence[Size], position: Any, value: Any
    ) -> Array:
        return reductions.scatter(self, kind, target, tuple(extents), position, value)

    def read(self, handle: state.Handle) -> Array:
        return state.read(self, handle)

    def write(self, handle: state.Handle, value: Array) -> None:
        state.write(self, handle, value)

    def counter(self, is_seeded: bool, advance: Size) -> Scalar:
        return state.counter(self, is_seeded, advance)

    def list_reserve(
        self, count: Size, dtype: DType, element_shape: Sequence[Size] | None
    ) -> lists.List:
        return lists.reserve(self, count, dtype, element_shape)

    def list_from_array(self, x: Array) -> lists.List:
        return lists.from_array(self, x)

    def list_length(self, items: lists.List) -> Scalar:
        return lists.length(self, items)

    def list_get(
        self, items: lists.List, index: Scalar, dtype: DType, element_shape: Sequence[Size]
    ) -> Array:
        return lists.get(self, items, index, dtype, element_shape)

    def list_set(self, items: lists.List, index: Scalar, value: Array, grow: bool) -> lists.List:
        return lists.put(self, items, index, value, grow)

    def list_add(self, items: lists.List, index: Scalar, value: Array) -> lists.List:
        return lists.add(self, items, index, value)

    def list_push(self, items: lists.List, value: Array) -> lists.List:
        return lists.push(self, items, value)

    def list_pop(
        self, items: lists.List, dtype: DType, element_shape: Sequence[Size]
    ) -> tuple[lists.List, Array]:
        return lists.pop(self, items, dtype, element_shape)

    def list_resize(self, items: lists.List, count: Size) -> lists.List:
        return lists.resize(self, items, count)

    def list_stack(self, items: lists.List, dtype: DType, element_shape: Sequence[Size]) -> Array:
        return lists.stack(self, items, dtype, element_shape)

    def list_concat(self, items: lists.List, dtype: DType, rank: int) -> tuple[Array, Array]:
        return lists.concat(self, items, dtype, rank)

    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        return control_flow.call(self, graph, operands)

    def branch(
        self, index: Scalar, graphs: Sequence[Any], operands: Sequence[Any]
    ) -> tuple[Any, ...]:
        return control_flow.branch(self, index, graphs, operands)

    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        return control_flow.loop(self, condition, body, operands)


def _is_uniform(value: np.ndarray[Any, Any]) -> bool:
    """Whether every element has the same bits (-0.0 is not 0.0)."""
    bits = np.ascontiguousarray(value).reshape(-1).view(f"V{value.dtype.itemsize}")
    return bool(bits.size) and bool((bits == bits[0]).all())


def _checks_something(statements: Sequence[Statement]) -> bool:
    """Whether any check is left: those on literals vanish."""
    return any(
        isinstance(one, Check)
        or (
            isinstance(one, (For, Choice))
            and _checks_something(one.body if isinstance(one, For) else one.then)
        )
        for one in statements
    )
