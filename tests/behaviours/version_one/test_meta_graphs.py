"""Graphs with their collections, out of files; graphs whose variables became constants: I10."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1

# Of TensorFlow 2.21: y = w x + an embedding, and a MomentumOptimizer's steps; with variables that
# are references, as they all were in TensorFlow 1.
OLD = Path(__file__).parent / "fixtures" / "momentum.meta"


@behaviour("I10")
def test_a_graph_of_tensorflow_1_trains_on():
    with tf.Graph().as_default(), v1.Session() as session:
        v1.train.import_meta_graph(str(OLD))
        train, init = v1.get_collection("train_op")[0], v1.get_collection("init_op")[0]
        session.run(init)
        found = []
        for _ in range(3):
            session.run(train, {"x:0": 1.0})
            found.append(session.run("y:0", {"x:0": 1.0}))
        names = [one.name for one in v1.global_variables()]

    np.testing.assert_allclose(found, [1.2, 0.32, -0.248], rtol=1e-5)
    assert names == ["w:0", "t:0", "w/Momentum:0", "t/Momentum:0"]


@behaviour("I10")
def test_a_graph_whose_file_is_not_there_is_no_graph(tmp_path: Path):
    with tf.Graph().as_default(), pytest.raises(OSError, match="does not exist"):
        v1.train.import_meta_graph(str(tmp_path / "absent.meta"))


@behaviour("I10")
def test_a_graph_with_its_collections_comes_back(tmp_path: Path):
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [], name="x")
        w = v1.get_variable("w", initializer=2.0)
        local = v1.get_local_variable("seen", initializer=0)
        y = tf.multiply(x, w, name="y")
        train = v1.train.AdamOptimizer(0.5).minimize(y)
        for key, kept in {"outs": y, "ops": train, "names": "a", "sizes": 3}.items():
            v1.add_to_collection(key, kept)
        session.run([v1.global_variables_initializer(), local.initializer])
        path = v1.train.Saver().save(session, str(tmp_path / "model"), global_step=7)
        session.run(train, {x: 1.0})
        expected = session.run(w)

    for scope in (None, "again"):
        with tf.Graph().as_default(), v1.Session() as session:
            saver = v1.train.import_meta_graph(path + ".meta", import_scope=scope)
            saver.restore(session, path)
            start = "" if scope is None else "again/"
            (out,), (step,) = v1.get_collection("outs"), v1.get_collection("ops")
            assert (out.name, session.run(out, {f"{start}x:0": 3.0})) == (f"{start}y:0", 6.0)
            (w,) = v1.trainable_variables()
            session.run(step, {f"{start}x:0": 1.0})
            assert (w.name, session.run(w)) == (f"{start}w:0", expected)
            assert [one.name for one in v1.local_variables()] == [f"{start}seen:0"]
            names = [b"a"] if scope is None else ["again/a"]
            assert (v1.get_collection("names"), v1.get_collection("sizes")) == (names, [3])


@behaviour("I10")
def test_a_graph_without_variables_has_no_saver(tmp_path: Path):
    with tf.Graph().as_default():
        tf.constant(1.0, name="one")
        v1.train.export_meta_graph(str(tmp_path / "plain.meta"))
    with tf.Graph().as_default():
        assert v1.train.import_meta_graph(str(tmp_path / "plain.meta")) is None
    (tmp_path / "wrong.meta").write_bytes(b"wrong")
    with tf.Graph().as_default(), pytest.raises(OSError, match="Cannot parse file"):
        v1.train.import_meta_graph(str(tmp_path / "wrong.meta"))


@behaviour("I10")
def test_variables_become_constants():
    with tf.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.int32, [None], name="x")
        table = v1.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0]])
        scale = v1.get_variable("scale", initializer=10.0)
        tf.multiply(v1.nn.embedding_lookup(table, x), scale, name="y")
        tf.identity(scale, name="unused")
        session.run(v1.global_variables_initializer())
        convert = v1.graph_util.convert_variables_to_constants
        frozen = convert(session, graph.as_graph_def(), ["y"])
        spared = convert(session, graph.as_graph_def(), ["y"], None, ["scale"])
        part = v1.graph_util.extract_sub_graph(graph.as_graph_def(), ["scale/Assign"])

    assert not {"VarHandleOp", "ReadVariableOp", "ResourceGather"} & {n.op for n in frozen.node}
    assert [node.name for node in spared.node if node.op == "VarHandleOp"] == ["scale"]
    assert {node.op for node in part.node} == {"VarHandleOp", "Const", "AssignVariableOp"}
    assert "unused" not in {node.name for node in frozen.node}
    with tf.Graph().as_default(), v1.Session() as session:
        (y,) = tf.graph_util.import_graph_def(frozen, return_elements=["y:0"], name="")
        assert session.run(y, {"x:0": [1]}).tolist() == [[30.0, 40.0]]


@behaviour("I10")
def test_what_branches_loops_and_functions_read_of_variables_becomes_constant():
    with tf.Graph().as_default() as graph, v1.Session() as session:
        x, take = v1.placeholder(tf.float32, [2], "x"), v1.placeholder(tf.bool, [], "take")
        v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(3.0, name="w")
        table = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="table")
        y = v1.cond(
            take,
            lambda: x * v + tf.gather(table, 1),
            lambda: v1.cond(x[0] > 0, lambda: x * w, lambda: x - v),
        )
        _, z = v1.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * w + v), (0, y))
        result = tf.function(lambda a: a + w * tf.reduce_sum(v))(z)
        tf.identity(result, name="z")
        tf.identity(v1.gradients(result, x)[0], name="gradient")
        session.run(v1.global_variables_initializer())
        names, feeds = ["z:0", "gradient:0"], {"x:0": [1.0, -2.0]}
        wanted = [session.run(names, {**feeds, "take:0": one}) for one in (True, False)]
        frozen = v1.graph_util.convert_variables_to_constants(
            session, graph.as_graph_def(), ["z", "gradient"]
        )

    assert "VarHandleOp" not in {node.op for node in frozen.node}
    with tf.Graph().as_default(), v1.Session() as session:
        tf.graph_util.import_graph_def(frozen, name="")
        for one, values in zip((True, False), wanted, strict=True):
            found = session.run(names, {**feeds, "take:0": one})
            assert [f.tolist() for f in found] == [f.tolist() for f in values]


@behaviour("I10")
def test_a_branch_that_changes_a_variable_is_not_frozen():
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v = tf.Variable(2.0, name="v")
        v1.cond(v > 1.0, lambda: v.assign_add(1.0), lambda: v * 2.0, name="y")
        session.run(v1.global_variables_initializer())
        (branch,) = [node.name for node in graph.as_graph_def().node if node.op == "If"]
        with pytest.raises(NotImplementedError, match=r"AssignAddVariableOp.*variable itself"):
            v1.graph_util.convert_variables_to_constants(session, graph.as_graph_def(), [branch])


@behaviour("I10")
def test_averages_of_variables_and_tensors_in_a_graph():
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable([1.0, 2.0], name="v")
        steps = tf.Variable(3, name="steps", trainable=False)
        twice = tf.multiply(v, 2.0, name="twice")
        averages = tf.train.ExponentialMovingAverage(0.5, steps)
        follow = averages.apply([v, twice])
        kept = [averages.average(v), averages.average(twice)]
        session.run(v1.global_variables_initializer())
        session.run(v.assign([3.0, 5.0]))
        session.run(follow)
        found = session.run(kept)
        names = [one.name for one in v1.global_variables()]

        assert v1.moving_average_variables() == [v]
        assert sorted(averages.variables_to_restore()) == [
            "steps", "twice/ExponentialMovingAverage", "v/ExponentialMovingAverage",
        ]  # fmt: skip

    assert (follow.type, follow.name) == ("NoOp", "ExponentialMovingAverage")
    assert names[2:] == ["v/ExponentialMovingAverage:0", "twice/ExponentialMovingAverage:0"]
    np.testing.assert_allclose(found[0], [2.3846154, 4.0769234], rtol=1e-6)
    np.testing.assert_allclose(found[1], [4.1538463, 6.923077], rtol=1e-6)


@behaviour("I10")
def test_a_graph_is_written_into_a_folder_that_is_made(tmp_path):
    path = tmp_path / "made" / "graph.meta"

    with tf.Graph().as_default():
        v1.train.export_meta_graph(str(path))

    assert path.exists()
    with pytest.raises(RuntimeError):
        v1.train.export_meta_graph(str(path))


@behaviour("I10")
def test_a_saver_of_some_variables_comes_back_as_such(tmp_path: Path):
    with tf.Graph().as_default(), v1.Session() as session:
        one, other = (v1.get_variable(name, initializer=2.0) for name in ("one", "other"))
        session.run([one.initializer, other.initializer])
        saver = v1.train.Saver({"first": one}, max_to_keep=3)
        path = saver.save(session, str(tmp_path / "model"))
    with tf.Graph().as_default(), v1.Session() as session:
        saver = v1.train.import_meta_graph(path + ".meta")
        one, other = v1.global_variables()
        session.run(other.assign(5.0))
        saver.restore(session, path)

        assert session.run([one, other]) == [2.0, 5.0]
        assert saver.as_saver_def().max_to_keep == 3


@behaviour("I10")
def test_what_is_given_of_a_meta_graph_is_in_it(tmp_path: Path):
    file = tmp_path / "model.meta"
    with tf.Graph().as_default():
        v1.get_variable("v", initializer=3.0)
        said = v1.train.Saver().as_saver_def()
        info = v1.MetaGraphDef.MetaInfoDef(tags=["a"], meta_graph_version="7")
        proto = v1.train.export_meta_graph(
            str(file), info, v1.GraphDef(), said, collection_list=[], as_text=True
        )

    assert (proto.meta_info_def.tags, proto.meta_info_def.meta_graph_version) == (["a"], "7")
    assert proto.saver_def.restore_op_name == "save/restore_all"
    assert len(proto.graph_def.node) == 0
    assert "meta_graph_version" in file.read_text()


@behaviour("I10")
def test_a_part_of_a_graph_is_exported_without_its_scope():
    with tf.Graph().as_default():
        with v1.variable_scope("hidden"):
            x = v1.placeholder(tf.float32, [1, 2], name="x")
            w = v1.get_variable("w", initializer=[[1.0, 2.0], [3.0, 4.0]])
            h = tf.matmul(x, w, name="h")
        with v1.variable_scope("out"):
            tf.multiply(h, v1.get_variable("scale", initializer=[2.0]), name="y")
        v1.add_to_collection("mine", h)
        hidden, out = (v1.train.export_meta_graph(export_scope=s) for s in ("hidden", "out/"))

    inputs = {node.name: list(node.input) for node in out.graph_def.node}
    assert inputs["y"][0] == "$unbound_inputs_hidden/h"
    assert list(hidden.collection_def["mine"].node_list.value) == ["h:0"]
    assert "mine" not in out.collection_def
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v1.train.import_meta_graph(hidden, import_scope="a")
        with pytest.raises(ValueError, match="Graph contains unbound inputs"):
            v1.train.import_meta_graph(out, import_scope="b")
        given = {"$unbound_inputs_hidden/h": graph.get_tensor_by_name("a/h:0")}
        v1.train.import_meta_graph(out, import_scope="c", input_map=given)

        assert [v.name for v in v1.global_variables()] == ["a/w:0", "c/scale:0"]
        session.run(v1.global_variables_initializer())
        assert session.run("c/y:0", {"a/x:0": [[1.0, 1.0]]}).tolist() == [[8.0, 12.0]]
