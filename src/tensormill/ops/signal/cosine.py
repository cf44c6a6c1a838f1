"""Cosine transforms of types 1 to 4, by Fourier transforms and products."""

from __future__ import annotations

import math
from typing import Any

from ...core import dtypes
from ..array.concatenation import concat, stack
from ..array.fill import range as range_tensor
from ..array.fill import zeros
from ..array.padding import pad
from ..array.rearrangement import reverse
from ..array.select import where
from ..array.shapes import rank as rank_of
from ..array.shapes import shape_of
from ..checks.assertions import Assert
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.circular import cos, sin
from ..math.comparison import not_equal
from ..math.complex import complex as complex_of
from ..math.complex import real
from ..math.elementwise import rsqrt, sqrt
from .fourier import irfft, rfft


@dispatchable
def dct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The cosine transform (of type 1 to 4) of each row, cropped or padded to `n`.

    Type 2 is 2 times the sum of x[j] cos(pi k (2 j + 1) / 2 n), type 3 its inverse but for a
    factor.

    input: float32 or float64 [*s, m]; the result is [*s, n], n being m by default. norm: None, or
    "ortho" for an orthonormal one (types 2, 3, 4).

    >>> tf.signal.dct([3.0, 1.0]).numpy().round(3)
    array([8.   , 2.828], dtype=float32)
    >>> tf.signal.dct([3.0, 1.0], norm="ortho").numpy().round(3)
    array([2.828, 1.414], dtype=float32)

    Raises:
        ValueError: there is no such type or norm; `n` is not positive; rows of one element have no
            type 1 (an InvalidArgumentError where only a run knows).
        NotImplementedError: `axis` is not -1.
    """
    _require_cosine(type, axis, norm)
    x = as_tensor(input, None, None if hasattr(input, "dtype") else dtypes.float32)
    if n is not None:
        if n < 1:
            raise ValueError("n should be a positive integer or None")
        x = x[..., :n]
        missing = maximum(n - shape_of(x)[-1], 0)
        x = longer(x, missing)
    if type == 1:
        _require_two(x)
    return _COSINE[type](x, norm == "ortho")


def longer(x: Any, missing: Any) -> Any:
    """Rows with that many zeros after them."""
    if x.shape.rank is not None:
        return pad(x, [*[[0, 0]] * (x.shape.rank - 1), [0, missing]])
    none = zeros([rank_of(x) - 1, 2], dtypes.int32)
    return pad(x, concat([none, [[0, missing]]], 0))


def _require_cosine(type: int, axis: int, norm: str | None) -> None:
    if axis != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if type not in (1, 2, 3, 4):
        raise ValueError("Types I, II, III and IV (I)DCT are supported.")
    if norm not in (None, "ortho"):
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")


def _require_two(x: Any) -> None:
    """Check that rows are longer than 1: at once, or when the program gets here."""
    refusal = "Type-I DCT requires the dimension to be greater than one."
    size = x.shape[-1] if x.shape.rank else None
    if size == 1:
        raise ValueError(refusal)
    if size is None and x.shape.rank != 0:
        Assert(not_equal(shape_of(x)[-1], 1), [refusal])


@dispatchable
def idct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Any:
    """The inverse of the cosine transform of that type, but for a factor unless norm is "ortho".

    input, n, norm: as of `dct`. The factor is 2 n, of type 1 2 (n - 1).

    >>> tf.signal.idct(tf.signal.dct([1.0, 2.0, 4.0])).numpy().round(3)
    array([ 6., 12., 24.], dtype=float32)
    >>> tf.signal.idct(tf.signal.dct([1.0, 2.0, 4.0], norm="ortho"), norm="ortho").numpy().round(3)
    array([1., 2., 4.], dtype=float32)

    Raises:
        ValueError: there is no such type or norm; `n` is not positive.
        NotImplementedError: `axis` is not -1.
    """
    _require_cosine(type, axis, norm)
    return dct(input, {1: 1, 2: 3, 3: 2, 4: 4}[type], n, axis, norm, name)


def _dct1(x: Any, is_orthonormal: bool) -> Any:
    mirrored = concat([x, reverse(x, [-1])[..., 1:-1]], -1)
    return real(rfft(mirrored))


def _turns(x: Any, sign: float) -> tuple[Any, Any, Any]:
    """2 exp(+-i pi k / 2n) for k below n, the length of the rows; n as an int, and as a float."""
    count = shape_of(x)[-1]
    size = cast(count, x.dtype)
    angle = cast(range_tensor(count), x.dtype) * (sign * math.pi / 2) / size
    return complex_of(2.0 * cos(angle), 2.0 * sin(angle)), count, size


def _dct2(x: Any, is_orthonormal: bool) -> Any:
    scale, count, size = _turns(x, -1.0)
    found = real(rfft(x, stack([2 * count]))[..., :count] * scale)
    if not is_orthonormal:
        return found
    first = 0.5 * rsqrt(size)
    return found * _first_and_others(first, first * math.sqrt(2.0), count)


def _first_and_others(first: Any, others: Any, count: Any) -> Any:
    return where(range_tensor(count) < 1, first, others)


def _dct3(x: Any, is_orthonormal: bool) -> Any:
    scale, count, size = _turns(x, 1.0)
    if is_orthonormal:
        first = sqrt(size)
        x = x * _first_and_others(first, first * math.sqrt(0.5), count)
    else:
        x = x * size
    turned = scale * cast(x, scale.dtype)
    return irfft(turned, stack([2 * count]))[..., :count]


def _dct4(x: Any, is_orthonormal: bool) -> Any:
    count = shape_of(x)[-1]
    padded = longer(x, count)
    found = _dct2(padded, False)[..., 1::2]
    return found * (math.sqrt(0.5) * rsqrt(cast(count, x.dtype))) if is_orthonormal else found


_COSINE = {1: _dct1, 2: _dct2, 3: _dct3, 4: _dct4}
