"""`tf.experimental.Optional`: an element that may not be there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import context, dtypes, tree
from ..core.dtypes import DType
from ..core.shapes import SCALAR, TensorShape
from ..core.specs import TensorSpec, ValueSpec
from ..core.type_spec import TypeSpec
from ..core.type_spec_names import register
from ..errors import InvalidArgumentError
from ..ops.checks.assertions import Assert
from ..ops.conversion import as_tensor
from . import structure
from .iterator_handles import blank_component
from .operations import blank_tensor

EMPTY = "The given optional does not have a value."


@register("tf.OptionalSpec")
class OptionalSpec(TypeSpec):
    """Describes an Optional whose value `element_spec` describes."""

    __slots__ = {
        "element_spec": "What describes the value, where there is one.",
    }  # with what `help` says of them

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes."""
        return Optional

    @classmethod
    def from_value(cls, value: Optional) -> OptionalSpec:
        """What describes an Optional.

        >>> tf.OptionalSpec.from_value(tf.experimental.Optional.from_value(1.0))
        OptionalSpec(TensorSpec(shape=(), dtype=tf.float32, name=None),)
        """
        return cls(value.element_spec)

    def _to_legacy_output_types(self) -> Any:
        return self

    _to_legacy_output_shapes = _to_legacy_output_classes = _to_legacy_output_types

    @property
    def _component_specs(self) -> tuple[ValueSpec, ...]:
        flag = TensorSpec((), dtypes.bool_)
        if self.element_spec is None:
            return (flag,)
        return flag, *structure.flat_specs(self.element_spec)

    def _to_components(self, value: Any) -> tuple[Any, ...]:
        return value._component_tensors()

    def _from_components(self, components: Any) -> Optional:
        has_value, *parts = components
        known = parts if self.element_spec is not None else None
        return Optional(has_value, known, self.element_spec)

    def _serialize(self) -> tuple[Any, ...]:
        return (self.element_spec,)

    @property
    def dtype(self) -> DType:
        """`tf.variant`."""
        return dtypes.variant

    @property
    def shape(self) -> TensorShape:
        """That of a scalar, whatever the value is."""
        return SCALAR

    def __repr__(self) -> str:
        return f"OptionalSpec({self.element_spec!r},)"


class Optional(tree.Composite):
    """A value or nothing. Consists of a flag and the components of the value.

    Components of nothing are empty or zero, so that an Optional may be the result of a function,
    a branch or a loop, whatever it holds.
    """

    def __init__(self, has_value: Any, components: Sequence[Any] | None, element_spec: Any) -> None:
        """Use `from_value` or `empty`. `components` is None where there are none yet."""
        self._has_value = has_value
        self._components = None if components is None else tuple(components)
        self._element_spec = element_spec

    @staticmethod
    def from_value(value: Any) -> Optional:
        """An Optional that holds `value`, any structure of tensors."""
        element = structure.normalized(value)
        spec = structure.spec_of(element)
        return Optional(as_tensor(True), structure.components_of(element, spec), spec)

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """An Optional without a value. The spec of one may be told later, by a loop (None)."""
        return Optional(as_tensor(False), None, element_spec)

    # ---- as users see it
    def has_value(self, name: str | None = None) -> Any:
        """Whether there is a value: a scalar bool tensor."""
        return self._has_value

    def get_value(self, name: str | None = None) -> Any:
        """The value.

        Raises:
            InvalidArgumentError: there is none.
        """
        flag = self._has_value
        if not flag.symbolic and not context.building_graph():
            if not flag:
                raise InvalidArgumentError(EMPTY)
        elif not (known := _known(flag)):
            Assert(flag, [EMPTY]) if known is None else Assert(as_tensor(False), [EMPTY])
        return structure.packer(self._element_spec)(self._parts())

    @property
    def element_spec(self) -> Any:
        """What describes the value."""
        return self._element_spec

    # ---- as the library sees it
    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self._element_spec)

    def _component_tensors(self) -> tuple[Any, ...]:
        """The tensors that it is made of: whether there is a value, and the parts of that.

        >>> [one.numpy() for one in tf.experimental.Optional.from_value(2)._component_tensors()]
        [np.True_, np.int32(2)]
        """
        return (self._has_value, *self._parts())

    def _completed_by(self, later: Any) -> Any:
        """Where it is not known what this may hold: what `later`, in its place, holds."""
        if self._element_spec is not None or not isinstance(later, Optional):
            return self
        return Optional(self._has_value, None, later.element_spec)

    @property
    def _is_complete(self) -> bool:
        """Whether it is known what it may hold."""
        return self._element_spec is not None

    def _parts(self) -> tuple[Any, ...]:
        if self._components is not None:
            return self._components
        if self._element_spec is None:
            return ()
        # Not kept: they belong to the graph that is being traced here.
        make = blank_tensor if context.building_graph() else blank_component
        return tuple(map(make, structure.flat_specs(self._element_spec)))

    def __repr__(self) -> str:
        return f"<tf.experimental.Optional element_spec={self._element_spec}>"


def _known(flag: Any) -> Any:
    """Whether a symbolic flag is known to be true or false; None where it is not."""
    if not flag.symbolic:
        return bool(flag)
    value = flag._known.value
    return None if value is None else bool(value)


__all__ = ["Optional", "OptionalSpec"]
