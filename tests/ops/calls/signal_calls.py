"""Calls of signal processing, written for TensorFlow and for us alike."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call, gradient

X = np.cos(np.arange(16.0) * 1.7).astype(np.float32)
D, MATRIX = X.astype(np.float64), X.astype(np.float64).reshape(4, 4)
CUBE = X.reshape(2, 2, 4)
Z = (X[:9] + 1j * X[7:]).astype(np.complex64)
N = np.int32(5)


def weighted(tf: Any, spectrum: Any) -> Any:
    return tf.math.real(spectrum) ** 2 + 3.0 * tf.math.imag(spectrum)


def roundtrip(tf: Any, x: Any) -> Any:
    window = tf.signal.inverse_stft_window_fn(2)
    return tf.signal.inverse_stft(tf.signal.stft(x, 4, 2), 4, 2, window_fn=window)


CALLS: dict[str, Call] = {
    "fft": (lambda tf, x: tf.signal.fft(tf.cast(x, tf.complex64)), [X]),
    "ifft2d of fft2d": (
        lambda tf, x: tf.signal.ifft2d(tf.signal.fft2d(tf.cast(x, tf.complex128)) ** 2), [MATRIX],
    ),
    "fft3d": (lambda tf, x: tf.signal.fft3d(tf.cast(x, tf.complex64)), [CUBE]),
    "rfft": (lambda tf, x: tf.signal.rfft(x), [D]),
    "rfft of a length": (lambda tf, x: tf.signal.rfft(x, [10]), [X]),
    "rfft of a longer length": (lambda tf, x: tf.signal.rfft(x, [21]), [X]),
    "rfft2d": (lambda tf, x: tf.signal.rfft2d(x, [3, 6]), [MATRIX]),
    "irfft": (lambda tf, x: tf.signal.irfft(x), [Z]),
    "irfft of a length": (lambda tf, x: tf.signal.irfft(x, [9]), [Z]),
    "irfft2d": (lambda tf, x: tf.signal.irfft2d(tf.signal.rfft2d(x)), [MATRIX]),
    "fftshift": (lambda tf, x: tf.signal.fftshift(x[:5]), [X]),
    "ifftshift": (lambda tf, x: tf.signal.ifftshift(x, axes=[1]), [MATRIX]),
    "hann_window": (lambda tf, n: tf.signal.hann_window(n), [N]),
    "hann_window, not periodic": (lambda tf, n: tf.signal.hann_window(n + 1, False), [N]),
    "hamming_window": (lambda tf, n: tf.signal.hamming_window(n, dtype=tf.float64), [N]),
    "kaiser_window": (lambda tf, n: tf.signal.kaiser_window(n, 8.0), [N]),
    "kaiser_bessel_derived_window": (
        lambda tf, n: tf.signal.kaiser_bessel_derived_window(n + 1), [N],
    ),
    "vorbis_window": (lambda tf, n: tf.signal.vorbis_window(n), [N]),
    "frame": (lambda tf, x: tf.signal.frame(x, 5, 3), [X]),
    "frame, padded": (lambda tf, x: tf.signal.frame(x, 5, 3, True, -1), [MATRIX]),
    "frame of an axis": (lambda tf, x: tf.signal.frame(x, 2, 1, axis=0), [MATRIX]),
    "frame of nothing": (lambda tf, x: tf.signal.frame(x, 20, 3), [X]),
    "overlap_and_add": (lambda tf, x: tf.signal.overlap_and_add(x, 2), [CUBE]),
    "stft": (lambda tf, x: tf.signal.stft(x, 5, 3), [X]),
    "stft without a window": (
        lambda tf, x: tf.signal.stft(x, 5, 3, 6, window_fn=None, pad_end=True), [MATRIX],
    ),
    "inverse_stft": (lambda tf, x: tf.signal.inverse_stft(tf.signal.stft(x, 4, 2), 4, 2), [X]),
    "inverse_stft of a window": (roundtrip, [X]),
    "dct": (lambda tf, x: [tf.signal.dct(x, kind) for kind in (1, 2, 3, 4)], [D]),
    "dct, orthonormal": (
        lambda tf, x: [tf.signal.dct(x, kind, norm="ortho") for kind in (2, 3, 4)], [D],
    ),
    "dct of a length": (lambda tf, x: tf.signal.dct(x, n=5), [D]),
    "idct": (lambda tf, x: tf.signal.idct(x, norm="ortho"), [MATRIX]),
    "linear_to_mel_weight_matrix": (
        lambda tf, x: x[0] + tf.signal.linear_to_mel_weight_matrix(4, 9, 8000), [X],
    ),
    "mfccs": (lambda tf, x: tf.signal.mfccs_from_log_mel_spectrograms(x), [X]),
}  # fmt: skip
WAVE = np.sin(np.arange(64.0)).astype(np.float32).reshape(2, 32)
CALLS |= {
    "mdct": (lambda tf, x: tf.signal.mdct(x, 8), [WAVE]),
    "mdct, orthonormal": (lambda tf, x: tf.signal.mdct(x, 8, norm="ortho"), [WAVE]),
    "mdct, padded": (lambda tf, x: tf.signal.mdct(x, 12, pad_end=True), [WAVE]),
    "mdct without a window": (lambda tf, x: tf.signal.mdct(x, 8, window_fn=None), [WAVE]),
    "mdct of another window": (
        lambda tf, x: tf.signal.mdct(x, 8, tf.signal.kaiser_bessel_derived_window), [WAVE],
    ),
    "mdct of 64 bits": (lambda tf, x: tf.signal.mdct(x, 8), [WAVE.astype(np.float64)]),
    "mdct of an odd length": (lambda tf, x: tf.signal.mdct(x, 6), [WAVE]),
    "mdct of another norm": (lambda tf, x: tf.signal.mdct(x, 8, norm="other"), [WAVE]),
    "inverse_mdct": (lambda tf, x: tf.signal.inverse_mdct(x), [WAVE.reshape(8, 8)]),
    "inverse_mdct, orthonormal": (
        lambda tf, x: tf.signal.inverse_mdct(x, norm="ortho"), [WAVE.reshape(8, 8)],
    ),
    "inverse_mdct without a window": (
        lambda tf, x: tf.signal.inverse_mdct(x, window_fn=None), [WAVE.reshape(2, 4, 8)],
    ),
    "gradient of mdct": (
        gradient(lambda tf, x: tf.signal.inverse_mdct(tf.signal.mdct(x, 8) ** 2)), [WAVE],
    ),
}  # fmt: skip
CALLS |= {
    "gradient of fft": (
        gradient(lambda tf, x: weighted(tf, tf.signal.fft(tf.cast(x, tf.complex128)))), [D],
    ),
    "gradient of ifft2d": (
        gradient(lambda tf, x: weighted(tf, tf.signal.ifft2d(tf.cast(x, tf.complex128)))),
        [MATRIX],
    ),
    "gradient of rfft": (gradient(lambda tf, x: weighted(tf, tf.signal.rfft(x))), [D]),
    "gradient of rfft, odd": (gradient(lambda tf, x: weighted(tf, tf.signal.rfft(x))), [D[:7]]),
    "gradient of rfft2d": (gradient(lambda tf, x: weighted(tf, tf.signal.rfft2d(x))), [MATRIX]),
    "gradient of irfft": (gradient(lambda tf, x: tf.signal.irfft(x) ** 2), [Z]),
    "gradient of irfft2d": (
        gradient(lambda tf, x: tf.signal.irfft2d(tf.cast(x, tf.complex128)) ** 2), [MATRIX],
    ),
    "gradient of stft": (gradient(lambda tf, x: weighted(tf, tf.signal.stft(x, 5, 3))), [X]),
    "gradient of dct": (gradient(lambda tf, x: tf.signal.dct(x) ** 2), [D]),
}  # fmt: skip
