"""`tensorflow.__internal__.register_...`: functions that clients leave for TensorFlow to call."""

from __future__ import annotations

from typing import Any


def keep_hook(*hook: Any) -> None:
    """Nothing: what such a function is asked for (sessions, state to clear) is not kept here."""


_uses_mixed_precision = False


def set_using_mixed_precision_policy(is_used: bool) -> None:
    """Note whether a policy of a client's computes in another dtype than it stores."""
    global _uses_mixed_precision
    _uses_mixed_precision = is_used


def is_mixed_precision_graph_rewrite_enabled() -> bool:
    """Whether graphs are rewritten to compute in float16: never."""
    return False
