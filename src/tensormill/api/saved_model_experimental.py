"""`tf.saved_model.experimental`: parts of models with a state of their own."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "module.assets": "TrackableResource",
    "saved_model.fingerprint": "Fingerprint=SavedModelFingerprint read_fingerprint",
    "saved_model.options": "VariablePolicy",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.saved_model.experimental")
