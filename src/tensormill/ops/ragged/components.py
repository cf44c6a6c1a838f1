"""Operations on the components of ragged tensors, as TensorFlow's files have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import (
    InvalidArgumentError,
    KernelMissingError,
    ShapeMismatchError,
    UnimplementedError,
)
from ..array.fill import ones_like, zeros_like
from ..array.gather import gather as rows_at
from ..array.select import where
from ..array.shapes import reshape
from ..array.shapes import size as size_of
from ..bind import api, bind
from ..demands import refuse
from ..families import Rephrased
from ..math.reduce import reduce_sum
from ..math.segments import unsorted_segment_sum
from ..op import ANY, INDEX, NUMBERS, Attr, In, Op, Out, types, usually
from .conversion import to_tensor
from .gather import gather
from .ragged_tensor import RaggedTensor
from .row_partition import ragged_range


class RaggedTensorToTensor(Rephrased):
    """Rows filled up with a default, to a shape: -1 stands for as much as there is.

    The partitions of the axes are told outermost first, each as its type says: "ROW_SPLITS", or
    "FIRST_DIM_SIZE" followed by "VALUE_ROWIDS" for each.
    """

    shape = In("Tshape ...")
    values = In("T ...")
    default_value = In("T ...")
    row_partition_tensors = In("num_row_partition_tensors * Tindex ...")
    result = Out("T ...")
    row_partition_types = Attr()
    T = ANY
    Tshape = INDEX
    Tindex = INDEX

    def expand(self) -> Any:
        ragged = of_partitions(self.values, self.row_partition_types, self.row_partition_tensors)
        if self.shape.shape.rank == 0:
            return to_tensor(ragged, self.default_value, None)
        return to_tensor(ragged, self.default_value, self.shape)


PARTITIONS = ("FIRST_DIM_SIZE", "ROW_SPLITS", "VALUE_ROWIDS")


def of_partitions(values: Any, kinds: Sequence[Any], tensors: Sequence[Any]) -> RaggedTensor:
    """A ragged tensor, given its values and how each axis is divided, outermost first.

    Raises:
        UnimplementedError: an axis is divided in a way that TensorFlow cannot read, either.
        InvalidArgumentError: there is nothing that is divided, or nobody knows how.
    """
    named = [kind.decode() if isinstance(kind, bytes) else kind for kind in kinds]
    if len(named) != len(tensors):
        raise InvalidArgumentError(
            f"RaggedTensorToTensor: {len(tensors)} row partitions are told the types {named}"
        )
    unknown = [kind for kind in named if kind not in PARTITIONS]
    if unknown:
        raise InvalidArgumentError(
            f"RaggedTensorToTensor: unknown types of row partitions: {', '.join(unknown)}"
        )
    pairs = list(zip(named, tensors, strict=True))
    rows = pairs.pop(0)[1] if pairs and pairs[0][0] == "FIRST_DIM_SIZE" else None
    if not pairs:
        raise InvalidArgumentError("RaggedTensorToTensor: there are no row partitions")
    for kind, tensor in pairs:
        if tensor.shape.rank not in (1, None):
            raise ShapeMismatchError(
                f"RaggedTensorToTensor: {kind} are a vector, not of shape {tensor.shape}"
            )
    for place, (kind, tensor) in reversed(list(enumerate(pairs))):
        if kind == "ROW_SPLITS":
            values = RaggedTensor.from_row_splits(values, tensor, validate=False)
        elif kind == "VALUE_ROWIDS":
            count = rows if place == 0 else _rows_of(pairs[place - 1])
            values = RaggedTensor.from_value_rowids(values, tensor, count, validate=False)
        else:
            raise UnimplementedError(f"RaggedTensorToTensor: cannot handle the partition {kind}")
    return values


def _rows_of(outer: tuple[str, Any]) -> Any:
    """How many rows an axis has: as many as the axis around it has values."""
    kind, tensor = outer
    return tensor[-1] if kind == "ROW_SPLITS" else size_of(tensor, tensor.dtype)


class RaggedRange(Rephrased):
    """Rows of numbers from `starts` up to `limits` by `deltas`, as splits and values."""

    starts = In("T ...")
    limits = In("T ...")
    deltas = In("T ...")
    rt_nested_splits = Out("Tsplits n")
    rt_dense_values = Out("T m")
    Tsplits = Attr(dtypes.int64, INDEX)
    T = types("bf16 f32 f64 i32 i64")
    usual = usually(T="i32")
    differentiable = False

    def expand(self) -> tuple[Any, Any]:
        found = ragged_range(self.starts, self.limits, self.deltas, row_splits_dtype=self.Tsplits)
        return found.row_splits, found.values


class RaggedGather(Op):
    """Rows of a ragged tensor, as the splits of all axes and values."""

    params_nested_splits = In("PARAMS_RAGGED_RANK * Tsplits ...")
    params_dense_values = In("Tvalues ...")
    indices = In("Tindices ...")
    output_nested_splits = Out("OUTPUT_RAGGED_RANK * Tsplits ...")
    output_dense_values = Out("Tvalues ...")
    OUTPUT_RAGGED_RANK = Attr(int)
    Tvalues = ANY
    Tindices = INDEX
    Tsplits = INDEX
    usual = usually(Tsplits="i64")

    def demands(self, sizes: Any) -> None:
        rows = sizes.shape(self.params_dense_values)[:1]
        for splits in reversed(self.params_nested_splits):
            (count,) = rows or (0,)
            shape = sizes.shape(splits)
            if len(shape) != 1:
                refuse(ShapeMismatchError, NO_VECTOR, shape)
            sizes.require(shape[0] > 0, InvalidArgumentError, NO_SPLITS)
            sizes.each_pair(splits, lambda one, after: one <= after, InvalidArgumentError, FALLING)
            sizes.each(splits, lambda it, count=count: (it >= 0) & (it <= count),
                       InvalidArgumentError, BEYOND, count)  # fmt: skip
            rows = (shape[0] - 1,)

    def infer(self) -> tuple[TensorSpec, ...]:
        splits = TensorSpec((None,), self.params_nested_splits[0].dtype)
        values = self.params_dense_values
        sizes = None if values.shape.entries is None else (None, *values.shape.entries[1:])
        return *[splits] * self.OUTPUT_RAGGED_RANK, TensorSpec(sizes, values.dtype)

    def expand(self) -> tuple[Any, ...]:
        splits, values = self.params_nested_splits, self.params_dense_values
        params = RaggedTensor.from_nested_row_splits(values, splits, validate=False)
        found = gather(params, self.indices)
        return *found.nested_row_splits, found.flat_values


NO_VECTOR = "RaggedGather: splits are vectors, got shape {}"
NO_SPLITS = "RaggedGather: splits may not be empty"
FALLING = "RaggedGather: splits must be sorted"
BEYOND = "RaggedGather: splits{at} = {it} points beyond the {} rows that there are"


class RaggedTensorToSparse(Rephrased):
    """Indices, values and shape of the sparse tensor that has the same elements."""

    rt_nested_splits = In("RAGGED_RANK * Tsplits ...")
    rt_dense_values = In("T ...")
    sparse_indices = Out("i64 n r")
    sparse_values = Out("T n")
    sparse_dense_shape = Out("i64 r")
    T = ANY
    Tsplits = INDEX

    def expand(self) -> tuple[Any, ...]:
        splits, values = self.rt_nested_splits, self.rt_dense_values
        if not all(one.shape.is_compatible_with([None]) for one in splits):
            shapes = ", ".join(str(one.shape) for one in splits)
            raise ShapeMismatchError(f"RaggedTensorToSparse: splits are vectors, not {shapes}")
        sparse = RaggedTensor.from_nested_row_splits(values, splits).to_sparse()
        return sparse.indices, sparse.values, sparse.dense_shape


class RaggedFillEmptyRows(Rephrased):
    """With a default in each row that is empty; which these are, and where each value is now.

    value_rowids: int64 [n], values: [n], nrows: an int64 scalar, default_value: a scalar of the
    dtype of `values`. The results are rows and values [m], m being n and the empty rows, a bool for
    each row, and int64 [n].

    >>> rows, values, is_empty, _ = tf.ragged_fill_empty_rows([0, 2], [5, 6], 3, -1)
    >>> rows.numpy(), values.numpy(), is_empty.numpy()
    (array([0, 1, 2]), array([ 5, -1,  6], dtype=int32), array([False,  True, False]))

    Raises:
        InvalidArgumentError: a row is not one of `nrows`, or the lengths differ.
        DTypeMismatchError: the rows are not int64, or the default is not of the dtype of `values`.
    """

    value_rowids = In("i64 n")
    values = In("T n")
    nrows = In("i64")
    default_value = In("T")
    output_value_rowids = Out("i64 m")
    output_values = Out("T m")
    empty_row_indicator = Out("bool rows")
    reverse_index_map = Out("i64 n")
    T = ANY

    def expand(self) -> tuple[Any, ...]:
        from ..sparse.layout import SparseFillEmptyRows

        indices, sizes = self.value_rowids[:, None], reshape(self.nrows, [1])
        indices, *rest = bind(SparseFillEmptyRows, indices, self.values, sizes, self.default_value)
        return indices[:, 0], *rest


class FillEmptyRowsGrad(Rephrased, abstract=True):
    """The gradient of filling empty rows: of the values, and of the default."""

    reverse_index_map = In("i64 n")
    grad_values = In("T m")
    d_values = Out("T n")
    d_default_value = Out("T")
    T = NUMBERS
    refusal = KernelMissingError
    differentiable = False

    def expand(self) -> tuple[Any, Any]:
        places, gradient = self.reverse_index_map, self.grad_values
        found = rows_at(gradient, places)
        taken = unsorted_segment_sum(ones_like(places), places, size_of(gradient)) > 0
        return found, reduce_sum(where(taken, zeros_like(gradient), gradient))


class RaggedFillEmptyRowsGrad(FillEmptyRowsGrad):
    """The gradient of RaggedFillEmptyRows: of the values, and of the default.

    reverse_index_map: int64 [n], grad_values: [m]. The results are [n] and a scalar, of the dtype
    of `grad_values`.

    >>> of_values, of_default = tf.ragged_fill_empty_rows_grad([0, 2], [1.0, 2.0, 3.0])
    >>> of_values.numpy(), of_default.numpy()
    (array([1., 3.], dtype=float32), np.float32(2.0))

    Raises:
        InvalidArgumentError: an index is out of range, or operands are no vectors.
        DTypeMismatchError: the indices are not int64.
    """


class SparseFillEmptyRowsGrad(FillEmptyRowsGrad):
    """That of SparseFillEmptyRows."""


ragged_fill_empty_rows = api(RaggedFillEmptyRows)
ragged_fill_empty_rows_grad = api(RaggedFillEmptyRowsGrad)
