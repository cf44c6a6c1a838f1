"""`tf.io`: files, and what is in them."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "gfile=io_gfile",
    "data.records.options": "TFRecordOptions",
    "data.records.record_files": "TFRecordWriter",
    "ops.strings.files": "decode_raw matching_files read_file write_file",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
