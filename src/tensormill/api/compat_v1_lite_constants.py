"""`tf.compat.v1.lite.constants`: dtypes, and numbers of file formats."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.dtypes": (
        "FLOAT=float32 FLOAT16=float16 INT16=int16 INT32=int32 INT64=int64 INT8=int8 "
        "QUANTIZED_UINT8=uint8 STRING=string"
    ),
    "version_one.file_formats": "GRAPHVIZ_DOT TFLITE",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.lite.constants")
