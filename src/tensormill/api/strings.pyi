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

    inputs: a list of string tensors, each of shape [...] or []. The result has the shape
    [...]; of no tensors it is one "".

    >>> tf.strings.join(["x", ["1", "2"]], separator="-").numpy()
    array([b'x-1', b'x-2'], dtype=object)

    Raises:
        InvalidArgumentError: shapes differ, or an input is no string."""

def reduce_join(inputs: _Any, axis: _Any = None, keepdims: _bool = False, separator: _str = '', name: _str | None = None) -> _Any:
    """The strings along `axis` (all axes, by default) joined.

    inputs: string of any shape. axis: an int or several; along the one named first strings are
    joined first. The result lacks these axes, or has them with size 1 if `keepdims`.

    >>> tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=1, separator="+").numpy()
    array([b'a+b', b'c+d'], dtype=object)

    Raises:
        InvalidArgumentError: `inputs` has no such axis, or an axis is named twice."""

def regex_full_match(input: _Any, pattern: _Any, name: _str | None = None) -> _Any:
    """Whether `pattern` matches the whole string.

    input: string [...]; the result is bool of its shape. pattern: a regular expression of RE2's,
    or a scalar tensor of one.

    >>> tf.strings.regex_full_match(["ab", "abc"], "[ab]+").numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: `pattern` is no regular expression, or `input` is no string."""

def regex_replace(input: _Any, pattern: _Any, rewrite: _Any, replace_global: _bool = True, name: _str | None = None) -> _Any:
    """What matches `pattern` replaced by `rewrite`, where \\1 is the first group and \\0 all of it.

    input: string [...]; the result has its shape. pattern, rewrite: strings, or scalar tensors of
    them; patterns are RE2's. replace_global: all that matches, or only what does so first.

    >>> tf.strings.regex_replace(["a1b22", "c"], "[0-9]+", "#").numpy()
    array([b'a#b#', b'c'], dtype=object)

    Raises:
        InvalidArgumentError: `pattern` is no regular expression, `rewrite` names a group that it
            does not have, or `input` is no string."""

def substr(input: _Any, pos: _Any, len: _Any, unit: _str = 'BYTE', name: _str | None = None) -> _Any:
    """`len` bytes (or characters, if `unit` is "UTF8_CHAR") of each string from `pos` on.

    input: string; pos, len: int32 or int64, both of the same dtype; all three broadcast, to the
    shape of the result. pos < 0 counts from the end; where fewer than `len` are left, these are
    given.

    >>> tf.strings.substr(["hello", "world"], [1, -2], [3, 9]).numpy()
    array([b'ell', b'ld'], dtype=object)

    Raises:
        InvalidArgumentError: `pos` lies outside of a string, or there is no such unit."""

def to_hash_bucket_fast(input: _Any, num_buckets: _int, name: _str | None = None) -> _Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (FarmHash).

    input: string [...]; the result has its shape. It is the same on every machine.

    >>> tf.strings.to_hash_bucket_fast(["apple", "pear", "apple"], 10).numpy()
    array([1, 8, 1])

    Raises:
        InvalidArgumentError: num_buckets is below 1."""

def to_hash_bucket_strong(input: _Any, num_buckets: _int, key: _Any, name: _str | None = None) -> _Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (SipHash with `key`).

    input: string [...]; the result has its shape. key: two integers; who doesn't know them cannot
    tell which strings share a bucket.

    >>> tf.strings.to_hash_bucket_strong(["apple", "pear", "apple"], 10, key=[1, 2]).numpy()
    array([3, 5, 3])

    Raises:
        InvalidArgumentError: num_buckets is below 1, or `key` has not two integers."""

def unicode_transcode(input: _Any, input_encoding: _str, output_encoding: _str, errors: _str = 'replace', replacement_char: _int = 65533, replace_control_characters: _bool = False, name: _str | None = None) -> _Any:
    """Strings in another encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".

    input: string [...]; the result has its shape. The other arguments are those of
    `unicode_decode`.

    >>> tf.strings.unicode_transcode(["A", "é"], "UTF-8", "UTF-16-BE").numpy()
    array([b'\\x00A', b'\\x00\\xe9'], dtype=object)

    Raises:
        InvalidArgumentError: bytes are no characters, and errors is "strict"; an unknown encoding."""
