"""`tf.train.CheckpointManager`: several checkpoints of a program in one directory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from ..core.files.gfile import said, text
from ..core.process.logs import logger
from ..formats.data_files import delete_checkpoint, index_name
from .checkpoint import Checkpoint, CheckpointOptions
from .state_file import get_checkpoint_state, update_checkpoint_state


class CheckpointManager:
    """Keeps the newest `max_to_keep` checkpoints, and finds them again in the next process.

    >>> checkpoint = tf.train.Checkpoint(step=tf.Variable(0))
    >>> manager = tf.train.CheckpointManager(checkpoint, 'kept', max_to_keep=2)
    >>> for _ in range(3):
    ...     path = manager.save()
    >>> manager.checkpoints
    ['kept/ckpt-2', 'kept/ckpt-3']

    Args:
        checkpoint: what is saved.
        directory: where to.
        max_to_keep: how many are kept; all, if None.
        keep_checkpoint_every_n_hours: what would be deleted is kept if it was written that long
            after the last one that was kept so.
        checkpoint_name: how the files' names begin.
        step_counter: a variable that counts steps.
        checkpoint_interval: how many steps lie between two checkpoints at least; `save` does
            nothing before.
        init_fn: called by `restore_or_initialize` if there is nothing to restore.
        last_checkpoint_step: at which step the last checkpoint was written.

    Raises:
        ValueError: `max_to_keep` is not positive, or there is an interval and no counter.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Any = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise ValueError(
                f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}."
            )
        if checkpoint_interval is not None and step_counter is None:
            raise ValueError(
                "`step_counter` should be passed if `checkpoint_interval` is not None."
            )
        self._checkpoint = checkpoint
        self._directory = text(directory)
        given = said(directory)  # what callers read begins as they wrote it: file://
        self._scheme = given.removesuffix(self._directory) if given.startswith("file:") else ""
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._prefix = os.path.join(self._directory, checkpoint_name)
        self._step_counter = step_counter
        self._interval = checkpoint_interval
        self._init_fn = init_fn
        self._last_step = last_checkpoint_step
        self._adopt(get_checkpoint_state(self._directory))

    def _adopt(self, state: Any) -> None:
        """Go on where an earlier manager of the directory stopped."""
        now = time.time()
        self._kept: dict[str, float] = {}
        self._latest: str | None = None
        self._last_preserved = now
        self._doomed: list[str] = []
        if state is None:
            return
        self._latest = state.model_checkpoint_path
        self._last_preserved = min(now, state.last_preserved_timestamp or now - 1)
        paths = list(state.all_model_checkpoint_paths)
        # Whoever writes no times, as Checkpoint.save, wrote before now.
        times = list(state.all_model_checkpoint_timestamps) or [self._last_preserved] * len(paths)
        own = {
            path: min(now, written)
            for path, written in zip(paths, times, strict=False)
            if self._is_own(path)
        }
        self._kept = {
            path: written for path, written in own.items() if os.path.exists(index_name(path))
        }
        # Some of these may be there in part: whoever deleted them did not get to the end.
        self._doomed = [path for path in own if path not in self._kept]

    def _is_own(self, path: str) -> bool:
        """Whether a checkpoint lies in the directory: only there may any be deleted."""
        directory = os.path.join(os.path.realpath(self._directory), "")
        if os.path.realpath(path).startswith(directory):
            return True
        logger.warning(
            "%s: the checkpoint %s lies elsewhere; it is not deleted when it is too old",
            self._directory, path,
        )  # fmt: skip
        return False

    @property
    def checkpoint(self) -> Checkpoint:
        """What is saved.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> manager.checkpoint is kept
        True
        """
        return self._checkpoint

    @property
    def directory(self) -> str:
        """Where the checkpoints are.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> manager.directory
        'steps'
        """
        return self._scheme + self._directory

    @property
    def checkpoint_interval(self) -> int | None:
        """How many steps lie between two checkpoints at least; None for any.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> print(manager.checkpoint_interval)
        None
        """
        return self._interval

    @property
    def latest_checkpoint(self) -> str | None:
        """The prefix of the newest one, or None.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> manager.save() == manager.latest_checkpoint
        True
        """
        return None if self._latest is None else self._scheme + self._latest

    @property
    def checkpoints(self) -> list[str]:
        """The prefixes of those that may be deleted some day, the oldest first.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> newest = [manager.save() for _ in range(3)][1:]
        >>> manager.checkpoints == newest
        True
        """
        return [self._scheme + path for path in self._kept]

    def save(
        self,
        checkpoint_number: Any = None,
        check_interval: bool = True,
        options: CheckpointOptions | None = None,
    ) -> str | None:
        """Write a checkpoint and delete those that are too old.

        Args:
            checkpoint_number: its number; else the checkpoint's own counter counts on.
            check_interval: False writes even if fewer than `checkpoint_interval` steps passed.
            options: those of `Checkpoint.write`.

        Returns:
            The prefix; None if it is too early for another one.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> manager.save(checkpoint_number=7)
        'steps/ckpt-7'
        """
        if check_interval and not self._is_due():
            return None
        if checkpoint_number is None:
            path = self._checkpoint.write_next(self._prefix, options)
        else:
            path = f"{self._prefix}-{int(checkpoint_number)}"
            self._checkpoint.write(path, options)
        if self._step_counter is not None:
            self._last_step = int(self._step_counter)
        self._latest = path
        self._kept.pop(path, None)
        self._kept[path] = time.time()
        self._doomed = [*(one for one in self._doomed if one != path), *self._give_up()]
        self._write_state()  # while it names them, whoever comes next knows what to delete
        if self._doomed:
            for old in self._doomed:
                delete_checkpoint(old)
            self._doomed = []
            self._write_state()
        return self._scheme + path

    def _is_due(self) -> bool:
        if self._interval is None or self._last_step is None:
            return True
        return int(self._step_counter) >= self._last_step + self._interval

    def _give_up(self) -> list[str]:
        """Forget the oldest ones; which of them are to be deleted, and not kept for ever."""
        surplus = 0 if self._max_to_keep is None else max(0, len(self._kept) - self._max_to_keep)
        doomed: list[str] = []
        for path, written in list(self._kept.items())[:surplus]:
            del self._kept[path]
            if self._hours is not None and written - self._hours * 3600 >= self._last_preserved:
                self._last_preserved = written
            else:
                doomed.append(path)
        return doomed

    def _write_state(self) -> None:
        assert self._latest is not None
        update_checkpoint_state(
            self._directory,
            self._latest,
            [*self._doomed, *self._kept],
            all_model_checkpoint_timestamps=[0.0] * len(self._doomed) + [*self._kept.values()],
            last_preserved_timestamp=self._last_preserved,
        )

    def restore_or_initialize(self) -> str | None:
        """Restore the newest checkpoint and return its prefix; else call `init_fn`, return None.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> begin = lambda: kept.v.assign(5.0)
        >>> manager = tf.train.CheckpointManager(kept, 'none', max_to_keep=2, init_fn=begin)
        >>> manager.restore_or_initialize(), kept.v.numpy()
        (None, np.float32(5.0))
        """
        if self._latest is not None:
            self._checkpoint.restore(self._latest)
            if self._step_counter is not None:
                self._last_step = int(self._step_counter)
            return self.latest_checkpoint
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self) -> None:
        """Do nothing: writing has ended when `save` returns.

        >>> kept = tf.train.Checkpoint(v=tf.Variable(1.0))
        >>> manager = tf.train.CheckpointManager(kept, 'steps', max_to_keep=2)
        >>> manager.sync()
        """
