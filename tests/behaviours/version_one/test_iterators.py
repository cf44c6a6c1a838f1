"""Iterators over datasets in graphs that are built by hand: statement I10."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


@behaviour("I10")
def test_each_session_goes_over_the_elements_by_itself():
    with tf.Graph().as_default():
        slices = tf.data.Dataset.from_tensor_slices((np.arange(3), {"a": np.arange(3.0)}))
        dataset = slices.map(lambda x, parts: (x * 2, parts)).batch(2)
        iterator = v1.data.make_one_shot_iterator(dataset)
        x, parts = iterator.get_next()
        for _ in range(2):
            with v1.Session() as session:
                assert [one.tolist() for one in session.run([x, parts["a"]])] == [[0, 2], [0, 1]]
                assert session.run(x + 1).tolist() == [5]
                with pytest.raises(tf.errors.OutOfRangeError):
                    session.run(x)
        with pytest.raises(ValueError, match="initializer"):
            iterator.initializer  # noqa: B018

        assert v1.data.get_output_types(dataset) == (tf.int64, {"a": tf.float64})
        assert v1.data.get_output_shapes(iterator)[0].as_list() == [None]
        assert v1.data.get_output_classes(iterator)[0] is tf.Tensor


@behaviour("I10")
def test_an_initializer_begins_again_with_what_is_fed():
    with tf.Graph().as_default(), v1.Session() as session:
        most = v1.placeholder(tf.int64, [])
        add = tf.Variable(10, dtype=tf.int64)
        dataset = tf.data.Dataset.range(most).map(lambda x: x + add)
        iterator = v1.data.make_initializable_iterator(dataset)
        element = iterator.get_next()
        session.run(add.initializer)
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(element)
        for count in (3, 1):
            session.run(iterator.initializer, {most: count})
            assert [session.run(element) for _ in range(count)] == [*range(10, 10 + count)]


@behaviour("I10")
def test_an_iterator_of_a_structure_goes_over_several_datasets():
    with tf.Graph().as_default(), v1.Session() as session:
        iterator = v1.data.Iterator.from_structure(tf.int64, [])
        element = iterator.get_next()
        for start in (0, 10):
            session.run(iterator.make_initializer(tf.data.Dataset.range(start, 20)))
            assert [session.run(element) for _ in range(2)] == [start, start + 1]
        with pytest.raises(TypeError):
            iterator.make_initializer(tf.data.Dataset.from_tensors(1.0))


@behaviour("I10")
def test_a_string_that_is_fed_chooses_the_iterator():
    with tf.Graph().as_default(), v1.Session() as session:
        chosen = v1.placeholder(tf.string, [])
        element = v1.data.Iterator.from_string_handle(chosen, tf.int64, []).get_next()
        first = v1.data.make_one_shot_iterator(tf.data.Dataset.range(5))
        second = v1.data.make_initializable_iterator(tf.data.Dataset.range(10, 20))
        texts: Any = session.run([first.string_handle(), second.string_handle()])
        session.run(second.initializer)

        assert [session.run(element, {chosen: texts[k]}) for k in (0, 1, 0, 1)] == [0, 10, 1, 11]


@behaviour("I10")
def test_eager_iterators_need_no_initializer():
    with pytest.raises(RuntimeError, match="eager"):
        v1.data.make_initializable_iterator(tf.data.Dataset.range(3))
    assert [int(x) for x in v1.data.make_one_shot_iterator(tf.data.Dataset.range(3))] == [0, 1, 2]


@behaviour("I10")
def test_calls_of_a_function_go_on_with_its_one_shot_iterator():
    @tf.function
    def pair():
        iterator = v1.data.make_one_shot_iterator(tf.data.Dataset.range(4))
        first = iterator.get_next()
        return first, iterator.get_next()

    assert [[int(x) for x in pair()] for _ in range(2)] == [[0, 1], [2, 3]]
    with pytest.raises(tf.errors.OutOfRangeError):
        pair()


@behaviour("I10")
def test_each_trace_has_a_one_shot_iterator_and_each_place():
    @tf.function
    def either(wanted, factor):
        if wanted:
            return v1.data.make_one_shot_iterator(tf.data.Dataset.range(3)).get_next() * factor
        return v1.data.make_one_shot_iterator(tf.data.Dataset.range(7, 9)).get_next() * factor

    given = [(True, 1), (False, 1), (True, 1), (True, 10), (True, 10), (False, 1)]
    found = [int(either(tf.constant(wanted), factor)) for wanted, factor in given]
    assert found == [0, 7, 1, 0, 10, 8]


@behaviour("I10")
def test_a_one_shot_iterator_cannot_depend_on_arguments():
    @tf.function
    def first(most):
        return v1.data.make_one_shot_iterator(tf.data.Dataset.range(most)).get_next()

    with pytest.raises(ValueError, match="Cannot capture a placeholder"):
        first(tf.constant(3, tf.int64))


@behaviour("I10")
def test_an_iterator_with_an_initializer_begins_in_each_call():
    @tf.function
    def pair(least):
        iterator = v1.data.make_initializable_iterator(tf.data.Dataset.range(least, 9))
        first = iterator.get_next()
        return first, iterator.get_next()

    assert [[int(x) for x in pair(tf.constant(n, tf.int64))] for n in (3, 5)] == [[3, 4], [5, 6]]
