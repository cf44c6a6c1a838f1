"""Convolutions of 3×3 windows side by side by Winograd's minimal filtering, F(2×2, 3×3).

A tile of 4×4 pixels has 2×2 results. Pixels and filters are transformed, multiplied element by
element and added up over the channels; what comes out is transformed to the results. That takes 16
multiplications where sums over windows take 36 (Lavin and Gray, Fast Algorithms for Convolutional
Neural Networks, 2015, section 4.1). The transforms add, subtract, and halve.

A result is reckoned from what its own window sees, but what a tap of the filter sees is mixed with
what its neighbours see. So errors follow the largest of a window's pixels and weights, where those
of sums follow their products: as exact for weights of like size (docs/numerics.md), another thing
where some are zero or far smaller than others, as those of masked filters, which must not let
anything through. Such filters are left to `tm_convolve`, and it computes everything anew where
something is not finite (inf - inf instead of inf). So is what has few tiles: transforming the
filters would take longer. The last tiles of odd sizes begin one pixel earlier, and leave to those
before them what these have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

LANES: Final = 16  # numbers of a vector: channels of pixels, filters
BYTES: Final = 64  # of a vector
KERNEL: Final = 3
SEEN: Final = 4  # pixels of a tile, on each axis
GIVEN: Final = 2  # its results
POSITIONS: Final = SEEN * SEEN
LEAST_WINDOWS: Final = GIVEN  # on each axis
MOST_DEPTH: Final = 256  # channels: what some tiles see stays in the second-level cache
LEAST_TILES: Final = 32
# The squares of all weights of a tap, added up: of the taps' sums the least is to be so large, and
# such a part of the largest.
_LEAST_ENERGY: Final = 1e-30
_LEAST_PART: Final = 1e-6
_BLOCK_WORK: Final = 60_000  # vector instructions of one unit of work

Transform = Callable[..., list[str]]


def functions(tile: int) -> str:
    """The text of all functions, with so many tiles together."""
    parts = [
        _suits(),
        _factors(),
        see(),
        _multiply(tile),
        _give(tile),
        _block(tile),
        _convolve(tile),
    ]
    return "\n".join(parts)


# ---------------------------------------------------------------- transforms along one axis


def of_pixels(a: str, b: str, c: str, d: str) -> list[str]:
    """What a tile sees."""
    return [f"({a} - {c})", f"({b} + {c})", f"({c} - {b})", f"({b} - {d})"]


def _of_filter(a: str, b: str, c: str) -> list[str]:
    """The filter."""
    return [a, f"((({a} + {c}) + {b}) * 0.5)", f"((({a} + {c}) - {b}) * 0.5)", c]


def _to_results(a: str, b: str, c: str, d: str) -> list[str]:
    """The products, to the results."""
    return [f"(({a} + {b}) + {c})", f"(({b} - {c}) - {d})"]


def transformed(transform: Transform, given: Sequence[Sequence[str]], made: str, pad: str) -> str:
    """Statements that transform vectors along both axes, by way of `half`.

    given: expressions of the vectors' lanes; made: the target, where `@` is its number.
    """
    width = len(given[0])
    text = ""
    for column in range(width):
        values = transform(*(row[column] for row in given))
        for row, value in enumerate(values):
            text += for_lanes(f"half[{row * width + column}, n]", value, pad)
    for row in range(len(transform(*map(str, range(len(given)))))):
        values = transform(*(f"half[{row * width + column}, n]" for column in range(width)))
        for column, value in enumerate(values):
            target = made.replace("@", str(row * len(values) + column))
            text += for_lanes(target, value, pad)
    return text


def for_lanes(target: str, value: str, pad: str) -> str:
    """A statement about all lanes of a vector."""
    return f"{pad}for n in {LANES}:\n{pad}  {target} = {value}\n"


def grid(rows: int, columns: int, vector: str) -> list[list[str]]:
    """The lanes of vectors whose numbers take the place of `@`."""
    numbers = [[str(row * columns + column) for column in range(columns)] for row in range(rows)]
    return [[vector.replace("@", number) for number in row] for row in numbers]


def bound(name: str, count: int, address: str, pad: str) -> str:
    """Vectors with numbers, at addresses in which `@` is the number."""
    return "".join(
        f"{pad}bind {name}{number}: f32[{LANES}] at {address.replace('@', str(number))}\n"
        for number in range(count)
    )


# ---------------------------------------------------------------- functions


def _suits() -> str:
    """Whether no weight is zero, and no tap of the filters is far smaller than another one."""
    taps = KERNEL * KERNEL
    return f"""\
apart function tm_winograd_suits_f32(frame: ptr, panels: ptr, count: i64, depth: i64) -> bool:
  let length: i64 = (depth * {LANES})
  bind weights: f32[count, {taps}, length] at panels
  set zeros: i64 = 0
  set least: f32 = inf
  set most: f32 = 0.0
  for tap in {taps}:
    set energy: f32 = 0.0
    for panel in count:
      for k in length reassociate:
        let weight: f32 = weights[panel, tap, k]
        set energy = (energy + (weight * weight))
        set zeros = (zeros + where((weight == 0.0), 1, 0))
    set least = where((energy < least), energy, least)
    set most = where((energy > most), energy, most)
  return ((zeros == 0) & ((least > {_LEAST_ENERGY}) & (least > (most * {_LEAST_PART}))))
"""


def _factors() -> str:
    """Panels of filters [panels, 9, depth, lanes] become [panels, 16, depth, lanes]."""
    taps = KERNEL * KERNEL
    place = f"(((@ * depth) + channel) * {BYTES})"
    transform = transformed(_of_filter, grid(KERNEL, KERNEL, "g@[n]"), "u@[n]", "      ")
    return f"""\
function tm_winograd_factors_f32(frame: ptr, panels: ptr, factors: ptr, count: i64, depth: i64):
  parfor panel in count grain (truncate_divide({_BLOCK_WORK}, max((depth * 64), 1)) + 1):
    let given: ptr = (panels + (panel * (depth * {taps * BYTES})))
    let made: ptr = (factors + (panel * (depth * {POSITIONS * BYTES})))
    for channel in depth:
      allocate half: f32[{SEEN * KERNEL}, {LANES}]
{bound("g", taps, f"(given + {place})", "      ")}\
{bound("u", POSITIONS, f"(made + {place})", "      ")}\
{transform}"""


def see() -> str:
    """What one tile sees, transformed: [16, tiles, depth], of which it has a row.

    step: bytes from one of the 16 to the next.
    """
    pixels = "".join(
        f"    bind d{i * SEEN + j}: f32[{LANES}] at "
        f"((x + (({i} * row) + ({j} * pixel))) + (vector * {BYTES}))\n"
        for i in range(SEEN)
        for j in range(SEEN)
    )
    places = bound("v", POSITIONS, f"((seen + (@ * step)) + (vector * {BYTES}))", "    ")
    return f"""\
apart function tm_winograd_see_f32(frame: ptr, x: ptr, seen: ptr, vectors: i64, row: i64, \
pixel: i64, step: i64):
  for vector in vectors:
    allocate half: f32[{POSITIONS}, {LANES}]
{pixels}{places}{transformed(of_pixels, grid(SEEN, SEEN, "d@[n]"), "v@[n]", "    ")}"""


def _multiply(tile: int) -> str:
    """What tiles see at one of 16 positions [tile, depth], times a panel [depth, lanes]."""
    return f"""\
apart function tm_winograd_multiply_f32(frame: ptr, seen: ptr, panel: ptr, sums: ptr, depth: i64):
  bind rows: f32[{tile}, depth] at seen
  bind factors: f32[depth, {LANES}] at panel
  bind found: f32[{tile}, {LANES}] at sums
  allocate own: f32[{tile}, {LANES}]
  for k in {tile}:
    for n in {LANES}:
      own[k, n] = 0.0
  for r in depth:
    for k in {tile}:
      for n in {LANES}:
        own[k, n] = fma(rows[k, r], factors[r, n], own[k, n])
  for k in {tile}:
    for n in {LANES}:
      found[k, n] = own[k, n]
"""


def _give(tile: int) -> str:
    """The results of one tile for `left` filters, from its sums: a row of [16, tile, lanes].

    Those before `above` and `before` are another tile's. `doubt` is not 0 afterwards where one is
    not finite.
    """
    text = transformed(_to_results, grid(SEEN, SEEN, "m@[n]"), "y[@, n]", "  ")
    for number in range(GIVEN * GIVEN):
        text += for_lanes("doubt[n]", f"(doubt[n] + (y[{number}, n] - y[{number}, n]))", "  ")
    for p in range(GIVEN):
        for q in range(GIVEN):
            number = p * GIVEN + q
            text += f"""\
  if (({p} >= above) & ({q} >= before)):
    bind out{number}: f32[left] at (out + (({p} * row) + ({q} * pixel)))
{stored(f"out{number}", f"y[{number}, n]", "    ")}"""
    return f"""\
apart function tm_winograd_give_f32(frame: ptr, sums: ptr, out: ptr, doubts: ptr, above: i64, \
before: i64, row: i64, pixel: i64, left: i64):
  bind doubt: f32[{LANES}] at doubts
  allocate half: f32[{GIVEN * SEEN}, {LANES}]
  allocate y: f32[{GIVEN * GIVEN}, {LANES}]
{bound("m", POSITIONS, f"(sums + (@ * {tile * BYTES}))", "  ")}{text}"""


def stored(target: str, value: str, pad: str) -> str:
    """Statements that store the lanes of a vector of which `left` are wanted."""
    return f"""\
{pad}if (left >= {LANES}):
{pad}  for n in {LANES}:
{pad}    {target}[n] = {value}
{pad}else:
{pad}  for n in left:
{pad}    {target}[n] = {value}
"""


def place_of(tile: str, pad: str) -> str:
    """Statements that say where a tile is, and what it leaves to those before it."""
    lines = f"""\
let image: i64 = truncate_divide({tile}, area)
let within: i64 = ({tile} - (image * area))
let down: i64 = truncate_divide(within, across)
let top: i64 = min((2 * down), (height - 2))
let start: i64 = min((2 * (within - (down * across))), (width - 2))
aboves[k] = ((2 * down) - top)
befores[k] = ((2 * (within - (down * across))) - start)
"""
    return "".join(f"{pad}{line}\n" for line in lines.splitlines())


AREA: Final = """\
  let across: i64 = max(truncate_divide((width + 1), 2), 1)
  let area: i64 = max((across * truncate_divide((height + 1), 2)), 1)
"""
X_OF_TILE: Final = "(x + ((image * x_image) + ((top * x_row) + (start * x_pixel))))"
FLAG: Final = f"""\
  bind doubted: i64[1] at flag
  for n in {LANES}:
    if (doubt[n] != 0.0):
      doubted[0] = 1
"""


def _block(tile: int) -> str:
    """All filters' results of some tiles from `first` on."""
    return f"""\
apart function tm_winograd_block_f32(frame: ptr, x: ptr, factors: ptr, out: ptr, flag: ptr, \
first: i64, count: i64, depth: i64, filters: i64, height: i64, width: i64, x_pixel: i64, \
x_row: i64, x_image: i64):
{AREA}\
  let pixel: i64 = (filters * 4)
  let row: i64 = (width * pixel)
  let step: i64 = (depth * {tile * 4})
  allocate places: ptr[{tile}]
  allocate aboves: i64[{tile}]
  allocate befores: i64[{tile}]
  allocate seen: f32[{POSITIONS * tile * MOST_DEPTH}]
  allocate sums: f32[{POSITIONS * tile * LANES}]
  allocate doubt: f32[{LANES}]
  for n in {LANES}:
    doubt[n] = 0.0
  for k in {tile}:
    let number: i64 = min((first + k), (count - 1))
{place_of("number", "    ")}\
    places[k] = (out + ((image * (height * row)) + ((top * row) + (start * pixel))))
    call tm_winograd_see_f32(frame, {X_OF_TILE}, (&seen + (k * (depth * 4))), \
truncate_divide(depth, {LANES}), x_row, x_pixel, step)
  for number in truncate_divide((filters + {LANES - 1}), {LANES}):
    let panel: ptr = (factors + (number * (depth * {POSITIONS * BYTES})))
    for position in {POSITIONS}:
      call tm_winograd_multiply_f32(frame, (&seen + (position * step)), \
(panel + (position * (depth * {BYTES}))), (&sums + (position * {tile * BYTES})), depth)
    for k in min({tile}, (count - first)):
      call tm_winograd_give_f32(frame, (&sums + (k * {BYTES})), (places[k] + (number * {BYTES})), \
&doubt, aboves[k], befores[k], row, pixel, (filters - (number * {LANES})))
{FLAG}"""


def _convolve(tile: int) -> str:
    """`tm_winograd_f32`: what `tm_convolve_f32` computes, for one group.

    After its buffers: `factors` and `flag` have room for the filters [panels, 16, depth, lanes] and
    a number. After its numbers: height, width: windows of an image; origin: bytes to the first one
    in x; x_pixel, x_row, x_image: bytes from one to the next.
    """
    return f"""\
function tm_winograd_f32(frame: ptr, x: ptr, panels: ptr, out: ptr, pixels: ptr, places: ptr, \
taps: ptr, factors: ptr, flag: ptr, count: i64, tap_count: i64, run: i64, filters: i64, \
depth: i64, height: i64, width: i64, origin: i64, x_pixel: i64, x_row: i64, x_image: i64):
{AREA}\
  let tiles: i64 = (truncate_divide(count, max((height * width), 1)) * area)
  let panel_count: i64 = truncate_divide((filters + {LANES - 1}), {LANES})
  let work: i64 = ((depth * panel_count) * {POSITIONS * tile})
  bind doubted: i64[1] at flag
  doubted[0] = 1
  set suits: bool = false
  if (tiles >= {LEAST_TILES}):
    call good: bool = tm_winograd_suits_f32(frame, panels, panel_count, depth)
    set suits = good
  if suits:
    doubted[0] = 0
    call tm_winograd_factors_f32(frame, panels, factors, panel_count, depth)
    parfor block in truncate_divide((tiles + {tile - 1}), {tile}) grain \
(truncate_divide({_BLOCK_WORK}, max(work, 1)) + 1):
      call tm_winograd_block_f32(frame, (x + origin), factors, out, flag, (block * {tile}), \
tiles, depth, filters, height, width, x_pixel, x_row, x_image)
  if (doubted[0] != 0):
    call tm_convolve_f32(frame, x, panels, out, pixels, places, taps, count, tap_count, run, \
filters, 1, (depth * 4))
"""
