"""Messages about conversions: TensorFlow's logger, and `AUTOGRAPH_VERBOSITY`."""

from __future__ import annotations

import sys
from typing import Any

from ..config import whole_number
from ..core.process.logs import logger


class _Verbosity:
    level: int | None = None  # set_verbosity beats the environment
    to_stdout = False


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Set how much AutoGraph says: 0 is little, 10 includes the converted code.

    With `alsologtostdout` it is printed, too.

    >>> tf.autograph.set_verbosity(0)
    """
    _Verbosity.level = level
    _Verbosity.to_stdout = alsologtostdout


def verbosity() -> int:
    if _Verbosity.level is not None:
        return _Verbosity.level
    return whole_number("AUTOGRAPH_VERBOSITY", 0, 0)


def log(level: int, message: str, *arguments: Any) -> None:
    """Say something at or above a level of verbosity."""
    if verbosity() < level:
        return
    logger.info(message, *arguments)
    if _Verbosity.to_stdout:
        sys.stdout.write(message % arguments + "\n")


def trace(*args: Any) -> None:
    """Print the arguments now; in a `tf.function`, that is while it is traced.

    >>> double = tf.function(lambda x: tf.autograph.trace("traced") or 2 * x)
    >>> int(double(tf.constant(1))), int(double(tf.constant(2)))
    traced
    (2, 4)
    """
    print(*args)
