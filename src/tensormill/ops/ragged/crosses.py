"""`tf.ragged.cross`: in each row, all combinations of one value from each input."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import INDEX, Attr, In, Op, Out, types
from ..sparse.crosses import (
    BETWEEN,
    DEFAULT_KEY,
    Column,
    crossed,
    matrix_column,
    require_hash,
    sparse_column,
    text_or_integers,
)
from ..sparse.sparse_tensor import SparseTensor
from .ragged_tensor import RaggedTensor

Array = numpy_module.ndarray[Any, Any]


class RaggedCross(Op):
    """All combinations of values of ragged, sparse and dense matrices, in each row.

    `input_order` has a letter for each of them: R, S or D.
    """

    ragged_values = In("[ragged_values_types]")
    ragged_row_splits = In("[ragged_splits_types]")
    sparse_indices = In("Nsparse * i64 ...")
    sparse_values = In("[sparse_values_types]")
    sparse_shape = In("Nsparse * i64 ...")
    dense_inputs = In("[dense_types]")
    output_values = Out("out_values_type n")
    output_row_splits = Out("out_row_splits_type rows")
    input_order = Attr(str)
    hashed_output = Attr()
    num_buckets = Attr(int)
    hash_key = Attr(int)
    out_values_type = Attr(allowed=types("i64 str"))
    out_row_splits_type = Attr(allowed=INDEX)
    differentiable = False

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        sizes = [splits.shape.entries for splits in self.ragged_row_splits]
        sizes += [_plus_one(dense.shape.entries) for dense in self.dense_inputs]
        known = [dims[0] for dims in sizes if dims and dims[0] is not None]
        count = known[0] if known else None
        return (
            TensorSpec((None,), self.out_values_type),
            TensorSpec((count,), self.out_row_splits_type),
        )

    def eager(self, np: Any) -> Any:
        found = crossed([*self._columns()], self.name)
        if self.hashed_output:
            require_hash(self.num_buckets, self.hash_key, self.name)
            values = found.hashed(self.hash_key, self.num_buckets)
        else:
            values = found.joined(BETWEEN)
        splits = np.concatenate([[0], found.counts.cumsum()])
        return values, splits.astype(self.out_row_splits_type.storage)

    def _columns(self) -> Iterator[Column]:
        """The inputs in their order."""
        ragged = zip(self.ragged_row_splits, self.ragged_values, strict=True)
        sparse = zip(self.sparse_indices, self.sparse_values, self.sparse_shape, strict=True)
        dense = iter(self.dense_inputs)
        for number, letter in enumerate(self.input_order):
            at = f"{self.name}: input {number}"
            if letter == "R":
                yield ragged_column(*next(ragged), at)
            elif letter == "S":
                yield sparse_column(*next(sparse), at)
            else:
                yield matrix_column(next(dense), at)


def _plus_one(dims: Any) -> Any:
    return [None if size is None else size + 1 for size in dims] if dims else None


def ragged_column(splits: Array, values: Array, at: str) -> Column:
    """A ragged tensor's values."""
    if splits.ndim != 1 or not splits.size or values.ndim != 1:
        raise InvalidArgumentError(
            f"{at}: a ragged input has row splits and values of rank 1, not of shapes "
            f"{list(splits.shape)} and {list(values.shape)}"
        )
    counts = numpy_module.diff(splits).astype(numpy_module.int64)
    if splits[0] != 0 or splits[-1] != len(values) or (counts < 0).any():
        raise InvalidArgumentError(
            f"{at}: the row splits do not divide {len(values)} values: they must ascend from 0"
        )
    return Column(splits[:-1].astype(numpy_module.int64), counts, values)


@dispatchable
def cross(inputs: Any, name: str | None = None) -> RaggedTensor:
    """In each row all combinations of one value from each input, as texts with "_X_" between.

    inputs: a list of ragged tensors, sparse tensors and tensors, matrices with as many rows, of
    strings or integers.

    >>> colors = tf.ragged.constant([["red", "blue"], ["green"]])
    >>> tf.ragged.cross([colors, [[1], [2]]]).to_list()
    [[b'red_X_1', b'blue_X_1'], [b'green_X_2']]

    Raises:
        TypeError: `inputs` is no list.
        ShapeMismatchError: (a ValueError) an input is no matrix.
        ValueError: an input is of another dtype.
        InvalidArgumentError: inputs have other numbers of rows.
    """
    return _crossed(inputs, name, dtypes.string, False)


@dispatchable
def cross_hashed(
    inputs: Any, num_buckets: int = 0, hash_key: int | None = None, name: str | None = None
) -> RaggedTensor:
    """In each row all combinations of one value from each input, as numbers, int64.

    inputs: as of `cross`. num_buckets: the numbers are below it; 0 for all that are not negative.
    hash_key: another one gives other numbers.

    >>> colors = tf.ragged.constant([["red", "blue"], ["green"]])
    >>> tf.ragged.cross_hashed([colors, [[1], [2]]], num_buckets=100).to_list()
    [[4, 73], [77]]

    Raises:
        TypeError: `inputs` is no list.
        ShapeMismatchError: (a ValueError) an input is no matrix.
        ValueError: an input is of another dtype.
        InvalidArgumentError: inputs have other numbers of rows; num_buckets is negative.
    """
    return _crossed(
        inputs, name, dtypes.int64, True, num_buckets, DEFAULT_KEY if hash_key is None else hash_key
    )


def _crossed(
    inputs: Any, name: str | None, dtype: dtypes.DType, hashed: bool, buckets: int = 0, key: int = 0
) -> RaggedTensor:
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"the inputs must be a list, not {type(inputs).__name__}")
    require_hash(buckets, key, "cross_hashed")
    parts = [_matrix(one, number) for number, one in enumerate(inputs)]
    ragged = [one for one in parts if isinstance(one, RaggedTensor)]
    sparse = [one for one in parts if isinstance(one, SparseTensor)]
    dense = [one for one in parts if not isinstance(one, (RaggedTensor, SparseTensor))]
    short = ragged and all(one.row_splits.dtype is dtypes.int32 for one in ragged)
    values, splits = bind(
        RaggedCross,
        [text_or_integers(one.values) for one in ragged], [one.row_splits for one in ragged],
        [one.indices for one in sparse], [text_or_integers(one.values) for one in sparse],
        [one.dense_shape for one in sparse], [text_or_integers(one) for one in dense],
        input_order="".join(map(_letter, parts)), hashed_output=hashed, num_buckets=buckets,
        hash_key=key, out_values_type=dtype,
        out_row_splits_type=dtypes.int32 if short else dtypes.int64, name=name,
    )  # fmt: skip
    return RaggedTensor(values, splits)


def _matrix(value: Any, number: int) -> Any:
    """An input as a matrix of strings or integers."""
    is_composite = isinstance(value, (RaggedTensor, SparseTensor))
    found = value if is_composite else as_tensor(value)
    if not (found.dtype.is_integer or found.dtype is dtypes.string):
        raise ValueError(
            f"Unexpected dtype for inputs[{number}]: {found.dtype}: only strings and integers are "
            "crossed"
        )
    if found.shape.rank not in (None, 2):
        raise ShapeMismatchError(
            f"tf.ragged.cross takes matrices (rank=2): inputs[{number}] has shape {found.shape}"
        )
    return found


def _letter(value: Any) -> str:
    return {RaggedTensor: "R", SparseTensor: "S"}.get(type(value), "D")
