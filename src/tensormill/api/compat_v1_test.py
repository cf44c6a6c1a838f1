"""`tf.compat.v1.test`: test cases, and what helps them."""

from __future__ import annotations

from . import test
from .lazy import joined, namespace

TABLE = joined(
    test,
    {
        "testing.stubs": "StubOutForTesting",
        "testing.folders": "get_temp_dir test_src_dir_path",
        "version_one.functions.assertions": "assert_equal_graph_def",
        "version_one.gradient_checks": "compute_gradient compute_gradient_error",
    },
)

# A module of Python's: who walks over namespaces would never end.
UNLISTED = {"testing.stubs": "mock"}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.test", unlisted=UNLISTED)
