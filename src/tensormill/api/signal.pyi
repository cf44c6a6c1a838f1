# Written by `make stubs` from the table beside it.

"""`tf.signal`: Fourier transforms, windows, frames."""

from ..ops.signal.cosine import dct as dct
from ..ops.signal.fourier import fft as fft
from ..ops.signal.fourier import fft2d as fft2d
from ..ops.signal.fourier import fft3d as fft3d
from ..ops.signal.many_axes import fftnd as fftnd
from ..ops.signal.shifts import fftshift as fftshift
from ..ops.signal.frames_and_spectra import frame as frame
from ..ops.signal.frames_and_spectra import hamming_window as hamming_window
from ..ops.signal.frames_and_spectra import hann_window as hann_window
from ..ops.signal.cosine import idct as idct
from ..ops.signal.fourier import ifft as ifft
from ..ops.signal.fourier import ifft2d as ifft2d
from ..ops.signal.fourier import ifft3d as ifft3d
from ..ops.signal.many_axes import ifftnd as ifftnd
from ..ops.signal.shifts import ifftshift as ifftshift
from ..ops.signal.modified_cosine import inverse_mdct as inverse_mdct
from ..ops.signal.frames_and_spectra import inverse_stft as inverse_stft
from ..ops.signal.frames_and_spectra import inverse_stft_window_fn as inverse_stft_window_fn
from ..ops.signal.fourier import irfft as irfft
from ..ops.signal.fourier import irfft2d as irfft2d
from ..ops.signal.fourier import irfft3d as irfft3d
from ..ops.signal.many_axes import irfftnd as irfftnd
from ..ops.signal.frames_and_spectra import kaiser_bessel_derived_window as kaiser_bessel_derived_window
from ..ops.signal.frames_and_spectra import kaiser_window as kaiser_window
from ..ops.signal.frames_and_spectra import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from ..ops.signal.modified_cosine import mdct as mdct
from ..ops.signal.frames_and_spectra import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
from ..ops.signal.frames_and_spectra import overlap_and_add as overlap_and_add
from ..ops.signal.fourier import rfft as rfft
from ..ops.signal.fourier import rfft2d as rfft2d
from ..ops.signal.fourier import rfft3d as rfft3d
from ..ops.signal.many_axes import rfftnd as rfftnd
from ..ops.signal.frames_and_spectra import stft as stft
from ..ops.signal.frames_and_spectra import vorbis_window as vorbis_window

__all__ = ['dct', 'fft', 'fft2d', 'fft3d', 'fftnd', 'fftshift', 'frame', 'hamming_window', 'hann_window', 'idct', 'ifft', 'ifft2d', 'ifft3d', 'ifftnd', 'ifftshift', 'inverse_mdct', 'inverse_stft', 'inverse_stft_window_fn', 'irfft', 'irfft2d', 'irfft3d', 'irfftnd', 'kaiser_bessel_derived_window', 'kaiser_window', 'linear_to_mel_weight_matrix', 'mdct', 'mfccs_from_log_mel_spectrograms', 'overlap_and_add', 'rfft', 'rfft2d', 'rfft3d', 'rfftnd', 'stft', 'vorbis_window']
