"""Odd helpers of TensorFlow 1, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


def saved(path: str) -> None:
    """A SavedModel that doubles."""
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [], name="x")
        y = tf.multiply(x, tf.Variable(2.0), name="y")
        session.run(v1.global_variables_initializer())
        v1.saved_model.simple_save(session, path, {"x": x}, {"y": y})


@behaviour("I10")
def test_variables_are_made_in_parts() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        whole = np.arange(10, dtype=np.float32).reshape(5, 2)
        cut = v1.create_partitioned_variables([5, 2], [2, 1], whole, name="cut")
        offsets = v1.create_partitioned_variables(
            [1, 4], [1, 3],
            lambda shape, dtype, partition_info: tf.fill(
                shape, float(partition_info.var_offset[1])
            ),
            name="offsets",
        )  # fmt: skip
        ones = v1.create_partitioned_variables(
            [2], [1], v1.ones_initializer(), trainable=False, collections=["mine"]
        )
        session.run([one.initializer for one in (*cut, *offsets, *ones)])
        found = session.run([cut, offsets, ones])

    assert ["cut/part_0:0", "cut/part_1:0"] == [one.name for one in cut]
    assert [whole[:3].tolist(), whole[3:].tolist()] == [one.tolist() for one in found[0]]
    assert [[[0.0, 0.0]], [[2.0]], [[3.0]]] == [one.tolist() for one in found[1]]
    assert [[1.0, 1.0]] == [one.tolist() for one in found[2]]
    assert "PartitionedVariable/part_0:0" == ones[0].name


@behaviour("I10")
@pytest.mark.parametrize("slicing", [[2], [2, 2], [3, 1], [0, 1]])
def test_variables_are_not_made_in_parts_that_they_have_not(slicing: list[int]) -> None:
    with tf.Graph().as_default(), pytest.raises(ValueError):  # noqa: PT011
        v1.create_partitioned_variables([2, 2], slicing, np.zeros([2, 2], np.float32))


@behaviour("I10")
def test_floats_of_a_graph_are_checked() -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [2])
        y = tf.math.log(x)
        check = v1.add_check_numerics_ops()

        assert session.run(check, {x: [1.0, 2.0]}) is None
        with pytest.raises(tf.errors.InvalidArgumentError, match="Log:0 : Tensor had NaN"):
            session.run(check, {x: [-1.0, 2.0]})
    assert "Log" == y.op.type
    with pytest.raises(RuntimeError):
        v1.add_check_numerics_ops()


@behaviour("I10")
def test_signatures_get_other_names_of_methods(tmp_path: Path) -> None:
    saved(str(tmp_path / "model"))
    updater = v1.saved_model.signature_def_utils.MethodNameUpdater(str(tmp_path / "model"))
    updater.replace_method_name("serving_default", "mine", tags="serve")
    updater.save()

    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], str(tmp_path / "model"))
        assert 6.0 == session.run("y:0", {"x:0": 3.0})
    assert "mine" == meta.signature_def["serving_default"].method_name
    for key, name, tags in (("", "m", None), ("serving_default", "", None), ("no", "m", None),
                            ("serving_default", "m", ["train"])):  # fmt: skip
        with pytest.raises(ValueError):  # noqa: PT011
            updater.replace_method_name(key, name, tags)
    with pytest.raises(tf.errors.NotFoundError):
        updater.save(str(tmp_path / "absent"))
    with pytest.raises(OSError, match="does not exist"):
        v1.saved_model.signature_def_utils.MethodNameUpdater(str(tmp_path / "absent"))


@behaviour("I10")
def test_saved_models_have_several_graphs_and_one_set_of_variables(tmp_path: Path) -> None:
    builder = v1.saved_model.Builder(str(tmp_path / "model"))
    with pytest.raises(AssertionError, match="has not been saved yet"):
        builder.add_meta_graph(["serve"])
    with tf.Graph().as_default(), v1.Session() as session:
        tf.Variable(2.0, name="w")
        session.run(v1.global_variables_initializer())
        builder.add_meta_graph_and_variables(session, ["train"])
        with pytest.raises(AssertionError, match="already been saved"):
            builder.add_meta_graph_and_variables(session, ["again"])
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [], name="x")
        z = tf.multiply(x, tf.Variable(9.0, name="w"), name="z")
        signature = v1.saved_model.predict_signature_def({"x": x}, {"z": z})
        builder.add_meta_graph(["serve"], {"multiply": signature})
    assert os.fsencode(tmp_path / "model" / "saved_model.pb") == builder.save()

    with tf.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], str(tmp_path / "model"))
        assert ["multiply"] == list(meta.signature_def)
        assert 6.0 == session.run("z:0", {"x:0": 3.0})


@behaviour("I10")
def test_attributes_are_replaced_during_a_test() -> None:
    class Thing:
        kind = 1

        def told(self) -> int:
            return 2

    stubs: Any = v1.test.StubOutForTesting()
    stubs.Set(Thing, "kind", 5)
    stubs.SmartSet(Thing, "told", lambda self: 9)
    assert (5, 9) == (Thing.kind, Thing().told())
    stubs.UnsetAll()
    assert (1, 9) == (Thing.kind, Thing().told())
    stubs.SmartUnsetAll()
    assert 2 == Thing().told()
    for replace in (stubs.Set, stubs.SmartSet):
        with pytest.raises(AttributeError):
            replace(Thing, "absent", 1)
    with v1.test.StubOutForTesting() as inner:
        inner.SmartSet(Thing, "kind", 7)
        assert 7 == Thing.kind
    assert 1 == Thing.kind


@behaviour("I10")
def test_nodes_of_texts_and_whole_numbers_run_on_processors() -> None:
    def told(op: str, attr: str, number: int, *, pin: bool = False) -> bool:
        node = v1.NodeDef(op=op)
        node.attr[attr].type = number
        return v1.graph_util.must_run_on_cpu(node, pin)

    consts = [told("Const", "dtype", number) for number in (1, 3, 7, 9)]
    stitches = [told("DynamicStitch", "T", number) for number in (1, 3)]
    variables = [told("VariableV2", "dtype", 1, pin=pin) for pin in (False, True)]

    assert ([False, True, True, False], [False, True]) == (consts, stitches)
    assert ([False, True], True) == (variables, told("TruncatedNormal", "T", 1, pin=True))


@behaviour("I10")
def test_the_example_of_an_operation_says_its_sentence() -> None:
    assert b"0! == 1" == v1.user_ops.my_fact().numpy()


@behaviour("I10")
def test_tables_say_what_fills_them() -> None:
    def tables() -> Any:
        entries = tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([0], tf.int64))
        return v1.lookup.StaticHashTable(entries, 7), v1.lookup.StaticVocabularyTable(entries, 2)

    assert [None, None] == [one.initializer for one in tables()]
    with tf.Graph().as_default(), v1.Session() as session:
        made = tables()
        assert ["LookupTableImportV2"] * 2 == [one.initializer.type for one in made]
        session.run([one.initializer for one in made])
        found = session.run([one.lookup(tf.constant(["a", "b"])) for one in made])
    assert [0, 7] == found[0].tolist()
    assert 0 == found[1][0] < found[1][1]


@behaviour("I10")
def test_runs_tell_which_operation_ran_when() -> None:
    traced = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE, output_partition_graphs=True)
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [], name="x")
        y = tf.square(x + tf.constant(2.0, name="two"), name="y")
        told = v1.RunMetadata()
        assert 25 == session.run(y, {x: 3.0}, options=traced, run_metadata=told)
        (device,) = told.step_stats.dev_stats
        assert (1, True) == (len(told.partition_graphs), "CPU:0" in device.device)
        found = {one.node_name: one for one in device.node_stats}
        assert {"two", "add", "y"} <= found.keys()
        assert "y = Square(add)" == found["y"].timeline_label
        ends = [one.all_start_nanos + one.all_end_rel_nanos for one in (found["add"], found["y"])]
        assert found["add"].all_start_nanos <= ends[0] <= ends[1]
        session.run(y, {x: 3.0}, run_metadata=told)
        assert b"" == told.SerializeToString()


@behaviour("I10")
def test_a_hook_writes_timelines_of_some_runs(tmp_path: Path) -> None:
    with tf.Graph().as_default():
        step = v1.train.get_or_create_global_step()
        advanced = v1.assign_add(step, 1)
        hook = v1.train.ProfilerHook(save_steps=2, output_dir=str(tmp_path))
        with v1.train.MonitoredSession(hooks=[hook]) as session:
            assert [1, 2, 3, 4] == [session.run(advanced) for _ in range(4)]
    timelines = sorted(tmp_path.glob("timeline-*.json"))

    assert ["timeline-2.json", "timeline-4.json"] == [one.name for one in timelines]
    events = json.loads(timelines[0].read_text())["traceEvents"]
    shown = [one for one in events if one["ph"] == "X"]
    assert {"cat", "name", "pid", "tid", "ts", "dur", "args", "ph"} == shown[0].keys()
    assert any("Assign" in one["name"] for one in shown)
    v1.summary.FileWriterCache.get(str(tmp_path)).flush()
    (log,) = tmp_path.glob("events*")
    tags = [one.tagged_run_metadata.tag for one in v1.train.summary_iterator(str(log))]
    assert ["step_2", "step_4"] == [one for one in tags if one]
