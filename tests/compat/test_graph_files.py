"""`tensorflow.python.tools` and its like: what scripts of TensorFlow 1 do with graphs and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.compat.private_modules.tools import graph_files, small_tools, vocabularies

v1 = tf.compat.v1
FLOAT = tf.float32.as_datatype_enum


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    with tf.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        w = v1.get_variable("w", initializer=tf.constant([[1.0], [2.0]]))
        tf.matmul(tf.identity(x, name="same"), w, name="y")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(tmp_path / "model"))
        v1.train.write_graph(graph, str(tmp_path), "graph.pbtxt")
    return tmp_path


def value(graph_def: Any) -> Any:
    with tf.Graph().as_default():
        (y,) = v1.import_graph_def(graph_def, return_elements=["y:0"], name="")
    with v1.Session(graph=y.graph) as session:  # a tensor keeps its graph
        return session.run(y, {"x:0": [[3.0, 4.0]]}).tolist()


def test_a_graph_and_a_checkpoint_become_constants(saved: Path) -> None:
    prefix, frozen = str(saved / "model"), str(saved / "frozen.pb")
    graph_files.freeze_graph(
        str(saved / "graph.pbtxt"), "", False, prefix, "y", "save/restore_all", "save/Const:0",
        frozen, True, "",
    )  # fmt: skip
    of_meta = graph_files.freeze_graph(
        None, "", True, prefix, "y", None, None, "", True, "", input_meta_graph=f"{prefix}.meta"
    )
    read = v1.GraphDef.FromString(Path(frozen).read_bytes())

    assert [[11.0]] == value(read) == value(of_meta)
    assert "VarHandleOp" not in [node.op for node in read.node]
    with pytest.raises(ValueError, match="output_node_names"):
        graph_files.freeze_graph(None, "", True, prefix, "", None, None, "", True, "")

    shorter = graph_files.optimize_for_inference(read, ["x"], ["y"], FLOAT)
    assert [[11.0]] == value(shorter)
    assert "same" not in [node.name for node in shorter.node]
    cut = graph_files.strip_unused(read, ["same"], ["y"], FLOAT)
    assert "Placeholder" == next(node.op for node in cut.node if node.name == "same")


def test_a_checkpoint_is_shown(saved: Path, capsys: Any) -> None:
    graph_files.print_tensors_in_checkpoint_file(str(saved / "model"), "", True)

    expected = "tensor: w (float32) [2, 1]\n[[1.]\n [2.]]\n# Total number of params: 2\n"
    assert expected == capsys.readouterr().out


def test_vocabularies_are_tables_in_graphs(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("a\nb\nc\n")
    with tf.Graph().as_default(), v1.Session() as session:
        numbers = vocabularies.index_table_from_file(str(file), default_value=7)
        buckets = vocabularies.index_table_from_tensor(["x", "y"], num_oov_buckets=2)
        lines = vocabularies.index_to_string_table_from_file(str(file), default_value="?")
        words = vocabularies.index_to_string_table_from_tensor(["p", "q"])
        found = [
            numbers.lookup(tf.constant(["b", "z"])),
            buckets.lookup(tf.constant(["y", "zz"])),
            lines.lookup(tf.constant([0, 9], tf.int64)),
            words.lookup(tf.constant([1, 5], tf.int64)),
        ]
        session.run(v1.tables_initializer())

        expected = [[1, 7], [1, 2], [b"a", b"?"], [b"q", b"UNK"]]
        assert expected == [one.tolist() for one in session.run(found)]
    with pytest.raises(ValueError, match="specified"):
        vocabularies.index_table_from_file("")


def test_texts_in_files(tmp_path: Path) -> None:
    path = str(tmp_path / "text")
    small_tools.write_string_to_file(path, "abc")

    assert "abc" == small_tools.read_file_to_string(path)
    assert b"abc" == small_tools.read_file_to_string(path, binary_mode=True)


def test_modules_are_imported_at_first_use() -> None:
    names: dict[str, Any] = {}
    loader = small_tools.LazyLoader("lazy", names, "json")

    assert not names
    assert ("[1]", "json") == (loader.dumps([1]), names["lazy"].__name__)


def test_callables_tell_their_arguments() -> None:
    def taking(first: int, second: int = 1, **others: int) -> int:
        return first + second + len(others)

    only = small_tools.keyword_args_only(taking)

    assert ("first", "second") == small_tools.fn_args(taking)
    assert small_tools.has_kwargs(taking)
    assert "taking" == small_tools.get_func_name(taking)
    assert 2 == only(first=1)
    with pytest.raises(ValueError, match="keyword"):
        only(1)


def test_configurations_have_the_numbers_of_tensorflow() -> None:
    config = v1.ConfigProto()
    config.graph_options.rewrite_options.meta_optimizer_iterations = 2
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    config.gpu_options.experimental.use_unified_memory = True

    expected = "32044a02100152111a0b18ffffffffffffffffff0152026002"
    assert expected == config.SerializeToString(deterministic=True).hex()
