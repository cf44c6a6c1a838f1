"""Names, order and devices of what is made within a block."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill.core.device_specs import canonical_device
from tensormill.eager.placement import warn_of_absent
from tensormill.graph.func_graph import FuncGraph


def test_eager_scopes_nest_and_slashes_are_absolute() -> None:
    with tf.name_scope("a") as a, tf.name_scope("b") as b, tf.name_scope("c/") as c:
        with tf.name_scope("") as none:
            assert ("a/", "a/b/", "c/", "") == (a, b, c, none)
    with tf.name_scope("with spaces") as spaced:
        assert "with spaces/" == spaced


def test_traced_scopes_are_unique() -> None:
    with FuncGraph("f").as_default():
        with tf.name_scope("a") as first, tf.name_scope("b") as inner:
            pass
        with tf.name_scope("a") as second:
            pass
        with tf.name_scope(first) as again, tf.name_scope("b") as other:
            pass

    assert ("a/", "a/b/", "a_1/", "a/", "a/b_1/") == (first, inner, second, again, other)


def test_operations_are_named_after_their_scope() -> None:
    with FuncGraph("f").as_default(), tf.name_scope("s"):
        assert "s/my:0" == tf.identity(tf.constant(1), name="my").name


def test_a_scope_has_a_name_that_operations_may_have() -> None:
    with pytest.raises(ValueError, match="must be a string"):
        tf.name_scope(3)  # type: ignore[arg-type]
    with (
        FuncGraph("f").as_default(),
        pytest.raises(ValueError, match="not a valid root scope name"),
    ):
        with tf.name_scope("with spaces"):
            pass


def test_a_scope_is_left_after_an_error() -> None:
    with pytest.raises(KeyError), tf.name_scope("a"):
        raise KeyError
    assert "Variable:0" == tf.Variable(1.0).name


def test_control_dependencies_call_a_function_eagerly() -> None:
    called: list[int] = []
    with tf.control_dependencies(lambda: called.append(1)), tf.control_dependencies([]):
        pass
    assert [1] == called


@pytest.mark.parametrize("bare", [3, tf.constant(1)], ids=["number", "tensor"])
def test_control_dependencies_are_a_list(bare: Any) -> None:
    with pytest.raises(TypeError), tf.control_dependencies(bare):
        pass


def test_control_dependencies_are_edges_of_a_graph() -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        first, second = tf.constant(1) + 1, tf.constant(2) + 2
        with tf.control_dependencies([first]), tf.control_dependencies([second]):
            tf.no_op()
            with tf.control_dependencies(None):
                tf.no_op()
        operations = {op.name: op for op in graph.get_operations()}

    waiting = [len(op.control_inputs) for op in operations.values() if op.type == "NoOp"]
    assert [2, 0] == waiting


def test_eager_and_traced_code_can_be_told_apart() -> None:
    assert (True, False) == (tf.executing_eagerly(), tf.inside_function())
    with FuncGraph("f").as_default():
        assert (False, True) == (tf.executing_eagerly(), tf.inside_function())
        with tf.init_scope():
            assert (True, True) == (tf.executing_eagerly(), tf.inside_function())
        with tf.Graph().as_default():
            assert (False, False) == (tf.executing_eagerly(), tf.inside_function())


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ("/device:CPU:0", "/CPU:0"),
        ("/device:CPU:*", "cpu"),
        ("/device:GPU:1", "/gpu:1"),
        ("/device:CPU:0", "/device:CPU:0"),
        (
            "/job:localhost/replica:0/task:0/device:CPU:0",
            "/job:localhost/replica:0/task:0/device:CPU:0",
        ),
        ("", ""),
    ],
)
def test_devices_have_canonical_names(expected: str, name: str) -> None:
    assert expected == canonical_device(name)


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(ValueError, match="Unknown attribute 'foo'"):
        tf.device("foo")


def test_a_device_is_written_on_the_operations_of_a_trace() -> None:
    graph = FuncGraph("f")
    with graph.as_default():
        with tf.device("/CPU:0"):
            inside = tf.constant(1) + 1
        outside: Any = tf.constant(1) + 1

    assert ("/device:CPU:0", "") == (inside.op.device, outside.op.device)


def test_a_device_that_is_not_there_is_mentioned_once(caplog: pytest.LogCaptureFixture) -> None:
    warn_of_absent.cache_clear()
    for name in ("/GPU:0", "/gpu:0", "/CPU:0", None):
        with tf.device(name):
            assert 2 == int(tf.constant(1) + 1)

    assert ["there is no device /device:GPU:0: operations meant for it run on the CPU"] == (
        caplog.messages
    )
