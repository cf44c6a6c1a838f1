"""Factors of dense matrices by LAPACK, which comes with OpenBLAS (blas.py).

`tm_lapack_<what>_<dtype>` goes through a batch of row-major matrices, which threads share; LAPACK
itself has one thread. It returns 0, or what is wrong with the first bad matrix: WRONG, or NO_ROOM
where there is no memory. `..._one_...` does it to one matrix. LAPACK's matrices are column-major:
`w[j, i]` is their row i, column j. Programs call these functions in modules of their own
(shared.py); Anderson et al. 1999, "LAPACK Users' Guide", has the routines.

As NumPy does it and TensorFlow wants it: a matrix with NaN has no factors, but NaN.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from textwrap import indent
from typing import Final

from ..loops.cblas import LETTERS
from ..loops.functions import COMPLEX_OF, REAL_PART, SIZE
from ..loops.ir import NativeFunction
from ..loops.lapack import LAPACK_SIGNATURES, LapackNumbers
from .matrices import elimination, exponential, least_squares, matrix_functions, rotations
from .matrices.elimination import BLOCKED, NO_ROOM, PREFIX, WRONG, integers

# Multiply-adds of a block of matrices that a thread takes, at least.
_GRAIN: Final = 50_000
_ALONE: Final = 2_000  # what the smallest matrix costs: half a microsecond and more


@cache
def sources() -> dict[str, str]:
    """The texts of all functions by their names."""
    texts = [text for short in LETTERS for text in _of(LapackNumbers(short))]
    return {text.partition("(")[0].split()[1]: text for text in texts}


def functions(name: str) -> list[NativeFunction]:
    """That of a name, and what it calls."""
    from ..loops.parse import parse_function  # of no use to code that comes from the disk

    short = name.rpartition("_")[2]
    what = name.removeprefix(PREFIX).removesuffix(f"_{short}").removesuffix("_one")
    names = dict.fromkeys([name, f"{PREFIX}{what}_one_{short}"])
    if what in ("svd", "lstsq") and short not in REAL_PART:
        names[_few(LapackNumbers(short))] = None
    if what == "expm":
        names |= dict.fromkeys(exponential.names(LapackNumbers(short)))
    if what in ("sqrtm", "logm"):
        kinds = dict.fromkeys([short, COMPLEX_OF.get(short, short)])
        names |= {f"{PREFIX}{what}_one_{one}": None for one in kinds}
        names |= dict.fromkeys(
            [h for k in kinds for h in matrix_functions.helpers(LapackNumbers(k))]
        )
    return [parse_function(sources()[one]) for one in names if one in sources()]


def routines(name: str) -> list[str]:
    """What a function may call of LAPACK."""
    short = name.rpartition("_")[2]
    starts = tuple(f"scipy_{LETTERS[one]}" for one in (short, COMPLEX_OF.get(short, short)))
    return [one for one in LAPACK_SIGNATURES if one.startswith(starts)]


def _of(n: LapackNumbers) -> Sequence[str]:
    few = [] if n.is_complex else [rotations.svd_few(n, _few(n))]
    return [
        *few, *_of_triangles(n), _qr(n), _svd(n), _eigh(n), _solve(n),
        elimination.cholesky(n), elimination.lu(n), elimination.slogdet(n),
        least_squares.least_squares(n, f"{PREFIX}lstsq_one_{n.short}", _few(n)),
        _batch(n, "lstsq", {"a": "(m * n)", "b": "(m * k)", "x": "(n * k)"}, "m n k"),
        _batch(n, "qr", {"a": "(m * n)", "q": "(m * k)", "r": "(k * n)"}, "m n k"),
        _batch(n, "svd", {"a": "(m * n)", "s": "min(m, n)", "u": "(m * high)", "v": "(n * wide)"},
               "m n high wide vectors"),
        _batch(n, "eigh", {"a": "(n * n)", "e": "n", "v": "(n * n)"}, "n vectors"),
        _eig(n), _batch(n, "eig", {"a": "(n * n)", "c": "n", "w": "(n * n)"}, "n vectors"),
        _batch(n, "cholesky", {"a": "(n * n)"}, "n"),
        _batch(n, "lu", {"a": "(n * n)", "order": "n"}, "n"),
        _batch(n, "solve", {"a": "(n * n)", "b": "(n * k)", "x": "(n * k)"}, "n k adjoint given"),
        _triangular(n),
        _batch(n, "triangular", {"a": "(n * n)", "x": "(n * k)"}, "n k lower adjoint"),
        _batch(n, "slogdet", {"a": "(n * n)", "turn": "1", "logarithm": "1"}, "n"),
    ]  # fmt: skip


def _of_triangles(n: LapackNumbers) -> list[str]:
    """Functions of matrices, which are computed in 64 bits."""
    if n.pair != "c128":
        return []
    found = [matrix_functions.schur(n), matrix_functions.root(n), matrix_functions.turnback(n)]
    found += [matrix_functions.square_root(n), _batch(n, "sqrtm", SQUARES, "n")]
    found += [*exponential.functions(n), _batch(n, "expm", SQUARES, "n")]
    if n.is_complex:
        found += [matrix_functions.logarithm(n), _batch(n, "logm", SQUARES, "n")]
    return found


SQUARES: Final = {"a": "(n * n)", "x": "(n * n)"}


def _batch(n: LapackNumbers, what: str, arrays: dict[str, str], sizes: str) -> str:
    """One matrix after another; how many numbers of each array belong to one of them."""
    pointers = [f"{one}: ptr" for one in arrays]
    numbers = [f"{one}: i64" for one in sizes.split()]
    widths = {"s": SIZE[n.real], "e": SIZE[n.real], "logarithm": SIZE[n.real], "order": 8}
    widths |= dict.fromkeys("cw", SIZE[n.pair])
    moved = [
        f"({one} + ((number * {count}) * {widths.get(one, n.size)}))"
        for one, count in arrays.items()
    ]
    side, taken = sizes.split()[0], ", ".join([*pointers, "matrices: i64", *numbers])
    return f"""
function {PREFIX}{what}_{n.short}({taken}) -> i64:
  call found: ptr = malloc((matrices * 8))
  if ((found == 0ptr) & (matrices > 0)):
    return {NO_ROOM}
  bind outcome: i64[matrices] at found
  let work: i64 = ((({side} * {side}) * {side}) + {_ALONE})
  parfor number in matrices grain (truncate_divide({_GRAIN}, work) + 1):
    call one: i64 = {PREFIX}{what}_one_{n.short}({", ".join([*moved, *sizes.split()])})
    outcome[number] = one
  set worst: i64 = 0
  for number in matrices:
    set worst = where((worst == 0), outcome[number], worst)
  call free(found)
  return worst
"""


def _qr(n: LapackNumbers) -> str:
    """k columns of q and rows of r."""
    words, at = integers(
        m="m", n="n", lead="max(m, 1)", work="work", info="0", k="k", reflectors="min(m, n)"
    )
    return f"""
function {PREFIX}qr_one_{n.short}(a: ptr, q: ptr, r: ptr, m: i64, n: i64, k: i64) -> i64:
  let wide: i64 = max(n, k)
  let work: i64 = ((wide * {BLOCKED}) + {BLOCKED})
  call memory: ptr = malloc(((((m * wide) + wide) + work) * {n.size}))
  if (memory == 0ptr):
    return {NO_ROOM}
{words}
  bind x: {n.short}[m, n] at a
  bind w: {n.short}[wide, m] at memory
  for i in m:
    for j in n:
      w[j, i] = x[i, j]
  let scales: ptr = (memory + ((m * wide) * {n.size}))
  let room: ptr = (scales + (wide * {n.size}))
  call {n.routine("geqrf")}({at["m"]}, {at["n"]}, memory, {at["lead"]}, scales, room, \
{at["work"]}, {at["info"]})
  bind upper: {n.short}[k, n] at r
  for i in k:
    for j in n:
      upper[i, j] = where((i <= j), w[j, i], {n.number(0.0)})
  call {n.routine("orgqr")}({at["m"]}, {at["k"]}, {at["reflectors"]}, memory, \
{at["lead"]}, scales, room, {at["work"]}, {at["info"]})
  bind left: {n.short}[m, k] at q
  for i in m:
    for j in k:
      left[i, j] = w[j, i]
  call free(memory)
  return 0
"""


def _few(n: LapackNumbers) -> str:
    return f"{PREFIX}svd_few_{n.short}"


def _svd(n: LapackNumbers) -> str:
    """high columns of u, wide ones of v; NaN for a matrix that is not finite."""
    few = f"""\
  if ((high <= k) & (wide <= k)):
    call found: bool = {_few(n)}(a, s, u, v, m, n, vectors)
    if found:
      if (vectors != 0):
{indent(_settled_signs(n, "left", "m", "k", "right"), "    ")}\
      return 0
"""
    words, at = integers(
        m="m", n="n", lead="max(m, 1)", left="max(m, 1)", right="max(wide, 1)", work="-1", info="0"
    )
    real = n.is_complex

    def call(memory: str, s: str, u: str, v: str, room: str, reals: str, whole: str) -> str:
        more = f"{reals}, " if real else ""
        return f"""call {n.routine("gesdd")}(&job, {at["m"]}, {at["n"]}, {memory}, {at["lead"]}, \
{s}, {u}, {at["left"]}, {v}, {at["right"]}, {room}, {at["work"]}, {more}{whole}, {at["info"]}, 1)"""

    reals = "(((k * 5) * (k + 1)) + ((k * 2) * (max(m, n) + k)))" if real else "0"
    return f"""
function {PREFIX}svd_one_{n.short}(a: ptr, s: ptr, u: ptr, v: ptr, m: i64, n: i64, high: i64, \
wide: i64, vectors: i64) -> i64:
  let k: i64 = min(m, n)
  bind x: {n.short}[m, n] at a
  bind values: {n.real}[k] at s
  bind left: {n.short}[m, high] at u
  bind right: {n.short}[n, wide] at v
  set finite: bool = true
  for i in m:
    for j in n:
      set finite = (finite & is_finite(x[i, j]))
  if ((k == 0) | logical_not(finite)):
    for i in k:
      values[i] = {n.part("nan")}
    if (vectors != 0):
      let one: {n.short} = where((k == 0), {n.number(1.0)}, {n.number("nan")})
      let other: {n.short} = where((k == 0), {n.number(0.0)}, {n.number("nan")})
      for i in m:
        for j in high:
          left[i, j] = where((i == j), one, other)
      for i in n:
        for j in wide:
          right[i, j] = where((i == j), one, other)
    return 0
{"" if n.is_complex else few}{words}
  allocate job: u8[1]
  allocate best: {n.short}[1]
  let all: bool = ((high > k) | (wide > k))
  job[0] = where((vectors == 0), 78u8, where(all, 65u8, 83u8))
  {call("0ptr", "0ptr", "0ptr", "0ptr", "&best", "0ptr", "0ptr")}
  let work: i64 = (cast:i64(real(best[0])) + {BLOCKED})
  integers[5] = cast:i32(work)
  let reals: i64 = {reals}
  let numbers: i64 = (((m * n) + work) + ((m * high) + (n * wide)))
  call memory: ptr = malloc((((numbers * {n.size}) + (reals * {SIZE[n.real]})) + (k * 64)))
  if (memory == 0ptr):
    return {NO_ROOM}
  let room: ptr = (memory + ((m * n) * {n.size}))
  let lefts: ptr = (room + (work * {n.size}))
  let rights: ptr = (lefts + ((m * high) * {n.size}))
  let parts: ptr = (rights + ((n * wide) * {n.size}))
  bind w: {n.short}[n, m] at memory
  for i in m:
    for j in n:
      w[j, i] = x[i, j]
  {call("memory", "s", "lefts", "rights", "room", "parts", f"(parts + (reals * {SIZE[n.real]}))")}
  if (vectors != 0):
    bind u_columns: {n.short}[high, m] at lefts
    bind v_columns: {n.short}[n, wide] at rights
    for i in m:
      for j in high:
        left[i, j] = u_columns[j, i]
    for i in n:
      for j in wide:
        right[i, j] = {n.conj("v_columns[i, j]")}
{_settled_signs(n, "left", "m", "k", "right")}  call free(memory)
  return where((integers[6] == 0i32), 0, {WRONG})
"""


def _settled_signs(n: LapackNumbers, columns: str, m: str, k: str, other: str = "") -> str:
    """Of k vectors: the first of the nearly largest of m numbers is positive, so that libraries
    that round otherwise agree (ops/linalg/signs_of_vectors.py does the same). `other` are n-vectors
    that turn with them.
    """
    turn = f"where((pick[0] < {n.part(0.0)}), {n.part(-1.0)}, {n.part(1.0)})"
    if n.is_complex:
        turn = "complex((real(pick[0]) / abs(pick[0])), neg((imag(pick[0]) / abs(pick[0]))))"
    others = f"""      for i in n:
        {other}[i, j] = ({other}[i, j] * turn)
"""
    return f"""    allocate pick: {n.short}[1]
    allocate largest: {n.real}[1]
    for j in {k}:
      largest[0] = {n.part(0.0)}
      for i in {m}:
        largest[0] = max(largest[0], abs({columns}[i, j]))
      for back in {m}:
        if (abs({columns}[(({m} - 1) - back), j]) >= (largest[0] * {n.part(0.9)})):
          pick[0] = {columns}[(({m} - 1) - back), j]
      let turn: {n.short} = {turn}
      for i in {m}:
        {columns}[i, j] = ({columns}[i, j] * turn)
{others if other else ""}"""


def _eigh(n: LapackNumbers) -> str:
    """The lower triangle counts. What is not finite in it is wrong, but a number in a corner (see
    ops/linalg/infinite.py): then values are NaN. One number is its own value.
    """
    words, at = integers(n="n", lead="max(n, 1)", work="-1", info="0", reals="-1", whole="-1")
    real = n.is_complex

    def call(memory: str, e: str, room: str, reals: str, whole: str) -> str:
        more = f"{reals}, {at['reals']}, " if real else ""
        return f"""call {n.routine("syevd")}(&job, &half, {at["n"]}, {memory}, \
{at["lead"]}, {e}, {room}, {at["work"]}, {more}{whole}, {at["whole"]}, {at["info"]}, 1, 1)"""

    return f"""
function {PREFIX}eigh_one_{n.short}(a: ptr, e: ptr, v: ptr, n: i64, vectors: i64) -> i64:
  bind x: {n.short}[n, n] at a
  bind values: {n.real}[n] at e
  bind columns: {n.short}[n, n] at v
  set finite: bool = true
  set settled: bool = true
  for i in n:
    for j in (i + 1):
      let corner: bool = ((i == j) & ((i == 0) | (n == 2)))
      let infinite: bool = (logical_not(is_finite(x[i, j])) & logical_not(is_nan(x[i, j])))
      set finite = (finite & is_finite(x[i, j]))
      set settled = (settled & (is_finite(x[i, j]) | (corner & infinite)))
  if (logical_not(settled) & (n > 1)):
    return {WRONG}
  if logical_not(finite):
    for i in n:
      values[i] = where((n == 1), real(x[i, i]), {n.part("nan")})
    if (vectors != 0):
      for i in n:
        for j in n:
          columns[i, j] = where((i == j), {n.number(1.0)}, {n.number(0.0)})
    return 0
  if (n == 0):
    return 0
{words}
  allocate job: u8[1]
  allocate half: u8[1]
  allocate best: {n.short}[1]
  allocate most: {n.real}[1]
  allocate count: i32[1]
  job[0] = where((vectors == 0), 78u8, 86u8)
  half[0] = 76u8
  most[0] = {n.part(0.0)}
  {call("0ptr", "0ptr", "&best", "&most", "&count")}
  let work: i64 = (cast:i64(real(best[0])) + {BLOCKED})
  let reals: i64 = (cast:i64(most[0]) + 1)
  let whole: i64 = cast:i64(count[0])
  integers[2] = cast:i32(work)
  integers[4] = cast:i32(reals)
  integers[5] = cast:i32(whole)
  let bytes: i64 = ((((n * n) + work) * {n.size}) + (reals * {SIZE[n.real]}))
  call memory: ptr = malloc(((bytes + (whole * 4)) + 64))
  if (memory == 0ptr):
    return {NO_ROOM}
  let room: ptr = (memory + ((n * n) * {n.size}))
  let parts: ptr = (room + (work * {n.size}))
  bind w: {n.short}[n, n] at memory
  for i in n:
    for j in n:
      w[j, i] = where((j <= i), x[i, j], {n.number(0.0)})
  {call("memory", "e", "room", "parts", f"(parts + (reals * {SIZE[n.real]}))")}
  if (vectors != 0):
    for i in n:
      for j in n:
        columns[i, j] = w[j, i]
{_settled_signs(n, "columns", "n", "n")}  call free(memory)
  return where((integers[3] == 0i32), 0, {WRONG})
"""


def _eig(n: LapackNumbers) -> str:
    """Of any matrices: complex values, and vectors of length 1. What is not finite is wrong. Of a
    real matrix, LAPACK gives the real and the imaginary parts of vectors one after the other.
    """
    words, at = integers(n="n", lead="max(n, 1)", work="((n * 34) + 4)", info="0", one="1")
    values, more = ("c", "parts, ") if n.is_complex else (f"parts, (parts + (n * {n.size}))", "")
    found = f"""  bind real_parts: {n.short}[n] at parts
  bind turns: {n.short}[n] at (parts + (n * {n.size}))
  for j in n:
    let turn: {n.real} = turns[j]
    values[j] = complex(real_parts[j], turn)
    let first: i64 = where((turn < 0.0{n.real}), (j - 1), j)
    for i in (n * vectors):
      let part: {n.real} = v[min((first + 1), (n - 1)), i]
      columns[i, j] = complex(v[first, i], (sign(turn) * part))
"""
    same = "  for i in (n * vectors):\n    for j in n:\n      columns[i, j] = v[j, i]\n"
    return f"""
function {PREFIX}eig_one_{n.short}(a: ptr, c: ptr, w: ptr, n: i64, vectors: i64) -> i64:
  bind x: {n.short}[n, n] at a
  bind values: {n.pair}[n] at c
  bind columns: {n.pair}[n, n] at w
{words}
  allocate jobs: u8[2]
  jobs[0] = 78u8
  jobs[1] = where((vectors == 0), 78u8, 86u8)
  call memory: ptr = malloc(((((n * n) * 2) + ((n * 36) + 8)) * {n.size}))
  if (memory == 0ptr):
    return {NO_ROOM}
  let other: ptr = (memory + ((n * n) * {n.size}))
  let parts: ptr = (other + ((n * n) * {n.size}))
  let room: ptr = (parts + ((n * 2) * {n.size}))
  bind copy: {n.short}[n, n] at memory
  bind v: {n.short}[n, n] at other
  set finite: bool = true
  for i in n:
    for j in n:
      set finite = (finite & is_finite(x[i, j]))
      copy[j, i] = x[i, j]
  if ((n == 0) | logical_not(finite)):
    call free(memory)
    return where(finite, 0, {WRONG})
  call {n.routine("geev")}(&jobs, (&jobs + 1), {at["n"]}, memory, {at["lead"]}, {values}, \
0ptr, {at["one"]}, other, {at["lead"]}, room, {at["work"]}, {more}{at["info"]}, 1, 1)
{same if n.is_complex else found}  call free(memory)
  if (vectors != 0):
{_settled_signs(LapackNumbers(n.pair), "columns", "n", "n")}\
  return where((integers[3] == 0i32), 0, {WRONG})
"""


def _solve(n: LapackNumbers) -> str:
    """given: whether there is a right-hand side; else it is the identity."""
    words, at = integers(n="n", lead="max(n, 1)", info="0", k="k")
    return f"""
function {PREFIX}solve_one_{n.short}(a: ptr, b: ptr, x: ptr, n: i64, k: i64, adjoint: i64, \
given: i64) -> i64:
  bind matrix: {n.short}[n, n] at a
  bind right: {n.short}[n, k] at b
  bind found: {n.short}[n, k] at x
  call memory: ptr = malloc(((((n * n) + (n * k)) * {n.size}) + (n * 4)))
  if (memory == 0ptr):
    return {NO_ROOM}
{words}
  allocate letter: u8[1]
  letter[0] = 78u8
  let columns: ptr = (memory + ((n * n) * {n.size}))
  let exchanges: ptr = (columns + ((n * k) * {n.size}))
  bind w: {n.short}[n, n] at memory
  bind y: {n.short}[k, n] at columns
  set known: bool = true
  for i in n:
    for j in n:
      let element: {n.short} = matrix[i, j]
      set known = (known & logical_not(is_nan(element)))
      if (adjoint != 0):
        w[i, j] = {n.conj("element")}
      else:
        w[j, i] = element
  for i in n:
    for j in k:
      if (given != 0):
        y[j, i] = right[i, j]
      else:
        y[j, i] = where((i == j), {n.number(1.0)}, {n.number(0.0)})
  call {n.routine("getrf")}({at["n"]}, {at["n"]}, memory, {at["lead"]}, exchanges, {at["info"]})
  let regular: bool = (integers[2] == 0i32)
  call {n.routine("getrs")}(&letter, {at["n"]}, {at["k"]}, memory, {at["lead"]}, exchanges, \
columns, {at["lead"]}, {at["info"]}, 1)
  for i in n:
    for j in k:
      found[i, j] = where(known, y[j, i], {n.number("nan")})
  call free(memory)
  if (n == 0):
    return 0
  let begins: bool = logical_not(is_nan(matrix[0, 0]))
  return where((begins & (regular | logical_not(known))), 0, {WRONG})
"""


def _triangular(n: LapackNumbers) -> str:
    """In place: for LAPACK both matrices are their transposes, whose product is the other way
    round.
    """
    words, at = integers(n="n", k="k", lead="max(n, 1)", beside="max(k, 1)")
    return f"""
function {PREFIX}triangular_one_{n.short}(a: ptr, x: ptr, n: i64, k: i64, lower: i64, \
adjoint: i64) -> i64:
{words}
  allocate letters: u8[4]
  letters[0] = 82u8
  letters[1] = where((lower != 0), 85u8, 76u8)
  letters[2] = where((adjoint != 0), 67u8, 78u8)
  letters[3] = 78u8
  allocate one: {n.short}[1]
  one[0] = {n.number(1.0)}
  call {n.routine("trsm")}(&letters, (&letters + 1), (&letters + 2), (&letters + 3), {at["k"]}, \
{at["n"]}, &one, a, {at["lead"]}, x, {at["beside"]}, 1, 1, 1, 1)
  return 0
"""
