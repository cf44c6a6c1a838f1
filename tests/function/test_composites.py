"""Sparse and ragged tensors, and slices, as arguments and results of functions and control flow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

ROWS = [[1.0, 2.0], [], [3.0]]


def sparse(*shape: int) -> Any:
    return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], shape or [2, 3])


def slices() -> Any:
    return tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 1]), tf.constant([5, 3]))


def test_composites_are_arguments_and_results() -> None:
    @tf.function
    def twice(s: Any, r: Any, i: Any) -> Any:
        return {"s": s * 2.0, "r": r + r, "i": i * 2.0}

    found = twice(sparse(), tf.ragged.constant(ROWS), slices())

    assert found["s"].values.numpy().tolist() == [2.0, 4.0]
    assert found["r"].to_list() == [[2.0, 4.0], [], [6.0]]
    assert found["i"].dense_shape.numpy().tolist() == [5, 3]


def test_one_trace_serves_equal_specs() -> None:
    same = tf.function(lambda x: x)
    same(sparse(2, 3))
    same(tf.SparseTensor([[0, 0]], [5.0], [2, 3]))
    assert same.experimental_get_tracing_count() == 1

    same(sparse(4, 3))
    assert same.experimental_get_tracing_count() == 2


def test_reduce_retracing_widens_the_spec() -> None:
    shapes: list[Any] = []

    @tf.function(reduce_retracing=True)
    def same(x: Any) -> Any:
        shapes.append(x.shape)
        return x

    for rows in (2, 3, 4, 5):
        same(tf.ragged.constant([[1.0]] * rows))
    assert [[2, None], [None, None]] == [shape.as_list() for shape in shapes]


def test_specs_are_signatures() -> None:
    spec = tf.SparseTensorSpec([None, 3], tf.float32)
    dense = tf.function(tf.sparse.to_dense, input_signature=[spec])

    assert dense(sparse()).numpy().tolist() == [[0, 1, 0], [2, 0, 0]]
    assert dense(sparse(4, 3)).shape == [4, 3]
    with pytest.raises(TypeError, match="Can not cast"):
        dense(tf.zeros([2, 3]))
    with pytest.raises(ValueError, match="not compatible"):
        dense(sparse(2, 4))


def test_concrete_functions_are_made_for_specs_and_tell_them() -> None:
    spec = tf.RaggedTensorSpec([2, None], tf.float32)
    concrete = tf.function(lambda x: x).get_concrete_function(spec)

    assert concrete.structured_input_signature == ((spec,), {})
    assert [tensor.shape.as_list() for tensor in concrete.inputs] == [[None], [3]]
    assert repr(spec) in concrete.pretty_printed_signature()
    assert concrete(tf.ragged.constant([[1.0], [2.0]])).to_list() == [[1.0], [2.0]]


def test_branches_return_what_is_common() -> None:
    shapes: list[Any] = []

    @tf.function
    def chosen(flag: Any) -> Any:
        one = tf.cond(flag, lambda: sparse(2, 3), lambda: sparse(4, 3))
        shapes.append(one.shape.as_list())
        return one

    assert chosen(tf.constant(False)).dense_shape.numpy().tolist() == [4, 3]
    assert shapes == [[None, 3]]


def test_branches_of_different_kinds_are_an_error() -> None:
    @tf.function
    def chosen(flag: Any) -> Any:
        return tf.cond(flag, lambda: sparse(), lambda: tf.ragged.constant(ROWS))

    with pytest.raises(TypeError, match="SparseTensorSpec"):
        chosen(tf.constant(False))


def test_loops_carry_composites() -> None:
    @tf.function
    def doubled(r: Any, times: Any) -> Any:
        step = lambda k, x: (k + 1, tf.concat([x, x], 1))  # noqa: E731
        return tf.while_loop(lambda k, x: k < times, step, (0, r))[1]

    assert doubled(tf.ragged.constant([[1.0], []]), tf.constant(2)).to_list() == [[1.0] * 4, []]


def test_a_loop_that_changes_the_spec_is_an_error() -> None:
    @tf.function
    def longer(r: Any) -> Any:
        step = lambda k, x: (k + 1, tf.concat([x, x], 0))  # noqa: E731
        return tf.while_loop(lambda k, x: k < 2, step, (0, r))

    with pytest.raises(ValueError, match="shape_invariants"):
        longer(tf.ragged.constant([[1.0], []]))


def test_invariants_are_specs() -> None:
    @tf.function
    def longer(r: Any) -> Any:
        step = lambda k, x: (k + 1, tf.concat([x, x], 0))  # noqa: E731
        keeps = (tf.TensorShape([]), tf.RaggedTensorSpec([None, None], tf.float32))
        return tf.while_loop(lambda k, x: k < 2, step, (0, r), shape_invariants=keeps)[1]

    assert longer(tf.ragged.constant([[1.0], []])).to_list() == [[1.0], []] * 4


def converted(s: Any, n: Any) -> Any:
    for k in tf.range(n):
        if k % 2 == 0:
            s = s * 2.0
        else:
            s = tf.abs(s)
    return s


def test_staged_statements_carry_composites() -> None:
    found = tf.function(converted)(sparse() * -1.0, tf.constant(3))

    assert found.values.numpy().tolist() == converted(sparse() * -1.0, 3).values.numpy().tolist()


def test_captured_composites_are_constants_of_the_trace() -> None:
    captured = sparse()

    @tf.function
    def product(x: Any) -> Any:
        return tf.sparse.sparse_dense_matmul(captured, x)

    assert product(tf.ones([3, 2])).numpy().tolist() == [[1, 1], [2, 2]]


def test_gradients_flow_through_functions_of_composites() -> None:
    x = tf.Variable(np.ones([3, 2], np.float32))
    product = tf.function(tf.sparse.sparse_dense_matmul)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(product(sparse(), x))

    assert tf.convert_to_tensor(tape.gradient(loss, x)).numpy().tolist() == [[2, 2], [1, 1], [0, 0]]


def test_type_spec_from_value() -> None:
    assert tf.type_spec_from_value(sparse()) == tf.SparseTensorSpec([2, 3])
    assert tf.type_spec_from_value(tf.ragged.constant(ROWS)) == tf.RaggedTensorSpec([3, None])
    assert tf.type_spec_from_value([1, 2]) == tf.TensorSpec([2], tf.int32)
    array = tf.TensorArray(tf.float32, 2)
    assert repr(tf.type_spec_from_value(array)) == (
        "TensorArraySpec(TensorShape(None), tf.float32, False, True)"
    )
    assert repr(tf.type_spec_from_value(None)) == "NoneTensorSpec()"
    with pytest.raises(TypeError, match="Could not build a TypeSpec"):
        tf.type_spec_from_value(object())


def test_a_handle_of_another_dtype_is_refused() -> None:
    def length(items: Any) -> Any:
        return tf.raw_ops.TensorListLength(input_handle=items)

    items = tf.raw_ops.TensorListReserve(
        element_shape=[2], num_elements=3, element_dtype=tf.float32
    )
    concrete = tf.function(length, autograph=False).get_concrete_function(items)

    assert concrete(items).numpy() == 3
    for wrong in (tf.constant(1.0), [1, 2, 3]):
        with pytest.raises(TypeError, match="items: Can not cast"):
            concrete(wrong)
