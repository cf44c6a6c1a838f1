"""Pictures of few channels in other sizes: between two rows, then between two pixels of that.

A row of the result is made from one that lies between two rows of the picture. That one is computed
for a stretch of columns at a time, all channels side by side, in full vectors. Between its pixels
vectors have all channels of one, and may go beyond: what follows is set afterwards, but for the
last pixels of a row, of which every number is set by itself.
"""

from __future__ import annotations

from typing import Final

SOURCES: Final = ("f32", "u8")  # of pictures
_WIDTHS: Final = (1, 2, 4, 8)  # of vectors, which have all channels
MOST_CHANNELS: Final = _WIDTHS[-1]
_ROOM: Final = 4096  # numbers of a stretch
_PIXELS: Final = 2  # that the result lies between
_UNIT: Final = 16_384  # numbers that are one unit of work, at least


def functions() -> str:
    """The text of all functions."""
    return "".join([*map(_across, _WIDTHS), *map(_rows, SOURCES)])


def _across(width: int) -> str:
    """Columns `begin` to `end` of a row, from a stretch that begins with the pixel `origin`."""
    value = "(first[{0}] + ((second[{0}] - first[{0}]) * part))"
    vector = f"    made[0] = {value.format('0')}\n"
    if width > 1:
        vector = f"    for n in {width}:\n      made[n] = {value.format('n')}\n"
    return f"""
function tm_interpolate_across{width}(stretch: ptr, out: ptr, lefts: ptr, rights: ptr, \
parts: ptr, begin: i64, end: i64, origin: i64, channels: i64, columns: i64):
  bind left: i64[columns] at lefts
  bind right: i64[columns] at rights
  bind across: f32[columns] at parts
  let beyond: i64 = truncate_divide({width - 1}, max(channels, 1))
  let whole: i64 = max(min(((columns - beyond) - begin), (end - begin)), 0)
  for number in whole:
    let column: i64 = (begin + number)
    let part: f32 = across[column]
    bind first: f32[{width}] at (stretch + (((left[column] - origin) * channels) * 4))
    bind second: f32[{width}] at (stretch + (((right[column] - origin) * channels) * 4))
    bind made: f32[{width}] at (out + ((column * channels) * 4))
{vector}\
  for number in max(((end - begin) - whole), 0):
    let column: i64 = ((begin + whole) + number)
    let part: f32 = across[column]
    bind first: f32[channels] at (stretch + (((left[column] - origin) * channels) * 4))
    bind second: f32[channels] at (stretch + (((right[column] - origin) * channels) * 4))
    bind made: f32[channels] at (out + ((column * channels) * 4))
    for n in channels:
      made[n] = {value.format("n")}
"""


def _rows(short: str) -> str:
    """`tm_interpolate_<dtype>`: x [images, height, width, channels] to out [images, rows, columns,
    channels], of float32. Tables have, for each row and column of the result, the two that it lies
    between, and how far it is from the first.
    """
    size = 4 if short == "f32" else 1
    top, bottom = (
        (f"{one}[k]" if short == "f32" else f"cast:f32({one}[k])") for one in ("upper", "lower")
    )
    given = "&stretch, to, lefts, rights, parts, begin, end, origin, channels, columns"
    choices, pad = "", "      "
    for width in _WIDTHS[:-1]:
        choices += f"""\
{pad}if (channels <= {width}):
{pad}  call tm_interpolate_across{width}({given})
{pad}else:
"""
        pad += "  "
    choices += f"{pad}call tm_interpolate_across{_WIDTHS[-1]}({given})\n"
    return f"""
function tm_interpolate_{short}(x: ptr, out: ptr, tops: ptr, bottoms: ptr, downs: ptr, \
lefts: ptr, rights: ptr, parts: ptr, images: i64, height: i64, width: i64, channels: i64, \
rows: i64, columns: i64):
  bind above: i64[rows] at tops
  bind below: i64[rows] at bottoms
  bind down: f32[rows] at downs
  bind left: i64[columns] at lefts
  bind right: i64[columns] at rights
  let fit: i64 = max(truncate_divide({_ROOM}, max(channels, 1)), {_PIXELS})
  # Of far more pixels than columns most would be computed for nobody.
  let most: i64 = where((width > (columns * 4)), {_PIXELS}, fit)
  parfor item in (images * rows) grain \
(truncate_divide({_UNIT}, max((columns * channels), 1)) + 1):
    allocate stretch: f32[{_ROOM + _WIDTHS[-1]}]
    let image: i64 = truncate_divide(item, max(rows, 1))
    let row: i64 = (item - (image * rows))
    let part: f32 = down[row]
    let first: i64 = ((image * height) + above[row])
    let second: i64 = ((image * height) + below[row])
    let to: ptr = (out + ((item * (columns * channels)) * 4))
    set begin: i64 = 0
    while (begin < columns):
      let origin: i64 = left[begin]
      set end: i64 = (begin + 1)
      set near: bool = true
      while near:
        set near = (end < columns)
        if near:
          set near = ((right[end] - origin) < most)
        if near:
          set end = (end + 1)
      let count: i64 = (((right[(end - 1)] - origin) + 1) * channels)
      bind upper: {short}[count] at (x + ((((first * width) + origin) * channels) * {size}))
      bind lower: {short}[count] at (x + ((((second * width) + origin) * channels) * {size}))
      for k in count:
        stretch[k] = ({top} + (({bottom} - {top}) * part))
{choices}\
      set begin = end
"""


FUNCTIONS: Final = functions()
