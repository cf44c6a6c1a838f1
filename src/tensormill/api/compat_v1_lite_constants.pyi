# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.lite.constants`: dtypes, and numbers of file formats."""

from ..core.dtypes import float32 as FLOAT
from ..core.dtypes import float16 as FLOAT16
from ..version_one.file_formats import GRAPHVIZ_DOT as GRAPHVIZ_DOT
from ..core.dtypes import int16 as INT16
from ..core.dtypes import int32 as INT32
from ..core.dtypes import int64 as INT64
from ..core.dtypes import int8 as INT8
from ..core.dtypes import uint8 as QUANTIZED_UINT8
from ..core.dtypes import string as STRING
from ..version_one.file_formats import TFLITE as TFLITE

__all__ = ['FLOAT', 'FLOAT16', 'GRAPHVIZ_DOT', 'INT16', 'INT32', 'INT64', 'INT8', 'QUANTIZED_UINT8', 'STRING', 'TFLITE']
