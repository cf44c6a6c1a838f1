"""Convolutions with few filters: vectors of what windows see, where others have vectors of filters.

A filter or two would leave most of a vector's lanes idle; but what a window sees lies in rows, each
of which is some vectors long. The tables are those of `convolutions`.
"""

from __future__ import annotations

from typing import Final

from ...loops.functions import SIZE
from .convolutions import CHUNK, LANE_BYTES, NUMBERS

# Multiply-adds of vectors that one unit of work has.
_UNIT: Final = 30_000


def lanes(short: str) -> int:
    """How many numbers of a row are taken together: shorter rows are not for these functions."""
    return LANE_BYTES // SIZE[short]


def functions(tile: int) -> str:
    """The text of all functions, with so many vectors of sums."""
    parts = (_tile, _convolve, _of_image, _gradient_tile, _gradient)
    return "\n".join(part(short, tile) for short in NUMBERS for part in parts)


def _zero(short: str) -> str:
    return "0.0" if short == "f32" else f"0.0{short}"


def _tile(short: str, tile: int) -> str:
    """Some windows times one filter. Each sum is that of its lanes, and what is left of rows."""
    width, zero, halves = lanes(short), _zero(short), ""
    half = width // 2
    while half:
        halves += f"""\
    for n in {half}:
      sums[k, n] = (sums[k, n] + sums[k, (n + {half})])
"""
        half //= 2
    return f"""\
apart function tm_convolve_few_tile_{short}(frame: ptr, x: ptr, weights: ptr, out: ptr, \
pixels: ptr, places: ptr, taps: ptr, first: i64, count: i64, tap_count: i64, run: i64):
  bind pixel: i64[count] at pixels
  bind place: i64[count] at places
  bind tap: i64[tap_count] at taps
  bind factors: {short}[tap_count, run] at weights
  let whole: i64 = truncate_divide(run, {width})
  allocate window: ptr[{tile}]
  allocate sums: {short}[{tile}, {width}]
  allocate rests: {short}[{tile}]
  for k in {tile}:
    window[k] = (x + pixel[min((first + k), (count - 1))])
    rests[k] = {zero}
    for n in {width}:
      sums[k, n] = {zero}
  for number in tap_count:
    let offset: i64 = tap[number]
    for piece in whole:
      let before: i64 = (piece * {LANE_BYTES})
      bind vector: {short}[{width}] at ((weights + ((number * run) * {SIZE[short]})) + before)
      for k in {tile}:
        bind seen: {short}[{width}] at ((window[k] + offset) + before)
        for n in {width}:
          sums[k, n] = fma(seen[n], vector[n], sums[k, n])
    for step in (run - (whole * {width})):
      let r: i64 = ((whole * {width}) + step)
      for k in {tile}:
        bind seen: {short}[run] at (window[k] + offset)
        rests[k] = fma(seen[r], factors[number, r], rests[k])
  for k in {tile}:
{halves}\
    bind found: {short}[1] at (out + place[min((first + k), (count - 1))])
    found[0] = (sums[k, 0] + rests[k])
"""


def _convolve(short: str, tile: int) -> str:
    """`tm_convolve_few_<dtype>`: for every window, every filter of its group.

    As `tm_convolve_<dtype>`, but that `weights` has the filters one by one: [groups, filters, taps,
    run].
    """
    size = SIZE[short]
    return f"""\
function tm_convolve_few_{short}(frame: ptr, x: ptr, weights: ptr, out: ptr, pixels: ptr, \
places: ptr, taps: ptr, count: i64, tap_count: i64, run: i64, filters: i64, groups: i64, \
channels: i64):
  let reach: i64 = (tap_count * run)
  let vectors: i64 = ((truncate_divide(reach, {lanes(short)}) + 4) * (filters * groups))
  let grain: i64 = (truncate_divide({_UNIT}, max((vectors * {tile}), 1)) + 1)
  parfor block in truncate_divide((count + {tile - 1}), {tile}) grain grain:
    for group in groups:
      for filter in filters:
        let number: i64 = ((group * filters) + filter)
        call tm_convolve_few_tile_{short}(frame, (x + (group * channels)), \
(weights + ((number * reach) * {size})), (out + (number * {size})), pixels, places, taps, \
(block * {tile}), count, tap_count, run)
"""


def _of_image(short: str, tile: int) -> str:
    """`tm_convolve_few_image_<dtype>`: the same for few windows, by one thread."""
    size = SIZE[short]
    return f"""\
function tm_convolve_few_image_{short}(frame: ptr, x: ptr, weights: ptr, out: ptr, pixels: ptr, \
places: ptr, taps: ptr, count: i64, tap_count: i64, run: i64, filters: i64, groups: i64, \
channels: i64):
  let reach: i64 = (tap_count * run)
  for group in groups:
    for filter in filters:
      let number: i64 = ((group * filters) + filter)
      for block in truncate_divide((count + {tile - 1}), {tile}):
        call tm_convolve_few_tile_{short}(frame, (x + (group * channels)), \
(weights + ((number * reach) * {size})), (out + (number * {size})), pixels, places, taps, \
(block * {tile}), count, tap_count, run)
"""


def _gradient_tile(short: str, tile: int) -> str:
    """Some vectors of rows of one filter's gradient, for the windows `begin` to `end`.

    The last vector of a run of rows ends where the run does, so it may begin with rows of the one
    before: `others`, which it reads but leaves to that one. Another tile may have it, whose sums
    are in `out` already. kept: 1 where there are sums so far in `out`.
    """
    width, zero = lanes(short), _zero(short)
    return f"""\
inline function tm_filter_few_tile_{short}(frame: ptr, x: ptr, dy: ptr, out: ptr, pixels: ptr, \
places: ptr, rows: ptr, begin: i64, end: i64, first: i64, vectors: i64, row_count: i64, run: i64, \
width: i64, kept: i64):
  bind pixel: i64[end] at pixels
  bind given_place: i64[end] at places
  bind place: i64[row_count] at rows
  let per_run: i64 = truncate_divide((run + {width - 1}), {width})
  allocate row: i64[{tile}]
  allocate others: i64[{tile}]
  allocate start: ptr[{tile}]
  allocate sums: {short}[{tile}, {width}]
  for k in {tile}:
    let vector: i64 = min((first + k), (vectors - 1))
    let before: i64 = truncate_divide(vector, max(per_run, 1))
    let within: i64 = ((vector - (before * per_run)) * {width})
    row[k] = ((before * run) + min(within, (run - {width})))
    others[k] = max((within - (run - {width})), 0)
    start[k] = (x + place[row[k]])
    for n in {width}:
      bind earlier: {short}[1] at (out + ((row[k] + n) * width))
      if (kept == 1):
        sums[k, n] = earlier[0]
      else:
        sums[k, n] = {zero}
  for step in (end - begin):
    let p: i64 = (begin + step)
    bind given: {short}[1] at (dy + given_place[p])
    for k in {tile}:
      bind seen: {short}[{width}] at (start[k] + pixel[p])
      for n in {width}:
        sums[k, n] = fma(seen[n], given[0], sums[k, n])
  for k in {tile}:
    for n in {width}:
      if (n >= others[k]):
        bind found: {short}[1] at (out + ((row[k] + n) * width))
        found[0] = sums[k, n]
"""


def _gradient(short: str, tile: int) -> str:
    """`tm_filter_few_<dtype>`: for every row and every filter, in `parts` sums of their own.

    These are the sums of `tm_filter_gradient_<dtype>`; `run` rows lie side by side in `x`.
    """
    width, size = lanes(short), SIZE[short]
    chunk = 8 * CHUNK
    return f"""\
function tm_filter_few_{short}(frame: ptr, x: ptr, dy: ptr, out: ptr, pixels: ptr, places: ptr, \
rows: ptr, count: i64, row_count: i64, filters: i64, groups: i64, channels: i64, parts: i64, \
run: i64):
  let width: i64 = ((filters * groups) * {size})
  let per_run: i64 = truncate_divide((run + {width - 1}), {width})
  let vectors: i64 = (truncate_divide(row_count, max(run, 1)) * per_run)
  let columns: i64 = (filters * groups)
  let work: i64 = max(truncate_divide((count * vectors), max(parts, 1)), 1)
  parfor item in (columns * parts) grain (truncate_divide({_UNIT}, work) + 1):
    let part: i64 = truncate_divide(item, max(columns, 1))
    let number: i64 = (item - (part * columns))
    let group: i64 = truncate_divide(number, max(filters, 1))
    let first: i64 = truncate_divide((part * count), max(parts, 1))
    let end: i64 = truncate_divide(((part + 1) * count), max(parts, 1))
    for chunk in truncate_divide(((end - first) + {chunk - 1}), {chunk}):
      let begin: i64 = (first + (chunk * {chunk}))
      for tile in truncate_divide((vectors + {tile - 1}), {tile}):
        call tm_filter_few_tile_{short}(frame, (x + (group * channels)), (dy + (number * {size})), \
(out + (((part * row_count) * width) + (number * {size}))), pixels, places, rows, begin, \
min((begin + {chunk}), end), (tile * {tile}), vectors, row_count, run, width, min(chunk, 1))
"""
