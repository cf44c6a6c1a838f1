"""Sums of rows that lie at other places, each number times a weight: filters of single channels.

A row is all channels of all windows along the last axis, side by side. What the next tap sees is
the same row, some numbers farther; its weights, one for each channel, come round again. So vectors
are full whatever the number of channels is. The tables are those of `convolutions`.
"""

from __future__ import annotations

from typing import Final

from ...loops.functions import SIZE
from .convolutions import LANE_BYTES, NUMBERS

# Multiply-adds of vectors that one unit of work has.
_UNIT: Final = 30_000


def lanes(short: str) -> int:
    """How many numbers of a row are computed together; weights have as many more than a period."""
    return LANE_BYTES // SIZE[short]


def functions(tile: int) -> str:
    """The text of all functions, for so many rows at once."""
    return "\n".join(
        _tile(short, tile, False) + _tile(short, tile, True) + _rows(short, tile)
        for short in NUMBERS
    )


def _tile(short: str, tile: int, is_short: bool) -> str:
    """Some rows, from a column on: a vector of each, or where rows are shorter the whole of it."""
    width, size, zero = lanes(short), SIZE[short], "0.0" if short == "f32" else f"0.0{short}"
    name = f"tm_convolve_rows_{'short' if is_short else 'tile'}_{short}"
    extent = "length" if is_short else width
    seen = f"where((n < length), seen[n], {zero})" if is_short else "seen[n]"
    stored = """\
      if (n < length):
        found[n] = sums[k, n]
""" if is_short else """\
      found[n] = sums[k, n]
"""  # fmt: skip
    return f"""
apart function {name}(frame: ptr, x: ptr, weights: ptr, out: ptr, starts: ptr, taps: ptr, \
first: i64, rows: i64, tap_count: i64, length: i64, period: i64, column: i64):
  bind start: i64[rows] at starts
  bind tap: i64[tap_count] at taps
  let phase: i64 = (column - (truncate_divide(column, max(period, 1)) * period))
  allocate row: ptr[{tile}]
  allocate sums: {short}[{tile}, {width}]
  for k in {tile}:
    row[k] = (x + (start[min((first + k), (rows - 1))] + (column * {size})))
    for n in {width}:
      sums[k, n] = {zero}
  for number in tap_count:
    let offset: i64 = tap[number]
    bind factors: {short}[{width}] at \
(weights + (((number * (period + {width})) + phase) * {size}))
    for k in {tile}:
      bind seen: {short}[{extent}] at (row[k] + offset)
      for n in {width}:
        sums[k, n] = fma({seen}, factors[n], sums[k, n])
  for k in {tile}:
    let place: i64 = ((min((first + k), (rows - 1)) * length) + column)
    bind found: {short}[{extent}] at (out + (place * {size}))
    for n in {width}:
{stored}"""


def _rows(short: str, tile: int) -> str:
    """`tm_convolve_rows_<dtype>`: rows [rows, length] of `out`.

    `starts` has, for every row, how many bytes after `x` it begins; `taps` how much farther what a
    tap sees lies. weights: [taps, period + lanes], of which the number at k is that of k modulo the
    period. The last vector of a row ends where it does: some numbers are computed twice.
    """
    width = lanes(short)
    tables = "frame, x, weights, out, starts, taps"
    return f"""
function tm_convolve_rows_{short}(frame: ptr, x: ptr, weights: ptr, out: ptr, starts: ptr, \
taps: ptr, rows: i64, tap_count: i64, length: i64, period: i64):
  let vectors: i64 = truncate_divide((length + {width - 1}), {width})
  let work: i64 = max(((tap_count + 4) * (vectors * {tile})), 1)
  parfor block in truncate_divide((rows + {tile - 1}), {tile}) \
grain (truncate_divide({_UNIT}, work) + 1):
    let first: i64 = (block * {tile})
    if (length >= {width}):
      for number in vectors:
        let column: i64 = min((number * {width}), (length - {width}))
        call tm_convolve_rows_tile_{short}({tables}, first, rows, tap_count, length, period, column)
    else:
      call tm_convolve_rows_short_{short}({tables}, first, rows, tap_count, length, period, 0)
"""
