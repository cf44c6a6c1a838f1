"""Ragged and sparse tensors as tensors of strings, which can be stacked whatever their sizes."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import of_storage
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ...ops.bind import bind
from ...ops.demands import refuse
from ...ops.op import ANY, INDEX, Attr, In, Op, Out, usually
from ...ops.origins import Origin
from ...ops.ragged.encoded import Ragged, joined_rows, require_splits, rows_of
from ...ops.ragged.ragged_tensor import RaggedTensorSpec
from .sparse_tensors import DeserializeSparse, SerializeManySparse, SerializeSparse, in_bytes
from .tensors import parsed

Array = numpy_module.ndarray[Any, Any]


class SerializeRagged(Op):
    """A ragged tensor as strings: its values, and the splits of each axis; or each of its rows so.

    Raises:
        InvalidArgumentError: splits are none, or have no row to be one each.
    """

    splits = In("RAGGED_RANK * Tsplits ...")
    values = In("Tvalues ...")
    serialized = Out("str ...")
    batched_input = Attr(bool)
    Tvalues = ANY
    Tsplits = INDEX
    usual = usually(Tsplits="i64")
    differentiable = False
    origin = Origin.GRAPHS

    def infer(self) -> TensorSpec:
        rank = len(self.splits)
        shape = (None, max(rank, 1)) if self.batched_input else (rank + 1,)
        return TensorSpec(shape, dtypes.string)

    def eager(self, np: Any) -> Any:
        require_splits(self.splits, self.values)
        whole = Ragged(self.splits, self.values)
        if not self.batched_input:
            return _strings(whole)
        if not self.values.ndim:
            refuse(InvalidArgumentError, NO_ROWS)
        rows = rows_of(whole)
        made = np.empty((len(rows), max(len(self.splits), 1)), object)
        for place, one in enumerate(rows):
            made[place] = _strings(one)
        return made


NO_ROWS = "a scalar has no rows that could be serialized one by one"


def _strings(ragged: Ragged) -> Array:
    parts = (ragged.values, *ragged.splits)
    made = numpy_module.empty(len(parts), object)
    made[:] = [in_bytes(numpy_module.ascontiguousarray(one)) for one in parts]
    return made


class DeserializeRagged(Op):
    """The ragged tensor in a vector of strings, or the one whose rows are those in a matrix.

    Raises:
        InvalidArgumentError: they are of another number of axes, or values are of another dtype.
    """

    serialized = In("str ...")
    splits = Out("ragged_rank * Tsplits ...")
    values = Out("dtype ...")
    ragged_rank = Attr(int)
    shape = Attr()
    dtype = Attr()
    Tsplits = Attr(dtypes.int64, INDEX)
    differentiable = False
    origin = Origin.GRAPHS

    def infer(self) -> tuple[TensorSpec, ...]:
        splits = [TensorSpec((None,), self.Tsplits)] * self.ragged_rank
        return *splits, TensorSpec(self.shape, self.dtype)

    def eager(self, np: Any) -> tuple[Any, ...]:
        strings, rank = self.serialized, self.ragged_rank
        if strings.ndim not in (1, 2) or strings.shape[-1] != rank + 2 - strings.ndim:
            refuse(InvalidArgumentError, OTHER_STRINGS, rank, list(strings.shape))
        if strings.ndim == 1:
            whole = self._read(strings)
        elif len(strings):
            whole = joined_rows([self._read(row) for row in strings], rank - 1)
        else:
            inner = [size or 0 for size in (self.shape.entries or (0,))]
            nothing = np.zeros((0, *inner[1:]), self.dtype.storage)
            whole = Ragged((np.zeros(1, np.int64),) * rank, nothing)
        require_splits(whole.splits, whole.values)
        kind = self.Tsplits.storage
        return *[one.astype(kind) for one in whole.splits], whole.values

    def _read(self, strings: Sequence[bytes]) -> Ragged:
        values, *splits = map(parsed, strings)
        found, wanted = of_storage(values.dtype), self.dtype
        if found is not wanted:
            refuse(InvalidArgumentError, OTHER_DTYPE, wanted.name, found.name)
        return Ragged(tuple(splits), values)


OTHER_STRINGS = (
    "a ragged tensor of {} ragged axes is a vector of as many strings and one, or a matrix of as "
    "many columns, not of shape {}"
)
OTHER_DTYPE = "the values of a serialized ragged tensor are to be {}, but they are {}"


# ---------------------------------------------------------------- what specs ask


def described(spec: Any) -> TensorSpec:
    """What describes the strings that stand for a value, as far as all of them are alike."""
    return TensorSpec(None, dtypes.string)


def as_strings(spec: Any, value: Any, batched: bool) -> Any:
    """A value of a spec, or each of its rows, as strings."""
    components = spec._to_components(value)
    if not isinstance(spec, RaggedTensorSpec):
        kind: Any = SerializeManySparse if batched else SerializeSparse
        return bind(kind, *components)
    values, *splits = components
    return bind(SerializeRagged, tuple(splits), values, batched_input=batched)


def from_strings(spec: Any, strings: Any) -> Any:
    """The value of a spec that these strings stand for."""
    if not issubclass(type(spec), RaggedTensorSpec):
        return spec._from_components(list(bind(DeserializeSparse, strings, dtype=spec.dtype)))
    parts = spec._component_specs
    *splits, values = bind(
        DeserializeRagged, strings, ragged_rank=spec.ragged_rank, shape=parts[0].shape,
        dtype=spec.dtype, Tsplits=spec.row_splits_dtype,
    )  # fmt: skip
    components = [values, *splits]
    for component, part in zip(components, parts, strict=True):
        component.set_shape(part.shape)
    return spec._from_components(components)
