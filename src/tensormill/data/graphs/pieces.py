"""Datasets of parts: of windows, batches, sparse tensors, patterns of files."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import of_storage
from ...core.files import gfile
from ...core.specs import ObjectSpec, TensorSpec, ValueSpec
from ...eager.tensor import from_array, wrap_handle
from ...errors import InvalidArgumentError, NotFoundError, UnimplementedError
from ...graph.serialized.sparse_values import Parts, SparseValues, sparse_values_spec
from ...ops.op import Attr, In, Op, Out
from ..composites import SparseStacking
from ..failures import ElementFailure, Items, continuing_after_failures
from ..files import LINE
from ..nodes import batching
from ..nodes.mapping import GivenNode
from ..nodes.node import Element, Node, Specs
from ..nodes.sources import TensorsNode
from .family import DatasetOperation, OfElements, elements_of
from .transformations import OfOther


class SlidingWindows(OfOther, abstract=True):
    """A family: windows of elements, each stacked."""

    window_size = In("i64")
    window_shift = In("i64")
    window_stride = In("i64")
    tensors = ("window_size", "window_shift", "window_stride")

    def drops(self) -> bool:
        """Whether a window that is not full is left out."""
        return True

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        drop = self.drops()
        return lambda *given, specs: batching.SlidingWindowNode(*given, drop=drop, specs=specs)


class SlidingWindowDataset(SlidingWindows):
    """Windows of elements, each stacked."""

    drop_remainder = Attr(True)

    def drops(self) -> bool:
        return bool(self.drop_remainder)


class ExperimentalSlidingWindowDataset(SlidingWindows):
    """The same, of full windows."""


class RebatchDataset(OfOther):
    """Each batch in as many parts as there are replicas."""

    num_replicas = In("i64")
    use_fallback = Attr(True)
    tensors = ("num_replicas",)

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        return batching.SharesNode


class DenseToSparseBatchDataset(OfOther):
    """Several elements as the rows of one sparse tensor, which is a single value."""

    batch_size = In("i64")
    row_shape = In("i64 ...")
    tensors = ("batch_size",)

    def elements(self) -> tuple[ValueSpec, ...]:
        return (sparse_values_spec(self.output_types[0]),)

    def kind(self) -> Any:
        sizes = self.row_shape
        if sizes.ndim != 1 or (sizes < -1).any():
            raise InvalidArgumentError(
                "row_shape must be a vector of sizes, or of -1 where any fits, not "
                f"{sizes.tolist()}"
            )
        row = [None if size < 0 else size for size in sizes.tolist()]
        stack = partial(_one_sparse, stack=SparseStacking(row))
        return partial(_sparse_batches, stack=stack)


def _one_sparse(rows: Sequence[Element], *, stack: SparseStacking) -> Element:
    parts = Parts(*(one._array for one in stack(rows)))
    return (wrap_handle(SparseValues([parts], (), of_storage(parts.values.dtype))),)


def _sparse_batches(child: Node, size: Any, *, stack: Any, specs: Specs) -> Node:
    if len(child.specs) != 1 or not isinstance(child.specs[0], TensorSpec):
        raise InvalidArgumentError(
            f"{DenseToSparseBatchDataset.name} only supports elements of one dense tensor, "
            f"not {child.specs}"
        )
    specs = [sparse_values_spec(child.specs[0].dtype)]
    return batching.BatchNode(child, size, drop=False, stack=stack, specs=specs)


class WindowOp(OfElements):
    """Some elements, given component by component."""

    given = In("[Tinputs]", keyword="inputs")
    tensors = ("given",)

    def derived(self) -> Sequence[ValueSpec] | None:
        return None

    def kind(self) -> Any:
        return _given


def _given(*tensors: Any, specs: Specs) -> Node:
    width = len(specs)
    whole = len(tensors) // width * width
    rows = [tensors[at : at + width] for at in range(0, whole, width)]
    return batching.ListNode([TensorsNode(*row, specs=specs) for row in rows], specs)


class SparseTensorSliceDataset(DatasetOperation):
    """The rows of a sparse tensor: indices, values and shape of each."""

    indices = In("i64 n rank")
    values = In("Tvalues n")
    dense_shape = In("i64 rank")
    tensors = ("indices", "values", "dense_shape")

    def elements(self) -> tuple[ValueSpec, ...]:
        rank = _count(self.dense_shape)
        rest = None if rank is None else rank - 1
        return (
            TensorSpec((None, rest), dtypes.int64),
            TensorSpec((None,), _dtype(self.values)),
            TensorSpec((rest,), dtypes.int64),
        )

    def kind(self) -> Any:
        return _sparse_rows


def _count(vector: Any) -> int | None:
    return vector.shape[0]


def _dtype(values: Any) -> Any:
    return dtypes.as_dtype(values.dtype)


def _sparse_rows(indices: Any, values: Any, shape: Any, *, specs: Specs) -> Node:
    places, parts, sizes = (one._array for one in (indices, values, shape))
    rows = places[:, 0]
    if (np.diff(rows) < 0).any():
        raise UnimplementedError(
            "The SparseTensor must be ordered in the batch dimension: tf.sparse.reorder does so"
        )
    ends = np.searchsorted(rows, np.arange(int(sizes[0]) + 1))
    elements = [
        tuple(map(from_array, (places[start:end, 1:], parts[start:end], sizes[1:])))
        for start, end in pairwise(ends)
    ]
    return GivenNode(elements, specs)


class MatchingFilesDataset(DatasetOperation):
    """The files that fit patterns: those of the first, in alphabetical order, and so on."""

    patterns = In("str ...")
    _within = Attr(())
    tensors = ("patterns",)

    def elements(self) -> tuple[ValueSpec, ...]:
        return (LINE,)

    def kind(self) -> Any:
        for pattern in self.patterns.reshape(-1).tolist():
            gfile.confined(pattern, self._within, writes=False)
        return MatchesNode


class MatchesNode(Node):
    """The paths of files."""

    def __init__(self, patterns: Any, *, specs: Specs) -> None:
        super().__init__(specs)
        self._patterns = patterns._array.reshape(-1).tolist()

    @continuing_after_failures
    def iterate(self) -> Items:
        found = [name for pattern in self._patterns for name in gfile.glob(pattern)]
        yield from ((from_array(np.array(os.fsencode(name), object)),) for name in found)
        if not found and self._patterns:
            yield ElementFailure(NotFoundError(f"no file fits any of {self._patterns}"))


class DatasetHandle(Op, abstract=True):
    """A family: a dataset as it is."""

    input_handle = In("variant")
    output_handle = Out("variant")
    differentiable = False

    def infer(self) -> ObjectSpec:
        elements = elements_of(self.input_handle)
        return ObjectSpec("dataset", elements or (), is_value=True)

    def eager(self, np: Any) -> Node:
        return self.input_handle


class WrapDatasetVariant(DatasetHandle):
    """The same dataset: TensorFlow wraps it, that it may be copied between devices."""


class UnwrapDatasetVariant(DatasetHandle):
    """The same dataset."""
