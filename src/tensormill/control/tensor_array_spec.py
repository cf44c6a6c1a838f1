"""`tf.TensorArraySpec`: what describes a TensorArray to those who must know it before it exists."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.shapes import TensorShape, as_shape
from ..core.specs import ListSpec, TensorSpec
from ..core.type_spec import TypeSpec
from ..core.type_spec_names import register
from .tensor_array import TensorArray


@register("tf.TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """Describes TensorArrays whose elements have this dtype and are of this shape.

    >>> tf.TensorArraySpec([2], tf.int32)
    TensorArraySpec(TensorShape([2]), tf.int32, False, True)
    """

    __slots__ = ("_dtype", "_dynamic_size", "_element_shape", "_infer_shape")

    def __init__(
        self,
        element_shape: Any = None,
        dtype: Any = dtypes.float32,
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ) -> None:
        self._element_shape: TensorShape = as_shape(element_shape)
        self._dtype: DType = as_dtype(dtype)
        self._dynamic_size, self._infer_shape = dynamic_size, infer_shape

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes."""
        return TensorArray

    @classmethod
    def from_value(cls, value: TensorArray) -> TensorArraySpec:
        """What describes a TensorArray.

        >>> tf.TensorArraySpec.from_value(tf.TensorArray(tf.int32, 3, element_shape=[2]))
        TensorArraySpec(TensorShape([2]), tf.int32, False, True)

        Raises:
            TypeError: it is none.
        """
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but got {type(value)}")
        return cls(value.element_shape, value.dtype, value.dynamic_size, value.infers_shape)

    def is_compatible_with(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, other: Any
    ) -> bool:
        """Whether an array could have this spec, or another spec describes one that could."""
        if isinstance(other, TensorArray):
            other = self.from_value(other)
        return (
            isinstance(other, TensorArraySpec)
            and (self._dtype, self._dynamic_size) == (other._dtype, other._dynamic_size)
            and self._element_shape.is_compatible_with(other._element_shape)
        )

    @property
    def _component_specs(self) -> list[ListSpec]:
        return [ListSpec(TensorSpec(self._element_shape, self._dtype))]

    def _to_components(self, value: Any) -> list[Any]:
        return [value.flow]

    def _from_components(self, components: Any) -> TensorArray:
        return TensorArray(
            self._dtype, dynamic_size=self._dynamic_size, flow=components[0],
            infer_shape=self._infer_shape, element_shape=self._element_shape,
        )  # fmt: skip

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape
