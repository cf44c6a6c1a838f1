"""Specs as messages, of TensorArrays, and what of a value they make."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from tests.behaviours.library import differs, tf


@pytest.mark.parametrize(
    "made",
    [
        lambda: tf.float32,
        lambda: tf.TensorShape([1, None]),
        lambda: tf.TensorShape(None),
        lambda: tf.TensorSpec([1, None], tf.int32, "a"),
        lambda: tf.RaggedTensorSpec([None, None], tf.string),
        lambda: tf.SparseTensorSpec([2, 3]),
        lambda: tf.IndexedSlicesSpec([2, 3]),
        lambda: tf.OptionalSpec(tf.TensorSpec([2])),
        lambda: tf.TensorArraySpec([2], tf.int32, True),
    ],
)
def test_specs_come_back_from_their_messages(made: Any):
    spec = made()
    message = spec.experimental_as_proto()

    assert type(spec).experimental_from_proto(message) == spec
    assert type(message).__name__ == type(spec).experimental_type_proto().__name__


def test_messages_say_sizes_and_names():
    said = tf.TensorSpec([1, None], tf.int32, "a").experimental_as_proto()

    assert [size.size for size in said.shape.dim] == [1, -1]
    assert (said.name, said.dtype) == ("a", 3)
    assert tf.TensorShape(None).as_proto().unknown_rank


def test_dtypes_are_made_of_their_numbers():
    assert tf.DType(3) == tf.int32


@differs
def test_functions_take_tensor_arrays_that_specs_describe():
    spec = tf.TensorArraySpec([2], tf.float32)

    @tf.function(input_signature=[spec, tf.TensorSpec([], tf.int32)])
    def row(array: Any, which: Any):
        return array.read(which)

    array = tf.TensorArray(tf.float32, 2, element_shape=[2], clear_after_read=False)
    array = array.unstack([[1.0, 2.0], [3.0, 4.0]])

    assert spec.is_compatible_with(array)
    assert row(array, 1).numpy().tolist() == [3, 4]


def test_a_critical_section_is_not_entered_twice():
    section = tf.CriticalSection()
    execute: Any = tf.function(lambda: section.execute(lambda: {"a": tf.constant(1)}))

    assert int(execute()["a"]) == int(section.execute(lambda: tf.constant(1))) == 1
    assert section.execute(lambda: None) is None
    with pytest.raises(ValueError, match="in which we are already running"):
        section.execute(lambda: section.execute(lambda: 1))
    gc.collect()  # TensorFlow holds the lock as long as an error's frames do
    with pytest.raises(ZeroDivisionError):
        section.execute(lambda: 1 // 0)
    gc.collect()
    assert int(section.execute(lambda: tf.constant(2))) == 2


def test_critical_sections_of_one_function_share_nothing_unless_they_may():
    # Without these names TensorFlow's have one lock, for which the second would wait forever.
    first, second = (tf.CriticalSection(shared_name=name) for name in ("first", "second"))
    count, other = tf.Variable(0), tf.Variable(0)

    def both(variable: Any, **options: Any):
        def function():
            one = first.execute(lambda: count.assign_add(1), **options)
            return one, second.execute(lambda: variable.assign_add(1), **options)

        return tf.function(function)

    with pytest.raises(ValueError, match="exclusive_resource_access=False"):
        both(count)()
    assert (1, 2) == tuple(map(int, both(count, exclusive_resource_access=False)()))
    assert (3, 1) == tuple(map(int, both(other)()))


def test_clusters_say_who_takes_part():
    cluster = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": {3: "c:3", 1: "d"}})

    assert cluster.as_dict() == {"worker": ["a:1", "b:2"], "ps": {1: "d", 3: "c:3"}}
    assert cluster == tf.train.ClusterSpec(cluster.as_cluster_def())
    assert cluster.job_tasks("ps") == [None, "d", None, "c:3"]
    assert str(cluster) == "ClusterSpec({'ps': {1: 'd', 3: 'c:3'}, 'worker': ['a:1', 'b:2']})"
    for wrong in ([1], {"a": 1}, {"a": [1]}, {"a": "xyz"}):
        with pytest.raises(TypeError):
            tf.train.ClusterSpec(wrong)
    with pytest.raises(ValueError, match="No such job in cluster: 'x'"):
        cluster.num_tasks("x")


def test_a_coordinator_hands_on_what_stopped_its_threads():
    coordinator = tf.train.Coordinator()
    with coordinator.stop_on_exception():
        raise ValueError("stopped")

    assert coordinator.should_stop()
    with pytest.raises(ValueError, match="stopped"):
        coordinator.join([])
    coordinator.clear_stop()
    assert not coordinator.should_stop()
    with coordinator.stop_on_exception():
        raise tf.errors.OutOfRangeError(None, None, "no more")
    coordinator.join()
    assert coordinator.joined
