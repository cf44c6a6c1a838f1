"""The sum of a list of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core.dtypes import as_dtype
from ...core.shapes import UNKNOWN, as_shape
from ...errors import ShapeMismatchError
from ..bind import bind
from ..conversion import as_tensor, as_tensors
from ..dispatch.meanings import dispatchable
from ..op import NUMBERS, In, Op, Out, as_eager

if TYPE_CHECKING:
    from ..results import Tensor

FEW: Final = 32  # so many are added in one expression


class AddN(Op):
    """The sum of all inputs, which have one shape."""

    inputs_ = In("N * T *s")  # `inputs` is what every operation calls its fields
    sum = Out("T *s")
    T = NUMBERS
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        shapes = sizes.shapes(self.inputs_, UNLIKE)
        sizes.common(shapes, ShapeMismatchError, UNLIKE)

    def eager(self, np: Any) -> Any:
        total = self.inputs_[0]
        with numpy_module.errstate(all="ignore"):
            for addend in self.inputs_[1:]:
                total = total + addend
        return total

    def lower(self, loops: Any) -> Any:
        total, *rest = self.inputs_
        while len(rest) > FEW:  # a sum of all would be as deep as they are many
            total = loops.kept(_sum(loops, (total, *rest[:FEW])))
            rest = rest[FEW:]
        return _sum(loops, (total, *rest))

    def vjp(self, dsum: Any) -> Any:
        return ([dsum] * len(self.inputs_),)


UNLIKE = (
    "AddN: Inputs must have the same shape: shape[0] = {} vs. shape[{}] = {} (Dimensions must be "
    "equal)"
)


def _sum(loops: Any, addends: Sequence[Any]) -> Any:
    def element(*index: Any) -> Any:
        total = addends[0][index]
        for addend in addends[1:]:
            total = total + addend[index]
        return total

    return loops.map(addends[0].shape, addends[0].dtype, element)


@dispatchable
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors of one shape and dtype (IndexedSlices are made dense).

    inputs: numbers, which do not broadcast; the result has their shape and dtype. A list of one
    tensor gives that tensor.

    >>> tf.add_n([[1, 2], [3, 4], [5, 6]]).numpy()
    array([ 9, 12], dtype=int32)

    Raises:
        ValueError: the list is empty or not a list.
        InvalidArgumentError: the shapes differ.
        DTypeMismatchError: the dtypes differ, or are bool or string.
    """
    if hasattr(inputs, "stacked"):  # a list that grew in staged code
        from .reduce import reduce_sum

        return reduce_sum(inputs.stacked(), 0)
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(
            "add_n wants a list of at least one Tensor (or IndexedSlices), all of one dtype and "
            f"shape; got {inputs!r}"
        )
    tensors = as_tensors(*inputs)
    if len(tensors) == 1:
        from ..control.flow import identity

        return identity(tensors[0], name=name)
    return bind(AddN, tensors, name=name)


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Any:
    """As `tf.add_n`, after a look at the shapes and dtypes of the operands.

    >>> tf.math.accumulate_n([[1, 2], [3, 4]]).numpy()
    array([4, 6], dtype=int32)

    Raises:
        ValueError: the list is empty, dtypes differ, or a shape does not fit the others or `shape`.
        TypeError: the operands are not of `tensor_dtype`.
    """
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise ValueError(NO_OPERANDS)
    tensors = [as_tensor(one) for one in inputs]
    if any(one.dtype is not tensors[0].dtype for one in tensors):
        raise ValueError(NO_OPERANDS)
    known = UNKNOWN if shape is None else as_shape(shape)
    for one in tensors:
        known = known.merge_with(one.shape)
    if tensor_dtype is not None and as_dtype(tensor_dtype) is not tensors[0].dtype:
        raise TypeError(
            f"The `tensor_dtype` argument is {as_dtype(tensor_dtype)}, but `input` is of type "
            f"{tensors[0].dtype}; cast the operands"
        )
    return add_n(tensors, name=name)


NO_OPERANDS = "inputs must be a list of at least one Tensor with the same dtype and shape"
