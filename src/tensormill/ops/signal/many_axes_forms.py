"""Fourier transforms along several axes, under the names that TensorFlow's operations have."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ..bind import api
from ..families import Rephrased
from ..op import COMPLEX, Attr, In, Out, types, usually
from . import many_axes


class FFTND(Rephrased):
    """The discrete Fourier transform along the axes, each cut or filled to its length.

    >>> tf.fftnd(tf.ones([2, 2], tf.complex64), [2, 2], [0, 1]).numpy().real
    array([[4., 0.],
           [0., 0.]], dtype=float32)

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted.
    """

    input = In("Tcomplex ...")
    fft_length = In("i32 n")
    axes = In("i32 n")
    output = Out("Tcomplex ...")
    Tcomplex = COMPLEX
    usual = usually(Tcomplex="c64")

    def expand(self) -> Any:
        return many_axes.fftnd(self.input, self.fft_length, self.axes)


class IFFTND(Rephrased):
    """What undoes FFTND.

    input: complex numbers [...]. fft_length, axes: integers, as many of both. Along each of the
    axes the result has its length.

    >>> tf.ifftnd(tf.ones([2, 2], tf.complex64), [2, 2], [0, 1]).numpy().real
    array([[1., 0.],
           [0., 0.]], dtype=float32)

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted.
    """

    input = In("Tcomplex ...")
    fft_length = In("i32 n")
    axes = In("i32 n")
    output = Out("Tcomplex ...")
    Tcomplex = COMPLEX
    usual = usually(Tcomplex="c64")

    def expand(self) -> Any:
        return many_axes.ifftnd(self.input, self.fft_length, self.axes)


class RFFTND(Rephrased):
    """FFTND of real numbers: half of the last axis, which says all.

    >>> tf.rfftnd(tf.ones([2, 4]), [2, 4], [0, 1]).shape
    TensorShape([2, 3])

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted.
    """

    input = In("Treal ...")
    fft_length = In("i32 n")
    axes = In("i32 n")
    output = Out("Tcomplex ...")
    Tcomplex = Attr(dtypes.complex64, COMPLEX)
    Treal = types("f32 f64")
    usual = usually(Treal="f32")
    keeps_taken = True

    def expand(self) -> Any:
        return many_axes.rfftnd(self.input, self.fft_length, self.axes)


class IRFFTND(Rephrased):
    """What undoes RFFTND.

    input: complex numbers [...]. fft_length, axes: integers, as many of both. Along each of the
    axes the result has its length.

    >>> tf.irfftnd(tf.ones([2, 3], tf.complex64), [2, 4], [0, 1]).shape
    TensorShape([2, 4])

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted.
    """

    input = In("Tcomplex ...")
    fft_length = In("i32 n")
    axes = In("i32 n")
    output = Out("Treal ...")
    Treal = Attr(dtypes.float32, types("f32 f64"))
    Tcomplex = COMPLEX
    usual = usually(Tcomplex="c64")

    def expand(self) -> Any:
        return many_axes.irfftnd(self.input, self.fft_length, self.axes)


fftnd = api(FFTND)
ifftnd = api(IFFTND)
rfftnd = api(RFFTND)
irfftnd = api(IRFFTND)
