"""The library whose behaviour is claimed: ours, or TensorFlow with `BEHAVIOURS_OF=tensorflow`.

Each test here carries the numbers of the statements that it claims (README.md). What is marked
`differs` is better here than there: on TensorFlow those tests have to fail.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import pytest

NAME = os.environ.get("BEHAVIOURS_OF", "tensormill")
OURS = NAME == "tensormill"

tf: Any = importlib.import_module(NAME)


def behaviour(*numbers: str) -> pytest.MarkDecorator:
    """The numbers of the statements that a test claims: `@behaviour("F12", "F13")`."""
    return pytest.mark.behaviour(*numbers)


# What TensorFlow does otherwise, on purpose of ours: docs/compatibility.md says so in one line.
differs = pytest.mark.differs
