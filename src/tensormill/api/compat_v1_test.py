"""`tf.compat.v1.test`: test cases, and what helps them."""

from __future__ import annotations

from . import test
from .lazy import joined, namespace

TABLE = joined(
    test,
    {
        "version_one.functions.various": "assert_equal_graph_def",
    },
    without="compute_gradient",
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.test")
