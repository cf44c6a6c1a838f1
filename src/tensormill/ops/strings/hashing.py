"""Strings as numbers of buckets: FarmHash's 64-bit fingerprint, and SipHash-2-4 with a key.

The recipes are read twice: by Python for one string, and by NumPy for many of one length (`Texts`).
FarmHash: G. Pike 2014. SipHash: Aumasson and Bernstein 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..op import Attr, In, Op, Out
from ..origins import Origin
from .spans.spans import strings_of

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


def siphash(text: bytes | Texts, key: tuple[int, int]) -> Any:
    """SipHash-2-4 of a string."""
    first, second = (word & MASK for word in key)
    v = [
        first ^ 0x736F6D6570736575, second ^ 0x646F72616E646F6D,
        first ^ 0x6C7967656E657261, second ^ 0x7465646279746573,
    ]  # fmt: skip
    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) & 0xFF])
    for place in range(0, len(padded), 8):
        word = word_at(padded, place)
        v[3] ^= word
        _sip_rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    _sip_rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _sip_rounds(v: list[Any], count: int) -> None:
    for _ in range(count):
        for a, b, turn in ((0, 1, 13), (2, 3, 16)):
            v[a] = (v[a] + v[b]) & MASK
            v[b] = rotated(v[b], 64 - turn) ^ v[a]
        v[0] = rotated(v[0], 32)
        for a, b, turn in ((2, 1, 17), (0, 3, 21)):
            v[a] = (v[a] + v[b]) & MASK
            v[b] = rotated(v[b], 64 - turn) ^ v[a]
        v[2] = rotated(v[2], 32)


def hash64(text: bytes | Texts) -> Any:
    """TensorFlow's first hash of strings: MurmurHash64A, of a fixed seed."""
    factor, size = 0xC6A4A7935BD1E995, len(text)
    found: Any = 0xDECAFCAFFE ^ (size * factor & MASK)
    for place in range(0, size - 7, 8):
        word = mixed(word_at(text, place) * factor & MASK) * factor & MASK
        found = (found ^ word) * factor & MASK
    if size % 8:
        found = (found ^ word_at(text, size - size % 8, size % 8)) * factor & MASK
    return mixed(mixed(found) * factor & MASK)


# ---------------------------------------------------------------- operations


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


class ToBucket(Op, abstract=True):
    """The number, below `num_buckets`, of a bucket for each string."""

    num_buckets: Any
    ignores_places = True
    differentiable = False

    def hashed(self) -> Callable[[Any], Any]:
        raise TypeError(f"{self.name} does not say how it hashes")

    def demands(self, sizes: Any) -> None:
        if self.num_buckets < 1:
            refuse(InvalidArgumentError, NO_BUCKETS, self.num_buckets)

    def eager(self, np: Any) -> Any:
        (texts,) = self.operand_list()
        found = hashes(self.hashed(), texts.reshape(-1).tolist())
        return (found % np.uint64(self.num_buckets)).astype(np.int64).reshape(texts.shape)


NO_BUCKETS = "num_buckets must be at least minimum 1, not {}"


class LoopText(NamedTuple):
    """A string of a compiled function, as `Texts` are: of a size that run time knows, in uint64."""

    loops: Any
    row: Any
    start: Any

    def word(self, place: Any, count: int) -> Any:
        """Bytes as a number, put together from single ones, which LLVM reads at once."""
        loops, s = self.loops, self.loops.scalars
        first = self.start + (place if isinstance(place, int) else s.cast(place, dtypes.int64))
        total = loops.constant(0, dtypes.uint64)
        for k in range(count):
            byte = s.cast(self.row[(first + k,)], dtypes.uint64)
            total = total | s.left_shift(byte, loops.constant(8 * k, dtypes.uint64))
        return total


class BucketOfSpans(Op):
    """StringToHashBucketFast of strings where they lie."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    output = Out("i64 *s")
    num_buckets = Attr()
    origin = Origin.COMPILER
    differentiable = False
    demands = ToBucket.demands

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        found = hashes(fingerprint, texts.reshape(-1).tolist())
        return (found % np.uint64(self.num_buckets)).astype(np.int64).reshape(texts.shape)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        found, s = loops.memory(starts.shape, dtypes.int64), loops.scalars
        buckets = loops.constant(self.num_buckets, dtypes.uint64)

        def bucket(*k: Any) -> None:
            start = loops.held(starts[k])
            size = loops.held(s.cast(stops[k] - start, dtypes.uint64))
            number = s.floor_modulo(
                compiled_fingerprint(LoopText(loops, row, start), size), buckets
            )
            loops.put(found, k, s.cast(number, dtypes.int64))

        loops.for_each(starts.shape, bucket)
        return found


def compiled_fingerprint(text: LoopText, size: Any) -> Any:
    """`fingerprint` where only run time knows the size."""
    loops, where = text.loops, text.loops.scalars.where
    none = loops.constant(0, dtypes.uint64)
    limit = loops.held(where(size > 64, (size - 1) & (MASK - 63), none))

    def step(place: Any, *flat: Any) -> tuple[Any, ...]:
        x, y, z, v, w = next_state(text, place, as_state(flat))
        return (place + 64, x, y, z, *v, *w)

    x, y, z, *_ = (
        where(size > 64, one, none) if k == 0 else none + one
        for k, one in enumerate(first_state(text)[:3])
    )
    begin = [loops.held(one) for one in (none, x, y, z, none, none, none, none)]
    _, *flat = loops.repeat(begin, lambda place, *_: place < limit, step)
    short = where(
        size >= 4, from_4_to_7(text, size), where(size > 0, up_to_3(text, size), none + K2)
    )
    middle = where(size > 32, from_33_to_64(text, size), from_17_to_32(text, size))
    long = where(size > 64, from_65(text, size, as_state(flat)), middle)
    return where(size > 16, long, where(size >= 8, from_8_to_16(text, size), short))


def as_state(flat: Sequence[Any]) -> Any:
    """The state of long strings, of its seven words."""
    x, y, z, *rest = flat
    return x, y, z, tuple(rest[:2]), tuple(rest[2:])


class StringToHashBucketFast(ToBucket):
    """By FarmHash's fingerprint: the same everywhere and always."""

    input = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr(int)

    def hashed(self) -> Callable[[Any], Any]:
        return fingerprint

    def on_spans(self) -> Any:
        return bind(BucketOfSpans, *self.input.parts, num_buckets=self.num_buckets)


class StringToHashBucket(ToBucket):
    """By the hash that TensorFlow had first."""

    string_tensor = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr(int)

    def hashed(self) -> Callable[[Any], Any]:
        return hash64


class StringToHashBucketStrong(ToBucket):
    """By SipHash with a key (two integers): who doesn't know it can't choose buckets."""

    input = In("str *s")
    output = Out("i64 *s")
    num_buckets = Attr(int)
    key = Attr()

    def demands(self, sizes: Any) -> None:
        super().demands(sizes)
        sizes.require_late(len(self.key) == 2, InvalidArgumentError, "Key must have 2 elements")

    def hashed(self) -> Callable[[Any], Any]:
        key = (int(self.key[0]), int(self.key[1]))
        return lambda text: siphash(text, key)


@dispatchable(elements=1)
def to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (FarmHash).

    input: string [...]; the result has its shape. It is the same on every machine.

    >>> tf.strings.to_hash_bucket_fast(["apple", "pear", "apple"], 10).numpy()
    array([1, 8, 1])

    Raises:
        InvalidArgumentError: num_buckets is below 1.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucketFast, text, num_buckets=num_buckets, name=name)


@dispatchable(elements=1)
def to_hash_bucket(input: Any, num_buckets: int, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64.

    input: string [...]; the result has its shape. Programs of old use it, and models that they
    trained: `to_hash_bucket_fast` is quicker.

    >>> tf.strings.to_hash_bucket(["apple", "pear", "apple"], 10).numpy()
    array([0, 3, 0])

    Raises:
        InvalidArgumentError: num_buckets is below 1.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucket, text, num_buckets=num_buckets, name=name)


@dispatchable(elements=1)
def to_hash_bucket_strong(input: Any, num_buckets: int, key: Any, name: str | None = None) -> Any:
    """The number, below `num_buckets`, of a bucket for each string, int64 (SipHash with `key`).

    input: string [...]; the result has its shape. key: two integers; who doesn't know them cannot
    tell which strings share a bucket.

    >>> tf.strings.to_hash_bucket_strong(["apple", "pear", "apple"], 10, key=[1, 2]).numpy()
    array([3, 5, 3])

    Raises:
        InvalidArgumentError: num_buckets is below 1, or `key` has not two integers.
    """
    text = as_tensor(input, dtypes.string)
    return bind(StringToHashBucketStrong, text, num_buckets=num_buckets, key=tuple(key), name=name)
