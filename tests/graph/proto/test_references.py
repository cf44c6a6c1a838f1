"""Graphs of TensorFlow 1 whose variables have no handles: what is done to them one after the other.

`recorded/` has a graph that TensorFlow wrote (ScatterAdd, ApplyAdam and their kin, by references),
and what its session gave for each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

RECORDED = Path(__file__).parent / "recorded"


def test_steps_by_references_are_those_of_tensorflow() -> None:
    told = json.loads((RECORDED / "references.json").read_text())
    names = list(told["steps"])
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        found = tf.graph_util.import_graph_def(
            (RECORDED / "references.pb").read_bytes(), return_elements=names, name=""
        )
        session.run(graph.get_operation_by_name(told["initializer"]))
        for name, one in zip(names, found, strict=True):
            np.testing.assert_allclose(session.run(one), told["steps"][name], 1e-6, err_msg=name)


def test_variables_stand_for_their_references() -> None:
    v, accum = tf.Variable([1.0, 2.0]), tf.Variable([0.5, 0.5])

    added = tf.raw_ops.ScatterAdd(ref=v, indices=[0, 0], updates=[1.0, 2.0])

    assert added.numpy().tolist() == [4, 2]
    step = tf.function(
        lambda g: tf.raw_ops.ApplyMomentum(var=v, accum=accum, lr=0.5, grad=g, momentum=0.5)
    )
    assert step([1.0, 1.0]).numpy().tolist() == [3.375, 1.375]
    assert accum.numpy().tolist() == [1.25, 1.25]
    with pytest.raises(TypeError):
        tf.raw_ops.AssignAdd(ref=tf.constant([1.0]), value=[1.0])


def test_savers_of_imported_graphs_write_and_read(tmp_path: Path) -> None:
    """`recorded/saver.pb`: two variables, one without a handle, and TensorFlow 1's Saver."""
    graph_def = (RECORDED / "saver.pb").read_bytes()
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        value, saved = tf.graph_util.import_graph_def(
            graph_def, return_elements=["v/read:0", "save/control_dependency:0"], name=""
        )
        place = {"save/Const:0": str(tmp_path / "model")}
        session.run([graph.get_operation_by_name(name) for name in ("v/Assign", "c/Assign")])
        session.run(saved, place)
        session.run(graph.get_operation_by_name("up"))
        assert session.run(value).tolist() == [[2, 3], [4, 5]]
        session.run(graph.get_operation_by_name("save/restore_all"), place)

        assert session.run(value).tolist() == [[1, 2], [3, 4]]
    assert tf.train.list_variables(str(tmp_path / "model")) == [("c", []), ("v", [2, 2])]


def test_loops_over_arrays_of_tensorflow_1_run() -> None:
    """`recorded/loop.pb`: h = tanh(h + x[i]), by Enter, Switch, TensorArrayReadV3 and their kin."""
    graph_def = (RECORDED / "loop.pb").read_bytes()
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        (rows,) = tf.graph_util.import_graph_def(graph_def, return_elements=["y:0"], name="")
        for x in (np.arange(6.0).reshape(2, 3), np.full((3, 3), 0.5)):
            state, expected = np.zeros(3), list[Any]()
            for row in x:
                state = np.tanh(state + row)
                expected.append(state)
            np.testing.assert_allclose(session.run(rows, {"x:0": x}), expected, 1e-6)
