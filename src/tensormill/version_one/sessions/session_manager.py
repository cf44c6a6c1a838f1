"""`tf.compat.v1.train.SessionManager`: sessions whose variables have values."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np

from ...checkpoint.state_file import get_checkpoint_state
from ...core.process.logs import logger
from ...errors import DeadlineExceededError
from ...function.session import Session
from ...graph.by_hand.default_graph import get_default_graph

_POLL: Final = 0.05


class SessionManager:
    """Makes sessions, and lets their variables have values: of a checkpoint, or their first ones.

    local_init_op: what runs in any case. ready_op, ready_for_local_init_op: the names of what has
    no value, empty where all is ready. graph: the default one if it is not given.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0)
    ...     init = tf.compat.v1.global_variables_initializer()
    ...     manager = tf.compat.v1.train.SessionManager()
    ...     with manager.prepare_session("", init_op=init) as session:
    ...         print(session.run(v))
    2.0

    Raises:
        ValueError: it is to be ready for a `local_init_op` that is not given.
    """

    def __init__(
        self,
        local_init_op: Any = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        graph: Any = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: Any = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op, "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )
        self._local_init_op: Final = local_init_op
        self._local_init_feed_dict: Final = local_init_feed_dict
        self._local_init_run_options: Final = local_init_run_options
        self._ready_op: Final = ready_op
        self._ready_for_local_init_op: Final = ready_for_local_init_op
        self._graph: Final = graph if graph is not None else get_default_graph()
        self._wait: Final = recovery_wait_secs

    def prepare_session(
        self,
        master: str,
        init_op: Any = None,
        saver: Any = None,
        checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
        init_feed_dict: Any = None,
        init_fn: Any = None,
    ) -> Any:
        """A session that is ready: with the values of a checkpoint, or else after `init_op` and
        `init_fn`.

        saver: what reads the checkpoint, the newest of `checkpoint_dir` or the one that is named.
        wait_for_checkpoint: wait so many seconds for the first one.

        Raises:
            RuntimeError: there is nothing to begin with, or it is not ready after that.
            ValueError: both a directory and a checkpoint are given.
        """
        session, is_loaded = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
            max_wait_secs, config,
        )  # fmt: skip
        if not is_loaded:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError(
                    "Model is not initialized and no init_op or init_fn or local_init_op was given"
                )
            if init_op is not None:
                session.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(session)
        missing = self._initialize_locally(session)
        if missing:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  "
                f"Init op: {_name(init_op)}, init fn: {init_fn}, error: {missing}"
            )
        missing = self._missing(session, self._ready_op)
        if missing:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {_name(init_op)}, init fn: "
                f"{init_fn}, local_init_op: {_name(self._local_init_op)}, error: {missing}"
            )
        return session

    def recover_session(
        self,
        master: str,
        saver: Any = None,
        checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: Any = None,
    ) -> tuple[Any, bool]:
        """A session with the values of a checkpoint, and whether it is ready."""
        session, is_loaded = self._restored(
            master, saver, checkpoint_dir, checkpoint_filename_with_path, wait_for_checkpoint,
            max_wait_secs, config,
        )  # fmt: skip
        missing = self._initialize_locally(session) or self._missing(session, self._ready_op)
        if missing:
            logger.info("the session is not ready: %s", missing)
        return session, is_loaded and not missing

    def wait_for_session(
        self, master: str, config: Any = None, max_wait_secs: float = float("inf")
    ) -> Any:
        """A session whose variables somebody else has given values: each session of this library
        has its own, so that this ends where a graph has none.

        Raises:
            DeadlineExceededError: it was not ready in time.
        """
        end = time.monotonic() + (float("inf") if max_wait_secs is None else max_wait_secs)
        while True:
            session = Session(master, graph=self._graph, config=config)
            missing = self._initialize_locally(session) or self._missing(session, self._ready_op)
            if not missing:
                return session
            session.close()
            if time.monotonic() + self._wait > end:
                raise DeadlineExceededError(
                    f"Session was not ready after waiting {max_wait_secs} secs: {missing}; nobody "
                    "but the chief gives variables values"
                )
            time.sleep(self._wait)

    # ---- steps of these

    def _restored(
        self, master: str, saver: Any, folder: Any, path: Any, waits: bool, seconds: float,
        config: Any,
    ) -> tuple[Any, bool]:  # fmt: skip
        """A session, and whether it has values of a checkpoint."""
        if folder and path:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        session = Session(master, graph=self._graph, config=config)
        if saver is None or not (folder or path):
            return session, False
        if path:
            saver.restore(session, path)
            return session, True
        state, end = get_checkpoint_state(folder), time.monotonic() + seconds
        while state is None and waits and time.monotonic() < end:
            time.sleep(_POLL)
            state = get_checkpoint_state(folder)
        if state is None:
            return session, False
        saver.restore(session, state.model_checkpoint_path)
        saver.recover_last_checkpoints(state.all_model_checkpoint_paths)
        return session, True

    def _initialize_locally(self, session: Any) -> str:
        """Run `local_init_op`; what is missing for it."""
        if self._local_init_op is None:
            return ""
        missing = self._missing(session, self._ready_for_local_init_op)
        if not missing:
            options, feed = self._local_init_run_options, self._local_init_feed_dict
            session.run(self._local_init_op, feed_dict=feed, options=options)
        return missing

    def _missing(self, session: Any, report: Any) -> str:
        """What has no value, as a text; an empty one where all is ready."""
        if report is None:
            return ""
        found = np.asarray(session.run(report))
        if not found.size:
            return ""
        names = [one.decode() if isinstance(one, bytes) else str(one) for one in found.ravel()]
        return "Variables not initialized: " + ", ".join(names)


def _name(operation: Any) -> str:
    return "None" if operation is None else str(getattr(operation, "name", operation))
