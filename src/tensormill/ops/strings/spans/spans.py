"""Where strings lie: compiled functions have a tensor of strings as three tensors of numbers.

String k is the bytes from `starts[k]` to before `stops[k]` of one row of bytes, so strings that are
moved, cut or split share the bytes that are there. No address is among these numbers, and nothing
but the three tensors has to be kept alive: memory, loops and branches treat them as all others.

An operation says in its rule `on_spans` what it does to them; one that `moves` elements is applied
to `starts` and to `stops`. compiler/spelled_strings.py writes graphs so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as numpy_module

from ....core import dtypes
from ....core.process.named_tuples import NamedTuple
from ....core.specs import TensorSpec
from ....core.text import strings_in
from ...array.concatenation import concat
from ...array.shapes import reshape, size
from ...bind import bind
from ...conversion import as_tensor
from ...op import In, Op, Out
from ...origins import Origin

Array = numpy_module.ndarray[Any, Any]
LONG, BYTE = dtypes.int64, dtypes.uint8


class Spans(NamedTuple):
    """Strings of the shape of `starts` and `stops`, int64, within `bytes`, a vector of uint8.

    `is_whole`: there are no bytes but those of the strings, in their order. `constant`: the
    strings, where the trace knows them.
    """

    starts: Any
    stops: Any
    bytes: Any
    is_whole: bool = False
    constant: Array | None = None

    @property
    def parts(self) -> tuple[Any, Any, Any]:
        """The three tensors."""
        return self.starts, self.stops, self.bytes

    @property
    def shape(self) -> Any:
        return self.starts.shape


class Doubted(NamedTuple):
    """What `on_spans` gives where native code does most strings, and the kernel the others: the
    results, which are right where `is_sure`, a bool.
    """

    is_sure: Any
    results: tuple[Any, ...]


# ---------------------------------------------------------------- from Python's objects, and back


def spans_in(strings: Array) -> tuple[Array, Array, Array]:
    """The spans of an array of strings: starts, stops, bytes.

    Raises:
        InternalError: an element is not bytes.
    """
    texts = strings_in(strings)
    stops = numpy_module.fromiter(map(len, texts), numpy_module.int64, len(texts)).cumsum()
    starts = numpy_module.zeros_like(stops)
    starts[1:] = stops[:-1]
    joined = numpy_module.frombuffer(b"".join(texts), numpy_module.uint8)
    return starts.reshape(strings.shape), stops.reshape(strings.shape), joined


def strings_of(starts: Array, stops: Array, joined: Array) -> Array:
    """The strings of spans."""
    row = joined.tobytes()
    limits = zip(starts.reshape(-1).tolist(), stops.reshape(-1).tolist(), strict=True)
    texts = numpy_module.empty(starts.size, object)
    texts[:] = [row[start:stop] for start, stop in limits]
    return texts.reshape(starts.shape)


def each(measure: Callable[[bytes], int], strings: Array, dtype: Any) -> Array:
    """A number for each string."""
    texts = strings.reshape(-1).tolist()
    return numpy_module.fromiter(map(measure, texts), dtype, len(texts)).reshape(strings.shape)


class SpansOfStrings(Op):
    """Python's strings as spans."""

    input = In("str *s")
    starts = Out("i64 *s")
    stops = Out("i64 *s")
    bytes = Out("u8 n")
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        places = TensorSpec(self.input.shape, LONG)
        return places, places, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        return spans_in(self.input)


class StringsOfSpans(Op):
    """Spans as Python's strings."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    output = Out("str *s")
    origin = Origin.COMPILER
    differentiable = False

    def eager(self, np: Any) -> Any:
        return strings_of(self.starts, self.stops, self.bytes)


# ---------------------------------------------------------------- new strings


def laid_out(loops: Any, shape: Sequence[Any], length: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """Room for strings of these lengths, one after the other: starts, stops, bytes."""
    count = loops.count(shape)
    lengths = loops.kept(loops.reshape(loops.map(shape, LONG, length), (count,)))
    starts = loops.kept(loops.scan("sum", lengths, 0, exclusive=True, reverse=False))
    total = loops.reduce("sum", (), (count,), LONG, lambda _, place: lengths[place])
    room = loops.memory((loops.held(total[()]),), BYTE)
    stops = loops.map((count,), LONG, lambda k: starts[(k,)] + lengths[(k,)])
    return loops.reshape(starts, shape), loops.reshape(stops, shape), room


def copy(loops: Any, room: Any, place: Any, bytes: Any, start: Any, stop: Any) -> None:
    """Put some bytes at a place, here and now."""

    def one(k: Any) -> None:
        loops.put(room, (place + k,), bytes[(start + k,)])

    loops.for_each((loops.held(stop - start),), one, in_order=True)


class PackSpans(Op):
    """Spans whose bytes are theirs alone, in their order."""

    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 n")
    new_starts = Out("i64 *s")
    new_stops = Out("i64 *s")
    packed = Out("u8 m")
    origin = Origin.COMPILER
    differentiable = False

    def infer(self) -> Any:
        return self.starts.spec, self.stops.spec, TensorSpec((None,), BYTE)

    def eager(self, np: Any) -> Any:
        return spans_in(strings_of(self.starts, self.stops, self.bytes))

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        shape = starts.shape
        made, ends, room = laid_out(loops, shape, lambda *k: stops[k] - starts[k])
        loops.for_each(
            shape,
            lambda *k: copy(loops, room, loops.held(made[k]), row, starts[k], stops[k]),
        )
        return made, ends, room


def packed(spans: Spans) -> Spans:
    """The same strings, whose bytes are theirs alone."""
    if spans.is_whole:
        return spans
    return Spans(*bind(PackSpans, *spans.parts), is_whole=True, constant=spans.constant)


def text_spans(text: str) -> Spans:
    """One string that the trace knows."""
    strings = numpy_module.empty((), object)
    strings[()] = text.encode()
    return Spans(*map(as_tensor, spans_in(strings)), is_whole=True, constant=strings)


def in_a_list(spans: Spans) -> Spans:
    """The same strings as a vector."""
    starts, stops = (reshape(one, [-1]) for one in (spans.starts, spans.stops))
    return spans._replace(starts=starts, stops=stops, constant=None)


def joined_lists(each: Sequence[Spans]) -> tuple[Any, Any, Any]:
    """Several strings, or vectors of them, as one vector."""
    lists = [in_a_list(one) for one in together(each)]
    starts, stops = (concat([one[part] for one in lists], 0) for part in range(2))
    return starts, stops, lists[0].bytes


def together(each: Sequence[Spans]) -> list[Spans]:
    """Spans of one row of bytes. What has none lies in any row, as it is."""
    rows = list({id(one.bytes): one for one in each if not is_bare(one)}.values()) or [*each[:1]]
    if len(rows) == 1:
        row = rows[0].bytes
        return [one._replace(bytes=row, is_whole=False) for one in each]
    whole = [one if is_bare(one) else packed(one) for one in each]
    row = concat([one.bytes for one in whole], 0)
    found: list[Spans] = []
    before: Any = 0
    for one in whole:
        found.append(Spans(one.starts + before, one.stops + before, row, constant=one.constant))
        before = before + size(one.bytes, LONG)
    return found


def is_bare(spans: Spans) -> bool:
    """Whether all strings are known to be empty."""
    return spans.bytes.shape.as_tuple() == (0,)
