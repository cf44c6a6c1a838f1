"""Matrix products whose right factor was arranged before: many of them have it.

OpenBLAS arranges both factors for every product, which takes as long as multiplying where there are
few rows. Here the right factor lies in panels of 64 bytes of its columns [panels, k, lanes] (the
last one filled up with anything), and the left one is read where it lies: a tile of rows times a
panel stays in vector registers until its sums are complete. Each sum has one order, from the
first term to the last, whoever computes it.
"""

from __future__ import annotations

from typing import Final

from ..loops.functions import SIZE
from .windows.convolutions import LANE_BYTES, NUMBERS

NAME: Final = "tm_panels_"  # of products
ARRANGED: Final = "tm_arranged_"  # what writes panels
NAMES: Final = (NAME, ARRANGED)
# Tiles that read a panel from the first-level cache. More write rows that lie in few sets of it.
TILES_TOGETHER: Final = 2
# Multiply-adds of what a thread takes at once: a tenth of a millisecond.
_LEAST: Final = 1 << 22
_WRITTEN: Final = 1 << 15  # numbers of panels that a thread writes at once


def lanes(short: str) -> int:
    """How many columns a panel has."""
    return LANE_BYTES // SIZE[short]


def functions(tile: int) -> str:
    """The text of all functions, in tiles of so many rows."""
    lower = tile * 2 // 3
    return "\n".join(
        _tile(short, tile) + _tile(short, lower) + _product(short, tile, lower) + _arranged(short)
        for short in NUMBERS
    )


def _tile(short: str, tile: int) -> str:
    """Some rows times one panel, of which `left` columns count."""
    width, zero = lanes(short), "0.0" if short == "f32" else f"0.0{short}"
    return f"""
apart function tm_panels_{tile}_{short}(a: ptr, panel: ptr, out: ptr, first: i64, \
m: i64, n: i64, k: i64, pitch: i64, left: i64, adding: i64):
  bind factors: {short}[k, {width}] at panel
  allocate rows: ptr[{tile}]
  allocate sums: {short}[{tile}, {width}]
  for r in {tile}:
    rows[r] = (a + ((min((first + r), (m - 1)) * pitch) * {SIZE[short]}))
    for c in {width}:
      sums[r, c] = {zero}
  for term in k:
    for r in {tile}:
      bind seen: {short}[k] at rows[r]
      for c in {width}:
        sums[r, c] = fma(seen[term], factors[term, c], sums[r, c])
  for r in {tile}:
    if ((first + r) < m):
      bind found: {short}[left] at (out + (((first + r) * n) * {SIZE[short]}))
      if ((left >= {width}) & (adding == 0)):
        for c in {width}:
          found[c] = sums[r, c]
      else:
        if (left >= {width}):
          for c in {width}:
            found[c] = (found[c] + sums[r, c])
        else:
          for c in {width}:
            if (c < left):
              found[c] = (where((adding == 0), {zero}, found[c]) + sums[r, c])
"""


def _product(short: str, tile: int, lower: int) -> str:
    """`tm_panels_<dtype>`: rows [m, k] times a factor [k, n] in panels.

    A row begins `pitch` numbers after the one before. Where `adding` is not 0 the product is added
    to what was there. Rows that are no whole number of tiles end with one or two lower ones, which
    reckon fewer that nobody wants: 32 are 4 × 6 + 2 × 4.
    """
    width, rows = lanes(short), tile * TILES_TOGETHER
    given = "m, n, k, pitch, (n - column), adding"
    return f"""
function tm_panels_{short}(frame: ptr, a: ptr, panels: ptr, out: ptr, m: i64, n: i64, k: i64, \
pitch: i64, adding: i64):
  let count: i64 = truncate_divide((n + {width - 1}), {width})
  let work: f64 = ((cast:f64(n) * cast:f64(k)) * {float(rows)}f64)
  let few: f64 = min(({float(_LEAST)}f64 / max(work, 1.0f64)), 1000000000.0f64)
  parfor block in truncate_divide((m + {rows - 1}), {rows}) grain max(cast:i64(few), 1):
    let begin: i64 = (block * {rows})
    let height: i64 = min((m - begin), {rows})
    let tiles: i64 = truncate_divide((height + {tile - 1}), {tile})
    let unused: i64 = ((tiles * {tile}) - height)
    let low: i64 = min(truncate_divide(unused, {tile - lower}), tiles)
    let high: i64 = (tiles - low)
    for number in count:
      let column: i64 = (number * {width})
      let panel: ptr = (panels + ((number * k) * {LANE_BYTES}))
      let below: ptr = (out + (column * {SIZE[short]}))
      for step in high:
        call tm_panels_{tile}_{short}(a, panel, below, (begin + (step * {tile})), {given})
      for step in low:
        call tm_panels_{lower}_{short}(a, panel, below, \
((begin + (high * {tile})) + (step * {lower})), {given})
"""


def _arranged(short: str) -> str:
    """`tm_arranged_<dtype>`: the panels of a factor [k, n], or [n, k] where `turned` is not 0.

    It goes along the rows of what lies in memory: what is read then is used up while it is in the
    cache. Behind the last column of the factor that one is repeated.
    """
    width = lanes(short)
    column = f"((panel * {width}) + c)"
    return f"""
function tm_arranged_{short}(frame: ptr, factor: ptr, panels: ptr, n: i64, k: i64, turned: i64):
  let full: i64 = truncate_divide(n, {width})
  let count: i64 = truncate_divide((n + {width - 1}), {width})
  if (turned == 0):
    parfor term in k grain max(truncate_divide({_WRITTEN}, max(n, 1)), 1):
      for panel in count:
        bind rows: {short}[k, n] at factor
        bind there: {short}[{width}] at (panels + (((panel * k) + term) * {LANE_BYTES}))
        if (panel < full):
          for c in {width}:
            there[c] = rows[term, {column}]
        else:
          for c in {width}:
            there[c] = rows[term, min({column}, (n - 1))]
  else:
    parfor panel in count grain max(truncate_divide({_WRITTEN}, max((k * {width}), 1)), 1):
      bind columns: {short}[n, k] at factor
      bind there: {short}[k, {width}] at (panels + ((panel * k) * {LANE_BYTES}))
      if (panel < full):
        for term in k:
          for c in {width}:
            there[term, c] = columns[{column}, term]
      else:
        for term in k:
          for c in {width}:
            there[term, c] = columns[min({column}, (n - 1)), term]
"""
