"""Which calls share a trace."""

from __future__ import annotations

import collections
import dataclasses
import enum
import gc
import types
import weakref
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.function.trace_type import Encoder

ONE = tf.constant(1.0)


def traced(*calls: tuple[Any, ...]) -> int:
    """How many traces these calls need together."""

    @tf.function(autograph=False)
    def anything(*args: Any) -> Any:
        return tf.constant(0)

    for call in calls:
        anything(*call)
    return anything.experimental_get_tracing_count()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (tf.constant(1), tf.constant(2)),
        (tf.constant(1), np.int32(5)),
        (np.array(1, np.int32), tf.constant(7)),
        (np.float32(1), np.float32(2)),
        (1, 1),
        (float("nan"), float("nan")),
        (None, None),
        ([tf.constant(1)], [tf.constant(2)]),
        (frozenset((1, 2)), frozenset((2, 1))),
        (range(3), range(3)),
        (tf.TensorShape([1, 2]), tf.TensorShape([1, 2])),
        (len, len),
        (tf.float32, tf.float32),
    ],
)
def test_alike_arguments_share_a_trace(first: Any, second: Any) -> None:
    assert traced((first,), (second,)) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (tf.constant(1), tf.constant([1])),
        (tf.constant([1]), tf.constant([1, 2])),
        (tf.constant(1), tf.constant(1.0)),
        (tf.constant(1), np.int64(1)),
        (1, 2),
        ("a", b"a"),
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        (0, False),
        ((tf.constant(1),), [tf.constant(1)]),
        ([tf.constant(1)], [tf.constant(1), tf.constant(2)]),
        ({}, []),
        ([], ()),
        ({"a": 1}, {"b": 1}),
        ({"a": tf.constant(1), "b": tf.constant(2)}, {"b": tf.constant(3), "a": tf.constant(4)}),
        ({"a": 1}, collections.OrderedDict(a=1)),
        ({"a": 1}, collections.defaultdict(int, a=1)),
        (tf.Variable(1), tf.constant(1)),
        (tf.Variable(1.0), tf.Variable(1.0, trainable=False)),
        (len, abs),
        (tf.float32, tf.float64),
        (object(), object()),
    ],
)
def test_unlike_arguments_have_traces_of_their_own(first: Any, second: Any) -> None:
    assert traced((first,), (second,), (first,), (second,)) == 2


def test_python_scalars_keep_their_type() -> None:
    same = tf.function(lambda x: x)

    assert same(1.0).dtype == tf.float32
    assert same(1).dtype == tf.int32
    assert same(True).dtype == tf.bool


@pytest.mark.parametrize(
    "value", [[], (), {}, [1, ONE], (ONE, (2,)), {"b": ONE, "a": [1]}, {2: 1, 1: {"x": ONE}}]
)
def test_the_quick_keys_of_plain_containers_are_those_of_all_containers(value: Any) -> None:
    quick, slow = Encoder(), Encoder()

    assert quick.encode(value) == slow.container(value)
    assert [id(leaf) for leaf in quick.leaves] == [id(leaf) for leaf in slow.leaves]


def test_named_tuple_classes_with_equal_fields_differ() -> None:
    one = collections.namedtuple("one", "x y")
    other = collections.namedtuple("other", "x y")

    assert traced((one(1, 2),), (other(1, 2),), (one(1, 2),)) == 2


def test_a_list_subclass_shares_the_trace_of_a_list() -> None:
    class Special(list[Any]):
        pass

    assert traced(([tf.constant(1)],), (Special([tf.constant(2)]),)) == 1


@pytest.mark.parametrize(
    "value",
    [
        {1, 2},
        bytearray(b"x"),
        types.MappingProxyType({"a": 1}),
        collections.deque([1]),
        dataclasses.make_dataclass("Mutable", [("x", int)])(1),
    ],
)
def test_what_cannot_be_compared_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="Could not generate a generic TraceType"):
        traced((value,))


def test_keys_without_an_order_are_refused() -> None:
    with pytest.raises(TypeError, match=r"not supported|sorted"):
        traced(({"a": 1, 2: 3},))


def test_the_same_object_is_traced_once_and_not_kept_alive() -> None:
    class Anything:
        pass

    thing = Anything()
    count = traced((thing,), (thing,))
    reference = weakref.ref(thing)
    del thing
    gc.collect()

    assert count == 1
    assert reference() is None


def test_objects_equal_by_value_share_a_trace_after_the_first_is_gone() -> None:
    @dataclasses.dataclass(frozen=True)
    class Size:
        width: int

    assert traced((Size(1),), (Size(1),), (Size(1),), (Size(2),)) == 2


def test_objects_that_cannot_be_held_weakly_work() -> None:
    class Slotted:
        __slots__ = ()

    one = Slotted()

    assert traced((one,), (one,), (Slotted(),)) == 2


def test_bound_methods_are_known_by_instance_and_function() -> None:
    class Thing:
        def method(self) -> None: ...

    thing = Thing()

    assert traced((thing.method,), (thing.method,), (Thing().method,)) == 2


def test_enum_members_are_known_by_value() -> None:
    color = enum.Enum("color", "RED BLUE")

    assert traced((color.RED,), (color.BLUE,), (color.RED,)) == 2


def test_variables_are_known_by_spec_and_each_call_acts_on_its_own() -> None:
    @tf.function
    def add_one(v: Any) -> Any:
        return v.assign_add(1.0)

    one, two = tf.Variable(1.0), tf.Variable(10.0)
    add_one(one)
    add_one(two)

    assert add_one.experimental_get_tracing_count() == 1
    assert (one.numpy(), two.numpy()) == (2.0, 11.0)


def test_which_arguments_are_the_same_variable_is_part_of_the_key() -> None:
    @tf.function
    def move(a: Any, b: Any) -> Any:
        a.assign_add(1.0)
        b.assign(b * 10.0)
        return a + b

    one, two = tf.Variable(1.0), tf.Variable(1.0)

    assert move(one, one).numpy() == 40.0
    assert move(two, two).numpy() == 40.0
    assert move(one, two).numpy() == 21.0 + 200.0
    assert move.experimental_get_tracing_count() == 2


def test_a_variable_that_is_an_argument_and_captured_is_one_variable() -> None:
    shared = tf.Variable(1.0)

    @tf.function
    def twice(v: Any) -> Any:
        v.assign_add(1.0)
        shared.assign_add(10.0)
        return v.read_value(), shared.read_value()

    other = tf.Variable(100.0)
    results = [twice(other), twice(shared), twice(other), twice(shared)]

    assert [tuple(x.numpy() for x in pair) for pair in results] == [
        (101.0, 11.0), (22.0, 22.0), (102.0, 32.0), (43.0, 43.0)
    ]  # fmt: skip


def test_a_class_may_flatten_itself() -> None:
    class Pair:
        def __init__(self, label: str, x: Any, y: Any) -> None:
            self.label, self.x, self.y = label, x, y

        def __tf_flatten__(self) -> Any:
            return (self.label,), (self.x, self.y)

        @classmethod
        def __tf_unflatten__(cls, metadata: Any, components: Any) -> Pair:
            return cls(*metadata, *components)

    @tf.function
    def swap(pair: Any) -> Any:
        return Pair(pair.label, pair.y, pair.x)

    swapped = swap(Pair("a", tf.constant(1), tf.constant(2)))
    swap(Pair("a", tf.constant(3), tf.constant(4)))
    count = swap.experimental_get_tracing_count()
    swap(Pair("b", tf.constant(1), tf.constant(2)))

    assert (swapped.label, swapped.x.numpy(), swapped.y.numpy()) == ("a", 2, 1)
    assert (count, swap.experimental_get_tracing_count()) == (1, 2)


def test_a_spec_is_no_argument_of_a_call() -> None:
    with pytest.raises(ValueError, match="unsupported type TensorSpec"):
        traced((tf.TensorSpec([]),))


def test_spellings_of_a_call_share_a_trace() -> None:
    @tf.function
    def spelled(a: Any, b: Any = 2, *, c: Any = 3) -> Any:
        return tf.constant(0)

    spelled(1)
    spelled(1, 2)
    spelled(a=1)
    spelled(1, b=2)
    spelled(b=2, a=1)
    spelled(1, c=3)

    assert spelled.experimental_get_tracing_count() == 1


def test_the_order_of_keywords_is_irrelevant() -> None:
    @tf.function
    def keywords(**kwargs: Any) -> Any:
        return kwargs["a"] - kwargs["b"]

    assert keywords(a=tf.constant(3), b=tf.constant(1)).numpy() == 2
    assert keywords(b=tf.constant(1), a=tf.constant(3)).numpy() == 2
    assert keywords.experimental_get_tracing_count() == 1


def test_a_default_that_is_a_tensor_is_an_argument_like_others() -> None:
    @tf.function
    def doubled(x: Any = ONE) -> Any:
        return x * 2.0

    assert doubled().numpy() == 2.0
    assert doubled(tf.constant(4.0)).numpy() == 8.0
    assert doubled.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    ("args", "kwargs", "reason"),
    [
        ((), {}, "missing a required argument: 'a'"),
        ((1, 2, 3), {}, "too many positional arguments"),
        ((1,), {"z": 1}, "got an unexpected keyword argument 'z'"),
        ((1,), {"a": 1}, "multiple values for argument 'a'"),
    ],
)
def test_arguments_that_do_not_fit_are_named(args: Any, kwargs: Any, reason: str) -> None:
    function = tf.function(lambda a, b=1: tf.constant(0))

    with pytest.raises(TypeError, match=r"Binding inputs to tf.function failed") as failure:
        function(*args, **kwargs)

    assert reason in str(failure.value)


def test_scopes_and_tapes_are_no_part_of_the_key() -> None:
    @tf.function
    def doubled(x: Any) -> Any:
        return x * 2.0

    x = tf.constant(1.0)
    doubled(x)
    with tf.name_scope("elsewhere"):
        doubled(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        doubled(x)
    tf.function(lambda x: doubled(x))(x)

    assert doubled.experimental_get_tracing_count() == 1


def test_a_more_general_trace_serves_more_specific_calls() -> None:
    @tf.function
    def total(x: Any) -> Any:
        return tf.reduce_sum(x)

    total.get_concrete_function(tf.TensorSpec([None], tf.float32))
    results = [total(tf.ones([size])).numpy() for size in (1, 2, 5)]

    assert results == [1.0, 2.0, 5.0]
    assert total.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("change", ["append", "pop", "reverse", "nested", "dict"])
def test_changing_an_argument_is_an_error_and_leaves_the_callers_alone(change: str) -> None:
    @tf.function(autograph=False)
    def changes(items: Any, table: Any) -> Any:
        match change:
            case "append":
                items.append(tf.constant(0))
            case "pop":
                items.pop()
            case "reverse":
                items.reverse()
            case "nested":
                table["inner"].append(1)
            case _:
                table.update(b=1)
        return tf.constant(0)

    items, table = [tf.constant(1), tf.constant(2)], {"inner": [1]}
    with pytest.raises(ValueError, match="should not modify its Python input arguments") as failure:
        changes(items, table)

    assert str(failure.value).endswith(
        "items" if change in ("append", "pop", "reverse") else "table"
    )
    assert (len(items), table) == (2, {"inner": [1]})


def test_a_copy_of_an_argument_may_be_changed() -> None:
    @tf.function
    def extended(items: Any) -> Any:
        more = list(items)
        more.append(tf.constant(3))
        return tf.stack(more)

    assert extended([tf.constant(1), tf.constant(2)]).numpy().tolist() == [1, 2, 3]
