"""`tf.strings`: bytes and text."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.strings.formatting": "format",
    "ops.strings.splitting": "bytes_split ngrams split unsorted_segment_join",
    "ops.strings.byte_strings": ("as_string join length lower reduce_join strip substr upper"),
    "ops.strings.spelled_numbers": "to_number=string_to_number",
    "ops.strings.unicode": (
        "unicode_decode unicode_decode_with_offsets unicode_encode unicode_split "
        "unicode_split_with_offsets unicode_transcode"
    ),
    "ops.strings.scripts": "unicode_script",
    "ops.strings.hashing": "to_hash_bucket to_hash_bucket_fast to_hash_bucket_strong",
    "ops.strings.regular_expressions": "regex_full_match regex_replace",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
