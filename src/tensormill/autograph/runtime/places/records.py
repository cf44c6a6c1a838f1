"""Dataclasses as structures, so that a variable may hold another instance after staged code.

Only here: for `tf.nest`, as for TensorFlow's, they are leaves.
"""

from __future__ import annotations

import copy
from collections import namedtuple
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ....core import tree
from ....core.process.locks import serialised
from .. import tensors
from ..policy import is_users


def is_record(value: Any) -> bool:
    """Whether it is an instance of a dataclass of the user's, and no tensor."""
    is_instance = hasattr(type(value), "__dataclass_fields__")
    return is_instance and is_users(value) and not tensors.may_be_tensor(value)


@serialised
@lru_cache(256)
def _tuple_of(cls: type[Any]) -> Any:
    names = [name.lstrip("_") or "field" for name in getattr(cls, "__dataclass_fields__", ())]
    return namedtuple(cls.__name__, names, rename=True)


def as_named_tuples(value: Any) -> Any:
    """The value, with named tuples in the place of dataclasses; itself where it holds none."""
    if is_record(value):
        return _tuple_of(type(value))(*map(as_named_tuples, fields_of(value)))
    node = tree.node_of(value)
    if node is None:
        return value
    before = node.children(value)
    children = [as_named_tuples(one) for one in before]
    is_same = all(one is old for one, old in zip(children, before, strict=True))
    return value if is_same else node.rebuild(value, children)


def as_dataclasses(like: Any, value: Any) -> Any:
    """The reverse of `as_named_tuples`, for something like `like`, with copies of dataclasses."""
    if is_record(like):
        pairs = zip(fields_of(like), value, strict=True)
        return instance_of_fields(like, [as_dataclasses(old, one) for old, one in pairs])
    node = tree.node_of(like)
    if node is None:
        return value
    pairs = zip(node.children(like), node.children(value), strict=True)
    return node.rebuild(like, [as_dataclasses(old, one) for old, one in pairs])


def fields_of(value: Any) -> list[Any]:
    return [getattr(value, name) for name in type(value).__dataclass_fields__]


def instance_of_fields(like: Any, fields: Iterable[Any]) -> Any:
    """Another instance with these fields; no code of its class runs."""
    made = copy.copy(like)
    overwrite_fields(made, fields)
    return made


def is_frozen(record: Any) -> bool:
    return type(record).__dataclass_params__.frozen


def overwrite_fields(record: Any, fields: Iterable[Any]) -> None:
    """Give a dataclass these fields for a while; no code of its class runs."""
    for name, one in zip(type(record).__dataclass_fields__, fields, strict=True):
        object.__setattr__(record, name, one)


def assign_fields(record: Any, fields: Iterable[Any]) -> bool:
    """Change all fields of a dataclass; whether they may be changed."""
    if is_frozen(record):
        return False
    for name, one in zip(type(record).__dataclass_fields__, fields, strict=True):
        setattr(record, name, one)
    return True


def instead_of_object(value: Any) -> str:
    """What to do about an object that staged code replaces by another one."""
    if not is_users(value) or is_record(value):
        return ""
    return (
        f". To have another object of class {type(value).__name__} each time, make that a "
        "dataclass; or change the attributes of one object"
    )
