"""`tf.graph_util`: GraphDefs into graphs."""

from __future__ import annotations

from .lazy import namespace

TABLE = {"graph.proto.graph_import": "import_graph_def"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
