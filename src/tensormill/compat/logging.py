"""`tf.compat.v1.logging`: how much the library says, and saying something through its logger."""

from __future__ import annotations

import logging
from typing import Any, Final

from ..core.process.logs import logger

DEBUG: Final = logging.DEBUG
INFO: Final = logging.INFO
WARN: Final = logging.WARNING
ERROR: Final = logging.ERROR
FATAL: Final = logging.FATAL


def get_verbosity() -> int:
    """The least level that is shown."""
    return logger.getEffectiveLevel()


def set_verbosity(v: int) -> None:
    """Show what has this level or a higher one: `set_verbosity(ERROR)` silences warnings."""
    logger.setLevel(v)


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log a message of this level; `args` are what `msg % args` takes."""
    logger.log(level, msg, *args, **kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    logger.debug(msg, *args, **kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    logger.info(msg, *args, **kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    logger.warning(msg, *args, **kwargs)


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    logger.error(msg, *args, **kwargs)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    logger.critical(msg, *args, **kwargs)


warn = warning
