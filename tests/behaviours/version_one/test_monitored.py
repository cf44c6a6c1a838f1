"""Sessions with hooks, checkpoints and summaries, on TensorFlow and on ours: statement I10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


class Recorder(v1.train.SessionRunHook):
    """Writes down what happens."""

    def __init__(self, fetch: Any) -> None:
        self.fetch, self.seen = fetch, []

    def begin(self) -> None:
        self.seen.append("begin")

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.seen.append(int(session.run(self.fetch)))

    def before_run(self, run_context: Any) -> Any:
        return v1.train.SessionRunArgs({"loss": self.fetch})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.seen.append(sorted(run_values.results))

    def end(self, session: Any) -> None:
        self.seen.append(int(session.run(self.fetch)))


def trained(folder: Path, last: int) -> list[Any]:
    """What a hook saw of training up to a step."""
    with tf.Graph().as_default():
        step = v1.train.get_or_create_global_step()
        v1.summary.scalar("twice", step * 2)
        train = v1.assign_add(step, 1)
        recorder = Recorder(step)
        hooks = [v1.train.StopAtStepHook(last_step=last), recorder]
        with v1.train.MonitoredTrainingSession(
            checkpoint_dir=str(folder), hooks=hooks, save_checkpoint_steps=2,
            save_summaries_steps=2, log_step_count_steps=None,
        ) as session:  # fmt: skip
            while not session.should_stop():
                session.run(train)
            with pytest.raises(RuntimeError, match="should_stop"):
                session.run(train)
    return recorder.seen


@behaviour("I10")
def test_training_goes_on_from_its_checkpoint(tmp_path: Path):
    assert trained(tmp_path, 3) == ["begin", 0, ["loss"], ["loss"], ["loss"], 3]
    assert v1.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-3")
    assert trained(tmp_path, 4) == ["begin", 3, ["loss"], 4]

    kept = {path.name for path in tmp_path.glob("*.index")}
    assert {"model.ckpt-0.index", "model.ckpt-3.index", "model.ckpt-4.index"} <= kept
    assert (tmp_path / "graph.pbtxt").exists()
    events = [e for f in tmp_path.glob("events*") for e in v1.train.summary_iterator(str(f))]
    assert "twice" in {value.tag for event in events for value in event.summary.value}


@behaviour("I10")
def test_a_loss_that_is_no_number_ends_training():
    with tf.Graph().as_default():
        v1.train.get_or_create_global_step()
        loss = tf.constant(float("nan"))
        with pytest.raises(v1.train.NanLossDuringTrainingError), v1.train.MonitoredTrainingSession(
            hooks=[v1.train.NanTensorHook(loss)]
        ) as session:  # fmt: skip
            session.run(loss)


@behaviour("I10")
def test_the_end_of_the_data_ends_the_block():
    with tf.Graph().as_default():
        x = v1.placeholder(tf.float32, [])
        element = v1.data.make_one_shot_iterator(tf.data.Dataset.range(2)).get_next()
        final = v1.train.FinalOpsHook(tf.constant(7))
        hooks = [v1.train.FeedFnHook(lambda: {x: 2.0}), final]
        found = []
        with v1.train.MonitoredTrainingSession(hooks=hooks) as session:
            while True:
                found.append(session.run([element, x]))

    assert (found, final.final_ops_values) == ([[0, 2.0], [1, 2.0]], 7)
