"""Training that saves itself when its machine is about to stop."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

from ..checkpoint.checkpoint import Checkpoint
from ..checkpoint.manager import CheckpointManager
from ..core.dtypes import int64
from ..eager.variable import Variable
from ..errors import FailedPreconditionError, InvalidArgumentError
from .workers.group import Group
from .workers.joining import group
from .workers.membership import membership

# What a process exits with that wants to be started again.
RESTART: Final = 42


class TerminationConfig:
    """How a `PreemptionCheckpointHandler` hears that the machine will stop, and what it does then.

    termination_watcher_fn: gives True when the machine is about to stop; without it, SIGTERM says
    so. exit_fn: called after saving; without it, the process exits with 42. grace_period: how many
    seconds training goes on before it is saved. save_fn: saves instead of the manager.

    >>> config = tf.distribute.experimental.TerminationConfig(grace_period=60)
    >>> config.termination_watcher_fn is None, config.grace_period
    (True, 60)
    """

    def __init__(
        self,
        termination_watcher_fn: Callable[[], bool] | None = None,
        exit_fn: Callable[[], Any] | None = None,
        grace_period: float | None = None,
        save_fn: Callable[..., Any] | None = None,
    ) -> None:
        self.termination_watcher_fn = termination_watcher_fn
        self.exit_fn = exit_fn
        self.grace_period = grace_period
        self.save_fn = save_fn


class PreemptionCheckpointHandler:
    """Runs steps of training, and saves a checkpoint when the machine is about to stop.

    When it is made it restores the newest checkpoint. After the signal one more step runs; the next
    call saves, exits, and does not run its step. The watcher is asked at every step. Of several
    processes all save after the same step, as soon as one of them heard: the first one where it is
    told, the others in a folder below, which they delete.

    cluster_resolver: says which processes there are. checkpoint_or_checkpoint_manager: a
    `tf.train.CheckpointManager`, or a `tf.train.Checkpoint` and `checkpoint_dir` beside.

    >>> step = tf.Variable(0)
    >>> handler = tf.distribute.experimental.PreemptionCheckpointHandler(
    ...     None, tf.train.Checkpoint(step=step), "preempted",
    ...     tf.distribute.experimental.TerminationConfig(lambda: True, exit_fn=lambda: None),
    ... )
    >>> [int(handler.run(lambda: step.assign_add(1))) for _ in range(2)]
    [1, 2]
    >>> int(tf.train.load_variable("preempted", "step/.ATTRIBUTES/VARIABLE_VALUE"))
    1

    Raises:
        InvalidArgumentError: a checkpoint without `checkpoint_dir`.
        FailedPreconditionError: there are several processes, and no strategy has joined them yet.
    """

    def __init__(
        self,
        cluster_resolver: Any,
        checkpoint_or_checkpoint_manager: Any,
        checkpoint_dir: Any = None,
        termination_config: TerminationConfig | None = None,
    ) -> None:
        self._group: Final = _group_of(cluster_resolver)
        self._config = termination_config or TerminationConfig()
        self._manager = _manager(checkpoint_or_checkpoint_manager, checkpoint_dir)
        self._runs = Variable(0, dtype=int64, trainable=False, name="checkpointed_runs")
        self._manager.checkpoint.checkpointed_runs = self._runs
        self._manager.restore_or_initialize()
        self._signalled = False
        self._heard: float | None = None  # when it was noticed that the machine will stop
        self._save_at: int | None = None
        self._finished = False
        if self._config.termination_watcher_fn is None:
            signal.signal(signal.SIGTERM, self._hear)

    def _hear(self, number: int, frame: Any) -> None:
        self._signalled = True

    @property
    def total_run_calls(self) -> Any:
        """int64[]: how many steps ended, those before restarts included."""
        return self._runs.numpy()

    def run(self, distributed_train_function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """What the function returns; or save and exit, if the machine is about to stop.

        Raises:
            SystemExit: it saved, and no `exit_fn` says what else to do.
            Exception: the function's own.
        """
        self._save_if_due()
        result = distributed_train_function(*args, **kwargs)
        self._runs.assign_add(1)
        return result

    def save_checkpoint_if_preempted(self, *args: Any, **kwargs: Any) -> None:
        """Save and exit, if the machine is about to stop: for loops that call their steps.

        The arguments are those of `CheckpointManager.save`, or of `save_fn`.

        Raises:
            SystemExit: it saved, and no `exit_fn` says what else to do.
        """
        self._save_if_due(*args, **kwargs)
        self._runs.assign_add(1)

    @contextmanager
    def watch_preemption_scope(self) -> Iterator[None]:
        """A `with` block around loops that call `run`. It has effects on TPUs alone."""
        yield

    def _save_if_due(self, *args: Any, **kwargs: Any) -> None:
        if self._finished:
            return
        done = int(self._runs.numpy())
        if self._save_at is None:
            if self._agree_on_time():
                self._save_at = done + 1
            return
        if done < self._save_at:
            return
        self._save(*args, **kwargs)
        (self._config.exit_fn or _restart)()
        self._finished = True

    def _listen(self) -> None:
        """Note when it is first heard that the machine is about to stop."""
        watcher = self._config.termination_watcher_fn
        if self._heard is None and (self._signalled if watcher is None else watcher()):
            self._heard = time.monotonic()

    @property
    def _is_time(self) -> bool:
        """Whether the machine is about to stop, and the time to go on is over."""
        if self._heard is None:
            return False
        return time.monotonic() - self._heard >= (self._config.grace_period or 0)

    def _agree_on_time(self) -> bool:
        """Whether it is for one of the processes, which all ask this at the same step."""
        self._listen()
        return self._is_time if self._group is None else self._group.count_of(self._is_time) > 0

    def _save(self, *args: Any, **kwargs: Any) -> None:
        here = self._group
        if here is None or here.rank == 0 or self._config.save_fn is not None:
            (self._config.save_fn or self._manager.save)(*args, **kwargs)
        else:  # what is read from all processes, all have to read
            folder = os.path.join(self._manager.directory, f"worker {here.rank}")
            CheckpointManager(self._manager.checkpoint, folder, 1).save(*args, **kwargs)
            shutil.rmtree(folder)
        if here is not None:
            here.barrier("saved")


class PreemptionWatcher:
    """Would hear from other processes that a machine stops. There is one process: nobody tells.

    >>> tf.distribute.experimental.PreemptionWatcher().preemption_message is None
    True
    """

    @property
    def preemption_message(self) -> str | None:
        """What was told: None."""
        return None

    def block_until_worker_exit(self) -> None:
        """Wait for other processes to end: there are none."""


def _group_of(resolver: Any) -> Group | None:
    """The processes that a resolver knows; None where this one is alone.

    Raises:
        FailedPreconditionError: they have not met yet.
    """
    if resolver is None or membership(resolver).size == 1:
        return None
    found = group()
    if found is None:
        raise FailedPreconditionError(
            "the processes of the cluster have not met: make a "
            "tf.distribute.MultiWorkerMirroredStrategy before the PreemptionCheckpointHandler"
        )
    return found


def _manager(given: Any, directory: Any) -> Any:
    if not isinstance(given, Checkpoint):
        return given
    if not directory:
        raise InvalidArgumentError(
            "a Checkpoint needs `checkpoint_dir`; or give a CheckpointManager instead"
        )
    return CheckpointManager(given, directory, max_to_keep=1)


def _restart() -> NoReturn:
    sys.exit(RESTART)
