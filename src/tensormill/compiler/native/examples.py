"""Serialized `tf.train.Example`s, read where they lie: no message is made of them.

`tm_examples_find` walks through each example once, and notes of each feature that is looked for
where its list of values lies and how many there are; `tm_examples_integers` and its like then copy
the values of one feature of all examples to where they belong. The walk accepts and refuses what
TensorFlow's does (`ops/records/wire_examples.py` says the same in Python), whatever the bytes:

* a length is an unsigned number of 32 bits; what is longer than what contains it ends with that;
* of two entries with one key the last one counts;
* a list is packed or not as its first byte says; what follows a packed run is ignored.

What is wrong with a list stands in `counts`: MISSING and the numbers below it.
"""

from __future__ import annotations

from typing import Final

from ...core.native_examples import DAMAGED, MISSING, NO_LIST, OTHER_KIND

_BYTES, _FLOATS, _INTEGERS = 1, 2, 3
_LARGE: Final = 4096  # bytes from which on strings are copied by several threads

# A key's tag and its wire type, one byte: (1 << 3 | 2), and so on.
_FIRST, _SECOND, _THIRD = 10, 18, 26
_FIRST_VARINT, _FIRST_FIXED32 = 8, 13

WIRE: Final = """
# The next number, or -1 where there is none. Higher bits than 32 are dropped.
function tm_wire_long_number(cursor: ptr) -> i64:
  bind it: Cursor at cursor
  set at: i64 = it.at[]
  set shift: i64 = 0
  set value: i64 = 0
  while ((at < it.end[]) & (shift < 70)):
    bind byte: u8[1] at bitcast:ptr(at)
    let here: i64 = cast:i64(byte[0])
    if (shift < 35):
      set value = (value | left_shift((here & 127), shift))
    set at = (at + 1)
    if (here < 128):
      it.at[] = at
      return (value & 4294967295)
    set shift = (shift + 7)
  return -1

inline function tm_wire_number(cursor: ptr) -> i64:
  bind it: Cursor at cursor
  let at: i64 = it.at[]
  if (at < it.end[]):
    bind byte: u8[1] at bitcast:ptr(at)
    if (byte[0] < 128u8):
      it.at[] = (at + 1)
      return cast:i64(byte[0])
  call found: i64 = tm_wire_long_number(cursor)
  return found

# Whether the next byte is this one, which is skipped then.
inline function tm_wire_begins(cursor: ptr, wanted: i64) -> bool:
  bind it: Cursor at cursor
  let at: i64 = it.at[]
  if (at >= it.end[]):
    return false
  bind byte: u8[1] at bitcast:ptr(at)
  if (cast:i64(byte[0]) != wanted):
    return false
  it.at[] = (at + 1)
  return true

# Where what comes next ends, which its length says; -1 where there is no length.
inline function tm_wire_limit(cursor: ptr) -> i64:
  call length: i64 = tm_wire_number(cursor)
  if (length < 0):
    return -1
  bind it: Cursor at cursor
  return min(it.end[], (it.at[] + length))

# Skip a field that nobody knows.
function tm_wire_skip(cursor: ptr) -> bool:
  call tag: i64 = tm_wire_number(cursor)
  let kind: i64 = (tag & 7)
  if (tag < 0):
    return false
  bind it: Cursor at cursor
  if (kind == 0):
    call number: i64 = tm_wire_number(cursor)
    return (number >= 0)
  if (kind == 2):
    call length: i64 = tm_wire_number(cursor)
    if ((length >= 0) & (length < 2147483648)):
      it.at[] = min(it.end[], (it.at[] + length))
    return (length >= 0)
  let size: i64 = where((kind == 1), 8, where((kind == 5), 4, -1))
  if ((size < 0) | ((it.end[] - it.at[]) < size)):
    return false
  it.at[] = (it.at[] + size)
  return true
"""

WALK: Final = f"""
function tm_examples_find(job: ptr):
  bind it: Examples at job
  let count: i64 = it.count[]
  parfor example in count grain it.grain[]:
    call tm_example_find(job, example)

function tm_example_find(job: ptr, example: i64):
  bind it: Examples at job
  let count: i64 = it.count[]
  let features: i64 = it.features[]
  let total: i64 = (count * features)
  bind whole: u8[count] at it.whole[]
  bind places: i64[total] at it.places[]
  bind lengths: i64[total] at it.lengths[]
  for feature in features:
    places[((example * features) + feature)] = 0
    lengths[((example * features) + feature)] = 0
  call fine: bool = tm_example_walk(job, example)
  if not(fine):
    whole[example] = 0u8
    return
  whole[example] = 1u8
  for feature in features:
    call tm_example_measure(job, example, feature)

function tm_example_walk(job: ptr, example: i64) -> bool:
  bind it: Examples at job
  let count: i64 = it.count[]
  bind texts: i64[count] at it.texts[]
  bind sizes: i64[count] at it.sizes[]
  allocate cursor: i64[2]
  bind here: Cursor at &cursor
  let end: i64 = (texts[example] + sizes[example])
  here.at[] = texts[example]
  here.end[] = end
  while (here.at[] < end):
    call begins: bool = tm_wire_begins(&cursor, {_FIRST})
    if begins:
      call fine: bool = tm_example_features(job, example, &cursor)
      here.end[] = end
      if not(fine):
        return false
    else:
      call skipped: bool = tm_wire_skip(&cursor)
      if not(skipped):
        return false
  return true

function tm_example_features(job: ptr, example: i64, cursor: ptr) -> bool:
  bind here: Cursor at cursor
  call end: i64 = tm_wire_limit(cursor)
  if (end < 0):
    return false
  while (here.at[] < end):
    here.end[] = end
    call entry: bool = tm_wire_begins(cursor, {_FIRST})
    if not(entry):
      return false
    call fine: bool = tm_example_entry(job, example, cursor)
    if not(fine):
      return false
  return true

# A key and a feature, in any order, and nothing else.
function tm_example_entry(job: ptr, example: i64, cursor: ptr) -> bool:
  bind here: Cursor at cursor
  call end: i64 = tm_wire_limit(cursor)
  if (end < 0):
    return false
  here.end[] = end
  set key: i64 = 0
  set key_size: i64 = 0
  set value: i64 = 0
  set value_size: i64 = 0
  for part in 2:
    call tag: i64 = tm_wire_number(cursor)
    if ((tag != {_FIRST}) & (tag != {_SECOND})):
      return false
    call size: i64 = tm_wire_number(cursor)
    let at: i64 = here.at[]
    if ((size < 0) | (size > (end - at))):
      return false
    here.at[] = (at + size)
    if (tag == {_FIRST}):
      set key = at
      set key_size = size
    else:
      set value = at
      set value_size = size
  if (here.at[] != end):
    return false
  call feature: i64 = tm_example_feature(job, key, key_size)
  if (feature < 0):
    return true
  bind it: Examples at job
  let features: i64 = it.features[]
  let total: i64 = (it.count[] * features)
  bind keeps: u8[features] at it.keeps[]
  if ((value_size == 0) & (keeps[feature] == 0u8)):
    return true
  let number: i64 = ((example * features) + feature)
  bind places: i64[total] at it.places[]
  bind lengths: i64[total] at it.lengths[]
  places[number] = value
  lengths[number] = value_size
  return true

# The number of the feature with this key; -1 where it is not looked for. (FNV-1a: Fowler, Noll, Vo)
function tm_example_feature(job: ptr, key: i64, size: i64) -> i64:
  bind it: Examples at job
  bind text: u8[size] at bitcast:ptr(key)
  set hash: i64 = -3750763034362895579
  for k in size:
    set hash = ((hash ^ cast:i64(text[k])) * 1099511628211)
  let mask: i64 = it.mask[]
  let features: i64 = it.features[]
  bind slots: i64[(mask + 1)] at it.slots[]
  bind ends: i64[(features + 1)] at it.ends[]
  set slot: i64 = (hash & mask)
  while (slots[slot] >= 0):
    let feature: i64 = slots[slot]
    call same: bool = tm_example_key_is(job, ends[feature], ends[(feature + 1)], key, size)
    if same:
      return feature
    set slot = ((slot + 1) & mask)
  return -1

inline function tm_example_key_is(job: ptr, begin: i64, end: i64, key: i64, size: i64) -> bool:
  if ((end - begin) != size):
    return false
  bind it: Examples at job
  bind keys: u8[end] at it.keys[]
  bind text: u8[size] at bitcast:ptr(key)
  for k in size:
    if (text[k] != keys[(begin + k)]):
      return false
  return true
"""

MEASURE: Final = f"""
# Put where the values of a feature lie, how many bytes they take (the negative of it where each has
# a tag) and how many they are where the feature itself was noted.
function tm_example_measure(job: ptr, example: i64, feature: i64):
  bind it: Examples at job
  let features: i64 = it.features[]
  let total: i64 = (it.count[] * features)
  let number: i64 = ((example * features) + feature)
  bind places: i64[total] at it.places[]
  bind lengths: i64[total] at it.lengths[]
  bind counts: i64[total] at it.counts[]
  bind kinds: i64[features] at it.kinds[]
  counts[number] = {MISSING}
  if (lengths[number] == 0):
    return
  allocate cursor: i64[2]
  bind here: Cursor at &cursor
  here.at[] = (places[number] + 1)
  here.end[] = (places[number] + lengths[number])
  bind tag: u8[1] at bitcast:ptr(places[number])
  let first: i64 = cast:i64(tag[0])
  if ((first != {_FIRST}) & ((first != {_SECOND}) & (first != {_THIRD}))):
    counts[number] = {NO_LIST}
    return
  # The tags of the three lists are 8 apart.
  let kind: i64 = truncate_divide((first - 2), 8)
  if (kind != kinds[feature]):
    counts[number] = ({OTHER_KIND} - kind)
    return
  counts[number] = {DAMAGED}
  call end: i64 = tm_wire_limit(&cursor)
  if (end < 0):
    return
  here.end[] = end
  if (here.at[] == end):
    counts[number] = 0
    return
  let begin: i64 = here.at[]
  set found: i64 = 0
  if (kind == {_BYTES}):
    call texts: i64 = tm_list_of_texts(&cursor)
    set found = texts
  if (kind == {_FLOATS}):
    call floats: i64 = tm_list_of_floats(&cursor)
    set found = floats
  if (kind == {_INTEGERS}):
    call integers: i64 = tm_list_of_integers(&cursor)
    set found = integers
  counts[number] = found
  places[number] = here.at[]
  let size: i64 = (here.end[] - here.at[])
  lengths[number] = where((here.at[] == begin), (0 - size), size)

# These three say how many values there are, or that the list is damaged, and leave the cursor at
# the values; without a packed run, at the first tag.
function tm_list_of_texts(cursor: ptr) -> i64:
  bind it: Cursor at cursor
  let begin: i64 = it.at[]
  set found: i64 = 0
  while (it.at[] < it.end[]):
    call value: bool = tm_wire_begins(cursor, {_FIRST})
    if not(value):
      return {DAMAGED}
    call size: i64 = tm_wire_number(cursor)
    if ((size < 0) | (size > (it.end[] - it.at[]))):
      return {DAMAGED}
    it.at[] = (it.at[] + size)
    set found = (found + 1)
  it.at[] = begin
  return found

function tm_list_of_floats(cursor: ptr) -> i64:
  bind it: Cursor at cursor
  let begin: i64 = it.at[]
  call packed: bool = tm_wire_begins(cursor, {_FIRST})
  if packed:
    call size: i64 = tm_wire_number(cursor)
    let run: i64 = (size - (size & 3))
    if ((size < 0) | (run > (it.end[] - it.at[]))):
      return {DAMAGED}
    it.end[] = (it.at[] + run)
    return truncate_divide(run, 4)
  let run: i64 = (it.end[] - begin)
  let found: i64 = truncate_divide(run, 5)
  if ((found * 5) != run):
    return {DAMAGED}
  bind bytes: u8[run] at bitcast:ptr(begin)
  for k in found:
    if (bytes[(k * 5)] != {_FIRST_FIXED32}u8):
      return {DAMAGED}
  return found

function tm_list_of_integers(cursor: ptr) -> i64:
  bind it: Cursor at cursor
  let begin: i64 = it.at[]
  call packed: bool = tm_wire_begins(cursor, {_FIRST})
  if packed:
    call end: i64 = tm_wire_limit(cursor)
    if (end < 0):
      return {DAMAGED}
    it.end[] = end
    call found: i64 = tm_packed_integers(it.at[], end)
    return found
  set found: i64 = 0
  while (it.at[] < it.end[]):
    call value: bool = tm_wire_begins(cursor, {_FIRST_VARINT})
    if not(value):
      return {DAMAGED}
    call number: i64 = tm_wire_number(cursor)
    if (number < 0):
      return {DAMAGED}
    set found = (found + 1)
  it.at[] = begin
  return found

# How many numbers end in a packed run; none may have more than ten bytes.
function tm_packed_integers(begin: i64, end: i64) -> i64:
  let size: i64 = (end - begin)
  if (size == 0):
    return 0
  bind bytes: u8[size] at bitcast:ptr(begin)
  if (bytes[(size - 1)] >= 128u8):
    return {DAMAGED}
  set found: i64 = 0
  for k in size reassociate:
    set found = (found + where((bytes[k] < 128u8), 1, 0))
  if (found == size):
    return found
  set length: i64 = 0
  for k in size:
    set length = where((bytes[k] < 128u8), 0, (length + 1))
    if (length > 9):
      return {DAMAGED}
  return found
"""

TAKE: Final = f"""
# The numbers of all features of all examples: those of feature f of example e go to the address
# `outs[f]` and `starts[e, f]` elements further, where there is room for them; 0: nowhere. A thread
# takes `grain` examples at once.
function tm_examples_numbers(job: ptr, starts: ptr, outs: ptr, grain: i64):
  bind it: Examples at job
  let count: i64 = it.count[]
  parfor example in count grain grain:
    call tm_example_numbers(job, example, starts, outs)

function tm_example_numbers(job: ptr, example: i64, starts: ptr, outs: ptr):
  bind it: Examples at job
  let features: i64 = it.features[]
  let total: i64 = (it.count[] * features)
  bind kinds: i64[features] at it.kinds[]
  bind places: i64[total] at it.places[]
  bind lengths: i64[total] at it.lengths[]
  bind counts: i64[total] at it.counts[]
  bind first: i64[total] at starts
  bind out: i64[features] at outs
  for feature in features:
    let number: i64 = ((example * features) + feature)
    let count: i64 = counts[number]
    if ((count > 0) & ((kinds[feature] != {_BYTES}) & (out[feature] != 0))):
      if (kinds[feature] == {_FLOATS}):
        call tm_take_floats(places[number], lengths[number], count, \
bitcast:ptr((out[feature] + (first[number] * 4))))
      else:
        call tm_take_integers(places[number], lengths[number], count, \
bitcast:ptr((out[feature] + (first[number] * 8))))

function tm_take_integers(begin: i64, length: i64, count: i64, out: ptr):
  let tags: i64 = where((length < 0), 1, 0)
  let size: i64 = abs(length)
  bind bytes: u8[size] at bitcast:ptr(begin)
  bind values: i64[count] at out
  if (count == size):
    for k in count:
      values[k] = cast:i64(bytes[k])
    return
  set at: i64 = 0
  for k in count:
    set at = (at + tags)
    set value: i64 = 0
    set shift: i64 = 0
    set byte: i64 = 128
    while (byte >= 128):
      set byte = cast:i64(bytes[at])
      set value = (value | left_shift((byte & 127), shift))
      set shift = (shift + 7)
      set at = (at + 1)
    values[k] = value

# Numbers lie at any address: bytes are copied.
function tm_take_floats(begin: i64, length: i64, count: i64, out: ptr):
  bind values: u8[(count * 4)] at out
  if (length >= 0):
    bind bytes: u8[length] at bitcast:ptr(begin)
    call memcpy(&values, &bytes, length)
    return
  bind tagged: u8[(count * 5)] at bitcast:ptr(begin)
  for k in count:
    for byte in 4:
      values[((k * 4) + byte)] = tagged[(((k * 5) + byte) + 1)]

# New bytes objects for the strings of all features, at `outs` and `starts` as above: those from
# {_LARGE} bytes on are left to `tm_examples_contents`; how many these are, or -1 where there is no
# memory. Whoever calls this has Python's lock. `header` is how far from its beginning the bytes of
# an object lie.
function tm_examples_texts(job: ptr, starts: ptr, outs: ptr, header: i64) -> i64:
  bind it: Examples at job
  let features: i64 = it.features[]
  let total: i64 = (it.count[] * features)
  bind kinds: i64[features] at it.kinds[]
  bind places: i64[total] at it.places[]
  bind lengths: i64[total] at it.lengths[]
  bind counts: i64[total] at it.counts[]
  bind first: i64[total] at starts
  bind out: i64[features] at outs
  set large: i64 = 0
  for example in it.count[]:
    for feature in features:
      let number: i64 = ((example * features) + feature)
      if ((counts[number] > 0) & ((kinds[feature] == {_BYTES}) & (out[feature] != 0))):
        allocate cursor: i64[2]
        bind here: Cursor at &cursor
        here.at[] = places[number]
        here.end[] = (places[number] + abs(lengths[number]))
        call found: i64 = tm_new_texts(&cursor, counts[number], \
bitcast:ptr((out[feature] + (first[number] * 8))), header)
        if (found < 0):
          return -1
        set large = (large + found)
  return large

function tm_new_texts(cursor: ptr, count: i64, out: ptr, header: i64) -> i64:
  bind here: Cursor at cursor
  bind objects: ptr[count] at out
  set large: i64 = 0
  for k in count:
    here.at[] = (here.at[] + 1)
    call size: i64 = tm_wire_number(cursor)
    call made: ptr = PyBytes_FromStringAndSize(0ptr, size)
    if (made == 0ptr):
      return -1
    let old: ptr = objects[k]
    objects[k] = made
    call Py_DecRef(old)
    if (size >= {_LARGE}):
      set large = (large + 1)
    else:
      bind from: u8[size] at bitcast:ptr(here.at[])
      bind to: u8[size] at (made + header)
      call memcpy(&to, &from, size)
    here.at[] = (here.at[] + size)
  return large

# The bytes of the large strings, which `tm_examples_texts` made room for.
function tm_examples_contents(job: ptr, starts: ptr, outs: ptr, header: i64):
  bind it: Examples at job
  let features: i64 = it.features[]
  let total: i64 = (it.count[] * features)
  parfor number in total grain 1:
    bind kinds: i64[features] at it.kinds[]
    bind places: i64[total] at it.places[]
    bind lengths: i64[total] at it.lengths[]
    bind counts: i64[total] at it.counts[]
    bind first: i64[total] at starts
    bind out: i64[features] at outs
    let feature: i64 = truncate_modulo(number, features)
    if ((counts[number] > 0) & ((kinds[feature] == {_BYTES}) & (out[feature] != 0))):
      call tm_text_contents(places[number], abs(lengths[number]), counts[number], \
bitcast:ptr((out[feature] + (first[number] * 8))), header)

function tm_text_contents(begin: i64, length: i64, count: i64, out: ptr, header: i64):
  allocate cursor: i64[2]
  bind here: Cursor at &cursor
  here.at[] = begin
  here.end[] = (begin + length)
  bind objects: ptr[count] at out
  for k in count:
    here.at[] = (here.at[] + 1)
    call size: i64 = tm_wire_number(&cursor)
    if (size >= {_LARGE}):
      bind from: u8[size] at bitcast:ptr(here.at[])
      bind to: u8[size] at (objects[k] + header)
      call memcpy(&to, &from, size)
    here.at[] = (here.at[] + size)
"""

FUNCTIONS: Final = WIRE + WALK + MEASURE + TAKE
