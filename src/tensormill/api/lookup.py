"""`tf.lookup`: values by key."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=lookup_experimental",
    "module.lookup_tables": "StaticHashTable StaticVocabularyTable",
    "module.table_initializers": "KeyValueTensorInitializer TextFileIndex TextFileInitializer",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
