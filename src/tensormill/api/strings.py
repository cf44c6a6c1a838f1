"""`tf.strings`: bytes and text."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.hashing": "to_hash_bucket_fast to_hash_bucket_strong",
    "ops.printing": "format",
    "ops.string_rows": "bytes_split ngrams split",
    "ops.strings": (
        "as_string join length lower reduce_join regex_full_match regex_replace strip substr "
        "to_number=string_to_number upper"
    ),
    "ops.unicode": (
        "unicode_decode unicode_decode_with_offsets unicode_encode unicode_split "
        "unicode_split_with_offsets unicode_transcode"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
