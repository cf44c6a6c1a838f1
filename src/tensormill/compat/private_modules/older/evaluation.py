"""Checkpoints of graphs, tried: `tensorflow.python.training.evaluation`, which tf_slim wants."""

from __future__ import annotations

import time
from typing import Any

from ....core import dtypes
from ....core.process.logs import logger
from ....graph.by_hand.collections import GraphKeys
from ....graph.by_hand.default_graph import get_default_graph
from ....version_one.initializers import ZerosV1
from ....version_one.sessions.creators import ChiefSessionCreator
from ....version_one.sessions.monitored import MonitoredSession
from ....version_one.training.hooks import FinalOpsHook, SessionRunArgs, SessionRunHook
from ....version_one.variable_scopes import get_variable


def get_or_create_eval_step() -> Any:
    """The variable that counts a graph's evaluations, made where there is none.

    Raises:
        ValueError: there are several.
    """
    found = get_default_graph().get_collection(GraphKeys.EVAL_STEP)
    if len(found) > 1:
        raise ValueError(f"one tensor counts evaluations; the collection has {found}")
    if found:
        return found[0]
    return get_variable(
        "eval_step", [], dtypes.int64, ZerosV1(), trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.EVAL_STEP],
    )  # fmt: skip


class StopAfterEvaluations(SessionRunHook):
    """Ends a session when so many evaluations are done; None is never."""

    def __init__(self, num_evals: int | None, log_progress: bool = True) -> None:
        self._num_evals = num_evals
        self._log_progress = log_progress
        self._evals_completed_tensor: Any = None

    def _set_evals_completed_tensor(self, updated_eval_step: Any) -> None:
        self._evals_completed_tensor = updated_eval_step

    def before_run(self, run_context: Any) -> SessionRunArgs:
        """Ask for the count."""
        return SessionRunArgs({"evals_completed": self._evals_completed_tensor})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Look whether it was the last one."""
        done = run_values.results["evals_completed"]
        if self._log_progress:
            whole = "" if self._num_evals is None else f"/{self._num_evals:d}"
            logger.info(f"Evaluation [{done:d}{whole}]")
        if self._num_evals is not None and done >= self._num_evals:
            run_context.request_stop()


def evaluate_once(
    checkpoint_path: str,
    master: str = "",
    scaffold: Any = None,
    eval_ops: Any = None,
    feed_dict: Any = None,
    final_ops: Any = None,
    final_ops_feed_dict: Any = None,
    hooks: Any = None,
    config: Any = None,
) -> Any:
    """Run what evaluates on the values of a checkpoint until a hook ends it.

    Returns:
        The values that `final_ops` have then, or None.
    """
    hooks = list(hooks or [])
    if eval_ops is not None:
        step = get_or_create_eval_step()
        counted = step.assign_add(1, use_locking=True, read_value=True)
        eval_ops = _together(eval_ops, counted)
        for hook in hooks:
            if isinstance(hook, StopAfterEvaluations):
                hook._set_evals_completed_tensor(counted)
    logger.info(f"Starting evaluation at {time.strftime('%Y-%m-%dT%H:%M:%S')}")
    last = FinalOpsHook(final_ops, final_ops_feed_dict)
    made = ChiefSessionCreator(
        scaffold, master, config, checkpoint_filename_with_path=checkpoint_path
    )
    with MonitoredSession(made, [*hooks, last]) as session:
        while eval_ops is not None and not session.should_stop():
            session.run(eval_ops, feed_dict)
    logger.info(f"Finished evaluation at {time.strftime('%Y-%m-%dT%H:%M:%S')}")
    return last.final_ops_values


def _together(operations: Any, counted: Any) -> Any:
    """What evaluates, and what counts that."""
    if isinstance(operations, dict):
        return {**operations, "update_eval_step": counted}
    several = operations if isinstance(operations, (list, tuple)) else [operations]
    return [*several, counted]
