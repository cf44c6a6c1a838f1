"""`tf.strings`: bytes and text."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.dispatch.strings": (
        "join reduce_join regex_full_match regex_replace substr to_hash_bucket_fast "
        "to_hash_bucket_strong unicode_transcode"
    ),
    "ops.strings.printing": "format",
    "ops.strings.splitting": "bytes_split ngrams split unsorted_segment_join",
    "ops.strings.byte_strings": "as_string length lower strip to_number=string_to_number upper",
    "ops.strings.unicode": (
        "unicode_decode unicode_decode_with_offsets unicode_encode unicode_split "
        "unicode_split_with_offsets"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
