"""Gradients of 3×3 filters by Winograd's minimal filtering, F(3×3, 2×2).

The gradient of a filter is what its windows saw, times the gradients of their results: a filter of
3×3 has from each tile of 4×4 pixels and 2×2 gradients 16 products, which are added up over all
tiles before they are transformed to its 9 numbers (winograd.py).
"""

from __future__ import annotations

from typing import Final

from .winograd import (
    AREA,
    BYTES,
    FLAG,
    GIVEN,
    KERNEL,
    LANES,
    LEAST_TILES,
    MOST_DEPTH,
    POSITIONS,
    SEEN,
    X_OF_TILE,
    bound,
    for_lanes,
    grid,
    place_of,
    stored,
    transformed,
)

_CHUNK: Final = 32  # tiles that are added up together, where there are few channels
_FEW: Final = 128
# Of the squares of a tap's gradients, added up, the least part of another tap's: what is less may
# be nothing at all, whose noise an optimiser would follow.
_LEAST_PART: Final = 1e-8
_UNITS: Final = 8  # units of work at least, where there are so many panels


def functions(tile: int) -> str:
    """The text of all functions; `tile`: vectors that the processor has registers for."""
    rows = 16 if tile >= 12 else 4  # they divide the channels
    return "\n".join([_take(), _add(rows), _end(), _part(), _gradient()])


def _of_gradients(a: str, b: str) -> list[str]:
    return [a, f"(({a} + {b}) * 0.5)", f"(({a} - {b}) * 0.5)", b]


def _to_filter(a: str, b: str, c: str, d: str) -> list[str]:
    return [f"({a} + ({b} + {c}))", f"({b} - {c})", f"(({b} + {c}) - {d})"]


def _take() -> str:
    """The gradients of one tile, transformed: [16, chunk, lanes], of which it has a row.

    Those before `above` and `before` count in another tile.
    """
    text = ""
    for p in range(GIVEN):
        for q in range(GIVEN):
            number = p * GIVEN + q
            text += f"""\
  if (({p} >= above) & ({q} >= before)):
    bind dy{number}: f32[left] at (dy + (({p} * row) + ({q} * pixel)))
    if (left >= {LANES}):
      for n in {LANES}:
        g[{number}, n] = dy{number}[n]
    else:
      for n in {LANES}:
        g[{number}, n] = where((n < left), dy{number}[n], 0.0)
  else:
    for n in {LANES}:
      g[{number}, n] = 0.0
"""
    return f"""\
apart function tm_winograd_take_f32(frame: ptr, dy: ptr, given: ptr, above: i64, before: i64, \
row: i64, pixel: i64, left: i64):
  allocate g: f32[{GIVEN * GIVEN}, {LANES}]
  allocate half: f32[{SEEN * GIVEN}, {LANES}]
{bound("z", POSITIONS, f"(given + (@ * {_CHUNK * BYTES}))", "  ")}{text}\
{transformed(_of_gradients, grid(GIVEN, GIVEN, "g[@, n]"), "z@[n]", "  ")}"""


def _add(rows: int) -> str:
    """What `count` tiles add to the sums [depth, lanes] of one position.

    kept: how many chunks of tiles are in them already.
    """
    return f"""\
apart function tm_winograd_add_f32(frame: ptr, seen: ptr, given: ptr, sums: ptr, depth: i64, \
count: i64, kept: i64):
  bind factors: f32[count, {LANES}] at given
  for block in truncate_divide(depth, {rows}):
    bind rows: f32[count, depth] at (seen + (block * {rows * 4}))
    bind found: f32[{rows}, {LANES}] at (sums + (block * {rows * BYTES}))
    allocate own: f32[{rows}, {LANES}]
    if (kept == 0):
      for k in {rows}:
        for n in {LANES}:
          own[k, n] = 0.0
    else:
      for k in {rows}:
        for n in {LANES}:
          own[k, n] = found[k, n]
    for t in count:
      for k in {rows}:
        for n in {LANES}:
          own[k, n] = fma(rows[t, k], factors[t, n], own[k, n])
    for k in {rows}:
      for n in {LANES}:
        found[k, n] = own[k, n]
"""


def _end() -> str:
    """`left` filters' gradients [9, depth, width] from the sums of a panel [16, depth, lanes].

    `doubt` is not 0 afterwards where one is not finite; `energies` have their squares added.
    """
    place = f"(((@ * depth) + channel) * {BYTES})"
    text = transformed(_to_filter, grid(SEEN, SEEN, "m@[n]"), "made[@, n]", "    ")
    for number in range(KERNEL * KERNEL):
        made = f"made[{number}, n]"
        text += for_lanes("doubt[n]", f"(doubt[n] + ({made} - {made}))", "    ")
        energy = f"energy[{number}, n]"
        text += for_lanes(energy, f"fma({made}, {made}, {energy})", "    ")
        text += f"""\
    bind out{number}: f32[left] at (out + ((({number} * depth) + channel) * width))
{stored(f"out{number}", made, "    ")}"""
    return f"""\
apart function tm_winograd_end_f32(frame: ptr, sums: ptr, out: ptr, doubts: ptr, energies: ptr, \
depth: i64, width: i64, left: i64):
  bind doubt: f32[{LANES}] at doubts
  bind energy: f32[{KERNEL * KERNEL}, {LANES}] at energies
  for channel in depth:
    allocate half: f32[{KERNEL * SEEN}, {LANES}]
    allocate made: f32[{KERNEL * KERNEL}, {LANES}]
{bound("m", POSITIONS, f"(sums + {place})", "    ")}{text}"""


def _part() -> str:
    """The gradients of panels `panel` to `last`, of the tiles `first` to `end`."""
    fewer, taps = _CHUNK * _FEW // MOST_DEPTH, KERNEL * KERNEL
    return f"""\
apart function tm_winograd_part_f32(frame: ptr, x: ptr, dy: ptr, out: ptr, sums: ptr, flag: ptr, \
first: i64, end: i64, panel: i64, last: i64, depth: i64, filters: i64, height: i64, width: i64, \
x_pixel: i64, x_row: i64, x_image: i64, dy_pixel: i64, dy_row: i64, dy_image: i64):
{AREA}\
  let together: i64 = where((depth <= {_FEW}), {_CHUNK}, {fewer})
  let step: i64 = ((depth * 4) * together)
  let panel_bytes: i64 = (depth * {POSITIONS * BYTES})
  allocate places: i64[{_CHUNK}]
  allocate aboves: i64[{_CHUNK}]
  allocate befores: i64[{_CHUNK}]
  allocate seen: f32[{POSITIONS * _CHUNK * _FEW}]
  allocate given: f32[{POSITIONS * _CHUNK * LANES}]
  allocate doubt: f32[{LANES}]
  allocate energy: f32[{taps}, {LANES}]
  for n in {LANES}:
    doubt[n] = 0.0
    for tap in {taps}:
      energy[tap, n] = 0.0
  for chunk in truncate_divide((((end - first) + together) - 1), together):
    let begin: i64 = (first + (chunk * together))
    let count: i64 = min(together, (end - begin))
    for k in count:
{place_of("(begin + k)", "      ")}\
      places[k] = ((image * dy_image) + ((top * dy_row) + (start * dy_pixel)))
      call tm_winograd_see_f32(frame, {X_OF_TILE}, (&seen + (k * (depth * 4))), \
truncate_divide(depth, {LANES}), x_row, x_pixel, step)
    for number in (last - panel):
      let filter: i64 = ((panel + number) * {LANES})
      for k in count:
        call tm_winograd_take_f32(frame, (dy + (places[k] + (filter * 4))), \
(&given + (k * {BYTES})), aboves[k], befores[k], dy_row, dy_pixel, (filters - filter))
      for position in {POSITIONS}:
        call tm_winograd_add_f32(frame, (&seen + (position * step)), \
(&given + (position * {_CHUNK * BYTES})), \
(sums + ((number * panel_bytes) + (position * (depth * {BYTES})))), depth, count, chunk)
  for number in (last - panel):
    let filter: i64 = ((panel + number) * {LANES})
    call tm_winograd_end_f32(frame, (sums + (number * panel_bytes)), (out + (filter * 4)), &doubt, \
&energy, depth, (filters * 4), (filters - filter))
{FLAG}\
  set least: f32 = inf
  set most: f32 = 0.0
  for tap in {taps}:
    set sum: f32 = 0.0
    for n in {LANES}:
      set sum = (sum + energy[tap, n])
    set least = where((sum < least), sum, least)
    set most = where((sum > most), sum, most)
  if (least < (most * {_LEAST_PART})):
    doubted[0] = 1
"""


def _gradient() -> str:
    """`tm_winograd_gradient_f32`: what `tm_filter_gradient_f32` computes, for one group.

    It is as many sums. After its buffers: `sums` and `flag` have room for sums [parts, panels, 16,
    depth, lanes] and a number; after its numbers comes what `tm_winograd_f32` is told of x, and the
    same of dy.
    """
    return f"""\
function tm_winograd_gradient_f32(frame: ptr, x: ptr, dy: ptr, out: ptr, pixels: ptr, \
places: ptr, rows: ptr, sums: ptr, flag: ptr, count: i64, row_count: i64, filters: i64, \
depth: i64, parts: i64, height: i64, width: i64, origin: i64, x_pixel: i64, x_row: i64, \
x_image: i64, dy_origin: i64, dy_pixel: i64, dy_row: i64, dy_image: i64):
{AREA}\
  let tiles: i64 = (truncate_divide(count, max((height * width), 1)) * area)
  let divisor: i64 = max(parts, 1)
  let panels: i64 = truncate_divide((filters + {LANES - 1}), {LANES})
  let wanted: i64 = max(min((truncate_divide({_UNITS}, divisor) + 1), panels), 1)
  let together: i64 = max(truncate_divide(((panels + wanted) - 1), wanted), 1)
  let blocks: i64 = max(truncate_divide(((panels + together) - 1), together), 1)
  bind doubted: i64[1] at flag
  doubted[0] = 0
  if (tiles >= (parts * {LEAST_TILES})):
    parfor item in (parts * blocks) grain 1:
      let part: i64 = truncate_divide(item, blocks)
      let panel: i64 = ((item - (part * blocks)) * together)
      let room: i64 = (((part * panels) + panel) * (depth * {POSITIONS * BYTES}))
      call tm_winograd_part_f32(frame, (x + origin), (dy + dy_origin), \
(out + ((part * row_count) * (filters * 4))), (sums + room), flag, \
truncate_divide((part * tiles), divisor), truncate_divide(((part + 1) * tiles), divisor), panel, \
min((panel + together), panels), depth, filters, height, width, x_pixel, x_row, x_image, dy_pixel, \
dy_row, dy_image)
  if ((tiles < (parts * {LEAST_TILES})) | (doubted[0] != 0)):
    call tm_filter_gradient_f32(frame, x, dy, out, pixels, places, rows, count, row_count, \
filters, 1, (depth * 4), parts)
"""
