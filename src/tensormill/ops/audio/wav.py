"""WAV files of 16-bit samples, read and written.

Format: Multimedia Programming Interface and Data Specifications 1.0 (1991), "Waveform Audio".
"""

from __future__ import annotations

import struct
from collections import namedtuple
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import api, bind
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import Attr, In, Op, Out

LARGEST_CHUNK: Final = (1 << 31) - 1
PCM: Final = 1

WavResult = namedtuple("DecodeWav", "audio sample_rate")


class Sound(NamedTuple):
    """What a file holds: [samples, channels] of int16."""

    samples: np.ndarray[Any, Any]
    rate: int


class WavReader:
    """Takes the parts of a file one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data: Final = data
        self.place = 0

    def take(self, count: int) -> bytes:
        """The next bytes.

        Raises:
            InvalidArgumentError: there are not so many.
        """
        taken = self.data[self.place : self.place + count]
        if len(taken) < count:
            wrong(f"it breaks off: {count} bytes are expected at {self.place}, {len(taken)} left")
        self.place += count
        return taken

    def word(self, expected: bytes) -> None:
        """Pass over four letters.

        Raises:
            InvalidArgumentError: others stand there.
        """
        if (found := self.take(4)) != expected:
            wrong(f"{expected.decode()!r} is expected at {self.place - 4}, got {found!r}")

    def number(self) -> int:
        return int.from_bytes(self.take(4), "little")


def wrong(what: str) -> Any:
    """Refuse a file.

    Raises:
        InvalidArgumentError: always.
    """
    raise InvalidArgumentError(f"Invalid WAV data: {what}")


def sound_of(data: bytes) -> Sound:
    """The samples of a file.

    Raises:
        InvalidArgumentError: it is damaged, or holds other samples than PCM of 16 bits.
    """
    reader = WavReader(data)
    reader.word(b"RIFF")
    reader.number()  # the size of the file, which those who stream do not know
    reader.word(b"WAVE")
    channels, rate = _format(reader)
    samples: Any = None
    while reader.place < len(data):
        tag, size = reader.take(4), reader.number()
        if size > LARGEST_CHUNK:
            wrong(f"its chunk {tag!r} has {size} bytes, but {LARGEST_CHUNK} are the most")
        if tag != b"data":
            reader.place += size
            continue
        if samples is not None:
            wrong("it has more than one data chunk")
        count = size // (2 * channels)
        samples = np.frombuffer(reader.take(count * 2 * channels), "<i2").reshape(count, channels)
    if samples is None:
        return wrong("it has no data chunk")
    return Sound(samples, rate)


def _format(reader: WavReader) -> tuple[int, int]:
    """Channels and rate."""
    reader.word(b"fmt ")
    size = reader.number()
    if size not in (16, 18):
        wrong(f"its format chunk has {size} bytes, but 16 or 18 are expected")
    coding, channels, rate, per_second, per_sample, bits = struct.unpack_from(
        "<HHIIHH", reader.take(size)
    )
    if coding != PCM:
        wrong(f"samples must be PCM (1), but their coding is {coding}")
    if bits != 16:
        wrong(f"samples must have 16 bits, but have {bits}")
    if not channels or rate > LARGEST_CHUNK:
        wrong(f"it says {channels} channels, {rate} samples a second")
    if per_sample != 2 * channels or per_second != rate * per_sample:
        wrong(
            f"{channels} channels and {rate} samples a second do not fit {per_sample} bytes for one"
            f" of each channel and {per_second} bytes a second"
        )
    return channels, rate


def samples_of(audio: Any) -> Any:
    """Float32 in [-1, 1) as int16; what lies outside becomes the nearest that does not, and halves
    are rounded away from zero.
    """
    scaled = np.clip(np.nan_to_num(audio, posinf=1, neginf=-1) * 32768, -32768, 32767)
    return np.trunc(scaled + np.copysign(np.float32(0.5), scaled)).astype(np.int16)


def file_of(samples: Any, rate: int) -> bytes:
    """The file of int16 samples [samples, channels]."""
    width, size = 2 * samples.shape[1], 2 * samples.size
    header = struct.pack(
        "<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size & 0xFFFFFFFF, b"WAVE", b"fmt ", 16, PCM,
        samples.shape[1], rate, rate * width & 0xFFFFFFFF, width, 16, b"data", size & 0xFFFFFFFF,
    )  # fmt: skip
    return header + samples.astype("<i2").tobytes()


# ---------------------------------------------------------------- operations


class DecodeWav(Op):
    """The samples of a WAV file."""

    contents = In("str")
    audio = Out("f32 n c")
    sample_rate = Out("i32")
    desired_channels = Attr(-1)
    desired_samples = Attr(-1)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        for name, value in (("channels", self.desired_channels), ("samples", self.desired_samples)):
            if value < -1:
                refuse(InvalidArgumentError, "desired_{} must be >= -1, got {}", name, value)

    def infer(self) -> tuple[TensorSpec, TensorSpec]:
        shape = tuple(
            None if size < 0 else size for size in (self.desired_samples, self.desired_channels)
        )
        return TensorSpec(shape, dtypes.float32), TensorSpec((), dtypes.int32)

    def eager(self, np: Any) -> tuple[Any, Any]:
        samples, rate = sound_of(self.contents[()])
        if self.desired_channels >= 0:
            chosen = np.minimum(np.arange(self.desired_channels), samples.shape[1] - 1)
            samples = samples[:, chosen]
        if self.desired_samples >= 0:
            samples = samples[: self.desired_samples]
            missing = self.desired_samples - len(samples)
            samples = np.pad(samples, ((0, missing), (0, 0)))
        return samples.astype(np.float32) / np.float32(32768), np.array(rate, np.int32)


@dispatchable
def decode_wav(
    contents: Any, desired_channels: int = -1, desired_samples: int = -1, name: str | None = None
) -> WavResult:
    """The samples of a WAV file of 16 bits, and how many there are in a second.

    contents: a string scalar. The results are float32 [samples, channels] in [-1, 1), and an int32
    scalar. desired_channels: the last channel is repeated, or some are left out, until there are so
    many. desired_samples: zeros are added, or the end is cut off.

    >>> audio, rate = tf.audio.decode_wav(tf.audio.encode_wav([[0.5], [-0.5]], 8000))
    >>> audio.numpy().tolist(), int(rate)
    ([[0.5], [-0.5]], 8000)

    Raises:
        InvalidArgumentError: the file is damaged, or holds other samples than PCM of 16 bits.
    """
    attrs = {"desired_channels": desired_channels, "desired_samples": desired_samples}
    return WavResult(*bind(DecodeWav, contents, name=name, **attrs))


class EncodeWav(Op):
    """A WAV file of 16 bits.

    audio: float32 [samples, channels] in [-1, 1]: what lies outside becomes the nearest that does
    not. sample_rate: an int32 scalar, the samples in a second. The result is a string scalar.

    >>> len(tf.audio.encode_wav([[0.5], [-0.5]], 8000).numpy())
    48

    Raises:
        InvalidArgumentError: there are no channels, or the rate is not positive.
    """

    audio = In("f32 n c")
    sample_rate = In("i32")
    contents = Out("str")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        channels = sizes.shape(self.audio)[1]
        fits = (channels > 0) & (channels < 1 << 16)
        sizes.require_late(
            fits, InvalidArgumentError, "num_channels must be in (0, 2^16), got: {}", channels
        )
        sizes.each(
            self.sample_rate, lambda rate: rate > 0, InvalidArgumentError,
            "sample_rate must be in (0, 2^32), got: {it}",
        )  # fmt: skip

    def eager(self, np: Any) -> Any:
        found = np.empty((), object)
        found[()] = file_of(samples_of(self.audio), int(self.sample_rate))
        return found


encode_wav = api(EncodeWav)
