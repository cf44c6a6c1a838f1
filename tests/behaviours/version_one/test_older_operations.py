"""Operations that graphs of TensorFlow 1 have, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
RAW: Any = tf.raw_ops


@behaviour("I10")
def test_each_operation_prints_the_first_times(capfd: pytest.CaptureFixture[str]) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        shown = [[1, 2, 3, 4], [[True, False]], ["a", "b"]]
        twice = v1.Print(1, [*shown, 1 / 3], message="x: ", first_n=2, summarize=3)
        again = v1.Print(1, shown[:1], "x: ", first_n=2, summarize=0)
        always = v1.Print(2, [[[1, 2], [3, 4]]])
        for _ in range(3):
            assert [1, 1, 2] == [session.run(one) for one in (twice, again, always)]

    lines = [one for one in capfd.readouterr().err.splitlines() if one.endswith("]")]
    assert ["x: [1 2 3...][[1 0]][a b][0.333333343]", "x: [...]", "[[1 2][3...]...]"] * 2 == lines[
        :6
    ]
    assert ["[[1 2][3...]...]"] == lines[6:]


@behaviour("I10")
def test_loops_keep_tensors_on_stacks() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        stack = RAW.Stack(elem_type=tf.int32, stack_name="s")
        first = RAW.StackPush(handle=stack, elem=[1, 2])
        with tf.control_dependencies([first]):
            second = RAW.StackPush(handle=stack, elem=3)
        with tf.control_dependencies([second]):
            top = RAW.StackPop(handle=stack, elem_type=tf.int32)
        with tf.control_dependencies([top]):
            rest = RAW.StackPop(handle=stack, elem_type=tf.int32)
        assert [3, [1, 2]] == [one.tolist() for one in session.run([top, rest])]


@behaviour("I10")
def test_older_summaries_have_the_names_of_operations() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        made = session.run([RAW.TensorSummary(tensor=[1.5], name=f"a/{name}") for name in "xy"])

    found = [v1.Summary.FromString(one).value[0] for one in made]
    assert [("a/x", [1.5]), ("a/y", [1.5])] == [
        (one.node_name, tf.make_ndarray(one.tensor).tolist()) for one in found
    ]
