"""`tf.dtypes`: element types and casts."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=dtypes_experimental",
    "core.dtypes": (
        "DType as_dtype bool=bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
        "float32 float64 bfloat16 half double complex64 complex128 string resource variant "
        "QUANTIZED_DTYPES qint8 qint16 qint32 quint8 quint16"
    ),
    "ops.math.cast": "cast saturate_cast",
    "ops.math.complex": "complex",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
