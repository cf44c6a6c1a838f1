"""Runs of classes of bytes replaced, where strings lie."""

from __future__ import annotations

from typing import Any

import numpy as numpy_module

from ....core import dtypes
from ....core.process.named_tuples import NamedTuple
from ....core.specs import TensorSpec
from ...lowering import Scalar
from ...op import Attr, In, Op, Out
from ...origins import Origin
from .spans import BYTE, LONG, copy, laid_out, spans_in, strings_of


class ByteRun(NamedTuple):
    """A pattern of so many bytes, one of each class; of the last class there may be more where it
    `goes_on`. A class is the bytes that are in it, spelled as characters of Latin-1.
    """

    classes: tuple[str, ...]
    goes_on: bool

    @property
    def size(self) -> int:
        return len(self.classes)

    def end(self, text: bytes, at: int) -> int:
        """Where what matches at a place ends; -1 where nothing does."""
        some = text[at : at + self.size]
        if len(some) < self.size or not all(map(self._has, range(self.size), some)):
            return -1
        at += self.size
        while self.goes_on and at < len(text) and self._has(self.size - 1, text[at]):
            at += 1
        return at

    def _has(self, number: int, byte: int) -> bool:
        return chr(byte) in self.classes[number]

    def table(self) -> Any:
        """1 where byte k is in class n, at 256 n + k."""
        found = numpy_module.zeros((self.size, 256), numpy_module.uint8)
        for number, each in enumerate(self.classes):
            found[number, [*each.encode("latin-1")]] = 1
        return found.reshape(-1)


class ReplaceRuns(Op):
    """What matches a `ByteRun` replaced by `pieces`: bytes, and None for what matched. Only what
    does so first, if not `everywhere`.
    """

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    replaced = Out("u8 m")
    classes = Attr()
    goes_on = Attr()
    pieces = Attr()
    everywhere = Attr()
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        places = TensorSpec(self.starts.shape, LONG)
        return places, places, TensorSpec((None,), BYTE)

    @property
    def run(self) -> ByteRun:
        return ByteRun(tuple(self.classes), self.goes_on)

    def eager(self, np: Any) -> Any:
        texts = strings_of(self.starts, self.stops, self.bytes)
        made = np.empty(texts.shape, object)
        for place in np.ndindex(texts.shape):
            made[place] = self.of_text(texts[place])
        return spans_in(made)

    def of_text(self, text: Any) -> Any:
        run, found, at = self.run, list[Any](), 0
        while at < len(text):
            end = run.end(text, at)
            if end < 0:
                found.append(text[at : at + 1])
                at += 1
                continue
            found += [text[at:end] if one is None else one.encode("latin-1") for one in self.pieces]
            at = end
            if not self.everywhere:
                break
        return b"".join(found) + text[at:]

    def lower(self, loops: Any) -> Any:
        """Twice through all strings: how long they become, and what they are."""
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        search = _Search(loops, row, self.run, self.everywhere)
        lengths, s, zero = loops.memory(starts.shape, LONG), loops.scalars, loops.constant(0, LONG)
        own = sum(len(one) for one in self.pieces if one is not None)
        again = sum(one is None for one in self.pieces)

        def measure(*k: Any) -> None:
            def found(hit: Scalar, at: Scalar, end: Scalar, size: Scalar) -> Scalar:
                return size + s.where(hit, (end - at) * again + own, zero + 1)

            stop = loops.held(stops[k])
            at, size = search(loops.held(starts[k]), stop, zero, found)
            loops.put(lengths, k, size + (stop - at))

        loops.for_each(starts.shape, measure)
        made, until, room = laid_out(loops, starts.shape, lambda *k: lengths[k])
        texts = [
            None if one is None else loops.literal_array(_bytes_of(one), BYTE)
            for one in self.pieces
        ]

        def write(*k: Any) -> None:
            def found(hit: Scalar, at: Scalar, end: Scalar, place: Scalar) -> Scalar:
                copy(loops, room, place, row, at, loops.held(s.where(hit, at, at + 1)))
                kept = loops.held(s.where(hit, place, place + 1))
                for text in texts:
                    size = end - at if text is None else zero + text.shape[0]
                    size = loops.held(s.where(hit, size, zero))
                    first, source = (at, row) if text is None else (zero, text)
                    copy(loops, room, kept, source, first, first + size)
                    kept = loops.held(kept + size)
                return kept

            stop = loops.held(stops[k])
            at, place = search(loops.held(starts[k]), stop, loops.held(made[k]), found)
            copy(loops, room, place, row, at, stop)

        loops.for_each(starts.shape, write)
        return made, until, room


def _bytes_of(text: str) -> Any:
    return numpy_module.frombuffer(text.encode("latin-1"), numpy_module.uint8)


class _Search:
    """Goes through a string: `found(hit, at, end, state)` is told whether a run is at a place, and
    gives what follows on the state. What is left is from the place that comes back.
    """

    def __init__(self, loops: Any, row: Any, run: ByteRun, everywhere: bool) -> None:
        self.loops, self.row, self.run, self.everywhere = loops, row, run, everywhere
        self.classes = loops.literal_array(run.table(), BYTE)

    def has(self, number: int, place: Scalar) -> Scalar:
        """Whether the byte at a place is in a class."""
        byte = self.loops.scalars.cast(self.row[(place,)], LONG)
        return self.classes[(byte + 256 * number,)] != 0

    def __call__(
        self, start: Scalar, stop: Scalar, state: Scalar, found: Any
    ) -> tuple[Scalar, Scalar]:
        loops, s, size = self.loops, self.loops.scalars, self.run.size
        yes, no = (loops.constant(one, dtypes.bool_) for one in (True, False))

        def step(at: Scalar, state: Scalar, _: Scalar) -> tuple[Scalar, ...]:
            hit = self.has(0, at)
            for number in range(1, size):
                hit = hit & self.has(number, at + number)
            hit, end = loops.held(hit), loops.held(at + size)
            if self.run.goes_on:

                def more(place: Scalar) -> Scalar:
                    return s.where(hit & (place < stop), self.has(size - 1, place), no)

                (end,) = loops.repeat((end,), more, lambda place: (place + 1,))
            state = found(hit, at, end, state)
            goes_on = yes if self.everywhere else s.logical_not(hit)
            return loops.held(s.where(hit, end, at + 1)), state, goes_on

        at, state, _ = loops.repeat(
            (start, state, yes), lambda at, _, goes_on: (at + size <= stop) & goes_on, step
        )
        return loops.held(at), loops.held(state)
