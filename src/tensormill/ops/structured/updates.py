"""Records with some fields changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .fields import as_field, converted, differ, is_structured, partitions_of, require_shape

Path = tuple[str, ...]


def updated(records: Any, updates: Mapping[Any, Any], validate: bool) -> Any:
    """Records with these fields set, changed or gone.

    Raises:
        ValueError: an update does not fit the records, or another update.
    """
    paths: dict[Path, Any] = {_path(key): value for key, value in updates.items()}
    if () in paths:
        raise ValueError("`StructuredTensor.with_updates` does not allow empty names ((),).")
    for path in paths:
        for end in range(1, len(path)):
            if path[:end] in paths:
                raise ValueError(
                    "`StructuredTensor.with_updates` does not allow both parent and child nodes to "
                    f"be updated: parent={path[:end]}, child={path}."
                )
    return _changed(records, paths, (), validate)


def _path(key: Any) -> Path:
    if not isinstance(key, str | list | tuple):
        raise TypeError(f"a field is named by text or a sequence of it, not {key!r}")
    return (key,) if isinstance(key, str) else tuple(key)


def _changed(records: Any, paths: Mapping[Path, Any], above: Path, validate: bool) -> Any:
    fields = dict(records._values)
    deeper: dict[str, dict[Path, Any]] = {}
    for path, value in paths.items():
        if len(path) == 1:
            _set(fields, path[0], value, above)
        else:
            deeper.setdefault(path[0], {})[path[1:]] = value
    for name, inner in deeper.items():
        _require_parent(fields, name, above, next(iter(inner)))
        fields[name] = _changed(fields[name], inner, (*above, name), validate)
    try:
        return _with_fields(records, fields, validate)
    except (TypeError, ValueError) as error:
        place = f" for field {above}" if above else ""
        raise ValueError(f"`StructuredTensor.with_updates` failed{place}: {error}") from error


def _set(fields: dict[str, Any], name: str, value: Any, above: Path) -> None:
    path = (*above, name)
    if value is None:
        if fields.pop(name, None) is None:
            raise ValueError(
                f"`StructuredTensor.with_updates` cannot delete field {path} because it is not "
                "present."
            )
        return
    if callable(value):
        if name not in fields:
            raise ValueError(
                f"`StructuredTensor.with_updates` cannot update the field {path} because a "
                "function was given, but there is no such field."
            )
        value = value(fields[name])
    fields[name] = value


def _require_parent(fields: dict[str, Any], name: str, above: Path, inner: Path) -> None:
    path = (*above, name)
    if name not in fields:
        raise ValueError(
            f"`StructuredTensor.with_updates` cannot create new sub-field {(*path, *inner)} if "
            f"parent field {path} is not set."
        )
    if not is_structured(fields[name]):
        raise ValueError(
            f"`StructuredTensor.with_updates` cannot create new sub-field {(*path, *inner)}: "
            f"{path} is no StructuredTensor, but {type(fields[name]).__name__}."
        )


def _with_fields(records: Any, fields: dict[str, Any], validate: bool) -> Any:
    """Records of the same shape with other fields."""
    values = converted(fields)
    require_shape(values, records.shape)
    rank = records.rank
    for name, value in values.items() if rank > 1 else ():
        mine = records.row_partitions
        pairs = zip(mine, partitions_of(as_field(value), rank - 1), strict=True)
        if any(differ(one, other) for one, other in pairs):
            raise ValueError(f"Error in shape of {name}: it has other rows than the records")
    made = type(records)
    if validate and values and rank:
        rows = records.row_partitions or None
        made.from_fields(values, records.shape, records.nrows(), rows, validate)
    return made(values, records._ragged_shape)
