"""`convert_variables_to_constants_v2`: functions whose variables have become constants."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

import tensormill as tf
from tensormill.function.freezing import convert_variables_to_constants_v2 as freeze

ROWS = np.arange(8, dtype=np.float32).reshape(4, 2)


class Model(tf.Module):
    """Reads variables itself, in a loop, in a branch, in a function, by rows."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = tf.Variable([1.0, 2.0])
        self.steps = tf.Variable(3)
        self.rows = tf.Variable(ROWS)

    @tf.function
    def scaled(self, x: Any) -> Any:
        return x * self.scale

    @tf.function(
        input_signature=[tf.TensorSpec([None, 2], name="inp"), tf.TensorSpec([], tf.int32)]
    )
    def __call__(self, x: Any, row: Any) -> Any:
        i = 0
        while i < self.steps:
            x = self.scaled(x)
            i += 1
        if tf.reduce_sum(x) > 0:
            x += self.scale
        return {"b": self.scaled(x), "a": tf.gather(self.rows, row)}


def test_a_frozen_function_knows_no_variables() -> None:
    model = Model()
    traced = model.__call__.get_concrete_function()
    wanted = [traced(tf.ones([2, 2]) * sign, tf.constant(3)) for sign in (1.0, -1.0)]
    frozen = freeze(traced)
    for variable in model.variables:
        variable.assign(tf.zeros_like(variable))

    for sign, expected in zip((1.0, -1.0), wanted, strict=True):
        found = frozen(inp=tf.ones([2, 2]) * sign, row=tf.constant(3))
        assert [expected["a"].numpy().tolist(), expected["b"].numpy().tolist()] == [
            one.numpy().tolist() for one in found
        ]
    kinds = {one.op for one in frozen.graph.as_graph_def().node}
    assert ((), []) == (frozen.variables, frozen.captured_inputs)
    assert not {"ReadVariableOp", "PartitionedCall", "StatefulPartitionedCall"} & kinds


def test_its_graph_runs_by_the_names_of_its_inputs_and_outputs() -> None:
    frozen = freeze(Model().__call__.get_concrete_function())
    names = [one.name for one in (*frozen.inputs, *frozen.outputs)]
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.import_graph_def(frozen.graph.as_graph_def(), name="")
        found = session.run(names[2:], {names[0]: [[1.0, 1.0]], names[1]: 3})

    assert ["inp:0", "row:0", "Identity:0", "Identity_1:0"] == names
    assert [[6.0, 7.0], [[2.0, 20.0]]] == [one.tolist() for one in found]


def test_what_changes_a_variable_is_not_frozen() -> None:
    v = tf.Variable(1.0)
    changes = tf.function(lambda: v.assign_add(1.0)).get_concrete_function()

    with pytest.raises(ValueError, match="takes a variable itself"):
        freeze(changes)
    with pytest.raises(AttributeError, match="a ConcreteFunction is frozen"):
        freeze(cast("Any", changes.graph))
    with pytest.raises(ValueError, match="one that takes tensors"):
        freeze(tf.function(lambda x: x + 1).get_concrete_function(v))
