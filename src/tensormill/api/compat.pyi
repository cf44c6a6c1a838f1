# Written by `make stubs` from the table beside it.

"""`tf.compat`: text and bytes, and the kinds of numbers."""

from builtins import bytes as _bytes
from builtins import str as _str
from ..core.text import as_bytes as as_bytes
from ..core.text import as_str_any as as_str_any
from ..core.text import as_text as as_text
from ..core.text import bytes_or_text_types as bytes_or_text_types
from ..core.text import complex_types as complex_types
from ..core.dimension import dimension_at_index as dimension_at_index
from ..core.dimension import dimension_value as dimension_value
from ..core.process.forward_compatibility import forward_compatibility_horizon as forward_compatibility_horizon
from ..core.process.forward_compatibility import forward_compatible as forward_compatible
from ..core.text import integral_types as integral_types
from ..core.text import path_to_str as path_to_str
from ..core.text import real_types as real_types
from . import compat_v1 as v1

__all__ = ['as_bytes', 'as_str', 'as_str_any', 'as_text', 'bytes_or_text_types', 'complex_types', 'dimension_at_index', 'dimension_value', 'forward_compatibility_horizon', 'forward_compatible', 'integral_types', 'path_to_str', 'real_types', 'v1']

def as_str(bytes_or_text: _str | _bytes, encoding: _str = 'utf-8') -> _str:
    """Text, bytes decoded.

    >>> tf.compat.as_str(b"n\\xc3\\xa9"), tf.compat.as_str("as it is")
    ('né', 'as it is')

    Raises:
        TypeError: it is neither.
        UnicodeDecodeError: the bytes are no text in `encoding`."""
