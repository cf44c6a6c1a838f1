"""The most probable label sequences of an example: a beam of paths through a tree.

What it does, and in which order, is said by its slow twin, ops/nn/ctc_decoding.py. Paths are nodes
that are never given back before the end, since one that left the beam may enter it again, with the
paths that extend it; a hash table finds them by parent and label. The beam is a heap, whose first
leaf is the least probable one; of two that are alike the later one goes.
"""

from __future__ import annotations

from typing import Final

from .records import BEAM, LABEL_PATH, LEAF

NO_ROOM: Final = -1  # in the place of the number of paths that were found
_FEW_PATHS: Final = 256
_LOWEST: Final = "-inff64"


def _path(name: str, number: str) -> str:
    return f"bind {name}: LabelPath at (it.paths[] + ({number} * {LABEL_PATH.bytes}))"


def _leaf(name: str, place: str) -> str:
    return f"bind {name}: Leaf at (it.heap[] + ({place} * {LEAF.bytes}))"


def _log_sum(a: str, b: str) -> str:
    low, high = f"min({a}, {b})", f"max({a}, {b})"
    return f"where(({low} == {_LOWEST}), {high}, ({high} + log1p(exp(({low} - {high})))))"


FUNCTIONS: Final = f"""
# Room for one more path, and for the hash table; false where there is no memory.
function tm_beam_fits(beam: ptr) -> bool:
  bind it: Beam at beam
  if (it.count[] < it.room[]):
    return true
  let room: i64 = max((it.room[] * 2), {_FEW_PATHS})
  call paths: ptr = malloc((room * {LABEL_PATH.bytes}))
  call slots: ptr = malloc((room * 16))
  if ((paths == 0ptr) | (slots == 0ptr)):
    call free(paths)
    call free(slots)
    return false
  if (it.count[] > 0):
    call memcpy(paths, it.paths[], (it.count[] * {LABEL_PATH.bytes}))
  call free(it.paths[])
  call free(it.slots[])
  it.paths[] = paths
  it.slots[] = slots
  it.room[] = room
  it.mask[] = ((room * 2) - 1)
  bind slot: i64[(room * 2)] at slots
  for k in (room * 2):
    slot[k] = -1
  for number in it.count[]:
    {_path("path", "number")}
    call place: i64 = tm_beam_slot(beam, path.parent[], path.label[])
    slot[place] = number
  return true

# Where the hash table has a path, or would have it.
function tm_beam_slot(beam: ptr, parent: i64, label: i64) -> i64:
  bind it: Beam at beam
  let entries: i64 = (it.mask[] + 1)
  bind slot: i64[entries] at it.slots[]
  set place: i64 = (((parent * 40503) + (label * 9973)) & it.mask[])
  set goes: bool = true
  while goes:
    let number: i64 = slot[place]
    set goes = false
    if (number >= 0):
      {_path("path", "number")}
      set goes = logical_not(((path.parent[] == parent) & (path.label[] == label)))
    if goes:
      set place = ((place + 1) & it.mask[])
  return place

# A path that no step has looked at; -1 where there is no memory.
function tm_beam_path(beam: ptr, parent: i64, label: i64) -> i64:
  call fits: bool = tm_beam_fits(beam)
  if logical_not(fits):
    return -1
  bind it: Beam at beam
  let number: i64 = it.count[]
  it.count[] = (number + 1)
  {_path("path", "number")}
  path.parent[] = parent
  path.label[] = label
  path.blank_before[] = {_LOWEST}
  path.label_before[] = {_LOWEST}
  path.before[] = {_LOWEST}
  path.blank_now[] = {_LOWEST}
  path.label_now[] = {_LOWEST}
  path.now[] = {_LOWEST}
  path.first[] = -1
  path.next[] = -1
  call place: i64 = tm_beam_slot(beam, parent, label)
  let entries: i64 = (it.mask[] + 1)
  bind slot: i64[entries] at it.slots[]
  slot[place] = number
  return number

# The leaf at a place of `used` ones moves down, until none below it is less.
function tm_beam_sink(beam: ptr, first: i64, used: i64):
  bind it: Beam at beam
  {_leaf("given", "first")}
  let total: f64 = given.total[]
  let turn: i64 = given.turn[]
  let number: i64 = given.path[]
  set place: i64 = first
  set goes: bool = (((2 * place) + 1) < used)
  while goes:
    let left: i64 = ((2 * place) + 1)
    let right: i64 = min((left + 1), (used - 1))
    {_leaf("one", "left")}
    {_leaf("other", "right")}
    let right_less: bool = ((other.total[] < one.total[]) | \
((other.total[] == one.total[]) & (other.turn[] < one.turn[])))
    let lower: i64 = where(right_less, right, left)
    {_leaf("least", "lower")}
    {_leaf("hole", "place")}
    set goes = ((least.total[] < total) | ((least.total[] == total) & (least.turn[] < turn)))
    if goes:
      hole.total[] = least.total[]
      hole.turn[] = least.turn[]
      hole.path[] = least.path[]
      set place = lower
      set goes = (((2 * place) + 1) < used)
  {_leaf("end", "place")}
  end.total[] = total
  end.turn[] = turn
  end.path[] = number

# A path is taken in; where there is no room, the least probable one goes.
function tm_beam_add(beam: ptr, number: i64):
  bind it: Beam at beam
  {_path("path", "number")}
  let total: f64 = path.now[]
  let turn: i64 = it.turn[]
  it.turn[] = (turn - 1)
  set place: i64 = 0
  if (it.used[] == it.width[]):
    {_leaf("first", "0")}
    {_path("gone", "first.path[]")}
    gone.blank_now[] = {_LOWEST}
    gone.label_now[] = {_LOWEST}
    gone.now[] = {_LOWEST}
  else:
    set place = it.used[]
    it.used[] = (place + 1)
    set goes: bool = (place > 0)
    while goes:
      let above: i64 = truncate_divide((place - 1), 2)
      {_leaf("upper", "above")}
      {_leaf("hole", "place")}
      set goes = ((total < upper.total[]) | ((total == upper.total[]) & (turn < upper.turn[])))
      if goes:
        hole.total[] = upper.total[]
        hole.turn[] = upper.turn[]
        hole.path[] = upper.path[]
        set place = above
        set goes = (place > 0)
  {_leaf("end", "place")}
  end.total[] = total
  end.turn[] = turn
  end.path[] = number
  call tm_beam_sink(beam, place, it.used[])

# The numbers of all paths, the most probable one first; none is left in the beam.
function tm_beam_ranked(beam: ptr) -> i64:
  bind it: Beam at beam
  let count: i64 = it.used[]
  let width: i64 = it.width[]
  bind ranked: i64[width] at it.ranked[]
  for k in count:
    let last: i64 = ((count - 1) - k)
    {_leaf("first", "0")}
    {_leaf("end", "last")}
    ranked[last] = first.path[]
    first.total[] = end.total[]
    first.turn[] = end.turn[]
    first.path[] = end.path[]
    call tm_beam_sink(beam, 0, last)
  it.used[] = 0
  it.turn[] = 0
  return count

# All paths of the beam one step later.
function tm_beam_keep(beam: ptr, row: ptr, classes: i64, count: i64):
  bind it: Beam at beam
  bind score: f64[classes] at row
  let width: i64 = it.width[]
  bind ranked: i64[width] at it.ranked[]
  for k in count:
    {_path("path", "ranked[k]")}
    path.blank_before[] = path.blank_now[]
    path.label_before[] = path.label_now[]
    path.before[] = path.now[]
    path.first[] = -1
  for k in count:
    {_path("path", "ranked[k]")}
    let blank: f64 = (path.before[] + score[(classes - 1)])
    set label: f64 = path.label_before[]
    if (path.parent[] >= 0):
      {_path("parent", "path.parent[]")}
      path.next[] = parent.first[]
      parent.first[] = ranked[k]
      if (parent.now[] > {_LOWEST}):
        let again: bool = (parent.label[] == path.label[])
        let came: f64 = where(again, parent.blank_before[], parent.before[])
        set label = {_log_sum("label", "came")}
      set label = (label + score[path.label[]])
    path.blank_now[] = blank
    path.label_now[] = label
    path.now[] = {_log_sum("blank", "label")}
    call tm_beam_add(beam, ranked[k])

# A path with one more label, for each that is probable enough; false where there is no memory. One
# that the step began with, but that has left the beam and is not probable enough, is followed no
# more: `marks` has its number at its label.
function tm_beam_extend(beam: ptr, row: ptr, classes: i64, number: i64) -> bool:
  bind it: Beam at beam
  bind score: f64[classes] at row
  {_path("path", "number")}
  let whole: f64 = path.before[]
  let blank: f64 = path.blank_before[]
  let own: i64 = path.label[]
  {_leaf("first", "0")}
  let full: bool = (it.used[] == it.width[])
  set least: f64 = {_LOWEST}
  if full:
    set least = first.total[]
  if logical_not((whole > least)):
    return true
  bind marked: i64[classes] at it.marks[]
  call tm_beam_mark(beam, number, classes, 1)
  for label in (classes - 1):
    let total: f64 = (score[label] + where((label == own), blank, whole))
    if (total > least):
      call found: i64 = tm_beam_place(beam, number, label)
      if (found == -2):
        return false
      if (found >= 0):
        {_path("child", "found")}
        child.label_now[] = total
        child.now[] = total
        call tm_beam_add(beam, found)
        if (it.used[] == it.width[]):
          {_leaf("lowest", "0")}
          set least = lowest.total[]
    else:
      if (marked[label] > 0):
        {_path("old", "marked[label]")}
        if (old.now[] == {_LOWEST}):
          old.blank_before[] = {_LOWEST}
          old.label_before[] = {_LOWEST}
          old.before[] = {_LOWEST}
  call tm_beam_mark(beam, number, classes, 0)
  return true

# Note paths that the step began with at their labels, times `factor`: those with one label more.
function tm_beam_mark(beam: ptr, number: i64, classes: i64, factor: i64):
  bind it: Beam at beam
  bind marked: i64[classes] at it.marks[]
  {_path("path", "number")}
  set here: i64 = path.first[]
  while (here > 0):
    {_path("child", "here")}
    marked[child.label[]] = (here * factor)
    set here = child.next[]

# The path with one more label, which is made where there is none; -1 where the beam has it, -2
# where there is no memory.
function tm_beam_place(beam: ptr, parent: i64, label: i64) -> i64:
  bind it: Beam at beam
  call place: i64 = tm_beam_slot(beam, parent, label)
  let entries: i64 = (it.mask[] + 1)
  bind slot: i64[entries] at it.slots[]
  let known: i64 = slot[place]
  if (known >= 0):
    {_path("path", "known")}
    if (path.now[] > {_LOWEST}):
      return -1
    path.blank_now[] = {_LOWEST}
    return known
  call made: i64 = tm_beam_path(beam, parent, label)
  return where((made < 0), -2, made)

# The labels of a path; of equal ones in a row only one, where they are to be merged. How many.
function tm_beam_labels(beam: ptr, number: i64, merged: i64, out: ptr) -> i64:
  bind it: Beam at beam
  set count: i64 = 0
  for turn in 2:
    let size: i64 = count
    bind labels: i64[size] at out
    set place: i64 = count
    set last: i64 = -1
    set here: i64 = number
    while (here > 0):
      {_path("path", "here")}
      let label: i64 = path.label[]
      if ((merged == 0) | (label != last)):
        set place = (place - 1)
        if (turn == 1):
          labels[place] = label
      set last = label
      set here = path.parent[]
    set count = where((turn == 0), neg(place), count)
  return count

# The best paths of one example, whose steps lie `stride` bytes apart: how many there are.
function tm_beam_example(steps: ptr, stride: i64, length: i64, classes: i64, width: i64, \
best: i64, merged: i64, labels: ptr, between: i64, lengths: ptr, far: i64, scores: ptr) -> i64:
  allocate beam: u8[{BEAM.bytes}]
  call memset(&beam, 0u8, {BEAM.bytes})
  bind it: Beam at &beam
  it.width[] = width
  call memory: ptr = malloc(((width * {LEAF.bytes + 8}) + (classes * 8)))
  if (memory == 0ptr):
    return {NO_ROOM}
  it.heap[] = memory
  it.ranked[] = (memory + (width * {LEAF.bytes}))
  it.marks[] = (memory + (width * {LEAF.bytes + 8}))
  bind marked: i64[classes] at it.marks[]
  for k in classes:
    marked[k] = 0
  call root: i64 = tm_beam_path(&beam, -1, -1)
  set works: bool = (root == 0)
  if works:
    {_path("path", "0")}
    path.blank_now[] = 0.0f64
    path.now[] = 0.0f64
    call tm_beam_add(&beam, 0)
  set step: i64 = 0
  while ((step < length) & works):
    let row: ptr = (steps + (step * stride))
    call count: i64 = tm_beam_ranked(&beam)
    bind ranked: i64[width] at it.ranked[]
    call tm_beam_keep(&beam, row, classes, count)
    for k in count:
      if works:
        call had_room: bool = tm_beam_extend(&beam, row, classes, ranked[k])
        set works = had_room
    set step = (step + 1)
  set found: i64 = {NO_ROOM}
  if works:
    call count: i64 = tm_beam_ranked(&beam)
    set found = count
    bind ranked: i64[width] at it.ranked[]
    bind score: f64[best] at scores
    for k in best:
      bind size: i64[1] at (lengths + (k * far))
      size[0] = 0
      if (k < count):
        {_path("path", "ranked[k]")}
        score[k] = path.now[]
        call length: i64 = tm_beam_labels(&beam, ranked[k], merged, (labels + (k * between)))
        size[0] = length
  call free(it.paths[])
  call free(it.slots[])
  call free(memory)
  return found

# labels: [best, batch, steps]; lengths: [best, batch]; scores: [batch, best]; found: [batch]. 0, or
# NO_ROOM.
function tm_beam_search(frame: ptr, x: ptr, given: ptr, labels: ptr, lengths: ptr, scores: ptr, \
found: ptr, steps: i64, batch: i64, classes: i64, width: i64, best: i64, merged: i64) -> i64:
  bind length: i64[batch] at given
  bind paths: i64[batch] at found
  parfor b in batch grain 1:
    call count: i64 = tm_beam_example((x + (b * (classes * 8))), (batch * (classes * 8)), \
length[b], classes, width, best, merged, (labels + (b * (steps * 8))), (batch * (steps * 8)), \
(lengths + (b * 8)), (batch * 8), (scores + (b * (best * 8))))
    paths[b] = count
  set least: i64 = 0
  for b in batch:
    set least = min(least, paths[b])
  return least
"""
