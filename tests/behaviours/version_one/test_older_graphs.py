"""Operations of graphs of TensorFlow 1, and of releases before it: statement I10.

TensorFlow refuses the latter in newer graphs; a GraphDef says by `versions.producer` how old it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf
from tests.ops.state import older_arrays

v1 = tf.compat.v1
RAW: Any = tf.raw_ops
PRODUCER = 1
SYMMETRIC = np.array([[2, 1], [1, 3]], np.float32)


def node(proto: Any, name: str, op: str, inputs: Sequence[str] = (), **dtypes: Any) -> None:
    made = proto.node.add(name=name, op=op, input=inputs)
    for key, dtype in dtypes.items():
        made.attr[key].type = dtype.as_datatype_enum


def run(op: str, operand: Any) -> Any:
    """What an operation of an old graph gives for an array of float32."""
    proto = v1.GraphDef()
    proto.versions.producer = PRODUCER
    node(proto, "x", "Placeholder", dtype=tf.float32)
    node(proto, "y", op, ["x"], T=tf.float32)
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = tf.graph_util.import_graph_def(proto, return_elements=["x:0", "y:0"])
        return session.run(y, {x: operand})


def close(expected: Any, found: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)


# ---------------------------------------------------------------- of TensorFlow 1


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


# ---------------------------------------------------------------- before it


@behaviour("I10")
def test_matrices_are_decomposed() -> None:
    values, vectors = np.linalg.eigh(SYMMETRIC)
    for op, given in (("SelfAdjointEig", SYMMETRIC), ("BatchSelfAdjointEig", SYMMETRIC[None])):
        rows = run(op, given).reshape(3, 2)
        close(values, rows[0])
        close(abs(vectors), abs(rows[1:]))


@behaviour("I10")
@pytest.mark.parametrize("version", older_arrays.VERSIONS)
def test_arrays_have_older_names(version: str) -> None:
    expected = older_arrays.EXPECTED[version]
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(older_arrays.of(tf, version), name="")
        given = {f"{name}:0": value for name, value in older_arrays.GIVEN.items()}
        found = session.run([*expected], given)
    for (name, wanted), one in zip(expected.items(), found, strict=True):
        np.testing.assert_array_equal(one, wanted, name)


@behaviour("I10")
def test_readers_have_older_names(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"ab\ncd\n")
    proto = v1.GraphDef()
    proto.versions.producer = PRODUCER
    node(proto, "lines", "TextLineReader")
    node(proto, "names", "IdentityReader")
    with tf.Graph().as_default(), v1.Session() as session:
        readers = tf.graph_util.import_graph_def(proto, return_elements=["lines:0", "names:0"])
        found = []
        for reader in readers:
            queue = RAW.FIFOQueue(component_types=[tf.string])
            session.run(RAW.QueueEnqueue(handle=queue, components=[str(tmp_path / "file")]))
            raw = RAW.ReaderRead(reader_handle=reader, queue_handle=queue)
            found.append(session.run(raw.value))
    assert [b"ab", str(tmp_path / "file").encode()] == found
