"""Looking into checkpoints without having the objects that they are of."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from ..core.dtypes import DType
from ..core.files.gfile import text
from ..errors import UnimplementedError
from ..formats.slice_files import reader_of
from .state_file import latest_checkpoint


class CheckpointReader:
    """The tensors of a checkpoint by name (by key, see `object_graph`).

    Raises:
        NotFoundError: there are no such files.
        DataLossError: they are damaged.
    """

    def __init__(self, prefix: str) -> None:
        self._bundle = reader_of(prefix)

    def get_tensor(self, tensor_str: Any) -> Any:
        """A tensor's value: a NumPy array, a NumPy scalar, or bytes.

        Raises:
            NotFoundError: there is none of that name.
            DataLossError: it is damaged.
        """
        return self._bundle.read(_text(tensor_str))[()]

    def has_tensor(self, tensor_str: Any) -> bool:
        """Whether there is a tensor of that name."""
        return _text(tensor_str) in self._bundle

    def get_variable_to_shape_map(self) -> dict[str, list[Any]]:
        """The shapes of all tensors, by name."""
        return {key: self._bundle.spec(key).shape.as_list() for key in self._bundle.keys()}

    def get_variable_to_dtype_map(self) -> dict[str, DType]:
        """The dtypes of all tensors, by name."""
        return {key: self._bundle.spec(key).dtype for key in self._bundle.keys()}

    def debug_string(self) -> bytes:
        """One line for each tensor."""
        specs = [(key, self._bundle.spec(key)) for key in self._bundle.keys()]
        lines = [f"{key} ({spec.dtype.name}) {list(spec.shape)}" for key, spec in specs]
        return "\n".join(lines).encode()


def _text(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else name


def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint, or of the newest one in a directory.

    ckpt_dir_or_file: the prefix of the checkpoint's files, or a directory.

    >>> path = tf.train.Checkpoint(steps=tf.Variable(3)).write("model")
    >>> reader = tf.train.load_checkpoint(path)
    >>> int(reader.get_tensor("steps/.ATTRIBUTES/VARIABLE_VALUE"))
    3

    Raises:
        ValueError: the directory has no checkpoints, or the path is of a scheme that is not
            registered.
        NotFoundError: there is no such checkpoint.
        DataLossError: it is damaged.
    """
    try:
        place = text(ckpt_dir_or_file)
    except UnimplementedError as error:
        raise ValueError(error.message) from None
    if not os.path.isdir(place):
        return CheckpointReader(place)
    newest = latest_checkpoint(place)
    if newest is None:
        raise ValueError(
            f"Couldn't find 'checkpoint' file or checkpoints in given directory {place}"
        )
    return CheckpointReader(newest)


def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The value of one tensor of a checkpoint; raises as `load_checkpoint` and `get_tensor` do.

    name: its key in the checkpoint (`list_variables`).

    >>> path = tf.train.Checkpoint(steps=tf.Variable([1, 2])).write("model")
    >>> tf.train.load_variable(path, "steps/.ATTRIBUTES/VARIABLE_VALUE")
    array([1, 2], dtype=int32)

    Raises:
        ValueError: the directory has no checkpoints.
        NotFoundError: there is no such checkpoint, or no such tensor in it.
        DataLossError: it is damaged.
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[Any]]]:
    """The tensors of a checkpoint, as (name, shape), sorted; raises as `load_checkpoint` does.

    >>> path = tf.train.Checkpoint(steps=tf.Variable([1, 2])).write("model")
    >>> tf.train.list_variables(path)
    [('_CHECKPOINTABLE_OBJECT_GRAPH', []), ('steps/.ATTRIBUTES/VARIABLE_VALUE', [2])]

    Raises:
        ValueError: the directory has no checkpoints.
        NotFoundError: there is no such checkpoint.
        DataLossError: it is damaged.
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def checkpoints_iterator(
    checkpoint_dir: Any,
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """Paths of new checkpoints of a directory, as they are written.

    Args:
        checkpoint_dir: the directory.
        min_interval_secs: the least time between two of them.
        timeout: for how many seconds to wait for the next one; for ever if None.
        timeout_fn: asked when time is up: True ends it, as having no such function does.

    >>> _ = tf.train.Checkpoint(steps=tf.Variable(3)).save("awaited/model")
    >>> list(tf.train.checkpoints_iterator("awaited", timeout=0))
    ['awaited/model-1']

    Raises:
        TypeError: it is no path.
    """
    last: str | None = None
    while True:
        newest = _wait_for_new(checkpoint_dir, last, timeout)
        if newest is None:
            if timeout_fn is None or timeout_fn():
                return
            continue
        start = time.monotonic()
        last = newest
        yield newest
        time.sleep(max(0.0, start + min_interval_secs - time.monotonic()))


def wait_for_new_checkpoint(
    checkpoint_dir: Any,
    last_checkpoint: str | None = None,
    seconds_to_sleep: float = 1,
    timeout: float | None = None,
) -> str | None:
    """The path of a checkpoint that is not the last one, or None where none came in time."""
    return _wait_for_new(checkpoint_dir, last_checkpoint, timeout, seconds_to_sleep)


def _wait_for_new(
    folder: Any, last: str | None, timeout: float | None, pause: float = 1.0
) -> str | None:
    """Ask after each pause, and when time is up."""
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        newest = latest_checkpoint(folder)
        if newest is not None and newest != last:
            return newest
        left = pause if end is None else end - time.monotonic()
        if left <= 0:
            return None
        time.sleep(min(pause, left))
