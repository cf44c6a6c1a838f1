"""Convolutions: sums of products at addresses that tables tell.

Both functions know nothing of images. `pixels` holds, for every window, how many bytes after `x`
it begins; `taps` (or `rows`) hold how much further the numbers lie that it looks at. So strides,
dilations, the number of axes and transposed convolutions are a matter of tables, and no matrix of
all that windows see is ever written: a tile of windows times 64 bytes of filters stays in vector
registers until its sums are complete. Every sum has one order, whoever computes it.

The text depends on the numbers, and on how many sums fit into vector registers.
"""

from __future__ import annotations

from typing import Final

from ....core.process.named_tuples import NamedTuple
from ...loops.functions import SIZE

NAMES: Final = ("tm_convolve_", "tm_filter_", "tm_winograd_")  # of all functions of windows
NUMBERS: Final = ("f32", "f64")
LANE_BYTES: Final = 64  # filters that are computed together
ROWS_TOGETHER: Final = 96  # rows of a filter's gradient that one unit of work has
REST: Final = 4  # windows that are computed together where fewer than a tile are left
UNITS: Final = 32  # units of work for which panels are divided
CHUNK: Final = 64  # windows whose gradients are added up while they are in the first-level cache
# Vector instructions of one unit of work, about ten microseconds: the last one is soon done.
_BLOCK_WORK: Final = 30_000
# Numbers of a table that one unit of work writes, about ten microseconds as well.
_BLOCK_NUMBERS: Final = 16_000
TABLE_AXES: Final = 4
# `tm_window_table`: first + a s0 + b s1 + c s2 + d s3 for every index a, b, c, d of n0 n1 n2 n3.
FUNCTIONS: Final = f"""\
function tm_window_table(frame: ptr, table: ptr, first: i64, n0: i64, n1: i64, n2: i64, n3: i64, \
s0: i64, s1: i64, s2: i64, s3: i64):
  bind numbers: i64[(n0 * n1), (n2 * n3)] at table
  let width: i64 = max((n2 * n3), 1)
  parfor row in (n0 * n1) grain (truncate_divide({_BLOCK_NUMBERS}, width) + 1):
    let a: i64 = truncate_divide(row, n1)
    let before: i64 = ((first + (a * s0)) + ((row - (a * n1)) * s1))
    for c in n2:
      for d in n3:
        numbers[row, ((c * n3) + d)] = ((before + (c * s2)) + (d * s3))
"""


def tile_rows(features: str) -> int:
    """How many vectors of sums the processor has registers for, with some left for factors."""
    return 12 if "+avx512f" in features.split(",") else 6


def functions(short: str, tile: int) -> str:
    """The text of all functions for numbers of one dtype, in tiles of so many rows."""
    shape = _Shape(short, tile)
    rest = shape._replace(tile=REST)
    forward = [_tile(shape), _tile(rest, "rest"), _forward(shape), _of_image(shape)]
    return "\n".join([*forward, _gradient_tile(shape), _gradient_chunk(shape), _gradient(shape)])


class _Shape(NamedTuple):
    short: str
    tile: int

    @property
    def size(self) -> int:
        return SIZE[self.short]

    @property
    def lanes(self) -> int:
        return LANE_BYTES // self.size

    @property
    def zero(self) -> str:
        return "0.0" if self.short == "f32" else f"0.0{self.short}"


def _tile(shape: _Shape, name: str = "tile") -> str:
    """Some windows times one panel of filters, `left` of which there are."""
    tile, lanes, short = shape.tile, shape.lanes, shape.short
    return f"""\
apart function tm_convolve_{name}_{short}(frame: ptr, x: ptr, panel: ptr, out: ptr, pixels: ptr, \
places: ptr, taps: ptr, first: i64, count: i64, tap_count: i64, run: i64, left: i64):
  bind pixel: i64[count] at pixels
  bind place: i64[count] at places
  bind tap: i64[tap_count] at taps
  allocate window: ptr[{tile}]
  allocate sums: {short}[{tile}, {lanes}]
  for k in {tile}:
    window[k] = (x + pixel[min((first + k), (count - 1))])
    for n in {lanes}:
      sums[k, n] = {shape.zero}
  for number in tap_count:
    let offset: i64 = tap[number]
    bind factors: {short}[run, {lanes}] at (panel + ((number * run) * {LANE_BYTES}))
    for r in run:
      for k in {tile}:
        bind seen: {short}[run] at (window[k] + offset)
        for n in {lanes}:
          sums[k, n] = fma(seen[r], factors[r, n], sums[k, n])
  for k in {tile}:
    bind found: {short}[left] at (out + place[min((first + k), (count - 1))])
    if (left >= {lanes}):
      for n in {lanes}:
        found[n] = sums[k, n]
    else:
      for n in left:
        found[n] = sums[k, n]
"""


def _forward(shape: _Shape) -> str:
    """`tm_convolve_<dtype>`: for every window, every filter of its group.

    count: windows; tap_count, run: how many rows of how many numbers a window looks at; filters:
    per group; channels: bytes from group to group in x. `panels` holds for each group, then for
    each 64 bytes of filters, the filters' numbers [taps, run, 64 bytes].
    """
    tile, lanes = shape.tile, shape.lanes
    return f"""\
function tm_convolve_{shape.short}(frame: ptr, x: ptr, panels: ptr, out: ptr, pixels: ptr, \
places: ptr, taps: ptr, count: i64, tap_count: i64, run: i64, filters: i64, groups: i64, \
channels: i64):
  let reach: i64 = (tap_count * run)
  let vectors: i64 = (truncate_divide((filters * groups), {lanes}) + 1)
  let grain: i64 = (truncate_divide({_BLOCK_WORK}, max(((reach * vectors) * {tile}), 1)) + 1)
  let panel_count: i64 = truncate_divide((filters + {lanes - 1}), {lanes})
  parfor block in truncate_divide((count + {tile - 1}), {tile}) grain grain:
    for group in groups:
      for number in panel_count:
        let panel: i64 = ((group * panel_count) + number)
        let filter: i64 = (number * {lanes})
        let place: i64 = (((group * filters) + filter) * {shape.size})
        call tm_convolve_tile_{shape.short}(frame, (x + (group * channels)), \
(panels + (panel * (reach * {LANE_BYTES}))), (out + place), pixels, places, taps, \
(block * {tile}), count, tap_count, run, (filters - filter))
"""


def _of_image(shape: _Shape) -> str:
    """`tm_convolve_image_<dtype>`: the same for few windows, by one thread.

    What is done with an image before and after finds it in the cache. The last windows, which may
    be one, are taken in tiles of fewer.
    """
    tile, lanes = shape.tile, shape.lanes
    return f"""\
function tm_convolve_image_{shape.short}(frame: ptr, x: ptr, panels: ptr, out: ptr, pixels: ptr, \
places: ptr, taps: ptr, count: i64, tap_count: i64, run: i64, filters: i64, groups: i64, \
channels: i64):
  let reach: i64 = (tap_count * run)
  let panel_count: i64 = truncate_divide((filters + {lanes - 1}), {lanes})
  let tiles: i64 = truncate_divide(count, {tile})
  let rests: i64 = truncate_divide(((count - (tiles * {tile})) + {REST - 1}), {REST})
  for block in (tiles + rests):
    for group in groups:
      for number in panel_count:
        let panel: ptr = (panels + (((group * panel_count) + number) * (reach * {LANE_BYTES})))
        let filter: i64 = (number * {lanes})
        let given: ptr = (out + (((group * filters) + filter) * {shape.size}))
        let seen: ptr = (x + (group * channels))
        if (block < tiles):
          call tm_convolve_tile_{shape.short}(frame, seen, panel, given, pixels, places, taps, \
(block * {tile}), count, tap_count, run, (filters - filter))
        else:
          call tm_convolve_rest_{shape.short}(frame, seen, panel, given, pixels, places, taps, \
((tiles * {tile}) + ((block - tiles) * {REST})), count, tap_count, run, (filters - filter))
"""


def _gradient_tile(shape: _Shape) -> str:
    """Some rows of one panel of the filters' gradient, for the windows `begin` to `end`.

    given: what `dy` has for them; kept: filters whose sums so far are in `out`; left: filters that
    there are.
    """
    tile, lanes, short = shape.tile, shape.lanes, shape.short
    return f"""\
inline function tm_filter_tile_{short}(frame: ptr, x: ptr, given: ptr, out: ptr, pixels: ptr, \
rows: ptr, begin: i64, end: i64, row: i64, row_count: i64, width: i64, kept: i64, left: i64):
  bind pixel: i64[end] at pixels
  bind place: i64[row_count] at rows
  bind factors: {short}[(end - begin), {lanes}] at given
  allocate start: ptr[{tile}]
  allocate sums: {short}[{tile}, {lanes}]
  for k in {tile}:
    let here: i64 = min((row + k), (row_count - 1))
    start[k] = (x + place[here])
    bind before: {short}[left] at (out + (here * width))
    if (kept >= {lanes}):
      for n in {lanes}:
        sums[k, n] = before[n]
    else:
      for n in {lanes}:
        sums[k, n] = where((n < kept), before[n], {shape.zero})
  for step in (end - begin):
    for k in {tile}:
      bind seen: {short}[1] at (start[k] + pixel[(begin + step)])
      for n in {lanes}:
        sums[k, n] = fma(seen[0], factors[step, n], sums[k, n])
  for k in {tile}:
    bind after: {short}[left] at (out + (min((row + k), (row_count - 1)) * width))
    if (left >= {lanes}):
      for n in {lanes}:
        after[n] = sums[k, n]
    else:
      for n in left:
        after[n] = sums[k, n]
"""


def _gradient_chunk(shape: _Shape) -> str:
    """Rows `row` to `last` of one panel for the windows of one chunk.

    What all tiles multiply by lies side by side first: in `dy` it may lie so far apart that the
    cache holds little of it.
    """
    tile, lanes, short = shape.tile, shape.lanes, shape.short
    return f"""\
apart function tm_filter_chunk_{short}(frame: ptr, x: ptr, dy: ptr, out: ptr, pixels: ptr, \
places: ptr, rows: ptr, begin: i64, end: i64, row: i64, last: i64, row_count: i64, width: i64, \
kept: i64, left: i64):
  bind place: i64[end] at places
  allocate given: {short}[{CHUNK}, {lanes}]
  for step in min((end - begin), {CHUNK}):
    bind seen: {short}[left] at (dy + place[(begin + step)])
    if (left >= {lanes}):
      for n in {lanes}:
        given[step, n] = seen[n]
    else:
      for n in {lanes}:
        given[step, n] = where((n < left), seen[n], {shape.zero})
  for number in truncate_divide(((last - row) + {tile - 1}), {tile}):
    call tm_filter_tile_{short}(frame, x, &given, out, pixels, rows, begin, end, \
(row + (number * {tile})), row_count, width, kept, left)
"""


def _gradient(shape: _Shape) -> str:
    """`tm_filter_gradient_<dtype>`: for every row and every filter, in `parts` sums of their own.

    A unit of work has all panels, where there are enough units: what it reads of `x` and `dy` for
    one chunk of windows stays in the cache meanwhile, and is seldom read again by others.
    Divisors are said to be 1 at least where they are: then dividing by 0 need not be thought of.

    places: for every window, how many bytes after `dy` its gradients begin; count: windows;
    row_count: rows of a filter; filters: per group; width: bytes of a row of `out` [parts, rows,
    width]; channels: bytes from group to group in x.
    """
    lanes, rows = shape.lanes, ROWS_TOGETHER
    return f"""\
function tm_filter_gradient_{shape.short}(frame: ptr, x: ptr, dy: ptr, out: ptr, pixels: ptr, \
places: ptr, rows: ptr, count: i64, row_count: i64, filters: i64, groups: i64, channels: i64, \
parts: i64):
  let width: i64 = ((filters * groups) * {shape.size})
  let panels: i64 = truncate_divide((filters + {lanes - 1}), {lanes})
  let columns: i64 = (panels * groups)
  let row_blocks: i64 = truncate_divide((row_count + {rows - 1}), {rows})
  let most: i64 = truncate_divide(((columns * row_blocks) * parts), {UNITS})
  let together: i64 = max(min(most, columns), 1)
  let column_blocks: i64 = truncate_divide(((columns + together) - 1), together)
  let per_part: i64 = (column_blocks * row_blocks)
  let seen: i64 = ((count * min(row_count, {rows})) * together)
  let work: i64 = max(truncate_divide(seen, max(parts, 1)), 1)
  parfor item in (per_part * parts) grain (truncate_divide({_BLOCK_WORK}, work) + 1):
    let part: i64 = truncate_divide(item, max(per_part, 1))
    let in_part: i64 = (item - (part * per_part))
    let column_block: i64 = truncate_divide(in_part, max(row_blocks, 1))
    let row: i64 = ((in_part - (column_block * row_blocks)) * {rows})
    let last_row: i64 = min((row + {rows}), row_count)
    let column: i64 = (column_block * together)
    let first: i64 = truncate_divide((part * count), max(parts, 1))
    let end: i64 = truncate_divide(((part + 1) * count), max(parts, 1))
    for chunk in truncate_divide(((end - first) + {CHUNK - 1}), {CHUNK}):
      let begin: i64 = (first + (chunk * {CHUNK}))
      for number in (min((column + together), columns) - column):
        let group: i64 = truncate_divide((column + number), max(panels, 1))
        let filter: i64 = (((column + number) - (group * panels)) * {lanes})
        let place: i64 = (((group * filters) + filter) * {shape.size})
        let left: i64 = (filters - filter)
        call tm_filter_chunk_{shape.short}(frame, (x + (group * channels)), (dy + place), \
(out + (((part * row_count) * width) + place)), pixels, places, rows, begin, \
min((begin + {CHUNK}), end), row, last_row, row_count, width, (min(chunk, 1) * left), left)
"""
