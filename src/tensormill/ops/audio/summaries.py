"""Sounds as messages for TensorBoard, in the form of TensorFlow 1."""

from __future__ import annotations

import struct
from typing import Any

from ...core.files.varints import varint
from ...errors import InvalidArgumentError
from ..demands import refuse
from ..op import Attr, In, Op, Out
from .wav import file_of, samples_of

# Fields of the messages Summary, Summary.Value and Summary.Audio, as numbers and kinds of protobuf.
VALUE, TAG, AUDIO, FILE, CONTENT_TYPE = b"\x0a", b"\x0a", b"\x32", b"\x22", b"\x2a"
RATE, CHANNELS, LENGTH = b"\x0d", b"\x10", b"\x18"


def sized(field: bytes, content: bytes) -> bytes:
    return field + varint(len(content)) + content


def audio_message(samples: Any, rate: float) -> bytes:
    """A Summary.Audio of float32 samples [frames, channels]."""
    frames, channels = samples.shape
    return b"".join([
        RATE, struct.pack("<f", rate), CHANNELS, varint(channels), LENGTH, varint(frames),
        sized(FILE, file_of(samples_of(samples), int(rate))), sized(CONTENT_TYPE, b"audio/wav"),
    ])  # fmt: skip


class AudioSummaryV2(Op):
    """A Summary of sounds, serialized.

    tag: a string scalar; tensor: float32 [n, samples, channels] or [n, samples], of which the first
    `max_outputs` count; sample_rate: a float32 scalar. The result is a string scalar.
    """

    tag = In("str")
    tensor = In("f32 ...")
    sample_rate = In("f32")
    summary = Out("str")
    max_outputs = Attr(3)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if self.max_outputs < 1:
            refuse(InvalidArgumentError, "max_outputs must be 1 at least, got {}", self.max_outputs)
        sizes.each(
            self.sample_rate, lambda rate: rate > 0, InvalidArgumentError,
            "sample_rate must be > 0, got {it}",
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        sounds, tag = self.tensor, self.tag[()]
        if sounds.ndim not in (2, 3):
            raise InvalidArgumentError(f"Tensor must be 3-D or 2-D, got: {list(sounds.shape)}")
        sounds = sounds[: self.max_outputs]
        sounds = sounds[..., None] if sounds.ndim == 2 else sounds
        message = b""
        for number, sound in enumerate(sounds):
            suffix = b"/audio" if self.max_outputs == 1 else b"/audio/%d" % number
            content = audio_message(sound, float(self.sample_rate))
            message += sized(VALUE, sized(TAG, tag + suffix) + sized(AUDIO, content))
        found = np.empty((), object)
        found[()] = message
        return found
