"""Numbers of the formats that TensorFlow Lite writes (`tf.compat.v1.lite.constants`)."""

from __future__ import annotations

from typing import Final

TFLITE: Final = 2
GRAPHVIZ_DOT: Final = 3
