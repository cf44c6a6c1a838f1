"""When a function is traced anew, by its arguments: statements F1 to F10, F19 to F22."""

from __future__ import annotations

import collections
import math
import types
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf
from tests.behaviours.tracing import counted, traces

# ---------------------------------------------------------------- tensors and arrays


@behaviour("F1")
def test_the_key_is_dtype_and_shape_never_the_value() -> None:
    f = counted()
    counts: list[int] = []
    for value in (1, 2, [1], [1, 2], [[1]], 1.0):
        f(tf.constant(value))
        counts.append(f.experimental_get_tracing_count())
    f(tf.constant(1, tf.int64))

    assert counts == [1, 1, 2, 3, 4, 5]
    assert f.experimental_get_tracing_count() == 6


@behaviour("F2")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (tf.constant(1), np.int32(1)),
        (tf.constant(1), np.array(1, np.int32)),
        (np.array([1, 2], np.int32), tf.constant([3, 4])),
        (np.float32(1), np.float32(2)),
        (np.float64(1.0), tf.constant(1.0, tf.float64)),
        (np.int64(1), tf.constant(1, tf.int64)),
        (np.bool_(True), np.bool_(False)),
        (np.bool_(True), tf.constant(False)),
    ],
)
def test_arrays_and_numpy_scalars_share_the_trace_of_their_tensor(first: Any, second: Any) -> None:
    assert traces(first, second) == 1


@behaviour("F2")
def test_numpy_scalars_are_tensors_of_their_own_dtype() -> None:
    values = (np.float32(1), np.float64(1), np.int32(1), np.int64(1), np.bool_(True))
    f = counted(lambda x: x)

    assert [f(value).dtype for value in values] == [
        tf.float32, tf.float64, tf.int32, tf.int64, tf.bool
    ]  # fmt: skip
    assert f.experimental_get_tracing_count() == 5


@behaviour("F2")
def test_strings_of_numpy_are_python_strings() -> None:
    f = counted(lambda x: tf.constant(x == "a"))

    assert [f(one).numpy() for one in (np.str_("a"), "a", np.str_("b"))] == [True, True, False]
    assert f.experimental_get_tracing_count() == 2


# ---------------------------------------------------------------- Python values


@behaviour("F3")
@pytest.mark.parametrize(
    ("values", "count"),
    [
        ((1, 1, 2), 2),
        ((1, 2, 3, 4), 4),
        ((1.5, 1.5, 2.5), 2),
        (("a", "a", "b"), 2),
        (("a", b"a"), 2),
        ((None, None), 1),
        ((1j, 1j, 2j), 2),
    ],
)
def test_python_values_have_a_trace_for_each_value(values: Any, count: int) -> None:
    assert traces(*values) == count


@behaviour("F4")
@differs
def test_python_numbers_of_different_types_have_traces_of_their_own() -> None:
    f = counted(lambda x: tf.constant(x))

    results = [f(1.0), f(1), f(True)]

    assert [one.dtype for one in results] == [tf.float32, tf.int32, tf.bool]


@behaviour("F4")
@differs
def test_zeros_of_every_kind_have_traces_of_their_own() -> None:
    f = counted(lambda x: tf.constant(x))

    results = [f(0), f(0.0), f(-0.0), f(False)]

    assert [one.dtype for one in results] == [tf.int32, tf.float32, tf.float32, tf.bool]
    assert [math.copysign(1.0, results[k].numpy()) for k in (1, 2)] == [1.0, -1.0]


@behaviour("F5")
def test_nan_has_one_trace() -> None:
    assert traces(float("nan"), float("nan"), math.nan) == 1


# ---------------------------------------------------------------- containers

Point = collections.namedtuple("Point", "x y")
Place = collections.namedtuple("Place", "x y")


@behaviour("F6")
@pytest.mark.parametrize(
    "values",
    [
        ((tf.constant(1), tf.constant(2)), [tf.constant(1), tf.constant(2)]),
        ([tf.constant(1)], [tf.constant(1), tf.constant(2)]),
        ([tf.constant(1), [tf.constant(2)]], [[tf.constant(1)], tf.constant(2)]),
        ([1, (2, "a")], [1, (2, "b")]),
        ({}, [], ()),
        ({"a": 1}, {"b": 1}, {"a": 1, "b": 1}),
    ],
)
def test_containers_are_part_of_the_key(values: Any) -> None:
    assert traces(*values, *values) == len(values)


@behaviour("F6")
def test_equal_nests_of_tensors_share_a_trace() -> None:
    def nest(value: int) -> Any:
        return [{"a": (tf.constant(value), None)}, [], 3]

    assert traces(nest(1), nest(2)) == 1


@behaviour("F7")
def test_named_tuple_classes_with_the_same_fields_differ() -> None:
    assert traces(Point(1, 2), Place(1, 2), Point(1, 2)) == 2


def mapping(kind: Any, keys: str, first: int = 0) -> Any:
    return kind((key, tf.constant(number)) for number, key in enumerate(keys, first))


@behaviour("F8")
@pytest.mark.parametrize("kind", [dict, collections.OrderedDict])
def test_mappings_are_keyed_by_their_keys(kind: Any) -> None:
    assert traces(mapping(kind, "ab"), mapping(kind, "ab", 5), mapping(kind, "abc")) == 2


@behaviour("F8", "F10")
def test_containers_of_modules_share_the_traces_of_plain_ones() -> None:
    module = tf.Module()
    module.table, module.items = {"a": tf.constant(1)}, [tf.constant(1)]

    assert traces(module.table, {"a": tf.constant(2)}, module.items, [tf.constant(2)]) == 2


@behaviour("F8")
def test_the_body_sees_the_mapping_that_the_first_call_gave() -> None:
    seen: list[Any] = []
    counted(lambda x: seen.append(x))(mapping(collections.OrderedDict, "ba"))

    assert type(seen[0]) is collections.OrderedDict
    assert list(seen[0]) == ["b", "a"]


@behaviour("F8")
@differs
@pytest.mark.parametrize("kind", [dict, collections.OrderedDict])
def test_the_body_sees_the_order_of_keys_of_every_call(kind: Any) -> None:
    in_order = counted(lambda d: tf.stack(list(d.values())))

    results = [in_order(mapping(kind, keys)).numpy().tolist() for keys in ("ab", "ba", "ab")]

    assert results == [[0, 1], [0, 1], [0, 1]]
    assert in_order.experimental_get_tracing_count() == 2


@behaviour("F8")
@differs
def test_the_body_sees_the_kind_of_mapping_of_every_call() -> None:
    seen: list[Any] = []
    f = counted(lambda d: seen.append(type(d)))
    kinds = [dict, collections.OrderedDict, lambda items: collections.defaultdict(int, items)]
    for kind in kinds:
        f(mapping(kind, "a"))

    assert seen == [dict, collections.OrderedDict, collections.defaultdict]


@behaviour("F9")
def test_keys_of_mappings_may_be_numbers_or_tuples() -> None:
    assert (
        traces({1: tf.constant(1), 2: tf.constant(2)}, {1: tf.constant(3), 2: tf.constant(4)}) == 1
    )
    assert traces({(1, 2): tf.constant(1)}, {(1, 3): tf.constant(1)}) == 2


@behaviour("F9")
def test_keys_that_have_no_order_are_refused() -> None:
    with pytest.raises(TypeError, match="'<' not supported"):
        traces({"a": 1, 2: 3})


@behaviour("F9")
def test_views_of_mappings_are_refused() -> None:
    with pytest.raises(TypeError, match="mappingproxy"):
        traces(types.MappingProxyType({"a": 1}))


@behaviour("F9")
def test_deques_are_refused() -> None:
    with pytest.raises(TypeError, match="Could not generate a generic TraceType"):
        traces(collections.deque([1]))


@behaviour("F10")
def test_a_list_subclass_shares_the_trace_of_a_list() -> None:
    class Special(list[Any]):
        pass

    assert traces([tf.constant(1)], Special([tf.constant(2)])) == 1


# ---------------------------------------------------------------- variables


@behaviour("F19")
def test_variables_are_keyed_by_what_they_hold_and_each_call_acts_on_its_own() -> None:
    f = counted(lambda v: v.assign_add(1.0))
    one, other = tf.Variable(1.0), tf.Variable(10.0)
    f(one)
    f(other)
    f(other)

    assert f.experimental_get_tracing_count() == 1
    assert (one.numpy(), other.numpy()) == (2.0, 12.0)


class Slots:
    """Numbers for variables, found by their identity, as an optimizer keeps them."""

    def __init__(self, *variables: Any) -> None:
        self.variables = variables
        self.numbers = {id(v): 10.0 * k for k, v in enumerate(variables)}


@behaviour("F19")
def test_who_knows_a_variable_by_its_identity_knows_it_in_the_body() -> None:
    one = tf.Variable(1.0)
    slots = Slots(tf.Variable(0.0), one)
    f = counted(lambda v, known: v.assign_add(known.numbers[id(v)]))
    f(one, slots)
    f(one, slots)

    assert one.numpy() == 21.0
    assert f.experimental_get_tracing_count() == 1


@behaviour("F19")
@differs
def test_also_the_second_variable_is_known_by_its_own_identity() -> None:
    variables = [tf.Variable(0.0), tf.Variable(0.0)]
    slots = Slots(*variables)
    f = tf.function(lambda v: v.assign_add(slots.numbers[id(v)]))
    for v in variables:
        f(v)

    assert [v.numpy() for v in variables] == [0.0, 10.0]


@behaviour("F19")
@differs
def test_a_variable_in_the_closure_stays_itself_when_another_is_passed() -> None:
    held, other = tf.Variable(3.0), tf.Variable(1.0)
    f = tf.function(lambda v: v * 2.0 + held)

    assert [f(held).numpy(), f(other).numpy(), f(held).numpy()] == [9.0, 5.0, 9.0]


@behaviour("F19")
@pytest.mark.parametrize(
    "other",
    [{"initial_value": [1.0]}, {"initial_value": 1}, {"initial_value": 1.0, "trainable": False}],
)
def test_variables_differ_by_shape_dtype_and_whether_they_are_trainable(other: Any) -> None:
    assert traces(tf.Variable(1.0), tf.Variable(**other)) == 2


@behaviour("F20")
def test_which_variables_are_the_same_is_part_of_the_key() -> None:
    def move(a: Any, b: Any) -> Any:
        a.assign_add(1.0)
        b.assign_add(10.0)
        return a.read_value() + b.read_value()

    f = counted(move)
    one, other = tf.Variable(0.0), tf.Variable(100.0)
    counts: list[int] = []
    results: list[float] = []
    for pair in ((one, one), (one, other), (other, other), (other, one)):
        results.append(f(*pair).numpy())
        counts.append(f.experimental_get_tracing_count())

    assert counts == [1, 2, 2, 2]
    assert results == [22.0, 122.0, 242.0, 144.0]


@behaviour("F21")
def test_a_variable_and_a_tensor_differ() -> None:
    assert traces(tf.Variable(1.0), tf.constant(1.0), tf.Variable(2.0), tf.constant(2.0)) == 2


# ---------------------------------------------------------------- values of several tensors


def sparse(indices: Any, shape: Any) -> Any:
    return tf.SparseTensor(indices, [1.0] * len(indices), shape)


@behaviour("F22")
def test_sparse_tensors_are_keyed_by_their_dense_shape() -> None:
    assert traces(sparse([[1, 0]], [2, 2]), sparse([[0, 1]], [2, 2]), sparse([[0, 1]], [3, 2])) == 2


@behaviour("F22")
def test_ragged_tensors_are_keyed_by_the_number_of_rows() -> None:
    ragged = tf.ragged.constant

    assert traces(ragged([[1], [2, 3]]), ragged([[1, 2], [3]]), ragged([[1], [2], [3]])) == 2


@behaviour("F22")
def test_indexed_slices_of_one_form_share_a_trace() -> None:
    def slices(row: int) -> Any:
        return tf.IndexedSlices(tf.ones([1, 2]), tf.constant([row]), tf.constant([4, 2]))

    assert traces(slices(0), slices(1)) == 1


@behaviour("F22")
def test_datasets_are_keyed_by_their_elements() -> None:
    numbers = tf.data.Dataset.range

    assert traces(numbers(3), numbers(4), numbers(4).batch(2)) == 2


@behaviour("F22")
def test_iterators_share_a_trace_and_go_on_independently() -> None:
    f = counted(lambda iterator: next(iterator))
    one, other = iter(tf.data.Dataset.range(3)), iter(tf.data.Dataset.range(10, 13))

    assert [f(it).numpy() for it in (one, other, one, other)] == [0, 10, 1, 11]
    assert f.experimental_get_tracing_count() == 1


@behaviour("F22")
def test_generators_of_random_numbers_are_keyed_by_identity() -> None:
    one, other = (tf.random.Generator.from_seed(seed) for seed in (1, 2))

    assert traces(one, one, other) == 2
