"""Sessions that call hooks around each run, and end as threads or hooks ask for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, Self

from ...core.files.gfile import text
from ...core.process.logs import logger
from ...errors import AbortedError, OutOfRangeError, UnavailableError
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.proto.session_messages import RunMetadata, RunOptions
from ..queues.queue_runner import start_queue_runners
from ..training.coordinator import Coordinator
from ..training.hooks import Hooks, SessionRunArgs, SessionRunContext, SessionRunValues
from ..training.writing_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from .creators import ChiefSessionCreator, SessionCreator, WorkerSessionCreator
from .scaffold import Scaffold

UNSET: Final = object()
_LOST: Final = (AbortedError, UnavailableError)


class StepContext:
    """What a step of `run_step_fn` gets: the session, runs with hooks, and a way to stop."""

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self._session = session
        self._run = run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The session itself, whose runs no hook hears of."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """A run of the monitored session."""
        return self._run(*args, **kwargs)

    def request_stop(self) -> None:
        """End the step, and the training.

        Raises:
            StopIteration: always.
        """
        raise StopIteration("step_fn has requested the iterations to stop.")


class HookedSession:
    """What monitored sessions of both kinds are; `recovers`: a lost session is made again."""

    recovers = False
    StepContext = StepContext

    def __init__(
        self, session_creator: SessionCreator, hooks: Hooks | None, stop_grace_period_secs: float
    ) -> None:
        self._graph: Final = get_default_graph()
        self._was_finalized: Final = self._graph.finalized
        self._creator: Final = session_creator
        self._hooks: Final = list(hooks or ())
        self._grace: Final = stop_grace_period_secs
        for hook in self._hooks:
            hook.begin()
        self._session: Any = None
        self._begin()

    def _begin(self) -> None:
        """Make a session, and start the threads that fill its queues."""
        self._session = self._creator.create_session()
        self._coordinator = Coordinator(clean_stop_exception_types=[])
        self._stops = False
        start_queue_runners(self._session, self._coordinator)
        for hook in self._hooks:
            hook.after_create_session(self._session, self._coordinator)

    @property
    def graph(self) -> Any:
        """The graph that it runs, or None when it is closed."""
        return None if self._session is None else self._session.graph

    def _tf_sess(self) -> Any:
        return self._session

    def should_stop(self) -> bool:
        """Whether a hook or thread asked for the end, or it is closed.

        Raises:
            Exception: what a thread ended with.
        """
        if self._session is None:
            return True
        self._coordinator.raise_requested_exception()
        return self._stops or self._coordinator.should_stop()

    # ---- runs

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """The values of `fetches`, with hooks before and after.

        Raises:
            RuntimeError: it is closed or should have stopped, or two feed one tensor.
        """
        return self._again(lambda: self._run(fetches, feed_dict, options, run_metadata))

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """What a function of a StepContext returns; it may run the session several times.

        Raises:
            ValueError: the function takes something else.
            RuntimeError: it is closed or should have stopped.
        """
        names = tuple(inspect.signature(step_fn).parameters)
        is_bound = inspect.ismethod(step_fn)
        listed = ("self", *names) if is_bound else names
        if listed not in (("step_context",), ("self", "step_context")):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and "
                f"`step_context` arguments if it's an instance method. Got {names} instead."
            )
        return self._again(lambda: step_fn(StepContext(self._session, self._run)))

    def _again(self, act: Callable[[], Any]) -> Any:
        """Do something; with another session where this one is lost."""
        while True:
            self._require_open()
            try:
                return act()
            except _LOST as error:
                if not self.recovers:
                    raise
                logger.info("the session is lost, another one begins: %s", error)
                self._drop()
                self._begin()
            except Exception:
                self._coordinator.raise_requested_exception()  # that came first
                raise

    def _require_open(self) -> None:
        if self._session is None:
            raise RuntimeError("Session is already closed.")

    def _run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        if self._stops or self._coordinator.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._session)
        options = RunOptions() if options is None else options
        told = RunMetadata() if run_metadata is None else run_metadata
        fed, asked = dict(feed_dict or {}), list[Any]()
        for hook in self._hooks:
            wanted = hook.before_run(context) or SessionRunArgs(None)
            for key, value in (wanted.feed_dict or {}).items():
                if any(key is one for one in fed):
                    raise RuntimeError(f"{key} is fed by a hook, and somebody else")
                fed[key] = value
            if wanted.options is not None:
                options.MergeFrom(wanted.options)
            asked.append([] if wanted.fetches is None else wanted.fetches)
        results, found = self._session.run([fetches, asked], fed, options, told)
        for hook, fetch, values in zip(self._hooks, asked, found, strict=True):
            given = None if type(fetch) is list and not fetch else values
            hook.after_run(context, SessionRunValues(given, options, told))
        self._stops = self._stops or context.stop_requested
        return results

    # ---- the end

    def close(self) -> None:
        """End: hooks are told, threads stop, and the session closes.

        Raises:
            RuntimeError: it is closed.
        """
        self._close(tells=True)

    def _close(self, tells: bool) -> None:
        try:
            if tells and self._session is not None:
                for hook in self._hooks:
                    hook.end(self._session)
        finally:
            try:
                self._require_open()
                self._drop()
            finally:
                self._session = None
                if not self._was_finalized:
                    self._graph.reopen()

    def _drop(self) -> None:
        session, self._session = self._session, None
        self._coordinator.request_stop()
        try:
            self._coordinator.join(stop_grace_period_secs=self._grace, ignore_live_threads=True)
        finally:
            session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        ends = kind is None or issubclass(kind, (OutOfRangeError, StopIteration))
        self._close(tells=ends)
        return ends and kind is not None


class MonitoredSession(HookedSession):
    """A session that calls hooks around each run, and starts the threads that fill queues.

    session_creator: what makes it, a ChiefSessionCreator if it is not given; again where it is lost
    (AbortedError, UnavailableError). As a block it closes at its end, and OutOfRangeErrors end it.
    The graph takes nothing while it is open.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0)
    ...     with tf.compat.v1.train.MonitoredSession() as session:
    ...         print(session.run(v))
    2.0
    """

    recovers = True

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Hooks | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        creator = session_creator or ChiefSessionCreator()
        super().__init__(creator, hooks, stop_grace_period_secs)


class SingularMonitoredSession(HookedSession):
    """A MonitoredSession that raises where its session is lost; `raw_session` gives that.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0)
    ...     with tf.compat.v1.train.SingularMonitoredSession() as session:
    ...         print(session.raw_session().run(v))
    2.0
    """

    def __init__(
        self,
        hooks: Hooks | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: Any = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: Any = None,
    ) -> None:
        creator = ChiefSessionCreator(
            scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path
        )
        super().__init__(creator, hooks, stop_grace_period_secs)

    def raw_session(self) -> Any:
        """The session itself, whose runs no hook hears of."""
        return self._session


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: Any = None,
    scaffold: Scaffold | None = None,
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
) -> MonitoredSession:
    """A session for training, in the default graph: it restores the newest checkpoint of
    `checkpoint_dir`, or else initializes, and writes checkpoints and summaries there.

    scaffold: how it gets ready. hooks: what is called around each run. Checkpoints come every 600
    seconds and summaries every 100 steps unless it is said otherwise; None: not at all. How many
    steps a second takes is logged, and written, every `log_step_count_steps`.

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
        RuntimeError: hooks count steps, and the graph has no global step.
        ValueError: both seconds and steps are given.
    """
    if save_checkpoint_secs is UNSET and save_checkpoint_steps is UNSET:
        save_checkpoint_secs, save_checkpoint_steps = 600, None
    if save_summaries_steps is UNSET and save_summaries_secs is UNSET:
        save_summaries_steps, save_summaries_secs = 100, None
    every = [save_checkpoint_secs, save_checkpoint_steps, save_summaries_secs, save_summaries_steps]
    seconds, steps, summary_seconds, summary_steps = (
        None if one is UNSET else one for one in every
    )
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, list(hooks or ()), stop_grace_period_secs)
    folder = None if checkpoint_dir is None else text(checkpoint_dir)
    all_hooks: list[Any] = list(chief_only_hooks or ())
    log = summary_dir or folder
    if log and log_step_count_steps and log_step_count_steps > 0:
        all_hooks.append(StepCounterHook(log_step_count_steps, output_dir=log))
    if log and (summary_seconds or summary_steps):
        all_hooks.append(SummarySaverHook(summary_steps, summary_seconds, log, scaffold=scaffold))
    if folder and (seconds or steps):
        all_hooks.append(
            CheckpointSaverHook(
                folder, seconds, steps, scaffold=scaffold, save_graph_def=save_graph_def
            )
        )
    chief = ChiefSessionCreator(scaffold, master, config, folder)
    return MonitoredSession(chief, [*all_hooks, *(hooks or ())], stop_grace_period_secs)
