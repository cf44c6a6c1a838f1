"""`assert`, where a tensor decides."""

from __future__ import annotations

from typing import Any

from .. import logic
from .conditions import condition


def assert_stmt(test: Any, message: Any) -> None:
    """Check when the graph runs: an InvalidArgumentError with the message."""
    text = "assertion failed" if message is None else message
    logic.check_at_run_time(condition(test, "assert statement"), text)
