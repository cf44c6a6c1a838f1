"""Hooks of monitored sessions that write: checkpoints, summaries, how fast training is."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, Final

from ...core.files.gfile import text
from ...core.process.logs import logger
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.proto.messages import message
from ...graph.serialized.graph_files import write_graph
from ..event_writer import FileWriterCache
from .hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunHook,
    global_step_of_graph,
)
from .meta_graph import meta_graph_of

_POLL: Final = 0.5


class CheckpointSaverListener:
    """What a CheckpointSaverHook calls before and after it writes a checkpoint, and at its ends.

    `after_save` may return True: training ends then.

    >>> class Counter(tf.compat.v1.train.CheckpointSaverListener):
    ...     count = 0
    ...     def after_save(self, session, global_step_value):
    ...         self.count += 1
    >>> Counter().count
    0
    """

    def begin(self) -> None:
        """Before the session is there: the graph may still be added to."""

    def before_save(self, session: Any, global_step_value: int) -> None:
        """Before a checkpoint is written."""

    def after_save(self, session: Any, global_step_value: int) -> Any:
        """After it is written; True lets training end."""

    def end(self, session: Any, global_step_value: int) -> None:
        """When the session ends."""


class CheckpointSaverHook(SessionRunHook):
    """Writes a checkpoint at the beginning, every so many steps or seconds, and at the end.

    saver, or scaffold: what has one; the one that the graph keeps if neither is given. listeners:
    are called before and after each.

    >>> hook = tf.compat.v1.train.CheckpointSaverHook("checkpoints", save_steps=100)

    Raises:
        ValueError: it is not said when, or twice; or both a saver and a scaffold are given.
    """

    def __init__(
        self,
        checkpoint_dir: Any,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Sequence[CheckpointSaverListener] | None = None,
        save_graph_def: bool = True,
    ) -> None:
        if saver is not None and scaffold is not None:
            raise ValueError("You cannot provide both saver and scaffold.")
        self._folder: Final = text(checkpoint_dir)
        self._given: Final = saver
        self._scaffold: Final = scaffold
        self._prefix: Final = os.path.join(self._folder, checkpoint_basename)
        self._timer: Final = SecondOrStepTimer(save_secs, save_steps)
        self._writes_graph: Final = save_graph_def
        self._listeners: Final = list(listeners or ())

    def begin(self) -> None:
        """Find the global step."""
        self._step = global_step_of_graph("CheckpointSaverHook")
        self._writer = FileWriterCache.get(self._folder)
        for one in self._listeners:
            one.begin()

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Write the graph, and the first checkpoint."""
        if self._writes_graph:
            write_graph(session.graph.as_graph_def(add_shapes=True), self._folder, "graph.pbtxt")
        self._writer.add_graph(session.graph)
        self._writer.add_meta_graph(meta_graph_of(session.graph))
        self._save(session, int(session.run(self._step)))

    def before_run(self, run_context: Any) -> Any:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Write, if it is time."""
        if self._timer.should_trigger_for_step(int(run_values.results) + 1):
            step = int(run_context.session.run(self._step))
            is_time = self._timer.should_trigger_for_step(step)
            if is_time and self._save(run_context.session, step):
                run_context.request_stop()

    def end(self, session: Any) -> None:
        """Write the last step."""
        step = int(session.run(self._step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)
        for one in self._listeners:
            one.end(session, step)

    def _save(self, session: Any, step: int) -> bool:
        """Write; whether a listener wants the end."""
        self._timer.update_last_triggered_step(step)
        for one in self._listeners:
            one.before_save(session, step)
        self._saver().save(
            session, self._prefix, global_step=step, write_meta_graph=self._writes_graph
        )
        log = message("SessionLog")(status=3, checkpoint_path=self._prefix)
        self._writer.add_session_log(log, step)
        return any([one.after_save(session, step) for one in self._listeners])

    def _saver(self) -> Any:
        if self._given is not None:
            return self._given
        if self._scaffold is not None:
            return self._scaffold.saver
        kept = get_default_graph().get_collection(GraphKeys.SAVERS)
        if len(kept) != 1:
            raise RuntimeError(
                f"the collection SAVERS has {len(kept)} savers, one is needed: provide a saver or "
                "a scaffold"
            )
        return kept[0]


class SummarySaverHook(SessionRunHook):
    """Writes summaries every so many steps or seconds.

    summary_op: what gives a Summary, or a list of such; or scaffold: what has one.

    >>> with tf.Graph().as_default():
    ...     summary = tf.compat.v1.summary.scalar("loss", tf.constant(1.0))
    ...     hook = tf.compat.v1.train.SummarySaverHook(10, output_dir="log", summary_op=summary)

    Raises:
        ValueError: it is not said when, or twice; or not exactly one of `scaffold` and `summary_op`
            is given.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: Any = None,
        summary_writer: Any = None,
        scaffold: Any = None,
        summary_op: Any = None,
    ) -> None:
        if (scaffold is None) == (summary_op is None):
            raise ValueError("Exactly one of scaffold or summary_op must be provided.")
        self._timer: Final = SecondOrStepTimer(save_secs, save_steps)
        self._folder: Final = output_dir
        self._writer = summary_writer
        self._given: Final = summary_op
        self._scaffold: Final = scaffold

    def begin(self) -> None:
        """Find the global step and the file."""
        self._step = global_step_of_graph("SummarySaverHook")
        self._timer.reset()
        if self._writer is None and self._folder is not None:
            self._writer = FileWriterCache.get(self._folder)
        self._next: int | None = None

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Find the summaries."""
        of_scaffold = None if self._scaffold is None else self._scaffold.summary_op
        self._summary = of_scaffold if self._given is None else self._given

    def _is_time(self) -> bool:
        return self._next is None or self._timer.should_trigger_for_step(self._next)

    def before_run(self, run_context: Any) -> Any:
        """Ask for them, if it is time."""
        self._asked = self._summary is not None and self._is_time()
        wanted = {"step": getattr(self._step, "snapshot", self._step)}  # before the step
        return SessionRunArgs(wanted | {"summary": self._summary} if self._asked else wanted)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Write them."""
        step = int(run_values.results["step"]) + 1
        if self._next is None or self._asked:
            step = int(run_context.session.run(self._step))
        if self._asked:
            self._timer.update_last_triggered_step(step)
            found = run_values.results["summary"]
            for one in found if isinstance(found, (list, tuple)) else [found]:
                if self._writer is not None:
                    self._writer.add_summary(one, step)
        self._next = step + 1

    def end(self, session: Any) -> None:
        """Put them into the file."""
        if self._writer is not None:
            self._writer.flush()


class StepCounterHook(SessionRunHook):
    """Logs how many steps a second takes, and writes it as a summary.

    >>> hook = tf.compat.v1.train.StepCounterHook(every_n_steps=10)

    Raises:
        ValueError: it is said twice when, or not at all.
    """

    def __init__(
        self,
        every_n_steps: int | None = 100,
        every_n_secs: float | None = None,
        output_dir: Any = None,
        summary_writer: Any = None,
    ) -> None:
        self._timer: Final = SecondOrStepTimer(every_n_secs, every_n_steps)
        self._folder: Final = output_dir
        self._writer = summary_writer

    def begin(self) -> None:
        """Find the global step and the file."""
        self._step = global_step_of_graph("StepCounterHook")
        if self._writer is None and self._folder is not None:
            self._writer = FileWriterCache.get(self._folder)
        self._tag = f"{self._step.op.name}/sec"

    def before_run(self, run_context: Any) -> Any:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Say it, if it is time."""
        if not self._timer.should_trigger_for_step(int(run_values.results) + 1):
            return
        step = int(run_context.session.run(self._step))
        if self._timer.should_trigger_for_step(step):
            seconds, steps = self._timer.update_last_triggered_step(step)
            if seconds is not None and steps is not None:
                self._log_and_record(steps, seconds, step)

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        rate = elapsed_steps / elapsed_time if elapsed_time else float("inf")
        if self._writer is not None:
            value = message("Summary").Value(tag=self._tag, simple_value=rate)
            self._writer.add_summary(message("Summary")(value=[value]), global_step)
        logger.info("%s: %g", self._tag, rate)


class GlobalStepWaiterHook(SessionRunHook):
    """Lets each run wait until somebody else has brought the global step to a number.

    >>> hook = tf.compat.v1.train.GlobalStepWaiterHook(wait_until_step=0)
    """

    def __init__(self, wait_until_step: int) -> None:
        self._wanted: Final = wait_until_step
        self._is_there = False

    def begin(self) -> None:
        """Find the global step."""
        self._step = global_step_of_graph("_GlobalStepWaiterHook")

    def before_run(self, run_context: Any) -> Any:
        """Wait."""
        if self._is_there or self._wanted <= 0:
            self._is_there = True
            return
        logger.info("Waiting for global step %d before starting training.", self._wanted)
        while int(run_context.session.run(self._step)) < self._wanted:
            time.sleep(_POLL)
        self._is_there = True
