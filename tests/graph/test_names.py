"""Names of operations, as TensorFlow gives them."""

from __future__ import annotations

import pytest

import tensormill as tf
from tensormill.graph.builder import FuncGraph
from tensormill.graph.names import Names, as_operation_name

FLOAT = tf.TensorSpec([], tf.float32)


def test_a_name_is_given_once() -> None:
    names = Names()

    assert [names.claim("add") for _ in range(3)] == ["add", "add_1", "add_2"]


def test_case_does_not_distinguish_names() -> None:
    names = Names()

    assert [names.claim("Add"), names.claim("add")] == ["Add", "add_1"]


def test_a_number_that_is_taken_is_skipped() -> None:
    names = Names()
    names.claim("add_1")
    names.claim("add")

    assert names.claim("add") == "add_2"


def test_peeking_takes_nothing() -> None:
    names = Names()
    names.claim("a")

    assert [names.peek("a"), names.peek("a"), names.claim("a")] == ["a_1", "a_1", "a_1"]


@pytest.mark.parametrize(
    ("text", "name"), [("x", "x"), ("a b", "a_b"), ("_x", "Placeholder"), ("", "Placeholder")]
)
def test_argument_names_become_operation_names(text: str, name: str) -> None:
    assert as_operation_name(text, "Placeholder") == name


def names_of(body: object) -> list[str]:
    graph = FuncGraph("f")
    with graph.as_default():
        body(graph.placeholder(FLOAT, "x"))  # type: ignore[operator]
    return [operation.name for operation in graph.get_operations()]


def test_a_constant_is_named_after_the_operand_that_it_is() -> None:
    assert names_of(lambda x: x + 1.0) == ["x", "add/y", "add"]


def test_scopes_prefix_names() -> None:
    def body(x: tf.Tensor) -> None:
        with tf.name_scope("sc"):
            tf.add(x, x, name="my")
            tf.add(x, x, name="my")
        with tf.name_scope("sc"):
            tf.multiply(x, x, name="mul")

    assert names_of(body) == ["x", "sc/my", "sc/my_1", "sc_1/mul"]


def test_scopes_nest_and_can_be_reused_by_their_string() -> None:
    strings: list[str] = []

    def body(x: tf.Tensor) -> None:
        with tf.name_scope("a") as first:
            strings.append(first)
            with tf.name_scope("b") as inner:
                strings.append(inner)
            with tf.name_scope("b") as again:
                strings.append(again)
        with tf.name_scope("a") as reopened:
            strings.append(reopened)
        with tf.name_scope(first) as absolute:
            strings.append(absolute)
            tf.add(x, x, name="sum")

    assert names_of(body) == ["x", "a/sum"]
    assert strings == ["a/", "a/b/", "a/b_1/", "a_1/", "a/"]


def test_a_name_with_spaces_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        names_of(lambda x: tf.name_scope("a b").__enter__())


def test_an_operations_name_with_spaces_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        names_of(lambda x: tf.add(x, x, name="a b"))


def test_unique_name_takes_a_name() -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        x = graph.placeholder(FLOAT, "x")
        graph.unique_name("add")
        y = x + x

    assert y.op.name == "add_1"
