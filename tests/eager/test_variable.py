"""Variables: what they are made of, how they change, and that readers keep what they read."""

from __future__ import annotations

import copy
import pickle
from threading import get_ident
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core import context
from tensormill.core.specs import TensorSpec
from tensormill.eager.storage import Lent, Storage
from tensormill.errors import (
    DTypeMismatchError,
    FailedPreconditionError,
    InvalidArgumentError,
    OutOfRangeError,
    ShapeMismatchError,
)
from tensormill.graph.func_graph import FuncGraph
from tensormill.ops.state import variables

V = tf.Variable


@pytest.mark.parametrize(
    ("expected", "variable"),
    [
        ("'Variable:0' shape=() dtype=float32, numpy=1.0", V(1.0)),
        ("'w:0' shape=(2,) dtype=int64, numpy=array([1, 2])", V(np.array([1, 2]), name="w")),
        (
            "'Variable:0' shape=(None,) dtype=float32, numpy=array([1.], dtype=float32)",
            V([1.0], shape=[None]),
        ),
        ("'Variable:0' shape=() dtype=string, numpy=b'a'", V("a")),
        ("'Variable:0' shape=() dtype=float32, numpy=3.0", V(lambda: tf.constant(3.0))),
        ("'Variable:0' shape=(1, 1) dtype=int32, numpy=array([[1]], dtype=int32)", V([[1]])),
    ],
)
def test_repr_shows_name_shape_dtype_and_value(expected: str, variable: Any) -> None:
    assert f"<tf.Variable {expected}>" == repr(variable)


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, "`initial_value` .* must be specified", {}),
        (TypeError, "Cannot convert 1.5", {"initial_value": 1.5, "dtype": tf.int32}),
        (
            ValueError,
            "Tensor conversion requested",
            {"initial_value": tf.constant(1), "dtype": tf.float32},
        ),
        (
            ValueError,
            r"not compatible with the explicitly supplied `shape`",
            {"initial_value": [1.0], "shape": [2]},
        ),
    ],
)
def test_an_initial_value_must_fit(error: type[Exception], words: str, arguments: Any) -> None:
    with pytest.raises(error, match=words):
        V(**arguments)


def test_a_variable_is_trainable_unless_it_says_otherwise() -> None:
    on_read = tf.VariableSynchronization.ON_READ

    assert V(1).trainable
    assert not V(1.0, trainable=False).trainable
    assert not V(1.0, synchronization=on_read).trainable


def test_names_stand_in_their_scope() -> None:
    with tf.name_scope("outer"), tf.name_scope("inner"):
        assert "outer/inner/w:0" == V(1.0, name="w").name
    assert "Variable:0" == V(1.0).name


def test_assignments_change_the_variable_and_return_it() -> None:
    v = V([1.0, 2.0])

    assert v.assign([3, 4]).handle is v.handle
    assert [4, 6] == v.assign_add([1, 2]).numpy().tolist()
    assert [3, 5] == v.assign_sub(np.array([1, 1])).numpy().tolist()
    assert [6, 10] == v.assign(v + v).numpy().tolist()
    assert v.assign_add([1, 1], read_value=False) is None


def test_a_boolean_may_be_assigned_to_an_integer() -> None:
    assert 1 == int(V(3).assign(True))


@pytest.mark.parametrize(
    ("error", "words", "change"),
    [
        (ShapeMismatchError, r"variable 'Variable:0'.*\(2,\).*\(1,\)", lambda v: v.assign([1.0])),
        (
            ShapeMismatchError,
            r"shape \[2\] using a Tensor with shape \[\]",
            lambda v: v.assign_add(1.0),
        ),
        (ShapeMismatchError, "shapes must be equal", lambda v: v.assign_sub([1.0])),
        (ValueError, "Tensor conversion requested", lambda v: v.assign(tf.constant([1, 2]))),
        (TypeError, "Cannot convert", lambda v: v.assign(["a", "b"])),
        (DTypeMismatchError, "Cannot convert 2.5", lambda v: V(1).assign(2.5)),
    ],
)
def test_what_is_assigned_must_fit(error: type[Exception], words: str, change: Any) -> None:
    v = V([1.0, 2.0])
    with pytest.raises(error, match=words):
        change(v)
    assert [1, 2] == v.numpy().tolist()


def test_sizes_may_be_left_open() -> None:
    v = V([1.0], shape=[None])

    assert [None] == v.assign([1.0, 2.0]).shape.as_list()
    assert [1, 2] == v.numpy().tolist()
    assert [[1]] == V([1.0], shape=tf.TensorShape(None)).assign([[1.0]]).numpy().tolist()
    with pytest.raises(ValueError, match="Shape mismatch"):
        v.assign([[1.0]])


# ---- snapshots


@pytest.mark.parametrize(
    "read",
    [
        lambda v: v.value(),
        lambda v: v.read_value(),
        tf.convert_to_tensor,
        lambda v: v.numpy(),
        np.asarray,
        lambda v: np.asarray(v.value()),
        lambda v: v[:],
        lambda v: np.from_dlpack(v.value()),
    ],
)
@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.assign([9.0, 9.0]),
        lambda v: v.assign_add([1.0, 1.0]),
        lambda v: v[0].assign(9.0),
        lambda v: v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))),
        lambda v: v.scatter_nd_update([[0]], [9.0]),
    ],
)
def test_what_was_read_never_changes(read: Any, change: Any) -> None:
    v = V([1.0, 2.0])
    seen = read(v)
    change(v)

    assert [1, 2] == np.asarray(seen).tolist()
    assert [1, 2] != v.numpy().tolist()


def test_the_value_that_was_assigned_never_changes() -> None:
    source = tf.constant([1.0, 2.0])
    v = V(source)
    v.assign_add([1.0, 1.0])
    v.assign(source)
    v.assign_add([1.0, 1.0])

    assert [1, 2] == source.numpy().tolist()


def test_memory_that_nobody_else_holds_is_changed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    # Said, since threads that other tests began may not have ended.
    monkeypatch.setattr(variables, "active_count", lambda: 1)
    v = V(np.zeros(1000))
    address = v._storage.read().ctypes.data
    v.assign_add(np.ones(1000))
    v[3].assign(7.0)

    assert address == v._storage.read().ctypes.data
    assert [1, 7] == v.numpy()[2:4].tolist()


def test_memory_that_another_thread_could_take_meanwhile_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(variables, "active_count", lambda: 2)
    v = V(np.zeros(1000))
    address = v._storage.read().ctypes.data
    v.assign_add(np.ones(1000))

    assert address != v._storage.read().ctypes.data
    assert [1, 1] == v.numpy()[2:4].tolist()


def test_a_storage_never_keeps_a_view() -> None:
    array = np.zeros(4)
    storage = Storage(array[1:3], TensorSpec([2], tf.float64))

    assert storage.read().base is None
    assert storage.sole_array() is not None


def test_code_borrows_what_another_thread_assigned_a_moment_ago() -> None:
    class Assigned(Storage):
        """Another thread assigns right after the first look."""

        def read(self) -> Any:
            found = super().read()
            if (later := others.pop() if others else None) is not None:
                self.write(later)
            return found

    others = [np.full(2, 7.0)]
    storage = Assigned(np.zeros(2), TensorSpec([2], tf.float64))

    assert [7, 7] == storage.lend(Lent(get_ident())).tolist()


# ---- Python


def test_a_variable_is_a_number_and_a_sequence() -> None:
    assert (3, 1.5, True, 2) == (int(V(3)), float(V(1.5)), bool(V(1)), len(V([1, 2])))
    assert ("b", 1) == ("abc"[V(1)], V([1, 2]).ndim)
    assert [1, 2] == [int(x) for x in V([1, 2])]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(V([1, 2]))


def test_operators_are_those_of_its_value() -> None:
    v = V([1.0, 2.0])

    assert [2, 3] == (v + 1).numpy().tolist()
    assert [1, 4] == (v * v).numpy().tolist()
    assert [1, 0] == (1 - (v - 1) ** 2).numpy().tolist()
    assert [2, 4] == (tf.constant([1.0, 2.0]) + v).numpy().tolist()
    assert [True, True] == (v == v).numpy().tolist()
    assert isinstance(np.array([1.0, 1.0]) + v, tf.Tensor)


def test_a_variable_is_no_tensor_but_like_one() -> None:
    assert not isinstance(V(1), tf.Tensor)
    assert tf.is_tensor(V(1))


def test_variables_are_of_the_class_that_tensorflow_names() -> None:
    v = V([1.0])
    made = [v, copy.deepcopy(v), pickle.loads(pickle.dumps(v)), V.uninitialized(TensorSpec([1]))]

    assert {"ResourceVariable"} == {type(one).__name__ for one in made}
    assert isinstance(v, V)


def test_what_assigning_returns_is_the_variable_as_a_result() -> None:
    v = V([1.0], name="v")
    found = v.assign_add([1.0])
    v.assign([7.0])

    assert ("UnreadVariable", None) == (found.name, found.op)
    assert "<tf.Variable 'UnreadVariable' shape=(1,)" in repr(found)
    assert [7.0] == found.numpy() == v.numpy()
    assert [8.0] == found.assign_add([1.0]).numpy() == v.numpy()
    assert tf.compat.v1.assign(v, [2.0]).op is None
    with pytest.raises(AttributeError, match="op is undefined when eager"):
        v.op  # noqa: B018
    assert 2.0 == V(1.0).assign(2.0).numpy()  # whoever made it is gone


def test_a_class_of_a_users_own_stays_what_it_is() -> None:
    class Own(V): ...

    assert Own is type(Own(1.0))


def test_a_class_of_a_users_own_says_what_its_value_is() -> None:
    class Kept(V):
        dtype = property(lambda self: self.kept.dtype)
        shape = property(lambda self: self.kept.shape)

        def __init__(self, kept: Any) -> None:
            self.kept = kept

        def value(self) -> Any:
            return self.kept

    v = Kept(tf.constant([1.0, 2.0]))
    tf.register_tensor_conversion_function(Kept, lambda v, **_: 10 * v.kept)

    assert [2.0, 3.0] == (v + 1).numpy().tolist() == (1 + v).numpy().tolist()
    assert [0.5, 1.0] == tf.function(lambda: v / 2)().numpy().tolist()
    assert [True, False] == (v < 2).numpy().tolist() == (v == 10).numpy().tolist()
    assert [100.0, 400.0] == tf.square(v).numpy().tolist()
    assert 30.0 == tf.reduce_sum(v)
    assert [20.0] == tf.gather(v, [1]).numpy().tolist()


def test_a_variable_is_no_key_but_its_reference_is() -> None:
    v = V(1)

    with pytest.raises(TypeError, match=r"Variable is unhashable. Instead, use variable.ref\(\)"):
        hash(v)
    assert v.ref() == v.ref() != V(1).ref()
    assert v.ref().deref() is v


def test_copies_and_pickles_live_on_their_own() -> None:
    v = V([1.0], name="w", trainable=False)
    deep, pickled = copy.deepcopy(v), pickle.loads(pickle.dumps(v))
    v.assign([5.0])

    assert copy.copy(v) is v
    for other in (deep, pickled):
        assert ("w:0", False, [1]) == (other.name, other.trainable, other.numpy().tolist())


@pytest.mark.parametrize(
    "statement", ["v += 1", "v -= 1", "v *= 2", "v /= 2", "v //= 2", "v %= 2", "v **= 2"]
)
def test_augmented_assignment_names_the_method(statement: str) -> None:
    with pytest.raises(RuntimeError, match=r"not supported. Use `variable.assign"):
        exec(statement, {"v": V(1.0)})


def test_elements_are_assigned_by_a_method() -> None:
    v = V([1.0])
    with pytest.raises(TypeError, match=r"does not support item assignment.*assign"):
        v[0] = 1


@pytest.mark.parametrize("name", ["initial_value"])
def test_what_belongs_to_graphs_is_not_supported(name: str) -> None:
    with pytest.raises(RuntimeError, match="not supported when eager"):
        getattr(V(1), name)
    with pytest.raises(AttributeError, match="undefined when eager execution is enabled"):
        V(1).op  # noqa: B018


# ---- rows and slices


def slices(values: Any, indices: Any) -> Any:
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices))


@pytest.mark.parametrize(
    ("expected", "method", "values", "indices"),
    [
        ([9, 2, 3], "scatter_update", [9.0], [0]),
        ([3, 2, 3], "scatter_add", [1.0, 1.0], [0, 0]),
        ([1, 2, 1], "scatter_sub", [2.0], [2]),
        ([1, 6, 3], "scatter_mul", [3.0], [1]),
        ([1, 1, 3], "scatter_div", [2.0], [1]),
        ([1, 7, 3], "scatter_max", [7.0], [1]),
        ([1, -1, 3], "scatter_min", [-1.0], [1]),
    ],
)
def test_rows_are_changed(expected: list[float], method: str, values: Any, indices: Any) -> None:
    v = V([1.0, 2.0, 3.0])

    assert getattr(v, method)(slices(values, indices)).handle is v.handle
    assert expected == v.numpy().tolist()


def test_rows_of_a_matrix_are_changed() -> None:
    v = V(np.zeros((3, 2), np.float32))
    v.scatter_add(slices([[1.0, 2.0], [3.0, 4.0]], [2, 0]))

    assert [[3, 4], [0, 0], [1, 2]] == v.numpy().tolist()


@pytest.mark.parametrize(
    ("expected", "method"),
    [
        ([5, 2, 3], "scatter_nd_update"),
        ([6, 2, 3], "scatter_nd_add"),
        ([-4, 2, 3], "scatter_nd_sub"),
        ([5, 2, 3], "scatter_nd_max"),
        ([1, 2, 3], "scatter_nd_min"),
    ],
)
def test_elements_are_changed(expected: list[float], method: str) -> None:
    v = V([1.0, 2.0, 3.0])
    getattr(v, method)([[0]], [5.0])

    assert expected == v.numpy().tolist()


@pytest.mark.parametrize(
    ("error", "words", "change"),
    [
        (
            InvalidArgumentError,
            r"indices\[1\] = 5 is not in \[0, 3\)",
            lambda v: v.scatter_add(slices([1.0, 1.0], [0, 5])),
        ),
        (InvalidArgumentError, r"= -1 is not in", lambda v: v.scatter_update(slices([1.0], [-1]))),
        (
            InvalidArgumentError,
            r"= \[7\] does not index into shape \[3\]",
            lambda v: v.scatter_nd_update([[7]], [1.0]),
        ),
        (InvalidArgumentError, r"= 5 is not in", lambda v: v.sparse_read([5])),
        (ShapeMismatchError, "updates.shape", lambda v: v.scatter_add(slices([1.0, 1.0], [0]))),
        (TypeError, "must be a `tf.IndexedSlices`", lambda v: v.scatter_add(tf.constant([1.0]))),
        (InvalidArgumentError, "slice index 5 of dimension 0", lambda v: v[5].assign(1.0)),
        (
            ShapeMismatchError,
            r"shape \[3\] to a slice of shape \[2\]",
            lambda v: v[:2].assign([1.0, 2.0, 3.0]),
        ),
    ],
)
def test_places_must_exist(error: type[Exception], words: str, change: Any) -> None:
    v = V([1.0, 2.0, 3.0])
    with pytest.raises(error, match=words):
        change(v)
    assert [1, 2, 3] == v.numpy().tolist()


def test_rows_and_elements_are_read() -> None:
    v = V([[1.0, 2.0], [3.0, 4.0]])

    assert [[3, 4], [1, 2]] == v.sparse_read([1, 0]).numpy().tolist()
    assert [2] == v.gather_nd([[0, 1]]).numpy().tolist()


@pytest.mark.parametrize(
    "key",
    [0, -1, slice(1, None), slice(None, None, -2), ..., (slice(None), 0), (..., slice(1, 2)), None],
)
def test_slices_are_assigned_as_numpy_assigns_them(key: Any) -> None:
    expected = np.arange(6, dtype=np.float32).reshape(3, 2)
    v = V(expected)
    value = np.float32(10) * np.ones_like(expected[key])
    assert v[key].assign(value).handle is v.handle
    expected[key] = value
    np.testing.assert_array_equal(expected, v.numpy())

    v[key].assign_add(value)
    expected[key] += value
    np.testing.assert_array_equal(expected, v.numpy())

    v[key].assign_sub(1.0)
    expected[key] -= 1
    np.testing.assert_array_equal(expected, v.numpy())


def test_counting_stops_at_its_limit() -> None:
    v = V(0)

    assert [0, 1] == [int(v.count_up_to(2)), int(v.count_up_to(2))]
    with pytest.raises(OutOfRangeError, match="Reached limit of 2"):
        v.count_up_to(2)


# ---- making them


def test_creators_see_and_change_all_arguments() -> None:
    seen: list[str] = []

    def outer(next_creator: Any, **kwargs: Any) -> Any:
        seen.append("outer")
        return next_creator(**kwargs | {"name": kwargs["name"] + "_seen"})

    def inner(next_creator: Any, **kwargs: Any) -> Any:
        seen.append("inner")
        assert {"initial_value", "trainable", "dtype", "shape", "aggregation"} <= kwargs.keys()
        return next_creator(**kwargs | {"name": "w"})

    with tf.variable_creator_scope(outer), tf.variable_creator_scope(inner):
        assert "w_seen:0" == V(1.0).name
    assert ["inner", "outer"] == seen
    assert "Variable:0" == V(1.0).name


def test_reading_before_the_first_value_is_an_error() -> None:
    v = V.uninitialized(TensorSpec([2], tf.float32), name="late")

    assert not bool(v.is_initialized())
    with pytest.raises(FailedPreconditionError, match="late:0: it is uninitialized"):
        v.value()
    v.assign([1.0, 2.0])
    assert bool(v.is_initialized())


def test_recorders_see_reads_and_writes() -> None:
    seen: list[str] = []

    class Recorder:
        def record(self, application: Any) -> None:
            seen.append(application.name)

    v = V(1.0)
    with context.entered(context.top().replace(recorders=(Recorder(),))):
        v.assign_add(v * 2.0)

    assert ["ReadVariableOp", "Mul", "AssignAddVariableOp"] == seen


def test_a_trace_knows_the_variable_but_not_its_value() -> None:
    v = V([1.0, 2.0])
    with FuncGraph("f").as_default():
        assert "<tf.Variable 'Variable:0' shape=(2,) dtype=float32>" == repr(v)
        assert v.read_value().symbolic
        assert isinstance(v.assign_add([1.0, 1.0]), tf.Tensor)
        assert "AssignVariableOp" == v.assign([1.0, 1.0], read_value=False).type
        assert "AssignAddVariableOp" == v.assign_add([1.0, 1.0], read_value=False).type
        with pytest.raises(NotImplementedError, match="only available when eager"):
            v.numpy()

    assert [1, 2] == v.numpy().tolist()


def test_an_initial_value_cannot_come_from_a_trace() -> None:
    with FuncGraph("f").as_default():
        symbolic = tf.constant(1.0) + 1.0
        with pytest.raises(ValueError, match="depends on a tensor of the function"):
            V(symbolic)
        inside = V(5.0)
    assert 5.0 == float(inside)


def test_a_variable_has_the_members_of_older_days() -> None:
    v = tf.Variable(1.0, constraint=tf.nn.relu)

    v.load(2.0)
    assert 2.0 == float(v)
    assert tf.nn.relu is v.constraint
    assert tf.VariableAggregation.NONE is v.aggregation
    assert "4 4 0,2:0,4" == tf.Variable.SaveSliceInfo("n", [4, 4], [0, 0], [2, 4]).spec
    assert None is v._save_slice_info is v._get_save_slice_info()
    with pytest.raises(NotImplementedError):
        v.initialized_value()
    with pytest.raises(NotImplementedError):
        tf.Variable.from_proto(None)


def test_subclasses_of_clients_may_begin_otherwise() -> None:
    class Held(tf.Variable):
        def __init__(self, value: Any, trainable: bool) -> None:
            self._trainable = trainable
            self.held = value

        trainable = property(lambda self: self._trainable)

    assert Held(tf.ones([]), False).trainable is False
    assert Held(tf.ones([]), True).trainable is True


def test_subclasses_take_the_operators_of_their_values_when_asked() -> None:
    class Held(tf.Variable):
        def __init__(self, value: Any) -> None:
            self.held = value

        def __add__(self, other: Any) -> str:
            return "its own"

    Held._OverloadAllOperators()
    Held.value = lambda self: self.held  # type: ignore[method-assign]

    assert 6.0 == float(Held(tf.constant(2.0)) * 3.0)
    assert -2.0 == float(-Held(tf.constant(2.0)))
    assert "its own" == Held(tf.constant(2.0)) + 1.0


def test_variables_around_others_ask_those_for_their_values() -> None:
    v: Any = tf.Variable([1.0, 2.0])

    assert [1.0, 2.0] == v._dense_var_to_tensor(tf.float32).numpy().tolist()
    assert [None, False] == [v._as_graph_element(), v._in_graph_mode]
    with pytest.raises(ValueError, match="float64"):
        v._dense_var_to_tensor(tf.float64)
    with pytest.raises(AttributeError, match="op is undefined"):
        v._dense_var_to_tensor(as_ref=True)
