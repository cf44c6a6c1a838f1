"""Transforms of short rows, as many at a time as a vector has lanes (lanes.py).

Rows become columns of a block and columns rows again in squares, of as many parts of numbers as a
vector has lanes. The last rows, and the last numbers of a row, are in a square with some that
another one has as well.
"""

from __future__ import annotations

from .lanes import MOST_POINTS, VECTOR, LaneNumbers


def functions(name: str, n: LaneNumbers, *, inverse: bool) -> list[str]:
    """`name.short_rows`, and what it and others call."""
    return [_many(name, n), _vector(name, n, inverse=inverse), _turn(name, n)]


def _many(name: str, n: LaneNumbers) -> str:
    """All rows; false where there is no memory for roots."""
    size = 2 * n.size
    return f"""
function {name}.short_rows(x: ptr, out: ptr, rows: i64, n: i64) -> bool:
  call table: ptr = {name}.columns_table(n)
  if (table == 0ptr):
    return false
  parfor vector in truncate_divide((rows + {n.lanes - 1}), {n.lanes}) \
grain (truncate_divide({VECTOR * n.lanes}, n) + 1):
    let start: i64 = (min((vector * {n.lanes}), (rows - {n.lanes})) * (n * {size}))
    call {name}.rows_vector((x + start), (out + start), (table + {VECTOR}), n)
  call {name}.leave_table(table)
  return true
"""


def _vector(name: str, n: LaneNumbers, *, inverse: bool) -> str:
    points, size = n.lanes // 2, 2 * n.size
    before = _swapped("first", "", n) if inverse else ""
    after = _swapped("found", " * scale", n) if inverse else ""
    return f"""
apart function {name}.rows_vector(x: ptr, out: ptr, roots: ptr, n: i64):
  allocate first: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  allocate second: {n.real}[{MOST_POINTS}, 2, {n.lanes}]
  let scale: {n.real} = ({n.number(1.0)} / cast:{n.real}(n))
  let squares: i64 = truncate_divide((n + {points - 1}), {points})
  for square in squares:
    let k: i64 = min((square * {points}), (n - {points}))
    call {name}.turn((x + (k * {size})), (n * {size}), (&first + (k * {2 * VECTOR})), {VECTOR})
{before}\
  call made: ptr = {name}.passes(&first, &second, roots, n)
  bind found: {n.real}[n, 2, {n.lanes}] at made
{after}\
  for square in squares:
    let k: i64 = min((square * {points}), (n - {points}))
    call {name}.turn((made + (k * {2 * VECTOR})), {VECTOR}, (out + (k * {size})), (n * {size}))
"""


def _swapped(block: str, scaled: str, n: LaneNumbers) -> str:
    """Real and imaginary parts take each other's place."""
    values = [f"({block}[k, {part}, lane]{scaled})" if scaled else f"{block}[k, {part}, lane]"
              for part in (1, 0)]  # fmt: skip
    return f"""\
  for k in n:
    allocate v: {n.real}[2, {n.lanes}]
    for lane in {n.lanes}:
      v[0, lane] = {values[0]}
    for lane in {n.lanes}:
      v[1, lane] = {values[1]}
    for lane in {n.lanes}:
      {block}[k, 0, lane] = v[0, lane]
    for lane in {n.lanes}:
      {block}[k, 1, lane] = v[1, lane]
"""


def _turn(name: str, n: LaneNumbers) -> str:
    """A square of as many rows as lanes is turned; steps are bytes from one row to the next.

    Rows are merged by fours, which LLVM knows how to do with vectors, and fours copied.
    """
    together = range(n.lanes // 4)
    merged = "".join(
        "".join(
            f"  bind row{4 * part + k}: {n.real}[{n.lanes}] at (x + ({4 * part + k} * x_step))\n"
            for k in range(4)
        )
        + f"  for column in {n.lanes}:\n"
        + "".join(f"    fours[{part}, column, {k}] = row{4 * part + k}[column]\n" for k in range(4))
        for part in together
    )
    copied = "".join(
        f"    for k in 4:\n      turned[({4 * part} + k)] = fours[{part}, column, k]\n"
        for part in together
    )
    return f"""
apart function {name}.turn(x: ptr, x_step: i64, out: ptr, out_step: i64):
  allocate fours: {n.real}[{n.lanes // 4}, {n.lanes}, 4]
{merged}\
  for column in {n.lanes}:
    bind turned: {n.real}[{n.lanes}] at (out + (column * out_step))
{copied}"""
