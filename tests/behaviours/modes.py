"""The two ways in which a function runs; most claims hold in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.behaviours.library import tf

MODES: dict[str, Callable[[Any], Any]] = {"eager": lambda f: f, "traced": tf.function}
both = pytest.mark.parametrize("mode", list(MODES.values()), ids=list(MODES))


def traced(body: Any, *arguments: Any) -> Any:
    """What `body`, which AutoGraph leaves as it is, returns when it is a traced function."""
    return tf.function(body, autograph=False)(*arguments)
