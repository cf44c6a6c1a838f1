"""The modified discrete cosine transform, of frames that overlap by half.

A frame (a, b, c, d) is folded to half its length, (-c_r - d, a - b_r), and transformed by cosines
of type 4; where frames are added again the folds cancel (J. P. Princen, A. W. Johnson,
A. B. Bradley: Subband/transform coding using filter bank designs based on time domain aliasing
cancellation, ICASSP 1987).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..array.concatenation import concat, split
from ..array.rearrangement import reverse
from ..array.shapes import shape_of
from ..conversion import as_tensor, static_int
from ..dispatch.meanings import dispatchable
from ..math.cast import cast
from .cosine import dct
from .frames_and_spectra import frame, overlap_and_add, vorbis_window

Window = Callable[..., Any]


@dispatchable
def mdct(
    signals: Any,
    frame_length: Any,
    window_fn: Window | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The modified discrete cosine transform: [..., samples] to [..., frames, frame_length / 2].

    signals: float32 or float64. frame_length: a multiple of 4; each frame begins half of it after
    the one before. window_fn: called with the length and `dtype`; None is a rectangle of the height
    sqrt(1/2). pad_end: zeros are added where the last frame is not full. norm: None, or "ortho" for
    the transform that keeps lengths.

    >>> tf.signal.mdct(tf.ones([8]), 4, norm="ortho").shape
    TensorShape([3, 2])

    Raises:
        ValueError: the length is no multiple of 4, or `norm` is none of these.
    """
    require_norm(norm)
    signals, length = as_tensor(signals), static_int(frame_length)
    if length is not None and length % 4:
        raise ValueError("The frame length must be a multiple of 4.")
    half = length // 2 if length is not None else frame_length // 2
    frames = frame(signals, frame_length, half, pad_end)
    windowed = frames * window(window_fn, frame_length, signals.dtype)
    first, second, third, fourth = split(windowed, 4, axis=-1)
    folded = concat([-reverse(third, [-1]) - fourth, first - reverse(second, [-1])], -1)
    return dct(folded, type=4, norm=norm)


@dispatchable
def inverse_mdct(
    mdcts: Any,
    window_fn: Window | None = vorbis_window,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The signals of modified discrete cosine transforms: [..., frames, n] to [..., samples].

    window_fn, norm: as of `mdct`. Samples are (frames + 1) n; the first and the last n, which only
    one frame covers, are not what they were.

    Floats of any dtype, which the result has.

    >>> signal = tf.range(16.)
    >>> again = tf.signal.inverse_mdct(tf.signal.mdct(signal, 4))
    >>> np.abs(again[2:-2] - signal[2:-2]).max() < 1e-5
    np.True_

    Raises:
        ValueError: `norm` is none of these.
    """
    require_norm(norm)
    mdcts = as_tensor(mdcts)
    known = mdcts.shape[-1]
    if known is None:
        known = shape_of(mdcts)[-1]
    scale = 1.0 if norm == "ortho" else 0.5 / cast(known, mdcts.dtype)
    left, right = split(dct(mdcts, type=4, norm=norm) * scale, 2, axis=-1)
    frames = concat([right, -reverse(right, [-1]), -reverse(left, [-1]), -left], -1)
    return overlap_and_add(frames * window(window_fn, 2 * known, mdcts.dtype), known)


def window(window_fn: Window | None, length: Any, dtype: Any) -> Any:
    return math.sqrt(0.5) if window_fn is None else window_fn(length, dtype=dtype)


def require_norm(norm: str | None) -> None:
    """Refuse another `norm`.

    Raises:
        ValueError: it is another one.
    """
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
