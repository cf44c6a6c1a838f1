"""Private names that zfit, tf_agents, tf_slim, scikeras, Keras 2's old layers and TensorFlow's
models ask for; expected is what TensorFlow 2.21 answers.
"""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.compat.private_modules import eager_context
from tensormill.compat.private_modules.numerics.parts_of_losses import without_last_axes
from tensormill.compat.private_modules.tools.older_questions import part_of_value, part_of_variable
from tensormill.compat.private_modules.tools.operations_of_graphs import graph_of_inputs
from tensormill.compat.private_modules.tracking import no_automatic_dependency_tracking_scope
from tensormill.version_one.metrics.streaming import aggregate_variable
from tensormill.version_one.metrics.thresholds import confusion_matrix_at_thresholds
from tensormill.version_one.profiles.float_operations import REGISTERED
from tensormill.version_one.profiles.statistics import (
    OpStats,
    RegisterStatistics,
    get_stats_for_node_def,
)
from tensormill.version_one.variable_scopes import store_here

v1 = tf.compat.v1


def test_an_operation_knows_what_waits_for_it() -> None:
    with tf.Graph().as_default():
        one = tf.constant([[1.0, 2.0]])
        product = tf.matmul(one, one, transpose_b=True)
        with tf.control_dependencies([product]):
            tf.no_op("n")
            tf.identity(one, name="n2")

        assert ["n", "n2"] == [other.name for other in product.op._control_outputs]
        assert [] == one.op._control_outputs


def test_programs_note_things_on_an_operation() -> None:
    with tf.Graph().as_default():
        operation = tf.no_op()
        operation._unconditional_update = True

        assert operation._unconditional_update


def test_a_graph_has_one_store_of_variables_by_name() -> None:
    with tf.Graph().as_default():
        store = store_here()
        made = v1.get_variable("q", [2])

        assert {"q": made} == store._vars
        assert store is store_here()


def test_the_global_seed_is_told() -> None:
    tf.random.set_seed(3)

    assert 3 == eager_context.global_seed()
    assert eager_context.in_eager_mode()
    with tf.Graph().as_default():
        assert not eager_context.in_eager_mode()


class Standing:
    """Stands for a variable, and is read as one."""

    def __init__(self, values: list[int]) -> None:
        self.held = tf.Variable(values)

    def value(self) -> Any:
        return self.held.value()

    __getitem__ = part_of_variable


def test_parts_of_variables_and_of_what_stands_for_them() -> None:
    variable = tf.Variable([1, 2, 3])
    part_of_value(variable.value(), slice(0, 2), variable).assign([7, 8])

    assert [7, 8, 3] == variable.numpy().tolist()
    assert [8, 3] == part_of_value(variable.value(), slice(1, None)).numpy().tolist()
    assert 5 == Standing([4, 5])[1].numpy()


def test_attributes_assigned_in_the_scope_are_no_children() -> None:
    module = tf.Module()
    with no_automatic_dependency_tracking_scope(module):
        module.kept = {"a": tf.Variable(1.0)}
    module.tracked = [tf.Variable(2.0)]

    assert dict is type(module.kept)
    assert ["tracked"] == list(module._trackable_children())


@pytest.mark.parametrize(
    ("labels", "predictions", "difference", "expected"),
    [
        ([3, 1], [3], 0, [[3], [3]]),
        ([3], [3, 1], 0, [[3], [3]]),
        ([3, 1, 2], [3], -1, [[3, 1, 2], [3]]),
        ([3, 1], [3, 1, 1], 0, [[3, 1], [3, 1]]),
    ],
)
def test_an_axis_more_of_labels_or_predictions_goes(
    labels: Any, predictions: Any, difference: int, expected: Any
) -> None:
    found = without_last_axes(tf.ones(labels), tf.ones(predictions), difference)

    assert expected == [one.shape.as_list() for one in found]


def test_counts_at_thresholds_are_asked_for_by_letters() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        labels, predictions = tf.constant([0, 1, 1]), tf.constant([0.2, 0.4, 0.9])
        values, updates = confusion_matrix_at_thresholds(
            labels, predictions, [0.1, 0.5], includes=("tp", "fp")
        )
        session.run(v1.local_variables_initializer())
        session.run(updates)

        assert {"tp": [2.0, 1.0], "fp": [1.0, 0.0]} == {
            kind: counts.tolist() for kind, counts in session.run(values).items()
        }
        with pytest.raises(ValueError, match="Invalid key: xp"):
            confusion_matrix_at_thresholds(labels, predictions, [0.1], includes=("xp",))


def test_the_value_of_a_metric_is_collected() -> None:
    with tf.Graph().as_default() as graph:
        value = aggregate_variable(tf.Variable(1.0), ["here"])

        assert value is graph.get_collection("here")[0]


def test_operands_say_their_graph() -> None:
    with tf.Graph().as_default() as graph:
        one = tf.constant(1.0)

        assert graph is graph_of_inputs([1, one])
        assert graph is graph_of_inputs([])
        with pytest.raises(ValueError, match="is not from the passed-in graph"):
            graph_of_inputs([one], tf.Graph())
        with tf.Graph().as_default():
            other = tf.constant(2.0)
        with pytest.raises(ValueError, match="must be from the same graph"):
            graph_of_inputs([one, other])


def test_programs_register_how_many_floats_an_operation_takes() -> None:
    try:
        RegisterStatistics("Cos", "flops")(lambda graph, node: OpStats("flops", 12))
        with tf.Graph().as_default() as graph:
            one = tf.ones([2, 2])
            tf.cos(one)
            product = tf.matmul(one, one).op.node_def
            options = v1.profiler.ProfileOptionBuilder.float_operation()
            found = v1.profiler.profile(graph, options=options | {"output": "none"})

        assert 12 + 16 == found.total_float_ops
        assert 16 == get_stats_for_node_def(graph, product, "flops").value
        assert None is get_stats_for_node_def(graph, product, "bytes").value
        with pytest.raises(KeyError, match="two statistical functions with name 'Cos,flops'"):
            RegisterStatistics("Cos", "flops")(lambda graph, node: OpStats("flops", 1))
    finally:
        REGISTERED.clear()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ((3, "flops"), "op_type must be a string"),
        (("Mine", 3), "statistic_type must be a string"),
        (("My,Own", "flops"), "op_type must not contain a comma"),
    ],
)
def test_statistics_have_plain_names(names: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        RegisterStatistics(*names)


def test_numbers_of_one_kind_are_added_up() -> None:
    whole = OpStats("flops")
    whole += OpStats("flops", 3)
    whole += OpStats("flops")

    assert 3 == whole.value
    with pytest.raises(ValueError, match="Can't add an OpStat of type flops to one of bytes"):
        whole += OpStats("bytes", 4)
