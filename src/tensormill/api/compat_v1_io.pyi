# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.io`: files and records, as TensorFlow 1 had them."""

from ..data.records.options import TFRecordCompressionType as TFRecordCompressionType
from ..data.records.options import TFRecordOptions as TFRecordOptions
from ..data.records.record_files import TFRecordWriter as TFRecordWriter
from . import io_gfile as gfile
from ..ops.strings.files import matching_files as matching_files
from ..ops.strings.files import read_file as read_file
from ..data.records.record_files import tf_record_iterator as tf_record_iterator
from ..ops.strings.files import write_file as write_file

__all__ = ['TFRecordCompressionType', 'TFRecordOptions', 'TFRecordWriter', 'gfile', 'matching_files', 'read_file', 'tf_record_iterator', 'write_file']
