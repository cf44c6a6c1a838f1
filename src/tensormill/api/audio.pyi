# Written by `make stubs` from the table beside it.

"""`tf.audio`: sound files."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..ops.audio.wav import decode_wav as decode_wav

__all__ = ['decode_wav', 'encode_wav']

def encode_wav(audio: _Any, sample_rate: _Any, name: _Any = None) -> _Tensor:
    """A WAV file of 16 bits.

    audio: float32 [samples, channels] in [-1, 1]: what lies outside becomes the nearest that does
    not. sample_rate: an int32 scalar, the samples in a second. The result is a string scalar.

    >>> len(tf.audio.encode_wav([[0.5], [-0.5]], 8000).numpy())
    48

    Raises:
        InvalidArgumentError: there are no channels, or the rate is not positive."""
