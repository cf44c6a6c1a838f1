"""Gradients of arrays behind handles: arrays as long, to whose elements is added what is written.

Graphs of TensorFlow 1 have them; `source` tells those of one gradient from those of others.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as numpy_module

from ...core.shapes import TensorShape
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..op import Attr, In, Out
from .tensor_arrays import FLOW, ChangingArray, OnArray

Array = numpy_module.ndarray[Any, Any]
Shape = tuple[int, ...]


class GradientArray(ChangingArray):
    """Sums of what is written to each element; what was never written is zeros."""

    def __init__(self, array: ChangingArray, prepended: Shape) -> None:
        element = gradient_element(array.element, prepended)
        super().__init__(len(array), element, grows=False, clears=True, alike=False)
        ahead = TensorShape(prepended)
        known = {k: ahead.concatenate(shape) for k, shape in array.shapes.items()}
        self._known = {k: known.get(k, element.shape) for k in range(len(array))}

    def _place(self, index: int, value: Array) -> None:
        known, shape = self._known[index], TensorShape(value.shape)
        if not known.is_compatible_with(shape):
            raise InvalidArgumentError(
                f"Could not aggregate to TensorArray index {index} because the existing shape is "
                f"{known} but the new input shape is {shape}."
            )
        before = self._elements[index]
        if before is None:
            super()._place(index, value)
        else:
            self._elements[index] = before + value
        self._known[index] = shape

    def _unwritten(self, index: int) -> Array:
        sizes = self._known[index]
        if not sizes.is_fully_defined():
            return super()._unwritten(index)
        return numpy_module.zeros(
            [size or 0 for size in sizes.as_list()], self.element.dtype.storage
        )


_GRADIENTS: WeakKeyDictionary[ChangingArray, dict[str, GradientArray]] = WeakKeyDictionary()


def gradient_of(array: ChangingArray, source: str, prepended: Shape = ()) -> GradientArray:
    """The array of gradients that `source` has for `array`, whose size does not change any more."""
    array.require_open()
    array.keep_size()
    made = _GRADIENTS.setdefault(array, {})
    if source not in made:
        made[source] = GradientArray(array, prepended)
    return made[source]


def gradient_element(element: TensorSpec, prepended: Any) -> TensorSpec:
    """What elements are like."""
    return TensorSpec(TensorShape(prepended).concatenate(element.shape), element.dtype)


class TensorArrayGradV3(OnArray):
    """The array of gradients of an array."""

    flow_in = In("f32")
    grad_handle = Out("resource")
    flow_out = Out("f32")
    source = Attr(str)

    def infer(self) -> tuple[Any, ...]:
        return self.handle.spec, FLOW

    def eager(self, np: Any) -> tuple[Any, ...]:
        return gradient_of(self.handle, self.source), np.asarray(self.flow_in)


class TensorArrayGradWithShape(OnArray):
    """The same, whose elements have more axes in front, of these sizes."""

    flow_in = In("f32")
    shape_to_prepend = In("i32 r")
    grad_handle = Out("resource")
    flow_out = Out("f32")
    source = Attr(str)

    def infer(self) -> tuple[Any, ...]:
        element = gradient_element(self.element(), self.shape_to_prepend.as_shape())
        return ObjectSpec("tensor_array", (element,)), FLOW

    def eager(self, np: Any) -> tuple[Any, ...]:
        sizes = tuple(self.shape_to_prepend.tolist())
        return gradient_of(self.handle, self.source, sizes), np.asarray(self.flow_in)
