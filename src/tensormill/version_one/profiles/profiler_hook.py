"""A hook of monitored sessions that writes which operation ran when."""

from __future__ import annotations

import os
from typing import Any, Final

from ...core.files.gfile import GFile, text
from ...graph.proto.session_messages import RunOptions
from ..event_writer import FileWriterCache
from ..training.hooks import SecondOrStepTimer, SessionRunArgs, SessionRunHook, global_step_of_graph
from ..training.meta_graph import meta_graph_of
from .timelines import Timeline


class ProfilerHook(SessionRunHook):
    """Writes a timeline of one run every so many steps or seconds, but not of the first.

    output_dir: gets `timeline-STEP.json`, which chrome://tracing loads, and an event file with the
    same for TensorBoard. show_dataflow: whether timelines have arrows between operations.
    show_memory: accepted: there is nothing to tell of memory.

    >>> hook = tf.compat.v1.train.ProfilerHook(save_steps=100, output_dir="log")

    Raises:
        ValueError: it is not said when, or twice.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        output_dir: Any = "",
        show_dataflow: bool = True,
        show_memory: bool = False,
    ) -> None:
        self._folder: Final = text(output_dir)
        self._file_writer: Any = None
        self._shows_dataflow: Final = show_dataflow
        self._shows_memory: Final = show_memory
        self._timer: Final = SecondOrStepTimer(save_secs, save_steps)
        self._next: int | None = None
        self._asked = False

    def begin(self) -> None:
        """Find the global step and the event file."""
        self._step = global_step_of_graph("ProfilerHook")
        self._next = None
        self._file_writer = FileWriterCache.get(self._folder)

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Write the graph."""
        graph = session.graph
        self._file_writer.add_graph(graph)
        with graph.as_default():
            self._file_writer.add_meta_graph(meta_graph_of(graph))

    def before_run(self, run_context: Any) -> Any:
        """Ask for a trace, if it is time."""
        now = self._next
        self._asked = now is not None and self._timer.should_trigger_for_step(now)
        options = RunOptions(trace_level=RunOptions.FULL_TRACE) if self._asked else None
        return SessionRunArgs(getattr(self._step, "snapshot", self._step), options=options)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Write it."""
        before = int(run_values.results)
        if self._next is None:
            self._timer.update_last_triggered_step(before)
        step = before + 1
        if self._asked:
            step = int(run_context.session.run(self._step))
            self._timer.update_last_triggered_step(step)
            told = run_values.run_metadata
            self._write(step, told.step_stats)
            self._file_writer.add_run_metadata(told, f"step_{step}")
        self._next = step + 1

    def _write(self, step: int, stats: Any) -> None:
        with GFile(os.path.join(self._folder, f"timeline-{step}.json"), "w") as file:
            shown = Timeline(stats).generate_chrome_trace_format(
                self._shows_dataflow, self._shows_memory
            )
            file.write(shown)

    def end(self, session: Any) -> None:
        """Put what there is into the event file."""
        self._file_writer.flush()
