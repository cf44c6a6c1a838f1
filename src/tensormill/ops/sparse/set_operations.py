"""Operations on sets and counts that give sparse tensors as components, as TensorFlow's files have
them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, Final

from ...core import dtypes
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.concatenation import concat
from ..array.fill import ones, zeros
from ..array.shapes import rank, reshape, shape_of
from ..checks.assertions import assert_equal, assert_positive
from ..checks.shape_assertions import assert_rank_in
from ..control.flow import ensure_shape
from ..families import Rephrased
from ..math.bincounts import amounts_of
from ..math.cast import cast
from ..op import INDEX, Attr, In, Out, types
from ..ragged.ragged_tensor import RaggedTensor
from . import sets
from .counts import bincount
from .linear_indices import parts_of
from .sparse_tensor import SparseTensor

_SETS: Final[dict[str, Callable[[Any, Any, bool], SparseTensor]]] = {
    "a-b": lambda a, b, checks: sets.difference(a, b, True, checks),
    "b-a": lambda a, b, checks: sets.difference(a, b, False, checks),
    "intersection": sets.intersection,
    "union": sets.union,
}
MEMBERS: Final = types("i8 i16 i32 i64 u8 u16 str")


class SetOperation(Rephrased, abstract=True):
    """What is in either of the sets that the rows are, in both, or only in one of them."""

    set_operation: Any
    validate_indices: Any
    differentiable = False

    def combined(self, first: Any, second: Any) -> tuple[Any, ...]:
        if self.set_operation not in _SETS:
            raise InvalidArgumentError(f"Invalid set_operation {self.set_operation}.")
        return parts_of(_SETS[self.set_operation](first, second, self.validate_indices))


class DenseToDenseSetOperation(SetOperation):
    """Of the rows of two tensors."""

    set1 = In("T ...")
    set2 = In("T ...")
    result_indices = Out("i64 n r")
    result_values = Out("T n")
    result_shape = Out("i64 r")
    set_operation = Attr(str)
    validate_indices = Attr(True)
    T = MEMBERS

    def expand(self) -> tuple[Any, ...]:
        return self.combined(self.set1, self.set2)


class DenseToSparseSetOperation(SetOperation):
    """Of the rows of a tensor and of a sparse one."""

    set1 = In("T ...")
    set2_indices = In("i64 n r")
    set2_values = In("T n")
    set2_shape = In("i64 r")
    result_indices = Out("i64 m r")
    result_values = Out("T m")
    result_shape = Out("i64 r")
    set_operation = Attr(str)
    validate_indices = Attr(True)
    T = MEMBERS

    def expand(self) -> tuple[Any, ...]:
        other = SparseTensor.of_parts(self.set2_indices, self.set2_values, self.set2_shape)
        return self.combined(self.set1, other)


class SparseToSparseSetOperation(SetOperation):
    """Of the rows of two sparse tensors."""

    set1_indices = In("i64 n r")
    set1_values = In("T n")
    set1_shape = In("i64 r")
    set2_indices = In("i64 m r")
    set2_values = In("T m")
    set2_shape = In("i64 r")
    result_indices = Out("i64 k r")
    result_values = Out("T k")
    result_shape = Out("i64 r")
    set_operation = Attr(str)
    validate_indices = Attr(True)
    T = MEMBERS

    def expand(self) -> tuple[Any, ...]:
        one = SparseTensor.of_parts(self.set1_indices, self.set1_values, self.set1_shape)
        other = SparseTensor.of_parts(self.set2_indices, self.set2_values, self.set2_shape)
        return self.combined(one, other)


class SetSize(Rephrased):
    """How many different values each row has."""

    set_indices = In("i64 n r")
    set_values = In("T n")
    set_shape = In("i64 r")
    size = Out("i32 ...")
    validate_indices = Attr(True)
    T = MEMBERS
    differentiable = False

    def expand(self) -> Any:
        return sets.size(SparseTensor.of_parts(self.set_indices, self.set_values, self.set_shape))


# ---------------------------------------------------------------- counts

UNLIKE_WEIGHTS = "{}: Weights and values must have the same shape: {} and {}"
NO_ROWS = "{}: Must provide at least 2 elements for the splits argument, got {}"


class CountSparseOutput(Rephrased, abstract=True):
    """How often each integer occurs, of those that do; empty `weights`: each counts 1."""

    weights: Any
    minlength: Any
    maxlength: Any
    binary_output: Any
    differentiable = False

    def demands_of(self, sizes: Any, values: Any) -> None:
        """As many weights as values, in their shape; or none."""
        given, wanted = sizes.shape(self.weights), sizes.shape(values)
        none = [sizes.equal(one, 0) for one in given]
        fits = reduce(or_, none, sizes.are_same(given, wanted))
        sizes.require(fits, InvalidArgumentError, UNLIKE_WEIGHTS, self.name, given, wanted)

    def known_rank(self, shape: Any) -> int | None:
        """1 or 2; None: a run tells."""
        if shape.rank not in (None, 1, 2):
            raise ShapeMismatchError(
                f"{self.name}: Input must be a 1 or 2-dimensional tensor. Got: {shape}"
            )
        return shape.rank

    def counted(self, values: Any, flat: Any, around: Any, by_row: bool) -> tuple[Any, ...]:
        """The counts of values; `around` builds weights, of which there are as many as of the
        `flat` ones, as the values are.
        """
        weights = None if self.binary_output else around(amounts_of(self.weights, flat))
        least, most = (None if one < 0 else one for one in (self.minlength, self.maxlength))
        found = bincount(values, weights, -1 if by_row else 0, least, most, self.binary_output)
        indices, amounts, shape = parts_of(found)
        return indices, cast(amounts, self.weights.dtype), shape


class DenseCountSparseOutput(CountSparseOutput):
    """In a vector, or in each row of a matrix."""

    values = In("T ...")
    weights = In("output_type ...")
    output_indices = Out("i64 ...")
    output_values = Out("output_type n")
    output_dense_shape = Out("i64 ...")
    minlength = Attr(-1)
    maxlength = Attr(-1)
    binary_output = Attr()
    T = INDEX
    output_type = types("i32 i64 f32 f64")

    def demands(self, sizes: Any) -> None:
        self.demands_of(sizes, self.values)

    def expand(self) -> tuple[Any, ...]:
        values = self.values
        if self.known_rank(values.shape) is None:
            return self.of_any_rank()
        return self.counted(
            values, values, lambda flat: reshape(flat, shape_of(values)), values.shape.rank == 2
        )

    def of_any_rank(self) -> tuple[Any, ...]:
        """A vector is the one row of a matrix, of which the result says nothing."""
        assert_rank_in(self.values, [1, 2])
        missing = reshape(2 - rank(self.values), [1])
        sizes = concat([ones(missing, dtypes.int32), shape_of(self.values)], 0)
        matrix = ensure_shape(reshape(self.values, sizes), [None, None])
        found, amounts, whole = self.counted(
            matrix, matrix, lambda flat: reshape(flat, sizes), by_row=True
        )
        return found[:, missing[0] :], amounts, whole[missing[0] :]


class SparseCountSparseOutput(CountSparseOutput):
    """In a sparse vector, or in each row of a sparse matrix."""

    indices = In("i64 n r")
    values = In("T n")
    dense_shape = In("i64 r")
    weights = In("output_type ...")
    output_indices = Out("i64 ...")
    output_values = Out("output_type m")
    output_dense_shape = Out("i64 ...")
    minlength = Attr(-1)
    maxlength = Attr(-1)
    binary_output = Attr()
    T = INDEX
    output_type = types("i32 i64 f32 f64")

    def demands(self, sizes: Any) -> None:
        self.demands_of(sizes, self.values)

    def expand(self) -> tuple[Any, ...]:
        sparse = SparseTensor.of_parts(self.indices, self.values, self.dense_shape)
        if self.known_rank(sparse.shape) is None:
            return self.of_any_rank()
        is_matrix = sparse.shape.rank == 2
        return self.counted(sparse, self.values, sparse.with_values, is_matrix)

    def of_any_rank(self) -> tuple[Any, ...]:
        """As that of tensors."""
        assert_positive(shape_of(self.dense_shape))
        assert_equal(shape_of(self.indices)[1:], shape_of(self.dense_shape))
        missing = reshape(2 - shape_of(self.dense_shape)[0], [1])
        before = zeros(concat([shape_of(self.indices)[:1], missing], 0), dtypes.int64)
        places = ensure_shape(concat([before, self.indices], 1), [None, 2])
        sizes = ensure_shape(concat([ones(missing, dtypes.int64), self.dense_shape], 0), [2])
        matrix = SparseTensor.of_parts(places, self.values, sizes)
        found, amounts, whole = self.counted(matrix, self.values, matrix.with_values, True)
        return found[:, missing[0] :], amounts, whole[missing[0] :]


class RaggedCountSparseOutput(CountSparseOutput):
    """In each row, given the splits of the rows."""

    splits = In("i64 n")
    values = In("T m")
    weights = In("output_type ...")
    output_indices = Out("i64 k two")
    output_values = Out("output_type k")
    output_dense_shape = Out("i64 two")
    minlength = Attr(-1)
    maxlength = Attr(-1)
    binary_output = Attr()
    T = INDEX
    output_type = types("i32 i64 f32 f64")

    def demands(self, sizes: Any) -> None:
        (bounds,) = sizes.shape(self.splits, 1)
        sizes.require(bounds > 1, InvalidArgumentError, NO_ROWS, self.name, bounds)
        self.demands_of(sizes, self.values)

    def expand(self) -> tuple[Any, ...]:
        ragged = RaggedTensor.from_row_splits(self.values, self.splits, validate=False)
        return self.counted(ragged, self.values, ragged.with_values, True)
