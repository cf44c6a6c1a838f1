"""`tf.compat.v1.train.Checkpoint`: its objects are keyword arguments."""

from __future__ import annotations

from typing import Any, final

from ...checkpoint.checkpoint import Checkpoint, CheckpointOptions


@final
class CheckpointV1(Checkpoint):
    """Saves and restores trackable objects where operations run at once (`tf.train.Checkpoint`).

    >>> checkpoint = tf.compat.v1.train.Checkpoint(v=tf.Variable(1.0))
    >>> checkpoint.save("older/model")
    'older/model-1'

    Raises:
        ValueError: an argument has no state that could be saved.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(None, **kwargs)

    def save(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, file_prefix: Any, session: Any = None, options: CheckpointOptions | None = None
    ) -> str:
        """Write a checkpoint called `<file_prefix>-<number>`, and note it as the newest one.

        Raises:
            NotImplementedError: of a session, or a graph.
        """
        _require_none(session)
        return super().save(file_prefix, options)

    def write(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, file_prefix: Any, session: Any = None, options: CheckpointOptions | None = None
    ) -> Any:
        """Write a checkpoint at this very path.

        Raises:
            NotImplementedError: of a session.
        """
        if isinstance(session, CheckpointOptions):  # as `Checkpoint.save` calls it
            session, options = None, session
        _require_none(session)
        return super().write(file_prefix, options)


def _require_none(session: Any) -> None:
    if session is not None:
        raise NotImplementedError(
            "a Checkpoint does not ask sessions for values: write what a session has by "
            "tf.compat.v1.train.Saver"
        )
