"""Values of which each replica has its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..core import tree
from ..core.type_spec import TypeSpec
from ..core.values import TensorBase
from ..data.structure import type_spec_from_value
from ..eager.operators import Operators
from ..ops.conversion import as_tensor
from .frames import FRAME


class DistributedValues:
    """Values of several replicas, by the numbers of the replicas."""

    values: tuple[Any, ...]
    _called: str  # in print

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "_called" not in vars(cls):
            cls._called = cls.__name__

    # Sonnet and Keras 2 ask for the values, and for the first of them, by these names.

    @property
    def _values(self) -> tuple[Any, ...]:
        return self.values

    @property
    def _primary(self) -> Any:
        return self.values[0]

    def __str__(self) -> str:
        return self._listed(str)

    def __repr__(self) -> str:
        return self._listed(repr)

    def _listed(self, shown: Callable[[Any], str]) -> str:
        lines = ",\n".join(f"  {number}: {shown(one)}" for number, one in enumerate(self.values))
        return f"{self._called}:{{\n{lines}\n}}"


class Mirrored(DistributedValues):
    """Values of replicas that are the same."""


class MirroredTensors(Mirrored, Operators, TensorBase):
    """Such values that stand for the first of them, or a replica's own, where one is wanted."""

    _called = "Mirrored"

    def __init__(self, values: Any) -> None:
        self.values: Final = tuple(values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._here(), name)

    def _here(self) -> Any:
        """What the replica has whose code runs, else the first one."""
        here = FRAME.get()
        replica = None if here is None else here.replica
        return self.values[0 if replica is None else replica.number]

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return as_tensor(self._here(), dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self._here(), dtype)

    def __float__(self) -> float:
        return float(self._here())

    def __int__(self) -> int:
        return int(self._here())

    def __bool__(self) -> bool:
        return bool(self._here())

    __hash__ = object.__hash__


class PerReplica(tree.Composite, DistributedValues):
    """Values of replicas that may differ. Functions take and return them."""

    def __init__(self, values: Any) -> None:
        self.values: Final = tuple(values)

    @property
    def _type_spec(self) -> PerReplicaSpec:
        return PerReplicaSpec(*map(type_spec_from_value, self.values))


class PerReplicaSpec(TypeSpec):
    """Describes the value of each replica."""

    def __init__(self, *value_specs: Any) -> None:
        self._value_specs: Final = value_specs

    @property
    def value_type(self) -> type[Any]:
        """The class of the values that it describes."""
        return PerReplica

    @property
    def _component_specs(self) -> Any:
        return self._value_specs

    def _to_components(self, value: Any) -> Any:
        return value.values

    def _from_components(self, components: Any) -> PerReplica:
        return PerReplica(components)

    def _serialize(self) -> tuple[Any, ...]:
        return self._value_specs


def only_value(value: Any) -> Any:
    """What the only replica has, of a structure."""
    return tree.map_structure(
        lambda leaf: leaf.values[0] if isinstance(leaf, DistributedValues) else leaf, value
    )
