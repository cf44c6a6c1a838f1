"""Operations on lists in older forms, which files and `tf.raw_ops` have."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.shapes import UNKNOWN, as_shape
from ...core.specs import ListSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..array.concatenation import concat
from ..bind import bind
from ..conversion import as_tensor
from ..families import Rephrased
from ..lists.list_elements import TensorListReserve, element_spec
from ..lists.whole_lists import (
    TensorListConcatV2,
    TensorListFromTensor,
    TensorListScatterIntoExistingList,
    TensorListStack,
)
from ..math.arithmetic import maximum
from ..math.reduce import reduce_max
from ..op import ANY, INDEX, Attr, In, Out

TOO_FEW = "TensorListScatterV2: num_elements must be at least -1 (as many as needed), but is {}"


class TensorListConcat(Rephrased):
    """All elements joined along their first axis, and the length of each."""

    input_handle = In("variant")
    tensor = Out("element_dtype ...")
    lengths = Out("i64 n")
    element_dtype = Attr()
    element_shape = Attr(UNKNOWN)

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        return TensorSpec(None, self.element_dtype), TensorSpec((None,), dtypes.int64)

    def expand(self) -> tuple[Any, Any]:
        dims = as_shape(self.element_shape).entries
        sizes = [-1] if dims is None else [-1 if size is None else size for size in dims]
        shape = -1 if dims is None else sizes
        nothing = as_tensor([], dtypes.int64)
        return tuple(bind(
            TensorListConcatV2, self.input_handle, as_tensor(shape, dtypes.int32), nothing,
            element_dtype=self.element_dtype,
        ))  # fmt: skip


class TensorListConcatLists(Rephrased):
    """One list after another."""

    input_a = In("variant")
    input_b = In("variant")
    output = Out("variant")
    element_dtype = Attr()
    differentiable = False

    def infer(self) -> ListSpec:
        return ListSpec(TensorSpec(element_spec(self.input_a).shape, self.element_dtype))

    def expand(self) -> Any:
        anything = as_tensor(-1, dtypes.int32)
        parts = [
            bind(TensorListStack, one, anything, element_dtype=self.element_dtype)
            for one in (self.input_a, self.input_b)
        ]
        whole = concat(parts, 0)
        return bind(TensorListFromTensor, whole, as_tensor(-1, dtypes.int32))


class TensorListScatterV2(Rephrased):
    """A list with rows of a tensor at these places, of `num_elements`; -1: as many as there must
    be.
    """

    tensor = In("element_dtype ...")
    indices = In("i32 n")
    element_shape = In("shape_type ...")
    num_elements = In("i32")
    output_handle = Out("variant")
    element_dtype = ANY
    shape_type = INDEX

    def demands(self, sizes: Any) -> None:
        (count,) = sizes.numbers(self.num_elements)
        sizes.require(count >= -1, InvalidArgumentError, TOO_FEW, count)

    def infer(self) -> ListSpec:
        shape = self.tensor.shape
        return ListSpec(TensorSpec(shape[1:] if shape.rank else None, self.tensor.dtype))

    def expand(self) -> Any:
        least = reduce_max(concat([[-1], self.indices], 0)) + 1
        return scattered(self, maximum(least, self.num_elements))


class TensorListScatter(Rephrased):
    """A list with rows of a tensor at these places."""

    tensor = In("element_dtype ...")
    indices = In("i32 n")
    element_shape = In("shape_type ...")
    output_handle = Out("variant")
    element_dtype = ANY
    shape_type = INDEX

    def infer(self) -> ListSpec:
        shape = self.tensor.shape
        return ListSpec(TensorSpec(shape[1:] if shape.rank else None, self.tensor.dtype))

    def expand(self) -> Any:
        return scattered(self, reduce_max(concat([[-1], self.indices], 0)) + 1)


def scattered(application: Any, count: Any) -> Any:
    """A new list of `count` elements, some of which are rows."""
    told, dtype = application, application.tensor.dtype
    empty = bind(TensorListReserve, told.element_shape, count, element_dtype=dtype)
    return bind(TensorListScatterIntoExistingList, empty, told.tensor, told.indices)
