"""Signals: windows, frames, short-time Fourier transforms, and what is made of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...errors import InvalidArgumentError, KnownShapeError
from ..array.concatenation import concat, stack
from ..array.fill import ones, ones_like
from ..array.fill import range as range_tensor
from ..array.folded_axes import around, innermost
from ..array.gather import gather_densely
from ..array.padding import pad
from ..array.rearrangement import reverse, tile, transpose
from ..array.select import where
from ..array.shapes import expand_dims, reshape, shape_of
from ..array.slicing import slice as slice_of
from ..checks.assertions import assert_positive
from ..conversion import as_tensor, static_int
from ..dispatch.meanings import dispatchable
from ..families import normalize_axis
from ..math.arithmetic import maximum, minimum, square
from ..math.cast import cast
from ..math.circular import cos, sin
from ..math.comparison import equal
from ..math.division import divide_no_nan
from ..math.elementwise import ceil, exp, log, rsqrt, sqrt
from ..math.reduce import reduce_sum
from ..sizes import make_nothing
from .cosine import dct, longer
from .fourier import irfft, rfft

Window = Callable[..., Any]

# ---------------------------------------------------------------- windows


def _places(window_length: Any, dtype: Any) -> tuple[Any, Any]:
    """0, 1, ... up to a length, and the length, as numbers of a dtype."""
    length = as_tensor(window_length, dtypes.int32)
    return cast(range_tensor(length), dtype), length


def _floating(dtype: Any) -> Any:
    found = as_dtype(dtype)
    if not found.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {found!r}")
    return found


def _raised_cosine(length: Any, periodic: Any, dtype: Any, a: float, b: float) -> Any:
    found = _floating(dtype)
    if static_int(length) == 1:
        return ones([1], found)
    places, count = _places(length, found)
    even = 1 - count % 2
    last = cast(count + cast(periodic, dtypes.int32) * even - 1, found)
    turns = cos(places * (2 * math.pi) / last)
    return _one_or(count, as_tensor(a, found) - as_tensor(b, found) * turns)


def _one_or(count: Any, window: Any) -> Any:
    """A window, or where it has but one number 1: there its formula divides by nothing."""
    if static_int(count) is not None:
        return window
    return where(equal(count, 1), ones_like(window), window)


@dispatchable
def hann_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """1/2 - 1/2 cos(2 pi k / n) for k below window_length, of a floating `dtype`.

    n is window_length in a periodic window of even length, else window_length - 1: then both ends
    are 0.

    >>> tf.signal.hann_window(4).numpy().round(3)
    array([0. , 0.5, 1. , 0.5], dtype=float32)
    >>> tf.signal.hann_window(5).numpy().round(3)
    array([0. , 0.5, 1. , 0.5, 0. ], dtype=float32)

    Raises:
        ValueError: dtype is not floating.
    """
    return _raised_cosine(window_length, periodic, dtype, 0.5, 0.5)


@dispatchable
def hamming_window(
    window_length: Any, periodic: Any = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """0.54 - 0.46 cos(2 pi k / n) for k below window_length, of a floating `dtype`.

    n is window_length in a periodic window of even length, else window_length - 1.

    >>> tf.signal.hamming_window(4).numpy().round(3)
    array([0.08, 0.54, 1.  , 0.54], dtype=float32)

    Raises:
        ValueError: dtype is not floating.
    """
    return _raised_cosine(window_length, periodic, dtype, 0.54, 0.46)


@dispatchable
def kaiser_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """I0(beta sqrt(1 - t^2)) / I0(beta), where t goes from -1 to 1 in window_length steps.

    I0 is the modified Bessel function `tf.math.bessel_i0`; a larger `beta` makes a narrower window,
    0 one of ones. The result is [window_length], of a floating `dtype`.

    >>> tf.signal.kaiser_window(5, beta=2.0).numpy().round(3)
    array([0.439, 0.835, 1.   , 0.835, 0.439], dtype=float32)

    Raises:
        ValueError: dtype is not floating.
    """
    from ..math.special import bessel_i0e

    found = _floating(dtype)
    if static_int(window_length) == 1:
        return ones([1], found)
    places, count = _places(window_length, found)
    half = cast(count - 1, found) / 2.0
    inside = maximum(1.0 - square((places - half) / half), 0.0)
    beta = cast(beta, found)
    argument = beta * sqrt(inside)
    return _one_or(count, exp(argument - beta) * bessel_i0e(argument) / bessel_i0e(beta))


@dispatchable
def kaiser_bessel_derived_window(
    window_length: Any, beta: Any = 12.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """The square root of the normalised running sum of a Kaiser window, and its mirror image.

    window_length: even. The squares of the two halves add up to 1, as the modified discrete cosine
    transform needs it. The result is [window_length], of a floating `dtype`.

    >>> window = tf.signal.kaiser_bessel_derived_window(4, beta=2.0)
    >>> window.numpy().round(3)
    array([0.483, 0.875, 0.875, 0.483], dtype=float32)
    >>> (tf.square(window[:2]) + tf.square(window[2:])).numpy().round(3)
    array([1., 1.], dtype=float32)

    Raises:
        ValueError: dtype is not floating.
    """
    from ..math.scan import cumsum

    half = as_tensor(window_length, dtypes.int32) // 2
    known = static_int(window_length)
    running = cumsum(kaiser_window(half + 1 if known is None else known // 2 + 1, beta, dtype))
    rising = sqrt(running[:-1] / running[-1])
    return concat([rising, reverse(rising, [0])], 0)


@dispatchable
def vorbis_window(window_length: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Any:
    """sin(pi / 2 sin^2(pi (k + 1/2) / n)) for k below n = window_length.

    The result is [window_length], of a floating `dtype`
    (https://xiph.org/vorbis/doc/Vorbis_I_spec.html, 4.3.1).

    >>> tf.signal.vorbis_window(4).numpy().round(3)
    array([0.228, 0.974, 0.974, 0.228], dtype=float32)

    Raises:
        ValueError: dtype is not floating.
    """
    found = _floating(dtype)
    places, count = _places(window_length, found)
    inner = sin(math.pi / cast(count, found) * (places + 0.5))
    return sin(square(inner) * (math.pi / 2))


# ---------------------------------------------------------------- frames


@dispatchable
def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    """Pieces of `frame_length` elements along an axis, `frame_step` apart: one axis becomes two.

    signal: [*s, n, *r], any dtype. pad_end: fill the last pieces with `pad_value`; otherwise
    incomplete pieces are left out. The result is [*s, frames, frame_length, *r].

    >>> tf.signal.frame([1, 2, 3, 4, 5], frame_length=3, frame_step=2).numpy()
    array([[1, 2, 3],
           [3, 4, 5]], dtype=int32)
    >>> tf.signal.frame([1, 2, 3, 4], frame_length=3, frame_step=2, pad_end=True).numpy()
    array([[1, 2, 3],
           [3, 4, 0]], dtype=int32)

    Raises:
        InvalidArgumentError: `frame_step` is 0, or there is no such axis.
        KnownShapeError (a ValueError): the signal is a scalar.
    """
    signal = as_tensor(signal)
    rank = signal.shape.rank
    if rank is None:
        return around(
            signal, axis,
            lambda folded: frame(folded, frame_length, frame_step, pad_end, pad_value, 1, name),
        )  # fmt: skip
    if rank == 0:
        raise KnownShapeError("frame: a signal has an axis at least, not the shape ()")
    axis = normalize_axis(axis, rank, "frame")
    known = signal.shape.entries[axis]
    length, step = _plain(frame_length), _plain(frame_step)
    if isinstance(step, int) and not step:
        raise InvalidArgumentError("frame: Integer division by zero: frame_step is 0")
    size: Any = shape_of(signal)[axis] if known is None else known
    if pad_end:
        count = -(-size // step)
        missing = _at_least_zero(length + step * (count - 1) - size)
        sides = [[0, missing if k == axis else 0] for k in range(rank)]
        signal = pad(signal, sides, constant_values=pad_value)
    else:
        count = _at_least_zero(1 + (size - length) // step)
    dims = [*signal.shape.entries[:axis], count, length, *signal.shape.entries[axis + 1 :]]
    shape = [size if size is None else static_int(size) for size in dims]
    if make_nothing(shape):
        none = [0 if k == axis else -1 for k in range(rank)]
        return reshape(slice_of(signal, [0] * rank, none), shape, name=name)
    starts = expand_dims(range_tensor(count) * step, 1)
    return gather_densely(signal, starts + range_tensor(length), axis=axis, name=name)


def _plain(size: Any) -> Any:
    """A size as an int where tracing knows it."""
    known = static_int(size)
    return as_tensor(size, dtypes.int32) if known is None else known


def _at_least_zero(size: Any) -> Any:
    return max(size, 0) if isinstance(size, int) else maximum(size, 0)


@dispatchable
def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Any:
    """The sum of pieces, each `frame_step` after the one before.

    signal: numbers [*s, frames, frame_length]. The result is [*s, (frames - 1) frame_step +
    frame_length].

    >>> tf.signal.overlap_and_add([[1, 1, 1], [10, 10, 10]], frame_step=2).numpy()
    array([ 1,  1, 11, 10, 10], dtype=int32)

    Raises:
        ValueError: the rank of the signal is below 2.
        InvalidArgumentError: frame_step is not positive.
    """
    from ..math.segments import unsorted_segment_sum

    signal, step = as_tensor(signal), as_tensor(frame_step, dtypes.int32)
    rank = signal.shape.rank
    if rank is None:
        return innermost(signal, 2, lambda folded: overlap_and_add(folded, frame_step, name))
    if rank < 2:
        raise ValueError("overlap_and_add needs a signal of rank 2 or more")
    assert_positive(step, message="overlap_and_add: frame_step must be positive")
    sizes = shape_of(signal)
    frames, length = sizes[-2], sizes[-1]
    places = expand_dims(range_tensor(frames) * step, 1) + range_tensor(length)
    order = [rank - 2, rank - 1, *range(rank - 2)]
    summed = unsorted_segment_sum(transpose(signal, order), places, (frames - 1) * step + length)
    return transpose(summed, [*range(1, rank - 1), 0], name=name)


@dispatchable
def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Window | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Any:
    """The Fourier transforms of windowed pieces of signals: when which frequencies sound.

    signals: float32 or float64 [*s, n]. frame_length, frame_step, pad_end: as of `frame`.
    fft_length: by default the least power of two that is not below frame_length. window_fn: called
    as window_fn(frame_length, dtype=dtype); None for no window. The result is complex [*s, frames,
    fft_length / 2 + 1].

    >>> signals = tf.tile([1.0, 0.0, -1.0, 0.0], [4])
    >>> tf.abs(tf.signal.stft(signals, frame_length=4, frame_step=8, window_fn=None)).numpy()
    array([[0., 2., 0.],
           [0., 2., 0.]], dtype=float32)

    Raises:
        ValueError: the signals are not floats.
        InvalidArgumentError: `frame_step` is 0.
    """
    signals = as_tensor(signals)
    length = _power_of_two(frame_length) if fft_length is None else fft_length
    pieces = frame(signals, frame_length, frame_step, pad_end)
    if window_fn is not None:
        pieces = pieces * window_fn(frame_length, dtype=pieces.dtype)
    return rfft(pieces, stack([_plain(length)]), name=name)


def _power_of_two(length: Any) -> Any:
    known = static_int(length)
    if known is not None:
        return 1 << max(known - 1, 0).bit_length()
    wide = cast(length, dtypes.float64)
    exponent = ceil(log(wide) / math.log(2) - 1e-12)
    return cast(as_tensor(2.0, dtypes.float64) ** exponent, dtypes.int32)


@dispatchable
def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Window | None = hann_window,
    name: str | None = None,
) -> Any:
    """Signals from the transforms of their pieces, windowed and added up.

    stfts: complex [*s, frames, fft_length / 2 + 1]. frame_length, frame_step, fft_length: as of
    `stft`. The result is real [*s, (frames - 1) frame_step + frame_length]. With
    `inverse_stft_window_fn(frame_step)` as window the signals of `stft` come back, but for their
    ends.

    >>> stfts = tf.signal.stft([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], frame_length=4, frame_step=2)
    >>> window = tf.signal.inverse_stft_window_fn(2)
    >>> tf.signal.inverse_stft(stfts, 4, 2, window_fn=window)[2:5].numpy().round(3)
    array([3., 4., 5.], dtype=float32)

    Raises:
        ValueError: the rank of `stfts` is below 2.
    """
    stfts = as_tensor(stfts)
    length = _power_of_two(frame_length) if fft_length is None else fft_length
    pieces = irfft(stfts, stack([_plain(length)]))
    size, have = _plain(frame_length), _plain(length)
    pieces = pieces[..., :size]
    missing = _at_least_zero(size - have)
    pieces = longer(pieces, missing)
    if window_fn is not None:
        pieces = pieces * window_fn(frame_length, dtype=pieces.dtype)
    return overlap_and_add(pieces, frame_step, name=name)


@dispatchable
def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Window = hann_window, name: str | None = None
) -> Window:
    """The window that makes `inverse_stft` the inverse of `stft` with `forward_window_fn`.

    It is a function of a frame's length and a `dtype`, as `hann_window` is: the forward window
    divided by the sum of the squares of its overlaps, `frame_step` apart.

    >>> window = tf.signal.inverse_stft_window_fn(2, forward_window_fn=tf.signal.hann_window)
    >>> window(4, dtype=tf.float32).numpy().round(3)
    array([0., 1., 1., 1.], dtype=float32)

    Raises:
        InvalidArgumentError (later): `frame_step` is no integer above 0, or the length below 0.
        ValueError (later): the dtype is not one of floats.
    """

    def window(frame_length: Any, dtype: Any) -> Any:
        step = as_tensor(frame_step)
        if not step.dtype.is_integer or static_int(step) == 0:
            raise InvalidArgumentError(f"frame_step must be an integer above 0, got {frame_step}")
        length, step = _plain(frame_length), _plain(step)
        forward = forward_window_fn(frame_length, dtype=dtype)
        overlaps = -(-length // step)
        padded = pad(square(forward), [[0, overlaps * step - length]])
        total = reduce_sum(reshape(padded, [overlaps, step]), 0, keepdims=True)
        whole = reshape(tile(total, [overlaps, 1]), [overlaps * step])[:length]
        return divide_no_nan(forward, whole)

    return window


# ---------------------------------------------------------------- mel frequencies


@dispatchable
def linear_to_mel_weight_matrix(
    num_mel_bins: int = 20,
    num_spectrogram_bins: int = 129,
    sample_rate: float = 8000,
    lower_edge_hertz: float = 125.0,
    upper_edge_hertz: float = 3800.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Any:
    """Weights [num_spectrogram_bins, num_mel_bins]: triangles of equal width in mel.

    A spectrogram [*s, num_spectrogram_bins], whose bins go from 0 to sample_rate / 2 hertz, times
    them has mel bins between the two edges. A frequency of f hertz is 1127 log(1 + f / 700) mel.

    >>> weights = tf.signal.linear_to_mel_weight_matrix(3, 6, 8000, 0.0, 4000.0)
    >>> weights.numpy().round(2)
    array([[0.  , 0.  , 0.  ],
           [0.4 , 0.6 , 0.  ],
           [0.  , 0.5 , 0.5 ],
           [0.  , 0.  , 0.87],
           [0.  , 0.  , 0.39],
           [0.  , 0.  , 0.  ]], dtype=float32)

    Raises:
        ValueError: there are no mel bins, the edges are below 0, not in order, or above half of
            the sample rate, which is not positive, or dtype is not floating.
    """
    found = _floating(dtype)
    if not (num_mel_bins > 0 and 0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2):
        raise ValueError(
            "num_mel_bins must be positive, lower_edge_hertz non-negative and smaller than "
            "upper_edge_hertz, and this at most half of sample_rate. Got: "
            f"{num_mel_bins}, {lower_edge_hertz}, {upper_edge_hertz}, {sample_rate}"
        )
    edges = np.linspace(_mel(lower_edge_hertz), _mel(upper_edge_hertz), num_mel_bins + 2)
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    if static_int(num_spectrogram_bins) is None:
        places = log(1.0 + _bins_when_run(num_spectrogram_bins, sample_rate) / 700.0) * 1127.0
    else:
        places = _mel(np.linspace(0.0, float(sample_rate) / 2.0, int(num_spectrogram_bins))[1:])
    places = places[:, None]
    rising, falling = (places - lower) / (center - lower), (upper - places) / (upper - center)
    if not isinstance(places, np.ndarray):
        return cast(pad(maximum(0.0, minimum(rising, falling)), [[1, 0], [0, 0]]), found)
    weights = np.maximum(0.0, np.minimum(rising, falling))
    return as_tensor(np.pad(weights, [[1, 0], [0, 0]]).astype(found.storage))


def _bins_when_run(count: Any, sample_rate: Any) -> Any:
    """The frequencies of as many bins as only a run tells, but for the first, in float64."""
    steps = cast(count, dtypes.int32) - 1
    width = float(sample_rate) / 2.0 / cast(steps, dtypes.float64)
    return cast(range_tensor(1, steps + 1), dtypes.float64) * width


def _mel(hertz: Any) -> Any:
    return 1127.0 * np.log1p(np.asarray(hertz) / 700.0)


@dispatchable
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: str | None = None) -> Any:
    """Mel-frequency cepstral coefficients: the cosine transform (type 2) of the logarithms.

    log_mel_spectrograms: float32 or float64 [*s, n]; the result has this shape and dtype. The
    transform is divided by sqrt(2 n).

    >>> tf.signal.mfccs_from_log_mel_spectrograms([[3.0, 1.0]]).numpy().round(3)
    array([[4.   , 1.414]], dtype=float32)

    Raises:
        ValueError: there are no numbers to transform.
    """
    x = as_tensor(log_mel_spectrograms)
    if x.shape.rank and x.shape[-1] == 0:
        raise ValueError(f"num_mel_bins must be positive. Got shape: {x.shape}")
    return dct(x) * rsqrt(cast(shape_of(x)[-1], x.dtype) * 2.0)
