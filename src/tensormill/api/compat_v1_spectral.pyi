# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.spectral`: Fourier and cosine transforms."""

from ..ops.signal.cosine import dct as dct
from ..ops.signal.fourier import fft as fft
from ..ops.signal.fourier import fft2d as fft2d
from ..ops.signal.fourier import fft3d as fft3d
from ..ops.signal.cosine import idct as idct
from ..ops.signal.fourier import ifft as ifft
from ..ops.signal.fourier import ifft2d as ifft2d
from ..ops.signal.fourier import ifft3d as ifft3d
from ..ops.signal.fourier import irfft as irfft
from ..ops.signal.fourier import irfft2d as irfft2d
from ..ops.signal.fourier import irfft3d as irfft3d
from ..ops.signal.fourier import rfft as rfft
from ..ops.signal.fourier import rfft2d as rfft2d
from ..ops.signal.fourier import rfft3d as rfft3d

__all__ = ['dct', 'fft', 'fft2d', 'fft3d', 'idct', 'ifft', 'ifft2d', 'ifft3d', 'irfft', 'irfft2d', 'irfft3d', 'rfft', 'rfft2d', 'rfft3d']
