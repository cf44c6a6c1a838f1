"""What a variable is asked to be when it is shared between replicas; one device has just one."""

from __future__ import annotations

from enum import Enum


class VariableSynchronization(Enum):
    """When copies of a variable are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class Combination(Enum):
    """How the copies are combined then: the same in TensorFlow 1 and 2, whose names differ."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Combination) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


class VariableAggregationV2(Combination):
    """How the copies are combined then."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


class VariableAggregation(Combination):
    """How the copies are combined then, as TensorFlow 1 calls it."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
    ONLY_FIRST_TOWER = 3
