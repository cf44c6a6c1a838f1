"""`tf.dtypes.experimental`: numbers of eight bits or fewer."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "core.dtypes": (
        "float4_e2m1fn float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 "
        "float8_e5m2fnuz int2 int4 uint2 uint4"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.dtypes.experimental")
