"""Serialized sequence examples as tensors: the operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.shapes import TensorShape, as_shape
from ...core.specs import TensorSpec
from ...core.text import strings_in
from ...errors import InvalidArgumentError
from ..op import Attr, In, Op, Out
from ..underivable import no_derivative
from .example_kernels import DenseFeature, ListedFeature
from .parse_example import (
    AskedFeatures,
    demand_batch,
    demand_types,
    dense_specs,
    dtypes_of,
    parsed,
    sized,
    sparse_specs,
    storage,
    texts_of,
)
from .sequence_kernels import ParsedSteps, StepsPlan, parse_steps


class ParseSequenceExampleV2(Op):
    """The context and the lists of features of serialized sequence examples: of a batch of them, or
    of one.
    """

    serialized = In("str ...")
    debug_name = In("str ...")
    context_sparse_keys = In("str ...")
    context_dense_keys = In("str ...")
    context_ragged_keys = In("str ...")
    feature_list_sparse_keys = In("str ...")
    feature_list_dense_keys = In("str ...")
    feature_list_ragged_keys = In("str ...")
    feature_list_dense_missing_assumed_empty = In("bool ...")
    context_dense_defaults = In("[Tcontext_dense]")
    context_sparse_indices = Out("Ncontext_sparse * i64 n r")
    context_sparse_values = Out("[context_sparse_types]")
    context_sparse_shapes = Out("Ncontext_sparse * i64 r")
    context_dense_values = Out("[Tcontext_dense]")
    context_ragged_values = Out("[context_ragged_value_types]")
    context_ragged_row_splits = Out("[context_ragged_split_types]")
    feature_list_sparse_indices = Out("Nfeature_list_sparse * i64 n r")
    feature_list_sparse_values = Out("[feature_list_sparse_types]")
    feature_list_sparse_shapes = Out("Nfeature_list_sparse * i64 r")
    feature_list_dense_values = Out("[feature_list_dense_types]")
    feature_list_dense_lengths = Out("Nfeature_list_dense * i64 ...")
    feature_list_ragged_values = Out("[feature_list_ragged_value_types]")
    feature_list_ragged_outer_splits = Out("[feature_list_ragged_split_types]")
    feature_list_ragged_inner_splits = Out("[feature_list_ragged_split_types]")
    Ncontext_sparse = Attr(0)
    context_sparse_types = Attr(())
    context_ragged_value_types = Attr(())
    context_ragged_split_types = Attr(())
    context_dense_shapes = Attr(())
    Nfeature_list_sparse = Attr(0)
    Nfeature_list_dense = Attr(0)
    feature_list_dense_types = Attr(())
    feature_list_sparse_types = Attr(())
    feature_list_ragged_value_types = Attr(())
    feature_list_ragged_split_types = Attr(())
    feature_list_dense_shapes = Attr(())
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_types(
            self.context_sparse_types, self.context_ragged_value_types,
            dtypes_of(self.context_dense_defaults), self.feature_list_sparse_types,
            self.feature_list_dense_types, self.feature_list_ragged_value_types,
        )  # fmt: skip
        demand_batch(sizes, self.serialized)
        told = sizes.count(sizes.shape(self.feature_list_dense_missing_assumed_empty))
        keys = sizes.count(sizes.shape(self.feature_list_dense_keys))
        sizes.require(sizes.equal(told, keys), InvalidArgumentError, NOT_EACH, told, keys)

    def infer(self) -> tuple[TensorSpec, ...]:
        batch = self.serialized.shape
        context = dtypes_of(self.context_dense_defaults)
        outer = TensorShape(None) if batch.entries is None else TensorShape(
            [None if size is None else size + 1 for size in batch.entries]
        )  # fmt: skip
        return (
            *sparse_specs(batch, self.context_sparse_types),
            *dense_specs(batch, context, self.context_dense_shapes),
            *vectors(self.context_ragged_value_types),
            *(TensorSpec(outer if batch.entries else (None,), as_dtype(one))
              for one in self.context_ragged_split_types),
            *step_specs(self, batch),
            *vectors(self.feature_list_ragged_value_types),
            *(TensorSpec(outer, as_dtype(one)) for one in self.feature_list_ragged_split_types),
            *vectors(self.feature_list_ragged_split_types),
        )  # fmt: skip

    def eager(self, np: Any) -> tuple[Any, ...]:
        is_batch = self.serialized.ndim == 1
        asked = AskedFeatures(
            keys(self.context_sparse_keys), tuple(self.context_sparse_types),
            keys(self.context_dense_keys), storage(self.context_dense_defaults),
            tuple(self.context_dense_shapes),
            keys(self.context_ragged_keys), tuple(self.context_ragged_value_types),
            tuple(self.context_ragged_split_types), is_batch,
        )  # fmt: skip
        empty = self.feature_list_dense_missing_assumed_empty.reshape(-1).tolist()
        plan = StepsPlan(
            listed(keys(self.feature_list_sparse_keys), self.feature_list_sparse_types),
            dense(
                keys(self.feature_list_dense_keys), self.feature_list_dense_types,
                self.feature_list_dense_shapes,
            ),
            listed(keys(self.feature_list_ragged_keys), self.feature_list_ragged_value_types),
            tuple(map(as_dtype, self.feature_list_ragged_split_types)),
            tuple(empty), is_batch,
        )  # fmt: skip
        context, steps = found_in(self, asked, plan)
        return (*context, *(one for part in steps for one in part))


NOT_EACH = "feature_list_dense_missing_assumed_empty: {} bools for {} keys of dense lists"


class ParseSequenceExample(Op):
    """The context and the lists of features of a batch of serialized sequence examples."""

    serialized = In("str n")
    debug_name = In("str ...")
    context_dense_defaults = In("[Tcontext_dense]")
    context_sparse_indices = Out("Ncontext_sparse * i64 m 2")
    context_sparse_values = Out("[context_sparse_types]")
    context_sparse_shapes = Out("Ncontext_sparse * i64 2")
    context_dense_values = Out("[Tcontext_dense]")
    feature_list_sparse_indices = Out("Nfeature_list_sparse * i64 m 3")
    feature_list_sparse_values = Out("[feature_list_sparse_types]")
    feature_list_sparse_shapes = Out("Nfeature_list_sparse * i64 3")
    feature_list_dense_values = Out("[feature_list_dense_types]")
    feature_list_dense_lengths = Out("Nfeature_list_dense * i64 n")
    feature_list_dense_missing_assumed_empty = Attr()
    context_sparse_keys = Attr()
    context_dense_keys = Attr()
    feature_list_sparse_keys = Attr()
    feature_list_dense_keys = Attr()
    Ncontext_sparse = Attr(0)
    Ncontext_dense = Attr(0)
    Nfeature_list_sparse = Attr(0)
    Nfeature_list_dense = Attr(0)
    context_sparse_types = Attr(())
    feature_list_dense_types = Attr(())
    context_dense_shapes = Attr(())
    feature_list_sparse_types = Attr(())
    feature_list_dense_shapes = Attr(())
    vjp = no_derivative

    def infer(self) -> tuple[TensorSpec, ...]:
        return plain_specs(self, self.serialized.shape.with_rank(1))

    def eager(self, np: Any) -> tuple[Any, ...]:
        asked, plan = plain_plan(
            self, texts_of(self.context_sparse_keys), texts_of(self.context_dense_keys),
            texts_of(self.feature_list_sparse_keys), texts_of(self.feature_list_dense_keys),
            texts_of(self.feature_list_dense_missing_assumed_empty), is_batch=True,
        )  # fmt: skip
        context, steps = found_in(self, asked, plan)
        return (*context, *(one for part in steps[:5] for one in part))


class ParseSingleSequenceExample(Op):
    """The context and the lists of features of one serialized sequence example."""

    serialized = In("str")
    feature_list_dense_missing_assumed_empty = In("str ...")
    context_sparse_keys = In("Ncontext_sparse * str")
    context_dense_keys = In("Ncontext_dense * str")
    feature_list_sparse_keys = In("Nfeature_list_sparse * str")
    feature_list_dense_keys = In("Nfeature_list_dense * str")
    context_dense_defaults = In("[Tcontext_dense]")
    debug_name = In("str")
    context_sparse_indices = Out("Ncontext_sparse * i64 m 1")
    context_sparse_values = Out("[context_sparse_types]")
    context_sparse_shapes = Out("Ncontext_sparse * i64 1")
    context_dense_values = Out("[Tcontext_dense]")
    feature_list_sparse_indices = Out("Nfeature_list_sparse * i64 m 2")
    feature_list_sparse_values = Out("[feature_list_sparse_types]")
    feature_list_sparse_shapes = Out("Nfeature_list_sparse * i64 2")
    feature_list_dense_values = Out("[feature_list_dense_types]")
    Ncontext_sparse = Attr(int)
    Nfeature_list_sparse = Attr(int)
    context_sparse_types = Attr(())
    feature_list_dense_types = Attr(())
    context_dense_shapes = Attr(())
    feature_list_sparse_types = Attr(())
    feature_list_dense_shapes = Attr(())
    vjp = no_derivative

    def infer(self) -> tuple[TensorSpec, ...]:
        return plain_specs(self, self.serialized.shape.with_rank(0), has_lengths=False)

    def eager(self, np: Any) -> tuple[Any, ...]:
        asked, plan = plain_plan(
            self, tuple(one[()] for one in self.context_sparse_keys),
            tuple(one[()] for one in self.context_dense_keys),
            tuple(one[()] for one in self.feature_list_sparse_keys),
            tuple(one[()] for one in self.feature_list_dense_keys),
            keys(self.feature_list_dense_missing_assumed_empty), is_batch=False,
        )  # fmt: skip
        context, steps = found_in(self, asked, plan)
        return (*context, *(one for part in steps[:4] for one in part))


# ---------------------------------------------------------------- kernels


def found_in(
    application: Any, asked: AskedFeatures, plan: StepsPlan
) -> tuple[tuple[Any, ...], ParsedSteps]:
    """The arrays of the context, and those of the lists."""
    serialized, names = application.serialized, application.debug_name
    if not names.size or not names.reshape(-1)[0]:
        names = np.empty(0, object)
    context = parsed(serialized, names, asked, application.context_dense_defaults).flat()
    return context, parse_steps(strings_in(serialized), strings_in(names), plan)


def plain_plan(
    application: Any, context_sparse: tuple[bytes, ...], context_dense: tuple[bytes, ...],
    sparse: tuple[bytes, ...], dense_keys: tuple[bytes, ...], empty: Sequence[bytes],
    is_batch: bool,
) -> tuple[AskedFeatures, StepsPlan]:  # fmt: skip
    """What is asked of context and lists by an operation that knows no ragged tensors."""
    asked = AskedFeatures(
        context_sparse, tuple(application.context_sparse_types), context_dense,
        storage(application.context_dense_defaults), tuple(application.context_dense_shapes),
        is_batch=is_batch,
    )  # fmt: skip
    shapes, types = application.feature_list_dense_shapes, application.feature_list_dense_types
    plan = StepsPlan(
        listed(sparse, application.feature_list_sparse_types), dense(dense_keys, types, shapes),
        (), (), tuple(key in empty for key in dense_keys), is_batch,
    )  # fmt: skip
    return asked, plan


def keys(array: Any) -> tuple[bytes, ...]:
    return tuple(strings_in(array))


def listed(names: Sequence[bytes], types: Sequence[Any]) -> tuple[ListedFeature, ...]:
    pairs = zip(names, map(as_dtype, types), strict=True)
    return tuple(ListedFeature(key, dtype) for key, dtype in pairs)


def dense(
    names: Sequence[bytes], types: Sequence[Any], shapes: Sequence[Any]
) -> tuple[DenseFeature, ...]:
    found = zip(names, map(as_dtype, types), map(as_shape, shapes), strict=True)
    made = tuple(DenseFeature(key, dtype, sized(key, shape)) for key, dtype, shape in found)
    for one in made:
        if one.is_variable:
            raise InvalidArgumentError(
                f"feature {one.key!r}: the shape {list(one.shape)} of a step is not fully defined"
            )
    return made


# ---------------------------------------------------------------- specs


def vectors(types: Sequence[Any]) -> list[TensorSpec]:
    return [TensorSpec((None,), as_dtype(one)) for one in types]


def step_specs(application: Any, batch: TensorShape, has_lengths: bool = True) -> list[TensorSpec]:
    """Those of sparse and dense lists: their axes are examples, steps and values."""
    steps = batch.concatenate([None])
    shapes = [as_shape([None]).concatenate(one) for one in application.feature_list_dense_shapes]
    types = list(map(as_dtype, application.feature_list_dense_types))
    lengths = [TensorSpec(batch, dtypes.int64) for _ in types] if has_lengths else []
    return [
        *sparse_specs(steps, application.feature_list_sparse_types),
        *dense_specs(batch, types, shapes),
        *lengths,
    ]


def plain_specs(
    application: Any, batch: TensorShape, has_lengths: bool = True
) -> tuple[TensorSpec, ...]:
    context = dtypes_of(application.context_dense_defaults)
    return (
        *sparse_specs(batch, application.context_sparse_types),
        *dense_specs(batch, context, application.context_dense_shapes),
        *step_specs(application, batch, has_lengths),
    )
