"""Columns of all kinds as plain values that say their class, and from these again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import dense as dense  # it imports all kinds, and so `KINDS` has them
from .column import FeatureColumn
from .configurations import configured
from .configurations import deserialize_feature_column as deserialize_feature_column


def serialize_feature_column(fc: Any) -> Any:
    """A column as its class and what it was made of; the name of a feature as it is.

    Raises:
        ValueError: it is neither.
    """
    if not isinstance(fc, (FeatureColumn, str)):
        raise ValueError(f"Instance: {fc} is not a FeatureColumn, nor the name of a feature")
    return configured(fc)


def serialize_feature_columns(feature_columns: Any) -> list[Any]:
    """Each of several."""
    return [serialize_feature_column(one) for one in feature_columns]


def deserialize_feature_columns(
    configs: Any, custom_objects: Mapping[str, Any] | None = None
) -> list[Any]:
    """Each of several; a column that several read is one."""
    made: dict[str, Any] = {}
    return [deserialize_feature_column(one, custom_objects, made) for one in configs]
