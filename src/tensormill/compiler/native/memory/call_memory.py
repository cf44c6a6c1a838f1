"""Memory that a call keeps until it ends, wherever in the program it was asked for.

Blocks are chained on the frame's word `kept`, new ones first: a `Block`, then the bytes. Its kind
tells what an iteration may leave behind: 0 stays, 1 is a list (lists.py), 2 is a list that
something still needs. `tm_resize` returns null where there is no memory; the program checks that.

Sides of a program that run at the same time have frames of their own, and chains. What is in
another frame's chain is left to that one: `tm_adopt` gives it back, and takes what the side kept.
"""

from __future__ import annotations

from typing import Final

from ..records import BLOCK, SIDE

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
  block.kind[] = 0i32
  block.depth[] = cast:i32(chain.depth[])
  chain.kept[] = made
  if (head != 0ptr):
    bind second: Block at head
    second.previous[] = made
  return (made + {BLOCK.bytes})

function tm_discard(frame: ptr, data: ptr):
  let block: ptr = (data + -{BLOCK.bytes})
  bind here: Block at block
  bind whole: Frame at frame
  if (cast:i64(here.depth[]) != whole.depth[]):
    bind side: Side at (frame + -{SIDE.bytes})
    bind unwanted: Left at data
    unwanted.next[] = side.left[]
    side.left[] = data
    return
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

# What a side of a frame kept is the frame's from now on.
function tm_adopt(frame: ptr, apart: ptr):
  bind chain: Frame at frame
  bind other: Frame at apart
  set last: ptr = 0ptr
  set block: ptr = other.kept[]
  while (block != 0ptr):
    bind here: Block at block
    here.depth[] = cast:i32(chain.depth[])
    set last = block
    set block = here.next[]
  if (last != 0ptr):
    let head: ptr = chain.kept[]
    bind end: Block at last
    end.next[] = head
    if (head != 0ptr):
      bind second: Block at head
      second.previous[] = last
    chain.kept[] = other.kept[]
  bind side: Side at (apart + -{SIDE.bytes})
  set left: ptr = side.left[]
  while (left != 0ptr):
    bind unwanted: Left at left
    let next: ptr = unwanted.next[]
    call tm_discard(frame, left)
    set left = next

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
