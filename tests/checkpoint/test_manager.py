"""`tf.train.CheckpointManager`, and the file that names the newest checkpoint (S28)."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.checkpoint import manager as checkpoint_manager
from tensormill.checkpoint.state_file import update_checkpoint_state


def checkpoint() -> Any:
    return tf.train.Checkpoint(v=tf.Variable(1.0), step=tf.Variable(0))


def stems(folder: Path) -> list[str]:
    return sorted({path.name.partition(".")[0] for path in folder.iterdir()} - {"checkpoint"})


def test_s28_the_newest_are_kept(tmp_path: Path) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), tmp_path, max_to_keep=2)
    saved = [manager.save() for _ in range(4)]

    assert [f"{tmp_path}/ckpt-{number}" for number in (1, 2, 3, 4)] == saved
    assert saved[2:] == manager.checkpoints
    assert saved[3] == manager.latest_checkpoint == tf.train.latest_checkpoint(tmp_path)
    assert ["ckpt-3", "ckpt-4"] == stems(tmp_path)
    assert (str(tmp_path), None) == (manager.directory, manager.checkpoint_interval)


def test_everything_is_kept_where_no_number_is_given(tmp_path: Path) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), tmp_path, None, checkpoint_name="model")
    for _ in range(3):
        manager.save()

    assert ["model-1", "model-2", "model-3"] == stems(tmp_path)


def test_s28_another_manager_goes_on(tmp_path: Path) -> None:
    first, second = checkpoint(), checkpoint()
    first.v.assign(7.0)
    saved = tf.train.CheckpointManager(first, tmp_path, max_to_keep=2).save()
    manager = tf.train.CheckpointManager(second, tmp_path, max_to_keep=2)

    assert saved == manager.restore_or_initialize()
    assert 7.0 == float(second.v)
    manager.save(), manager.save()
    assert ["ckpt-2", "ckpt-3"] == stems(tmp_path)


def test_s28_without_a_checkpoint_the_program_initialises(tmp_path: Path) -> None:
    calls: list[int] = []
    manager = tf.train.CheckpointManager(
        checkpoint(), tmp_path / "new", 1, init_fn=lambda: calls.append(1)
    )

    assert manager.restore_or_initialize() is None
    assert [1] == calls


def test_a_directory_may_be_moved(tmp_path: Path) -> None:
    tf.train.CheckpointManager(checkpoint(), tmp_path / "a", 2).save()
    os.rename(tmp_path / "a", tmp_path / "b")

    assert f"{tmp_path}/b/ckpt-1" == tf.train.latest_checkpoint(tmp_path / "b")


def test_a_relative_directory_is_named_relative_to_itself(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    path = tf.train.CheckpointManager(checkpoint(), "here", 2).save()

    assert "here/ckpt-1" == path == tf.train.latest_checkpoint("here")
    assert 'model_checkpoint_path: "ckpt-1"' in (tmp_path / "here" / "checkpoint").read_text()


def test_steps_between_checkpoints_are_counted(tmp_path: Path) -> None:
    made = checkpoint()
    manager = tf.train.CheckpointManager(
        made, tmp_path, None, step_counter=made.step, checkpoint_interval=2
    )
    saved = []
    for step in range(5):
        made.step.assign(step)
        saved.append(manager.save() is not None)

    assert [True, False, True, False, True] == saved
    assert manager.save() is None
    assert f"{tmp_path}/ckpt-99" == manager.save(checkpoint_number=99, check_interval=False)


@pytest.mark.parametrize("goes_on", [False, True])
def test_some_are_kept_for_ever(tmp_path: Path, monkeypatch: Any, goes_on: bool) -> None:
    now, saved = time.time(), checkpoint()
    monkeypatch.setattr(checkpoint_manager.time, "time", lambda: now)

    def made() -> Any:
        return tf.train.CheckpointManager(saved, tmp_path, 1, keep_checkpoint_every_n_hours=2.0)

    manager = made()
    for _ in range(6):
        now += 3600
        manager.save()
        manager = made() if goes_on else manager

    assert ["ckpt-2", "ckpt-4", "ckpt-6"] == stems(tmp_path)
    assert [f"{tmp_path}/ckpt-6"] == manager.checkpoints
    state = tf.train.get_checkpoint_state(tmp_path)
    assert [now] == pytest.approx(list(state.all_model_checkpoint_timestamps))
    assert now - 2 * 3600 == pytest.approx(state.last_preserved_timestamp)


def test_arguments_are_checked(tmp_path: Path) -> None:
    for number in (0, -1):
        with pytest.raises(ValueError, match="Expected a positive integer or `None`"):
            tf.train.CheckpointManager(checkpoint(), tmp_path, number)
    with pytest.raises(ValueError, match="`step_counter` should be passed"):
        tf.train.CheckpointManager(checkpoint(), tmp_path, 1, checkpoint_interval=2)


def test_files_that_vanished_are_no_checkpoints(tmp_path: Path, caplog: Any) -> None:
    manager = tf.train.CheckpointManager(checkpoint(), tmp_path, 3)
    manager.save(), manager.save()
    (tmp_path / "ckpt-1.index").unlink()
    again = tf.train.CheckpointManager(checkpoint(), tmp_path, 3)

    assert [f"{tmp_path}/ckpt-2"] == again.checkpoints
    (tmp_path / "ckpt-2.index").unlink()
    assert tf.train.latest_checkpoint(tmp_path) is None
    assert "Couldn't match files for checkpoint" in caplog.text


@pytest.mark.parametrize(
    "text",
    [
        "no: proto",
        "\x00",
        'all_model_checkpoint_paths: "a"',
        'model_checkpoint_path: "a" all_model_checkpoint_paths: "b\\000c"',
    ],
)
def test_a_state_file_that_is_none_is_ignored(tmp_path: Path, text: str, caplog: Any) -> None:
    (tmp_path / "checkpoint").write_text(text)

    assert tf.train.get_checkpoint_state(tmp_path) is None
    assert "checkpoint ignored" in caplog.text


def test_a_state_file_that_cannot_be_read_is_ignored(tmp_path: Path, caplog: Any) -> None:
    (tmp_path / "checkpoint").mkdir()

    for directory in (tmp_path, bytes(tmp_path), tf.constant(str(tmp_path))):
        assert tf.train.latest_checkpoint(directory) is None
    assert "checkpoint ignored" in caplog.text
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(), bytes(tmp_path), max_to_keep=1)
    assert [] == manager.checkpoints


def test_state_files_may_have_other_names(tmp_path: Path) -> None:
    path = checkpoint().write(tmp_path / "w")
    update_checkpoint_state(str(tmp_path), path, latest_filename="other")

    assert path == tf.train.latest_checkpoint(tmp_path, "other")
    assert [path] == list(
        tf.train.get_checkpoint_state(tmp_path, "other").all_model_checkpoint_paths
    )


def test_new_checkpoints_are_waited_for(tmp_path: Path) -> None:
    asked: list[int] = []
    made = checkpoint()

    def is_over() -> bool:
        asked.append(1)
        return len(asked) == 3

    assert [] == list(tf.train.checkpoints_iterator(tmp_path, timeout=0, timeout_fn=is_over))
    assert 3 == len(asked)
    made.save(tmp_path / "ck")
    found = []
    for path in tf.train.checkpoints_iterator(str(tmp_path), timeout=0):
        found.append(path)
        if len(found) < 3:
            made.save(tmp_path / "ck")
    assert [f"{tmp_path}/ck-{number}" for number in (1, 2, 3)] == found


@pytest.mark.parametrize("stated", ["{elsewhere}/ckpt-1", "../elsewhere/ckpt-1", "link/ckpt-1"])
def test_only_checkpoints_of_the_own_directory_are_deleted(
    tmp_path: Path, stated: str, caplog: Any
) -> None:
    folder, elsewhere = tmp_path / "own", tmp_path / "elsewhere"
    checkpoint().write(str(elsewhere / "ckpt-1"))
    folder.mkdir()
    (folder / "link").symlink_to(elsewhere)
    path = stated.format(elsewhere=elsewhere)
    lines = f'model_checkpoint_path: "{path}"\nall_model_checkpoint_paths: "{path}"\n'
    (folder / "checkpoint").write_text(lines)

    manager = tf.train.CheckpointManager(checkpoint(), folder, max_to_keep=1)
    assert os.path.join(folder, path) == manager.latest_checkpoint  # it may be read
    for _ in range(3):
        manager.save()

    assert ["ckpt-1"] == stems(elsewhere)
    assert ["ckpt-3", "link"] == stems(folder)
    assert "ckpt-1 lies elsewhere; it is not deleted" in caplog.text


def test_paths_begin_as_the_directory_was_given(tmp_path: Path) -> None:
    given = f"file://{tmp_path}/saved"
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(), given, 3)

    assert f"{given}/ckpt-1" == manager.save() == manager.latest_checkpoint
    assert (given, [f"{given}/ckpt-1"]) == (manager.directory, manager.checkpoints)
    assert f"{given}/ckpt-1" == manager.restore_or_initialize()
    assert (tmp_path / "saved" / "ckpt-1.index").exists()
