# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.strings`: functions of strings with the arguments that they had."""

from ..ops.strings.byte_strings import as_string as as_string
from ..ops.strings.splitting import bytes_split as bytes_split
from ..ops.strings.formatting import format as format
from ..ops.strings.byte_strings import join as join
from ..version_one.functions.strings import length as length
from ..ops.strings.byte_strings import lower as lower
from ..ops.strings.splitting import ngrams as ngrams
from ..version_one.functions.strings import reduce_join as reduce_join
from ..ops.strings.regular_expressions import regex_full_match as regex_full_match
from ..ops.strings.regular_expressions import regex_replace as regex_replace
from ..version_one.functions.strings import split as split
from ..ops.strings.byte_strings import strip as strip
from ..version_one.functions.strings import substr as substr
from ..version_one.functions.strings import to_hash_bucket as to_hash_bucket
from ..ops.strings.hashing import to_hash_bucket_fast as to_hash_bucket_fast
from ..ops.strings.hashing import to_hash_bucket_strong as to_hash_bucket_strong
from ..version_one.functions.strings import to_number as to_number
from ..ops.strings.unicode import unicode_decode as unicode_decode
from ..ops.strings.unicode import unicode_decode_with_offsets as unicode_decode_with_offsets
from ..ops.strings.unicode import unicode_encode as unicode_encode
from ..ops.strings.scripts import unicode_script as unicode_script
from ..ops.strings.unicode import unicode_split as unicode_split
from ..ops.strings.unicode import unicode_split_with_offsets as unicode_split_with_offsets
from ..ops.strings.unicode import unicode_transcode as unicode_transcode
from ..ops.strings.splitting import unsorted_segment_join as unsorted_segment_join
from ..ops.strings.byte_strings import upper as upper

__all__ = ['as_string', 'bytes_split', 'format', 'join', 'length', 'lower', 'ngrams', 'reduce_join', 'regex_full_match', 'regex_replace', 'split', 'strip', 'substr', 'to_hash_bucket', 'to_hash_bucket_fast', 'to_hash_bucket_strong', 'to_number', 'unicode_decode', 'unicode_decode_with_offsets', 'unicode_encode', 'unicode_script', 'unicode_split', 'unicode_split_with_offsets', 'unicode_transcode', 'unsorted_segment_join', 'upper']
