# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.python_io`: files of records."""

from ..data.records.options import TFRecordCompressionType as TFRecordCompressionType
from ..data.records.options import TFRecordOptions as TFRecordOptions
from ..data.records.record_files import TFRecordWriter as TFRecordWriter
from ..data.records.record_files import tf_record_iterator as tf_record_iterator

__all__ = ['TFRecordCompressionType', 'TFRecordOptions', 'TFRecordWriter', 'tf_record_iterator']
