"""Strings as numbers of buckets: FarmHash's 64-bit fingerprint, and SipHash-2-4 with a key.

FarmHash: G. Pike 2014. SipHash: Aumasson and Bernstein 2012.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..core import dtypes
from ..errors import InvalidArgumentError
from .bind import bind
from .conversion import as_tensor
from .op import Attr, In, Op, Out
from .strings import each

MASK: Final = 0xFFFFFFFFFFFFFFFF
K0: Final = 0xC3A5C85C97CB3127
K1: Final = 0xB492B66FBE98F273
K2: Final = 0x9AE16A3B2F90404F


def _rotated(x: int, count: int) -> int:
    """The 64 bits of x moved right, what falls out coming back at the left."""
    return (x >> count | x << (64 - count)) & MASK


def _mixed(x: int) -> int:
    return x ^ x >> 47


def _word(text: bytes, place: int) -> int:
    return int.from_bytes(text[place : place + 8], "little")


def _joined(u: int, v: int, factor: int) -> int:
    a = _mixed((u ^ v) * factor & MASK)
    b = _mixed((v ^ a) * factor & MASK)
    return b * factor & MASK


def fingerprint(text: bytes) -> int:
    """FarmHash's Fingerprint64."""
    size = len(text)
    if size <= 16:
        return _up_to_16(text, size)
    if size <= 32:
        return _up_to_32(text, size)
    return _up_to_64(text, size) if size <= 64 else _long(text, size)


def _up_to_16(text: bytes, size: int) -> int:
    factor = K2 + size * 2
    if size >= 8:
        a, b = (_word(text, 0) + K2) & MASK, _word(text, size - 8)
        c = (_rotated(b, 37) * factor + a) & MASK
        d = (_rotated(a, 25) + b) * factor & MASK
        return _joined(c, d, factor)
    if size >= 4:
        first, last = (int.from_bytes(part, "little") for part in (text[:4], text[-4:]))
        return _joined(size + (first << 3), last, factor)
    if not size:
        return K2
    y = text[0] + (text[size >> 1] << 8)
    z = size + (text[-1] << 2)
    return _mixed((y * K2 ^ z * K0) & MASK) * K2 & MASK


def _ends(text: bytes, size: int, first: int) -> tuple[int, int, int, int, int]:
    """What strings of 17 to 64 bytes begin with: the factor and four words."""
    factor = K2 + size * 2
    a, b = _word(text, 0) * first & MASK, _word(text, 8)
    c, d = _word(text, size - 8) * factor & MASK, _word(text, size - 16) * K2 & MASK
    return factor, a, b, c, d


def _up_to_32(text: bytes, size: int) -> int:
    factor, a, b, c, d = _ends(text, size, K1)
    u = _rotated((a + b) & MASK, 43) + _rotated(c, 30) + d
    v = a + _rotated((b + K2) & MASK, 18) + c
    return _joined(u & MASK, v & MASK, factor)


def _up_to_64(text: bytes, size: int) -> int:
    factor, a, b, c, d = _ends(text, size, K2)
    y = (_rotated((a + b) & MASK, 43) + _rotated(c, 30) + d) & MASK
    z = _joined(y, (a + _rotated((b + K2) & MASK, 18) + c) & MASK, factor)
    e, f = _word(text, 16) * factor & MASK, _word(text, 24)
    g = (y + _word(text, size - 32)) * factor & MASK
    h = (z + _word(text, size - 24)) * factor & MASK
    u = _rotated((e + f) & MASK, 43) + _rotated(g, 30) + h
    v = e + _rotated((f + a) & MASK, 18) + g
    return _joined(u & MASK, v & MASK, factor)


def _weak(text: bytes, place: int, a: int, b: int) -> tuple[int, int]:
    """Two words mixed with 32 bytes."""
    w, x, y, z = (_word(text, place + 8 * k) for k in range(4))
    a = (a + w) & MASK
    b = _rotated((b + a + z) & MASK, 21)
    total = (a + x + y) & MASK
    return (total + z) & MASK, (b + _rotated(total, 44) + a) & MASK


def _long(text: bytes, size: int) -> int:
    seed = 81
    state = (
        (seed * K2 + _word(text, 0)) & MASK,
        (seed * K1 + 113) & MASK,
        _mixed((((seed * K1 + 113) & MASK) * K2 + 113) & MASK) * K2 & MASK,
        (0, 0),
        (0, 0),
    )
    for place in range(0, (size - 1) // 64 * 64, 64):
        state = _round(text, place, state, K1, 1)
    x, y, z, v, w = state
    rest = (size - 1) & 63
    factor = (K1 + ((z & 0xFF) << 1)) & MASK
    w = ((w[0] + rest) & MASK, w[1])
    v = ((v[0] + w[0]) & MASK, v[1])
    w = ((w[0] + v[0]) & MASK, w[1])
    x, y, z, v, w = _round(text, size - 64, (x, y, z, v, w), factor, 9)
    left = _joined(v[0], w[0], factor) + _mixed(y) * K0 + z
    return _joined(left & MASK, (_joined(v[1], w[1], factor) + x) & MASK, factor)


def _round(text: bytes, place: int, state: Any, factor: int, weight: int) -> Any:
    """64 bytes mixed in."""
    x, y, z, v, w = state
    x = _rotated((x + y + v[0] + _word(text, place + 8)) & MASK, 37) * factor & MASK
    y = _rotated((y + v[1] + _word(text, place + 48)) & MASK, 42) * factor & MASK
    x ^= w[1] * weight & MASK
    y = (y + v[0] * weight + _word(text, place + 40)) & MASK
    z = _rotated((z + w[0]) & MASK, 33) * factor & MASK
    v = _weak(text, place, v[1] * factor & MASK, (x + w[0]) & MASK)
    w = _weak(text, place + 32, (z + w[1]) & MASK, (y + _word(text, place + 16)) & MASK)
    return z, y, x, v, w


# ---------------------------------------------------------------- with a key


def siphash(text: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 of a string."""
    first, second = (word & MASK for word in key)
    v = [
        first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D,
        first ^ 0x6C7967656E657261, second ^ 0x7465646279746573,
    ]  # fmt: skip
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) & 0xFF])
    for place in range(0, len(padded), 8):
        word = _word(padded, place)
        v[3] ^= word
        _sip_rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    _sip_rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _sip_rounds(v: list[int], count: int) -> None:
    for _ in range(count):
        for a, b, turn in ((0, 1, 13), (2, 3, 16)):
            v[a] = (v[a] + v[b]) & MASK
            v[b] = _rotated(v[b], 64 - turn) ^ v[a]
        v[0] = _rotated(v[0], 32)
        for a, b, turn in ((2, 1, 17), (0, 3, 21)):
            v[a] = (v[a] + v[b]) & MASK
            v[b] = _rotated(v[b], 64 - turn) ^ v[a]
        v[2] = _rotated(v[2], 32)


# ---------------------------------------------------------------- operations


class ToBucket(Op, abstract=True):
    """The number, below `num_buckets`, of a bucket for each string."""

    input = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr()
    differentiable = False

    def hashed(self) -> Callable[[bytes], int]:
        raise TypeError(f"{self.name} does not say how it hashes")

    def eager(self, np: Any) -> Any:
        if self.num_buckets < 1:
            raise InvalidArgumentError(
                f"num_buckets must be at least minimum 1, not {self.num_buckets}"
            )
        hashed = self.hashed()
        return each(lambda text: hashed(text) % self.num_buckets, self.input, dtype=np.int64)


class StringToHashBucketFast(ToBucket):
    """By FarmHash's fingerprint: the same everywhere and always."""

    def hashed(self) -> Callable[[bytes], int]:
        return fingerprint


class StringToHashBucketStrong(ToBucket):
    """By SipHash with a key (two integers): who doesn't know it can't choose buckets."""

    key = Attr()

    def hashed(self) -> Callable[[bytes], int]:
        if len(self.key) != 2:
            raise InvalidArgumentError("Key must have 2 elements")
        key = (int(self.key[0]), int(self.key[1]))
        return lambda text: siphash(text, key)


def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (FarmHash).

    Raises:
        InvalidArgumentError: num_buckets is below 1.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucketFast, text, num_buckets=num_buckets, name=name)


def to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (SipHash with `key`).

    Raises:
        InvalidArgumentError: num_buckets is below 1, or `key` has not two integers.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucketStrong, text, num_buckets=num_buckets, key=tuple(key), name=name)
