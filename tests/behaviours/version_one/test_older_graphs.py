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

v1 = tf.compat.v1
RAW: Any = tf.raw_ops
PRODUCER = 1
IMAGES = np.arange(16, dtype=np.float32).reshape(1, 2, 2, 4)
ROW = np.array([1, 2, 3, 4], np.float32)
SYMMETRIC = np.array([[2, 1], [1, 3]], np.float32)


def node(proto: Any, name: str, op: str, inputs: Sequence[str] = (), **attrs: Any) -> None:
    """Add a node; an attribute is a dtype, a number, a bool, a string or a list of integers."""
    made = proto.node.add(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        attr = made.attr[key]
        if isinstance(value, tf.DType):
            attr.type = value.as_datatype_enum
        elif isinstance(value, bool):
            attr.b = value
        elif isinstance(value, int):
            attr.i = value
        elif isinstance(value, float):
            attr.f = value
        elif isinstance(value, list):
            attr.list.i.extend(value)
        else:
            attr.s = value.encode()


def run(
    op: str, operands: Sequence[Any], typed: Any = None, outputs: int = 1, **attrs: Any
) -> list[Any]:
    """What an operation of an old graph gives."""
    proto = v1.GraphDef()
    proto.versions.producer = PRODUCER
    names = [f"x{k}" for k in range(len(operands))]
    for name, operand in zip(names, operands, strict=True):
        node(proto, name, "Placeholder", dtype=tf.as_dtype(np.asarray(operand).dtype))
    typed = {} if typed is None else {typed: tf.as_dtype(np.asarray(operands[0]).dtype)}
    node(proto, "y", op, names, **attrs, **typed)
    with tf.Graph().as_default(), v1.Session() as session:
        wanted = [f"{name}:0" for name in names] + [f"y:{k}" for k in range(outputs)]
        tensors = tf.graph_util.import_graph_def(proto, return_elements=wanted)
        given = dict(zip(tensors[: len(names)], operands, strict=True))
        return [np.asarray(one).tolist() for one in session.run(tensors[len(names) :], given)]


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
@pytest.mark.parametrize("scaled", [False, True])
def test_batches_are_normalised(scaled: bool) -> None:
    said: dict[str, Any] = {"variance_epsilon": 0.5, "scale_after_normalization": scaled}
    operands = [IMAGES, ROW, ROW * 2, ROW * 3, ROW * 5]
    factor = ROW * 5 if scaled else 1
    (found,) = run("BatchNormWithGlobalNormalization", operands, "T", **said)
    expected = (IMAGES - ROW) / np.sqrt(ROW * 2 + 0.5) * factor + ROW * 3
    close(expected, found)

    gradients = run(
        "BatchNormWithGlobalNormalizationGrad",
        [IMAGES, ROW, ROW * 2, ROW * 5, IMAGES[..., ::-1] / 7], "T", outputs=5, **said,
    )  # fmt: skip
    dy, root = IMAGES[..., ::-1] / 7, np.sqrt(ROW * 2 + 0.5)
    total, weighted = dy.sum((0, 1, 2)), (dy * (IMAGES - ROW)).sum((0, 1, 2))
    close(dy * factor / root, gradients[0])
    close(-total * factor / root, gradients[1])
    close(-0.5 * weighted * factor / root**3, gradients[2])
    close(total, gradients[3])
    close(weighted / root if scaled else np.zeros(4), gradients[4])


@behaviour("I10")
def test_matrices_are_decomposed() -> None:
    values, vectors = np.linalg.eigh(SYMMETRIC)
    for op, given in (("SelfAdjointEig", SYMMETRIC), ("BatchSelfAdjointEig", SYMMETRIC[None])):
        (found,) = run(op, [given], "T")
        rows = np.reshape(found, (3, 2))
        close(values, rows[0])
        close(abs(vectors), abs(rows[1:]))


@behaviour("I10")
def test_gradients_of_convolutions_know_sizes_by_examples() -> None:
    x, kernel = np.ones((1, 2, 2, 2, 1), np.float32), np.ones((1, 1, 2, 1, 1), np.float32)
    dy = np.arange(4, dtype=np.float32).reshape(1, 2, 2, 1, 1)
    said: dict[str, Any] = {"strides": [1] * 5, "padding": "VALID"}

    (back,) = run("Conv3DBackpropInput", [x, kernel, dy], "T", **said)
    (weights,) = run("Conv3DBackpropFilter", [x, kernel, dy], "T", **said)
    assert np.broadcast_to(dy, x.shape).tolist() == back
    assert np.full(kernel.shape, 6.0).tolist() == weights


@behaviour("I10")
def test_contrast_is_adjusted_within_bounds() -> None:
    x = np.array([[[[0], [10]], [[20], [250]]]], np.uint8)
    (found,) = run("AdjustContrast", [x, np.float32(2), np.float32(5), np.float32(300)], "T")
    close(np.clip((x - 70.0) * 2 + 70, 5, 300), found)


@behaviour("I10")
def test_levels_are_quantized_within_a_range() -> None:
    said: dict[str, Any] = {"signed_input": True, "num_bits": 3, "range_given": True}
    x = np.array([-2, -0.4, 0.3, 0.9], np.float32)
    (found,) = run("QuantizeAndDequantize", [x], "T", **said, input_min=-1.0, input_max=1.0)
    close([-4 / 3, -1 / 3, 1 / 3, 1], found)


@behaviour("I10")
def test_arrays_give_all_elements() -> None:
    proto = v1.GraphDef()
    proto.versions.producer = PRODUCER
    node(proto, "x", "Placeholder", dtype=tf.float32)
    node(proto, "flow", "Placeholder", dtype=tf.float32)
    node(proto, "size", "Placeholder", dtype=tf.int32)
    node(proto, "lengths", "Placeholder", dtype=tf.int64)
    node(proto, "pair", "Placeholder", dtype=tf.int32)
    for name in "ab":
        node(proto, name, "TensorArrayV2", ["size"], dtype=tf.float32, clear_after_read=False)
    node(proto, "put", "TensorArrayScatterV2", ["a", "pair", "x", "flow"], T=tf.float32)
    node(proto, "all", "TensorArrayGatherV2", ["a", "pair", "put"], dtype=tf.float32)
    node(proto, "one", "TensorArrayReadV2", ["a", "size", "put"], dtype=tf.float32)
    node(proto, "cut", "TensorArraySplitV2", ["b", "x", "lengths", "flow"], T=tf.float32)
    node(proto, "joined", "TensorArrayConcatV2", ["b", "cut"], dtype=tf.float32)
    node(proto, "count", "TensorArraySizeV2", ["b", "cut"])
    with tf.Graph().as_default() as graph, v1.Session() as session:
        tf.graph_util.import_graph_def(proto, name="")
        given = {
            "x:0": SYMMETRIC,
            "flow:0": 0.0,
            "size:0": 2,
            "lengths:0": [2, 0],
            "pair:0": [1, 0],
        }
        names = ["all:0", "joined:0", "joined:1", "count:0"]
        found = session.run([graph.get_tensor_by_name(one) for one in names], given)
    expected = [SYMMETRIC.tolist(), SYMMETRIC.tolist(), [2, 0], 2]
    assert expected == [np.asarray(one).tolist() for one in found]


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


@behaviour("I10")
def test_sums_of_many_become_sums() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        total = RAW.AccumulateNV2(inputs=[[1.0, 2.0], [3.0, 4.0]], shape=[2])
        assert [4, 6] == session.run(total).tolist()
