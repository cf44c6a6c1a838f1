"""Random orders: Fisher and Yates, from the front, one word of a stream for each step."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import dtypes, native_operations
from ..op import In, Op, Out
from ..origins import Origin
from ..sizes import maximum, scalar
from .distributions import pick
from .draws import StreamAt, with_held_key, words_of
from .philox import WordStream, split


class KeyedOrder(Op):
    """The numbers below `count` in an order that the stream of a key tells, from a counter on.

    No operation of TensorFlow's: what its `RandomShuffle` does to rows.
    """

    count = In("i64")
    key = In("u64 one")
    counter = In("u64 two")
    order = Out("i64 n")
    origin = Origin.GRAPHS
    differentiable = False

    def eager(self, np: Any) -> Any:
        start, high = (int(word) for word in self.counter)
        return order_of((WordStream(split(int(self.key[0])), split(high)), start), int(self.count))

    def lower(self, loops: Any) -> Any:
        (count,) = loops.sizes(self.count)
        return lowered_order(loops, count, *compiled_start(loops, self))

    def xla(self, xla: Any) -> Any:
        return order_in_xla(xla, xla.static(self.count), *compiled_start(xla, self))


def compiled_start(loops: Any, application: Any) -> tuple[WordStream, Any]:
    """The stream of a key, in compiled code, and where in it a counter says to begin."""
    s, key, counter = loops.scalars, application.key, application.counter
    stream = WordStream(halves(s, key[(0,)]), halves(s, counter[(1,)]))
    return stream, s.cast(counter[(0,)], dtypes.int64)


def halves(s: Any, word: Any) -> tuple[Any, Any]:
    """The low and the high half of a 64-bit word of compiled code."""
    high = s.right_shift(word, s.constant(32, word))
    return s.cast(word, dtypes.uint32), s.cast(high, dtypes.uint32)


def shuffle_order(start: StreamAt, count: int) -> np.ndarray[Any, Any]:
    """The numbers below `count` in random order."""
    found = native_operations.run(KeyedOrder, (np.array(count), *words_of(*start)), {})
    return order_of(start, count) if found is None else found[0]


def order_of(start: StreamAt, count: int) -> np.ndarray[Any, Any]:
    """The slow twin of `lowered_order`."""
    stream, first = start
    groups = np.arange(-(-max(count - 1, 0) // 4), dtype=np.uint64) + np.uint64(first)
    words: list[int] = stream.groups(groups).reshape(-1).tolist()
    order = list(range(count))
    for place in range(count - 1):
        other = place + words[place] % (count - place)
        order[place], order[other] = order[other], order[place]
    return np.array(order, np.int64)


def lowered_order(loops: Any, count: Any, stream: WordStream, start: Any) -> Any:
    """The same in compiled code."""
    s = loops.scalars

    def other(place: Any) -> Any:
        word = pick(s, stream.group(s, start + place // 4), place % 4)
        # In doubles, several at a time: a quotient of integers below 2**53 is never rounded up to
        # a whole number.
        wide = s.cast(word, dtypes.float64)
        left = s.cast(scalar(loops, count) - place, dtypes.float64)
        return place + s.cast(wide - s.floor(wide / left) * left, dtypes.int64)

    steps = maximum(loops, count - 1, 0)
    return loops.shuffled(count, loops.kept(loops.map((steps,), dtypes.int64, other)))


def order_in_xla(xla: Any, count: int, stream: WordStream, start: Any) -> Any:
    """The same in a program of XLA."""
    jnp, lax, steps = xla.np, xla.lax, max(count - 1, 0)
    words = with_held_key(xla, stream).group(xla.scalars, start + jnp.arange(-(-steps // 4)))
    places = jnp.arange(steps)
    word = jnp.stack(words, -1).reshape(-1)[:steps].astype(np.int64)
    others = places + word % (count - places)

    def swap(place: Any, order: Any) -> Any:
        other = others[place]
        both = order[place], order[other]
        return order.at[place].set(both[1]).at[other].set(both[0])

    return lax.fori_loop(0, steps, swap, jnp.arange(count))
