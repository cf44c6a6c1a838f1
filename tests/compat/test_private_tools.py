"""Small private modules of TensorFlow: what TensorFlow 2.21 gave for the same calls."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat.private_modules import inspection, internal
from tensormill.compat.private_modules.tools import (
    dataset_operands,
    event_files,
    monitoring,
    ragged_forms,
    rows,
    small_helpers,
    small_tools,
    structures,
    tails,
    traces_of_lines,
)
from tensormill.core.specs import BoundedTensorSpec
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


def test_bounded_specs_become_messages_and_return() -> None:
    spec = BoundedTensorSpec([2, 3], "float32", 0, [1, 2, 3], "x")
    proto = structures.encode_structure(spec)

    assert "x" == proto.bounded_tensor_spec_value.name
    assert spec == structures.decode_proto(proto)
    assert spec == BoundedTensorSpec.experimental_from_proto(spec.experimental_as_proto())


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


def test_tails_of_distributions_are_told_by_their_logarithms() -> None:
    x = tf.constant([-30.0, -5.0, -1.0, 0.0, 1.0, 7.0], tf.float64)

    assert pytest.approx(
        [4.906713927148024e-198, 2.8665157187919365e-07, 0.15865525393145702, 0.5,
         0.841344746068543, 0.9999999999987201], rel=1e-12, abs=0,
    ) == tails.ndtr(x).numpy().tolist()  # fmt: skip
    assert pytest.approx(
        [-454.3212439565018, -15.064998393988727, -1.8410216450092636, -0.6931471805599453,
         -0.1727537790234498, -1.2798651027886996e-12], rel=1e-12, abs=0,
    ) == tails.log_ndtr(x).numpy().tolist()  # fmt: skip
    assert pytest.approx(
        [-30.693147180559944, -5.693147180559945, -1.6931471805599454, -0.6931471805599453,
         -0.20326705491519534, -0.00045604495547195553],
    ) == tails.log_cdf_laplace(x).numpy().tolist()  # fmt: skip
    with pytest.raises(TypeError, match="is not handled"):
        tails.ndtri(tf.constant([1]))
    with pytest.raises(ValueError, match="series_order must be <= 30"):
        tails.log_ndtr(x, 31)


def test_stacks_know_the_lines_that_made_their_objects() -> None:
    stack = traces_of_lines.TraceableStack()

    assert 0 == stack.push_obj("a")
    assert 1 == stack.push_obj("b", offset=10**6)
    assert (["b", "a"], "b") == (list(stack.peek_objs()), stack.peek_top_obj())
    first = list(stack.peek_traceable_objs())[1]
    assert (__file__, "c") == (first.filename, first.copy_metadata("c").obj)
    assert ("b", "a", 2) == (stack.pop_obj(), stack.copy().pop_obj(), len(stack) + 1)


def test_members_of_a_group_share_its_lock() -> None:
    lock = small_helpers.GroupLock()
    lock.acquire(0)
    with lock.group(0):
        pass
    lock.release(0)

    with lock.group(1), pytest.raises(ValueError, match="0 <= group_id < num_groups"):
        lock.acquire(2)


def test_gradients_of_graphs_are_given_beside_results() -> None:
    def cubed(x: Any) -> Any:
        return x * x * x, lambda upstream: upstream * 10.0

    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder_with_default(2.0, [])
        y = small_helpers.graph_mode_decorator(cubed, (x,), {})

        assert [8.0, [10.0]] == session.run([y, tf.compat.v1.gradients(y, x)])
        with pytest.raises(ValueError, match="no keyword arguments"):
            small_helpers.graph_mode_decorator(cubed, (), {"x": x})


def test_sizes_of_pictures_and_windows_are_checked() -> None:
    image, unknown = tf.zeros([1, 2, 3, 1]), tf.TensorSpec([None, None, 3])

    assert image is small_helpers.assert_at_least_3d_image(image)
    assert [] == small_helpers.check_3d_image(image[0])
    with pytest.raises(ValueError, match="must be three-dimensional"):
        small_helpers.check_3d_image(image)
    with pytest.raises(ValueError, match="inner 3 dims"):
        small_helpers.assert_at_least_3d_image(tf.zeros([0, 2, 3]))
    checked = tf.function(small_helpers.assert_at_least_3d_image, input_signature=[unknown])
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be > 0"):
        checked(tf.zeros([0, 2, 3]))

    window = small_helpers.window_sizes
    assert [[1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 2, 3], [1, 2, 3, 1], [1, 2, 3, 1]] == [
        window(2, 2, -1, "s"), window(None, 2, 3, "s"), window([2, 3], 2, 1, "s"),
        window([2, 3], 2, 3, "s"), window([1, 2, 3, 1], 2, -1, "s"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="s should be of length 1, 2 or 4"):
        window([2, 3, 4], 2, 1, "s")


def test_small_helpers_do_what_tensorflows_do() -> None:
    handle, ragged = tf.Variable([1.0, 2.0]).handle, tf.ragged.constant([[1, 2], [3]])
    summed, rows = small_helpers.deduplicate_indexed_slices(
        tf.constant([[1.0], [2.0], [3.0]]), tf.constant([4, 1, 4])
    )
    classes = {"a": tf.SparseTensor, "b": tf.Tensor}
    parts = {"a": tf.sparse.from_dense([1, 0]), "b": tf.constant(1)}

    assert ([[4.0], [2.0]], [4, 1]) == (summed.numpy().tolist(), rows.numpy().tolist())
    assert ["a/b:1", "a", "a"] == [
        small_helpers.node_name(one) for one in ("^a/b:1", "a:0:1", "^a")
    ]
    assert [0.0, 0.0] == small_helpers.zeros_like(handle).numpy().tolist()
    assert [1, 1] == small_helpers.ones_like(tf.constant([3, 4])).numpy().tolist()
    assert classes == small_helpers.get_classes(parts)
    assert [True, False] == [small_helpers.any_sparse(one) for one in (classes, {"b": tf.Tensor})]
    assert [[1, 2], [3, 9]] == ragged_forms.to_tensor(ragged, 9).numpy().tolist()
    assert [[1, 2, 0], [3, 0, 0]] == (
        ragged_forms.ragged_to_dense(ragged, shape=[2, 3]).numpy().tolist()
    )
    again = ragged_forms.from_sparse(ragged_forms.to_sparse(ragged))
    assert [[1, 2], [3]] == again.to_list()
    assert [[1], [2, 3]] == ragged_forms.from_tensor([[1, 0], [2, 3]], padding=0).to_list()


# As TensorFlow 2.21 answers.
def test_seeds_are_drawn_from_seeds_and_texts() -> None:
    assert [1185174420, 642071311, None] == [
        small_tools.gen_new_seed(one, "salt") for one in (0, 123456789, None)
    ]


def test_arguments_are_told_as_python_2_told_them() -> None:
    def takes(a: Any, b: int = 2, *c: Any, k: int = 3, **d: Any) -> None: ...

    assert (["a", "b", "k"], "c", "d", (2, 3)) == inspection.getargspec(takes)
    assert (["b", "k"], "c", "d", (2, 3)) == inspection.getargspec(partial(takes, 1))
    assert (["a", "b"], None, None, None) == inspection.getargspec(lambda a, b: a)


def test_hooks_are_what_was_registered() -> None:
    assert small_helpers.get_load_model_function() is None
    small_helpers.register_call_context_function(len)

    assert len is small_helpers.get_call_context_function()
