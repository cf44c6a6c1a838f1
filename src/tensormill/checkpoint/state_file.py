"""The file `checkpoint`, which says what the checkpoints of a directory are, the last one first."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from google.protobuf import text_format

from ..core.files.atomic import write_file
from ..core.files.gfile import said, text, translated
from ..core.process.logs import logger
from ..errors import UnimplementedError
from ..formats.data_files import index_name
from ..graph.proto.messages import message

STATE_FILE = "checkpoint"


def update_checkpoint_state(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    latest_filename: str | None = None,
    all_model_checkpoint_timestamps: Sequence[float] = (),
    last_preserved_timestamp: float | None = None,
) -> None:
    """Write the file. Paths in `save_dir` are written relative to it, so that it can be moved.

    Args:
        save_dir: the directory.
        model_checkpoint_path: the newest checkpoint; it is added to the list if it is not there.
        all_model_checkpoint_paths: all that are kept, the oldest first.
        latest_filename: another name for the file.
        all_model_checkpoint_timestamps: when they were written.
        last_preserved_timestamp: when the last one was written that is kept for ever.

    >>> tf.compat.v1.train.update_checkpoint_state("", "model-1")
    >>> tf.train.get_checkpoint_state("").model_checkpoint_path
    'model-1'

    Raises:
        NotFoundError: there is no such directory.
        FailedPreconditionError: it is a file.
    """
    listed = [_relative(save_dir, one) for one in all_model_checkpoint_paths or ()]
    state = _state(
        _relative(save_dir, model_checkpoint_path), listed, all_model_checkpoint_timestamps,
        last_preserved_timestamp,
    )  # fmt: skip
    path = _state_file(save_dir, latest_filename)
    with translated(path):
        write_file(path, text_format.MessageToString(state).encode())


def generate_checkpoint_state_proto(
    save_dir: str,
    model_checkpoint_path: str,
    all_model_checkpoint_paths: Sequence[str] | None = None,
    all_model_checkpoint_timestamps: Sequence[float] | None = None,
    last_preserved_timestamp: float | None = None,
) -> Any:
    """A CheckpointState of these checkpoints; in a relative folder paths are relative to it.

    >>> state = tf.compat.v1.train.generate_checkpoint_state_proto("", "model-1", ["model-0"])
    >>> list(state.all_model_checkpoint_paths)
    ['model-0', 'model-1']

    Raises:
        ValueError: there are not as many times as paths.
    """
    times = list(all_model_checkpoint_timestamps or ())
    listed = list(all_model_checkpoint_paths or ())
    if times and len(times) != len(listed):
        raise ValueError(f"There are {len(times)} timestamps for {len(listed)} checkpoint paths")

    def seen(path: str) -> str:
        whole = os.path.isabs(save_dir) or os.path.isabs(path)
        return path if whole else os.path.relpath(path, save_dir or ".")

    newest = seen(model_checkpoint_path)
    return _state(newest, list(map(seen, listed)), times, last_preserved_timestamp)


def _state(newest: str, listed: list[str], times: Sequence[float], preserved: float | None) -> Any:
    if newest not in listed:
        listed.append(newest)
    state = message("CheckpointState")(
        model_checkpoint_path=newest,
        all_model_checkpoint_paths=listed,
        all_model_checkpoint_timestamps=times,
    )
    if preserved is not None:
        state.last_preserved_timestamp = preserved
    return state


def get_checkpoint_state(checkpoint_dir: Any, latest_filename: str | None = None) -> Any:
    """The CheckpointState of a directory, with whole paths; None if there is none that is valid.

    >>> _ = tf.train.Checkpoint(steps=tf.Variable(3)).save("kept/model")
    >>> tf.train.get_checkpoint_state("kept").model_checkpoint_path
    'kept/model-1'

    Raises:
        TypeError: it is no path.
    """
    folder = said(checkpoint_dir)
    try:
        with open(_state_file(folder, latest_filename), encoding="utf-8") as file:
            state = text_format.Parse(file.read(), message("CheckpointState")())
    except (FileNotFoundError, NotADirectoryError, UnimplementedError):
        return None
    except (text_format.ParseError, UnicodeDecodeError, OSError) as error:
        logger.warning("%s: checkpoint ignored: %s", folder, error)
        return None
    if not state.model_checkpoint_path:
        logger.warning("%s: checkpoint ignored: it has no model_checkpoint_path", folder)
        return None
    if any(
        "\0" in path for path in (state.model_checkpoint_path, *state.all_model_checkpoint_paths)
    ):
        logger.warning("%s: checkpoint ignored: it names what can be no file", folder)
        return None
    state.model_checkpoint_path = os.path.join(folder, state.model_checkpoint_path)
    whole = [os.path.join(folder, path) for path in state.all_model_checkpoint_paths]
    state.all_model_checkpoint_paths[:] = whole
    return state


def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The prefix of the newest checkpoint of a directory, or None.

    latest_filename: the file that says so; "checkpoint" by default.

    >>> checkpoint = tf.train.Checkpoint(steps=tf.Variable(3))
    >>> _ = checkpoint.save("saved/model"), checkpoint.save("saved/model")
    >>> tf.train.latest_checkpoint("saved")
    'saved/model-2'

    Raises:
        TypeError: it is no path.
    """
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None:
        return None
    if os.path.exists(text(index_name(state.model_checkpoint_path))):
        return state.model_checkpoint_path
    logger.error("Couldn't match files for checkpoint %s", state.model_checkpoint_path)
    return None


def _state_file(folder: str, name: str | None) -> str:
    return text(os.path.join(folder, name or STATE_FILE))


def _relative(folder: str, path: str) -> str:
    """`path` as seen from `folder`, if both are absolute or both are not, and it lies there."""
    if os.path.isabs(path) != os.path.isabs(folder):
        return path
    seen = os.path.relpath(path, folder or ".")
    return path if seen.startswith(os.pardir) else seen
