"""Memory that a call keeps until it ends, wherever in the program it was asked for.

Blocks are chained on the frame's word `kept`, new ones first: a `Block`, then the bytes. Its kind
tells what an iteration may leave behind: 0 stays, 1 is a list (lists.py), 2 is a list that
something still needs. `tm_resize` returns null where there is no memory; the program checks that.
"""

from __future__ import annotations

from typing import Final

from ..records import BLOCK

KEEPING: Final = "tm_resize"  # without calls of it nothing is kept

FUNCTIONS: Final = f"""
function tm_resize(frame: ptr, old: ptr, bytes: i64) -> ptr:
  if (bytes < 0):
    return 0ptr
  if (old != 0ptr):
    bind kept: Block at (old + -{BLOCK.bytes})
    if (kept.size[] >= bytes):
      return old
    call tm_discard(frame, old)
  # half as much again: it will grow once more
  let room: i64 = ((bytes + right_shift(bytes, 1)) + 64)
  call made: ptr = tm_take((room + {BLOCK.bytes}))
  if (made == 0ptr):
    return 0ptr
  bind chain: Frame at frame
  bind block: Block at made
  let head: ptr = chain.kept[]
  block.next[] = head
  block.previous[] = 0ptr
  block.size[] = room
  block.kind[] = 0
  chain.kept[] = made
  if (head != 0ptr):
    bind second: Block at head
    second.previous[] = made
  return (made + {BLOCK.bytes})

function tm_discard(frame: ptr, data: ptr):
  let block: ptr = (data + -{BLOCK.bytes})
  bind here: Block at block
  let next: ptr = here.next[]
  let previous: ptr = here.previous[]
  if (previous == 0ptr):
    bind chain: Frame at frame
    chain.kept[] = next
  else:
    bind before: Block at previous
    before.next[] = next
  if (next != 0ptr):
    bind after: Block at next
    after.previous[] = previous
  call tm_give(block, (here.size[] + {BLOCK.bytes}))

function tm_release_kept(frame: ptr):
  bind chain: Frame at frame
  set block: ptr = chain.kept[]
  while (block != 0ptr):
    bind here: Block at block
    let next: ptr = here.next[]
    call tm_give(block, (here.size[] + {BLOCK.bytes}))
    set block = next
  chain.kept[] = 0ptr
"""
