"""`tf.data`."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=data_experimental",
    "data.dataset": "AUTOTUNE Dataset=DatasetV2 DatasetSpec",
    "data.files": ("FixedLengthRecordDataset TFRecordDataset TextLineDataset"),
    "data.iterators": "Iterator=IteratorBase IteratorSpec NumpyIterator",
    "data.nodes.node": "INFINITE_CARDINALITY=INFINITE UNKNOWN_CARDINALITY=UNKNOWN",
    "data.options": "Options ThreadingOptions",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
