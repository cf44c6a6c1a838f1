"""Records of dicts and lists, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ...core import dtypes
from ...core.specs import TensorSpec
from ...core.type_spec import TypeSpec
from ..conversion import as_tensor
from ..ragged.constant import constant
from ..ragged.ragged_shape import DynamicRaggedShape
from ..ragged.row_partition import RowPartition
from .fields import converted, is_structured

Path = tuple[str, ...]
Make = Callable[[dict[str, Any], DynamicRaggedShape], Any]


def from_python(value: Any, spec: Any, path: Path, make: Make) -> Any:
    """What users hold in dicts and lists, as `spec` (if it is not None) says. `make` gives records
    of fields and axes.

    Raises:
        KeyError: records do not have the same fields.
        ValueError: dicts stand beside other values, or `spec` says otherwise.
    """
    if spec is not None and not isinstance(spec, TypeSpec):
        _mismatch(path, value, spec)
    depth = 0 if isinstance(value, dict) else _depth_of_dicts(value)
    wanted: int | None = getattr(spec, "rank", None) if hasattr(spec, "fields") else None
    if depth is None and wanted is None:
        return _plain(value, spec, path)
    if depth is None:
        depth = wanted
    elif spec is not None and wanted != depth:
        _mismatch(path, value, spec)
    return _records(value, spec, path, depth or 0, make)


def _mismatch(path: Path, value: Any, spec: Any) -> NoReturn:
    raise ValueError(f"Value at {path} does not match typespec: {value!r} is not as {spec!r} says")


def _depth_of_dicts(value: Any) -> int | None:
    """In how many lists the dicts are; None where there are none.

    Raises:
        ValueError: they are not all as deep, or stand beside other values.
    """
    if isinstance(value, dict):
        return 0
    if not isinstance(value, list | tuple):
        return None
    depths = {_depth_of_dicts(one) for one in value if not _is_empty(one)}
    if not depths or depths == {None}:
        return None
    if None in depths and any(not isinstance(one, list | tuple | dict) for one in value):
        raise ValueError("Expected dict or nested list/tuple of dict")
    depths.discard(None)
    if len(depths) > 1:
        raise ValueError("Inconsistent depth of dictionaries")
    return 1 + (depths.pop() or 0)


def _is_empty(value: Any) -> bool:
    """Whether this is a list of nothing, which could be of dicts."""
    return isinstance(value, list | tuple) and not value


def _records(value: Any, spec: Any, path: Path, depth: int, make: Make) -> Any:
    flat, lengths = [value], []
    for _ in range(depth):
        lengths.append([len(one) for one in flat])
        flat = [one for row in flat for one in row]
    names = list(dict.fromkeys(name for one in flat for name in one))
    if spec is not None:
        if flat and set(names) != set(spec.fields):
            _mismatch(path, value, spec)
        names = list(spec.fields)
    fields = {
        name: from_python(
            _each(value, depth, name),
            None if spec is None else spec.fields[name],
            (*path, str(name)),
            make,
        )
        for name in names
    }
    fields = converted(fields)
    if depth == 0:
        return make(fields, DynamicRaggedShape((), np.zeros([0], np.int64)))
    rows = [RowPartition.from_row_lengths(np.array(one, np.int64)) for one in lengths[1:]]
    return make(fields, DynamicRaggedShape(rows, np.array([len(flat)], np.int64)))


def _each(value: Any, depth: int, name: Any) -> Any:
    return value[name] if depth == 0 else [_each(one, depth - 1, name) for one in value]


def _plain(value: Any, spec: Any, path: Path) -> Any:
    dtype = None if spec is None else spec.dtype
    ranks = 0 if isinstance(spec, TensorSpec) else getattr(spec, "ragged_rank", None)
    try:
        nested = isinstance(value, list | tuple)
        made = constant(value, dtype, ranks) if nested else as_tensor(value, dtype)
    except (TypeError, ValueError) as error:
        raise ValueError(f"Error parsing path {path}: {error}") from error
    if spec is not None and not spec.is_compatible_with(made):
        _mismatch(path, value, spec)
    return made


def to_python(records: Any) -> Any:
    """Records as dicts, in lists where there are axes."""
    values = {name: _listed(value) for name, value in records._values.items()}
    places = _listed(records._rows_of_zeros())
    return _dicts(values, places)


def _dicts(values: dict[str, Any], places: Any) -> Any:
    if not isinstance(places, list):
        return values
    return [
        _dicts({name: one[row] for name, one in values.items()}, place)
        for row, place in enumerate(places)
    ]


def _listed(value: Any) -> Any:
    if is_structured(value):
        return to_python(value)
    if hasattr(value, "to_list"):
        return value.to_list()
    array = value.numpy()
    if not value.shape.rank:  # a NumPy scalar, as `numpy()` gives it, or bytes
        return array
    return np.asarray(array, object if value.dtype == dtypes.string else None).tolist()
