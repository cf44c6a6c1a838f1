"""GraphDefs and FunctionDefs, there and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import tensormill as tf
from tensormill.graph.builder import trace_graph
from tensormill.graph.proto.graphdef import function_def_of
from tensormill.graph.proto.messages import message
from tensormill.graph.proto.values import array_of, tensor_proto
from tensormill.graph.verify import verify
from tests.graph.proto.reading import function_of, graph_of

from ..strategies import arrays, graphs

V = tf.Variable([1.0, 2.0])


@tf.function
def inner(x: Any) -> Any:
    return x * 2.0 + V


@tf.function
def program(x: Any, flag: Any) -> Any:
    y = tf.matmul(x, [[1.0], [2.0]])
    left, right = tf.split(x, 2, axis=1)
    if flag:
        z = tf.concat([left, right], 0) + 1.0
    else:
        z = tf.concat([right, left], 0)
    V.assign_add(inner(tf.reduce_sum(z, axis=0, keepdims=True))[0])
    return y, {"z": z, "v": V.read_value()}


def concrete() -> Any:
    return program.get_concrete_function(tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.bool))


def test_nodes_are_in_order_of_creation_with_tensorflows_names() -> None:
    graph_def = concrete().graph.as_graph_def()
    kinds = {node.name: node.op for node in graph_def.node}

    assert [node.name for node in graph_def.node][:4] == ["x", "flag", "MatMul/b", "MatMul"]
    assert kinds["x"] == "Placeholder"
    assert kinds["split"] == "Split"
    assert "Identity" in kinds
    names = [function.signature.name for function in graph_def.library.function]
    assert any(name.startswith("__inference_inner_") for name in names)
    assert len(names) == 3


def test_it_prints_as_protos_do() -> None:
    text = str(concrete().graph.as_graph_def())

    assert text.startswith('node {\n  name: "x"\n  op: "Placeholder"\n')
    assert "type: DT_FLOAT" in text


def test_inputs_and_attributes_of_nodes() -> None:
    nodes = {node.name: node for node in concrete().graph.as_graph_def(add_shapes=True).node}

    assert list(nodes["MatMul"].input) == ["x", "MatMul/b"]
    assert nodes["MatMul"].attr["T"].type == tf.float32.as_datatype_enum
    assert list(nodes["concat" if "concat" in nodes else "split"].input)[-1]
    assert nodes["split"].attr["num_split"].i == 2
    assert nodes["MatMul/b"].attr["value"].tensor.tensor_shape.dim[0].size == 2
    assert nodes["x"].attr["_user_specified_name"].s == b"x"
    assert [d.size for d in nodes["MatMul"].attr["_output_shapes"].list.shape[0].dim] == [-1, 1]


def test_a_function_def_has_a_signature_nodes_and_results() -> None:
    definition = concrete().function_def

    assert definition.signature.name == concrete().name.decode()
    assert [arg.name for arg in definition.signature.input_arg][:2] == ["x", "flag"]
    assert [arg.name for arg in definition.signature.output_arg] == [
        "identity", "identity_1", "identity_2"
    ]  # fmt: skip
    assert definition.ret["identity"] == "Identity:output:0"
    assert definition.signature.is_stateful
    assert {node.op for node in definition.node_def} >= {"MatMul", "Split", "StatelessIf"}


def run_all(graph: Any, flag: bool) -> list[Any]:
    V.assign([1.0, 2.0])
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    return [array.tolist() for array in graph.run([x, np.array(flag), V.handle._array])]


@pytest.mark.parametrize("flag", [True, False])
def test_an_imported_function_means_the_same(flag: bool) -> None:
    cf = concrete()
    library = cf.graph.as_graph_def().library.function
    imported = function_of(cf.function_def, list(library))

    verify(imported)
    assert run_all(imported, flag) == run_all(cf.callee.closed, flag)


def test_an_imported_graph_means_the_same() -> None:
    cf = concrete()
    imported = graph_of(cf.graph.as_graph_def(), [t.name for t in cf.outputs])

    verify(imported)
    assert run_all(imported, True) == run_all(cf.callee.closed, True)


def test_it_survives_the_wire() -> None:
    graph_def = concrete().graph.as_graph_def()
    again = message("GraphDef").FromString(graph_def.SerializeToString())

    assert again == graph_def


@settings(max_examples=30, deadline=None)
@given(graphs())
def test_any_graph_survives_being_a_function(graph: Any) -> None:
    called = [step.attrs["f"] for step in graph.operations if "f" in step.attrs]
    assume(len({one.name for one in called}) == len(called))  # a library has each name once
    imported = function_of(function_def_of(graph), list(map(function_def_of, called)))
    verify(imported)

    assert [str(v.spec) for v in imported.inputs] == [str(v.spec) for v in graph.inputs]
    assert [step.op for step in imported.operations] == [step.op for step in graph.operations]


@settings(max_examples=60, deadline=None)
@given(arrays())
def test_arrays_survive_being_protos(array: Any) -> None:
    again = array_of(tensor_proto(array))

    assert again.dtype == array.dtype
    np.testing.assert_array_equal(again, array)


def test_a_short_list_of_values_goes_on_with_the_last() -> None:
    proto = message("TensorProto")(dtype=1, float_val=[1.0, 2.0])
    proto.tensor_shape.dim.add(size=4)

    assert array_of(proto).tolist() == [1.0, 2.0, 2.0, 2.0]


def test_unknown_operations_are_named() -> None:
    graph_def = message("GraphDef")()
    graph_def.node.add(name="n", op="NoSuchOp")

    with pytest.raises(tf.errors.UnimplementedError, match="there is no operation 'NoSuchOp'"):
        graph_of(graph_def)


def test_an_operations_node_and_signature_can_be_asked_for() -> None:
    operation = concrete().graph.get_operation_by_name("MatMul")

    assert operation.node_def.op == "MatMul"
    assert [arg.name for arg in operation.op_def.input_arg] == ["a", "b"]
    assert operation.op_def.attr[0].name == "transpose_a"


def test_nodes_may_come_in_any_order() -> None:
    graph_def = concrete().graph.as_graph_def()
    nodes = list(graph_def.node)
    del graph_def.node[:]
    graph_def.node.extend(reversed(nodes))
    outputs = [t.name for t in concrete().outputs]

    assert len(graph_of(graph_def, outputs).operations) == sum(
        node.op != "Placeholder" for node in nodes
    )


def test_lists_keep_their_element_type() -> None:
    def body(x: Any) -> Any:
        ta = tf.TensorArray(tf.float32, 2)
        return ta.write(0, x).write(1, x + 1.0).stack()

    graph = trace_graph(body, [tf.TensorSpec([])]).graph
    imported = function_of(function_def_of(graph))

    verify(imported)
    assert imported.run([np.float32(1).reshape(())])[0].tolist() == [1.0, 2.0]
