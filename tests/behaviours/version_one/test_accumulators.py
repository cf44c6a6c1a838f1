"""Accumulators of gradients: statement I10."""

from __future__ import annotations

import threading

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


@behaviour("I10")
@pytest.mark.parametrize(("reduction", "expected"), [("MEAN", [2.0, 3.5]), ("SUM", [4.0, 7.0])])
def test_gradients_are_gathered_until_they_are_taken(reduction, expected):
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.ConditionalAccumulator(tf.float32, [2], reduction_type=reduction)
        for gradient in ([1.0, 2.0], [3.0, 5.0]):
            session.run(gathered.apply_grad(gradient))
        count, taken = gathered.num_accumulated(), gathered.take_grad(2)

        assert 2 == session.run(count)
        assert expected == session.run(taken).tolist()
        assert 0 == session.run(count)
        assert ("conditional_accumulator", [2]) == (gathered.name, taken.shape.as_list())
        assert "conditional_accumulator_NumAccumulated:0" == count.name


@behaviour("I10")
def test_gradients_of_steps_that_are_over_are_left_out():
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.ConditionalAccumulator(tf.float32, [])
        session.run(gathered.set_global_step(5))
        session.run([gathered.apply_grad(9.0, local_step=4), gathered.apply_grad(1.0, 5)])

        assert 1.0 == session.run(gathered.take_grad(1))
        session.run(gathered.apply_grad(9.0, local_step=5))  # to take is a step
        assert 0 == session.run(gathered.num_accumulated())


@behaviour("I10")
def test_who_takes_waits_until_there_is_enough():
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.ConditionalAccumulator(tf.float32, [])
        taken, given, found = gathered.take_grad(1), gathered.apply_grad(7.0), []
        thread = threading.Thread(target=lambda: found.append(session.run(taken)))
        thread.start()
        session.run(given)
        thread.join(10)

    assert [7.0] == found


@behaviour("I10")
def test_rows_are_gathered_by_their_numbers():
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.SparseConditionalAccumulator(tf.float32, [4, 2])
        session.run(gathered.apply_grad([0, 2], [[1.0, 1.0], [2.0, 2.0]], [4, 2]))
        values, indices = tf.constant([[3.0, 3.0], [5.0, 5.0]]), tf.constant([2, 3], tf.int64)
        session.run(gathered.apply_indexed_slices_grad(tf.IndexedSlices(values, indices)))
        found = session.run(gathered.take_indexed_slices_grad(2))

    assert [0, 2, 3] == found.indices.tolist()
    assert [[1.0, 1.0], [2.5, 2.5], [5.0, 5.0]] == found.values.tolist()
    assert [4, 2] == found.dense_shape.tolist()


@behaviour("I10")
def test_sums_of_rows_without_a_shape_tell_no_number_of_them():
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.SparseConditionalAccumulator(tf.float32, reduction_type="SUM")
        for indices, values in (([1, 0], [[1.0], [2.0]]), ([1], [[5.0]])):
            session.run(gathered.apply_grad(indices, values))
        found = session.run(gathered.take_grad(2))

    assert ([1, 0], [[6.0], [2.0]], [-1, 1]) == tuple(one.tolist() for one in found)


@behaviour("I10")
@pytest.mark.parametrize(
    ("indices", "values", "shape"),
    [
        ([0, 2], [[1.0, 1.0]], [4, 2]),
        ([0], [[1.0, 1.0, 1.0]], None),
        ([7], [[1.0, 1.0]], None),
        ([0], [[1.0, 1.0]], [5, 2]),
    ],
)
def test_rows_that_do_not_fit_are_refused(indices, values, shape):
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.SparseConditionalAccumulator(tf.float32, [4, 2])
        added = gathered.apply_grad(indices, values, shape)

        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(added)


@behaviour("I10")
def test_what_does_not_fit_is_refused():
    with tf.Graph().as_default(), v1.Session() as session:
        gathered = v1.ConditionalAccumulator(tf.float32, [2])
        late = gathered.apply_grad(v1.placeholder_with_default([1.0], [None]))

        with pytest.raises(ValueError, match="incompatible"):
            gathered.apply_grad([1.0, 2.0, 3.0])
        for wrong in (late, gathered.take_grad(0)):
            with pytest.raises(tf.errors.InvalidArgumentError):
                session.run(wrong)
        with pytest.raises(ValueError, match="MAX"):
            v1.ConditionalAccumulator(tf.float32, reduction_type="MAX")
        with pytest.raises(TypeError, match="string"):
            v1.ConditionalAccumulator(tf.string)
