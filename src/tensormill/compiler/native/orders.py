"""Rows put in order by the digits of their keys, from the lowest to the highest, each time keeping
the order of those whose digit is the same.

An entry of a row is its key and its place: in one number of 64 bits, the place in its lower half,
where keys have 32 bits (`pairs`), else in two. Rows of few entries are put in order by moving each
one up, and those that are in order are left. `room` is for
counting: ROOM numbers of 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

FEW: Final = 24  # entries that are moved up one by one (measured)
_SHORT: Final = 2048  # below so many, counting more digits of fewer bits is less work (measured)
_WIDE_DIGIT, _NARROW_DIGIT = 11, 8
ROOM: Final = 1 << _WIDE_DIGIT
HALF: Final = 32  # where the key of a pair begins
LOWER: Final = (1 << HALF) - 1


def _in_order(name: str, first: int, words: int) -> str:
    """Entries of so many words, whose keys begin at a bit of the first one, in order; `spare` has
    as much room.
    """
    shape = "[count]" if words == 1 else f"[count, {words}]"

    def word(of: str, place: str, number: int = 0) -> str:
        return f"{of}[{place}]" if words == 1 else f"{of}[{place}, {number}]"

    def each(indent: int, line: Callable[[int], str]) -> str:
        return "".join(f"{' ' * indent}{line(number)}\n" for number in range(words))

    key, before = word("given", "k"), word("given", "(hole - 1)")
    return f"""
function {name}(frame: ptr, entries: ptr, spare: ptr, room: ptr, count: i64):
  bind given: u64{shape} at entries
  if (count <= {FEW}):
    for k in count:
{each(6, lambda n: f"let held{n}: u64 = {word('given', 'k', n)}")}\
      set hole: i64 = k
      set goes: bool = (hole > 0)
      if goes:
        set goes = ({before} > held0)
      while goes:
{each(8, lambda n: f"{word('given', 'hole', n)} = {word('given', '(hole - 1)', n)}")}\
        set hole = (hole - 1)
        set goes = (hole > 0)
        if goes:
          set goes = ({before} > held0)
{each(6, lambda n: f"{word('given', 'hole', n)} = held{n}")}\
    return
  set falls: i64 = 0
  for k in (count - 1):
    set falls = (falls + cast:i64(({key} > {word("given", "(k + 1)")})))
  if (falls == 0):
    return
  let width: i64 = where((count < {_SHORT}), {_NARROW_DIGIT}, {_WIDE_DIGIT})
  let mask: i64 = (left_shift(1, width) - 1)
  bind counts: i64[{ROOM}] at room
  set source: ptr = entries
  set target: ptr = spare
  set bit: i64 = {first}
  while (bit < 64):
    let shift: u64 = cast:u64(bit)
    bind from: u64{shape} at source
    bind to: u64{shape} at target
    for digit in (mask + 1):
      counts[digit] = 0
    for k in count:
      let digit: i64 = (cast:i64(right_shift({word("from", "k")}, shift)) & mask)
      counts[digit] = (counts[digit] + 1)
    set at: i64 = 0
    set most: i64 = 0
    for digit in (mask + 1):
      let here: i64 = counts[digit]
      set most = max(most, here)
      counts[digit] = at
      set at = (at + here)
    if (most < count):
      for k in count:
        let digit: i64 = (cast:i64(right_shift({word("from", "k")}, shift)) & mask)
        let place: i64 = counts[digit]
        counts[digit] = (place + 1)
{each(8, lambda n: f"{word('to', 'place', n)} = {word('from', 'k', n)}")}\
      let other: ptr = source
      set source = target
      set target = other
    set bit = (bit + width)
  if (source != entries):
    bind last: u64{shape} at source
    call memcpy(&given, &last, (count * {8 * words}))
"""


# Entries of one word, of which the first `wanted` are in front then, in any order, with perhaps
# some that come next: how many. Digits are looked at from the highest, until few are left.
_LEADING: Final = f"""
function tm_order_leading(frame: ptr, entries: ptr, room: ptr, count: i64, wanted: i64) -> i64:
  bind given: u64[count] at entries
  bind counts: i64[{1 << _WIDE_DIGIT}] at room
  set left: i64 = count
  set below: i64 = 0
  set prefix: u64 = 0u64
  set bit: i64 = 64
  while ((left > (2 * wanted)) & (bit > {HALF})):
    let width: i64 = min({_WIDE_DIGIT}, (bit - {HALF}))
    let lower: i64 = (bit - width)
    let shift: u64 = cast:u64(lower)
    let mask: i64 = (left_shift(1, width) - 1)
    for digit in {1 << _WIDE_DIGIT}:
      counts[digit] = 0
    for k in left:
      let digits: u64 = right_shift(given[k], shift)
      if (right_shift(digits, cast:u64(width)) == prefix):
        let digit: i64 = (cast:i64(digits) & mask)
        counts[digit] = (counts[digit] + 1)
    set digit: i64 = 0
    while ((below + counts[digit]) < wanted):
      set below = (below + counts[digit])
      set digit = (digit + 1)
    set prefix = (left_shift(prefix, cast:u64(width)) | cast:u64(digit))
    set kept: i64 = 0
    for k in left:
      let one: u64 = given[k]
      given[kept] = one
      set kept = (kept + cast:i64((right_shift(one, shift) <= prefix)))
    set left = kept
    set bit = lower
  return left
"""

FUNCTIONS: Final = (
    _in_order("tm_order_pairs", HALF, 1) + _in_order("tm_order_wide", 0, 2) + _LEADING
)
