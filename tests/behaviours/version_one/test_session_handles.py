"""Tensors that sessions keep, and `==` of TensorFlow 1, on TensorFlow and on ours: I10."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


@behaviour("I10")
def test_a_session_keeps_tensors_between_runs() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2])
        handle = session.run(v1.get_session_handle(x * 2.0), {x: [1.0, 2.0]})
        there, value = v1.get_session_tensor(handle.handle, tf.float32)
        dropped, drop = v1.delete_session_tensor(handle.handle)

        assert [3.0, 5.0] == session.run(value + 1.0, {there: handle.handle}).tolist()
        assert [2.0, 4.0] == handle.eval().tolist()
        assert [4.0, 8.0] == session.run(x * 2.0, {x: handle}).tolist()
        session.run(drop, {dropped: handle.handle})
        with pytest.raises(tf.errors.InvalidArgumentError, match="not in the session store"):
            session.run(value, {there: handle.handle})


@behaviour("I10")
def test_a_handle_may_be_deleted_once() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        handle, seven = session.run([v1.get_session_handle(tf.constant([3])), tf.constant(7)])
        there, value = v1.get_session_tensor(handle.handle, tf.int32)

        assert [3] == session.run(value, {there: handle.handle}).tolist()
        assert (7, tf.string, tf.int32) == (seven, there.dtype, value.dtype)
        handle.delete()
        with pytest.raises(TypeError, match="already been deleted"):
            handle.delete()
        with pytest.raises(TypeError, match="must be of type Tensor"):
            v1.get_session_handle(3)


@pytest.fixture
def identity() -> Iterator[None]:
    v1.disable_tensor_equality()
    yield
    v1.enable_tensor_equality()


@behaviour("I10")
@pytest.mark.usefixtures("identity")
def test_without_tensor_equality_what_is_equal_is_the_same() -> None:
    a, b, v, w = tf.constant([1]), tf.constant([1]), tf.Variable(1), tf.Variable(1)
    traced = tf.function(lambda x, y: [tf.constant(x == y), tf.constant(x != y)])

    assert (False, True, True) == (a == b, a == a, a != b)
    assert (False, True, False, False) == (v == w, v == v, v == 1, a == 1)
    assert [False, True] == [bool(one) for one in traced(a, b)]
    assert {v: 2, w: 3}[v] == 2


@behaviour("I10")
def test_tensor_equality_comes_back() -> None:
    v1.disable_tensor_equality()
    v1.disable_tensor_equality()
    v1.enable_tensor_equality()
    v = tf.Variable(1)

    assert [True, False] == (tf.constant([1, 2]) == [1, 3]).numpy().tolist()
    assert [False, True] == (tf.constant([1, 2]) != [1, 3]).numpy().tolist()
    assert bool(v == 1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(v)
