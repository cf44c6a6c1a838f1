"""Sides of a program that run at the same time: their frames.

    crew    side 0   frame 0           side 1   frame 1           ...
    Crew    Side     a copy of ours    Side     a copy of ours          in lines of the cache

A side's frame is a copy of the frame around it, but for its chain of kept memory, which begins
empty, and for the words that say which check has failed. So a side asks for memory, and fails, as
the program would. `tm_beside` (crews.py) runs the sides; then the frame around adopts what
they kept, and gets the error of the first one that failed.
"""

from __future__ import annotations

from typing import Final

from ...ops.lowering import MOST_NUMBERS
from .records import CACHE_LINE, CREW, SIDE

NO_ERROR: Final = -(2**63)  # errors are counted from 0 up, and some from -1 down
ERROR_WORDS: Final = 1 + MOST_NUMBERS


def bytes_of_side(words: int) -> int:
    """The bytes of a side and its frame, of which so many words are copied."""
    return -(-(SIDE.bytes + 8 * (words + ERROR_WORDS)) // CACHE_LINE) * CACHE_LINE


FUNCTIONS: Final = f"""
# Make frames of so many words for so many sides, which lie behind the crew.
function tm_begin_sides(frame: ptr, crew: ptr, count: i64, words: i64, bytes: i64):
  bind it: Crew at crew
  it.stop[] = count
  it.raised[] = 0
  it.frame[] = frame
  it.bytes[] = bytes
  bind whole: Frame at frame
  let depth: i64 = (whole.depth[] + 1)
  for number in count:
    let place: ptr = (crew + ({CREW.bytes} + (number * bytes)))
    bind side: Side at place
    side.left[] = 0ptr
    side.crew[] = crew
    side.number[] = number
    let apart: ptr = (place + {SIDE.bytes})
    bind from: u8[(words * 8)] at frame
    bind to: u8[(words * 8)] at apart
    call memcpy(&to, &from, (words * 8))
    bind here: Frame at apart
    here.depth[] = depth
    here.kept[] = 0ptr
    bind error: i64[{ERROR_WORDS}] at (apart + (words * 8))
    error[0] = {NO_ERROR}

# Whether all went well; if not, the frame says what the first that failed says.
function tm_end_sides(frame: ptr, crew: ptr, count: i64, words: i64) -> bool:
  bind it: Crew at crew
  bind error: u8[{8 * ERROR_WORDS}] at (frame + (words * 8))
  set good: bool = true
  for number in count:
    let place: ptr = (crew + ({CREW.bytes} + (number * it.bytes[])))
    let apart: ptr = (place + {SIDE.bytes})
    call tm_adopt(frame, apart)
    bind found: i64[{ERROR_WORDS}] at (apart + (words * 8))
    bind shown: u8[{8 * ERROR_WORDS}] at (apart + (words * 8))
    if ((found[0] != {NO_ERROR}) & (good & (it.raised[] == 0))):
      call memcpy(&error, &shown, {8 * ERROR_WORDS})
      set good = false
  if (it.raised[] != 0):
    bind raised: i64[1] at (frame + (words * 8))
    raised[0] = it.raised[]
    set good = false
  return good
"""
