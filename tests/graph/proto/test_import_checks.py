"""FunctionDefs that no program makes: each is refused by node, function and expectation."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.specs import ResourceSpec
from tensormill.graph.proto.graphdef_import import Functions
from tensormill.graph.proto.messages import message
from tensormill.graph.proto.values import array_of, is_repeated
from tests.graph.proto.reading import graph_of

from .test_import import const, function

F = {"T": tf.float32}
SPEC = tf.TensorSpec([2])


def graph(*nodes: tuple[Any, ...], results: str = "y:y:0", more: Any = ()) -> Any:
    return Functions([function("f", "x", list(nodes), results), *more]).graph("f", [SPEC])


# Nodes of `f(x)`, and what is said of them.
DAMAGED: dict[str, tuple[list[tuple[Any, ...]], str]] = {
    "a circle": (
        [("y", "Neg", "z:y:0", F), ("z", "Neg", "y:y:0", F)],
        "node 'z' of 'f': nodes take from each other in a circle: 'y' ← 'z' …",
    ),
    "itself": ([("y", "Neg", "y:y:0", F)], "node 'y' of 'f': nodes take from each other"),
    "waits for itself": ([("y", "Neg", "x ^y", F)], "node 'y' of 'f': nodes take from each other"),
    "nobody": ([("y", "Neg", "nobody:y:0", F)], "node 'y' of 'f': it takes from 'nobody'"),
    "two of a name": ([("y", "Neg", "x", F)] * 2, "node 'y' of 'f': a node, or an argument, of"),
    "an argument's name": ([("x", "Neg", "x", F)], "node 'x' of 'f': a node, or an argument"),
    "no name": ([("", "Neg", "x", F)], "node '' of 'f': a node, or an argument, of that name"),
    "no such output": (
        [("z", "Neg", "x", F), ("y", "Neg", "z:other:0", F)],
        "node 'y' of 'f': 'z:other:0' of 'f' is no tensor: 'z' has no output called 'other'",
    ),
    "a number beyond": (
        [("z", "Neg", "x", F), ("y", "Neg", "z:y:7", F)],
        "node 'y' of 'f': 'z:y:7' of 'f' is no tensor: 'z' has 1 outputs",
    ),
    "a negative number": (
        [("z", "Neg", "x", F), ("y", "Neg", "z:y:-1", F)],
        "node 'y' of 'f': 'z:y:-1' of 'f' is no tensor",
    ),
    "a missing result": ([("z", "Neg", "x", F)], "'y:y:0' of 'f' is no tensor: there is no node"),
    "no inputs": ([("y", "Neg", "", F)], "node 'y' of 'f': Neg takes 1 for 'x', and 0 of its 0"),
    "many inputs": ([("y", "Neg", "x x", F)], "node 'y' of 'f': Neg is given 2 inputs, 1 too many"),
    "less than none": (
        [("y", "AddN", "x", {"N": -2, **F})],
        "node 'y' of 'f': AddN takes -2 for 'inputs', and 1 of its 1 inputs are left",
    ),
    "another kind of attribute": (
        [const("k", 0), ("y", "Sum", "x k:output:0", {"keep_dims": "no", **F})],
        "node 'y' of 'f': attribute 'keep_dims' of Sum: expected bool, got string: b'no'",
    ),
    "no operation": ([("y", "Nothing", "x", F)], "node 'y' of 'f': there is no operation"),
    "somebody's Python": (
        [("y", "EagerPyFunc", "x", {"token": "pyfunc_0", "Tin": [tf.float32], "Tout": []})],
        "node 'y' of 'f': EagerPyFunc calls a Python function, which is not in the file",
    ),
    "a function that is not there": (
        [("y", "PartitionedCall", "x", {"f": "@g", "Tin": [tf.float32], "Tout": [tf.float32]})],
        "node 'y' of 'f': there is no function 'g' in the library",
    ),
    "itself, called": (
        [("y", "PartitionedCall", "x", {"f": "@f", "Tin": [tf.float32], "Tout": [tf.float32]})],
        "node 'y' of 'f': functions call each other in a circle: f → f",
    ),
    "no function": (
        [("y", "PartitionedCall", "x", {"f": 3, "Tin": [tf.float32], "Tout": [tf.float32]})],
        "node 'y' of 'f': ",
    ),
    "two dtypes": (
        [const("k", np.array([1.0, 2.0])), ("y", "AddV2", "x k:output:0", {})],
        "node 'y' of 'f': AddV2: 'y' is float64, and should be float32",
    ),
    "another dtype than it says": (
        [("y", "Neg", "x", {"T": tf.int32})],
        "node 'y' of 'f': Neg: 'x' is float32, and should be int32",
    ),
    "a dtype that it does not take": (
        [const("k", np.array(b"text", object)), ("y", "Neg", "k:output:0", {})],
        "node 'y' of 'f': Neg: 'x' cannot be string",
    ),
    "a tensor in place of a handle": (
        [("y", "ReadVariableOp", "x", {"dtype": tf.float32})],
        "node 'y' of 'f': ReadVariableOp: 'resource' is float32, and should be resource",
    ),
    "other dtypes in a list": (
        [("y", "IdentityN", "x x", {"T": [tf.float32, tf.int32]})],
        "node 'y' of 'f': IdentityN: 'input' are ['float32', 'float32'], but the node's 'T'",
    ),
    "shapes that clash": (
        [const("k", [1.0, 2.0, 3.0]), ("y", "AddV2", "x k:output:0", F)],
        "node 'y' of 'f': ",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_function_is_refused_by_node(name: str) -> None:
    nodes, said = DAMAGED[name]

    with pytest.raises(tf.errors.OpError, match=re.escape(said)):
        graph(*nodes)


def test_variables_are_written_and_read_as_what_they_are() -> None:
    handle = ResourceSpec(tf.TensorSpec([2]))
    for node in (
        ("y", "ReadVariableOp", "x", {"dtype": tf.float64}),
        ("y", "AssignVariableOp", "x k:output:0", {"dtype": tf.int64}),
        ("y", "AssignAddVariableOp", "x k:output:0", {"dtype": tf.float32}),
        ("y", "RandomShuffle", "x", {}),
    ):
        f = function("f", "x", [const("k", [1, 2]), node], "")
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"node 'y' of 'f': \w+: '\w+' "):
            Functions([f]).graph("f", [handle])


def test_calls_need_as_many_tensors_as_the_function_takes() -> None:
    attrs = {"f": "@g", "Tin": [tf.float32] * 2, "Tout": [tf.float32]}
    inner = function("g", "a", [("y", "Neg", "a", F)], "y:y:0")

    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=r"node 'y' of 'f': the function 'g' takes 1 tensors, and 2 are given",
    ):
        graph(("y", "PartitionedCall", "x x", attrs), more=[inner])


def test_a_long_chain_of_calls_is_refused_and_not_a_crash() -> None:
    def call(name: str, callee: str) -> Any:
        attrs = {"f": f"@{callee}", "Tin": [tf.float32], "Tout": [tf.float32]}
        return function(name, "x", [("y", "PartitionedCall", "x", attrs)], "y:output:0")

    library = [call(f"g{k}", f"g{k + 1}") for k in range(5000)]
    library.append(function("g5000", "x", [("y", "Neg", "x", F)], "y:y:0"))

    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"node 'y' of 'g\d+': .*recursion"):
        Functions(library).graph("g0", [SPEC])


def test_a_long_chain_of_nodes_in_any_order() -> None:
    nodes = [("y0", "Neg", "x", F)]
    nodes += [(f"y{k}", "Neg", f"y{k - 1}:y:0", F) for k in range(1, 5000)]

    assert 5000 == len(graph(*reversed(nodes), results="y4999:y:0").operations)


def test_a_cyclic_graph_is_refused() -> None:
    proto = message("GraphDef")()
    proto.node.add(name="a", op="Identity", input=["b"])
    proto.node.add(name="b", op="Identity", input=["a"])

    with pytest.raises(tf.errors.InvalidArgumentError, match="in a circle: 'a' ← 'b' …"):
        graph_of(proto)


def tensor(dtype: Any, dims: list[int], **fields: Any) -> Any:
    proto = message("TensorProto")(dtype=dtype.as_datatype_enum, **fields)
    for size in dims:
        proto.tensor_shape.dim.add(size=size)
    return proto


@pytest.mark.parametrize(
    "proto",
    [
        tensor(tf.float32, [2], tensor_content=b"12345"),
        tensor(tf.float32, [1 << 40, 1 << 40], tensor_content=b"12345678"),
        tensor(tf.string, [1], tensor_content=b"12345678"),
        tensor(tf.bool, [2], tensor_content=b"\1\2"),
        tensor(tf.float32, [-1], float_val=[1]),
        tensor(tf.float32, [1] * 100, float_val=[1]),
        tensor(tf.float32, [1 << 30], float_val=[1, 2]),
        tensor(tf.float32, [1 << 40, 1 << 40], float_val=[1]),
        tensor(tf.resource, [], float_val=[1]),
        message("TensorProto")(dtype=77),
    ],
)  # fmt: skip
def test_constants_that_do_not_fit_are_refused(proto: Any) -> None:
    with pytest.raises(tf.errors.OpError):
        array_of(proto)


def test_a_constant_of_equal_elements_takes_no_memory_before_it_is_needed() -> None:
    proto = tensor(tf.float32, [1 << 20, 1 << 19], float_val=[3])
    array = array_of(proto)

    assert ((1 << 20, 1 << 19), 3.0) == (array.shape, array[7, 5])
    assert is_repeated(array)
    made = message("GraphDef")()
    node = made.node.add(name="k", op="Const")
    node.attr["value"].tensor.CopyFrom(proto)
    node.attr["dtype"].type = tf.float32.as_datatype_enum
    made.node.add(name="y", op="Neg", input=["k"])

    found = graph_of(made, ["y"])

    assert (1 << 20, 1 << 19) == found.returns[0].spec.shape
    assert ["Fill", "Neg"] == [one.op.name for one in found.operations][-2:]


def test_constants_go_on_with_their_last_element() -> None:
    assert [1.0, 2.0, 2.0] == array_of(tensor(tf.float32, [3], float_val=[1, 2])).tolist()
    assert [b"a", b"a"] == array_of(tensor(tf.string, [2], string_val=[b"a"])).tolist()
    assert [b"", b""] == array_of(tensor(tf.string, [2])).tolist()
    assert [0, 0] == array_of(tensor(tf.int32, [2])).tolist()
    assert np.zeros((0, 3)).tolist() == array_of(tensor(tf.float32, [0, 3])).tolist()
