"""Sessions that initialize or restore themselves, call hooks and write checkpoints."""

from __future__ import annotations

import os
from typing import Any, Final, Self, final

from ...checkpoint.state_file import latest_checkpoint
from ...control.grouping import group
from ...core.files.gfile import text
from ...errors import OutOfRangeError
from ...function.session import Session
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.serialized.graph_files import write_graph
from ..event_writer import FileWriterCache
from ..initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
    tables_initializer,
)
from ..summaries import merge_all
from .coordinator import Coordinator
from .hooks import (
    Hooks,
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    global_step_of_graph,
)
from .saver import Saver

UNSET: Final = object()


class CheckpointSaverHook(SessionRunHook):
    """Writes a checkpoint at the beginning, every so many steps or seconds, and at the end.

    >>> hook = tf.compat.v1.train.CheckpointSaverHook("checkpoints", save_steps=100)

    Raises:
        ValueError: it is not said when, or twice.
        NotImplementedError: there are listeners.
    """

    def __init__(
        self,
        checkpoint_dir: Any,
        save_secs: float | None = None,
        save_steps: int | None = None,
        saver: Any = None,
        checkpoint_basename: str = "model.ckpt",
        scaffold: Any = None,
        listeners: Any = None,
        save_graph_def: bool = True,
    ) -> None:
        if listeners:
            raise NotImplementedError("write a SessionRunHook in the place of listeners")
        self._folder: Final = text(checkpoint_dir)
        self._saver = saver
        self._prefix: Final = os.path.join(self._folder, checkpoint_basename)
        self._timer: Final = SecondOrStepTimer(save_secs, save_steps)
        self._writes_graph: Final = save_graph_def

    def begin(self) -> None:
        """Find the global step and the saver."""
        self._step = global_step_of_graph("CheckpointSaverHook")
        self._saver = self._saver or Saver(allow_empty=True)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Write the graph, and the first checkpoint."""
        if self._writes_graph:
            write_graph(session.graph.as_graph_def(add_shapes=True), self._folder, "graph.pbtxt")
        self._save(session, int(session.run(self._step)))

    def before_run(self, run_context: Any) -> Any:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Write, if it is time."""
        if self._timer.should_trigger_for_step(int(run_values.results) + 1):
            step = int(run_context.session.run(self._step))
            if self._timer.should_trigger_for_step(step):
                self._save(run_context.session, step)

    def end(self, session: Any) -> None:
        """Write the last step."""
        step = int(session.run(self._step))
        if step != self._timer.last_triggered_step():
            self._save(session, step)

    def _save(self, session: Any, step: int) -> None:
        self._timer.update_last_triggered_step(step)
        self._saver.save(session, self._prefix, global_step=step)


class SummarySaverHook(SessionRunHook):
    """Writes summaries every so many steps or seconds.

    summary_op: what gives a Summary; all that the graph has, unless it is given.

    >>> hook = tf.compat.v1.train.SummarySaverHook(save_steps=10, output_dir="log")

    Raises:
        ValueError: it is not said when, or twice.
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
        self._timer: Final = SecondOrStepTimer(save_secs, save_steps)
        self._folder: Final = output_dir
        self._writer = summary_writer
        self._summary = summary_op

    def begin(self) -> None:
        """Find the global step and the summaries."""
        self._step = global_step_of_graph("SummarySaverHook")
        if self._summary is None:
            self._summary = merge_all()
        if self._writer is None and self._folder is not None:
            self._writer = FileWriterCache.get(self._folder)
        self._next: int | None = None

    def _is_time(self) -> bool:
        return self._next is None or self._timer.should_trigger_for_step(self._next)

    def before_run(self, run_context: Any) -> Any:
        """Ask for them, if it is time."""
        self._asked = self._summary is not None and self._is_time()
        wanted = {"step": self._step}
        return SessionRunArgs(wanted | {"summary": self._summary} if self._asked else wanted)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Write them."""
        step = int(run_values.results["step"]) + 1
        if self._next is None or self._asked:
            step = int(run_context.session.run(self._step))
        if self._asked:
            self._timer.update_last_triggered_step(step)
            if self._writer is not None:
                self._writer.add_summary(run_values.results["summary"], step)
        self._next = step + 1

    def end(self, session: Any) -> None:
        """Put them into the file."""
        if self._writer is not None:
            self._writer.flush()


@final
class MonitoredTrainer:
    """What `tf.compat.v1.train.MonitoredTrainingSession` gives.

    Its `run` calls hooks before and after; as a block it closes at its end, and OutOfRangeErrors
    end it. The graph takes nothing more.
    """

    def __init__(self, hooks: Hooks, checkpoint_dir: str | None) -> None:
        self._hooks: Final = list(hooks)
        for hook in self._hooks:
            hook.begin()
        graph = get_default_graph()
        saver = Saver(allow_empty=True)
        init = global_variables_initializer()
        local = group(local_variables_initializer(), tables_initializer())
        missing = report_uninitialized_variables(graph.get_collection(GraphKeys.GLOBAL_VARIABLES))
        graph.finalize()
        self._coordinator: Final = Coordinator()
        self._session: Any = Session(graph=graph)
        self._graph: Final = graph
        self._begin(saver, init, local, missing, checkpoint_dir)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coordinator)

    def _begin(
        self, saver: Saver, init: Any, local: Any, missing: Any, checkpoint_dir: str | None
    ) -> None:
        found = None if checkpoint_dir is None else latest_checkpoint(checkpoint_dir)
        if found is None:
            self._session.run(init)
        else:
            saver.restore(self._session, found)
        self._session.run(local)
        absent = self._session.run(missing).tolist()
        if absent:
            raise RuntimeError(f"variables have no values, not in the checkpoint either: {absent}")

    @property
    def graph(self) -> Any:
        """The graph that it runs."""
        return self._graph

    def should_stop(self) -> bool:
        """Whether a hook asked for the end, or the session is closed."""
        return self._session is None or self._coordinator.should_stop()

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """The values of `fetches`, with hooks before and after.

        Raises:
            RuntimeError: it should have stopped, or two of them feed one tensor.
        """
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._session)
        fed = dict(feed_dict or {})
        asked: list[Any] = []
        for hook in self._hooks:
            wanted = hook.before_run(context) or SessionRunArgs(None)
            for key, value in (wanted.feed_dict or {}).items():
                if any(key is one for one in fed):
                    raise RuntimeError(f"{key} is fed by a hook, and somebody else")
                fed[key] = value
            asked.append([] if wanted.fetches is None else wanted.fetches)
        results, found = self._session.run([fetches, asked], fed, options, run_metadata)
        for hook, fetch, values in zip(self._hooks, asked, found, strict=True):
            given = None if fetch == [] else values
            hook.after_run(context, SessionRunValues(given, options, run_metadata))
        if context.stop_requested:
            self._coordinator.request_stop()
        return results

    def close(self) -> None:
        """End: hooks are told, and the session closes."""
        if self._session is not None:
            for hook in self._hooks:
                hook.end(self._session)
            self._drop()

    def _drop(self) -> None:
        self._coordinator.request_stop()
        self._session.close()
        self._session = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        if kind is not None and not issubclass(kind, (OutOfRangeError, StopIteration)):
            if self._session is not None:
                self._drop()
            return False
        self.close()
        return kind is not None


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: Any = None,
    scaffold: Any = None,
    hooks: Any = None,
    chief_only_hooks: Any = None,
    save_checkpoint_secs: Any = UNSET,
    save_summaries_steps: Any = UNSET,
    save_summaries_secs: Any = UNSET,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: Any = UNSET,
    summary_dir: Any = None,
    save_graph_def: bool = True,
) -> MonitoredTrainer:
    """A session for training, in the default graph: it restores the newest checkpoint of
    `checkpoint_dir`, or else initializes, and writes checkpoints and summaries there.

    hooks: what is called around each run. Checkpoints come every 600 seconds and summaries every
    100 steps unless it is said otherwise; None: not at all. The rest is taken, and not needed.

    >>> with tf.Graph().as_default():
    ...     step = tf.compat.v1.train.get_or_create_global_step()
    ...     train = tf.compat.v1.assign_add(step, 1)
    ...     stop = tf.compat.v1.train.StopAtStepHook(last_step=3)
    ...     with tf.compat.v1.train.MonitoredTrainingSession(hooks=[stop]) as session:
    ...         while not session.should_stop():
    ...             last = session.run(train)
    >>> int(last)
    3

    Raises:
        NotImplementedError: a scaffold is given, or it is not the chief of several.
    """
    if scaffold is not None or not is_chief:
        raise NotImplementedError(
            "MonitoredTrainingSession: one process trains, and has no Scaffold; give initializers "
            "to the variables"
        )
    if save_checkpoint_secs is UNSET and save_checkpoint_steps is UNSET:
        save_checkpoint_secs, save_checkpoint_steps = 600, None
    if save_summaries_steps is UNSET and save_summaries_secs is UNSET:
        save_summaries_steps, save_summaries_secs = 100, None
    every = [save_checkpoint_secs, save_checkpoint_steps, save_summaries_secs, save_summaries_steps]
    seconds, steps, summary_seconds, summary_steps = (
        None if one is UNSET else one for one in every
    )
    folder = None if checkpoint_dir is None else text(checkpoint_dir)
    all_hooks: list[Any] = list(chief_only_hooks or ())
    log = summary_dir or folder
    if log and (summary_seconds or summary_steps):
        all_hooks.append(SummarySaverHook(summary_steps, summary_seconds, log))
    if folder and (seconds or steps):
        all_hooks.append(CheckpointSaverHook(folder, seconds, steps, save_graph_def=save_graph_def))
    return MonitoredTrainer([*all_hooks, *(hooks or ())], folder)
