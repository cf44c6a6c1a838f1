"""The public functions of strings that also take ragged tensors.

Not beside the others in `dispatched`, which most programs load.
"""

from __future__ import annotations

from . import hashing, strings, unicode
from .composites import aware, on_values

regex_full_match = on_values(strings.regex_full_match)
regex_replace = on_values(strings.regex_replace)
substr = on_values(strings.substr)
to_hash_bucket_fast = on_values(hashing.to_hash_bucket_fast)
to_hash_bucket_strong = on_values(hashing.to_hash_bucket_strong)
unicode_transcode = on_values(unicode.unicode_transcode)

join = aware(strings.join, "ragged_strings.join")
reduce_join = aware(strings.reduce_join, "ragged_strings.reduce_join")
