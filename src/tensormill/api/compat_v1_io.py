"""`tf.compat.v1.io`: files and records, as TensorFlow 1 had them."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "gfile=io_gfile",
    "data.records.options": "TFRecordCompressionType TFRecordOptions",
    "data.records.record_files": "TFRecordWriter tf_record_iterator",
    "ops.strings.files": "matching_files read_file write_file",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.io")
