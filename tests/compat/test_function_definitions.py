"""What converters of models, such as tf2onnx, ask of graphs and functions (compared with TF)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compat.private_modules.tools.function_definitions import (
    ApiDefMap,
    FunctionToFreeze,
    frozen_graph_def,
    function_def_to_graph,
    optimized_graph_def,
)

v1 = tf.compat.v1


def halved_where_positive() -> Any:
    function = tf.function(lambda x: tf.where(x > 0.0, x / 2.0, x), autograph=False)
    return function.get_concrete_function(tf.TensorSpec([None, 3], name="x"))


def test_a_definition_is_a_graph_again() -> None:
    concrete = halved_where_positive()

    graph = function_def_to_graph(concrete.function_def)

    assert concrete.function_def.signature.name == graph.name
    assert [("x:0", [None, 3])] == [(one.name, one.shape.as_list()) for one in graph.inputs]
    assert [(tf.float32, [None, 3])] == [(one.dtype, one.shape.as_list()) for one in graph.outputs]
    assert "SelectV2" in [operation.type for operation in graph.get_operations()]
    with pytest.raises(ValueError, match=r"2 shapes, but .* has 1 argument"):
        function_def_to_graph(concrete.function_def, input_shapes=[[2, 3], [2, 3]])


def test_graphs_name_the_functions_that_they_call() -> None:
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [2])
        found = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x + 1.0, lambda: x)
        conditional = found.op.inputs[0].op
        names = [conditional.get_attr(f"{one}_branch").name for one in ("then", "else")]

        assert {*names} == {*graph._functions}
        then = function_def_to_graph(graph._functions[names[0]].definition, input_shapes=[[2]])

    assert [2] == then.outputs[0].shape.as_list()


def test_attributes_are_told_as_messages_and_lists() -> None:
    with tf.Graph().as_default():
        constant = tf.constant([[1.0, 2.0]]).op
        placeholder = v1.placeholder(tf.float32, [None, 2]).op
        images = tf.zeros([1, 3, 3, 1])
        convolution = tf.nn.conv2d(images, tf.zeros([2, 2, 1, 1]), 1, "SAME").op

    assert [[1.0, 2.0]] == tf.make_ndarray(constant.get_attr("value")).tolist()
    assert [-1, 2] == [dim.size for dim in placeholder.get_attr("shape").dim]
    assert [1, 1, 1, 1] == convolution.get_attr("strides")
    assert [] == convolution.get_attr("explicit_paddings")
    assert (tf.float32, b"SAME") == (convolution.get_attr("T"), convolution.get_attr("padding"))


def test_functions_are_frozen_and_their_graphs_cut() -> None:
    weights = tf.Variable([[1.0], [2.0]])
    function = tf.function(lambda x: tf.nn.relu(x @ weights), autograph=False)
    concrete = function.get_concrete_function(tf.TensorSpec([None, 2], name="x"))

    definition, replaced = frozen_graph_def(FunctionToFreeze(func=concrete))
    kinds = [node.op for node in definition.node]
    assert ({}, True) == (replaced, "ReadVariableOp" not in kinds)

    with tf.Graph().as_default():
        whole = v1.train.export_meta_graph(graph_def=definition)
    product = next(node.name for node in definition.node if node.op == "MatMul")
    whole.collection_def["train_op"].node_list.value.append(f"{product}:0")
    cut = optimized_graph_def(v1.ConfigProto(), whole)

    assert {*kinds} - {"Relu", "Identity"} == {node.op for node in cut.node} - {"Identity"}
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(cut, name="")
        values = v1.Session(graph=graph).run(f"{product}:0", {"x:0": np.ones((1, 2), np.float32)})
    assert [[3.0]] == values.tolist()


def test_operations_are_found_by_their_names() -> None:
    known = ApiDefMap()

    assert {"MatMul", "Conv2D"} < {*known.op_names()}
    assert ["a", "b"] == [one.name for one in known.get_op_def("MatMul").input_arg]
    with pytest.raises(tf.errors.UnimplementedError, match="NoSuch"):
        known.get_op_def("NoSuch")


def test_dicts_of_numbers_know_dtypes() -> None:
    named: dict[Any, str] = {1: "float", 3: "int"}
    assert "int" == named[tf.int32]
    assert hash(tf.float32) == tf.float32.as_datatype_enum
