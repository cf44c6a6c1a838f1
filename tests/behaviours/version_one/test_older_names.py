"""Older names that programs still have: derivatives by differences, slots, datasets: I10."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import OURS, behaviour, tf

v1 = tf.compat.v1
X = np.array([1.0, 3.0], np.float32)

# Where ours are that TensorFlow has in private modules.
PLACES = {
    "eager.backprop": "autodiff.eager_gradients",
    "data.util.nest": "data.by_hand.nests",
    "ops.parallel_for.gradients": "autodiff.symbolic_jacobians",
    "training.slot_creator": "version_one.training.slots",
}


def private(module: str) -> Any:
    return importlib.import_module(
        f"tensormill.{PLACES[module]}" if OURS else f"tensorflow.python.{module}"
    )


@behaviour("I10")
def test_gradients_of_graphs_are_beside_those_by_differences() -> None:
    gradient, error = v1.test.compute_gradient, v1.test.compute_gradient_error
    with tf.Graph().as_default(), v1.Session():
        x = v1.placeholder(tf.float32, [2])
        rows = tf.reduce_sum(x[None] * tf.ones([3, 1]), 1)
        with_two = gradient([x, x], [[2], [2]], rows, [3], x_init_value=[X, X])
        parts = gradient(x, [2], tf.complex(x, -x), [2], x_init_value=X)

        assert [[2, 0], [0, 6]] == gradient(x, [2], x**2, [2], x_init_value=X)[0].tolist()
        assert error(x, [2], x**2, [2], x_init_value=X) < 1e-3
        assert [np.ones([2, 3]).tolist()] * 2 == [found.tolist() for found, _ in with_two]
        assert [[1, -1, 0, 0], [0, 0, 1, -1]] == parts[0].tolist()
        np.testing.assert_allclose(parts[0], parts[1], atol=1e-3)


@behaviour("I10")
def test_slots_are_called_after_their_variables() -> None:
    slots = private("training.slot_creator")
    with tf.Graph().as_default(), v1.Session() as session:
        with v1.variable_scope("net"):
            w = v1.get_variable("w", initializer=np.ones([1, 2], np.float32))
        threes = v1.constant_initializer(3.0)
        made = [
            slots.create_zeros_slot(w, "Momentum", dtype=tf.float16),
            slots.create_slot(w, tf.constant([1.0, 2.0]), "val"),
            slots.create_slot_with_initializer(w, threes, tf.TensorShape([2]), tf.float32, "ini"),
        ]
        session.run(v1.global_variables_initializer())

        assert ["net/w/Momentum", "net/w/val", "net/w/ini"] == [one.op.name for one in made]
        assert [[[0, 0]], [1, 2], [3, 3]] == [one.tolist() for one in session.run(made)]
        assert [tf.float16, tf.float32, tf.float32] == [one.dtype.base_dtype for one in made]
        assert [w.name] == [one.name for one in v1.trainable_variables()]


@behaviour("I10")
def test_jacobians_of_what_is_traced() -> None:
    jacobian = private("ops.parallel_for.gradients").jacobian

    @tf.function
    def slopes(x: Any) -> Any:
        return jacobian(tf.reduce_sum(x**2, 1), {"x": x, "unused": tf.constant(1.0)})

    found = slopes(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    assert [[[2, 4], [0, 0]], [[0, 0], [6, 8]]] == found["x"].numpy().tolist()
    assert found["unused"] is None


@behaviour("I10")
def test_lists_are_leaves_of_elements() -> None:
    nest = private("data.util.nest")

    assert [3, 4, [1, 2]] == nest.flatten({"b": [1, 2], "a": (3, 4)})
    assert [False, True] == [nest.is_nested([1]), nest.is_nested((1,))]
    assert {"a": [0, 0], "b": ((1,), 2)} == nest.pack_sequence_as(
        {"a": 1, "b": (2, 3)}, [[0, 0], (1,), 2]
    )
    assert ([1, 2, 1, 2], 6) == nest.map_structure(lambda x: x * 2, ([1, 2], 3))
    assert [(1, 2), [3]] == nest.flatten_up_to((0, 0), ((1, 2), [3]))
    for wrong in (
        lambda: nest.assert_same_structure((1, 2), [1, 2]),
        lambda: nest.pack_sequence_as((1, 2), [1]),
    ):
        with pytest.raises(ValueError, match=r"structure|packed"):
            wrong()


@behaviour("I10")
def test_datasets_have_their_older_methods() -> None:
    data = v1.data.Dataset
    sparse = tf.sparse.from_dense([[1, 0], [0, 0], [0, 2]])
    rows = data.from_sparse_tensor_slices(sparse)

    assert [[[[0]], [1], [2]], [[], [], [2]], [[[1]], [2], [2]]] == [
        [part.numpy().tolist() for part in row] for row in rows
    ]
    assert [1, 2] == [
        int(one)
        for one in data.range(3)
        .map_with_legacy_function(lambda x: x * 1)
        .filter_with_legacy_function(lambda x: x > 0)
    ]
    assert tf.TensorSpec([2]) == v1.data.experimental.TensorStructure(tf.float32, [2])
    with pytest.raises(TypeError, match="SparseTensor"):
        data.from_sparse_tensor_slices(tf.ones([2]))


@behaviour("I10")
def test_functions_of_functions_give_derivatives() -> None:
    backprop = private("eager.backprop")
    v = tf.Variable(2.0)

    def product(x: Any, y: Any) -> Any:
        return x * y

    value, pull = backprop.make_vjp(lambda x: x * x)(3.0)
    both = backprop.val_and_grad_function(product)(2.0, 3.0)
    read, pairs = backprop.implicit_val_and_grad(lambda x: x * v)(3.0)

    assert [9.0, 6.0] == [float(value), *map(float, pull(1.0))]
    assert [6.0, 3.0, 2.0] == [float(both[0]), *map(float, both[1])]
    assert [6.0, 3.0] == [float(read), float(pairs[0][0])]
    assert pairs[0][1] is v
    for one in ([1], ["y"]):
        assert [2.0] == [
            float(found) for found in backprop.gradients_function(product, one)(2.0, 3.0)
        ]
    with pytest.raises(ValueError, match="No trainable variables"):
        backprop.implicit_grad(lambda x: x)(1.0)
