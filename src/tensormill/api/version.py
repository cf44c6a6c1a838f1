"""`tf.version`: which TensorFlow, which tensormill."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "eager.version": (
        "COMPILER_VERSION GIT_VERSION GRAPH_DEF_VERSION GRAPH_DEF_VERSION_MIN_CONSUMER "
        "GRAPH_DEF_VERSION_MIN_PRODUCER TENSORMILL VERSION"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
