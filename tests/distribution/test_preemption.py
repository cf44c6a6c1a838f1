"""Training that saves itself before its machine stops, as TensorFlow 2.21 does (run beside)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf

X: Any = tf.distribute.experimental


class Training:
    """Steps that count, and the handler that runs them."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.stops = False
        self.steps = tf.Variable(0)
        self.exits = 0
        told = {"termination_watcher_fn": lambda: self.stops, "exit_fn": self.leave} | options
        self.handler = X.PreemptionCheckpointHandler(
            None, tf.train.Checkpoint(steps=self.steps), folder, X.TerminationConfig(**told)
        )

    def leave(self) -> None:
        self.exits += 1

    def step(self) -> int:
        return int(self.handler.run(lambda: self.steps.assign_add(1)))


@pytest.fixture
def untouched() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def saved(folder: Path) -> int:
    return tf.train.load_variable(str(folder), "steps/.ATTRIBUTES/VARIABLE_VALUE")


def test_one_more_step_runs_and_the_next_call_saves_first(tmp_path: Path) -> None:
    training = Training(tmp_path)
    assert [1, 2] == [training.step(), training.step()]

    training.stops = True

    assert (3, 0, []) == (training.step(), training.exits, os.listdir(tmp_path))
    assert (4, 1, 3) == (training.step(), training.exits, saved(tmp_path))
    assert (5, 1, 3) == (training.step(), training.exits, saved(tmp_path))


def test_a_new_handler_goes_on_where_the_last_one_saved(tmp_path: Path) -> None:
    training = Training(tmp_path, exit_fn=None)
    training.stops = True
    training.step()
    with pytest.raises(SystemExit, match="42"):
        training.step()

    again = Training(tmp_path)

    assert (1, 1, 2) == (again.steps.numpy(), again.handler.total_run_calls, again.step())


def test_a_signal_says_that_the_machine_stops(tmp_path: Path, untouched: None) -> None:
    training = Training(tmp_path, termination_watcher_fn=None)

    os.kill(os.getpid(), signal.SIGTERM)

    assert ([1, 2], 1, 1) == ([training.step(), training.step()], training.exits, saved(tmp_path))


def test_a_grace_period_is_trained_through(tmp_path: Path) -> None:
    training = Training(tmp_path, grace_period=3600)
    training.stops = True

    assert ([1, 2, 3], 0) == ([training.step() for _ in range(3)], training.exits)


def test_loops_that_call_their_steps_ask_whether_to_save(tmp_path: Path) -> None:
    calls: list[Any] = []
    training = Training(tmp_path, save_fn=lambda *args, **kwargs: calls.append((args, kwargs)))
    training.stops = True

    with training.handler.watch_preemption_scope():
        training.handler.save_checkpoint_if_preempted()
        training.handler.save_checkpoint_if_preempted("a", b=1)

    assert ([(("a",), {"b": 1})], 1, 2) == (
        calls, training.exits, training.handler.total_run_calls
    )  # fmt: skip


def test_errors_of_steps_are_raised_and_do_not_count(tmp_path: Path) -> None:
    training = Training(tmp_path)

    with pytest.raises(ZeroDivisionError):
        training.handler.run(lambda: 1 / 0)
    assert 0 == training.handler.total_run_calls


def test_a_directory_is_needed_and_several_processes_meet_before(tmp_path: Path) -> None:
    cluster = tf.train.ClusterSpec({"worker": ["a:1", "b:1"]})
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, "", "worker", 0)

    with pytest.raises(tf.errors.InvalidArgumentError, match="needs `checkpoint_dir`"):
        X.PreemptionCheckpointHandler(None, tf.train.Checkpoint())
    with pytest.raises(tf.errors.FailedPreconditionError, match="have not met"):
        X.PreemptionCheckpointHandler(resolver, tf.train.Checkpoint(), tmp_path)


def test_nobody_tells_a_watcher() -> None:
    watcher = X.PreemptionWatcher()
    watcher.block_until_worker_exit()

    assert watcher.preemption_message is None
