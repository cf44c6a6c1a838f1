"""What describes an operator to `tf.function` and `tf.nest`: its class and its parameters.

The parameters that `_composite_tensor_fields` names are tensors, variables or operators; all
others are plain values. Sizes that are known stay plain, too: they decide what code is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ..core import tree
from ..core.process.locks import serialised
from ..core.specs import TensorSpec, VariableSpec
from ..core.type_spec import BatchableTypeSpec, spec_of
from ..core.values import TensorLike
from ..eager.variable import Variable
from ..ops.conversion import as_tensor, static_value

Pairs = tuple[tuple[str, Any], ...]


class LinearOperatorSpec(BatchableTypeSpec):
    """An operator: its class, the specs of its tensors, its other parameters, and which of these
    are sizes.
    """

    __slots__ = ("_cls", "_plain", "_sizes", "_specs")

    def __init__(
        self, cls: type[Any], specs: Pairs, plain: Pairs, sizes: tuple[str, ...] = ()
    ) -> None:
        self._cls = cls
        self._specs = specs
        self._plain = plain
        self._sizes = sizes

    @property
    def value_type(self) -> type[Any]:
        """The kind of operator."""
        return self._cls

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

        specs = tuple([(name, tree.map_structure(one, part)) for name, part in self._specs])
        return _made_again(self._cls, specs, self._plain, self._sizes)

    def _serialize(self) -> tuple[Any, ...]:
        return self._cls, self._specs, self._plain, self._sizes

    def _to_components(self, value: Any) -> dict[str, Any]:
        return {name: parameter(value, name) for name, _ in self._specs}

    def _from_components(self, components: Any) -> Any:
        return self._cls(**dict(components), **dict(self._plain))

    def __repr__(self) -> str:
        rest = {name: value for name, value in self._plain if name != "name"}
        return f"{type(self).__name__}({dict(self._specs)}, {rest}, {self._sizes})"

    def __reduce__(self) -> Any:
        return _made_again, self._serialize()


@serialised
@cache  # as many as there are kinds of operators
def _kind_of(cls: type[Any]) -> type[LinearOperatorSpec]:
    """The class of the specs of such operators, which is called after them."""
    return type(f"{cls.__name__}Spec", (LinearOperatorSpec,), {"__slots__": ()})


def _made_again(cls: type[Any], *facts: Any) -> LinearOperatorSpec:
    return _kind_of(cls)(cls, *facts)


def spec_of_operator(operator: Any) -> LinearOperatorSpec | None:
    """The spec of an operator; None for a class that does not say which parameters are tensors."""
    fields, sizes = (
        operator._composite_tensor_fields,
        operator._composite_tensor_prefer_static_fields,
    )
    if not fields:
        return None
    specs: list[tuple[str, Any]] = []
    plain: list[tuple[str, Any]] = []
    for name in operator._parameters:
        value = parameter(operator, name)
        if name in sizes and (known := plain_size(value)) is not None:
            plain.append((name, known))
        elif name in fields and value is not None:
            specs.append((name, tree.map_structure(_spec, value)))
        else:
            plain.append((name, value))
    return _made_again(type(operator), tuple(specs), tuple(plain), tuple(sizes))


def parameter(operator: Any, name: str) -> Any:
    """An argument, as the operator keeps it; None stays None, whatever it stands for, except of
    what is known of the matrix.
    """
    given = operator._parameters[name]
    is_hint = name.startswith("is_")
    return None if given is None and not is_hint else getattr(operator, name, given)


def plain_size(value: Any) -> Any:
    """A size, or sizes, as ints where they are known."""
    if value is None:
        return None
    found = static_value(as_tensor(value))
    return None if found is None else (found.tolist() if found.ndim == 0 else tuple(found.tolist()))


def _spec(value: Any) -> Any:
    if isinstance(value, Variable):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    if isinstance(value, tree.Composite):
        return spec_of(value)
    tensor = value if isinstance(value, TensorLike) else as_tensor(value)
    return TensorSpec(tensor.shape, tensor.dtype)
