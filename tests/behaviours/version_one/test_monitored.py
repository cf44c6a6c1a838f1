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


@behaviour("I10")
def test_a_scaffold_says_how_a_session_gets_ready(tmp_path: Path):
    with tf.Graph().as_default() as graph:
        v = v1.get_variable("v", initializer=3.0, use_resource=True)
        start = v1.placeholder(tf.float32, [])
        scaffold = v1.train.Scaffold(
            init_op=v.assign(start).op, init_feed_dict={start: 5.0},
            init_fn=lambda given, session: seen.append((given is scaffold, float(session.run(v)))),
        )  # fmt: skip
        seen: list[Any] = []
        assert getattr(scaffold, "saver", 0) is None
        with v1.train.MonitoredSession(v1.train.ChiefSessionCreator(scaffold)) as session:
            assert graph.finalized
            assert 5.0 == session.run(v)
            scaffold.saver.save(session._tf_sess(), str(tmp_path / "model"))
        assert [(True, 5.0)] == seen
        assert not graph.finalized
        assert v1.train.Scaffold(copy_from_scaffold=scaffold).saver is scaffold.saver

        with v1.train.SingularMonitoredSession(checkpoint_dir=str(tmp_path)) as session:
            assert 5.0 == session.raw_session().run(v)
        creator = v1.train.ChiefSessionCreator(v1.train.Scaffold(ready_op=tf.constant(["v"])))
        with pytest.raises(RuntimeError, match="did not make model ready"):
            v1.train.MonitoredSession(creator)


@behaviour("I10")
def test_a_step_may_run_several_times_and_end_training():
    with tf.Graph().as_default():
        step = v1.train.get_or_create_global_step()
        raised = v1.assign_add(step, 1)

        def twice(step_context: Any) -> Any:
            step_context.session.run(raised)
            found = int(step_context.run_with_hooks(raised))
            if found == 4:
                step_context.request_stop()
            return found

        recorder, found = Recorder(step), []
        with v1.train.MonitoredSession(hooks=[recorder]) as session:
            while not session.should_stop():
                found.append(session.run_step_fn(twice))
        assert [2] == found
        assert ["begin", 0, ["loss"], ["loss"], 4] == recorder.seen
        with pytest.raises((RuntimeError, AttributeError)):
            session.run(raised)
        with v1.train.MonitoredSession() as session, pytest.raises(ValueError, match="step_fn"):
            session.run_step_fn(lambda a, b: None)


class Listener(v1.train.CheckpointSaverListener):
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def begin(self) -> None:
        self.seen.append("begin")

    def before_save(self, session: Any, global_step_value: Any) -> None:
        self.seen.append(-int(global_step_value))

    def after_save(self, session: Any, global_step_value: Any) -> Any:
        self.seen.append(int(global_step_value))
        return global_step_value >= 2

    def end(self, session: Any, global_step_value: Any) -> None:
        self.seen.append("end")


@behaviour("I10")
def test_a_listener_hears_of_checkpoints_and_may_end_training(tmp_path: Path):
    with tf.Graph().as_default():
        raised = v1.assign_add(v1.train.get_or_create_global_step(), 1)
        listener = Listener()
        hook = v1.train.CheckpointSaverHook(
            str(tmp_path), save_steps=1, saver=v1.train.Saver(), listeners=[listener]
        )
        config = v1.ConfigProto(allow_soft_placement=True)
        with v1.train.MonitoredTrainingSession(hooks=[hook], config=config) as session:
            while not session.should_stop():
                session.run(raised)
        assert ["begin", 0, 0, -1, 1, -2, 2, "end"] == listener.seen
        with pytest.raises(TypeError, match="config"):
            v1.train.MonitoredTrainingSession(config=3)


@behaviour("I10")
def test_a_supervisor_makes_sessions_and_writes(tmp_path: Path):
    def watched(last: int) -> int:
        found = 0
        with tf.Graph().as_default() as graph:
            raised = v1.assign_add(v1.train.get_or_create_global_step(), 1)
            v1.summary.scalar("constant", 1.0)
            supervisor = v1.train.Supervisor(
                logdir=str(tmp_path), save_summaries_secs=0, save_model_secs=0
            )
            assert graph.finalized
            with supervisor.managed_session() as session:
                while not supervisor.should_stop():
                    found = int(session.run(raised))
                    if found == last:
                        supervisor.request_stop()
                supervisor.summary_computed(session, session.run(supervisor.summary_op))
                supervisor.saver.save(session, supervisor.save_path, supervisor.global_step)
            return found

    assert 2 == watched(2)
    assert 3 == watched(3)
    assert v1.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model.ckpt-3")
    events = [e for f in tmp_path.glob("events*") for e in v1.train.summary_iterator(str(f))]
    assert "constant" in {value.tag for event in events for value in event.summary.value}


@behaviour("I10")
def test_the_steps_of_a_second_are_written(tmp_path: Path):
    with tf.Graph().as_default():
        raised = v1.assign_add(v1.train.get_or_create_global_step(), 1)
        hook = v1.train.StepCounterHook(2, output_dir=str(tmp_path))
        with v1.train.MonitoredSession(hooks=[hook]) as session:
            for _ in range(5):
                session.run(raised)
    v1.summary.FileWriterCache.clear()
    events = [e for f in tmp_path.glob("events*") for e in v1.train.summary_iterator(str(f))]
    assert [3, 5] == [event.step for event in events if event.summary.value]


@behaviour("I10")
def test_summaries_of_counters_without_handles_are_as_far_apart_as_is_said(tmp_path):
    v1.disable_resource_variables()
    try:
        with tf.Graph().as_default():
            step = v1.train.get_or_create_global_step()
            v1.summary.scalar("x", tf.constant(1.0))
            train = v1.assign_add(step, 1)
            with v1.train.MonitoredTrainingSession(
                checkpoint_dir=str(tmp_path), save_summaries_steps=3, save_checkpoint_steps=99,
                log_step_count_steps=None,
            ) as session:  # fmt: skip
                for _ in range(8):
                    session.run(train)
    finally:
        v1.enable_resource_variables()
    (events,) = tmp_path.glob("*tfevents*")
    written = [one.step for one in v1.train.summary_iterator(str(events)) if one.summary.value]

    assert [1, 4, 7] == written


@behaviour("I6")
def test_variables_stand_for_their_values_in_graphs_and_are_logged():
    told = list[Any]()
    with tf.Graph().as_default() as graph:
        steps = v1.train.get_or_create_global_step()
        assert graph.as_graph_element(steps) is graph.as_graph_element(steps, True, False)
        with pytest.raises(TypeError, match="into a Operation"):
            graph.as_graph_element(steps, allow_tensor=False)
        hook = v1.train.LoggingTensorHook({"at": steps}, every_n_iter=2, formatter=told.append)
        add = v1.assign_add(steps, 1)
        with v1.train.SingularMonitoredSession(hooks=[hook]) as session:
            for _ in range(4):
                session.run(add)
    assert [{"at": 0}, {"at": 2}] == told
