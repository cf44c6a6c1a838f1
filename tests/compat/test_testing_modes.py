"""Decorators of TensorFlow's own tests: in which modes a test runs, and how often."""

from __future__ import annotations

import socket
import unittest
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat import private_names
from tensormill.compat.private_modules.older import testing_modes as modes

v1 = tf.compat.v1


def ran(decorate: Any, test: Any = None) -> tuple[list[Any], unittest.TestResult]:
    """What happened as a decorated test ran, in order, and what became of it."""
    log: list[Any] = []

    class Case(tf.test.TestCase):
        def setUp(self) -> None:
            super().setUp()
            log.append("up")

        def tearDown(self) -> None:
            log.append("down")
            super().tearDown()

        @decorate
        def test_it(self) -> None:
            session = v1.get_default_session() is not None
            log.append((tf.executing_eagerly(), session, tf.inside_function()))
            if test is not None:
                test(self)

    result = unittest.TestResult()
    Case("test_it").run(result)
    return log, result


EAGER, GRAPH, SESSION, TRACED = (
    (True, False, False), (False, False, False), (False, True, False), (False, False, True)
)  # fmt: skip


# As TensorFlow 2.21 runs them.
@pytest.mark.parametrize(
    ("decorate", "expected"),
    [
        (modes.run_in_graph_and_eager_modes, ["up", SESSION, "down", "up", EAGER, "down"]),
        (modes.run_in_graph_and_eager_modes(use_gpu=False),
         ["up", SESSION, "down", "up", EAGER, "down"]),
        (modes.run_in_v1_v2("/device:CPU:0"), ["up", SESSION, "down", "up", EAGER, "down"]),
        (modes.run_deprecated_v1, ["up", GRAPH, "down"]),
        (modes.deprecated_graph_mode_only, ["up", GRAPH, "down"]),
        (modes.also_run_as_tf_function, ["up", EAGER, TRACED, "down"]),
        (modes.run_v2_only, ["up", EAGER, "down"]),
        (modes.unchanged_by("XLA"), ["up", EAGER, "down"]),
        (modes.skip_if(lambda: True), ["up", "down"]),
        (modes.skip_if(False), ["up", EAGER, "down"]),
    ],
)  # fmt: skip
def test_tests_run_in_the_modes_that_their_decorators_say(decorate: Any, expected: Any) -> None:
    log, result = ran(decorate)

    assert expected == log
    assert result.wasSuccessful(), result.errors


@pytest.mark.parametrize(
    ("decorate", "reason"),
    [
        (modes.run_v1_only("of TensorFlow 1"), "of TensorFlow 1"),
        (modes.run_v1_only(reason="why"), "why"),
        (modes.run_gpu_only, "Test requires GPU"),
        (modes.run_cuda_only, "Test requires CUDA GPU"),
    ],
)
def test_tests_are_left_out_for_a_reason(decorate: Any, reason: str) -> None:
    log, result = ran(decorate)

    assert (["up", "down"], [reason]) == (log, [why for _, why in result.skipped])


def test_assertions_take_what_was_evaluated_in_a_graph() -> None:
    def test(case: Any) -> None:
        values = case.evaluate(tf.constant([1.0, 2.0]) * 2.0)
        case.assertAllEqual([2.0, 4.0], values)
        case.assertAllClose(values, tf.constant([2.0, 4.0]))
        case.assertAllEqual(tf.constant(3), case.evaluate(tf.constant(3)))

    _, result = ran(modes.run_in_graph_and_eager_modes, test)
    assert result.wasSuccessful(), result.errors


def test_whole_classes_are_decorated() -> None:
    class Case(tf.test.TestCase):
        def test_it(self) -> None:
            log.append(tf.executing_eagerly())

    log: list[bool] = []
    for decorate in (
        modes.run_all_in_graph_and_eager_modes,
        modes.run_all_in_deprecated_graph_mode_only,
    ):
        decorate(type("Decorated", (Case,), {"test_it": Case.test_it}))("test_it").debug()

    assert [False, True, False] == log
    with pytest.raises(ValueError, match="only supports test methods"):
        modes.run_in_graph_and_eager_modes(Case)


def test_what_a_test_leaves_makes_it_fail() -> None:
    kept: list[Any] = []
    left = ran(modes.assert_no_new_tensors, lambda case: kept.append(tf.constant(1)))[1]
    circles = ran(modes.assert_no_garbage_created, lambda case: circle())[1]
    nothing = [
        ran(decorate)[1] for decorate in (modes.assert_no_new_tensors,
                                          modes.assert_no_garbage_created)
    ]  # fmt: skip

    assert ["1 tensors", "1 objects"] == [
        one.failures[0][1].splitlines()[-1].partition(": ")[2][:9] for one in (left, circles)
    ]
    assert all(one.wasSuccessful() for one in nothing)


def circle() -> None:
    found: list[Any] = []
    found.append(found)


def test_errors_that_are_expected_leave_a_test_out() -> None:
    def test(case: Any) -> None:
        with modes.skip_if_error(case, ValueError, ["much", "few"]):
            raise ValueError("too few")

    _, result = ran(modes.run_v2_only, test)
    assert ["Skipping error: <class 'ValueError'>: too few"] == [why for _, why in result.skipped]


def test_graphs_are_compared_node_by_node() -> None:
    graphs = []
    for value in (1, 2):
        with tf.Graph().as_default() as graph:
            tf.constant(value, name="c")
        graphs.append(graph)
    protos = [one.as_graph_def() for one in graphs]

    assert "Const" == modes.assert_ops_in_graph({"c": "Const"}, graphs[0])["c"].op
    assert "c" == modes.get_node_def_from_graph("c", protos[0]).name
    modes.assert_equal_graph_def(protos[0], protos[0])
    with pytest.raises(AssertionError, match=r"\['c'\]"):
        modes.assert_equal_graph_def(*protos)
    for wrong in ({"d": "Const"}, {"c": "Add"}):
        with pytest.raises(ValueError, match="xpected op"):
            modes.assert_ops_in_graph(wrong, graphs[0])


def test_shapes_change_their_order() -> None:
    assert [1, 4, 2, 3] == modes.nhwc_to_nchw([1, 2, 3, 4])
    assert [1, 2, 3, 4] == modes.nchw_to_nhwc([1, 4, 2, 3])
    assert (1, 4, 2, 3) == modes.nhwc_to_nchw(tf.zeros([1, 2, 3, 4])).shape
    assert (1, 3, 4, 5, 2) == modes.nchw_to_nhwc(tf.zeros([1, 2, 3, 4, 5])).shape


def test_blocks_change_settings_and_change_them_back() -> None:
    with modes.run_functions_eagerly(True):
        assert tf.config.functions_run_eagerly()
    assert not tf.config.functions_run_eagerly()
    with modes.on_cpu(), modes.deterministic_ops():
        assert tf.constant(1).device.endswith("CPU:0")
    with socket.socket() as one:
        one.bind(("127.0.0.1", modes.pick_unused_port()))


def test_all_names_of_the_module_are_there() -> None:
    for module, inner in private_names.places("python.framework.test_util".split(".")).values():
        assert hasattr(__import__(f"tensormill.{module}", fromlist=[inner]), inner), inner
