"""Columns as plain values, and from these again, as JSON gives them back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..core.dtypes import DType, as_dtype
from ..module import initializers
from .starts import StartOfVectors

KINDS: Final[dict[str, Any]] = {}  # the classes of columns, by name


def configured(value: Any) -> Any:
    """A fact as plain values: columns as their class and facts, functions by name."""
    if isinstance(value, DType):
        return value.name
    if hasattr(value, "get_config"):  # columns, which are tuples, too
        name = getattr(value, "public_name", type(value).__name__)
        return {"class_name": name, "config": value.get_config()}
    if isinstance(value, tuple):
        return tuple([configured(one) for one in value])
    return getattr(value, "__name__", value) if callable(value) else value


def deserialize_feature_column(
    config: Any,
    custom_objects: Mapping[str, Any] | None = None,
    columns_by_name: dict[str, Any] | None = None,
) -> Any:
    """The column that `serialize_feature_column` was given.

    custom_objects: functions, initializers and classes of columns of the user's, by name.
    columns_by_name: the columns that are known, by class and name; new ones are added.

    Raises:
        ValueError: these are no such values, or they name what is unknown.
    """
    if isinstance(config, str):
        return config
    if not isinstance(config, Mapping) or not {"class_name", "config"} <= {*config}:
        raise ValueError(
            f"Improper config format: {config}; a column is a dict of class_name and config"
        )
    known = {**KINDS, **(custom_objects or {})}
    if config["class_name"] not in known:
        raise ValueError(
            f"Unknown column: {config['class_name']}; give its class in `custom_objects`, or one "
            f"of {sorted(KINDS)}"
        )
    kind = known[config["class_name"]]
    made = kind.from_config(config["config"], custom_objects, columns_by_name)
    if columns_by_name is None:
        return made
    return columns_by_name.setdefault(f"{config['class_name']}:{made.name}", made)


def column_of(
    kind: Any, config: Mapping[str, Any], custom: Mapping[str, Any] | None, made: Any
) -> Any:
    """A column of a class from its `get_config`.

    Raises:
        ValueError: these are other facts than its own.
    """
    if {*config} != {*kind._fields}:
        raise ValueError(f"Invalid config: {config}, expected keys: {kind._fields}")
    return kind(**{key: _fact(key, value, custom or {}, made) for key, value in config.items()})


def _fact(key: str, value: Any, custom: Mapping[str, Any], made: Any) -> Any:
    match key, value:
        case _, None:
            return None
        case "dtype", _:
            return as_dtype(value)
        case "initializer", {"class_name": name, "config": config}:
            kind = _known(name, custom, {"TruncatedNormal": StartOfVectors})
            return kind(**{one: config[one] for one in config if one != "dtype"})
        case "normalizer_fn", str():
            return _known(value, custom, {})
        case _, {"class_name": _, "config": _}:
            return deserialize_feature_column(value, custom, made)
        case _, list() | tuple():
            return tuple([_fact("", one, custom, made) for one in value])
        case _:
            return value


def _known(name: str, custom: Mapping[str, Any], ours: Mapping[str, Any]) -> Any:
    found = custom.get(name) or ours.get(name) or getattr(initializers, name, None)
    if not callable(found):
        raise ValueError(f"Unknown function: {name}; give it in `custom_objects`")
    return found
