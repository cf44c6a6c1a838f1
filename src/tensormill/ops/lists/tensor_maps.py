"""Maps from tensors to tensors, as values: what is inserted or erased makes another map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType
from ...core.specs import ObjectSpec, TensorSpec
from ...errors import InvalidArgumentError
from ..op import Attr, In, Op, Out
from ..strings.tensor_text import array_text

SPEC: Final = ObjectSpec("tensor map", is_value=True)
ABSENT = '{}: Could not find key "{}" in a map of {}'
OTHER_VALUE = "{}: the value of this key has dtype {}, and not {}"
OTHER_KEYS = "{}: keys have dtype {} and shape {}: they do not all have dtype {} and the shape {}"
EMPTY = "{}: the map is empty: it has no keys whose shape could be told"
NO_MAP = "{} was expected to get a map of tensors, but got {:.100}"

Key = tuple[str, tuple[int, ...], Any]


class MapValue:
    """Keys by what they are, and the key and the value of each. Immutable."""

    __slots__ = ("items",)
    spec: Final = SPEC

    def __init__(self, items: Mapping[Key, tuple[Any, Any]]) -> None:
        self.items: Final = items

    def __repr__(self) -> str:
        return f"<map of {len(self.items)} tensors>"


def _identity(key: Any) -> Key:
    """What a key is: its dtype, its shape and its elements; NaN is itself."""
    elements = tuple(key.reshape(-1).tolist()) if key.dtype == object else key.tobytes()
    return key.dtype.str if key.dtype.names is None else str(key.dtype), key.shape, elements


def _kept(value: Any) -> Any:
    """Arrays may lie in memory that a compiled program takes back."""
    return value.copy() if isinstance(value, np.ndarray) else value


def _dtype_of(value: Any) -> DType:
    return dtypes.as_dtype(value.dtype) if isinstance(value, np.ndarray) else dtypes.variant


def _items(application: Any) -> Mapping[Key, tuple[Any, Any]]:
    found = application.input_handle
    if not isinstance(found, MapValue):
        raise InvalidArgumentError(NO_MAP.format(application.name, repr(found)))
    return found.items


def _place(application: Any) -> tuple[Mapping[Key, tuple[Any, Any]], Key]:
    """The items of a map and where its key is, which must be there."""
    items, place = _items(application), _identity(application.key)
    if place not in items:
        told = ABSENT.format(application.name, array_text(application.key, 3), len(items))
        raise InvalidArgumentError(told)
    return items, place


class EmptyTensorMap(Op):
    """A map without keys."""

    handle = Out("variant")
    differentiable = False

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> MapValue:
        return MapValue({})


class TensorMapSize(Op):
    """How many keys a map has."""

    input_handle = In("variant")
    size = Out("i32")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> Any:
        return np.asarray(len(_items(self)), np.int32)


class TensorMapInsert(Op):
    """A map in which a key has this value, whatever it had before."""

    input_handle = In("variant")
    key = In("key_dtype ...")
    value = In("value_dtype ...")
    output_handle = Out("variant")
    differentiable = False

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> MapValue:
        pair = _kept(self.key), _kept(self.value)
        return MapValue({**_items(self), _identity(self.key): pair})


class TensorMapLookup(Op):
    """The value of a key.

    Raises:
        InvalidArgumentError: there is no such key, or its value has another dtype.
    """

    input_handle = In("variant")
    key = In("key_dtype ...")
    value = Out("value_dtype ...")
    value_dtype = Attr()
    differentiable = False

    def infer(self) -> Any:
        return SPEC if self.value_dtype is dtypes.variant else TensorSpec(None, self.value_dtype)

    def eager(self, np: Any) -> Any:
        items, place = _place(self)
        value = items[place][1]
        if (found := _dtype_of(value)) is not self.value_dtype:
            told = OTHER_VALUE.format(self.name, found.name, self.value_dtype.name)
            raise InvalidArgumentError(told)
        return value


class TensorMapErase(Op):
    """A map without this key.

    Raises:
        InvalidArgumentError: there is no such key.
    """

    input_handle = In("variant")
    key = In("key_dtype ...")
    output_handle = Out("variant")
    value_dtype = Attr()
    differentiable = False

    def infer(self) -> ObjectSpec:
        return SPEC

    def eager(self, np: Any) -> MapValue:
        items, place = _place(self)
        return MapValue({one: pair for one, pair in items.items() if one != place})


class TensorMapHasKey(Op):
    """Whether a map has this key."""

    input_handle = In("variant")
    key = In("key_dtype ...")
    has_key = Out("bool")
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec((), dtypes.bool_)

    def eager(self, np: Any) -> Any:
        return np.asarray(_identity(self.key) in _items(self))


class TensorMapStackKeys(Op):
    """All keys of a map beside each other, in the order in which they came into it.

    Raises:
        InvalidArgumentError: the map is empty, or the keys do not have one dtype and one shape.
    """

    input_handle = In("variant")
    keys = Out("key_dtype ...")
    key_dtype = Attr()
    differentiable = False

    def infer(self) -> TensorSpec:
        return TensorSpec(None, self.key_dtype)

    def eager(self, np: Any) -> Any:
        keys = [key for key, _ in _items(self).values()]
        if not keys:
            raise InvalidArgumentError(EMPTY.format(self.name))
        shape = keys[0].shape
        for one in keys:
            if one.shape != shape or one.dtype != self.key_dtype.storage:
                facts = _dtype_of(one).name, one.shape, self.key_dtype.name, shape
                raise InvalidArgumentError(OTHER_KEYS.format(self.name, *facts))
        return np.stack(keys)
