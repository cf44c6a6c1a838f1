"""Private modules that programs import for one helper, as TensorFlow 2.21 answers."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compat.message_modules import MESSAGE_TABLES
from tensormill.compat.private_helpers import HELPERS
from tensormill.compat.private_modules.tools import (
    comparisons,
    operations_of_graphs,
    registries,
    saveables,
    saved_model_files,
)
from tensormill.graph.proto.messages import message
from tensormill.version_one.profiles.timelines import Timeline

v1 = tf.compat.v1


def test_helpers_are_where_tables_say() -> None:
    for table in HELPERS.values():
        for module, names in table.items():
            found = import_module(f"tensormill.{module}")
            for name in names.split():
                assert hasattr(found, name.rpartition("=")[2])


def test_messages_of_the_runtime_are_made_when_asked_for() -> None:
    cost = message("CostGraphDef")()
    cost.node.add(name="a").output_info.add(size=4, dtype=1).shape.dim.add(size=2)
    # As TensorFlow's own cost_graph_pb2 writes it.
    assert "0a0f0a01612a0a08041a04120208022001" == cost.SerializeToString().hex()
    assert 3 == message("Code").Value("INVALID_ARGUMENT") == message("INVALID_ARGUMENT")
    assert {"core.framework.cost_graph_pb2", "core.protobuf.status_pb2"} <= HELPERS.keys()
    assert set() == HELPERS.keys() & MESSAGE_TABLES.keys()


def test_operations_are_found_backwards() -> None:
    with tf.Graph().as_default() as graph:
        a = tf.constant(1.0, name="a")
        b = tf.identity(a, name="b")
        c = tf.add(a, b, name="c")
        d = tf.identity(c, name="d")
    tools = operations_of_graphs

    def names(ops: Any) -> set[str]:
        return {one.name for one in ops}

    assert {"a", "b", "c"} == names(tools.get_backward_walk_ops([c.op]))
    assert {"a", "b", "c"} == names(tools.get_backward_walk_ops([d.op], inclusive=False))
    assert {"d"} == names(tools.get_backward_walk_ops(d.op, stop_at_ts=[c]))
    assert {"c", "d"} == names(tools.get_backward_walk_ops([d], within_ops=[d.op, c.op]))
    assert ["b", "c"] == [one.name for one in tools.get_consuming_ops([a])]
    assert ["b", "c"] == [one.name for one in tools.get_generating_ops([b, c])]
    assert 4 == len(tools.get_tensors(graph)) == len(tools.make_list_of_op(graph))
    with pytest.raises(TypeError):
        tools.make_list_of_op([a])
    assert (tools.get("MatMul").name, tools.get("Nope")) == ("MatMul", None)


def test_sums_keep_axes_of_size_one() -> None:
    assert [1, 3, 1] == operations_of_graphs.reduced_shape([2, 3, 4], [0, -1]).tolist()
    specs = [tf.TensorSpec([3], tf.int32), tf.TensorSpec([None], tf.int32)]
    traced = tf.function(operations_of_graphs.reduced_shape, input_signature=specs)
    assert [1, 3, 1] == traced([2, 3, 4], [0, -1]).numpy().tolist()


def test_batch_and_time_change_places() -> None:
    tools = operations_of_graphs
    assert [3, 2, 4] == tools.transpose_batch_time(tf.ones([2, 3, 4])).shape
    assert [2] == tools.transpose_batch_time(tf.ones([2])).shape
    spec = tf.TensorSpec([None, 3, None])
    traced = tf.function(tools.transpose_batch_time, input_signature=[spec])
    assert [3, 2, 1] == traced(tf.ones([2, 3, 1])).shape
    assert (3, None, None) == tuple(traced.get_concrete_function().structured_outputs.shape)


def test_second_derivatives_are_multiplied_by_a_vector() -> None:
    @tf.function
    def products(x: Any) -> Any:
        total = tf.reduce_sum(x**3)
        return operations_of_graphs.hessian_vector_product([total], [x], [tf.ones_like(x)])[0]

    assert [6, 12] == products(tf.constant([1.0, 2.0])).numpy().tolist()


def test_no_tape_sees_what_is_done_within() -> None:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with operations_of_graphs.stop_recording():
            y = x * x
        z = x * 3.0 + y
    assert 3 == tape.gradient(z, x).numpy()


def test_summaries_have_scopes_and_tags() -> None:
    tools = operations_of_graphs
    with tf.Graph().as_default() as graph, v1.Session() as session:
        with tools.summary_scope("nm", "fam") as given:
            assert ("fam/fam/nm", "fam/nm/") == given
        with tools.summary_scope("nm 2") as given:
            assert ("nm_2", "nm_2/") == given
        tools.collect(1, ["k"], ["d"])
        tools.collect(2, None, ["d"])
        assert [[1], [2]] == [graph.get_collection(one) for one in "kd"]
        made = tools.initialize_resources(tools.shared_resources())
        assert "NoOp" == made.type
        assert [] == session.run(tools.report_uninitialized_resources()).tolist()
    assert "a_b/c_d_" == tools.clean_tag("/a b/c d?")


def test_directories_of_models_have_files(tmp_path: Path) -> None:
    module = tf.Module()
    module.f = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([2])])  # type: ignore[attr-defined]
    tf.saved_model.save(module, tmp_path, signatures=module.f)  # type: ignore[attr-defined]
    loader = saved_model_files.SavedModelLoader(tmp_path)

    assert str(tmp_path / "variables/variables") == saved_model_files.get_variables_path(tmp_path)
    assert (tmp_path / "variables/variables.index").exists()
    assert [["serve"]] == saved_model_files.get_saved_model_tag_sets(tmp_path)
    found = saved_model_files.get_meta_graph_def(tmp_path, "serve")
    assert "serving_default" in found.signature_def
    assert found == loader.get_meta_graph_def_from_tags(["serve"])
    with pytest.raises(RuntimeError, match="tag-set train"):
        saved_model_files.get_meta_graph_def(tmp_path, "train")
    with pytest.raises(RuntimeError, match="tags 'train'"):
        loader.get_meta_graph_def_from_tags(["train"])
    with pytest.raises(OSError, match="does not exist"):
        saved_model_files.read_saved_model(tmp_path / "nothing")


def test_messages_are_compared() -> None:
    one, other = v1.Summary(), v1.Summary()
    one.value.add(tag="x", simple_value=1.0)
    other.value.add(tag="x", simple_value=1.0001)

    class Case(comparisons.ProtoAssertions, tf.test.TestCase): ...

    case = Case()
    case.assertProtoEqual('value { tag: "x" simple_value: 1.0 }', one)
    case.assertProtoEqual(one, other, relative_tolerance=1e-3)
    with pytest.raises(AssertionError, match=r"1\.0001"):
        case.assertProtoEqual(one, other)


def test_small_things_have_names() -> None:
    things = registries.Registry("thing")
    things.register(3, "a")
    assert (3, ["a"]) == (things.lookup("a"), list(things.list()))
    with pytest.raises(LookupError, match="thing registry has no entry for: b"):
        things.lookup("b")
    with pytest.raises(KeyError, match="Registering two thing"):
        things.register(4, "a")
    given = [np.float32(2), np.array([1, 2]), tf.TensorShape([1, None]), tf.float32, len]
    assert [2.0, [1, 2], [1, None], "float32", "len"] == list(map(registries.get_json_type, given))
    assert "test_small_things_have_names" == registries.extract_stack()[-1].name


def test_datasets_have_two_seeds() -> None:
    assert [87654321, 3] == [one.numpy() for one in registries.get_seed(3)]


def test_parts_of_savers_are_the_programs_own() -> None:
    spec = saveables.SaveSpec(tf.constant([1.0, 2.0]), "", "x")
    assert ("x", "", tf.float32) == (spec.name, spec.slice_spec, spec.dtype)
    part = saveables.SaveableObject(tf.constant(1.0), lambda: [spec], "x")
    assert [spec] == part.specs
    with pytest.raises(ValueError, match="abstract"):
        part.restore([], [])
    with tf.Graph().as_default(), pytest.raises(TypeError, match="SaveableObject"):
        v1.train.Saver([part])


def test_timelines_have_arrows_between_operations() -> None:
    stats = message("StepStats")()
    device = stats.dev_stats.add(device="cpu")
    device.node_stats.add(
        node_name="a", timeline_label="a = Const()", all_start_micros=5, all_end_rel_micros=2
    )
    device.node_stats.add(
        node_name="b", timeline_label="b = Square(a)", all_start_micros=8, all_end_rel_micros=3
    )

    events = json.loads(Timeline(stats).generate_chrome_trace_format())["traceEvents"]
    names = ["Allocators", "cpu Compute", "cpu Tensors"]
    assert names == [one["args"]["name"] for one in events[:3]]
    # As TensorFlow's own Timeline has it.
    assert {
        "ph": "X", "cat": "Op", "name": "Square", "pid": 1, "tid": 0, "ts": 8, "dur": 3,
        "args": {"name": "b", "op": "Square", "input0": "a"},
    } in events  # fmt: skip
    assert [("s", 7), ("t", 8)] == [(one["ph"], one["ts"]) for one in events[5:]]
    plain = json.loads(Timeline(stats).generate_chrome_trace_format(show_dataflow=False))
    assert 5 == len(plain["traceEvents"])
