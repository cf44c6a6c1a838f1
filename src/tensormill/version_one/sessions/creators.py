"""What makes the sessions of monitored sessions."""

from __future__ import annotations

from typing import Any

from .scaffold import Scaffold
from .session_manager import SessionManager


class SessionCreator:
    """Makes sessions: `create_session` is to be written.

    >>> class Plain(tf.compat.v1.train.SessionCreator):
    ...     def create_session(self):
    ...         return tf.compat.v1.Session()
    """

    def create_session(self) -> Any:
        """A session that is ready.

        Raises:
            NotImplementedError: it is not written.
        """
        raise NotImplementedError(f"{type(self).__name__}.create_session is to be written")


def _manager(scaffold: Scaffold) -> SessionManager:
    return SessionManager(
        local_init_op=scaffold.local_init_op,
        ready_op=scaffold.ready_op,
        ready_for_local_init_op=scaffold.ready_for_local_init_op,
        local_init_feed_dict=scaffold.local_init_feed_dict,
    )


class ChiefSessionCreator(SessionCreator):
    """Makes a session that has the values of a checkpoint, or else its first ones.

    checkpoint_dir: where the newest checkpoint is looked for; or checkpoint_filename_with_path: the
    prefix of one.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(2.0)
    ...     with tf.compat.v1.train.ChiefSessionCreator().create_session() as session:
    ...         print(session.run(v))
    2.0
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None,
    ) -> None:
        self._scaffold = scaffold or Scaffold()
        self._master = master
        self._config = config
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self) -> Any:
        """A session that is ready; the graph takes nothing more."""
        scaffold = self._scaffold.finalize()
        return _manager(scaffold).prepare_session(
            self._master,
            saver=scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=scaffold.init_op,
            init_feed_dict=scaffold.init_feed_dict,
            init_fn=scaffold.init_fn,
        )


class WorkerSessionCreator(SessionCreator):
    """Makes a session that waits for somebody else, the chief, to give variables values.

    >>> with tf.Graph().as_default():
    ...     x = tf.constant(1.0)
    ...     with tf.compat.v1.train.WorkerSessionCreator().create_session() as session:
    ...         print(session.run(x))
    1.0
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        max_wait_secs: float = 30 * 60,
    ) -> None:
        self._scaffold = scaffold or Scaffold()
        self._master = master
        self._config = config
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """A session that is ready; the graph takes nothing more.

        Raises:
            DeadlineExceededError: it was not ready in time.
        """
        manager = _manager(self._scaffold.finalize())
        return manager.wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )
