"""Values of which each replica has its own."""

from __future__ import annotations

from typing import Any, Final

from ..core import tree
from ..core.type_spec import TypeSpec
from ..ops.type_specs import type_spec_from_value


class DistributedValues:
    """Values of several replicas, by the numbers of the replicas."""

    values: tuple[Any, ...]


class Mirrored(DistributedValues):
    """Values of replicas that are kept the same: for isinstance."""


class PerReplica(tree.Composite, DistributedValues):
    """Values of replicas that may differ. Functions take and return them."""

    def __init__(self, values: Any) -> None:
        self.values: Final = tuple(values)

    @property
    def _type_spec(self) -> PerReplicaSpec:
        return PerReplicaSpec(*map(type_spec_from_value, self.values))

    def __repr__(self) -> str:
        lines = ",\n".join(f"  {number}: {value}" for number, value in enumerate(self.values))
        return f"PerReplica:{{\n{lines}\n}}"


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
