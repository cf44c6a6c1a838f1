"""`tensormill saved-model show`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.cli.saved_model import show
from tensormill.graph.proto.messages import message
from tests.saved_model.record import unpacked


@pytest.fixture
def serving(tmp_path: Path) -> str:
    return unpacked("serving", tmp_path)[0]


def words(text: str) -> str:
    return " ".join(text.split())


def test_it_tells_tags_and_signatures(command: Any, serving: str) -> None:
    shown = words(command("saved-model", "show", serving).stdout)

    assert "tags serve" in shown
    assert "serving_default takes bias float32 ()" in shown
    assert "takes features float32 (None, 2)" in shown
    assert "gives positive bool (None, 1)" in shown
    assert "stats takes values float32 (None,)" in shown
    assert "__saved_model_init_op" not in shown


def test_all_tells_functions_variables_and_operations(command: Any, serving: str) -> None:
    shown = words(command("saved-model", "show", serving, "--all").stdout)

    assert "predict 1 x float32 (None, 2)" in shown
    assert "→ {positive: bool (None, 1), score: float32 (None, 1)}" in shown
    assert "w float32 (2, 1) yes" in shown
    assert "MatMul" in shown
    assert "__saved_model_init" in shown


def test_no_name_is_broken_where_there_is_no_terminal(
    serving: str, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    show(serving, everything=True)

    assert "tensorflow/serving/predict" in capsys.readouterr().out


def test_python_values_of_traces_are_told(command: Any, tmp_path: Path) -> None:
    shown = words(command("saved-model", "show", unpacked("traces", tmp_path)[0], "--all").stdout)

    assert "n 3 negate True" in shown
    assert "never none cannot be called" in shown


def test_one_signature_alone_with_its_nodes(command: Any, serving: str) -> None:
    given = ("--tag_set", "serve", "--signature_def", "stats")
    shown = command("saved-model", "show", serving, *given).stdout

    assert "stats_values:0" in "".join(shown.split())
    assert "features" not in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--signature_def", "absent"), "no signature 'absent'; there are"),
        (("--tag_set", "train"), "incompatible argument to `tags`"),
    ],
)
def test_what_is_not_there_is_said(
    arguments: tuple[str, ...], message: str, command: Any, serving: str
) -> None:
    finished = command("saved-model", "show", serving, *arguments)

    assert finished.returncode == 1
    assert message in words(finished.stderr)
    assert "Traceback" not in finished.stderr


def test_tags_that_a_graph_of_tensorflow_1_lacks_are_said(command: Any, tmp_path: Path) -> None:
    directory = str(tmp_path / "old")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.compat.v1.placeholder(tf.float32, [], name="x")
        tf.compat.v1.saved_model.simple_save(session, directory, {"x": x}, {"y": x + 1})
    finished = command("saved-model", "show", directory, "--tag_set", "train")

    assert finished.returncode == 1
    assert "could not be found in SavedModel" in words(finished.stderr)
    assert "Traceback" not in finished.stderr


@pytest.mark.sampled(among="scripts")
def test_a_missing_directory_is_no_traceback(tensormill: Any, tmp_path: Path) -> None:
    finished = tensormill("saved-model", "show", str(tmp_path / "absent"))

    assert finished.returncode == 1
    assert "SavedModel file does not exist" in words(finished.stderr)
    assert "Traceback" not in finished.stderr


def test_a_damaged_model_is_no_traceback_and_its_names_do_nothing_to_the_terminal(
    command: Any, serving: str
) -> None:
    path = Path(serving, "saved_model.pb")
    proto = message("SavedModel").FromString(path.read_bytes())
    proto.meta_graphs[0].meta_info_def.tags.append("\x1b]0;title\x07[bold]")
    path.write_bytes(proto.SerializeToString())
    shown = command("saved-model", "show", serving).stdout
    proto.meta_graphs[0].object_graph_def.nodes[0].children[0].node_id = -1
    path.write_bytes(proto.SerializeToString())
    finished = command("saved-model", "show", serving)

    assert "\\x1b]0;title\\x07[bold]" in shown
    assert "\x1b]0" not in shown
    assert (1, False) == (finished.returncode, "Traceback" in finished.stderr)
    assert f"{path} is damaged: the child" in words(finished.stderr)


def test_help_is_there(command: Any) -> None:
    assert "signature" in command("saved-model", "show", "--help").stdout
    assert "show" in command("saved-model", "--help").stdout


def test_arguments_beyond_the_named_ones_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tf.Module()
    model.total = tf.function(lambda first, *rest: first + rest[0] + rest[1])
    model.total(*map(tf.constant, (1.0, 2.0, 3.0)))
    tf.saved_model.save(model, tmp_path)
    show(str(tmp_path), everything=True)

    assert "argument 3 float32 ()" in words(capsys.readouterr().out)
