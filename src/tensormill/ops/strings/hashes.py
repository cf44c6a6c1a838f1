"""Strings as numbers of 64 bits: FarmHash's fingerprint, SipHash-2-4 with a key, MurmurHash64A.

The recipes are read three times: by Python for one string, by NumPy for many of one length
(`Texts`), and by the compiler (spans/hashes.py).
FarmHash: G. Pike 2014. SipHash: Aumasson and Bernstein 2012.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

MASK: Final = 0xFFFFFFFFFFFFFFFF
K0: Final = 0xC3A5C85C97CB3127
K1: Final = 0xB492B66FBE98F273
K2: Final = 0x9AE16A3B2F90404F


def rotated(x: Any, count: int) -> Any:
    """The 64 bits of x moved right, what falls out coming back at the left."""
    return (x >> count | x << (64 - count)) & MASK


def mixed(x: Any) -> Any:
    """A word whose upper bits are among its lower ones."""
    return x ^ x >> 47


class Texts:
    """Strings of one length, of which words are read at once: uint64 arrays, whose sums and
    products wrap around by themselves.
    """

    def __init__(self, columns: np.ndarray[Any, Any]) -> None:
        self.columns: Final = columns

    @classmethod
    def of(cls, texts: list[bytes], size: int) -> Texts:
        return cls(np.frombuffer(b"".join(texts), np.uint8).reshape(len(texts), size))

    def __len__(self) -> int:
        return self.columns.shape[1]

    def __add__(self, tail: bytes) -> Texts:
        """The strings, each with `tail` behind it."""
        rows = np.broadcast_to(np.frombuffer(tail, np.uint8), (len(self.columns), len(tail)))
        return Texts(np.concatenate([self.columns, rows], 1))

    def word(self, place: int, count: int) -> np.ndarray[Any, Any]:
        room = np.zeros((len(self.columns), 8), np.uint8)
        room[:, :count] = self.columns[:, place : place + count]
        return room.view("<u8")[:, 0].astype(np.uint64, copy=False)


def word_at(text: bytes | Texts, place: int, count: int = 8) -> Any:
    """`count` bytes as a number."""
    if isinstance(text, bytes):
        return int.from_bytes(text[place : place + count], "little")
    return text.word(place, count)


def joined(u: Any, v: Any, factor: Any) -> Any:
    """One word of two."""
    a = mixed((u ^ v) * factor & MASK)
    b = mixed((v ^ a) * factor & MASK)
    return b * factor & MASK


def fingerprint(text: bytes | Texts) -> Any:
    """FarmHash's Fingerprint64."""
    size = len(text)
    if size <= 16:
        return up_to_16(text, size)
    if size <= 32:
        return from_17_to_32(text, size)
    return from_33_to_64(text, size) if size <= 64 else _long(text, size)


def up_to_16(text: bytes | Texts, size: int) -> Any:
    """The fingerprint of strings of at most 16 bytes."""
    if size >= 8:
        return from_8_to_16(text, size)
    if size >= 4:
        return from_4_to_7(text, size)
    return up_to_3(text, size) if size else K2


def from_8_to_16(text: Any, size: Any) -> Any:
    """The fingerprint of strings of so many bytes, and so on: `text` has `word`s, as `Texts`."""
    factor = K2 + size * 2
    a, b = (word_at(text, 0) + K2) & MASK, word_at(text, size - 8)
    c = (rotated(b, 37) * factor + a) & MASK
    d = (rotated(a, 25) + b) * factor & MASK
    return joined(c, d, factor)


def from_4_to_7(text: Any, size: Any) -> Any:
    factor = K2 + size * 2
    first, last = word_at(text, 0, 4), word_at(text, size - 4, 4)
    return joined(size + (first << 3), last, factor)


def up_to_3(text: Any, size: Any) -> Any:
    y = word_at(text, 0, 1) + (word_at(text, size >> 1, 1) << 8)
    z = size + (word_at(text, size - 1, 1) << 2)
    return mixed((y * K2 ^ z * K0) & MASK) * K2 & MASK


def _ends(text: bytes | Texts, size: int, first: int) -> tuple[Any, ...]:
    """What strings of 17 to 64 bytes begin with: the factor and four words."""
    factor = K2 + size * 2
    a, b = word_at(text, 0) * first & MASK, word_at(text, 8)
    c, d = word_at(text, size - 8) * factor & MASK, word_at(text, size - 16) * K2 & MASK
    return factor, a, b, c, d


def from_17_to_32(text: Any, size: Any) -> Any:
    factor, a, b, c, d = _ends(text, size, K1)
    u = rotated((a + b) & MASK, 43) + rotated(c, 30) + d
    v = a + rotated((b + K2) & MASK, 18) + c
    return joined(u & MASK, v & MASK, factor)


def from_33_to_64(text: Any, size: Any) -> Any:
    factor, a, b, c, d = _ends(text, size, K2)
    y = (rotated((a + b) & MASK, 43) + rotated(c, 30) + d) & MASK
    z = joined(y, (a + rotated((b + K2) & MASK, 18) + c) & MASK, factor)
    e, f = word_at(text, 16) * factor & MASK, word_at(text, 24)
    g = (y + word_at(text, size - 32)) * factor & MASK
    h = (z + word_at(text, size - 24)) * factor & MASK
    u = rotated((e + f) & MASK, 43) + rotated(g, 30) + h
    v = e + rotated((f + a) & MASK, 18) + g
    return joined(u & MASK, v & MASK, factor)


def weak(text: bytes | Texts, place: int, a: Any, b: Any) -> tuple[Any, Any]:
    """Two words mixed with 32 bytes."""
    w, x, y, z = (word_at(text, place + 8 * k) for k in range(4))
    a = (a + w) & MASK
    b = rotated((b + a + z) & MASK, 21)
    total = (a + x + y) & MASK
    return (total + z) & MASK, (b + rotated(total, 44) + a) & MASK


def _long(text: bytes | Texts, size: int) -> Any:
    state = first_state(text)
    for place in range(0, (size - 1) // 64 * 64, 64):
        state = next_state(text, place, state)
    return from_65(text, size, state)


def first_state(text: Any) -> Any:
    """What strings of more than 64 bytes begin with."""
    seed = 81
    return (
        ((seed * K2 & MASK) + word_at(text, 0)) & MASK,
        (seed * K1 + 113) & MASK,
        mixed((((seed * K1 + 113) & MASK) * K2 + 113) & MASK) * K2 & MASK,
        (0, 0),
        (0, 0),
    )


def next_state(text: Any, place: Any, state: Any) -> Any:
    """What 64 bytes make of it."""
    return round_of_64(text, place, state, K1, 1)


def from_65(text: Any, size: Any, state: Any) -> Any:
    """The end of it."""
    x, y, z, v, w = state
    rest = (size - 1) & 63
    factor = (K1 + ((z & 0xFF) << 1)) & MASK
    w = ((w[0] + rest) & MASK, w[1])
    v = ((v[0] + w[0]) & MASK, v[1])
    w = ((w[0] + v[0]) & MASK, w[1])
    x, y, z, v, w = round_of_64(text, size - 64, (x, y, z, v, w), factor, 9)
    left = joined(v[0], w[0], factor) + mixed(y) * K0 + z
    return joined(left & MASK, (joined(v[1], w[1], factor) + x) & MASK, factor)


def round_of_64(text: bytes | Texts, place: int, state: Any, factor: Any, weight: int) -> Any:
    """64 bytes mixed in."""
    x, y, z, v, w = state
    x = rotated((x + y + v[0] + word_at(text, place + 8)) & MASK, 37) * factor & MASK
    y = rotated((y + v[1] + word_at(text, place + 48)) & MASK, 42) * factor & MASK
    x ^= w[1] * weight & MASK
    y = (y + v[0] * weight + word_at(text, place + 40)) & MASK
    z = rotated((z + w[0]) & MASK, 33) * factor & MASK
    v = weak(text, place, v[1] * factor & MASK, (x + w[0]) & MASK)
    w = weak(text, place + 32, (z + w[1]) & MASK, (y + word_at(text, place + 16)) & MASK)
    return z, y, x, v, w


# ---------------------------------------------------------------- with a key


def as_it_is(number: Any) -> Any:
    return number


def siphash(text: bytes | Texts, key: tuple[int, int]) -> Any:
    """SipHash-2-4 of a string."""
    v = first_sip_state(key)
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) & 0xFF])
    for place in range(0, len(padded), 8):
        v = next_sip_state(v, word_at(padded, place))
    return last_sip_state(v)


def first_sip_state(key: tuple[int, int]) -> tuple[int, ...]:
    """What a key makes of no string."""
    first, second = (word & MASK for word in key)
    return (
        first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D,
        first ^ 0x6C7967656E657261, second ^ 0x7465646279746573,
    )  # fmt: skip


def next_sip_state(v: Any, word: Any, held: Callable[[Any], Any] = as_it_is) -> tuple[Any, ...]:
    """What eight bytes make of it; `held` is given each number that is needed again."""
    a, b, c, d = _sip_rounds([*v[:3], v[3] ^ word], 2, held)
    return a ^ word, b, c, d


def last_sip_state(v: Any, held: Callable[[Any], Any] = as_it_is) -> Any:
    """The hash."""
    a, b, c, d = _sip_rounds([*v[:2], v[2] ^ 0xFF, v[3]], 4, held)
    return a ^ b ^ c ^ d


def _sip_rounds(v: list[Any], count: int, held: Callable[[Any], Any]) -> list[Any]:
    for _ in range(count):
        for a, b, turn in ((0, 1, 13), (2, 3, 16)):
            v[a] = held((v[a] + v[b]) & MASK)
            v[b] = held(rotated(v[b], 64 - turn) ^ v[a])
        v[0] = held(rotated(v[0], 32))
        for a, b, turn in ((2, 1, 17), (0, 3, 21)):
            v[a] = held((v[a] + v[b]) & MASK)
            v[b] = held(rotated(v[b], 64 - turn) ^ v[a])
        v[2] = held(rotated(v[2], 32))
    return v


# ---------------------------------------------------------------- TensorFlow's first one


MURMUR: Final = 0xC6A4A7935BD1E995
MURMUR_SEED: Final = 0xDECAFCAFFE


def hash64(text: bytes | Texts) -> Any:
    """TensorFlow's first hash of strings: MurmurHash64A, of a fixed seed."""
    size = len(text)
    found: Any = MURMUR_SEED ^ (size * MURMUR & MASK)
    for place in range(0, size - 7, 8):
        found = murmured(found, word_at(text, place))
    if size % 8:
        found = (found ^ word_at(text, size - size % 8, size % 8)) * MURMUR & MASK
    return mixed(mixed(found) * MURMUR & MASK)


def murmured(found: Any, word: Any) -> Any:
    """What eight bytes make of it."""
    return (found ^ (mixed(word * MURMUR & MASK) * MURMUR & MASK)) * MURMUR & MASK


# ---------------------------------------------------------------- of many strings


# Strings of one length that are hashed one by one, and most that are hashed at once: what is
# written meanwhile stays in a cache (measured).
_FEW: Final = 8
_TOGETHER: Final = 1 << 13


def hashes(hashed: Callable[[Any], Any], texts: list[bytes]) -> np.ndarray[Any, Any]:
    """`hashed` of each string, as uint64: of those that are equally long at once."""
    if len(texts) < _FEW:
        return np.fromiter(map(hashed, texts), np.uint64, len(texts))
    found = np.empty(len(texts), np.uint64)
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    order = np.argsort(sizes, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(sizes[order])) + 1):
        for first in range(0, len(places), _TOGETHER):
            some = places[first : first + _TOGETHER]
            own = [texts[place] for place in some.tolist()]
            is_few = len(own) < _FEW or not own[0]
            found[some] = [*map(hashed, own)] if is_few else hashed(Texts.of(own, len(own[0])))
    return found
