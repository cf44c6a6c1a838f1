"""`tf.compat.v1.io`: files and records, as TensorFlow 1 had them."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "module.queues": "PaddingFIFOQueue PriorityQueue QueueBase RandomShuffleQueue",
    "": "gfile=io_gfile",
    "version_one.file_names": "match_filenames_once",
    "data.records.options": "TFRecordCompressionType TFRecordOptions",
    "data.records.record_files": "TFRecordWriter tf_record_iterator",
    "graph.serialized.any_messages": "decode_proto encode_proto",
    "graph.serialized.graph_files": "write_graph",
    "graph.serialized.json_examples": "decode_json_example",
    "graph.serialized.sparse_tensors": "deserialize_many_sparse",
    "graph.serialized.tensors": "parse_tensor serialize_tensor",
    "ops.image.files.decoding": (
        "decode_and_crop_jpeg decode_bmp decode_gif decode_image decode_jpeg decode_jxl decode_png "
        "decode_webp extract_jpeg_shape is_jpeg"
    ),
    "ops.image.files.encoding": "encode_jpeg encode_png",
    "ops.records.compression": "decode_compressed",
    "ops.records.features": (
        "FixedLenFeature FixedLenSequenceFeature RaggedFeature SparseFeature VarLenFeature"
    ),
    "ops.records.sequence_examples": "parse_sequence_example parse_single_sequence_example",
    "ops.strings.base64": "decode_base64 encode_base64",
    "ops.strings.files": "matching_files read_file write_file",
    "version_one.records": (
        "decode_csv decode_raw parse_example parse_single_example serialize_many_sparse "
        "serialize_sparse"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.io")
