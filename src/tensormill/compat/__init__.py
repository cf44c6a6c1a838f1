"""Standing in for TensorFlow: programs that say `import tensorflow` get tensormill."""

from __future__ import annotations

from .alias import install as install

__all__ = ["install"]
