"""`tf.compat.v1.train.Supervisor`: a session with threads that write checkpoints and summaries."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from ...core import context
from ...core.files.gfile import text
from ...core.process.logs import logger
from ...errors import DeadlineExceededError
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.proto.messages import message
from ...graph.serialized.graph_files import write_graph
from ..event_writer import FileWriter
from ..initialization import global_variables_initializer, report_uninitialized_variables
from ..queues.queue_runner import QueueRunner
from ..summaries import merge_all
from ..training.coordinator import Coordinator, LooperThread
from ..training.global_step import get_global_step
from ..training.meta_graph import meta_graph_of
from ..training.saver import Saver
from .scaffold import Scaffold
from .session_manager import SessionManager


class Supervisor:
    """Makes a session ready, and lets threads write checkpoints and summaries while it trains.

    logdir: where checkpoints and summaries are, and the newest checkpoint is looked for. init_op,
    local_init_op, ready_op, ready_for_local_init_op, summary_op, saver, global_step: those of the
    graph, unless they are given; None for none. save_summaries_secs, save_model_secs: how often; 0
    for not at all. The graph takes nothing more.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0)
    ...     supervisor = tf.compat.v1.train.Supervisor(logdir="watched")
    ...     with supervisor.managed_session() as session:
    ...         print(session.run(v))
    2.0

    Raises:
        RuntimeError: operations run at once here.
    """

    USE_DEFAULT: Final = 0

    def __init__(
        self,
        graph: Any = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: Any = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Any], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        if not context.building_graph() and graph is None:
            raise RuntimeError("Supervisors are not compatible with eager execution.")
        self._graph: Final = get_default_graph() if graph is None else graph
        self._init_feed_dict: Final = init_feed_dict
        self._init_fn: Final = init_fn
        self._is_chief: Final = is_chief
        self._grace: Final = stop_grace_secs
        self._coord: Final = Coordinator()
        self._logdir: Final = None if logdir is None else text(logdir)
        self._save_summaries_secs: Final = save_summaries_secs if self._logdir else None
        self._save_model_secs: Final = save_model_secs if self._logdir else None
        self._save_path: Final = (
            os.path.join(self._logdir, checkpoint_basename) if self._logdir else None
        )
        with self._graph.as_default():
            self._ready_op = _chosen(ready_op, _kept_or(GraphKeys.READY_OP, _report))
            self._ready_for_local_init_op = _chosen(
                ready_for_local_init_op, _kept_or(GraphKeys.READY_FOR_LOCAL_INIT_OP, lambda: None)
            )
            self._init_op = _chosen(init_op, _kept_or(GraphKeys.INIT_OP, _initializer))
            self._local_init_op = _chosen(
                local_init_op, _kept_or(GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
            )
            self._saver = _chosen(saver, _kept_or(GraphKeys.SAVERS, _saver))
            self._summary_op = _chosen(summary_op, _kept_or(GraphKeys.SUMMARY_OP, merge_all))
            self._global_step = _chosen(global_step, get_global_step)
        self._summary_writer: Any = None
        if summary_writer != self.USE_DEFAULT:
            self._summary_writer = summary_writer
        elif self._logdir and is_chief:
            self._summary_writer = FileWriter(self._logdir)
        self._graph_was_written = False
        self._session_manager: Final = session_manager or SessionManager(
            local_init_op=self._local_init_op, ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op, graph=self._graph,
            recovery_wait_secs=recovery_wait_secs, local_init_run_options=local_init_run_options,
        )  # fmt: skip
        self._graph.finalize()

    # ---- its parts

    @property
    def is_chief(self) -> bool:
        """Whether it initializes and writes."""
        return self._is_chief

    @property
    def session_manager(self) -> Any:
        """What makes its sessions."""
        return self._session_manager

    @property
    def coord(self) -> Coordinator:
        """What stops its threads."""
        return self._coord

    @property
    def init_op(self) -> Any:
        """What gives variables their first values."""
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        """What is fed to it."""
        return self._init_feed_dict

    @property
    def ready_op(self) -> Any:
        """The names of what has no value."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        """The names of what has no value, and should before local variables get theirs."""
        return self._ready_for_local_init_op

    @property
    def summary_writer(self) -> Any:
        """What summaries are written by."""
        return self._summary_writer

    @property
    def summary_op(self) -> Any:
        """All summaries."""
        return self._summary_op

    @property
    def save_summaries_secs(self) -> float | None:
        """How often summaries are written."""
        return self._save_summaries_secs

    @property
    def global_step(self) -> Any:
        """The global step."""
        return self._global_step

    @property
    def saver(self) -> Any:
        """The saver."""
        return self._saver

    @property
    def save_model_secs(self) -> float | None:
        """How often checkpoints are written."""
        return self._save_model_secs

    @property
    def save_path(self) -> str | None:
        """What checkpoints are called, before the step."""
        return self._save_path

    # ---- sessions

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """A session that is ready: of the newest checkpoint, or with first values. The threads that
        fill queues have begun, and those that write if it is wanted.
        """
        self._coord.clear_stop()
        if self._summary_writer is not None:
            self._summary_writer.reopen()
        if not self._is_chief:
            session = self._session_manager.wait_for_session(
                master, config=config, max_wait_secs=max_wait_secs
            )
        else:
            session = self._session_manager.prepare_session(
                master, init_op=self._init_op, saver=self._saver, checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint, max_wait_secs=max_wait_secs,
                config=config, init_feed_dict=self._init_feed_dict, init_fn=self._init_fn,
            )  # fmt: skip
            self._write_graph()
            if start_standard_services:
                self.start_standard_services(session)
        self.start_queue_runners(session)
        return session

    @contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Generator[Any]:
        """A session that is ready, for a block; at its end all threads stop. Exceptions that ask to
        stop, as OutOfRangeErrors do, only end it.
        """
        try:
            with self.prepare_or_wait_for_session(
                master, config, start_standard_services=start_standard_services
            ) as session:
                try:
                    with self._coord.stop_on_exception():
                        yield session
                finally:
                    self.stop(close_summary_writer=close_summary_writer)
        except DeadlineExceededError:
            self.stop(close_summary_writer=close_summary_writer, ignore_live_threads=True)
            raise

    def start_queue_runners(
        self, sess: Any, queue_runners: Iterable[QueueRunner] | None = None
    ) -> list[Any]:
        """Start the threads that fill queues: of these runners, or of all that the graph keeps."""
        kept: Iterable[QueueRunner] = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return [
            thread
            for runner in (kept if queue_runners is None else queue_runners)
            for thread in runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
        ]

    def start_standard_services(self, sess: Any) -> list[LooperThread]:
        """Start the threads that write summaries, how fast training is, and checkpoints.

        Raises:
            RuntimeError: it is not the chief.
        """
        if not self._is_chief:
            raise RuntimeError("Only chief supervisor can start standard services.")
        if not self._logdir:
            logger.warning("Standard services need a 'logdir' passed to the SessionManager")
            return []
        if self._summary_writer is not None and self._global_step is not None:
            log = message("SessionLog")(status=1)
            self._summary_writer.add_session_log(log, int(sess.run(self._global_step)))
        loops: list[tuple[Any, Any]] = []
        if self._save_summaries_secs and self._summary_writer is not None:
            if self._summary_op is not None:
                loops.append((self._save_summaries_secs, self._write_summaries))
            if self._global_step is not None:
                loops.append((self._save_summaries_secs, _Speed(self).write))
        if self._save_model_secs and self._saver is not None:
            loops.append((self._save_model_secs, self._write_checkpoint))
        return [LooperThread.loop(self._coord, every, act, [sess]) for every, act in loops]

    def _write_summaries(self, session: Any) -> None:
        if self._global_step is None:
            found, step = session.run(self._summary_op), None
        else:
            found, step = session.run([self._summary_op, self._global_step])
        self._summary_writer.add_summary(found, step)

    def _write_checkpoint(self, session: Any) -> None:
        self._saver.save(session, self._save_path, global_step=self._global_step)

    def _write_graph(self) -> None:
        if self._logdir is None or self._graph_was_written:
            return
        write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._summary_writer is not None:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(meta_graph_of(self._graph))
        self._graph_was_written = True

    def summary_computed(self, sess: Any, summary: Any, global_step: Any = None) -> None:
        """Write a Summary.

        Raises:
            RuntimeError: it writes none.
        """
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = int(sess.run(self._global_step))
        self._summary_writer.add_summary(summary, global_step)

    # ---- the end

    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:  # fmt: skip
        """A thread that calls a function until all stops."""
        return LooperThread.loop(self._coord, timer_interval_secs, target, args, kwargs)

    def stop(
        self, threads: Any = None, close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:  # fmt: skip
        """Stop all threads, and wait for them.

        Raises:
            Exception: what one of them ended with.
        """
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._grace,
                ignore_live_threads=ignore_live_threads,
            )  # fmt: skip
        finally:
            if close_summary_writer and self._summary_writer is not None:
                self._summary_writer.add_session_log(message("SessionLog")(status=2))
                self._summary_writer.close()
                self._graph_was_written = False

    def request_stop(self, ex: Any = None) -> None:
        """Ask all threads to stop."""
        self._coord.request_stop(ex)

    def should_stop(self) -> bool:
        """Whether somebody has asked to stop."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> AbstractContextManager[None]:
        """Ask all threads to stop where the code within raises."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Wait until somebody asks to stop."""
        self._coord.wait_for_stop()

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed


class _Speed:
    """How many steps a second takes, as a summary."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor: Final = supervisor
        self._last: tuple[float, int] | None = None

    def write(self, session: Any) -> None:
        step, now = int(session.run(self._supervisor.global_step)), time.monotonic()
        if self._last is not None and now > self._last[0]:
            tag = f"{self._supervisor.global_step.op.name}/sec"
            rate = (step - self._last[1]) / (now - self._last[0])
            value = message("Summary").Value(tag=tag, simple_value=rate)
            summary = message("Summary")(value=[value])
            self._supervisor.summary_writer.add_summary(summary, step)
        self._last = now, step


def _chosen(given: Any, default: Callable[[], Any]) -> Any:
    return default() if type(given) is int and given == Supervisor.USE_DEFAULT else given


def _kept_or(key: str, default: Callable[[], Any]) -> Callable[[], Any]:
    """The first thing that the graph keeps there, or else a default that it keeps then."""

    def find() -> Any:
        graph = get_default_graph()
        kept = graph.get_collection(key)
        if kept:
            return kept[0]
        made = default()
        if made is not None:
            graph.add_to_collection(key, made)
        return made

    return find


def _initializer() -> Any:
    return global_variables_initializer()


def _report() -> Any:
    return report_uninitialized_variables()


def _saver() -> Any:
    graph = get_default_graph()
    return Saver() if graph.get_collection(GraphKeys.GLOBAL_VARIABLES) else None


def basic_train_loop(
    supervisor: Supervisor,
    train_step_fn: Callable[..., Any],
    args: Any = None,
    kwargs: Any = None,
    master: str = "",
) -> None:
    """Call a function with a supervisor's session until it should stop; then begin again where the
    session was lost.

    train_step_fn: a function of the session and `args`.

    >>> with tf.Graph().as_default():
    ...     step = tf.compat.v1.train.get_or_create_global_step()
    ...     train, supervisor = tf.compat.v1.assign_add(step, 1), tf.compat.v1.train.Supervisor()
    ...     def step_once(session):
    ...         if session.run(train) == 3:
    ...             supervisor.request_stop()
    ...     tf.compat.v1.train.basic_train_loop(supervisor, step_once)

    Raises:
        TypeError: the function cannot be called so. What it raises comes through.
    """
    listed = [] if args is None else list(args)
    with supervisor.managed_session(master) as session:
        while not supervisor.should_stop():
            train_step_fn(session, *listed, **(kwargs or {}))
