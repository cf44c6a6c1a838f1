"""`tf.compat.v1.profiler`: how many parameters a graph has, and what its operations calculate."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "graph.serialized.profiler_messages": "AdviceProto OpLogProto",
    "graph.proto.session_messages": "GraphNodeProto MultiGraphNodeProto",
    "version_one.profiles.options": "ProfileOptionBuilder",
    "version_one.profiles.profile": "profile",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.profiler")
