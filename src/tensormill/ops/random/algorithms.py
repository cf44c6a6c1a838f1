"""Which algorithm makes random words: Philox, TensorFlow's choice on every processor."""

from __future__ import annotations

import enum
from typing import Any


class Algorithm(enum.Enum):
    """How random words are made. Here it is always Philox."""

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def algorithm_number(algorithm: Any) -> int:
    """1, which is Philox.

    Raises:
        ValueError: another algorithm, or none of that name.
    """
    if said_number(algorithm) != 1:
        raise ValueError(f"Argument `alg` got unsupported value {algorithm}. Supported is philox.")
    return 1


def said_number(algorithm: Any) -> int:
    """1 for Philox, 2 for Threefry.

    Raises:
        ValueError: there is none of that name or number.
    """
    names = {"philox": 1, "auto_select": 1, "threefry": 2}
    number = algorithm.value if isinstance(algorithm, Algorithm) else algorithm
    if isinstance(algorithm, str):
        number = names.get(algorithm.lower())
    if number not in (1, 2, 3):
        raise ValueError(f"Argument `alg` got unsupported value {algorithm}. Supported is philox.")
    return 1 if number == 3 else number
