"""What datasets of TensorFlow 1 have themselves: iterators of graphs, and what elements are."""

from __future__ import annotations

from typing import Any

from ...core.process.deprecation import deprecated
from ...ops.sparse.sparse_tensor import SparseTensor
from .element_facts import ElementFacts


class OlderMembers(ElementFacts):
    """Members of `tf.compat.v1.data.Dataset` that TensorFlow 2 has as functions, if at all."""

    @deprecated(None, "Use map instead.")
    def map_with_legacy_function(
        self, map_func: Any, num_parallel_calls: Any = None, deterministic: bool | None = None,
        use_unbounded_threadpool: bool = False,
    ) -> Any:  # fmt: skip
        """`map`, whose functions are of one kind here."""
        this: Any = self
        return this.map(map_func, num_parallel_calls, deterministic)

    @deprecated(None, "Use filter instead.")
    def filter_with_legacy_function(self, predicate: Any) -> Any:
        """`filter`, whose functions are of one kind here."""
        this: Any = self
        return this.filter(predicate)

    @classmethod
    @deprecated(None, "Use from_tensor_slices instead.")
    def from_sparse_tensor_slices(cls, sparse_tensor: Any) -> Any:
        """A dataset of the rows of a sparse tensor: indices, values and shape of each, dense.

        Raises:
            TypeError: it is no SparseTensor.
        """
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(f"`sparse_tensor` must be a tf.SparseTensor, got {sparse_tensor!r}")
        made: Any = cls
        rows = made.from_tensor_slices(sparse_tensor)
        return rows.map(lambda row: (row.indices, row.values, row.dense_shape))

    @deprecated(None, "Use for element in dataset instead.")
    def make_one_shot_iterator(self) -> Any:
        """`tf.compat.v1.data.make_one_shot_iterator` of this dataset."""
        from .iterators import make_one_shot_iterator

        return make_one_shot_iterator(self)

    @deprecated(None, "Use for element in dataset instead.")
    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """`tf.compat.v1.data.make_initializable_iterator` of this dataset.

        Raises:
            RuntimeError: operations run at once here.
        """
        from .iterators import make_initializable_iterator

        return make_initializable_iterator(self, shared_name)
