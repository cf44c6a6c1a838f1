"""Which TensorFlow the library behaves like, and which library it is."""

from __future__ import annotations

from typing import Final

VERSION: Final = "2.21.0"  # TensorFlow's: clients compare it
GIT_VERSION: Final = f"v{VERSION}"
COMPILER_VERSION: Final = "LLVM, through llvmlite"
GRAPH_DEF_VERSION: Final = 2474
GRAPH_DEF_VERSION_MIN_CONSUMER: Final = 0
GRAPH_DEF_VERSION_MIN_PRODUCER: Final = 0
TENSORMILL: Final = "0.1.0"
