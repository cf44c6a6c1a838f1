"""Small files of pictures, of every kind that decoders have to know.

Made by Pillow and, what that does not write (16 bits, parts of animations), by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent


def held(name: str) -> bytes:
    """What a file holds."""
    return (HERE / name).read_bytes()


def scalar(text: bytes) -> Any:
    """A string scalar, as an array."""
    found = np.empty((), object)
    found[()] = text
    return found


def file(name: str) -> Any:
    """What a file holds, a string scalar."""
    return scalar(held(name))
