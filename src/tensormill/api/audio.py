"""`tf.audio`: sound files."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.audio.wav": "decode_wav encode_wav",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
