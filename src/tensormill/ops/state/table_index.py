"""Tables that are filled once, as arrays: compiled functions look for keys there without Python.

A key's hash says at which slot to begin; slots have the number of an entry each, or -1, and are
tried one after the other. There are twice as many as entries, at least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as numpy_module

from ...core import dtypes, native_operations
from ...core.dtypes import DType
from ...core.process.named_tuples import NamedTuple
from ...core.specs import FIXED_TABLE, ObjectSpec, TensorSpec
from ...errors import FailedPreconditionError
from ..array.gather import gather
from ..array.select import where
from ..bind import bind
from ..lowering import Scalar
from ..math.arithmetic import maximum
from ..op import In, Op, Out, types
from ..origins import Origin
from ..strings.hashes import fingerprint, hashes
from ..strings.spans.hashes import LoopText, compiled_fingerprint
from ..strings.spans.spans import Spans, spans_in, strings_of, together

if TYPE_CHECKING:
    from .lookup import HashTable

Array = numpy_module.ndarray[Any, Any]
LONG: Final = dtypes.int64
FACTOR: Final = 0x9E3779B97F4A7C15  # 2**64 by the golden ratio, which spreads neighbours
KEYS: Final = (dtypes.string, dtypes.int64, dtypes.int32)
COUNTS: Final = TensorSpec((2,), LONG)


class TableIndex(NamedTuple):
    """A table as tensors. `counts`: whether it is filled, and how many entries it has; `keys` and
    `values` have one entry more, so that there is one.
    """

    counts: Any
    slots: Any
    keys: Any  # a tensor, or spans
    values: Any

    def numbers(self, keys: Any) -> Any:
        """The numbers of the entries of keys, or -1."""
        if isinstance(keys, Spans):
            return bind(FindSpans, self.counts, self.slots, *self.keys.parts, *keys.parts)
        return bind(FindIntegers, self.counts, self.slots, self.keys, keys)

    def found(self, keys: Any, default: Any) -> Any:
        """The values of keys, or a default."""
        numbers = self.numbers(keys)
        is_there, places = numbers >= 0, maximum(numbers, 0)
        if not isinstance(self.values, Spans):
            return where(is_there, gather(self.values, places), default)
        own, other = together([self.values, default])
        starts, stops = (
            where(is_there, gather(one, places), another)
            for one, another in ((own.starts, other.starts), (own.stops, other.stops))
        )
        return Spans(starts, stops, own.bytes)


def index_specs(spec: Any) -> list[TensorSpec]:
    """Those of the tensors of an index; none where a table has no such."""
    if not isinstance(spec, ObjectSpec) or spec.kind != FIXED_TABLE:
        return []
    key, value = (one.dtype for one in spec.elements)
    if key not in KEYS or value.is_quantized:
        return []
    return [COUNTS, TensorSpec((None,), LONG), *_specs_of(key), *_specs_of(value)]


def _specs_of(dtype: DType) -> list[TensorSpec]:
    some = TensorSpec((None,), LONG)
    if dtype is dtypes.string:
        return [some, some, TensorSpec((None,), dtypes.uint8)]
    return [TensorSpec((None,), dtype)]


def index_of_tensors(spec: Any, tensors: Sequence[Any]) -> TableIndex:
    """The index whose tensors these are."""
    rest = [*tensors[2:]]
    keys, values = (
        Spans(rest.pop(0), rest.pop(0), rest.pop(0)) if one.dtype is dtypes.string else rest.pop(0)
        for one in spec.elements
    )
    return TableIndex(tensors[0], tensors[1], keys, values)


def index_of(table: HashTable) -> list[Array]:
    """The arrays of a table, which are kept while it is as it is."""
    if table.index is None or table.index[0] != table.changes:
        changes = table.changes  # before the entries are read: later changes are noted later
        table.index = changes, _made(table)
    return table.index[1]


def native_numbers(table: HashTable, keys: Sequence[Array]) -> Array | None:
    """The numbers of the entries of keys, a tensor or the arrays of spans, or -1; None where no
    native code looks for such.
    """
    if table.key_dtype not in KEYS:
        return None
    find, count = (FindSpans, PARTS) if table.key_dtype is dtypes.string else (FindIntegers, 1)
    index = index_of(table)
    if len(keys) < count:
        keys = spans_in(keys[0])
    found = native_operations.run(find, [*index[: 2 + count], *keys], {})
    return None if found is None else found[0]


PARTS: Final = 3  # of spans


def _made(table: HashTable) -> list[Array]:
    entries = dict(table.entries)  # another thread may change them meanwhile
    counts = numpy_module.array([table.is_filled, len(entries)], numpy_module.int64)
    keys = list(entries)
    if table.key_dtype is dtypes.string:
        found, nothing = hashes(fingerprint, keys), b""
    else:
        found, nothing = hashes_of_integers(numpy_module.array(keys, numpy_module.int64)), 0
    values = numpy_module.zeros((len(keys) + 1, *table.value_shape), table.value_dtype.storage)
    if table.value_dtype is dtypes.string:
        values[-1] = b""
    for place, value in enumerate(entries.values()):
        values[place] = value
    listed = numpy_module.empty(len(keys) + 1, table.key_dtype.storage)
    listed[:] = [*keys, nothing]
    return [counts, slots_of(found), *_arrays_of(listed), *_arrays_of(values)]


def _arrays_of(array: Array) -> list[Array]:
    return [*spans_in(array)] if array.dtype == object else [array]


def hashes_of_integers(keys: Array) -> Array:
    """A number of 64 bits for each; `_hash_of_integer` says the same."""
    found = keys.astype(numpy_module.uint64)
    return (found ^ (found >> numpy_module.uint64(32))) * numpy_module.uint64(FACTOR)


def slots_of(found: Array) -> Array:
    """The slots of entries with these hashes: who finds one taken tries the next."""
    size = 1 << max(int(2 * found.size - 1).bit_length(), 1)
    slots = numpy_module.full(size, -1, numpy_module.int64)
    put_in_slots(slots, found, 0)
    return slots


def put_in_slots(slots: Array, found: Array, first: int) -> Array:
    """Give entries with these hashes, whose numbers begin at `first`, slots that are free: those
    before others come first. Which ones these are.
    """
    places = (found >> numpy_module.uint64(32)).astype(numpy_module.int64) & (slots.size - 1)
    left = numpy_module.arange(found.size)
    while left.size:
        wanted = places[left]
        free = slots[wanted] < 0
        slots[wanted[free][::-1]] = left[free][::-1] + first  # of several the last one counts
        left = left[slots[wanted] != left + first]
        places[left] = (places[left] + 1) & (slots.size - 1)
    return places


class Find(Op, abstract=True):
    """The numbers of the entries that have these keys, -1 for those that none has."""

    counts: Any
    slots: Any
    origin = Origin.COMPILER
    differentiable = False

    def demands(self, sizes: Any) -> None:
        sizes.each(
            self.counts, lambda one, at: (one > 0) | (at > 0), FailedPreconditionError, NOT_FILLED,
            placed=True,
        )  # fmt: skip


NOT_FILLED = "Table not initialized."


class FindIntegers(Find):
    """Where keys are integers."""

    counts = In("i64 two")
    slots = In("i64 n")
    keys = In("T m")
    wanted = In("T *s")
    numbers = Out("i64 *s")
    T = types("i32 i64")

    def eager(self, np: Any) -> Any:
        count = int(self.counts[1])
        known = dict(zip(self.keys[:count].tolist(), range(count), strict=True))
        found = [known.get(one, -1) for one in self.wanted.reshape(-1).tolist()]
        return np.array(found, np.int64).reshape(self.wanted.shape)

    def lower(self, loops: Any) -> Any:
        keys, wanted, slots = (loops.kept(one) for one in (self.keys, self.wanted, self.slots))

        def find(*k: Any) -> Scalar:
            key = loops.held(wanted[k])
            start = _hash_of_integer(loops, key)
            return probed(loops, slots, start, lambda entry: keys[(entry,)] == key)

        return loops.apart(wanted.shape, LONG, find)


def _hash_of_integer(loops: Any, key: Scalar) -> Scalar:
    s = loops.scalars
    wide = s.bitcast(s.cast(key, LONG), dtypes.uint64)
    return (wide ^ (wide >> 32)) * loops.constant(FACTOR, dtypes.uint64)


class FindSpans(Find):
    """Where keys are strings."""

    counts = In("i64 two")
    slots = In("i64 n")
    key_starts = In("i64 m")
    key_stops = In("i64 m")
    key_bytes = In("u8 l")
    starts = In("i64 *s")
    stops = In("i64 *s")
    bytes = In("u8 k")
    numbers = Out("i64 *s")

    def eager(self, np: Any) -> Any:
        count = int(self.counts[1])
        keys = strings_of(self.key_starts[:count], self.key_stops[:count], self.key_bytes)
        known = dict(zip(keys.tolist(), range(count), strict=True))
        texts = strings_of(self.starts, self.stops, self.bytes)
        found = [known.get(one, -1) for one in texts.reshape(-1).tolist()]
        return np.array(found, np.int64).reshape(texts.shape)

    def lower(self, loops: Any) -> Any:
        starts, stops, row = (loops.kept(one) for one in (self.starts, self.stops, self.bytes))
        first, last, known, slots = (
            loops.kept(one) for one in (self.key_starts, self.key_stops, self.key_bytes, self.slots)
        )
        s, zero = loops.scalars, loops.constant(0, LONG)

        def find(*k: Any) -> Scalar:
            start = loops.held(starts[k])
            size = loops.held(stops[k] - start)
            number = compiled_fingerprint(
                LoopText(loops, row, start), loops.held(s.cast(size, dtypes.uint64))
            )

            def same(entry: Scalar) -> Scalar:
                begin = loops.held(first[(entry,)])
                limit = loops.held(s.where(last[(entry,)] - begin == size, size, zero - 1))

                def goes_on(at: Scalar) -> Scalar:
                    no = loops.constant(False, dtypes.bool_)
                    return s.where(at < limit, known[(begin + at,)] == row[(start + at,)], no)

                (at,) = loops.repeat((zero,), goes_on, lambda at: (at + 1,))
                return at == limit

            return probed(loops, slots, number, same)

        return loops.apart(starts.shape, LONG, find)


def probed(loops: Any, slots: Any, number: Scalar, is_it: Callable[[Scalar], Scalar]) -> Scalar:
    """The entry that is the wanted one, or -1, which is in the first empty slot: slots are looked
    at from that of a hash on.
    """
    s, one = loops.scalars, loops.constant(1, LONG)
    mask = loops.held(one * slots.shape[0] - 1)
    before = loops.held(s.cast(number >> 32, LONG) - 1)

    def step(place: Scalar, _: Scalar, __: Scalar) -> tuple[Scalar, ...]:
        place = loops.held((place + 1) & mask)
        entry = loops.held(slots[(place,)])
        is_other = s.logical_not(is_it(loops.held(s.maximum(entry, one - one))))
        return place, entry, loops.held((entry >= 0) & is_other)

    yes = loops.constant(True, dtypes.bool_)
    _, entry, _ = loops.repeat((before, one, yes), lambda *state: state[-1], step)
    return entry
