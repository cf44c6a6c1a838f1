"""Arguments that had two names for a while."""

from __future__ import annotations

from typing import Any


def either(name: str, value: Any, old_name: str, old_value: Any) -> Any:
    """What was given under one of two names.

    Raises:
        ValueError: both were.
    """
    if old_value is None:
        return value
    if value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{name}'.")
    return old_value


def required(name: str, value: Any) -> Any:
    """`value`; a ValueError where it was not given."""
    if value is None:
        raise ValueError(f"Argument `{name}` must be specified")
    return value
