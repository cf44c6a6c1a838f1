"""Exceptions of users' functions, as errors of the operations that called them."""

from __future__ import annotations

import traceback
from typing import Any, Final

from ..core.process.tracebacks import hide_frames
from ..errors import (
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)

KINDS: Final[tuple[tuple[type[Exception], type[OpError]], ...]] = (
    (StopIteration, OutOfRangeError),
    (ValueError, InvalidArgumentError),
    (TypeError, InvalidArgumentError),
    (NotImplementedError, UnimplementedError),
    (MemoryError, ResourceExhaustedError),
)


def translated(error: Exception) -> OpError:
    """An error of TensorFlow's class for `error`, which is of the user's class, too.

    Its text ends with the user's traceback; it has the attributes of `error`. Generators take a
    StopIteration for their end, so nothing else is one.
    """
    kind = next((ours for theirs, ours in KINDS if isinstance(error, theirs)), UnknownError)
    hide_frames(error)
    lines = "".join(traceback.format_exception(error))
    message = f"{type(error).__name__}: {error}\n{lines}"
    if isinstance(error, StopIteration):
        return kind(message)
    try:
        made = _both(kind, type(error))(message)
    except TypeError:  # a class that cannot have such a relative
        return kind(message)
    made.__dict__.update({k: v for k, v in error.__dict__.items() if k not in made.__dict__})
    return made


def _both(kind: type[OpError], users: type[Exception]) -> type[OpError]:
    """A class that is both. What the user's needs to be made of is not asked for."""

    def __init__(self: Any, message: str) -> None:
        self.args = (message,)
        self.node_def = self.op = None
        self.message = message

    def __reduce__(self: Any) -> Any:
        return kind, (self.message,)

    return type(
        kind.__name__, (kind, users),
        {"__init__": __init__, "__reduce__": __reduce__, "__module__": kind.__module__},
    )  # fmt: skip
