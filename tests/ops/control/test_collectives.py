"""Operations at which processes meet, for a process that is alone."""

import pytest

import tensormill as tf
from tensormill.ops.control.collectives import all_gathered, all_reduced

X = tf.constant([1.0, 2.0])


def test_a_process_alone_has_what_all_have() -> None:
    keys = {"group_size": 1, "group_key": 1, "instance_key": 1}

    assert all_reduced(X, 1).numpy().tolist() == [1.0, 2.0]
    assert all_gathered(X, 1).numpy().tolist() == [1.0, 2.0]
    assert tf.raw_ops.CollectiveBcastSendV2(input=X, **keys).numpy().tolist() == [1.0, 2.0]


def test_its_gradients_are_its_own() -> None:
    @tf.function
    def gradient(x: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = 3 * all_reduced(x, 1) + all_gathered(x * x, 1)
        return tape.gradient(y, x)

    assert gradient(X).numpy().tolist() == [5.0, 7.0]


def test_largest_of_all_has_no_gradient() -> None:
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = all_reduced(X, 1, "Max")

    with pytest.raises(LookupError, match="merge_op='Max'"):
        tape.gradient(y, X)


def test_others_wait_so_that_none_is_dropped_or_merged() -> None:
    @tf.function
    def meet(x: tf.Tensor) -> tf.Tensor:
        all_reduced(x, 1)
        return all_reduced(x, 1) + all_reduced(x, 1)

    graph = meet.get_concrete_function(X).graph
    assert [op.type for op in graph.get_operations()].count("CollectiveReduceV2") == 3
    assert meet(X).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize("call", [all_reduced, tf.function(all_reduced)])
def test_there_must_be_as_many_as_are_told(call: object) -> None:
    with pytest.raises(tf.errors.FailedPreconditionError, match="this process runs alone"):
        call(X, 2)  # type: ignore[operator]
    with pytest.raises(tf.errors.InvalidArgumentError, match="group_size is 0"):
        call(X, tf.constant(0))  # type: ignore[operator]
