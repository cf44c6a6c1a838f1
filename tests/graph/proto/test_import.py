"""What TensorFlow's FunctionDefs say otherwise, and functions made for what they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.backends import cpu
from tensormill.core.specs import ListSpec
from tensormill.graph.proto.graphdef_import import Functions
from tensormill.graph.proto.messages import message
from tensormill.graph.proto.values import attr_value
from tensormill.graph.verify import verify


def function(name: str, inputs: str, nodes: list[tuple[Any, ...]], results: str) -> Any:
    """A FunctionDef: names of inputs, `(name, op, inputs, attributes)`, references of results."""
    proto = message("FunctionDef")()
    proto.signature.name = name
    for one in inputs.split():
        proto.signature.input_arg.add(name=one, type=tf.float32.as_datatype_enum)
    for node, op, taken, attrs in nodes:
        made = proto.node_def.add(name=node, op=op, input=taken.split())
        for key, value in attrs.items():
            if isinstance(value, str) and value.startswith("@"):
                made.attr[key].func.name = value[1:]
            else:
                made.attr[key].CopyFrom(attr_value(value, str))
    for number, reference in enumerate(results.split()):
        proto.signature.output_arg.add(name=f"r{number}", type=tf.float32.as_datatype_enum)
        proto.ret[f"r{number}"] = reference
    return proto


def const(name: str, value: Any) -> tuple[Any, ...]:
    array = np.asarray(value)
    return (name, "Const", "", {"value": array, "dtype": tf.as_dtype(array.dtype)})


def test_the_gradient_of_broadcasting_becomes_one_sum() -> None:
    nodes = [
        ("sx", "Shape", "x", {}),
        ("sy", "Shape", "y", {}),
        ("args", "BroadcastGradientArgs", "sx:output:0 sy:output:0", {"T": tf.int32}),
        ("sum", "Sum", "y args:r0:0", {"keep_dims": True, "T": tf.float32}),
        ("back", "Reshape", "sum:output:0 sx:output:0", {"T": tf.float32}),
    ]
    specs = [tf.TensorSpec([None, 1]), tf.TensorSpec([None, 3])]
    graph = Functions([function("f", "x y", nodes, "back:output:0")]).graph("f", specs)
    verify(graph)
    result = graph.run([np.ones((2, 1), np.float32), np.ones((2, 3), np.float32)])[0]

    assert ["Shape", "Shape", "SumToShape"] == [step.op.name for step in graph.operations]
    assert [[3.0], [3.0]] == result.tolist()


def test_such_axes_are_numbers_as_well() -> None:
    nodes = [
        ("sx", "Shape", "x", {}),
        ("sy", "Shape", "y", {}),
        ("args", "BroadcastGradientArgs", "sx:output:0 sy:output:0", {"T": tf.int32}),
        ("one", "Cast", "args:r0:0", {"SrcT": tf.int32, "DstT": tf.float32}),
        ("other", "Cast", "args:r1:0", {"SrcT": tf.int32, "DstT": tf.float32}),
        ("sum", "Sum", "y args:r0:0", {"keep_dims": False, "T": tf.float32}),
    ]
    results = "one:y:0 other:y:0 sum:output:0"
    specs = [tf.TensorSpec([None, 1]), tf.TensorSpec([None, 3])]
    graph = Functions([function("f", "x y", nodes, results)]).graph("f", specs)
    verify(graph)
    found = graph.run([np.ones((2, 1), np.float32), np.ones((2, 3), np.float32)])

    assert [[1.0], [], [3.0, 3.0]] == [one.tolist() for one in found]
    assert 1 == sum(step.op.name == "BroadcastGradientArgs" for step in graph.operations)


def test_the_gradient_of_batches_keeps_the_axes_after_them() -> None:
    """As TensorFlow differentiates products of matrices: the shapes are those of the batches."""
    nodes = [
        const("begin", np.array([0], np.int32)),
        const("end", np.array([1], np.int32)),
        ("sx", "Shape", "x", {}),
        ("sy", "Shape", "y", {}),
        ("bx", "Slice", "sx:output:0 begin:output:0 end:output:0", {"Index": tf.int32}),
        ("by", "Slice", "sy:output:0 begin:output:0 end:output:0", {"Index": tf.int32}),
        ("args", "BroadcastGradientArgs", "bx:output:0 by:output:0", {"T": tf.int32}),
        ("sum", "Sum", "y args:r0:0", {"keep_dims": False, "T": tf.float32}),
        ("back", "Reshape", "sum:output:0 sx:output:0", {"T": tf.float32}),
    ]
    specs = [tf.TensorSpec([1, None, 2]), tf.TensorSpec([None, None, 2])]
    graph = Functions([function("f", "x y", nodes, "back:output:0")]).graph("f", specs)
    x, y = np.ones((1, 2, 2), np.float32), np.arange(12, dtype=np.float32).reshape(3, 2, 2)

    assert y.sum(0, keepdims=True).tolist() == graph.run([x, y])[0].tolist()


def test_newer_random_operations_draw_the_same_numbers() -> None:
    nodes = [
        const("seed", np.array([1, 2], np.int32)),
        const("size", np.array([3], np.int32)),
        ("key", "StatelessRandomGetKeyCounter", "seed:output:0", {"Tseed": tf.int32}),
        ("alg", "StatelessRandomGetAlg", "", {}),
        (
            "draw",
            "StatelessRandomUniformV2",
            "size:output:0 key:key:0 key:counter:0 alg:alg:0",
            {"Tshape": tf.int32},
        ),
    ]
    graph = Functions([function("f", "", nodes, "draw:output:0")]).graph("f", [])

    expected = tf.random.stateless_uniform([3], [1, 2]).numpy()
    np.testing.assert_array_equal(expected, graph.run([])[0])


def test_a_function_is_made_for_the_sizes_of_its_operands() -> None:
    body = function("body", "x", [("y", "Neg", "x", {"T": tf.float32})], "y:y:0")
    call = ("call", "PartitionedCall", "x", {"f": "@body", "Tin": [tf.float32]})
    functions = Functions([body, function("f", "x", [call], "call:output:0")])

    for dims in ([2, 3], [None], None):
        graph = functions.graph("f", [tf.TensorSpec(dims)])
        assert tf.TensorShape(dims) == graph.returns[0].spec.shape


def test_what_changes_in_a_loop_is_not_known() -> None:
    cond = function(
        "cond",
        "x",
        [
            const("limit", np.float32(9)),
            const("all", np.array([0], np.int32)),
            ("sum", "Sum", "x all:output:0", {"T": tf.float32}),
            ("less", "Less", "sum:output:0 limit:output:0", {"T": tf.float32}),
        ],
        "less:z:0",
    )
    body = function(
        "body",
        "x",
        [
            const("axis", np.int32(0)),
            ("twice", "ConcatV2", "x x axis:output:0", {"N": 2, "T": tf.float32}),
        ],
        "twice:output:0",
    )
    loop = ("loop", "StatelessWhile", "x", {"cond": "@cond", "body": "@body", "T": [tf.float32]})
    functions = Functions([cond, body, function("f", "x", [loop], "loop:output:0")])
    graph = functions.graph("f", [tf.TensorSpec([1])])
    verify(graph)

    assert tf.TensorShape([None]) == graph.returns[0].spec.shape
    assert 16 == graph.run([np.ones(1, np.float32)])[0].size


def test_the_rank_of_a_loops_condition_need_not_be_known() -> None:
    """TensorFlow's own are scalars; what others write is what it is when it runs."""
    numbers = {"T": tf.float32}
    less = [const("n", np.float32(9)), ("less", "Less", "x n:output:0", numbers)]
    add = [const("n", np.float32(4)), ("sum", "AddV2", "x n:output:0", numbers)]
    functions = [function("cond", "x", less, "less:z:0"), function("body", "x", add, "sum:z:0")]
    loop = ("loop", "While", "x", {"cond": "@cond", "body": "@body", "T": [tf.float32]})
    graph = Functions([*functions, function("f", "x", [loop], "loop:output:0")]).graph(
        "f", [tf.TensorSpec(None)]
    )
    compiled = cpu.compile(graph).bind([])

    (result,) = compiled(tf.constant(1.0))
    assert result.numpy() == 9
    with pytest.raises(tf.errors.InvalidArgumentError, match="not a bool scalar"):
        compiled(tf.constant([[1.0]]))


def test_lists_are_what_they_are_at_the_call() -> None:
    body = function(
        "body",
        "items",
        [
            const("index", np.int32(0)),
            const("shape", np.array([2], np.int32)),
            (
                "first",
                "TensorListGetItem",
                "items index:output:0 shape:output:0",
                {"element_dtype": tf.float32},
            ),
        ],
        "first:item:0",
    )
    graph = Functions([body]).graph("body", [ListSpec(tf.TensorSpec([None]))])

    assert tf.TensorShape([2]) == graph.returns[0].spec.shape


def test_an_absent_function_is_named() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="no function 'absent'"):
        Functions([]).graph("absent", [])


def test_a_missing_attribute_is_named() -> None:
    nodes = [("cast", "Cast", "x", {"SrcT": tf.float32})]

    with pytest.raises(tf.errors.UnimplementedError, match="'Cast' lacks the attribute 'DstT'"):
        Functions([function("f", "x", nodes, "cast:y:0")]).graph("f", [tf.TensorSpec([])])


def test_a_node_may_be_of_the_kind_of_a_function() -> None:
    inner = function("Both", "x", [("n", "Neg", "x", {}), ("e", "Exp", "x", {})], "n:y:0 e:y:0")
    nodes = [
        ("call", "Both", "x", {}),
        ("sum", "AddV2", "call:r0:0 call:r1:0", {"T": tf.float32}),
    ]
    functions = Functions([inner, function("f", "x", nodes, "sum:z:0 call:r1:0")])
    graph = functions.graph("f", [tf.TensorSpec([2])])
    verify(graph)
    found = graph.run([np.zeros(2, np.float32)])

    assert [[1.0, 1.0], [1.0, 1.0]] == [one.tolist() for one in found]
    wrong = function("g", "x", [("call", "Both", "x", {})], "call:other:0")
    with pytest.raises(tf.errors.InvalidArgumentError, match="no output called 'other'"):
        Functions([inner, wrong]).graph("g", [tf.TensorSpec([2])])
