"""`tf.compat.v1.python_io`: files of records."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "data.records.options": "TFRecordCompressionType TFRecordOptions",
    "data.records.record_files": "TFRecordWriter tf_record_iterator",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.python_io")
