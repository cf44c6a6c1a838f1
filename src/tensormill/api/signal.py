"""`tf.signal`: Fourier transforms, windows, frames."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.signal.many_axes": "fftnd ifftnd irfftnd rfftnd",
    "ops.signal.modified_cosine": "inverse_mdct mdct",
    "ops.signal.fourier": (
        "fft fft2d fft3d ifft ifft2d ifft3d irfft irfft2d irfft3d rfft rfft2d rfft3d"
    ),
    "ops.signal.shifts": "fftshift ifftshift",
    "ops.signal.cosine": "dct idct",
    "ops.signal.frames_and_spectra": (
        "frame hamming_window hann_window inverse_stft inverse_stft_window_fn "
        "kaiser_bessel_derived_window kaiser_window linear_to_mel_weight_matrix "
        "mfccs_from_log_mel_spectrograms overlap_and_add stft vorbis_window"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
