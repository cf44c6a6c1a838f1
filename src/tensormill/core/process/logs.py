"""The logger of the library, under the name that TensorFlow's users know."""

from __future__ import annotations

import logging
from typing import Final

logger: Final = logging.getLogger("tensorflow")


def get_logger() -> logging.Logger:
    """The logger to which everything the library has to say goes.

    >>> tf.get_logger().name
    'tensorflow'
    """
    return logger
