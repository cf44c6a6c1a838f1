"""`tf.compat.v1.io`: files and records, as TensorFlow 1 had them."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "gfile=io_gfile",
    "data.records.options": "TFRecordCompressionType TFRecordOptions",
    "data.records.record_files": "TFRecordWriter tf_record_iterator",
    "ops.image.files.decoding": (
        "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png "
        "decode_webp extract_jpeg_shape is_jpeg"
    ),
    "ops.image.files.encoding": "encode_jpeg encode_png",
    "ops.strings.files": "matching_files read_file write_file",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.io")
