"""`tf.saved_model`: models in files that TensorFlow reads as well."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=saved_model_experimental",
    "module.assets": "Asset",
    "saved_model.load": "load",
    "saved_model.options": (
        "ASSETS_DIRECTORY ASSETS_KEY CLASSIFY_INPUTS CLASSIFY_METHOD_NAME CLASSIFY_OUTPUT_CLASSES "
        "CLASSIFY_OUTPUT_SCORES DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB "
        "DEFAULT_SERVING_SIGNATURE_DEF_KEY GPU LoadOptions PREDICT_INPUTS PREDICT_METHOD_NAME "
        "PREDICT_OUTPUTS REGRESS_INPUTS REGRESS_METHOD_NAME REGRESS_OUTPUTS "
        "SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION SERVING "
        "SaveOptions TPU TRAINING VARIABLES_DIRECTORY VARIABLES_FILENAME"
    ),
    "saved_model.read": "contains_saved_model",
    "saved_model.save": "save",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.saved_model")
