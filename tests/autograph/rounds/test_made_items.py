"""Items and attributes that the body of a loop makes: Python counts them, once for each trace."""

from __future__ import annotations

from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import tensormill as tf


class Owner:
    items: Any
    calls: Any
    x: Any = None


class OfUsers(dict):  # type: ignore[type-arg]
    pass


KINDS: dict[str, Callable[[], Any]] = {
    "dict": dict,
    "OrderedDict": OrderedDict,
    "subclass": OfUsers,
    "UserDict": UserDict,
    "ChainMap": ChainMap,
    "defaultdict": lambda: defaultdict(int),
    "Counter": Counter,
}
PLAIN = ["dict", "OrderedDict", "subclass", "UserDict", "ChainMap"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_that_is_called_counts_once_in_several_rounds(kind: str) -> None:
    owner = Owner()
    owner.items = KINDS[kind]()

    def count() -> None:
        owner.items["z"] = owner.items.get("z", 0) + 1

    @tf.function
    def total(x: Any) -> Any:
        found = 0  # a float from the second round on
        for _ in tf.range(3):
            count()
            found = found + x
        return found

    assert 7.5 == float(total(tf.constant(2.5)))
    assert {"z": 1} == dict(owner.items)


@pytest.mark.parametrize("default", [0, 5])
@pytest.mark.parametrize("start", [0, 0.0])
@pytest.mark.parametrize("kind", PLAIN)
def test_an_item_is_counted_once_however_many_rounds_there_are(
    kind: str, start: float, default: int
) -> None:
    owner = Owner()
    owner.items = KINDS[kind]()

    @tf.function
    def total(x: Any) -> Any:
        found = start
        for _ in tf.range(3):
            owner.items["z"] = owner.items.get("z", default) + 1
            found = found + x
        return found, owner.items["z"]

    assert (7.5, default + 1) == tuple(float(one) for one in total(tf.constant(2.5)))
    assert {"z": default + 1} == dict(owner.items)


@pytest.mark.parametrize("start", [0, 0.0])
def test_loops_in_loops_count_an_item_once(start: float) -> None:
    owner = Owner()
    owner.items = OrderedDict()

    @tf.function
    def total(x: Any) -> Any:
        found = start
        for _ in tf.range(3):
            for _ in tf.range(2):
                owner.items["z"] = owner.items.get("z", 7) + 1
                found = found + x
        return found, owner.items["z"]

    assert [15.0, 8.0] == [float(one) for one in total(tf.constant(2.5))]


@pytest.mark.parametrize("start", [0, 0.0])
def test_an_attribute_is_counted_once(start: float) -> None:
    owner = Owner()

    @tf.function
    def total(x: Any) -> Any:
        found = start
        for _ in tf.range(3):
            owner.calls = getattr(owner, "calls", 3) + 1
            found = found + x
        return found

    assert 7.5 == float(total(tf.constant(2.5)))
    assert 4 == owner.calls


def test_what_the_body_makes_of_tensors_is_carried() -> None:
    owner = Owner()
    owner.items = OrderedDict()

    @tf.function
    def last(x: Any) -> Any:
        found = 0
        for i in tf.range(3):
            owner.items["z"] = x * tf.cast(i, tf.float32)
            found = found + owner.items["z"]
        return found, owner.items["z"]

    assert [7.5, 5.0] == [float(one) for one in last(tf.constant(2.5))]
