"""`tf.lookup`: values by key."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=lookup_experimental",
    "module.lookup_tables": (
        "KeyValueTensorInitializer StaticHashTable StaticVocabularyTable TextFileIndex "
        "TextFileInitializer"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
