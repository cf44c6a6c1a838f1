"""What describes an operator to `tf.function` and `tf.nest`: its class and its parameters.

The parameters that `_composite_tensor_fields` names are tensors, variables or operators; all
others are plain values. Sizes that are known stay plain, too: they decide what code is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from ..core import tree
from ..core.process.locks import serialised
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec, VariableSpec
from ..core.type_spec import BatchableTypeSpec, spec_of
from ..core.values import TensorLike
from ..eager.variable import Variable
from ..ops.conversion import as_tensor, static_value

Facts = Mapping[str, Any]


class LinearOperatorSpec(BatchableTypeSpec):
    """An operator: the specs of its tensors, its other parameters, and which of these are sizes.

    Each class of operators has its own class of specs. A name is no fact: operators that differ in
    nothing else share traces.
    """

    __slots__ = ("_plain", "_sizes", "_specs")
    _operator: ClassVar[type[Any]]

    def __init__(self, specs: Facts, plain: Facts, sizes: tuple[str, ...] = ()) -> None:
        self._specs = specs
        self._plain = plain
        self._sizes = sizes

    @property
    def value_type(self) -> type[Any]:
        """The kind of operator."""
        return self._operator

    @property
    def _component_specs(self) -> dict[str, Any]:
        return dict(self._specs)

    def _batch(self, batch_size: int | None) -> LinearOperatorSpec:
        return self._around(lambda part: part._batch(batch_size))

    def _unbatch(self) -> LinearOperatorSpec:
        return self._around(lambda part: part._unbatch())

    def _around(self, change: Callable[[Any], Any]) -> LinearOperatorSpec:
        """The spec of operators of other tensors; of variables these are the values."""

        def one(part: Any) -> Any:
            is_variable = isinstance(part, VariableSpec)
            return change(TensorSpec(part.shape, part.dtype) if is_variable else part)

        specs = {name: tree.map_structure(one, part) for name, part in self._specs.items()}
        return type(self)(specs, self._plain, self._sizes)

    def _serialize(self) -> tuple[Any, ...]:
        return self._specs, self._plain, self._sizes

    def _to_components(self, value: Any) -> dict[str, Any]:
        return {name: parameter(value, name) for name in self._specs}

    def _from_components(self, components: Any) -> Any:
        return self._operator(**dict(components), **self._plain)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._specs}, {self._plain}, {self._sizes})"

    def __reduce__(self) -> Any:
        return _made_again, (self._operator, *self._serialize())


@serialised
@cache  # as many as there are kinds of operators
def spec_class_of(cls: type[Any]) -> type[LinearOperatorSpec]:
    """The class of the specs of such operators, which is called after them."""
    return type(f"{cls.__name__}Spec", (LinearOperatorSpec,), {"__slots__": (), "_operator": cls})


def _made_again(cls: type[Any], *facts: Any) -> LinearOperatorSpec:
    return spec_class_of(cls)(*facts)


def spec_of_operator(operator: Any) -> LinearOperatorSpec | None:
    """The spec of an operator; None for a class that does not say which parameters are tensors."""
    fields, sizes = (
        operator._composite_tensor_fields,
        operator._composite_tensor_prefer_static_fields,
    )
    if not fields:
        return None
    specs: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    for name in operator._parameters:
        if name == "name":
            continue
        value = parameter(operator, name)
        if name in sizes and (known := plain_size(value)) is not None:
            plain[name] = known
        elif name in fields and value is not None:
            specs[name] = tree.map_structure(_spec, value)
        else:
            plain[name] = value
    return spec_class_of(type(operator))(specs, plain, tuple(sizes))


def parameter(operator: Any, name: str) -> Any:
    """An argument, as the operator keeps it: what stands for None where there is such a thing."""
    given = operator._parameters[name]
    kept = getattr(operator, name, given)
    is_unknown = isinstance(kept, TensorShape) and not kept.is_fully_defined()
    return given if is_unknown else kept


def plain_size(value: Any) -> Any:
    """A size, or sizes, as ints where they are known."""
    if value is None or isinstance(value, TensorShape):
        return value
    found = static_value(as_tensor(value))
    return None if found is None else (found.tolist() if found.ndim == 0 else tuple(found.tolist()))


def _spec(value: Any) -> Any:
    if isinstance(value, Variable):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    if isinstance(value, tree.Composite):
        return spec_of(value)
    tensor = value if isinstance(value, TensorLike) else as_tensor(value)
    return TensorSpec(tensor.shape, tensor.dtype)
