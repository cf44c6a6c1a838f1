"""Sixteen bytes that tell texts apart: FarmHash's Fingerprint128.

Its reference is CityHash128, https://github.com/google/cityhash.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.text import strings_in
from ...errors import InvalidArgumentError
from ..demands import UNKNOWN, refuse
from ..op import In, Op, Out
from .hashes import K0, K1, MASK, joined, mixed, rotated, round_of_64, up_to_16, weak, word_at

_FACTOR: Final = 0x9DDFEA08EB382D69
_NO_VECTOR: Final = "Input must be a vector, got shape {}"
Pair = tuple[int, int]


class SdcaFprint(Op):
    """Two words for each text, by which the solver of linear models knows examples again."""

    input = In("str ...")
    output = Out("i64 n 2")
    differentiable = False

    def demands(self, sizes: Any) -> None:
        rank = sizes.rank(self.input)
        if rank is not UNKNOWN and rank != 1:
            refuse(InvalidArgumentError, _NO_VECTOR, sizes.shape(self.input))

    def eager(self, np: Any) -> Any:
        if self.input.ndim != 1:
            refuse(InvalidArgumentError, _NO_VECTOR, list(self.input.shape))
        words = [long_fingerprint(one) for one in strings_in(self.input)]
        return np.array(words, np.uint64).reshape(-1, 2).view(np.int64)


def long_fingerprint(text: bytes) -> Pair:
    """The lower and the upper word of the fingerprint."""
    if len(text) < 16:
        return _seeded(text, (K0, K1))
    return _seeded(text[16:], (word_at(text, 0), (word_at(text, 8) + K0) & MASK))


def _both(u: int, v: int) -> int:
    return joined(u & MASK, v & MASK, _FACTOR)


def _seeded(text: bytes, seed: Pair) -> Pair:
    return _short(text, seed) if len(text) < 128 else _long(text, seed)


def _short(text: bytes, seed: Pair) -> Pair:
    size = len(text)
    a, b = seed
    if size <= 16:
        a = mixed(a * K1 & MASK) * K1 & MASK
        c = (b * K1 + up_to_16(text, size)) & MASK
        d = mixed((a + (word_at(text, 0) if size >= 8 else c)) & MASK)
    else:
        c = _both(word_at(text, size - 8) + K1, a)
        d = _both(b + size, c + word_at(text, size - 16))
        a = (a + d) & MASK
        for place in range(0, size - 16, 16):
            a = (a ^ mixed(word_at(text, place) * K1 & MASK) * K1 & MASK) * K1 & MASK
            b ^= a
            c = (c ^ mixed(word_at(text, place + 8) * K1 & MASK) * K1 & MASK) * K1 & MASK
            d ^= c
    a, b = _both(a, c), _both(d, b)
    return a ^ b, _both(b, a)


def _long(text: bytes, seed: Pair) -> Pair:
    size = len(text)
    x, y = seed
    z = size * K1 & MASK
    first = (rotated(y ^ K1, 49) * K1 + word_at(text, 0)) & MASK
    v: Any = first, (rotated(first, 42) * K1 + word_at(text, 8)) & MASK
    w: Any = (
        (rotated((y + z) & MASK, 35) * K1 + x) & MASK,
        rotated((x + word_at(text, 88)) & MASK, 53) * K1 & MASK,
    )
    whole = size // 128 * 128
    for place in range(0, whole, 64):
        x, y, z, v, w = round_of_64(text, place, (x, y, z, v, w), K1, 1)
    x = (x + rotated((v[0] + z) & MASK, 49) * K0) & MASK
    y = (y * K0 + rotated(w[1], 37)) & MASK
    z = (z * K0 + rotated(w[0], 27)) & MASK
    w = (w[0] * 9 & MASK, w[1])
    v = (v[0] * K0 & MASK, v[1])
    for place in range(size - 32, whole - 32, -32):
        y = (rotated((x + y) & MASK, 42) * K0 + v[1]) & MASK
        w = ((w[0] + word_at(text, place + 16)) & MASK, w[1])
        x = (x * K0 + w[0]) & MASK
        z = (z + w[1] + word_at(text, place)) & MASK
        w = (w[0], (w[1] + v[0]) & MASK)
        v = weak(text, place, (v[0] + z) & MASK, v[1])
        v = (v[0] * K0 & MASK, v[1])
    x, y = _both(x, v[0]), _both(y + z, w[0])
    return (_both(x + v[1], w[1]) + y) & MASK, _both(x + w[1], y + v[1])
