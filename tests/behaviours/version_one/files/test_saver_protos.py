"""Savers as protos, which name operations of a graph, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1
train = v1.train


def saver_of_two(**options: Any) -> tuple[Any, Any, Any]:
    v = tf.Variable([1.0, 2.0], name="v")
    w = tf.Variable(3, name="w")
    return v, w, train.Saver(**options)


@behaviour("I10")
def test_a_saver_def_names_operations_of_the_graph(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v, w, saver = saver_of_two(max_to_keep=3)
        session.run(v1.global_variables_initializer())
        proto = saver.to_proto()
        path = session.run(proto.save_tensor_name, {proto.filename_tensor_name: f"{tmp_path}/m"})
        session.run([v.assign([0.0, 0.0]).op, w.assign(0).op])
        session.run(proto.restore_op_name, {proto.filename_tensor_name: path})

        assert ("save/Const:0", "save/control_dependency:0", "save/restore_all", 3) == (
            proto.filename_tensor_name, proto.save_tensor_name, proto.restore_op_name,
            proto.max_to_keep,
        )  # fmt: skip
        assert train.SaverDef.V2 == proto.version == saver.as_saver_def().version
        assert (10000.0, False) == (proto.keep_checkpoint_every_n_hours, proto.sharded)
        assert [[1.0, 2.0], 3] == [one.tolist() for one in session.run([v, w])]
        assert graph.get_operation_by_name("save/SaveV2").type == "SaveV2"
        assert {"v", "w"} == {name for name, _ in train.list_variables(f"{tmp_path}/m")}
        assert saver.to_proto("elsewhere") is None
        assert saver.to_proto("save").restore_op_name == "restore_all"


@behaviour("I10")
def test_a_saver_of_a_proto_saves_and_restores(tmp_path: Path) -> None:
    with tf.Graph().as_default(), v1.Session() as session:
        v, _, saver = saver_of_two()
        session.run(v1.global_variables_initializer())
        other = train.Saver.from_proto(saver.to_proto())
        path = other.save(session, f"{tmp_path}/model", global_step=7)
        session.run(v.assign([0.0, 0.0]).op)
        saver.restore(session, path)

        assert f"{tmp_path}/model-7" == path == train.latest_checkpoint(str(tmp_path))
        assert [1.0, 2.0] == session.run(v).tolist()
        assert train.Saver.from_proto(saver.to_proto(), "a").to_proto().restore_op_name == (
            "a/save/restore_all"
        )
        with pytest.raises(ValueError, match="not a valid checkpoint"):
            other.restore(session, f"{tmp_path}/none")


@behaviour("I10")
def test_a_checkpoint_state_lists_the_newest_last() -> None:
    state = train.generate_checkpoint_state_proto("/a", "/a/b-1", ["/a/b-0", "/a/b-1"], [1.0, 2.0])
    other = train.generate_checkpoint_state_proto("c", "c/b-1", ["c/b-0", "d-0"])

    assert (["/a/b-0", "/a/b-1"], [1.0, 2.0]) == (
        list(state.all_model_checkpoint_paths), list(state.all_model_checkpoint_timestamps)
    )  # fmt: skip
    assert ("b-1", ["b-0", "../d-0", "b-1"]) == (
        other.model_checkpoint_path, list(other.all_model_checkpoint_paths)
    )  # fmt: skip
    with pytest.raises(ValueError, match="timestamps"):
        train.generate_checkpoint_state_proto("", "b", ["b"], [1.0, 2.0])
    assert 0.0 == state.last_preserved_timestamp
