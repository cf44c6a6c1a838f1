"""What happens around each run of a monitored session: hooks, and those that training needs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...core.process.logs import logger
from ...core.process.named_tuples import NamedTuple
from ...graph.by_hand.default_graph import get_default_graph
from .global_step import get_global_step


class SessionRunArgs(NamedTuple):
    """What a hook wants of a run: fetches, values that are fed, options.

    >>> tf.compat.v1.train.SessionRunArgs("loss:0").fetches
    'loss:0'
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """What a run gave a hook: the values of its fetches.

    >>> tf.compat.v1.train.SessionRunValues(1.5, None, None).results
    1.5
    """

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """What hooks know of a run, and by what they ask that it be the last one.

    >>> run = tf.compat.v1.train.SessionRunContext(tf.compat.v1.train.SessionRunArgs("x"), None)
    >>> run.request_stop()
    >>> run.stop_requested
    True
    """

    def __init__(self, original_args: Any, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> Any:
        """The SessionRunArgs of whoever called `run`."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session that runs."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether somebody asked for the end."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Let this run be the last one."""
        self._stop_requested = True


class SessionRunHook:
    """What a monitored session calls: at its beginning and end, and around each run.

    >>> class Counter(tf.compat.v1.train.SessionRunHook):
    ...     count = 0
    ...     def after_run(self, run_context, run_values):
    ...         self.count += 1
    >>> Counter().count
    0
    """

    def begin(self) -> None:
        """Before the session is there: the graph may still be added to."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Once the session is there, and its variables have values."""

    def before_run(self, run_context: Any) -> Any:
        """Before a run: a SessionRunArgs with what is wanted of it, or None."""

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """After a run, with the values of what was wanted."""

    def end(self, session: Any) -> None:
        """When the session ends without an error."""


class SecondOrStepTimer:
    """Says when it is time again: after so many seconds, or steps.

    >>> timer = tf.compat.v1.train.SecondOrStepTimer(every_steps=2)
    >>> timer.should_trigger_for_step(0), timer.update_last_triggered_step(0)
    (True, (None, None))
    >>> timer.should_trigger_for_step(1), timer.should_trigger_for_step(2)
    (False, True)

    Raises:
        ValueError: neither is given, or both are.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if (every_secs is None) == (every_steps is None):
            raise ValueError("exactly one of every_secs and every_steps has to be given")
        self._every_secs = every_secs
        self._every_steps = every_steps
        self.reset()

    def reset(self) -> None:
        """Forget when it was time last."""
        self._last_step: int | None = None
        self._last_time: float | None = None

    def last_triggered_step(self) -> int | None:
        """The step at which it was time last."""
        return self._last_step

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is time at this step."""
        if self._last_step is None or self._last_time is None:
            return True
        if self._last_step == step:
            return False
        if self._every_secs is not None:
            return time.time() >= self._last_time + self._every_secs
        assert self._every_steps is not None
        return step >= self._last_step + self._every_steps

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Note that it was time; the seconds and steps since the time before."""
        now = time.time()
        passed: tuple[float | None, int | None] = (None, None)
        if self._last_step is not None and self._last_time is not None:
            passed = now - self._last_time, step - self._last_step
        self._last_time, self._last_step = now, step
        return passed


def global_step_of_graph(hook: str) -> Any:
    """The global step.

    Raises:
        RuntimeError: the graph has none.
    """
    found = get_global_step()
    if found is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return found


class StopAtStepHook(SessionRunHook):
    """Ends training after `num_steps` more steps, or at the step `last_step`.

    >>> hook = tf.compat.v1.train.StopAtStepHook(last_step=100)

    Raises:
        ValueError: neither is given, or both are.
    """

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if (num_steps is None) == (last_step is None):
            raise ValueError("exactly one of num_steps and last_step has to be given")
        self._num_steps = num_steps
        self._last_step = last_step

    def begin(self) -> None:
        """Find the global step."""
        self._step = global_step_of_graph("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Find the last step."""
        if self._last_step is None:
            assert self._num_steps is not None
            self._last_step = int(session.run(self._step)) + self._num_steps

    def before_run(self, run_context: Any) -> Any:
        """Ask for the step."""
        return SessionRunArgs(self._step)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Stop if it was the last one."""
        assert self._last_step is not None
        if run_values.results + 1 < self._last_step:
            return
        # The run may have read the step before it was raised.
        if run_context.session.run(self._step) >= self._last_step:
            run_context.request_stop()


class NanLossDuringTrainingError(RuntimeError):
    """The loss is no number any more."""

    def __str__(self) -> str:
        return "NaN loss during training."


class NanTensorHook(SessionRunHook):
    """Ends training when the loss is no number: by an error, or else by asking for the end.

    >>> with tf.Graph().as_default():
    ...     hook = tf.compat.v1.train.NanTensorHook(tf.constant(1.0))
    """

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss = loss_tensor
        self._fails = fail_on_nan_loss

    def before_run(self, run_context: Any) -> Any:
        """Ask for the loss."""
        return SessionRunArgs(self._loss)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Look at it.

        Raises:
            NanLossDuringTrainingError: it is no number, and that is an error.
        """
        if not np.isnan(run_values.results):
            return
        logger.error("Model diverged with loss = NaN.")
        if self._fails:
            raise NanLossDuringTrainingError
        run_context.request_stop()


class LoggingTensorHook(SessionRunHook):
    """Logs tensors every so many runs or seconds, and at the end if that is wanted.

    tensors: a list of tensors, or of their names, or a dict of them; formatter: makes the text of a
    dict of values.

    >>> with tf.Graph().as_default():
    ...     hook = tf.compat.v1.train.LoggingTensorHook([tf.constant(1.0)], every_n_iter=10)

    Raises:
        ValueError: it is not said when, or twice.
    """

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("give at_end, exactly one of every_n_iter and every_n_secs, or both")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        self._given = tensors if isinstance(tensors, dict) else {
            (one if isinstance(one, str) else one.name): one for one in tensors
        }  # fmt: skip
        self._timer = None if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)
        self._at_end = at_end
        self._formatter = formatter

    def begin(self) -> None:
        """Find the tensors."""
        graph = get_default_graph()
        self._runs = 0
        self._tensors = {key: graph.as_graph_element(one) for key, one in self._given.items()}

    def _is_time(self) -> bool:
        return self._timer is not None and self._timer.should_trigger_for_step(self._runs)

    def before_run(self, run_context: Any) -> Any:
        """Ask for the tensors, if it is time."""
        return SessionRunArgs(self._tensors) if self._is_time() else None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Log them."""
        if self._is_time():
            self._log(run_values.results)
        self._runs += 1

    def end(self, session: Any) -> None:
        """Log them once more."""
        if self._at_end:
            self._log(session.run(self._tensors))

    def _log(self, values: dict[str, Any]) -> None:
        seconds = None
        if self._timer is not None:
            seconds, _ = self._timer.update_last_triggered_step(self._runs)
        if self._formatter is not None:
            logger.info(self._formatter(values))
            return
        text = ", ".join(f"{key} = {value}" for key, value in values.items())
        logger.info(text if seconds is None else f"{text} ({seconds:.3f} sec)")


class FeedFnHook(SessionRunHook):
    """Feeds each run what a function returns.

    >>> hook = tf.compat.v1.train.FeedFnHook(lambda: {"x:0": 1.0})
    """

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: Any) -> Any:
        """Feed."""
        return SessionRunArgs(None, self.feed_fn())


class FinalOpsHook(SessionRunHook):
    """Runs something at the end, and keeps its values.

    >>> with tf.Graph().as_default():
    ...     hook = tf.compat.v1.train.FinalOpsHook(tf.constant(1.0))
    """

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._ops = final_ops
        self._feed = final_ops_feed_dict
        self._values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values, once the session has ended."""
        return self._values

    def end(self, session: Any) -> None:
        """Run it."""
        if self._ops is not None:
            self._values = session.run(self._ops, feed_dict=self._feed)


Hooks = Sequence[SessionRunHook]
