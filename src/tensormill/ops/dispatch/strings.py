"""The public functions of strings that also take ragged tensors.

Not beside the others in `dispatched`, which most programs load.
"""

from __future__ import annotations

from ..composites import aware, on_values
from ..strings import byte_strings, hashing, regular_expressions, unicode

regex_full_match = on_values(regular_expressions.regex_full_match)
regex_replace = on_values(regular_expressions.regex_replace)
substr = on_values(byte_strings.substr)
to_hash_bucket_fast = on_values(hashing.to_hash_bucket_fast)
to_hash_bucket_strong = on_values(hashing.to_hash_bucket_strong)
unicode_transcode = on_values(unicode.unicode_transcode)

join = aware(byte_strings.join, "ragged.strings.join")
reduce_join = aware(byte_strings.reduce_join, "ragged.strings.reduce_join")
