"""`tf.compat.v1.SummaryMetadata`: the message that says which plugin shows a summary."""

from __future__ import annotations

from typing import Any, Final

from .messages import message

SummaryMetadata: Final[Any] = message("SummaryMetadata")
