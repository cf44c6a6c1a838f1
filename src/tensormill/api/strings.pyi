# Written by `make stubs` from the table beside it.

"""`tf.strings`: bytes and text."""

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from ..ops.strings.byte_strings import as_string as as_string
from ..ops.strings.splitting import bytes_split as bytes_split
from ..ops.strings.printing import format as format
from ..ops.strings.byte_strings import length as length
from ..ops.strings.byte_strings import lower as lower
from ..ops.strings.splitting import ngrams as ngrams
from ..ops.strings.splitting import split as split
from ..ops.strings.byte_strings import strip as strip
from ..ops.strings.byte_strings import string_to_number as to_number
from ..ops.strings.unicode import unicode_decode as unicode_decode
from ..ops.strings.unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from ..ops.strings.unicode import unicode_encode as unicode_encode
from ..ops.strings.unicode import unicode_split as unicode_split
from ..ops.strings.unicode import unicode_split_with_offsets as unicode_split_with_offsets
from ..ops.strings.splitting import unsorted_segment_join as unsorted_segment_join
from ..ops.strings.byte_strings import upper as upper

__all__ = ['as_string', 'bytes_split', 'format', 'join', 'length', 'lower', 'ngrams', 'reduce_join', 'regex_full_match', 'regex_replace', 'split', 'strip', 'substr', 'to_hash_bucket_fast', 'to_hash_bucket_strong', 'to_number', 'unicode_decode', 'unicode_decode_with_offsets', 'unicode_encode', 'unicode_split', 'unicode_split_with_offsets', 'unicode_transcode', 'unsorted_segment_join', 'upper']

def join(inputs: _Any, separator: _str = '', name: _str | None = None) -> _Any:
    """String tensors joined element by element; scalars go with every element.

    Raises:
        InvalidArgumentError: shapes differ."""

def reduce_join(inputs: _Any, axis: _Any = None, keepdims: _bool = False, separator: _str = '', name: _str | None = None) -> _Any:
    """The strings along `axis` (all axes, by default) joined."""

def regex_full_match(input: _Any, pattern: _Any, name: _str | None = None) -> _Any:
    """Whether `pattern` matches the whole string."""

def regex_replace(input: _Any, pattern: _Any, rewrite: _Any, replace_global: _bool = True, name: _str | None = None) -> _Any:
    """What matches `pattern` replaced by `rewrite`, where \\1 is the first group."""

def substr(input: _Any, pos: _Any, len: _Any, unit: _str = 'BYTE', name: _str | None = None) -> _Any:
    """`len` bytes (or characters) of each string from `pos` on; all three broadcast."""

def to_hash_bucket_fast(input: _Any, num_buckets: _int, name: _str | None = None) -> _Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (FarmHash).

    Raises:
        InvalidArgumentError: num_buckets is below 1."""

def to_hash_bucket_strong(input: _Any, num_buckets: _int, key: _Any, name: _str | None = None) -> _Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (SipHash with `key`).

    Raises:
        InvalidArgumentError: num_buckets is below 1, or `key` has not two integers."""

def unicode_transcode(input: _Any, input_encoding: _str, output_encoding: _str, errors: _str = 'replace', replacement_char: _int = 65533, replace_control_characters: _bool = False, name: _str | None = None) -> _Any:
    """Strings in another encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".

    Raises:
        InvalidArgumentError: bytes are no characters, and errors is "strict"; an unknown encoding."""
