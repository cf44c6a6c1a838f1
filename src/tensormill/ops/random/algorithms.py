"""Which algorithm makes random words: Philox, TensorFlow's choice on every processor."""

from __future__ import annotations

import enum
from typing import Any

from ...errors import InvalidArgumentError


class Algorithm(enum.Enum):
    """How random words are made. Here it is always Philox."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def require_philox(algorithm: Any) -> None:
    """See to it that an operation without a state can draw by an algorithm.

    Raises:
        ValueError: there is none of that name or number.
        InvalidArgumentError: there is, and it is Threefry.
    """
    if algorithm is not None and algorithm_number(algorithm) == Algorithm.THREEFRY.value:
        raise InvalidArgumentError(f"{NO_THREEFRY}, got alg={algorithm!r}")


def algorithm_number(algorithm: Any) -> int:
    """The number of an algorithm.

    Raises:
        TypeError: it is no name, no number and no Algorithm.
        ValueError: there is none of that name or number.
    """
    number = algorithm.value if isinstance(algorithm, Algorithm) else algorithm
    if isinstance(algorithm, str):
        number = _NAMES.get(algorithm.lower(), 0)
    if isinstance(number, float) or number is None:
        raise TypeError(f"`alg` must be a name, a number or an Algorithm, got {algorithm!r}")
    if number not in _NAMES.values():
        raise ValueError(f"Argument `alg` got unsupported value {algorithm}. Supported is philox.")
    return int(number)


_NAMES = {"philox": 1, "threefry": 2, "auto_select": 3}
NO_THREEFRY = "Random numbers are drawn by Philox; leave out `alg` or say 'philox'"
