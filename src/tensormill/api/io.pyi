# Written by `make stubs` from the table beside it.

"""`tf.io`: files, and what is in them."""

from ..data.records.options import TFRecordOptions as TFRecordOptions
from ..data.records.record_files import TFRecordWriter as TFRecordWriter
from ..ops.strings.files import decode_raw as decode_raw
from . import io_gfile as gfile
from ..ops.strings.files import matching_files as matching_files
from ..ops.strings.files import read_file as read_file
from ..ops.strings.files import write_file as write_file

__all__ = ['TFRecordOptions', 'TFRecordWriter', 'decode_raw', 'gfile', 'matching_files', 'read_file', 'write_file']
