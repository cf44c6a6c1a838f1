"""`tf.compat.v1.lite`: what programs name of TensorFlow Lite."""

from __future__ import annotations

from .lazy import namespace
from .top import GONE

TABLE = {"": "constants=compat_v1_lite_constants"}
LIBRARY: dict[str, str] = dict.fromkeys(
    ("Interpreter", "TFLiteConverter", "TocoConverter"), GONE["lite"]
)

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.lite", gone=LIBRARY)
