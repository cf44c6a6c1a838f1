"""`tf.io`: files, and what is in them."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "gfile=io_gfile",
    "version_one.file_names": "match_filenames_once",
    "data.records.options": "TFRecordOptions",
    "data.records.record_files": "TFRecordWriter",
    "graph.serialized.any_messages": "decode_proto encode_proto",
    "graph.serialized.graph_files": "write_graph",
    "graph.serialized.json_examples": "decode_json_example",
    "graph.serialized.sparse_tensors": (
        "deserialize_many_sparse serialize_many_sparse serialize_sparse"
    ),
    "graph.serialized.tensors": "parse_tensor serialize_tensor",
    "ops.image.files.decoding": (
        "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png "
        "decode_webp extract_jpeg_shape is_jpeg"
    ),
    "ops.image.files.encoding": "encode_jpeg encode_png",
    "ops.records.comma_separated": "decode_csv",
    "ops.records.compression": "decode_compressed",
    "ops.records.examples": "parse_example parse_single_example",
    "ops.records.features": (
        "FixedLenFeature FixedLenSequenceFeature RaggedFeature SparseFeature VarLenFeature"
    ),
    "ops.records.sequence_examples": "parse_sequence_example parse_single_sequence_example",
    "ops.strings.base64": "decode_base64 encode_base64",
    "ops.strings.files": "decode_raw matching_files read_file write_file",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
