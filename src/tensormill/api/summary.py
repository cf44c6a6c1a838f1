"""`tf.summary`: what TensorBoard shows."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=summary_experimental",
    "summary.function_traces": "graph trace_export trace_off trace_on",
    "summary.summaries": (
        "SummaryWriter audio create_file_writer create_noop_writer flush histogram image "
        "record_if scalar should_record_summaries text write"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
