# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.io`: files and records, as TensorFlow 1 had them."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.records.features import FixedLenFeature as FixedLenFeature
from ..ops.records.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from ..module.queues import PaddingFIFOQueue as PaddingFIFOQueue
from ..module.queues import PriorityQueue as PriorityQueue
from ..module.queues import QueueBase as QueueBase
from ..ops.records.features import RaggedFeature as RaggedFeature
from ..module.queues import RandomShuffleQueue as RandomShuffleQueue
from ..ops.records.features import SparseFeature as SparseFeature
from ..data.records.options import TFRecordCompressionType as TFRecordCompressionType
from ..data.records.options import TFRecordOptions as TFRecordOptions
from ..data.records.record_files import TFRecordWriter as TFRecordWriter
from ..ops.records.features import VarLenFeature as VarLenFeature
from ..ops.image.files.decoding import decode_and_crop_jpeg as decode_and_crop_jpeg
from ..version_one.records import decode_csv as decode_csv
from ..ops.image.files.decoding import decode_image as decode_image
from ..ops.image.files.decoding import decode_jpeg as decode_jpeg
from ..graph.serialized.json_examples import decode_json_example as decode_json_example
from ..ops.image.files.decoding import decode_png as decode_png
from ..graph.serialized.any_messages import decode_proto as decode_proto
from ..version_one.records import decode_raw as decode_raw
from ..graph.serialized.sparse_tensors import deserialize_many_sparse as deserialize_many_sparse
from ..graph.serialized.any_messages import encode_proto as encode_proto
from ..ops.image.files.decoding import extract_jpeg_shape as extract_jpeg_shape
from . import io_gfile as gfile
from ..ops.image.files.decoding import is_jpeg as is_jpeg
from ..version_one.file_names import match_filenames_once as match_filenames_once
from ..ops.strings.files import matching_files as matching_files
from ..version_one.records import parse_example as parse_example
from ..ops.records.sequence_examples import parse_sequence_example as parse_sequence_example
from ..version_one.records import parse_single_example as parse_single_example
from ..ops.records.sequence_examples import parse_single_sequence_example as parse_single_sequence_example
from ..graph.serialized.tensors import parse_tensor as parse_tensor
from ..ops.strings.files import read_file as read_file
from ..version_one.records import serialize_many_sparse as serialize_many_sparse
from ..version_one.records import serialize_sparse as serialize_sparse
from ..graph.serialized.tensors import serialize_tensor as serialize_tensor
from ..data.records.record_files import tf_record_iterator as tf_record_iterator
from ..ops.strings.files import write_file as write_file
from ..graph.serialized.graph_files import write_graph as write_graph

__all__ = ['FixedLenFeature', 'FixedLenSequenceFeature', 'PaddingFIFOQueue', 'PriorityQueue', 'QueueBase', 'RaggedFeature', 'RandomShuffleQueue', 'SparseFeature', 'TFRecordCompressionType', 'TFRecordOptions', 'TFRecordWriter', 'VarLenFeature', 'decode_and_crop_jpeg', 'decode_base64', 'decode_bmp', 'decode_compressed', 'decode_csv', 'decode_gif', 'decode_image', 'decode_jpeg', 'decode_json_example', 'decode_jxl', 'decode_png', 'decode_proto', 'decode_raw', 'decode_webp', 'deserialize_many_sparse', 'encode_base64', 'encode_jpeg', 'encode_png', 'encode_proto', 'extract_jpeg_shape', 'gfile', 'is_jpeg', 'match_filenames_once', 'matching_files', 'parse_example', 'parse_sequence_example', 'parse_single_example', 'parse_single_sequence_example', 'parse_tensor', 'read_file', 'serialize_many_sparse', 'serialize_sparse', 'serialize_tensor', 'tf_record_iterator', 'write_file', 'write_graph']

def decode_base64(input: _Any, name: _Any = None) -> _Tensor:
    """What strings in base64, with `-` and `_`, say; `=` at the end may be there or not.

    input: string [...]; the result has its shape.

    >>> tf.io.decode_base64(["YQ", "YQ==", "aGVsbG8"]).numpy()
    array([b'a', b'a', b'hello'], dtype=object)

    Raises:
        InvalidArgumentError: a string is not in base64."""

def decode_bmp(contents: _Any, channels: _Any = 0, name: _Any = None) -> _Tensor:
    """The pixels of a BMP file without compression, of 8, 24 or 32 bits for a pixel.

    contents: a string scalar. The result is uint8 [height, width, channels]. channels: 0 (those of
    the file), 3 (RGB) or 4 (RGBA). A table of colours does not count: 8 bits are grey.

    >>> header = b"BM" + bytes(8) + np.int32([30, 0, 1, 1]).tobytes() + b"\\x01\\x00\\x18\\x00"
    >>> tf.io.decode_bmp(header + bytes([3, 2, 1, 0])).numpy()
    array([[[1, 2, 3]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format."""

def decode_compressed(bytes: _Any, compression_type: _Any = '', name: _Any = None) -> _Tensor:
    """What compressed strings hold.

    bytes: string [...]; the result has its shape. compression_type: "ZLIB", "GZIP" or "" (none). Of
    data that are cut off, what is there is taken.

    >>> import zlib
    >>> tf.io.decode_compressed(zlib.compress(b"hello"), compression_type="ZLIB").numpy()
    b'hello'

    Raises:
        InvalidArgumentError: the compression is unknown.
        DataLossError: the data are damaged."""

def decode_gif(contents: _Any, name: _Any = None) -> _Tensor:
    """The pictures of a GIF file (or the one of a JPEG, PNG or WebP file).

    contents: a string scalar. The result is uint8 [pictures, height, width, 3]. Where a picture is
    smaller than the largest, or transparent, the one before shows; before the first it is black.

    >>> file = b"GIF89a" + bytes([1, 0, 1, 0, 0x80, 0, 0, 7, 8, 9, 0, 0, 0])
    >>> file += b"," + bytes([0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]) + b";"
    >>> tf.io.decode_gif(file).numpy()
    array([[[[7, 8, 9]]]], dtype=uint8)

    Raises:
        InvalidArgumentError: the file is damaged, too large, or of another format.
        ImportError: the extra `tensormill[image]` is not installed."""

def decode_jxl(contents: _Any, channels: _Any = 0, dtype: _Any = ..., name: _Any = None) -> _Tensor:
    """The pixels of a file that is no JPEG XL file: those cannot be decoded here.

    contents: a string scalar. The result is uint8 [height, width, channels].

    >>> tf.io.decode_jxl(b"\\xff\\x0a")
    Traceback (most recent call last):
        ...
    tensormill.errors.UnimplementedError: DecodeJxl: JPEG XL files cannot be decoded here: ...

    Raises:
        UnimplementedError: it is a JPEG XL file.
        InvalidArgumentError: the file is damaged, too large, or of another format."""

def decode_webp(contents: _Any, channels: _Any = 0, dtype: _Any = ..., name: _Any = None) -> _Tensor:
    """The pictures of a WebP file (or the one of a JPEG or PNG file).

    contents: a string scalar. The result is uint8 [pictures, height, width, channels]. channels: 0
    (those of the file), 3 (RGB) or 4 (RGBA), which must be those of the file: animations have 4.

    >>> tf.io.decode_webp(tf.io.encode_png(np.zeros([2, 3, 4], np.uint8))).shape
    TensorShape([1, 2, 3, 4])

    Raises:
        InvalidArgumentError: the file is damaged, too large, of another format, or has other
            channels.
        ImportError: the extra `tensormill[image]` is not installed."""

def encode_base64(input: _Any, pad: _Any = False, name: _Any = None) -> _Tensor:
    """Strings in base64, with `-` and `_`; filled up with `=` to a multiple of 4 if `pad`.

    input: string [...]; the result has its shape.

    >>> tf.io.encode_base64([b"a", b"hello"]).numpy()
    array([b'YQ', b'aGVsbG8'], dtype=object)

    Raises:
        DTypeMismatchError: `input` are not strings."""

def encode_jpeg(image: _Any, format: _Any = '', quality: _Any = 95, progressive: _Any = False, optimize_size: _Any = False, chroma_downsampling: _Any = True, density_unit: _Any = 'in', x_density: _Any = 300, y_density: _Any = 300, xmp_metadata: _Any = '', name: _Any = None) -> _Tensor:
    """A JPEG file of a picture.

    image: uint8 [height, width, channels], of 1 or 3 channels. The result is a string scalar.
    format: "grayscale" or "rgb", where the number of channels shall be checked. quality: 0 (small)
    to 100 (good). progressive: it can be shown while it is loaded. optimize_size: smaller, for more
    time. chroma_downsampling: half as many colours each way. density_unit, x_density, y_density:
    pixels per inch ("in") or centimetre ("cm"), which the file says. xmp_metadata: a text that it
    holds.

    >>> file = tf.io.encode_jpeg(np.zeros([4, 5, 3], np.uint8), quality=80)
    >>> tf.io.extract_jpeg_shape(file).numpy()
    array([4, 5, 3], dtype=int32)

    Raises:
        InvalidArgumentError: there are other channels, or no such quality.
        InternalError: nothing is in the picture.
        ImportError: the extra `tensormill[image]` is not installed."""

def encode_png(image: _Any, compression: _Any = -1, name: _Any = None) -> _Tensor:
    """PNG files of pictures.

    image: uint8 or uint16 [..., height, width, channels], of 1 (grey), 2 (with alpha), 3 (RGB) or 4
    (RGBA) channels. The result is string [...]. compression: 0 (none) to 9 (most), or -1.

    >>> file = tf.io.encode_png(np.zeros([4, 5, 3], np.uint8))
    >>> tf.io.decode_png(file).shape
    TensorShape([4, 5, 3])

    Raises:
        InvalidArgumentError: there are other channels, or no such compression.
        InternalError: nothing is in a picture."""
