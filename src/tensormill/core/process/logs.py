"""The logger of the library, under the name that TensorFlow's users know."""

from __future__ import annotations

import logging
import sys
from typing import Any, Final

from . import logging_before

logger: Final = logging.getLogger("tensorflow")


class _ToStandardError(logging.StreamHandler[Any]):
    """Writes to what `sys.stderr` is at the moment."""

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, value: Any) -> None:
        pass


def begin() -> None:
    """Have `WARNING:tensorflow:...` written, but where the program has set logging up before."""
    if logging_before.was_set_up():
        return
    handler = _ToStandardError()
    handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
    logger.addHandler(handler)


begin()


def get_logger() -> logging.Logger:
    """The logger to which everything the library has to say goes.

    >>> tf.get_logger().name
    'tensorflow'
    """
    return logger
