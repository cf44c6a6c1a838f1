"""`tf.compat.v1.saved_model.constants`: names of files and collections."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "saved_model.options": (
        "ASSETS_DIRECTORY ASSETS_KEY DEBUG_DIRECTORY DEBUG_INFO_FILENAME_PB LEGACY_INIT_OP_KEY "
        "MAIN_OP_KEY "
        "SAVED_MODEL_FILENAME_PB SAVED_MODEL_FILENAME_PBTXT SAVED_MODEL_SCHEMA_VERSION "
        "VARIABLES_DIRECTORY VARIABLES_FILENAME"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.saved_model.constants")
