"""Small private modules of TensorFlow: what TensorFlow 2.21 gave for the same calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat.private_modules import internal
from tensormill.compat.private_modules.tools import (
    dataset_operands,
    event_files,
    monitoring,
    rows,
    structures,
)
from tensormill.graph.proto.structured import NotEncodableError
from tensormill.version_one.training.meta_graph_import import read_meta_graph_file


def test_metrics_have_a_cell_for_each_combination_of_labels() -> None:
    counter = monitoring.Counter("/a", "what it is", "one", "two")
    for count in (1, 1, -1):
        counter.get_cell("x", "y").increase_by(count)
    text, truth = monitoring.StringGauge("/b", "", "one"), monitoring.BoolGauge("/c", "")
    text.get_cell("x").set("said")

    assert (2, 0) == (counter.get_cell("x", "y").value(), counter.get_cell("x", "z").value())
    assert ("said", False) == (text.get_cell("x").value(), truth.get_cell().value())
    with pytest.raises(ValueError, match="The Counter expects taking 2 labels"):
        counter.get_cell("x")
    with pytest.raises(ValueError, match="label >= 3"):
        monitoring.Counter("/d", "", "1", "2", "3")


def test_samplers_say_how_often_which_numbers_came() -> None:
    cell = monitoring.Sampler("/e", monitoring.ExponentialBuckets(1.0, 2.0, 3), "").get_cell()
    cell.add(1.5)
    cell.add(100)

    found = cell.value()
    assert (1.5, 100.0, 2.0, 101.5, 10002.25) == (
        found.min, found.max, found.num, found.sum, found.sum_squares,
    )  # fmt: skip
    assert ([1.0, 2.0, 4.0], [0, 1, 0, 1]) == ([*found.bucket_limit[:3]], [*found.bucket])


def test_times_of_blocks_and_calls_are_added() -> None:
    counter = monitoring.Counter("/f", "")
    with monitoring.MonitoredTimer(counter.get_cell(), "block", avoid_repetitive_counting=True):
        with monitoring.MonitoredTimer(counter.get_cell(), "block", avoid_repetitive_counting=True):
            pass
        assert 0 == counter.get_cell().value()

    assert 3 == monitoring.monitored_timer(counter.get_cell())(lambda x: x + 1)(2)
    assert counter.get_cell().value() >= 0


FITTING = [([1, 1], [2, 3]), ([2, 3], [2, 3]), ([], [2, 3])]
UNFITTING = [([3], [2, 3]), ([2, 2], [2, 3]), ([1], [2, 3])]


@tf.function(input_signature=[tf.TensorSpec(None)] * 2)
def weights_for(weights: Any, values: Any) -> Any:
    with tf.control_dependencies([internal.assert_broadcastable(weights, values)]):
        return tf.identity(weights)


@pytest.mark.parametrize(("shape", "values"), FITTING)
def test_weights_that_go_with_values_are_taken(shape: Any, values: Any) -> None:
    operands = tf.ones(shape), tf.ones(values)
    internal.assert_broadcastable(*operands)

    assert shape == weights_for(*operands).shape.as_list()


@pytest.mark.parametrize(("shape", "values"), UNFITTING)
def test_weights_that_do_not_go_with_values_are_refused(shape: Any, values: Any) -> None:
    operands = tf.ones(shape), tf.ones(values)

    with pytest.raises(ValueError, match="weights can not be broadcast to values"):
        internal.assert_broadcastable(*operands)
    with pytest.raises(tf.errors.InvalidArgumentError, match="weights can not be broadcast"):
        weights_for(*operands)


def test_rows_are_changed_of_a_copy() -> None:
    x = tf.ones([3, 1])

    changed = [one(x, [1], [[5.0]]).numpy().reshape(-1).tolist()
               for one in (rows.inplace_update, rows.inplace_add, rows.inplace_sub)]  # fmt: skip
    assert [[1, 5, 1], [1, 6, 1], [1, -4, 1]] == changed
    assert [1, 5, 1] == rows.inplace_update(x, 1, [5.0]).numpy().reshape(-1).tolist()
    assert [6, 6, 6] == rows.inplace_add(x, None, [[5.0]] * 3).numpy().reshape(-1).tolist()
    assert [1, 1, 1] == x.numpy().reshape(-1).tolist()


def test_structures_become_messages_and_return() -> None:
    nest = {"a": [1, tf.TensorSpec([2])]}

    assert nest == structures.decode_proto(structures.encode_structure(nest))
    assert (True, False) == (structures.can_encode([1]), structures.can_encode(object()))
    with pytest.raises(NotEncodableError):
        structures.encode_structure(object())


def test_arguments_of_datasets_become_tensors() -> None:
    made = dataset_operands.optional_param_to_tensor("n", None, argument_default=3)

    assert (3, tf.int64) == (int(made), made.dtype)
    assert [-1, 2] == dataset_operands.partial_shape_to_tensor([None, 2]).numpy().tolist()


def test_events_are_written_until_the_file_is_closed(tmp_path: Path) -> None:
    writer = event_files.EventFileWriter(str(tmp_path / "log"), filename_suffix=".z")
    writer.add_event(tf.compat.v1.Event(step=3))
    writer.close()
    writer.add_event(tf.compat.v1.Event(step=4))
    writer.reopen()
    writer.add_event(tf.compat.v1.Event(step=5))
    writer.flush()

    files = sorted((tmp_path / "log").iterdir())
    steps = {one.step for file in files for one in tf.compat.v1.train.summary_iterator(str(file))}
    assert ({0, 3, 5}, [".z"] * 2) == (steps, [file.suffix for file in files])
    assert str(tmp_path / "log") == writer.get_logdir()


def test_meta_graphs_are_read_from_files(tmp_path: Path) -> None:
    path = str(tmp_path / "model.meta")
    with tf.Graph().as_default():
        tf.constant(1, name="one")
        tf.compat.v1.train.export_meta_graph(path)

    assert ["one"] == [node.name for node in read_meta_graph_file(path).graph_def.node]
    with pytest.raises(OSError, match="does not exist"):
        read_meta_graph_file(path + ".absent")
