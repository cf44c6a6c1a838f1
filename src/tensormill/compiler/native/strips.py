"""Strips of products by panels that live as long as the cache has them.

OpenBLAS writes both factors anew for each strip, in an order for blocks of hundreds of rows: for 50
rows that takes a third as long as multiplying. Here some panels (panels.py) of the right factor
are written, multiplied by all rows of a block, and forgotten. The left factor is read where it
lies, unless its rows share places in the cache.
"""

from __future__ import annotations

from typing import Final

from ..loops.functions import SIZE
from .panels import NAME as TILE
from .panels import lanes
from .windows.convolutions import LANE_BYTES, NUMBERS

STRIP: Final = "tm_strip_"
FEW_ROWS: Final = "tm_few_rows_"
NAMES: Final = (STRIP, FEW_ROWS)
# Fewer rows read the right factor hardly more often than it would be written.
LEAST_ROWS: Final = 8
_TERMS_OF_FEW: Final = 8  # whose rows are read side by side
# Terms that are multiplied before the next ones: a panel of them fills half of a first-level cache.
TERMS: Final = 256
PANELS: Final = 4  # that are written together, along the rows of a factor
ROWS: Final = 96  # that read these panels: a block of them stays in the second-level cache
# Rows that lie a multiple of such bytes apart share a set of the first-level cache, which has fewer
# places than a tile has rows; they are copied so that a line is between them.
ALIKE_PLACES: Final = 4096


def functions(tile: int) -> str:
    """The text of all functions, in tiles of so many rows."""
    return "\n".join(_function(short, tile) + _of_few_rows(short) for short in NUMBERS)


def _function(short: str, tile: int) -> str:
    """`tm_strip_<dtype>`: rows [m, k] times columns [k, n], whose rows, and the result's, begin
    `b_pitch` and `out_pitch` numbers after one another. Where `adding` is not 0 the product is
    added to what was there.

    A sum of more than `TERMS` terms is one of sums of so many, in their order.
    """
    width, size, zero, lower = lanes(short), SIZE[short], _zero(short), tile * 2 // 3
    columns, apart = PANELS * width, TERMS + width
    given = f"rows, out_pitch, terms, pitch, (n - column), {_flag('((adding != 0) | (part > 0))')}"
    return f"""
function tm_strip_{short}(a: ptr, b: ptr, out: ptr, m: i64, n: i64, k: i64, a_pitch: i64, \
b_pitch: i64, out_pitch: i64, adding: i64):
  allocate panels: {short}[{PANELS}, {TERMS}, {width}]
  allocate copied: {short}[{ROWS}, {apart}]
  let alike: bool = (truncate_modulo((a_pitch * {size}), {ALIKE_PLACES}) == 0)
  for part in max(truncate_divide((k + {TERMS - 1}), {TERMS}), 1):
    let begin: i64 = (part * {TERMS})
    let terms: i64 = min((k - begin), {TERMS})
    for block in truncate_divide((m + {ROWS - 1}), {ROWS}):
      let top: i64 = (block * {ROWS})
      let rows: i64 = min((m - top), {ROWS})
      let start: ptr = (a + (((top * a_pitch) + begin) * {size}))
      let tiles: i64 = truncate_divide((rows + {tile - 1}), {tile})
      let unused: i64 = ((tiles * {tile}) - rows)
      let low: i64 = min(truncate_divide(unused, {tile - lower}), tiles)
      let high: i64 = (tiles - low)
      if alike:
        for row in rows:
          bind given: {short}[terms] at (start + ((row * a_pitch) * {size}))
          for term in terms:
            copied[row, term] = given[term]
      let seen: ptr = where(alike, &copied, start)
      let pitch: i64 = where(alike, {apart}, a_pitch)
      for group in truncate_divide((n + {columns - 1}), {columns}):
        let first: i64 = (group * {columns})
        let count: i64 = min(truncate_divide(((n - first) + {width - 1}), {width}), {PANELS})
        for term in terms:
          bind row: {short}[n] at (b + (((begin + term) * b_pitch) * {size}))
          for panel in count:
            let column: i64 = (first + (panel * {width}))
            let left: i64 = (n - column)
            if (left >= {width}):
              for c in {width}:
                panels[panel, term, c] = row[(column + c)]
            else:
              for c in {width}:
                panels[panel, term, c] = where((c < left), row[(column + c)], {zero})
        for panel in count:
          let column: i64 = (first + (panel * {width}))
          let factors: ptr = (&panels + (panel * {TERMS * LANE_BYTES}))
          let below: ptr = (out + (((top * out_pitch) + column) * {size}))
          for step in high:
            call {TILE}{tile}_{short}(seen, factors, below, (step * {tile}), {given})
          for step in low:
            call {TILE}{lower}_{short}(seen, factors, below, \
((high * {tile}) + (step * {lower})), {given})
"""


def _of_few_rows(short: str) -> str:
    """`tm_few_rows_<dtype>`: the same for a few rows, which read what they are multiplied by where
    it lies: along its rows, as memory gives it fastest. A sum runs from its first term to its last.
    """
    width, zero = lanes(short), _zero(short)
    return f"""
function {FEW_ROWS}{short}(a: ptr, b: ptr, out: ptr, m: i64, n: i64, k: i64, a_pitch: i64, \
b_pitch: i64, out_pitch: i64):
  bind rows: {short}[m, a_pitch] at a
  bind factor: {short}[k, b_pitch] at b
  bind sums: {short}[m, out_pitch] at out
  allocate seen: {short}[{_TERMS_OF_FEW}, {width}]
  allocate kept: {short}[{width}]
  for part in max(truncate_divide((k + {_TERMS_OF_FEW - 1}), {_TERMS_OF_FEW}), 1):
    let first: i64 = (part * {_TERMS_OF_FEW})
    let terms: i64 = min((k - first), {_TERMS_OF_FEW})
    for group in truncate_divide((n + {width - 1}), {width}):
      let column: i64 = (group * {width})
      let left: i64 = (n - column)
      if ((left >= {width}) & (terms == {_TERMS_OF_FEW})):
{_added(str(_TERMS_OF_FEW), width, zero, "{}", "")}
      else:
{_added("terms", width, zero, f"where((c < left), {{}}, {zero})", "if (c < left):")}
"""


def _added(terms: str, width: int, zero: str, read: str, guard: str) -> str:
    """Some terms of a panel's columns, of which some may be none, added to what is there."""
    inner = "  " if guard else ""
    lines = (
        f"for t in {terms}:",
        f"  for c in {width}:",
        f"    seen[t, c] = {read.format('factor[(first + t), (column + c)]')}",
        "for row in m:",
        "  if (first == 0):",
        f"    for c in {width}:",
        f"      kept[c] = {zero}",
        "  else:",
        f"    for c in {width}:",
        f"      kept[c] = {read.format('sums[row, (column + c)]')}",
        f"  for t in {terms}:",
        f"    for c in {width}:",
        "      kept[c] = fma(rows[row, (first + t)], seen[t, c], kept[c])",
        f"  for c in {width}:",
        *((f"    {guard}",) if guard else ()),
        f"    {inner}sums[row, (column + c)] = kept[c]",
    )
    return "\n".join(f"        {line}" for line in lines)


def _zero(short: str) -> str:
    return "0.0" if short == "f32" else f"0.0{short}"


def _flag(condition: str) -> str:
    return f"where({condition}, 1, 0)"
