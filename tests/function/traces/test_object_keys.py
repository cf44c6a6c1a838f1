"""What of an object a key keeps: a copy of what is plain, else nothing."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import uuid
from typing import Any

import pytest

import tensormill as tf
from tensormill.function.traces.object_keys import (
    EqualKey,
    MethodKey,
    ObjectKey,
    object_key,
    plain_copy,
)

Color = enum.Enum("Color", "RED")


@dataclasses.dataclass(frozen=True)
class Size:
    width: Any


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Slotted) and self.x == other.x

    def __hash__(self) -> int:
        return hash(self.x)


class Thing:
    def method(self) -> None: ...


class Unruly(Slotted):
    __slots__ = ()

    def __deepcopy__(self, memo: Any) -> Any:
        raise RuntimeError


class Forgetful(Slotted):
    __slots__ = ()

    def __reduce__(self) -> Any:
        return Forgetful, (0,)


@pytest.mark.parametrize(
    "value",
    [
        Size(1),
        Size((1, "a", None)),
        Size(Size(2.5)),
        Slotted(3),
        frozenset((1, "a")),
        Size(Color.RED),
        datetime.date(2020, 2, 2),
        pathlib.PurePath("a/b"),
        uuid.UUID(int=5),
        tf.TensorShape([1, None]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_small_plain_values_are_copied(value: Any) -> None:
    copy = plain_copy(value)

    assert copy is not value
    assert copy == value
    assert hash(copy) == hash(value)


@pytest.mark.parametrize(
    "value",
    [
        Size(Thing()),
        Size((1, (Thing(),))),
        Size(len),
        Size(tuple(range(1000))),
        Unruly(1),
        Forgetful(1),
        len,
        tf.float32,
        range(1, 9, 2),
        fractions.Fraction(1, 3),
        decimal.Decimal(1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_holds_more_cannot_be_copied_or_is_shared_is_not(value: Any) -> None:
    assert plain_copy(value) is None


def test_objects_that_hold_each_other_are_not_copied() -> None:
    first = Slotted(None)
    first.x = (first,)

    assert plain_copy(first) is None


def test_a_kept_key_equals_that_of_an_equal_object() -> None:
    kept = object_key(Size(1))
    assert isinstance(kept, EqualKey)
    kept = kept.kept()

    assert kept == object_key(Size(1)) != object_key(Size(2))
    assert hash(kept) == hash(object_key(Size(1)))
    assert kept != object_key(Slotted(1))


def test_a_kept_key_of_what_is_not_copied_equals_nothing_once_it_is_gone() -> None:
    thing = Thing()
    value = Size(thing)
    key = object_key(value)
    assert isinstance(key, EqualKey)
    kept = key.kept()
    while_alive = kept == object_key(Size(thing))
    del value, key

    assert while_alive
    assert kept != object_key(Size(thing))
    assert kept.value is None


def test_objects_without_equality_have_keys_by_identity() -> None:
    one, other = Thing(), Thing()

    assert isinstance(object_key(one), ObjectKey)
    assert object_key(one) == object_key(one) != object_key(other)
    assert isinstance(object_key(Thing), ObjectKey)
    assert isinstance(object_key(Color.RED), ObjectKey)


def test_methods_have_the_keys_of_their_instances() -> None:
    one, other = Thing(), Thing()

    assert isinstance(object_key(one.method), MethodKey)
    assert object_key(one.method) == object_key(one.method) != object_key(other.method)
    assert object_key(Size(1).__init__) == object_key(Size(1).__init__)
    assert object_key(one.method) != object_key(Thing.method)
