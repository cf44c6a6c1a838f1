"""`tf.compat.v1.saved_model.signature_def_utils`: signatures."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.saved_models": "build_signature_def predict_signature_def",
    "version_one.signatures": (
        "MethodNameUpdater classification_signature_def is_valid_signature regression_signature_def"
    ),
}

__getattr__, __dir__, __all__ = namespace(
    __name__, TABLE, "tf.compat.v1.saved_model.signature_def_utils"
)
