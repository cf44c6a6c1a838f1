"""What a variable is asked to be when it is shared between replicas; one device has just one."""

from __future__ import annotations

from enum import Enum


class VariableSynchronization(Enum):
    """When copies of a variable are brought together."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(Enum):
    """How the copies are combined then."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
