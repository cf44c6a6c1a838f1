"""`tf.compat.forward_compatible`: whether what is new may be written already."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import date
from typing import Final

TENSORFLOW: Final = date(2026, 1, 16)  # what TensorFlow 2.21 takes for today
_HORIZON: Final = [TENSORFLOW]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether what began on that day may be written: it did before TensorFlow's day, or a horizon.

    >>> tf.compat.forward_compatible(2019, 12, 31), tf.compat.forward_compatible(9999, 1, 1)
    (True, False)
    """
    horizon = _HORIZON[-1]
    return (horizon.year, horizon.month, horizon.day) > (year, month, day)


@contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Generator[None]:
    """Take a later day for today; an earlier one is ignored, with a warning.

    >>> with tf.compat.forward_compatibility_horizon(9999, 12, 1):
    ...     print(tf.compat.forward_compatible(9999, 1, 1))
    True

    Raises:
        ValueError: it is no day.
    """
    wanted = date(year, month, day)
    if wanted < TENSORFLOW:
        from .logs import logger  # which imports logging

        logger.warning("A forward compatibility horizon in the past, %s, is ignored", wanted)
    _HORIZON.append(max(wanted, TENSORFLOW))
    try:
        yield
    finally:
        _HORIZON.pop()
