"""`tf.compat.v1.logging`: how much the library says, and saying something through its logger."""

from __future__ import annotations

import logging
import sys
from types import FrameType
from typing import Any, Final

from ..core.process.logs import logger

DEBUG: Final = logging.DEBUG
INFO: Final = logging.INFO
WARN: Final = logging.WARNING
ERROR: Final = logging.ERROR
FATAL: Final = logging.FATAL

_calls: Final[dict[tuple[str, int], int]] = {}


def get_verbosity() -> int:
    """The least level that is shown: 10 for DEBUG, 20 INFO, 30 WARN, 40 ERROR, 50 FATAL.

    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.INFO)
    >>> tf.compat.v1.logging.get_verbosity()
    20
    """
    return logger.getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Show what has this level or a higher one: `set_verbosity(ERROR)` silences warnings.

    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    >>> tf.compat.v1.logging.warning("nobody sees this")

    Raises:
        ValueError: `v` is a string that names no level.
    """
    logger.setLevel(v)


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of this level; `args` are what `msg % args` takes.

    level: a number, as DEBUG, INFO, WARN, ERROR and FATAL are.

    >>> tf.compat.v1.logging.log(tf.compat.v1.logging.INFO, "%d of %d", 3, 10)

    Raises:
        TypeError: `level` is no integer.
    """
    logger.log(level, msg, *args, **kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of level DEBUG; `args` are what `msg % args` takes.

    >>> tf.compat.v1.logging.debug("weights: %s", [1, 2])
    """
    logger.debug(msg, *args, **kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of level INFO; `args` are what `msg % args` takes.

    >>> tf.compat.v1.logging.info("step %d of %d", 3, 10)
    """
    logger.info(msg, *args, **kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of level WARN; `args` are what `msg % args` takes.

    >>> tf.compat.v1.logging.warning("loss is %.1f", 0.5)
    """
    logger.warning(msg, *args, **kwargs)


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of level ERROR; `args` are what `msg % args` takes. Nothing is raised.

    >>> tf.compat.v1.logging.error("no file %s", "weights")
    """
    logger.error(msg, *args, **kwargs)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of level FATAL; `args` are what `msg % args` takes. The program goes on.

    >>> tf.compat.v1.logging.fatal("nothing to train")
    """
    logger.critical(msg, *args, **kwargs)


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Log a message of this level where `condition` is true.

    >>> tf.compat.v1.logging.log_if(tf.compat.v1.logging.INFO, "%d left", 3 > 4, 3)

    Raises:
        TypeError: `level` is no integer.
    """
    if condition:
        log(level, msg, *args)


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log a message of this level in the first call of every `n` from this line.

    >>> for step in range(5):
    ...     tf.compat.v1.logging.log_every_n(tf.compat.v1.logging.INFO, "step %d", 2, step)

    Raises:
        ZeroDivisionError: `n` is 0.
        TypeError: `n` is no number.
    """
    log_if(level, msg, _calls_before(sys._getframe(1)) % n == 0, *args)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log a message of this level in the first `n` calls from this line.

    >>> for step in range(5):
    ...     tf.compat.v1.logging.log_first_n(tf.compat.v1.logging.INFO, "step %d", 2, step)

    Raises:
        TypeError: `n` is no number.
    """
    log_if(level, msg, _calls_before(sys._getframe(1)) < n, *args)


def _calls_before(frame: FrameType) -> int:
    """How often this was called before from the line where a frame is."""
    place = frame.f_code.co_filename, frame.f_lineno
    count = _calls.get(place, 0)
    _calls[place] = count + 1
    return count


def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of a level that is a plain number.

    >>> tf.compat.v1.logging.vlog(1, "%d rows", 3)

    Raises:
        TypeError: `level` is no integer.
    """
    log(level, msg, *args, **kwargs)


def flush() -> None:
    """Write out what is kept back.

    >>> tf.compat.v1.logging.flush()
    """
    for handler in logger.handlers:
        handler.flush()


def TaskLevelStatusMessage(msg: Any) -> None:
    """Log a message of level ERROR.

    >>> tf.compat.v1.logging.TaskLevelStatusMessage("stopped")
    """
    error(msg)


warn = warning
