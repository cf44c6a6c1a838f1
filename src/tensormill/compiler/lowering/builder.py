"""The loop builder: what `lower` rules speak to (ops/lowering.py says what each method means)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from ...core.dtypes import BY_SHORT, DType
from ...ops.lowering import (
    Extremum,
    FourierKind,
    MatrixFunction,
    ReduceWith,
    ScanWith,
    ScatterWith,
)
from ...ops.shared_rules import SharedRule
from ..loops.ir import Check, Choice, For, NativeCall, Statement  # fmt: skip
from . import (
    beam_search,
    control_flow,
    lists,
    products,
    reductions,
    reshaping,
    selection,
    sorting,
    state,
    ufuncs,
)
from .arrays import Array, Size
from .emitter import Emitter
from .matrices import elimination, factors
from .scalars import Scalar, as_size, literal
from .values import Handle, List
from .windows import convolutions, interpolation, shifted_rows


@final
class Builder(Emitter):
    """Hands arrays to `lower` rules; what it says of each topic is in the topic's file."""

    # ------------------------------------------------------------ arrays

    def kept(self, x: Array) -> Array:
        reductions.finish_scatter(self, x)
        if x.element is not None and x.cost:
            self.force(x)
        return x

    def settled(self, x: Array) -> Array:
        self.settle(x, 2)
        return x

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
        return Array(dtype, shape, self.probe, buffer=self.data(value, dtype), constant=value)

    # ------------------------------------------------------------ shapes

    def reshape(self, x: Array, shape: Sequence[Size]) -> Array:
        return reshaping.reshape(self, x, tuple(as_size(size) for size in shape))

    # ------------------------------------------------------------ checks

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
        few: bool = False,
    ) -> Array:
        return reductions.reduce(self, kind, tuple(shape), tuple(extents), dtype, element, few)

    def arg_reduce(self, kind: Extremum, x: Array, axis: int, dtype: DType) -> Array:
        return reductions.arg_reduce(self, kind, x, axis, dtype)

    def places(self, condition: Array) -> Array:
        return selection.places(self, condition)

    def order(self, ranks: Array, wanted: Size | None = None) -> Array:
        return sorting.order(self, ranks, wanted)

    def leading(self, ranks: Array, count: int) -> Array:
        return sorting.leading(self, ranks, count)

    def shuffled(self, count: Size, others: Array) -> Array:
        return sorting.shuffled(self, count, others)

    def accepted(self, rows: Size, width: int, dtype: DType, candidates: Any) -> Array:
        return selection.accepted(self, rows, width, dtype, candidates)

    def chosen(self, scores: Array, limit: Size, conflict: Any) -> tuple[Array, Array]:
        return selection.chosen(self, scores, limit, conflict)

    def strongest(self, scores: Array, limit: Size, weighed: Any) -> tuple[Array, Array, Array]:
        return selection.strongest(self, scores, limit, weighed)

    def repeat(self, values: Sequence[Scalar], goes_on: Any, step: Any) -> tuple[Scalar, ...]:
        return selection.repeat(self, values, goes_on, step)

    def rounds(self, count: int, values: Sequence[Scalar], step: Any) -> tuple[Scalar, ...]:
        return selection.rounds(self, count, values, step)

    def shared(self, rule: SharedRule, *operands: Scalar) -> Scalar:
        arguments = tuple([self.blocks.named(self.held(one)) for one in operands])
        found = self.blocks.variable("shared", rule.result)
        call = NativeCall(rule.name, arguments, found, pure=True, work=rule.work)
        self.blocks.emit(call)
        return Scalar(found, BY_SHORT[rule.result])

    def for_each(
        self, shape: Sequence[Size], step: Callable[..., None], in_order: bool = False
    ) -> None:
        self.nest(shape, step, parallel=not in_order)

    def apart(self, shape: Sequence[Size], dtype: DType, element: Callable[..., Scalar]) -> Array:
        found = self.memory(shape, dtype)
        self.for_each(shape, lambda *index: self.put(found, index, element(*index)))
        return found

    def memory(self, shape: Sequence[Size], dtype: DType) -> Array:
        return selection.memory(self, shape, dtype)[0]

    def held(self, value: Scalar) -> Scalar:
        return self.blocks.let(value)

    def put(self, memory: Array, index: Sequence[Any], value: Scalar) -> None:
        self.store(self.force(memory), index, value)

    def search(self, count: Size, values: Array, dtype: DType, is_below: Any) -> Array:
        return sorting.search(self, count, values, dtype, is_below)

    def most_probable(
        self, steps: Array, lengths: Array, width: int, best: int, merged: bool
    ) -> tuple[Array, ...]:
        return beam_search.most_probable(self, steps, lengths, width, best, merged)

    def scan(self, kind: ScanWith, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        return reductions.scan(self, kind, x, axis, exclusive, reverse)

    def matmul(self, a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> Array:
        return products.matmul(self, a, b, transpose_a, transpose_b)

    def cholesky(self, x: Array) -> Array:
        return _for(x).cholesky(self, x)

    def substitute(self, matrix: Array, rhs: Array, lower: bool, adjoint: bool) -> Array:
        return _for(matrix, rhs).substitute(self, matrix, rhs, lower, adjoint)

    def solve(self, matrix: Array, rhs: Array, adjoint: bool, singular: Any) -> Array:
        return _for(matrix, rhs).solve(self, matrix, rhs, adjoint, singular)

    def inverse(self, matrix: Array, adjoint: bool, singular: Any) -> Array:
        return _for(matrix).inverse(self, matrix, adjoint, singular)

    def determinant(self, matrix: Array) -> Array:
        return _for(matrix).determinant(self, matrix)

    def log_determinant(self, matrix: Array) -> tuple[Array, Array]:
        return _for(matrix).log_determinant(self, matrix)

    def lu(self, x: Array, singular: Any) -> tuple[Array, Array]:
        return factors.lu(self, x, singular)

    def qr(self, x: Array, count: Size) -> tuple[Array, Array]:
        return factors.qr(self, x, count)

    def eigh(self, x: Array, vectors: bool, wrong: Any) -> tuple[Array, Array]:
        return factors.eigh(self, x, vectors, wrong)

    def eig(self, x: Array, vectors: bool, wrong: Any) -> tuple[Array, Array]:
        return factors.eig(self, x, vectors, wrong)

    def matrix_function(self, name: MatrixFunction, x: Array) -> Array:
        return factors.matrix_function(self, name, x)

    def svd(
        self, x: Array, count: Size, high: Size, wide: Size, vectors: bool
    ) -> tuple[Array, Array, Array]:
        return factors.svd(self, x, count, high, wide, vectors)

    def least_squares(self, matrix: Array, rhs: Array) -> Array:
        return factors.least_squares(self, matrix, rhs)

    def special(self, name: str, *operands: Array) -> tuple[Array, ...]:
        return ufuncs.special_function(self, name, operands)

    def fourier(self, kind: FourierKind, x: Array, axis: int, want: Size, points: Size) -> Array:
        return ufuncs.transform(self, kind, x, axis, want, points)

    def solve_tridiagonal(self, diagonals: Array, rhs: Array, pivoting: bool) -> Array:
        return elimination.solve_tridiagonal(self, diagonals, rhs, pivoting)

    def solve_banded(
        self, bands: Array, rhs: Array, lower: bool, adjoint: bool, singular: Any
    ) -> Array:
        return elimination.solve_banded(self, bands, rhs, lower, adjoint, singular)

    def convolve(self, x: Array, filter: Array, windows: Any) -> Array:
        return convolutions.convolve(self, x, filter, windows)

    def convolve_back(self, dy: Array, filter: Array, windows: Any, shape: Sequence[Size]) -> Array:
        return convolutions.convolve_back(self, dy, filter, windows, shape)

    def filter_gradient(self, x: Array, dy: Array, windows: Any, shape: Sequence[Size]) -> Array:
        return convolutions.filter_gradient(self, x, dy, windows, shape)

    def sum_shifted(
        self, x: Array, weights: Array, counts: Sequence[Size], steps: Sequence[int],
        rates: Sequence[int],
    ) -> Array:  # fmt: skip
        return shifted_rows.sum_shifted(self, x, weights, counts, steps, rates)

    def interpolate(self, x: Array, rows: Sequence[Array], columns: Sequence[Array]) -> Array:
        return interpolation.interpolate(self, x, rows, columns)

    def scatter(
        self, kind: ScatterWith, target: Array, extents: Sequence[Size], position: Any, value: Any,
        where: Any = None,
    ) -> Array:  # fmt: skip
        return reductions.scatter(self, kind, target, tuple(extents), position, value, where)

    def read(self, handle: Handle) -> Array:
        return state.read(self, handle)

    def write(self, handle: Handle, value: Array) -> None:
        state.write(self, handle, value)

    def write_all(self, handles: Sequence[Handle], values: Sequence[Array]) -> None:
        state.write_all(self, handles, values)

    def counter(self, is_seeded: bool, advance: Size) -> Scalar:
        return state.counter(self, is_seeded, advance)

    def list_reserve(self, count: Size, dtype: DType, element_shape: Sequence[Size] | None) -> List:
        return lists.reserve(self, count, dtype, element_shape)

    def list_of_rank(self, items: List, rank: int) -> List:
        return lists.of_rank(items, rank)

    def list_from_array(self, x: Array) -> List:
        return lists.from_array(self, x)

    def list_length(self, items: List) -> Scalar:
        return lists.length(self, items)

    def list_get(
        self, items: List, index: Scalar, dtype: DType, element_shape: Sequence[Size] | None
    ) -> Array:
        return lists.get(self, items, index, dtype, element_shape)

    def list_set(self, items: List, index: Scalar, value: Array, grow: bool) -> List:
        return lists.put(self, items, index, value)

    def list_add(self, items: List, index: Scalar, value: Array) -> List:
        return lists.add(self, items, index, value)

    def list_push(self, items: List, value: Array) -> List:
        return lists.push(self, items, value)

    def list_pop(
        self, items: List, dtype: DType, element_shape: Sequence[Size] | None
    ) -> tuple[List, Array]:
        return lists.pop(self, items, dtype, element_shape)

    def list_resize(self, items: List, count: Size) -> List:
        return lists.resize(self, items, count)

    def list_stack(self, items: List, dtype: DType, element_shape: Sequence[Size] | None) -> Array:
        return lists.stack(self, items, dtype, element_shape)

    def list_concat(self, items: List, dtype: DType, rank: int) -> tuple[Array, Array]:
        return lists.concat(self, items, dtype, rank)

    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        return control_flow.call(self, graph, operands)

    def branch(
        self, index: Scalar, graphs: Sequence[Any], operands: Sequence[Any]
    ) -> tuple[Any, ...]:
        return control_flow.branch(self, index, graphs, operands)

    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        return control_flow.loop(self, condition, body, operands)


def _for(matrix: Array, rhs: Array | None = None) -> Any:
    """Who does it: loops, or LAPACK."""
    return elimination if elimination.is_small(matrix, rhs) else factors


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
