"""`tf.test.TestCase`, tried as its users write it."""

from __future__ import annotations

import random
import sys
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tensormill as tf


@pytest.fixture
def case() -> Any:
    made = tf.test.TestCase()
    yield made
    made.doCleanups()


RAGGED = [[1], [2, 3]]
ONE = tf.constant(1.0000001)
HALF = tf.constant(0.5, tf.bfloat16)
OBJECTS = {"type": tf.float32, "none": None, "inside": {"b": 1}, "shape": tf.TensorShape([1])}


def same(case: Any, one: Any, other: Any) -> None:
    case.assertDictEqual(one, other)  # noqa: PT009
    case.assertEqual(one, other)  # noqa: PT009


HOLDING: dict[str, Callable[[Any], Any]] = {
    "equal": lambda t: t.assertAllEqual([1, 2], tf.constant([1, 2])),
    "equal texts": lambda t: t.assertAllEqual(["a", "b"], tf.constant(["a", "b"])),
    "equal NaN": lambda t: t.assertAllEqual([float("nan")], [float("nan")]),
    "equal dicts": lambda t: same(t, {"a": 1.0, "b": [b"x"]}, {"b": ["x"], "a": ONE}),
    "equal halves in dicts": lambda t: same(t, {"a": HALF}, {"a": HALF + 0}),
    "equal rows in dicts": lambda t: same(t, {1: tf.ragged.constant(RAGGED)}, {1: RAGGED}),
    "one element in dicts": lambda t: same(t, {"a": tf.reshape(ONE, [1])}, {"a": ONE}),
    "equal objects in dicts": lambda t: same(t, OBJECTS, dict(OBJECTS)),
    "equal rows": lambda t: t.assertAllEqual(tf.ragged.constant(RAGGED), RAGGED),
    "close": lambda t: t.assertAllClose([1.0], tf.constant([1.0000001])),
    "close structures": lambda t: t.assertAllClose({"a": [1.0, [2.0]]}, {"a": [1.0, [2.0]]}),
    "close rows": lambda t: t.assertAllClose(tf.ragged.constant([[1.0], []]), [[1.0], []]),
    "close variables": lambda t: t.assertAllClose(tf.Variable([1.0]), [1.0]),
    "close halves": lambda t: t.assertAllCloseAccordingToType(
        tf.constant([1.0], tf.float16), tf.constant([1.0005], tf.float16)
    ),
    "not equal": lambda t: t.assertNotAllEqual([1, 2], [1, 3]),
    "not close": lambda t: t.assertNotAllClose([1.0], [1.1]),
    "greater": lambda t: t.assertAllGreater(tf.constant([2, 3]), 1),
    "in range": lambda t: t.assertAllInRange([1, 2], 1, 2),
    "in set": lambda t: t.assertAllInSet(tf.constant([1, 2]), [1, 2, 3]),
    "near": lambda t: t.assertNear(1.0, 1.05, 0.1),
    "arrays near": lambda t: t.assertArrayNear([1.0, 2.0], [1.05, 2.0], 0.1),
    "distance": lambda t: t.assertNDArrayNear(np.ones(2), np.ones(2), 0.1),
    "dtype": lambda t: t.assertDTypeEqual(tf.zeros(2), "float32"),
    "shape": lambda t: t.assertShapeEqual(np.zeros([2, 3]), tf.zeros([2, 3])),
    "device": lambda t: t.assertDeviceEqual("/cpu:0", "/device:CPU:0"),
    "proto": lambda t: t.assertProtoEquals(
        "dtype: DT_FLOAT tensor_shape { } float_val: 1.0", tf.make_tensor_proto(1.0)
    ),
}
FAILING: dict[str, tuple[Callable[[Any], Any], str]] = {
    "other values in dicts": (lambda t: same(t, {"a": ONE}, {"a": 1.1}), "at 'a'"),
    "other shapes in dicts": (lambda t: same(t, {"a": [1.0]}, {"a": 1.0}), "at 'a'"),
    "other objects in dicts": (lambda t: same(t, {"a": None}, {"a": 1}), "at 'a'"),
    "other keys of dicts": (lambda t: same(t, {"a": 1}, {"a": 1, "b": 2}), r"unexpected: \['b'\]"),
    "equal": (lambda t: t.assertAllEqual([1, 2], tf.constant([1, 3])), "Arrays are not equal"),
    "equal, told": (lambda t: t.assertAllEqual([1], [2], msg="hello"), "hello"),
    "equal rows": (lambda t: t.assertAllEqual(tf.ragged.constant(RAGGED), [[1], [2]]), "differ"),
    "equal shapes": (lambda t: t.assertAllEqual([1], [[1]]), "Shape mismatch"),
    "close": (lambda t: t.assertAllClose([1.0], [1.1]), "Not equal to tolerance rtol=1e-06"),
    "close keys": (lambda t: t.assertAllClose({"a": 1.0}, {"b": 1.0}), "mismatched keys"),
    "close inside": (
        lambda t: t.assertAllClose({"a": [1.0, {"c": 2.0}]}, {"a": [1.0, {"c": 3.0}]}),
        r"a\['a'\]\[1\]\['c'\] is different",
    ),
    "close lengths": (lambda t: t.assertAllClose([{"a": 1}], []), "Mismatched length"),
    "not equal": (lambda t: t.assertNotAllEqual([1], [1]), "equal at all elements"),
    "not close": (lambda t: t.assertNotAllClose([1.0], [1.0]), "close at all elements"),
    "greater": (lambda t: t.assertAllGreater([1, 2], 1), r"1 of the 2 element\(s\)"),
    "greater or equal": (lambda t: t.assertAllGreaterEqual([0, 2], 1), r"\[0\]: 0"),
    "less": (lambda t: t.assertAllLess([1, 2], 2), r"\[1\]: 2"),
    "less or equal": (lambda t: t.assertAllLessEqual([1, 3], 2), r"\[1\]: 3"),
    "open range": (
        lambda t: t.assertAllInRange([1.0, 2.0], 1, 2, open_upper_bound=True), r"range \[1, 2\)",
    ),
    "range of texts": (lambda t: t.assertAllInRange(["a"], 0, 1), "ordered numeric type"),
    "set": (lambda t: t.assertAllInSet([1, 2], [1]), "not in the set"),
    "near": (lambda t: t.assertNear(1.0, 1.1, 0.01), "difference"),
    "dtype": (lambda t: t.assertDTypeEqual(tf.zeros(2), "int32"), "int32"),
    "shape": (lambda t: t.assertShapeEqual(np.zeros(2), tf.zeros(3)), "differ"),
    "proto": (
        lambda t: t.assertProtoEquals("dtype: DT_FLOAT", tf.make_tensor_proto(1.0)), "float_val",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDING)
def test_assertions_that_hold_say_nothing(name: str, case: Any) -> None:
    assert None is HOLDING[name](case)


@pytest.mark.parametrize("name", FAILING)
def test_assertions_that_fail_say_where(name: str, case: Any) -> None:
    assertion, told = FAILING[name]

    with pytest.raises(AssertionError, match=told):
        assertion(case)


def test_errors_are_told_by_their_messages(case: Any) -> None:
    with case.assertRaisesOpError("b.d"):
        raise tf.errors.NotFoundError(None, None, "abcd")
    with case.assertRaisesWithPredicateMatch(ValueError, lambda error: "b" in str(error)):
        raise ValueError("abc")
    with case.assertRaisesIncompatibleShapesError():
        tf.constant([1, 2]) + tf.constant([1, 2, 3])
    with pytest.raises(AssertionError, match="abc"), case.assertRaisesOpError("x"):
        raise tf.errors.NotFoundError(None, None, "abc")
    with pytest.raises(AssertionError, match="not raised"), case.assertRaisesOpError("x"):
        pass


def test_structures_are_evaluated(case: Any) -> None:
    found = case.evaluate({"a": tf.constant(1), "b": [tf.Variable(2.0), None], "c": lambda: 3})

    assert {"a": 1, "b": [2.0, None], "c": 3} == found
    assert RAGGED == case.evaluate(tf.ragged.constant(RAGGED)).to_list()
    assert [1.0, 1.0] == case.evaluate(tf.sparse.eye(2)).values.tolist()
    assert None is case.evaluate(None)


def test_graphs_are_evaluated_in_a_session(case: Any) -> None:
    with tf.Graph().as_default(), case.session() as session:
        x = tf.constant(3) * 2
        assert 6 == case.evaluate(x) == session.run(x)
        case.assertAllEqual(x, 6)


def test_where_operations_run_at_once_a_session_says_so(case: Any) -> None:
    with case.session() as session, pytest.raises(AttributeError, match=r"self\.evaluate"):
        session.run(1)


def test_where_operations_run_at_once_a_cached_session_gives_their_values(case: Any) -> None:
    with case.cached_session() as session:
        assert session.run([tf.constant(1), {"v": tf.Variable(2.0)}]) == [1, {"v": 2.0}]
        assert session.run(lambda: tf.constant(3)) == session.run(tf.constant(3), feed_dict={}) == 3
        assert session.run(tf.compat.v1.global_variables_initializer()) is None
        for wrong in (((1, {2: 3}), {}), ((1,), {"feed_dict": {2: 3}}), ((1,), {"options": 4})):
            with pytest.raises(RuntimeError, match="not supported"):
                session.run(*wrong[0], **wrong[1])


def test_each_test_begins_with_an_empty_graph_and_its_seed() -> None:
    def tell() -> Any:
        v1 = tf.compat.v1
        v1.disable_eager_execution()

        class Names(tf.test.TestCase):
            def test_names(self) -> None:
                names = tf.constant(1.0, name="x").name, v1.get_variable("v", []).name
                with self.cached_session() as session:
                    told.append((*names, session.run(tf.random.uniform([])).item()))

        told: list[Any] = []
        for _ in range(2):
            Names("test_names").debug()
        return told

    with ThreadPoolExecutor(1) as apart:  # operations stay eager in this thread
        told = apart.submit(tell).result()
    assert told == [("x:0", "v:0", pytest.approx(0.2390374))] * 2


def test_variables_keep_values_between_blocks_of_a_cached_session(case: Any) -> None:
    with tf.Graph().as_default() as graph:
        with case.cached_session() as first:
            v = tf.Variable(1.0)
            first.run(v.initializer)
        with case.cached_session() as second:
            assert (second is first, second.graph is graph, second.run(v)) == (True, True, 1.0)
        for other in ({"graph": tf.Graph()}, {"config": tf.compat.v1.ConfigProto()}):
            with pytest.raises(ValueError, match="first block"), case.cached_session(**other):
                pass
        with case.session() as own:
            assert own is not first
    case.doCleanups()
    with pytest.raises(RuntimeError, match="closed"):
        first.run(v)


def test_tests_begin_with_the_same_seeds_and_have_a_folder() -> None:
    drawn: list[Any] = []

    class Drawing(tf.test.TestCase):
        def test_draws(self) -> None:
            with open(f"{self.get_temp_dir()}/file", "w") as file:
                file.write(self.get_temp_dir())
            drawn.append((random.random(), np.random.rand(), float(tf.random.uniform([]))))

    result = unittest.TestResult()
    for _ in range(2):
        unittest.defaultTestLoader.loadTestsFromTestCase(Drawing).run(result)

    assert result.wasSuccessful()
    assert drawn[0] == drawn[1]
    assert ["Not a test."] * 2 == [reason for _, reason in result.skipped]


def test_tests_may_be_skipped_by_a_predicate() -> None:
    class Skipping(tf.test.TestCase):
        @tf.test.disable_with_predicate(lambda: True, "because")
        def test_nothing(self) -> None:
            raise AssertionError

    result = unittest.TestResult()
    Skipping("test_nothing").run(result)

    assert ["because"] == [reason for _, reason in result.skipped]


def test_what_others_write_is_captured(case: Any, tmp_path: Any) -> None:
    with open(tmp_path / "stream", "w+") as stream:
        with case.captureWritesToStream(stream) as captured:
            print("hello", file=stream, flush=True)
            assert "hello\n" == captured.contents()
        print("after", file=stream)

    assert "after\n" == (tmp_path / "stream").read_text()


def test_errors_of_a_thread_are_the_test_s(case: Any) -> None:
    thread = case.checkedThread(lambda x: 1 / x, args=(0,))
    thread.start()

    with pytest.raises(AssertionError, match="division by zero"):
        thread.join()


def test_benchmarks_report_how_long_operations_take(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tensormill.testing import benchmark

    monkeypatch.setattr(benchmark, "_registered", [])

    class Adding(tf.test.Benchmark):
        def benchmark_add(self) -> None:
            with tf.Graph().as_default(), tf.compat.v1.Session() as session:
                found = self.run_op_benchmark(session, tf.constant(1) + 2, name="add", min_iters=3)
            assert ("add", 3) == (found["name"], found["iters"])

        def benchmark_other(self) -> None:
            raise AssertionError

    monkeypatch.setattr(sys, "argv", ["x", "--benchmarks=Adding.benchmark_add"])
    tf.test.main()

    assert '"name": "add", "iters": 3' in capsys.readouterr().out
    assert tf.test.Benchmark.is_abstract()
    assert not Adding.is_abstract()


def test_shapes_are_those_of_tensors_and_arrays(case: Any) -> None:
    case.assertShapeEqual(np.ones([2]), tf.ones([2]))
    with pytest.raises(TypeError, match="input_b must be a Numpy ndarray"):
        case.assertShapeEqual(np.ones([2]), [1.0, 1.0])
