"""When a function is traced anew for objects, and what its traces keep: F11 to F18."""

from __future__ import annotations

import dataclasses
import enum
import gc
import math
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.tracing import counted, traces

SLICES_HAVE_HASHES = sys.version_info >= (3, 12)


class Value:
    """Equal by what it holds."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.held == other.held

    def __hash__(self) -> int:
        return hash(self.held)


class Equal:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal)

    __hash__ = None  # type: ignore[assignment]


@dataclasses.dataclass
class Mutable:
    x: int


@dataclasses.dataclass(frozen=True)
class Size:
    width: int
    height: int = 1


class Slotted:
    __slots__ = ("x",)


class Thing:
    def __init__(self, number: int = 0) -> None:
        self.number = number

    def method(self) -> int:
        return self.number

    def scaled(self, x: Any) -> Any:
        return x * self.number


@behaviour("F11")
@pytest.mark.parametrize(
    "value",
    [{1, 2}, bytearray(b"x"), Equal(), Mutable(1), *([] if SLICES_HAVE_HASHES else [slice(1)])],
    ids=lambda v: type(v).__name__,
)
def test_what_cannot_be_hashed_is_refused_with_advice(value: Any) -> None:
    with pytest.raises(TypeError, match="Could not generate a generic TraceType for") as failure:
        traces(value)

    assert "hashable" in str(failure.value)
    assert "Tracing Protocol" in str(failure.value)


@behaviour("F11")
def test_frozen_sets_and_ranges_are_values() -> None:
    one, same, other = frozenset((1, 2)), frozenset((2, 1)), frozenset((1, 3))

    assert traces(one, same, other) == 2
    assert traces(range(3), range(3), range(4)) == 2
    if SLICES_HAVE_HASHES:
        assert traces(slice(1), slice(1), slice(2)) == 2


@behaviour("F12")
def test_objects_are_keyed_by_identity() -> None:
    one, other = Thing(), Thing()

    assert traces(one, one, other, one) == 2


@behaviour("F12")
def test_objects_that_are_equal_share_a_trace_while_the_first_lives() -> None:
    one, same, other = Value(1), Value(1), Value(2)

    assert traces(one, same, other, same) == 2


@behaviour("F13")
@pytest.mark.parametrize("make", [Thing, lambda: Value(1), lambda: Value(Thing()), lambda: Size(1)])
def test_a_trace_keeps_no_object_alive(make: Callable[[], Any]) -> None:
    f = counted()
    thing = make()
    f(thing)
    f(thing)
    held = getattr(thing, "held", None)
    parts = [thing, held] if isinstance(held, Thing) else [thing]
    references = [weakref.ref(part) for part in parts]
    del thing, held, parts
    gc.collect()

    assert [reference() for reference in references] == [None] * len(references)
    assert f.experimental_get_tracing_count() == 1


@behaviour("F13")
@pytest.mark.parametrize("make", [Thing, lambda: Value(Thing())])
def test_nor_does_a_call_that_a_more_general_trace_serves(make: Callable[[], Any]) -> None:
    f, thing = tf.function(lambda x, y: x), make()
    f.get_concrete_function(tf.TensorSpec([None]), thing)
    f(tf.ones([3]), thing)
    reference = weakref.ref(thing)
    del thing
    gc.collect()

    assert reference() is None
    assert f.experimental_get_tracing_count() == 1


def closing_over(thing: Thing) -> Any:
    return lambda x: x * thing.number


def having_a_default(thing: Thing) -> Any:
    def scaled(x: Any, by: Any = thing) -> Any:
        return x * by.number

    return scaled


def method_of(thing: Thing) -> Any:
    return thing.scaled


def calling(thing: Thing) -> Any:
    inner = tf.function(closing_over(thing))
    return lambda x: inner(x)


@behaviour("F13")
@pytest.mark.parametrize("make", [closing_over, having_a_default, method_of, calling])
@pytest.mark.parametrize("autograph", [True, False])
def test_a_trace_alone_keeps_nothing_alive_that_its_function_used(
    make: Callable[[Thing], Any], autograph: bool
) -> None:
    thing = Thing(3)
    function = tf.function(make(thing), autograph=autograph)
    trace = function.get_concrete_function(tf.TensorSpec([], tf.int32))
    reference = weakref.ref(thing)
    del thing, function
    gc.collect()

    assert reference() is None
    assert trace(tf.constant(2)).numpy() == 6


@behaviour("F13")
def test_an_object_in_the_place_of_a_dead_one_is_traced_anew() -> None:
    f = counted()
    for _ in range(3):
        f(Thing())
        gc.collect()

    assert f.experimental_get_tracing_count() == 3


@behaviour("F13")
@differs
@pytest.mark.parametrize(
    "make", [lambda: Size(1), lambda: Value(("a", 1.0)), lambda: Value(Size(1))]
)
def test_small_values_share_a_trace_after_the_first_is_gone(make: Callable[[], Any]) -> None:
    f = counted()
    for _ in range(3):
        f(make())
        gc.collect()
    f(Size(2))

    assert f.experimental_get_tracing_count() == 2


@behaviour("F14")
def test_objects_that_cannot_be_held_weakly_are_cached() -> None:
    one = Slotted()

    assert traces(one, one, Slotted()) == 2


@behaviour("F15")
def test_a_changed_attribute_of_an_object_is_not_seen() -> None:
    thing = Thing(1)
    f = counted(lambda x: tf.constant(x.number))

    before = f(thing).numpy()
    thing.number = 2

    assert (before, f(thing).numpy()) == (1, 1)
    assert f.experimental_get_tracing_count() == 1


@behaviour("F15")
@differs
def test_what_changed_since_it_was_traced_can_be_asked_for() -> None:
    thing = Thing(1)
    f = counted(lambda x: tf.constant(x.number))
    f(thing)
    thing.number = 2

    assert "x.number: traced as 1, 2 by now" in f.explain()


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def function() -> None: ...


@behaviour("F16")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (function, closing_over),
        (abs, len),
        (lambda: 1, lambda: 1),
        (Thing, Value),
        (int, float),
        (Color.RED, Color.BLUE),
        (tf.float32, tf.float64),
        (math, gc),
    ],
)
def test_functions_classes_and_their_like_are_keyed_by_equality(one: Any, other: Any) -> None:
    assert traces(one, one, other, one, other) == 2


@behaviour("F16")
@differs
def test_dtypes_and_classes_that_equal_them_have_traces_of_their_own() -> None:
    f = counted(lambda x: tf.constant(isinstance(x, tf.DType)))

    assert [f(one).numpy() for one in (tf.float32, tf.float32, np.float32, int)] == [
        True, True, False, False
    ]  # fmt: skip


@behaviour("F16")
def test_a_function_as_an_argument_is_traced_once() -> None:
    inner = counted(lambda: tf.constant(7))
    outer = counted(lambda f: f())

    assert [outer(inner).numpy(), outer(inner).numpy()] == [7, 7]
    assert outer.experimental_get_tracing_count() == 1


@behaviour("F16")
def test_a_traced_method_as_an_argument_is_traced_once() -> None:
    class Model:
        @tf.function
        def call(self) -> Any:
            return tf.constant(7)

    f, one, other = counted(lambda method: method()), Model(), Model()
    for model in (one, one, other, one):
        assert f(model.call).numpy() == 7

    assert f.experimental_get_tracing_count() == 2


@behaviour("F17")
@differs
def test_a_bound_method_is_traced_once() -> None:
    f, thing = counted(), Thing()
    f(thing.method)
    f(thing.method)

    assert f.experimental_get_tracing_count() == 1


@behaviour("F17")
def test_methods_of_two_objects_differ() -> None:
    assert traces(Thing().method, Thing().method) == 2


@behaviour("F17")
def test_a_bound_method_keeps_its_instance_no_longer_than_others_do() -> None:
    f, thing = counted(), Thing()
    f(thing.method)
    reference = weakref.ref(thing)
    del thing
    gc.collect()

    assert reference() is None


@behaviour("F18")
@differs
def test_equal_shapes_share_a_trace() -> None:
    f = counted()
    for dims in ([1, 2], [1, 2], [1]):
        f(tf.TensorShape(dims))

    assert f.experimental_get_tracing_count() == 2
