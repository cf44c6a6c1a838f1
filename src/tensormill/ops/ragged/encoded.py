"""Ragged tensors as one value each, or one for each row: what functions over rows hand on.

Such a value is an object that compiled code hands on; what is in it is told where it is taken out.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, of_storage
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import UNKNOWN
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..array.gather import gather
from ..array.shapes import shape_of
from ..bind import bind
from ..demands import refuse
from ..op import ANY, INDEX, Attr, In, Op, Out, usually

Array = np.ndarray[Any, Any]


class Ragged(NamedTuple):
    """The splits of all axes, the outermost first, and the values."""

    splits: tuple[Array, ...]
    values: Array


class RaggedVariants:
    """One ragged tensor, or a vector of them: `is_vector`."""

    __slots__ = ("dtype", "is_vector", "items")

    def __init__(self, items: list[Ragged], is_vector: bool, dtype: DType) -> None:
        self.items: Final = items
        self.is_vector: Final = is_vector
        self.dtype: Final = dtype

    @property
    def spec(self) -> ObjectSpec:
        return encoded_spec(self.is_vector, self.dtype)


def encoded_spec(is_vector: bool, dtype: DType) -> ObjectSpec:
    """`elements` say how many axes the encoded values have, and the dtype in them."""
    element = TensorSpec((None,) * is_vector, dtype)
    return ObjectSpec("ragged tensors", (element,), is_value=True)


def axes_of(encoded: Any) -> int:
    """How many axes an encoded tensor has: 0 or 1."""
    spec = encoded._known.spec if encoded.symbolic else encoded._array.spec
    return spec.elements[0].shape.rank


class RaggedTensorToVariant(Op):
    """A ragged tensor as one value, or as one for each row.

    Raises:
        InvalidArgumentError: splits are none, or have no row to be one each.
    """

    rt_nested_splits = In("RAGGED_RANK * Tsplits ...")
    rt_dense_values = In("Tvalues ...")
    encoded_ragged = Out("variant")
    batched_input = Attr(bool)
    Tvalues = ANY
    Tsplits = INDEX
    usual = usually(Tsplits="i64")

    def infer(self) -> ObjectSpec:
        return encoded_spec(self.batched_input, self.rt_dense_values.dtype)

    def eager(self, np: Any) -> RaggedVariants:
        splits, values = self.rt_nested_splits, self.rt_dense_values
        require_splits(splits, values)
        # Arrays may lie in memory that a compiled program takes back.
        whole = Ragged(tuple([one.copy() for one in splits]), values.copy())
        if self.batched_input and not values.ndim:
            refuse(InvalidArgumentError, "Can't unbatch rank-0 tensor.")
        items = rows_of(whole) if self.batched_input else [whole]
        return RaggedVariants(items, self.batched_input, of_storage(values.dtype))

    def vjp(self, dencoded: Any) -> Any:
        splits, values = self.rt_nested_splits, self.rt_dense_values
        rows = splits[0] if splits and self.batched_input else np.zeros(1, np.int64)
        for inner in splits[1:] if splits and self.batched_input else ():
            rows = gather(inner, rows)
        op = RaggedTensorToVariantGradient
        dvalues = bind(op, dencoded, rows, shape_of(values), Tvalues=values.dtype)
        return None, dvalues


def require_splits(splits: tuple[Array, ...], values: Array) -> None:
    """Splits divide what is below them.

    Raises:
        InvalidArgumentError: they do not.
    """
    if splits and not values.ndim:
        refuse(InvalidArgumentError, NO_VALUES)
    below = [*[len(one) - 1 if one.ndim else -1 for one in splits[1:]], *values.shape[:1]]
    for one, count in zip(splits, below, strict=bool(splits)):
        if one.ndim != 1:
            refuse(InvalidArgumentError, NO_VECTOR, one.ndim)
        if not len(one):
            refuse(InvalidArgumentError, NO_SPLITS)
        if one[0]:
            refuse(InvalidArgumentError, NO_START, one[0])
        if (one[1:] < one[:-1]).any():
            refuse(InvalidArgumentError, FALLING)
        if one[-1] != count:
            refuse(InvalidArgumentError, OTHER_END, count, one[-1])


WRONG = "Invalid ragged splits: "
NO_VALUES = "Requires flat_values to have rank>=1 when nested_row_splits is not empty, but is 0."
NO_VECTOR = WRONG + "ragged splits must be rank 1 but is rank {}"
NO_SPLITS = WRONG + "ragged splits must have at least one splits, but is empty"
NO_START = WRONG + "first element of ragged splits must be 0 but is {}"
FALLING = WRONG + "ragged splits must be monotonically increasing"
OTHER_END = (
    WRONG + "last element of ragged splits must be the number of ragged values({}) but is {}"
)


def rows_of(whole: Ragged) -> list[Ragged]:
    """Each row as a ragged tensor of one axis less."""
    if not whole.splits:
        return [Ragged((), row) for row in whole.values]
    return [_part(whole, *pair) for pair in itertools.pairwise(whole.splits[0].tolist())]


def _part(whole: Ragged, first: int, last: int) -> Ragged:
    """What is below the first axis, from one place to another."""
    parts: list[Array] = []
    for splits in whole.splits[1:]:
        parts.append(splits[first : last + 1] - splits[first])
        first, last = int(splits[first]), int(splits[last])
    return Ragged(tuple(parts), whole.values[first:last])


class RaggedTensorFromVariant(Op):
    """The ragged tensor that is encoded so.

    Raises:
        InvalidArgumentError: it has another number of ragged axes, or values or splits of another
            dtype.
    """

    encoded_ragged = In("variant")
    output_nested_splits = Out("output_ragged_rank * Tsplits ...")
    output_dense_values = Out("Tvalues ...")
    input_ragged_rank = Attr(int)
    output_ragged_rank = Attr(int)
    Tvalues = Attr()
    Tsplits = Attr(dtypes.int64, INDEX)

    def infer(self) -> tuple[TensorSpec, ...]:
        splits = [TensorSpec((None,), self.Tsplits)] * self.output_ragged_rank
        return *splits, TensorSpec(UNKNOWN, self.Tvalues)

    def eager(self, np: Any) -> tuple[Any, ...]:
        found = _encoded(self, self.encoded_ragged)
        self._require(found)
        if not found.is_vector:
            splits, values = found.items[0]
        else:
            splits, values = _joined(found, self.output_ragged_rank - 1)
        kind = self.Tsplits.storage
        return *[one.astype(kind) for one in splits], values.copy()

    def _require(self, found: RaggedVariants) -> None:
        inner = self.output_ragged_rank - found.is_vector
        if self.input_ragged_rank not in (-1, inner):
            refuse(InvalidArgumentError, OTHER_SUM, self.output_ragged_rank,
                   self.input_ragged_rank, int(found.is_vector))  # fmt: skip
        for one in found.items:
            if len(one.splits) != inner:
                refuse(InvalidArgumentError, OTHER_RANK, len(one.splits), inner)
            for splits in one.splits:
                if (kind := of_storage(splits.dtype)) is not self.Tsplits:
                    refuse(InvalidArgumentError, OTHER_SPLITS, self.Tsplits.name, kind.name)
        if found.dtype is not self.Tvalues:
            refuse(InvalidArgumentError, OTHER_DTYPE, self.Tvalues.name, found.dtype.name)

    def vjp(self, *d: Any) -> Any:
        splits = tuple(self.output_nested_splits)
        return bind(
            RaggedTensorToVariant, splits, d[-1], batched_input=bool(axes_of(self.encoded_ragged))
        )


OTHER_SUM = (
    "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.dims(); "
    "output_ragged_rank: {}, input_ragged_rank: {}, encoded_ragged.dims(): {}"
)
OTHER_RANK = "Encoded input RaggedTensorVariant has ragged_rank={}.  Expected ragged_rank={}."
OTHER_SPLITS = "Expected row_splits Tensor dtype: {}, found: {}"
OTHER_DTYPE = "Expected values Tensor dtype: {}, found: {}"
NO_RAGGED = "{}: this is no encoded ragged tensor: {!r:.100}"


def _encoded(application: Any, value: Any) -> RaggedVariants:
    if not isinstance(value, RaggedVariants):
        refuse(InvalidArgumentError, NO_RAGGED, application.name, value)
    return value


def _joined(found: RaggedVariants, inner: int) -> Ragged:
    """All items as the rows of one."""
    if not found.items:
        nothing = np.zeros(0, found.dtype.storage)
        return Ragged((np.zeros(1, np.int64),) * (inner + 1), nothing)
    return joined_rows(found.items, inner)


def joined_rows(items: Sequence[Ragged], inner: int) -> Ragged:
    """Ragged tensors of `inner` ragged axes, at least one of them, as the rows of one."""
    counts = [len(one.splits[0]) - 1 if inner else len(one.values) for one in items]
    splits = [np.concatenate([[0], np.cumsum(counts)])]
    for axis in range(inner):
        several = [one.splits[axis] for one in items]
        starts = np.cumsum([0, *[one[-1] for one in several]])
        moved = [one[1:] + start for one, start in zip(several, starts, strict=False)]
        splits.append(np.concatenate([[0], *moved]))
    return Ragged(tuple(splits), np.concatenate([one.values for one in items]))


class RaggedTensorToVariantGradient(Op):
    """The gradient of values by that of what they are encoded as, one below another."""

    encoded_ragged_grad = In("variant")
    row_splits = In("Tsplits ...")
    dense_values_shape = In("i32 n")
    dense_values_grad = Out("Tvalues ...")
    Tvalues = Attr()
    Tsplits = INDEX
    usual = usually(Tsplits="i64")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(self.dense_values_shape.as_shape(), self.Tvalues)

    def eager(self, np: Any) -> Any:
        found = _encoded(self, self.encoded_ragged_grad)
        if self.row_splits.ndim != 1 or not len(self.row_splits):
            refuse(InvalidArgumentError, NO_SPLITS)
        if found.dtype is not self.Tvalues:
            refuse(InvalidArgumentError, OTHER_DTYPE, self.Tvalues.name, found.dtype.name)
        shape, items = tuple(self.dense_values_shape.tolist()), found.items
        parts = [one.values.reshape(-1) for one in items] or [np.zeros(0, self.Tvalues.storage)]
        whole = np.concatenate(parts)
        if len(whole) != np.prod(shape):
            refuse(InvalidArgumentError, OTHER_COUNT, len(whole), list(shape))
        return whole.reshape(shape)


OTHER_COUNT = "RaggedTensorToVariantGradient: {} values do not fill the shape {}"
