"""Some slices of a larger tensor: what the gradient of `gather` is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.dtypes import DType
from ..core.shapes import UNKNOWN, TensorShape
from ..core.tree import Composite
from ..core.values import TensorBase
from .conversion import as_tensor, known_of


class IndexedSlices(Composite, TensorBase):
    """`values[k]` stands at `indices[k]` along axis 0 of a tensor of shape `dense_shape`.

    An index that occurs several times means the sum of its slices. `values` is [n, ...], `indices`
    an integer vector [n], `dense_shape` an integer vector or None.
    """

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape

    def components(self) -> tuple[Any, ...]:
        return self.values, self.indices, self.dense_shape

    def with_components(self, components: Sequence[Any]) -> IndexedSlices:
        return IndexedSlices(*components)

    @property
    def dtype(self) -> DType:
        return self.values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor, as far as it is known."""
        if self.dense_shape is not None:
            return known_of(as_tensor(self.dense_shape)).as_shape()
        inner = self.values.shape
        return UNKNOWN if inner.dims is None else TensorShape((None, *inner.dims[1:]))

    @property
    def name(self) -> str:
        return self.values.name

    @property
    def device(self) -> str:
        return self.values.device

    @property
    def op(self) -> Any:
        return self.values.op

    @property
    def graph(self) -> Any:
        return self.values.graph

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __mul__(self, factor: Any) -> IndexedSlices:
        """Scaled by a scalar."""
        factor = as_tensor(factor, self.dtype)
        if factor.shape.rank != 0:
            raise TypeError("IndexedSlices can be multiplied by scalars only; convert it first")
        return IndexedSlices(self.values * factor, self.indices, self.dense_shape)

    __rmul__ = __mul__

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Any:
        """The dense tensor, in which slices of equal index are added."""
        from .segment import unsorted_segment_sum

        if self.dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape: "
                f"the number of rows is unknown; values have shape {self.values.shape}"
            )
        if dtype is not None and dtype is not self.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype "
                f"{self.dtype.name}"
            )
        rows = as_tensor(self.dense_shape)[0]
        return unsorted_segment_sum(self.values, self.indices, rows, name=name)

    def __str__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape}"
        return f"IndexedSlices(indices={self.indices}, values={self.values}{shape})"

    def __repr__(self) -> str:
        return str(self)
