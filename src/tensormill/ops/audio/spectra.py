"""Spectra of sound, as TensorFlow's operations for speech make them: they have no public names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.rearrangement import transpose
from ..conversion import as_tensor
from ..demands import refuse
from ..math.elementwise import square
from ..math.signs import abs as absolute
from ..op import Attr, In, Op, Out
from ..signal.frames_and_spectra import stft
from ..underivable import no_derivative

LEAST_ENERGY = 1e-12


class AudioSpectrogram(Op):
    """How strong which frequencies are, over time.

    input: float32 [samples, channels]. The result is float32 [channels, times, frequencies]:
    magnitudes (or their squares) of the Fourier transforms of `window_size` samples under a Hann
    window, filled with zeros to a power of two, every `stride` samples.
    """

    input = In("f32 n c")
    spectrogram = Out("f32 c t f")
    window_size = Attr(int)
    stride = Attr(int)
    magnitude_squared = Attr(False)

    def demands(self, sizes: Any) -> None:
        if self.window_size < 2 or self.stride < 1:
            refuse(
                InvalidArgumentError,
                "AudioSpectrogram: window_size must be 2 at least and stride 1, got {} and {}",
                self.window_size, self.stride,
            )  # fmt: skip

    def infer(self) -> TensorSpec:
        samples, channels = self.input.shape.entries or (None, None)
        times = None
        if samples is not None:
            times = max(0, (samples - self.window_size) // self.stride + 1)
        frequencies = (1 << (self.window_size - 1).bit_length()) // 2 + 1
        return TensorSpec((channels, times, frequencies), self.input.dtype)

    def expand(self) -> Any:
        transforms = stft(transpose(self.input), self.window_size, self.stride, None, _hann)
        strength = absolute(transforms)
        return square(strength) if self.magnitude_squared else strength


def _hann(length: int, dtype: Any) -> Any:
    """A window that begins again after `length`, which `tf.signal`'s of odd lengths do not."""
    return as_tensor(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(length) / length), dtype)


class Mfcc(Op):
    """Mel frequency cepstral coefficients of spectrograms of energy.

    spectrogram: float32 [channels, times, frequencies], squares of magnitudes; sample_rate: an
    int32 scalar. The result is float32 [channels, times, dct_coefficient_count].
    """

    spectrogram = In("f32 c t f")
    sample_rate = In("i32")
    output = Out("f32 c t n")
    upper_frequency_limit = Attr(4000.0)
    lower_frequency_limit = Attr(20.0)
    filterbank_channel_count = Attr(40)
    dct_coefficient_count = Attr(13)
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        if min(self.filterbank_channel_count, self.dct_coefficient_count) < 1:
            refuse(
                InvalidArgumentError, "Mfcc: {} channels and {} coefficients mean nothing",
                self.filterbank_channel_count, self.dct_coefficient_count,
            )  # fmt: skip
        if self.dct_coefficient_count > self.filterbank_channel_count:
            refuse(
                InvalidArgumentError, "Mfcc: {} coefficients are more than the {} channels",
                self.dct_coefficient_count, self.filterbank_channel_count,
            )  # fmt: skip
        sizes.each(
            self.sample_rate, lambda rate: rate > 0, InvalidArgumentError,
            "Mfcc: sample_rate must be positive, got {it}",
        )  # fmt: skip

    def infer(self) -> TensorSpec:
        channels, times, _ = self.spectrogram.shape.entries or (None, None, None)
        return TensorSpec((channels, times, self.dct_coefficient_count), self.spectrogram.dtype)

    def eager(self, np: Any) -> Any:
        filters = self._filters(np, self.spectrogram.shape[2])
        energy = np.sqrt(self.spectrogram.astype(np.float64)) @ filters
        logarithms = np.log(np.maximum(energy, LEAST_ENERGY))
        return (logarithms @ self._cosines(np, self.filterbank_channel_count)).astype(np.float32)

    def xla(self, xla: Any) -> Any:
        self.sample_rate = xla.constant_of(self.sample_rate, "the sample rate")
        filters = self._filters(np, self.spectrogram.shape[2])
        energy = xla.matmul(xla.np.sqrt(self.spectrogram.astype(np.float64)), filters)
        logarithms = xla.np.log(xla.np.maximum(energy, LEAST_ENERGY))
        cosines = self._cosines(np, self.filterbank_channel_count)
        return xla.matmul(logarithms, cosines).astype(np.float32)

    def _cosines(self, np: Any, count: int) -> Any:
        """What coefficients are made of: [channels, coefficients]."""
        places = np.outer(np.arange(count) + 0.5, np.arange(self.dct_coefficient_count))
        return np.sqrt(2 / count) * np.cos(np.pi / count * places)

    def _filters(self, np: Any, bins: int) -> Any:
        """Triangles that overlap by halves, evenly over the mel scale: [frequencies, channels]."""
        lowest, highest = self.lower_frequency_limit, self.upper_frequency_limit
        count = self.filterbank_channel_count
        width = 0.5 * int(self.sample_rate) / max(bins - 1, 1)
        edges = np.linspace(_mel(lowest), _mel(highest), count + 2)
        mels = _mel(np.arange(bins) * width)[:, None]
        rising = (mels - edges[:-2]) / (edges[1:-1] - edges[:-2])
        falling = (edges[2:] - mels) / (edges[2:] - edges[1:-1])
        first, last = int(1.5 + lowest / width), int(highest / width)
        heard = (np.arange(bins) >= first) & (np.arange(bins) <= last)
        return np.maximum(np.minimum(rising, falling), 0) * heard[:, None]


def _mel(frequency: Any) -> Any:
    return 1127 * np.log1p(frequency / 700)
