# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.dtypes`: element types and casts."""

from ..core.dtypes import DType as DType
from ..core.dtypes import QUANTIZED_DTYPES as QUANTIZED_DTYPES
from ..core.dtypes import as_dtype as as_dtype
from ..ops.strings.byte_strings import as_string as as_string
from ..core.dtypes import bfloat16 as bfloat16
from ..core.dtypes import bool_ as bool
from ..ops.math.cast import cast as cast
from ..ops.math.complex import complex as complex
from ..core.dtypes import complex128 as complex128
from ..core.dtypes import complex64 as complex64
from ..core.dtypes import double as double
from . import dtypes_experimental as experimental
from ..core.dtypes import float16 as float16
from ..core.dtypes import float32 as float32
from ..core.dtypes import float64 as float64
from ..core.dtypes import half as half
from ..core.dtypes import int16 as int16
from ..core.dtypes import int32 as int32
from ..core.dtypes import int64 as int64
from ..core.dtypes import int8 as int8
from ..core.dtypes import qint16 as qint16
from ..core.dtypes import qint32 as qint32
from ..core.dtypes import qint8 as qint8
from ..core.dtypes import quint16 as quint16
from ..core.dtypes import quint8 as quint8
from ..core.dtypes import resource as resource
from ..ops.math.cast import saturate_cast as saturate_cast
from ..core.dtypes import string as string
from ..core.dtypes import uint16 as uint16
from ..core.dtypes import uint32 as uint32
from ..core.dtypes import uint64 as uint64
from ..core.dtypes import uint8 as uint8
from ..core.dtypes import variant as variant

__all__ = ['DType', 'QUANTIZED_DTYPES', 'as_dtype', 'as_string', 'bfloat16', 'bool', 'cast', 'complex', 'complex128', 'complex64', 'double', 'experimental', 'float16', 'float32', 'float64', 'half', 'int16', 'int32', 'int64', 'int8', 'qint16', 'qint32', 'qint8', 'quint16', 'quint8', 'resource', 'saturate_cast', 'string', 'uint16', 'uint32', 'uint64', 'uint8', 'variant']
