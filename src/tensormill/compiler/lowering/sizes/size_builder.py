"""The language of `lower` rules, read for the sizes of what they return: nothing is emitted.

Rules compute shapes as they do for loops, so that a size is found to be the same here exactly where
it is there. Elements are not looked at, but for those of short vectors of integers: they may become
sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, final

import numpy as np

from ....core import dtypes
from ....core.dtypes import BY_SHORT, DType
from ....core.specs import ListSpec, ResourceSpec, TensorSpec
from ....ops.lowering import (
    Extremum,
    FourierKind,
    MatrixFunction,
    ReduceWith,
    ScanWith,
    ScatterWith,
)
from ....ops.shared_rules import SharedRule
from ...loops.ir import Buffer
from ...lowered import stays_in_python
from ...native.special import functions as special
from .. import lists, products, ragged, ufuncs
from ..arrays import Array, Element, Size
from ..blocks import Blocks
from ..matrices import factors
from ..scalars import Scalar, as_size, size_scalar
from ..state import must_be_native
from ..values import NULL, Handle, List, Opaque
from ..windows import convolutions, interpolation
from .shape_builder import ShapeBuilder

FEW = 32  # elements; no shape has more


class GraphReader(Protocol):
    """Who knows the sizes of what graphs return (sizes/kept_sizes.py)."""

    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]: ...
    def branch(self, graphs: Sequence[Any], operands: Sequence[Any]) -> tuple[Any, ...]: ...
    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]: ...


@final
class SizeBuilder(ShapeBuilder):
    """What is not known of an array, a list or a number is a name of its own."""

    def __init__(self, graphs: GraphReader) -> None:
        super().__init__(Blocks())
        self._graphs = graphs

    # ------------------------------------------------------------ what is not known

    def number(self, dtype: DType) -> Scalar:
        return Scalar(self.blocks.variable("unknown", dtype.kept_as), dtype)

    def size(self) -> Scalar:
        return self.number(dtypes.int64)

    def array(self, shape: Sequence[Size], dtype: DType) -> Array:
        """An array of this shape, whatever its elements are."""
        if not shape:
            return self.scalar(self.number(dtype))
        sizes = self.blocks.short_sizes([as_size(size) for size in shape])
        return Array(dtype, sizes, self.probe, element=lambda *_: self.number(dtype))

    def anything(self, spec: Any) -> Any:
        """A value of which no more is known than its spec."""
        if isinstance(spec, ResourceSpec):
            nowhere = Buffer("unknown", "i8", (), "state")
            return Handle(nowhere, spec.state.dtype, (), -1, native=False)
        if stays_in_python(spec):
            return Opaque(NULL, spec)
        if isinstance(spec, ListSpec):
            return List(NULL, spec)
        assert isinstance(spec, TensorSpec)
        assert spec.shape.entries is not None
        sizes = [self.size() if size is None else size for size in spec.shape.entries]
        return self.array(sizes, spec.dtype)

    # ------------------------------------------------------------ arrays

    def map(self, shape: Sequence[Size], dtype: DType, element: Element) -> Array:
        if not dtype.is_integer or len(shape) > 1:
            return self.array(shape, dtype)
        if not shape:
            return self.scalar(element())
        count = as_size(shape[0])
        if not isinstance(count, int) or count > FEW:
            return self.array(shape, dtype)
        places = map(size_scalar, range(count))
        registers = tuple(self.blocks.let(element(place)) for place in places)
        return Array(dtype, (count,), self.probe, registers=registers)

    def view(self, shape: Sequence[Size], dtype: DType, element: Element) -> Array:
        return self.map(shape, dtype, element)

    def kept(self, x: Array) -> Array:
        return x

    def settled(self, x: Array) -> Array:
        return x

    def settle(self, array: Array, uses: int) -> None:
        pass

    def literal_array(self, value: np.ndarray[Any, Any], dtype: DType) -> Array:
        if (few := self.few_literals(value, dtype)) is not None:
            return few
        array = self.array(value.shape, dtype)
        array.constant = value
        return array

    def reshape(self, x: Array, shape: Sequence[Size]) -> Array:
        sizes = tuple(as_size(size) for size in shape)
        renamed = self.renamed(x, sizes)
        return self.array(sizes, x.dtype) if renamed is None else renamed

    def reduce(
        self,
        kind: ReduceWith,
        shape: Sequence[Size],
        extents: Sequence[Size],
        dtype: DType,
        element: Any,
        few: bool = False,
    ) -> Array:
        return self.array(shape, dtype)

    def arg_reduce(self, kind: Extremum, x: Array, axis: int, dtype: DType) -> Array:
        return self.array(x.shape[:axis] + x.shape[axis + 1 :], dtype)

    def scan(self, kind: ScanWith, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
        return self.array(x.shape, x.dtype)

    def scatter(
        self, kind: ScatterWith, target: Array, extents: Sequence[Size], position: Any, value: Any,
        where: Any = None,
    ) -> Array:  # fmt: skip
        return self.array(target.shape, target.dtype)

    def places(self, condition: Array) -> Array:
        return self.array((self.size(), condition.rank), dtypes.int64)

    def order(self, ranks: Array, wanted: Size | None = None) -> Array:
        count = ranks.shape[-1] if wanted is None else wanted
        return self.array((*ranks.shape[:-1], count), dtypes.int64)

    def leading(self, ranks: Array, count: int) -> Array:
        return self.array((*ranks.shape[:-1], count + 1), dtypes.int64)

    def shuffled(self, count: Size, others: Array) -> Array:
        return self.array((count,), dtypes.int64)

    def accepted(self, rows: Size, width: int, dtype: DType, candidates: Any) -> Array:
        return self.array((rows, width + 1), dtype)

    def chosen(self, scores: Array, limit: Size, conflict: Any) -> tuple[Array, Array]:
        rows, long = scores.shape[:-1], dtypes.int64
        return self.array((*rows, limit + 1), long), self.array(rows, long)

    def strongest(self, scores: Array, limit: Size, weighed: Any) -> tuple[Array, Array, Array]:
        places, taken = (self.array((limit + 1,), one) for one in (dtypes.int64, scores.dtype))
        return places, taken, self.array((), dtypes.int64)

    def repeat(self, values: Sequence[Scalar], goes_on: Any, step: Any) -> tuple[Scalar, ...]:
        return tuple(self.number(value.dtype) for value in values)

    def rounds(self, count: int, values: Sequence[Scalar], step: Any) -> tuple[Scalar, ...]:
        return tuple(self.number(value.dtype) for value in values)

    def shared(self, rule: SharedRule, *operands: Scalar) -> Scalar:
        return self.number(BY_SHORT[rule.result])

    def for_each(self, shape: Sequence[Size], step: Any, in_order: bool = False) -> None:
        pass

    def apart(self, shape: Sequence[Size], dtype: DType, element: Element) -> Array:
        return self.array(shape, dtype)

    def memory(self, shape: Sequence[Size], dtype: DType) -> Array:
        return self.array(shape, dtype)

    def held(self, value: Scalar) -> Scalar:
        return self.blocks.let(value)

    def put(self, memory: Array, index: Sequence[Any], value: Scalar) -> None:
        pass

    def search(self, count: Size, values: Array, dtype: DType, is_below: Any) -> Array:
        return self.array(values.shape, dtype)

    # ------------------------------------------------------------ products

    def matmul(self, a: Array, b: Array, transpose_a: bool, transpose_b: bool) -> Array:
        shape = products.product_shape(self, a, b, transpose_a, transpose_b)
        return self.array(shape, a.dtype)

    def cholesky(self, x: Array) -> Array:
        return self.array(x.shape, x.dtype)

    def substitute(self, matrix: Array, rhs: Array, lower: bool, adjoint: bool) -> Array:
        batch = self.broadcast_shape(matrix.shape[:-2], rhs.shape[:-2])
        return self.array((*batch, *rhs.shape[-2:]), rhs.dtype)

    def lu(self, x: Array, singular: Any) -> tuple[Array, Array]:
        return self.array(x.shape, x.dtype), self.array(x.shape[:-1], dtypes.int64)

    def qr(self, x: Array, count: Size) -> tuple[Array, Array]:
        *batch, rows, columns = x.shape
        shapes = (*batch, rows, count), (*batch, count, columns)
        return self.array(shapes[0], x.dtype), self.array(shapes[1], x.dtype)

    def eigh(self, x: Array, vectors: bool, wrong: Any) -> tuple[Array, Array]:
        values = self.array(x.shape[:-1], factors.real_part(x.dtype))
        return values, self.array(x.shape if vectors else (), x.dtype)

    def eig(self, x: Array, vectors: bool, wrong: Any) -> tuple[Array, Array]:
        pair = factors.complex_of(x.dtype)
        return self.array(x.shape[:-1], pair), self.array(x.shape if vectors else (), pair)

    def matrix_function(self, name: MatrixFunction, x: Array) -> Array:
        return self.array(x.shape, x.dtype)

    def svd(
        self, x: Array, count: Size, high: Size, wide: Size, vectors: bool
    ) -> tuple[Array, Array, Array]:
        *batch, rows, columns = x.shape
        values = self.array((*batch, count), factors.real_part(x.dtype))
        left, right = (
            self.array((*batch, *one) if vectors else (), x.dtype)
            for one in ((rows, high), (columns, wide))
        )
        return values, left, right

    def least_squares(self, matrix: Array, rhs: Array) -> Array:
        return self.array((*rhs.shape[:-2], matrix.shape[-1], rhs.shape[-1]), rhs.dtype)

    def solve(self, matrix: Array, rhs: Array, adjoint: bool, singular: Any) -> Array:
        return self.array(rhs.shape, rhs.dtype)

    def inverse(self, matrix: Array, adjoint: bool, singular: Any) -> Array:
        return self.array(matrix.shape, matrix.dtype)

    def determinant(self, matrix: Array) -> Array:
        return self.array(matrix.shape[:-2], matrix.dtype)

    def log_determinant(self, matrix: Array) -> tuple[Array, Array]:
        return self.determinant(matrix), self.determinant(matrix)

    def special(self, name: str, *operands: Array) -> tuple[Array, ...]:
        first = operands[0]
        return tuple(self.array(first.shape, first.dtype) for _ in range(special.results_of(name)))

    def fourier(self, kind: FourierKind, x: Array, axis: int, want: Size, points: Size) -> Array:
        return ufuncs.only_sizes(self, kind, x, axis, want)

    def solve_tridiagonal(self, diagonals: Array, rhs: Array, pivoting: bool) -> Array:
        return self.array(rhs.shape, rhs.dtype)

    def solve_banded(
        self, bands: Array, rhs: Array, lower: bool, adjoint: bool, singular: Any
    ) -> Array:
        batch = self.broadcast_shape(bands.shape[:-2], rhs.shape[:-2])
        return self.array((*batch, *rhs.shape[-2:]), rhs.dtype)

    def convolve(self, x: Array, filter: Array, windows: Any) -> Array:
        return self.array(convolutions.convolved_shape(x, filter, windows), x.dtype)

    def convolve_back(self, dy: Array, filter: Array, windows: Any, shape: Sequence[Size]) -> Array:
        return self.array(shape, dy.dtype)

    def filter_gradient(self, x: Array, dy: Array, windows: Any, shape: Sequence[Size]) -> Array:
        return self.array(shape, x.dtype)

    def most_probable(
        self, steps: Array, lengths: Array, width: int, best: int, merged: bool
    ) -> tuple[Array, ...]:
        time, batch, _ = steps.shape
        whole, number = dtypes.int64, dtypes.float64
        return (
            self.array((best, batch, time), whole), self.array((best, batch), whole),
            self.array((batch, best), number), self.array((batch,), whole),
        )  # fmt: skip

    def sum_shifted(
        self, x: Array, weights: Array, counts: Sequence[Size], steps: Any, rates: Any
    ) -> Array:
        return self.array((x.shape[0], *counts, x.shape[-1]), x.dtype)

    def interpolate(self, x: Array, rows: Sequence[Array], columns: Sequence[Array]) -> Array:
        return self.array(interpolation.interpolated(x, rows, columns), dtypes.float32)

    # ------------------------------------------------------------ checks, which pass

    def check(self, condition: Any, error: type[Exception], message: str, *values: Any) -> None:
        pass

    def check_all(
        self,
        shape: Sequence[Size],
        condition: Callable[..., Scalar],
        error: type[Exception],
        message: str,
        values: Callable[..., Sequence[Any]],
    ) -> None:
        pass

    # ------------------------------------------------------------ state

    def read(self, handle: Handle) -> Array:
        must_be_native(handle)
        return self.array(handle.shape, handle.dtype)

    def write(self, handle: Handle, value: Array) -> None:
        must_be_native(handle)

    def write_all(self, handles: Sequence[Handle], values: Sequence[Array]) -> None:
        for handle, value in zip(handles, values, strict=True):
            self.write(handle, value)

    def counter(self, is_seeded: bool, advance: Size) -> Scalar:
        return self.size()

    # ------------------------------------------------------------ lists

    def list_reserve(self, count: Size, dtype: DType, element_shape: Sequence[Size] | None) -> List:
        return List(NULL, lists.spec_of(dtype, element_shape), is_unwritten=True)

    def list_of_rank(self, items: List, rank: int) -> List:
        return lists.of_rank(items, rank)

    def list_from_array(self, x: Array) -> List:
        items = self.list_reserve(x.shape[0], x.dtype, x.shape[1:])
        return lists.with_element(self.blocks, items, x.shape[1:])

    def list_length(self, items: List) -> Scalar:
        return self.size()

    def list_get(
        self, items: List, index: Scalar, dtype: DType, element_shape: Sequence[Size] | None
    ) -> Array:
        return self.array(self._element_shape(items, element_shape), dtype)

    def list_set(self, items: List, index: Scalar, value: Array, grow: bool) -> List:
        return self.list_push(items, value)

    def list_add(self, items: List, index: Scalar, value: Array) -> List:
        return self.list_push(items, value)

    def list_push(self, items: List, value: Array) -> List:
        return lists.with_element(self.blocks, items, value.shape)

    def list_pop(
        self, items: List, dtype: DType, element_shape: Sequence[Size] | None
    ) -> tuple[List, Array]:
        return items, self.array(self._element_shape(items, element_shape), dtype)

    def list_resize(self, items: List, count: Size) -> List:
        return items

    def list_stack(self, items: List, dtype: DType, element_shape: Sequence[Size] | None) -> Array:
        return self.array((self.size(), *self._element_shape(items, element_shape)), dtype)

    def list_concat(self, items: List, dtype: DType, rank: int) -> tuple[Array, Array]:
        rest = self._element_shape(items, (-1,) * rank)[1:]
        return self.array((self.size(), *rest), dtype), self.array((self.size(),), dtypes.int64)

    def _element_shape(self, items: List, stated: Sequence[Size] | None) -> tuple[Size, ...]:
        known = ragged.known_sizes(items, lists.stated_sizes(items, stated))
        return tuple(self.size() if size is None else size for size in known)

    # ------------------------------------------------------------ graphs

    def call(self, graph: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        return self._graphs.call(graph, operands)

    def branch(
        self, index: Scalar, graphs: Sequence[Any], operands: Sequence[Any]
    ) -> tuple[Any, ...]:
        return self._graphs.branch(graphs, operands)

    def loop(self, condition: Any, body: Any, operands: Sequence[Any]) -> tuple[Any, ...]:
        return self._graphs.loop(condition, body, operands)
