"""What is known of a value before it exists.

`TensorSpec` describes a tensor, `ResourceSpec` a handle of a variable, `ListSpec` a TensorArray,
`ObjectSpec` a handle of whatever only Python looks into.
A graph's values carry these; so do the keys under which traces are found again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from . import context, dtypes
from .dtypes import DType, as_dtype
from .shapes import SCALAR, UNKNOWN, TensorShape, as_shape, broadcast_shapes
from .type_spec import BatchableTypeSpec, LeafSpec, with_outer_size, without_outer_size
from .type_spec import TypeSpec as TypeSpec
from .type_spec_names import register
from .values import TensorLike, tensor_class


@register("tf.TensorSpec")
class TensorSpec(LeafSpec, BatchableTypeSpec):
    """Shape and dtype of a tensor; `name` names the argument that it stands for.

    >>> spec = tf.TensorSpec([None, 3], tf.float32, name='x')
    >>> spec.is_compatible_with(tf.ones([2, 3]))
    True
    """

    __slots__ = {
        "__weakref__": None,
        "dtype": "The dtype of the tensors.",
        "name": "What the parameter or tensor is called, or None.",
        "shape": "The shapes that they may have.",
    }  # with what `help` says of them

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self.shape: Final[TensorShape] = as_shape(shape)
        self.dtype: Final[DType] = as_dtype(dtype)
        self.name: Final = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """What describes a tensor.

        >>> tf.TensorSpec.from_tensor(tf.zeros([2, 3]))
        TensorSpec(shape=(2, 3), dtype=tf.float32, name=None)
        """
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The TensorSpec of the same shape and dtype, with another name if one is given.

        >>> tf.TensorSpec.from_spec(tf.TensorSpec([2], tf.int32), name='x')
        TensorSpec(shape=(2,), dtype=tf.int32, name='x')
        """
        return cls(spec.shape, spec.dtype, name or spec.name)

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes.

        >>> tf.TensorSpec([2]).value_type is tf.Tensor
        True
        """
        return tensor_class()

    def _batch(self, batch_size: int | None) -> TensorSpec:
        return TensorSpec(with_outer_size(self.shape, batch_size), self.dtype)

    def _unbatch(self) -> TensorSpec:
        return TensorSpec(without_outer_size(self.shape), self.dtype)

    def _to_legacy_output_types(self) -> DType:
        return self.dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self.shape

    def _without_tensor_names(self) -> TensorSpec:
        """The spec of the same shape and dtype without a name, as Keras 2 compares them."""
        return TensorSpec(self.shape, self.dtype)

    # Keras 2 gives specs of its own another shape under this name.
    @property
    def _shape(self) -> TensorShape:
        return self.shape

    @_shape.setter
    def _shape(self, shape: Any) -> None:
        object.__setattr__(self, "shape", as_shape(shape))

    # And no name to copies of those of which some have none: it saves models so.
    @property
    def _name(self) -> str | None:
        return self.name

    @_name.setter
    def _name(self, name: str | None) -> None:
        object.__setattr__(self, "name", name)

    # TensorFlow has another name for the parameter than its base class.
    def is_compatible_with(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, spec_or_tensor: Any
    ) -> bool:
        """Whether a tensor, or one with the other spec, could have this one.

        >>> tf.TensorSpec([None]).is_compatible_with(tf.zeros([3]))
        True
        """
        return (
            getattr(spec_or_tensor, "dtype", None) is self.dtype
            and not getattr(spec_or_tensor, "is_composite", False)
            and self.shape.is_compatible_with(spec_or_tensor.shape)
        )

    def is_subtype_of(self, other: Any) -> bool:
        """Whether `other` describes all that this does: their dtypes are the same, and the shapes
        here are among the other's.

        >>> tf.TensorSpec([2, 3]).is_subtype_of(tf.TensorSpec([2, None]))
        True
        """
        return (
            isinstance(other, TensorSpec)
            and self.dtype is other.dtype
            and self.shape.is_subtype_of(other.shape)
        )

    def most_specific_common_supertype(self, others: Any) -> TensorSpec | None:
        """The spec of what this and all `others` describe: sizes that differ are unknown there.
        None where one has another dtype, or is no TensorSpec.

        >>> tf.TensorSpec([2, 3]).most_specific_common_supertype([tf.TensorSpec([2, 4])])
        TensorSpec(shape=(2, None), dtype=tf.float32, name=None)
        """
        shape = self.shape
        for other in others:
            if not isinstance(other, TensorSpec) or other.dtype is not self.dtype:
                return None
            shape = shape.relax(other.shape)
        return TensorSpec(shape, self.dtype, self.name)

    def cast(self, value: Any, casting_context: Any) -> Any:
        """`value` as a tensor of this dtype.

        Raises:
            TypeError: it is none, or of another shape.
        """
        tensor = value
        if not isinstance(value, TensorLike):
            try:
                tensor = context.top().interpreter.convert(value, self.dtype, None)
            except (TypeError, ValueError) as error:
                raise TypeError(f"Cannot convert {value!r} to a tensor of {self!r}") from error
        if not self.is_compatible_with(tensor):
            raise TypeError(f"Can not cast {TensorSpec.from_tensor(tensor)!r} to {self!r}")
        return tensor

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TensorSpec)
            and self.dtype is other.dtype
            and self.shape.entries == other.shape.entries
            and self.name == other.name
        )

    def __hash__(self) -> int:
        return hash((self.shape.entries, self.dtype))

    def __reduce__(self) -> Any:
        return TensorSpec, (self.shape, self.dtype, self.name)

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    @property
    def short(self) -> str:
        """As IR text has it: `f32[?, 8]`, `f32[...]` for unknown rank."""
        if self.shape.entries is None:
            return f"{self.dtype.short}[...]"
        sizes = ", ".join("?" if d is None else str(d) for d in self.shape.entries)
        return f"{self.dtype.short}[{sizes}]"


@register("tf.BoundedTensorSpec")
class BoundedTensorSpec(TensorSpec):
    """A tensor whose elements lie between two bounds, as environments of tf_agents describe them.

    The bounds are arrays that broadcast to the shape; nobody looks whether tensors keep to them.
    """

    __slots__ = {
        "maximum": "The largest that elements may be.",
        "minimum": "The smallest that elements may be.",
    }

    def __init__(
        self, shape: Any, dtype: Any, minimum: Any, maximum: Any, name: str | None = None
    ) -> None:
        super().__init__(shape, dtype, name)
        self.minimum: Final = self._bound("minimum", minimum)
        self.maximum: Final = self._bound("maximum", maximum)

    def _bound(self, which: str, value: Any) -> np.ndarray[Any, Any]:
        """One bound in the dtype of the tensors, which nobody changes.

        Raises:
            ValueError: it is None, or does not broadcast to the shape.
        """
        if value is None:
            raise ValueError(f"{which} is a number, or an array, and not None")
        array = np.array(value, self.dtype.as_numpy_dtype)
        try:
            broadcast_shapes(self.shape, as_shape(array.shape))
        except ValueError as error:
            raise ValueError(
                f"{which} {value!r} does not broadcast with the shape {self.shape}"
            ) from error
        array.setflags(write=False)
        return array

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> BoundedTensorSpec:
        """The spec of the same tensors, whose bounds, where it has none, are those of its dtype."""
        low = getattr(spec, "minimum", spec.dtype.min)
        high = getattr(spec, "maximum", spec.dtype.max)
        return cls(spec.shape, spec.dtype, low, high, name or spec.name)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.minimum, self.maximum, self.name

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundedTensorSpec)
            and super().__eq__(other)
            and np.allclose(self.minimum, other.minimum)
            and np.allclose(self.maximum, other.maximum)
        )

    def __hash__(self) -> int:
        return super().__hash__()

    def __reduce__(self) -> Any:
        return BoundedTensorSpec, self._serialize()

    def __repr__(self) -> str:
        return (
            f"BoundedTensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r}, "
            f"minimum={self.minimum!r}, maximum={self.maximum!r})"
        )


class HandleSpec(LeafSpec):
    """A scalar that stands for something else; `__match_args__` are the facts that tell it."""

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    @property
    def shape(self) -> TensorShape:
        return SCALAR

    def _facts(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self.__match_args__])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def __repr__(self) -> str:
        named = zip(self.__match_args__, self._facts(), strict=True)
        return f"{type(self).__name__}({', '.join([f'{name}={fact!r}' for name, fact in named])})"


class ResourceSpec(HandleSpec):
    """A handle: the state behind it has this shape and dtype."""

    __slots__ = ("state", "trainable")
    __match_args__ = ("state", "trainable")

    def __init__(self, state: TensorSpec, trainable: bool = True) -> None:
        self.state: Final = state
        self.trainable: Final = trainable

    @property
    def dtype(self) -> DType:
        return dtypes.resource

    @property
    def short(self) -> str:
        return f"resource<{self.state.short}>"


class ListSpec(HandleSpec):
    """A list of tensors (what a TensorArray is in a graph): the spec of each element."""

    __slots__ = ("element",)
    __match_args__ = ("element",)

    def __init__(self, element: TensorSpec) -> None:
        self.element: Final = element

    @property
    def dtype(self) -> DType:
        return dtypes.variant

    @property
    def short(self) -> str:
        return f"list<{self.element.short}>"


FIXED_TABLE: Final = "fixed table"  # the kind of one that never changes once it is filled


class ObjectSpec(HandleSpec):
    """A handle of a Python object that native code hands on and never looks into.

    `kind` says what it is: "iterator", "dataset", "table". `elements` describe what goes in or
    comes out of it, as far as graphs must know. A value (a dataset) is a variant; what has a state
    (an iterator) is a resource. `sizes`: the shape that TensorFlow's tensor has, where it holds
    several values that are one here.
    """

    __slots__ = ("elements", "is_value", "kind", "sizes")
    __match_args__ = ("kind", "elements", "is_value", "sizes")

    def __init__(
        self,
        kind: str,
        elements: tuple[ValueSpec, ...] = (),
        is_value: bool = False,
        sizes: tuple[int | None, ...] = (),
    ) -> None:
        self.kind: Final = kind
        self.elements: Final = elements
        self.is_value: Final = is_value
        self.sizes: Final = sizes

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self.sizes)

    @property
    def dtype(self) -> DType:
        return dtypes.variant if self.is_value else dtypes.resource

    @property
    def short(self) -> str:
        word = "value" if self.is_value else "object"
        elements = ", ".join(spec.short for spec in self.elements)
        sizes = ", ".join("?" if size is None else str(size) for size in self.sizes)
        return f"{word}<{self.kind}({elements})>" + (f"[{sizes}]" if self.sizes else "")

    def covers(self, other: Any) -> bool:
        """Whether what is compiled for this object may be used for the `other`."""
        return (
            isinstance(other, ObjectSpec)
            and (self.kind, self.is_value) == (other.kind, other.is_value)
            and self.shape.is_compatible_with(other.shape)
            and len(self.elements) == len(other.elements)
            and all(map(_covers, self.elements, other.elements))
        )


def common_spec(specs: Sequence[ValueSpec]) -> ValueSpec:
    """What is known of a value that has one of these specs, which are of one dtype."""
    first = specs[0]
    if isinstance(first, ListSpec):
        elements = [spec.element for spec in specs if isinstance(spec, ListSpec)]
        return ListSpec(_relaxed(elements))
    if isinstance(first, TensorSpec):
        return _relaxed([spec for spec in specs if isinstance(spec, TensorSpec)])
    return first


def _relaxed(specs: Sequence[TensorSpec]) -> TensorSpec:
    shape = specs[0].shape
    for spec in specs[1:]:
        shape = shape.relax(spec.shape)
    return TensorSpec(shape, specs[0].dtype)


class VariableSpec(LeafSpec):
    """An argument that is a variable; equal `alias_id`s are the same variable."""

    __slots__ = ("alias_id", "dtype", "shape", "trainable")

    def __init__(
        self, shape: Any, dtype: Any = dtypes.float32, trainable: bool = True,
        alias_id: int | None = None,
    ) -> None:  # fmt: skip
        self.shape = as_shape(shape)
        self.dtype = as_dtype(dtype)
        self.trainable = trainable
        self.alias_id = alias_id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableSpec) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash(self._facts())

    def _facts(self) -> tuple[Any, ...]:
        return (self.shape.entries, self.dtype, self.trainable, self.alias_id)

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable}, "
            f"alias_id={self.alias_id})"
        )


ValueSpec = TensorSpec | ResourceSpec | ListSpec | ObjectSpec


def _covers(wide: ValueSpec, narrow: ValueSpec) -> bool:
    if isinstance(wide, TensorSpec):
        return narrow.dtype is wide.dtype and narrow.shape.is_subtype_of(wide.shape)
    return wide.covers(narrow) if isinstance(wide, ObjectSpec) else wide == narrow


class Known:
    """What inference knows of one operand: its spec and, where it is constant, its value.

    `value` is the whole array or None. `sizes` is for integer scalars and vectors that hold
    shapes: a tuple with None for each element that only run time knows, or None.
    """

    __slots__ = ("sizes", "spec", "value")

    def __init__(
        self,
        spec: ValueSpec,
        value: np.ndarray[Any, Any] | None = None,
        sizes: tuple[int | None, ...] | None = None,
    ) -> None:
        self.spec = spec
        self.value = value
        may_be_sizes = value is not None and value.ndim < 2 and value.dtype.kind in "iu"
        if sizes is not None or not may_be_sizes:
            self.sizes = sizes  # else read when a rule first asks: a vector may be long

    def __getattr__(self, name: str) -> Any:
        if name != "sizes" or self.value is None:
            raise AttributeError(name)
        self.sizes = tuple(self.value.reshape(-1).tolist())
        return self.sizes

    @property
    def dtype(self) -> DType:
        return self.spec.dtype

    @property
    def shape(self) -> TensorShape:
        return self.spec.shape

    @property
    def rank(self) -> int | None:
        return self.spec.shape.rank

    def as_shape(self) -> TensorShape:
        """The shape that this integer vector spells (-1 counts as unknown)."""
        if self.sizes is not None:
            return TensorShape(tuple(None if s is None or s < 0 else s for s in self.sizes))
        length = self.shape.entries[0] if self.shape.entries else None
        return UNKNOWN if length is None else TensorShape((None,) * length)
