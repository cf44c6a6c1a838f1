"""`tf.summary.experimental`: the step of summaries, and their names."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "summary.summaries": "get_step set_step summary_scope write_raw_pb",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.summary.experimental")
