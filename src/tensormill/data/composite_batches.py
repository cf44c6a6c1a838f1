"""The methods of `Dataset` that make ragged and sparse tensors of several elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..control import encodings
from ..core import dtypes, tree
from ..core.shapes import as_shape
from ..core.specs import TensorSpec
from ..ops.sparse.sparse_tensor import SparseTensorSpec
from . import structure
from .base import DatasetBase
from .nodes import batching
from .structure import as_int64

if TYPE_CHECKING:
    from .dataset import DatasetV2


class CompositeBatches(DatasetBase):
    """Abstract: `DatasetV2` says by `_then` what comes of a dataset."""

    _then: Callable[..., DatasetV2]
    batch: Callable[..., DatasetV2]

    def ragged_batch(
        self,
        batch_size: Any,
        drop_remainder: Any = False,
        row_splits_dtype: Any = dtypes.int64,
        name: str | None = None,
    ) -> DatasetV2:
        """Every `batch_size` elements as one: ragged where their sizes differ or are not known.

        >>> tf.data.Dataset.range(1, 3).map(tf.range).ragged_batch(2).get_single_element()
        <tf.RaggedTensor [[0], [0, 1]]>

        Raises:
            InvalidArgumentError: `batch_size` is not positive.
        """
        from . import composites

        splits, drop = dtypes.as_dtype(row_splits_dtype), bool(drop_remainder)
        size = as_int64(batch_size)
        known = structure.static_number(size) if drop else None
        if encodings.are_encoded(self.element_spec):
            return encodings.batched_dataset(
                self, lambda parts: parts.ragged_batch(size, drop, splits), known
            )

        def one(leaf: Any) -> Any:
            rows = composites.ragged_leaf(leaf, known, splits)
            return structure.batched(leaf, known) if rows is None else rows

        spec = tree.map_structure(one, self.element_spec)
        if structure.are_dense(spec):
            return self.batch(batch_size, drop, name=name)
        stack = composites.Stacking(self.element_spec, spec)
        return self._then(
            "_BatchDataset", partial(batching.BatchNode, drop=drop, stack=stack), spec, size
        )

    def sparse_batch(self, batch_size: Any, row_shape: Any, name: str | None = None) -> DatasetV2:
        """Every `batch_size` elements as one sparse tensor, of which each is a row.

        row_shape: the largest sizes that an element may have, None or -1 for any; the result has
        the shape [elements, *row_shape].

        >>> rows = tf.data.Dataset.range(1, 3).map(tf.range)
        >>> batch = rows.sparse_batch(2, [3]).get_single_element()
        >>> tf.sparse.to_dense(batch, default_value=-1).numpy()
        array([[ 0, -1, -1],
               [ 0,  1, -1]])

        Raises:
            TypeError: an element has several components.
            InvalidArgumentError: `batch_size` is not positive; (in the pass) an element has another
                rank.
            DataLossError (in the pass): an element is larger than `row_shape`.
        """
        from . import composites

        leaf = self.element_spec
        if not isinstance(leaf, TensorSpec):
            raise TypeError(
                "`sparse_batch` requires a dataset whose elements are single dense tensors, not "
                f"{leaf}"
            )
        row = as_shape(row_shape).as_list()
        spec = SparseTensorSpec([None, *row], leaf.dtype)
        kind = partial(batching.BatchNode, drop=False, stack=composites.SparseStacking(row))
        return self._then("_DenseToSparseBatchDataset", kind, spec, as_int64(batch_size))
