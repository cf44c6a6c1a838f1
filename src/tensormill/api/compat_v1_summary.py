"""`tf.compat.v1.summary`: messages for TensorBoard that graphs make."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "graph.proto.session_messages": (
        "Event SessionLog Summary SummaryDescription TaggedRunMetadata"
    ),
    "version_one.event_writer": "FileWriter FileWriterCache",
    "version_one.summaries": (
        "all_v2_summary_ops audio get_summary_description histogram image initialize merge "
        "merge_all scalar tensor_summary text"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.summary")
