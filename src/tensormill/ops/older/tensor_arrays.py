"""Arrays of tensors behind handles by their older names, which graphs before TensorFlow 1.0 have.

Handles were strings, and their flows began with a number of the graph's own.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.shapes import UNKNOWN
from ...core.specs import ObjectSpec
from ..array.fill import range as numbers
from ..array.shapes import shape_of
from ..bind import bind
from ..families import Rephrased
from ..op import ANY, Attr, In, Op, Out
from ..state import array_gradients, tensor_arrays
from ..state.tensor_arrays import ChangingArray, NewArray, OnArray
from .renaming import renamed

NAMES: Final[dict[str, type[Op]]] = {
    "Close": tensor_arrays.TensorArrayCloseV3,
    "Concat": tensor_arrays.TensorArrayConcatV3,
    "Gather": tensor_arrays.TensorArrayGatherV3,
    "Read": tensor_arrays.TensorArrayReadV3,
    "Scatter": tensor_arrays.TensorArrayScatterV3,
    "Size": tensor_arrays.TensorArraySizeV3,
    "Split": tensor_arrays.TensorArraySplitV3,
    "Write": tensor_arrays.TensorArrayWriteV3,
}
RENAMED: Final = [
    renamed(f"TensorArray{name}{version}", op, __name__)
    for name, op in NAMES.items()
    for version in ("", "V2")
]


class ArrayByHandle(NewArray, tf_name="TensorArray"):
    """A new array of `size` elements."""

    size = In("i32")
    handle = Out("resource")
    dtype = Attr()
    dynamic_size = Attr(False)
    clear_after_read = Attr(True)
    tensor_array_name = Attr("")
    element_shape = Attr(UNKNOWN)

    def infer(self) -> ObjectSpec:
        return ObjectSpec("tensor_array", (self.spec(),))

    def eager(self, np: Any) -> ChangingArray:
        return self.new(alike=False)


OTHER_ARRAY: Final = renamed("TensorArrayV2", ArrayByHandle, __name__)


class TensorArrayGrad(OnArray):
    """The array of gradients of an array."""

    flow_in = In("f32")
    grad_handle = Out("resource")
    source = Attr(str)

    def infer(self) -> Any:
        return self.handle.spec

    def eager(self, np: Any) -> Any:
        return array_gradients.gradient_of(self.handle, self.source)


OTHER_GRADIENT: Final = renamed("TensorArrayGradV2", TensorArrayGrad, __name__)


class TensorArrayPack(Rephrased):
    """All elements along a new first axis."""

    handle = In("resource")
    flow_in = In("f32")
    value = Out("dtype ...")
    dtype = Attr()
    element_shape = Attr(UNKNOWN)
    differentiable = False

    def expand(self) -> Any:
        size = bind(tensor_arrays.TensorArraySizeV3, self.handle, self.flow_in)
        said = {"dtype": self.dtype, "element_shape": self.element_shape}
        gather = tensor_arrays.TensorArrayGatherV3
        return bind(gather, self.handle, numbers(size), self.flow_in, **said)


class TensorArrayUnpack(Rephrased):
    """Sets the elements to what lies along the first axis of `value`."""

    handle = In("resource")
    value = In("T ...")
    flow_in = In("f32")
    flow_out = Out("f32")
    T = ANY
    differentiable = False

    def expand(self) -> Any:
        places = numbers(shape_of(self.value)[0])
        scatter = tensor_arrays.TensorArrayScatterV3
        return bind(scatter, self.handle, places, self.value, self.flow_in)
