"""`tf.compat.v1.saved_model.signature_constants`: names in signatures."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "saved_model.options": (
        "CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES CLASSIFY_OUTPUT_SCORES "
        "DEFAULT_SERVING_SIGNATURE_DEF_KEY PREDICT_INPUTS PREDICT_METHOD_NAME PREDICT_OUTPUTS "
        "REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS"
    ),
}

PUBLIC = "tf.compat.v1.saved_model.signature_constants"

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, PUBLIC)
