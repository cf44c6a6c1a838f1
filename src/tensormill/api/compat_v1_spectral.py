"""`tf.compat.v1.spectral`: Fourier and cosine transforms."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "ops.signal.fourier": (
        "fft fft2d fft3d ifft ifft2d ifft3d irfft irfft2d irfft3d rfft rfft2d rfft3d"
    ),
    "ops.signal.cosine": "dct idct",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.spectral")
