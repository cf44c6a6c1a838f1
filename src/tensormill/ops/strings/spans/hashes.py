"""Hashes of strings where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....core import dtypes
from ....core.process.named_tuples import NamedTuple
from ...op import Attr, In, Op, Out
from ...origins import Origin
from ..hashes import (
    K2,
    MASK,
    MURMUR,
    MURMUR_SEED,
    fingerprint,
    first_sip_state,
    first_state,
    from_4_to_7,
    from_8_to_16,
    from_17_to_32,
    from_33_to_64,
    from_65,
    hash64,
    hashes,
    last_sip_state,
    mixed,
    murmured,
    next_sip_state,
    next_state,
    siphash,
    up_to_3,
)
from .spans import strings_of


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

    def tail(self, place: Any, size: Any) -> Any:
        """The bytes from `place` on, fewer than eight, as a number."""
        loops, s = self.loops, self.loops.scalars
        none = loops.constant(0, dtypes.uint64)

        def step(at: Any, moved: Any, word: Any) -> tuple[Any, ...]:
            return at + 1, moved + 8, word | s.left_shift(self.word(at, 1), moved)

        begin = (loops.held(place), none, none)
        return loops.repeat(begin, lambda at, *_: at < size, step)[-1]


class HashesOfSpans(Op, abstract=True):
    """A number of 64 bits for each string."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    output = Out("u64 *s")
    origin = Origin.COMPILER
    differentiable = False

    def of_text(self, text: Any) -> Any:
        """The hash of a text, or of several of one length."""
        raise TypeError(f"{self.name} does not say how it hashes")

    def compiled(self, text: LoopText, size: Any) -> Any:
        """The same in a compiled function."""
        raise TypeError(f"{self.name} does not say how it hashes")

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        return hashes(self.of_text, texts.reshape(-1).tolist()).reshape(texts.shape)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        found = loops.memory(starts.shape, dtypes.uint64)

        def hashed(*k: Any) -> None:
            start = loops.held(starts[k])
            size = loops.held(loops.scalars.cast(stops[k] - start, dtypes.uint64))
            loops.put(found, k, self.compiled(LoopText(loops, row, start), size))

        loops.for_each(starts.shape, hashed)
        return found


class FarmHashes(HashesOfSpans):
    """FarmHash's fingerprints."""

    def of_text(self, text: Any) -> Any:
        return fingerprint(text)

    def compiled(self, text: LoopText, size: Any) -> Any:
        return compiled_fingerprint(text, size)


class SipHashes(HashesOfSpans):
    """SipHash-2-4 with a key."""

    key = Attr()

    def of_text(self, text: Any) -> Any:
        return siphash(text, self.key)

    def compiled(self, text: LoopText, size: Any) -> Any:
        loops, begin = text.loops, text.loops.constant(0, dtypes.uint64)
        state = [begin + one for one in first_sip_state(self.key)]
        place, *state = loops.repeat(
            (begin, *state), lambda place, *_: place + 8 <= size,
            lambda place, *v: (place + 8, *next_sip_state(v, text.word(place, 8), loops.held)),
        )  # fmt: skip
        length = loops.scalars.left_shift(size, loops.constant(56, dtypes.uint64))
        word = loops.held(text.tail(place, size) | length)
        return last_sip_state(next_sip_state(state, word, loops.held), loops.held)


class MurmurHashes(HashesOfSpans):
    """TensorFlow's first hash."""

    def of_text(self, text: Any) -> Any:
        return hash64(text)

    def compiled(self, text: LoopText, size: Any) -> Any:
        loops, zero = text.loops, text.loops.constant(0, dtypes.uint64)
        place, found = loops.repeat(
            (zero, loops.held((size * MURMUR) ^ MURMUR_SEED)),
            lambda place, _: place + 8 <= size,
            lambda place, found: (place + 8, murmured(found, loops.held(text.word(place, 8)))),
        )
        rest = (found ^ text.tail(place, size)) * MURMUR
        found = loops.held(loops.scalars.where(place < size, rest, found))
        return mixed(mixed(found) * MURMUR)


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
