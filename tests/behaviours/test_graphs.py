"""Names and what graphs tell of themselves: statements I3 to I8 and I12."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf

NUMBER = tf.TensorSpec([], tf.float32)


def concrete(body: Any, *specs: Any) -> Any:
    """The trace of `body`, which is not converted, for one number or these specs."""
    return tf.function(body, autograph=False).get_concrete_function(*(specs or (NUMBER,)))


def names(graph: Any) -> list[str]:
    return [op.name for op in graph.get_operations()]


@behaviour("I3")
def test_operations_are_listed_and_named_in_the_order_of_their_creation():
    graph = concrete(lambda x: (x + 1, x * 2)).graph

    assert names(graph) == ["x", "add/y", "add", "mul/y", "mul", "Identity", "Identity_1"]
    assert [op.type for op in graph.get_operations()] == [
        "Placeholder", "Const", "AddV2", "Const", "Mul", "Identity", "Identity",
    ]  # fmt: skip


@behaviour("I3")
def test_placeholders_are_called_as_the_arguments():
    graph = concrete(lambda first, other: first + other["b"], NUMBER, {"b": NUMBER}).graph

    assert names(graph)[:2] == ["first", "other"]
    assert [tensor.name for tensor in graph.inputs] == ["first:0", "other:0"]


@behaviour("I3", "I4")
def test_scopes_and_given_names():
    def f(x: Any) -> Any:
        with tf.name_scope("sc"):
            y = tf.add(x, x, name="my")
        with tf.name_scope("sc"):
            z = y + x
        tf.identity(z, name="out")
        return tf.identity(z, name="out")

    assert names(concrete(f).graph) == ["x", "sc/my", "sc_1/add", "out", "out_1", "Identity"]


@behaviour("I3")
def test_an_operation_that_does_nothing_may_tie_others():
    def f(x: Any) -> Any:
        with tf.control_dependencies([tf.no_op(name="tie")]):
            return tf.identity(x, name="tied")

    graph = concrete(f).graph
    tied = graph.get_operation_by_name("tied")

    assert [op.name for op in tied.control_inputs] == ["tie"]
    assert graph.get_operation_by_name("tie").type == "NoOp"


@behaviour("I3")
@differs
def test_a_graph_is_printed_with_types_and_lines():
    text = str(concrete(lambda x: x + 1).graph)

    assert "add: f32[] = AddV2(x, add/y)" in text
    assert "test_graphs.py:" in text


@behaviour("I4")
def test_scopes_in_a_trace():
    scopes = []

    def f(x: Any) -> Any:
        with tf.name_scope("a") as a:
            scopes.append(a)
            with tf.name_scope("b") as b:
                scopes.append(b)
            with tf.name_scope("b") as b:
                scopes.append(b)
        with tf.name_scope("a") as again:
            scopes.append(again)
        with tf.name_scope(a) as same:
            scopes.append(same)
            inside = tf.identity(x, name="in")
        with tf.name_scope("") as none:
            scopes.append(none)
        return inside

    graph = concrete(f).graph

    assert scopes == ["a/", "a/b/", "a/b_1/", "a_1/", "a/", ""]
    assert "a/in" in names(graph)


@behaviour("I4")
def test_scopes_without_a_trace():
    with tf.name_scope("a") as a, tf.name_scope("b c") as spaced:
        pass
    with tf.name_scope("") as none:
        pass

    assert (a, spaced, none) == ("a/", "a/b c/", "")
    with pytest.raises(ValueError, match="must be a string"):
        tf.name_scope(1)


@behaviour("I4")
def test_names_of_operations_have_no_spaces():
    for body in (lambda x: tf.identity(x, name="b c"), in_scope_with_a_space):
        with pytest.raises(ValueError, match="valid"):
            concrete(body)
    assert tf.identity(tf.constant(1), name="b c").numpy() == 1


def in_scope_with_a_space(x: Any) -> Any:
    with tf.name_scope("b c"):
        return tf.identity(x)


def scoped_sum(x: Any) -> Any:
    with tf.name_scope("sc"), tf.control_dependencies([tf.no_op(name="tie")]):
        return tf.add(x, x, name="my")


@behaviour("I5")
def test_what_an_operation_tells():
    graph = concrete(scoped_sum).graph
    op = graph.get_operation_by_name("sc/my")

    assert (op.name, op.type, op.device) == ("sc/my", "AddV2", "")
    assert [tensor.name for tensor in op.inputs] == ["x:0", "x:0"]
    assert [tensor.name for tensor in op.outputs] == ["sc/my:0"]
    assert [before.name for before in op.control_inputs] == ["sc/tie"]
    assert op.graph is graph
    assert repr(op) == "<tf.Operation 'sc/my' type=AddV2>"
    assert op.get_attr("T") == tf.float32
    with pytest.raises(ValueError, match="has no attr named 'zz'"):
        op.get_attr("zz")


@behaviour("I5")
def test_an_operation_as_protos():
    graph = concrete(scoped_sum).graph
    op = graph.get_operation_by_name("sc/my")

    assert (op.node_def.name, op.node_def.op) == ("sc/my", "AddV2")
    assert list(op.node_def.input) == ["x", "x", "^sc/tie"]
    assert op.node_def.attr["T"].type == tf.float32.as_datatype_enum
    assert op.op_def.name == "AddV2"
    assert [arg.name for arg in op.op_def.input_arg] == ["x", "y"]
    assert [arg.name for arg in op.op_def.output_arg] == ["z"]


@behaviour("I5")
def test_an_operation_knows_the_users_line():
    op = concrete(scoped_sum).graph.get_operation_by_name("sc/my")

    assert any("scoped_sum" in str(frame) or "test_graphs" in str(frame) for frame in op.traceback)


@behaviour("I5")
def test_what_a_tensor_of_a_graph_tells():
    graph = concrete(scoped_sum).graph
    result = graph.get_tensor_by_name("sc/my:0")

    assert (result.name, result.value_index, result.op.name) == ("sc/my:0", 0, "sc/my")
    assert [op.name for op in result.consumers()] == ["Identity"]
    assert result.graph is graph


@behaviour("I6")
def test_operations_and_tensors_are_found_by_name():
    graph = concrete(lambda x: x + 1).graph

    assert graph.get_operation_by_name("add").type == "AddV2"
    assert graph.get_tensor_by_name("add:0").op.name == "add"
    assert graph.as_graph_element("add").type == "AddV2"
    assert graph.as_graph_element("add:0").name == "add:0"
    add = graph.get_operation_by_name("add")
    assert graph.as_graph_element(add) is add
    assert graph.as_graph_element(add.outputs[0]) is add.outputs[0]


@behaviour("I6")
@pytest.mark.parametrize(
    ("method", "name", "error", "words"),
    [
        ("get_operation_by_name", "zz", KeyError, "not in the graph"),
        ("get_operation_by_name", "add:0", ValueError, "to refer to a Tensor, not a"),
        ("get_tensor_by_name", "add", ValueError, "must be of the form"),
        ("get_tensor_by_name", "zz:0", KeyError, "does not exist"),
        ("get_tensor_by_name", "add:1", KeyError, "only has 1 outputs"),
        ("as_graph_element", "zz", KeyError, "not in the graph"),
    ],
)
def test_names_that_are_not_there(method: str, name: str, error: type[Exception], words: str):
    graph = concrete(lambda x: x + 1).graph
    with pytest.raises(error, match=words):
        getattr(graph, method)(name)


@behaviour("I6")
@differs
def test_the_nearest_names_are_suggested():
    graph = concrete(lambda x: tf.identity(x, name="logits")).graph
    with pytest.raises(KeyError, match="logits"):
        graph.get_operation_by_name("logit")
    with pytest.raises(KeyError, match="logits"):
        graph.get_tensor_by_name("lgits:0")


@behaviour("I7")
def test_a_graph_as_a_proto():
    inner = tf.function(lambda x: x * 2, autograph=False)
    graph_def = concrete(lambda x: inner(x) + 1).graph.as_graph_def()

    assert [node.name for node in graph_def.node] == [
        "x", "PartitionedCall", "add/y", "add", "Identity",
    ]  # fmt: skip
    (function,) = graph_def.library.function
    called = graph_def.node[1].attr["f"].func.name
    assert function.signature.name == called
    assert [node.op for node in function.node_def] == ["Const", "Mul", "Identity"]


@behaviour("I7")
def test_a_function_as_a_proto():
    definition = concrete(lambda x, y: (x + y, x * y), NUMBER, NUMBER).function_def

    assert [arg.name for arg in definition.signature.input_arg] == ["x", "y"]
    assert [arg.name for arg in definition.signature.output_arg] == ["identity", "identity_1"]
    assert [node.name for node in definition.node_def] == ["add", "mul", "Identity", "Identity_1"]
    assert dict(definition.ret) == {
        "identity": "Identity:output:0",
        "identity_1": "Identity_1:output:0",
    }


@behaviour("I8")
def test_what_the_graph_of_a_function_tells():
    v = tf.Variable(2.0)
    outside = tf.constant([1.0] * 200)
    seen = {}

    def f(x: Any, *, k: Any = None) -> Any:
        graph = tf.compat.v1.get_default_graph()
        seen["inside"] = graph
        seen["names"] = [graph.unique_name("n"), graph.unique_name("n")]
        seen["building"] = graph.building_function
        return {"r": x * v + outside[0]}

    traced = concrete(f)
    graph = traced.graph

    assert seen["inside"] is graph
    assert seen["building"] is True
    assert seen["names"] == ["n", "n_1"]
    assert graph.name == "f"
    assert graph.inputs[0].name == "x:0"
    assert len(graph.inputs) == 3
    assert [tensor.name for tensor in graph.outputs] == ["Identity:0"]
    assert list(graph.structured_outputs) == ["r"]
    (spec,), keywords = graph.structured_input_signature
    assert (spec.shape, spec.dtype, spec.name) == ([], tf.float32, "x")
    assert keywords == {"k": None}
    assert [one is v for one in graph.variables] == [True]
    assert graph.outer_graph is not graph


@behaviour("I8")
def test_captures_are_pairs():
    outside = tf.constant([1.0] * 200)
    graph = concrete(lambda x: x + outside).graph
    ((external, internal),) = graph.captures

    assert external is outside
    assert internal.graph is graph
    assert graph.external_captures[0] is outside
    assert graph.internal_captures[0] is internal


@behaviour("I8")
def test_the_seed_and_the_operations_with_effects():
    v = tf.Variable(2.0)
    graph = concrete(lambda x: v.assign(x)).graph

    assert graph.seed is None or isinstance(graph.seed, int)
    assert "AssignVariableOp" in [op.type for op in graph.control_outputs]


@behaviour("I12")
def test_the_names_of_a_staged_branch_and_its_functions():
    def f(x: Any) -> Any:
        with tf.name_scope("s"):
            return tf.cond(x > 0, lambda: x + 1, lambda: x - 1)

    graph = concrete(f).graph
    cond = graph.get_operation_by_name("s/cond")
    branches = [cond.get_attr("then_branch").name, cond.get_attr("else_branch").name]
    library = {function.signature.name for function in graph.as_graph_def().library.function}

    assert cond.type in ("StatelessIf", "If")
    assert graph.get_operation_by_name("s/cond/Identity").inputs[0].op is cond
    assert branches[0].startswith("s_cond_true_")
    assert branches[1].startswith("s_cond_false_")
    assert branches[0].removeprefix("s_cond_true_").isdigit()
    assert branches[1].removeprefix("s_cond_false_").isdigit()
    assert set(branches) == library


@behaviour("I12")
def test_the_functions_of_a_staged_loop():
    def f(x: Any) -> Any:
        with tf.name_scope("s"):
            return tf.while_loop(lambda x: x < 3, lambda x: [x + 1], [x])

    graph = concrete(f).graph
    loop = graph.get_operation_by_name("s/while")
    functions = [loop.get_attr("cond").name, loop.get_attr("body").name]

    assert functions[0].startswith("s_while_cond_")
    assert functions[1].startswith("s_while_body_")


@behaviour("I3")
def test_no_operation_waits_twice_for_what_it_takes() -> None:
    with tf.Graph().as_default():
        a, b, z = (tf.constant(1.0, name=name) for name in "abz")
        with tf.control_dependencies([a, b]):
            one, other = tf.identity(a), tf.negative(z)
            chained = tf.exp(other)
            with tf.control_dependencies([other]):
                nested = tf.identity(z)

    waits = [sorted(before.name for before in x.op.control_inputs) for x in (one, chained, nested)]
    assert waits == [["b"], [], ["Neg", "a", "b"]]
    assert type(one.op.control_inputs) is list
