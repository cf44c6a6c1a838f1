"""Names of operations, as TensorFlow gives them."""

from __future__ import annotations

import numpy as np
import pytest

import tensormill as tf
from tensormill.graph.builder import FuncGraph
from tensormill.graph.names import UniqueNames, as_operation_name

FLOAT = tf.TensorSpec([], tf.float32)


def test_a_name_is_given_once() -> None:
    names = UniqueNames()

    assert [names.claim("add") for _ in range(3)] == ["add", "add_1", "add_2"]


def test_case_does_not_distinguish_names() -> None:
    names = UniqueNames()

    assert [names.claim("Add"), names.claim("add")] == ["Add", "add_1"]


def test_a_number_that_is_taken_is_skipped() -> None:
    names = UniqueNames()
    names.claim("add_1")
    names.claim("add")

    assert names.claim("add") == "add_2"


def test_peeking_takes_nothing() -> None:
    names = UniqueNames()
    names.claim("a")

    assert [names.peek("a"), names.peek("a"), names.claim("a")] == ["a_1", "a_1", "a_1"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("x", "x"), ("a b", "Placeholder"), ("_x", "Placeholder"), ("", "Placeholder")],
)
def test_argument_names_become_operation_names(text: str, name: str) -> None:
    assert as_operation_name(text, "Placeholder") == name


def test_unique_name_takes_a_name() -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        x = graph.placeholder(FLOAT, "x")
        graph.unique_name("add")
        y = x + x

    assert y.op.name == "add_1"


def operations_of(body) -> list[tuple[str, str]]:
    graph = tf.function(body).get_concrete_function(tf.constant(1.0)).graph
    return [(one.name, one.device) for one in graph.get_operations()]


def test_functions_are_named_as_in_tensorflow() -> None:
    def body(x):
        return tf.add(x, x), x + x, tf.divide(x, x), tf.one_hot(1, 3)

    names = [name for name, _ in operations_of(body) if "/" not in name]

    assert names[1:5] == ["Add", "add_1", "truediv", "one_hot"]


def test_a_branch_names_its_results_once_in_a_scope() -> None:
    def body(x):
        with tf.name_scope("s"):
            return tf.cond(x > 0, lambda: (x, x), lambda: (x + 1, x))

    names = [name for name, _ in operations_of(body)]

    assert names[3:6] == ["s/cond", "s/cond/Identity", "s/cond/Identity_1"]


def test_an_exact_name_is_given_once_and_names_operands() -> None:
    def body(x):
        with tf.name_scope("s") as scope:
            y = tf.add(x, 1, name=scope)
        return tf.add(tf.add(x, y, name="q/"), y, name="q/")

    names = [name for name, _ in operations_of(body)]

    assert names[:5] == ["x", "s/y", "s", "q", "q_1"]


def test_a_device_is_stamped_on_constants_too() -> None:
    def body(x):
        with tf.device("/CPU:0"):
            return x + 1

    devices = dict(operations_of(body))

    assert devices == {"x": "", "add/y": "/device:CPU:0", "add": "/device:CPU:0", "Identity": ""}


def test_the_default_graph_is_the_one_that_is_traced() -> None:
    seen = []
    concrete = tf.function(
        lambda: seen.append(tf.compat.v1.get_default_graph())
    ).get_concrete_function()

    assert seen == [concrete.graph]
    outside = tf.compat.v1.get_default_graph()
    assert outside is not concrete.graph
    assert outside is tf.compat.v1.get_default_graph()


def test_what_is_clipped_is_called_so() -> None:
    with tf.Graph().as_default():
        names = [tf.clip_by_norm(tf.constant([3.0]), 1.0).name for _ in range(2)]

    assert ["clip_by_norm:0", "clip_by_norm_1:0"] == names


def test_what_is_read_of_a_variable_is_named_after_who_takes_it() -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        w = v1.get_variable("w", initializer=np.eye(2, dtype=np.float32))
        made = len(graph.get_operations())
        tf.matmul(w * 2.0, w)
        v1.nn.xw_plus_b(w, w, w[0])
        tf.gather(w, [1])

        assert (
            "ReadVariableOp mul/y mul MatMul/ReadVariableOp MatMul ReadVariableOp_1 "
            "strided_slice/stack strided_slice/stack_1 strided_slice/stack_2 strided_slice "
            "xw_plus_b/ReadVariableOp xw_plus_b/ReadVariableOp_1 xw_plus_b/MatMul "
            "xw_plus_b Gather/indices Gather"
        ).split() == [one.name for one in graph.get_operations()[made:]]


def test_functions_of_several_operations_name_their_results() -> None:
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        x, table = tf.zeros([2, 2]), tf.eye(2)
        results = [
            v1.nn.relu_layer(x, table, [1.0, 1.0]), v1.clip_by_average_norm(x, 1.0),
            *tf.clip_by_global_norm([x], 1.0, name="all")[0], tf.linalg.global_norm([x]),
            tf.nn.embedding_lookup(table, [0]), *tf.nn.moments(x, [0], keepdims=True),
            tf.reduce_logsumexp(x),
        ]  # fmt: skip

        assert (
            "relu_layer clip_by_average_norm all_1/all_1/_0 global_norm/global_norm "
            "embedding_lookup/Identity moments/mean moments/variance ReduceLogSumExp"
        ).split() == [one.op.name for one in results]
