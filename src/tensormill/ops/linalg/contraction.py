"""Products over chosen axes, by transposition and matrix products: tensordot, and einsum's sums."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as numpy_module

from ...core import dtypes
from ...core.values import TensorLike
from ...errors import RowIndexError, ShapeMismatchError
from ..array.broadcasting import broadcast_to
from ..array.concatenation import concat
from ..array.fill import range as range_tensor
from ..array.gather import gather
from ..array.rearrangement import transpose
from ..array.select import boolean_mask, where
from ..array.shapes import expand_dims, rank, reshape, shape_of
from ..checks.assertions import Assert, require_equal
from ..composed import composed
from ..control.flow import ensure_shape, identity
from ..conversion import as_tensor, as_tensors, static_value
from ..dispatch.meanings import dispatchable
from ..math.comparison import equal, greater_equal, less, logical_and, logical_not
from ..math.reduce import reduce_all, reduce_any, reduce_prod, reduce_sum
from ..sizes import all_static
from .diagonals import diag, diag_part
from .matmul import matmul

if TYPE_CHECKING:
    from ..results import Tensor

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dispatchable
@composed("Tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """The product summed over `axes`: a number (the last of a, the first of b), or two lists.

    The result has the other axes of `a`, then those of `b`. With 0 axes it holds every product.
    Both have one dtype, of those that `matmul` takes.

    >>> tf.tensordot([[1, 2], [3, 4]], [1, 10], axes=1).numpy()
    array([21, 43], dtype=int32)
    >>> tf.tensordot([[1, 2], [3, 4]], [1, 10], axes=[[0], [0]]).numpy()
    array([31, 42], dtype=int32)

    Raises:
        ValueError: the lists differ in length, or there are not so many axes.
        InvalidArgumentError: the axes that are summed over differ in size.
    """
    a, b = as_tensors(a, b)
    rank_a, rank_b = a.shape.rank, b.shape.rank
    if rank_a is None or rank_b is None:
        return _contracted_at_run_time(a, b, axes, name)
    axes_a, axes_b = _contracted(axes, rank_a, rank_b)
    kept_a = [k for k in range(rank_a) if k not in axes_a]
    kept_b = [k for k in range(rank_b) if k not in axes_b]
    left = _matrix(a, kept_a, axes_a, False)
    right = _matrix(b, axes_b, kept_b, True)
    sizes = [*_sizes(a, kept_a), *_sizes(b, kept_b)]
    return reshape(matmul(left, right), sizes, name=name)


def _contracted(axes: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    value = _axes_of_both(axes)
    if isinstance(value, int):
        if not 0 <= value <= min(rank_a, rank_b):
            raise ValueError(f"`axes` must not be larger than the number of dimensions: {value}")
        return list(range(rank_a - value, rank_a)), list(range(value))
    return [_axis(k, rank_a, "a") for k in value[0]], [_axis(k, rank_b, "b") for k in value[1]]


def _axis(axis: int, rank: int, name: str) -> int:
    if not -rank <= axis < rank:
        raise RowIndexError(
            f"tensordot: `axes` name axis {axis} of `{name}`, which has {rank} dimension(s)"
        )
    return axis % rank


def _axes_of_both(axes: Any) -> Any:
    """How many axes are summed over, or which of both tensors: two lists."""
    value = static_value(axes) if isinstance(axes, TensorLike) else axes
    if isinstance(value, (numpy_module.ndarray, numpy_module.generic)):
        value = value.tolist()
    if isinstance(value, int):
        return value
    if value is None:
        raise ValueError("tensordot needs axes that are known while tracing")
    if len(value) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}")
    listed = [[one] if isinstance(one, int) else list(one) for one in value]
    if len(listed[0]) != len(listed[1]):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {axes}")
    return listed


def _contracted_at_run_time(a: Any, b: Any, axes: Any, name: str | None) -> Any:
    """`tensordot` where only a run knows how many axes are left."""
    value = _axes_of_both(axes)
    if isinstance(value, int):
        own, other = (range_tensor(rank(a) - value, rank(a)), range_tensor(value))
    else:
        own, other = (as_tensor(listed, dtypes.int32) for listed in value)
    kept_a, gone_a = _parted(a, own)
    kept_b, gone_b = _parted(b, other)
    outer_a, inner = gather(shape_of(a), kept_a), gather(shape_of(a), gone_a)
    inner_b, outer_b = gather(shape_of(b), gone_b), gather(shape_of(b), kept_b)
    require_equal(inner, inner_b, "tensordot: the axes that are summed over differ in size: ")
    left = reshape(
        transpose(a, concat([kept_a, gone_a], 0)), [reduce_prod(outer_a), reduce_prod(inner)]
    )
    right = reshape(
        transpose(b, concat([gone_b, kept_b], 0)), [reduce_prod(inner), reduce_prod(outer_b)]
    )
    return reshape(matmul(left, right), concat([outer_a, outer_b], 0), name=name)


def _parted(x: Any, axes: Any) -> tuple[Any, Any]:
    """All other axes of `x`, and these ones, none negative."""
    count = rank(x)
    are_there = logical_and(greater_equal(axes, -count), less(axes, count))
    Assert(reduce_all(are_there), ["tensordot: `axes` name one that is not there", axes, count])
    every, gone = range_tensor(count), axes % count
    is_gone = reduce_any(equal(every[:, None], gone), 1)
    return boolean_mask(every, logical_not(is_gone)), gone


def _matrix(x: Any, rows: list[int], columns: list[int], rows_are_inner: bool) -> Any:
    """`x` as a matrix whose rows run over some axes and whose columns over the others."""
    order = [*rows, *columns]
    moved = x if order == list(range(len(order))) else transpose(x, order)
    inner, outer = (rows, columns) if rows_are_inner else (columns, rows)
    size, rest = _product(_sizes(x, inner)), _product(_sizes(x, outer))
    return reshape(moved, [size, rest] if rows_are_inner else [rest, size])


def _product(sizes: Sequence[Any]) -> Any:
    product: Any = 1
    for size in sizes:
        product = product * size
    return product


def _sizes(x: Any, axes: Sequence[int]) -> list[Any]:
    """Sizes as ints where they are known, else as tensors."""
    dims = [x.shape[k] for k in axes]
    if None not in dims:
        return dims
    sizes = shape_of(x)
    return [sizes[k] if size is None else size for k, size in zip(axes, dims, strict=True)]


def sum_of_products(equation: str, tensors: Sequence[Any], name: str | None = None) -> Any:
    """What `einsum` gives for tensors of known ranks, for those of "..." at least."""
    terms, output = parsed(equation, [x.shape.rank for x in tensors])
    operands = list(zip(tensors, terms, strict=True))
    spread = "".join(sorted(set("".join(terms)) - set(equation)))  # what the dots stand for
    require_sizes(equation, operands, spread)
    x, term = _prepared(*operands.pop(0), output + "".join(rest for _, rest in operands))
    while operands:
        y, other = operands.pop(0)
        needed = output + "".join(rest for _, rest in operands)
        y, other = _prepared(y, other, needed + term)
        x, term = _prepared(x, term, needed + other)
        x, term = _multiplied(x, term, y, other, needed, spread)
    x, term = _prepared(x, term, output)
    missing = [letter for letter in output if letter not in term]
    if missing:
        raise ValueError(f"einsum: output subscripts {missing} appear in no input of {equation!r}")
    x, term = _repeated(x, term, output)
    order = [_place(term, output, k) for k in range(len(output))]
    moved = x if order == list(range(len(order))) else transpose(x, order)
    return identity(moved, name=name)


DROPPED = "einsum: '...' in {!r} stands for axes that its output, without '...', has no place for: "


def require_count(equation: str, terms: Sequence[str], count: int) -> None:
    """Refuse an equation of another number of inputs."""
    if len(terms) != count:
        raise ValueError(f"Got {count} arguments for equation {equation!r}, expecting {len(terms)}")


def parsed(equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """The letters of each input and of the output, with "..." spelled out.

    Raises:
        ValueError: the equation is not well-formed or does not fit the ranks.
    """
    left, arrow, output = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    require_count(equation, terms, len(ranks))
    free = [letter for letter in LETTERS if letter not in equation]
    widest, spelled = 0, []
    for term, axes in zip(terms, ranks, strict=True):
        named = len(term.replace("...", ""))
        extra = axes - named
        if extra < 0 or (extra and "..." not in term):
            raise ShapeMismatchError(
                f"einsum: {term!r} of {equation!r} does not fit a tensor of rank {axes}"
            )
        widest = max(widest, extra)
        spelled.append((term, extra))
    broad = "".join(free[:widest])
    full = [term.replace("...", broad[widest - extra :]) for term, extra in spelled]
    if arrow and widest and "..." not in output:
        raise ShapeMismatchError(DROPPED.format(equation) + f"{widest} axes")
    if arrow:
        return full, output.replace("...", broad)
    letters = "".join(full)
    once = sorted(c for c in set(letters) - set(broad) if letters.count(c) == 1)
    return full, broad + "".join(once)


WELL_FORMED = re.compile(r"[A-Za-z]*(\.\.\.)?[A-Za-z]*")


def require_subscripts(equation: str) -> None:
    """Refuse what is no letter, and letters that the output has twice.

    Raises:
        ValueError: see above.
    """
    left, _, output = equation.replace(" ", "").partition("->")
    for term in (*left.split(","), output):
        if not WELL_FORMED.fullmatch(term):
            raise ValueError(
                f"einsum: {term!r} of {equation!r} is not letters and, at most once, '...'"
            )
    for letter in output.replace("...", ""):
        if output.count(letter) > 1:
            raise ValueError(f"einsum: the output of {equation!r} has {letter!r} more than once")


def of_known_ranks(equation: str, tensors: Sequence[Any]) -> list[Any]:
    """Tensors with the ranks that their letters say, where tracing does not know them."""
    terms = equation.replace(" ", "").partition("->")[0].split(",")
    return [
        x
        if x.shape.rank is not None or place >= len(terms) or "..." in terms[place]
        else ensure_shape(x, [None] * len(terms[place]))
        for place, x in enumerate(tensors)
    ]


def require_sizes(equation: str, operands: Sequence[tuple[Any, str]], spread: str) -> None:
    """Refuse a letter that stands for two sizes, now or, where one is unknown, when it runs.

    1 broadcasts to the size elsewhere for the letters of `spread`: what multiplies them will see.
    """
    sizes: dict[str, Any] = {}
    for x, term in operands:
        for letter, size in zip(term, _sizes(x, range(len(term))), strict=True):
            before = sizes.setdefault(letter, size)
            if before is size:
                continue
            if not all_static(before, size):
                if letter not in spread:
                    message = f"einsum: '{letter}' in {equation!r} stands for two sizes: "
                    require_equal(size, before, message)
                continue
            if size != before and not (letter in spread and 1 in (size, before)):
                raise ShapeMismatchError(
                    f"einsum: '{letter}' in {equation!r} stands for the size {size} and for "
                    f"{before}: Expected dimension to be the same"
                )
            sizes[letter] = size if before == 1 else before


def _prepared(x: Any, term: str, needed: str) -> tuple[Any, str]:
    """`x` without repeated letters (diagonals) and without letters that nobody needs (sums)."""
    for letter in dict.fromkeys(term):
        while term.count(letter) > 1:
            first = term.index(letter)
            second = term.index(letter, first + 1)
            rest = [k for k in range(len(term)) if k not in (first, second)]
            x = diag_part(transpose(x, [*rest, first, second]))
            term = "".join(term[k] for k in rest) + letter
    alone = [k for k, letter in enumerate(term) if letter not in needed]
    if alone:
        x = reduce_sum(x, alone)
        term = "".join(letter for letter in term if letter in needed)
    return x, term


def _repeated(x: Any, term: str, output: str) -> tuple[Any, str]:
    """`x` with the letters that the output has several times: on diagonals, zeros beside them."""
    for letter in dict.fromkeys(output):
        for _ in range(output.count(letter) - 1):
            at = term.index(letter)
            rest = [k for k in range(len(term)) if k != at]
            x = diag(transpose(x, [*rest, at]))
            term = "".join(term[k] for k in rest) + 2 * letter
    return x, term


def _place(term: str, output: str, at: int) -> int:
    """Which axis of `term` the letter at a place of the output is: the n-th for its n-th one."""
    place = -1
    for _ in range(output[: at + 1].count(output[at])):
        place = term.index(output[at], place + 1)
    return place


def _multiplied(x: Any, left: str, y: Any, right: str, needed: str, spread: str) -> tuple[Any, str]:
    """The product of two operands: a batched matrix product over the letters that go."""
    shared = [c for c in left if c in right]
    batch = [c for c in shared if c in needed]
    inner = [c for c in shared if c not in needed]
    if not inner:
        return _spread(x, left, y, right)
    rows = [c for c in left if c not in shared]
    columns = [c for c in right if c not in shared]
    wide = {
        c: _broadcast_size(x, left, y, right, c) if c in spread else _size(x, left, y, right, c)
        for c in shared
    }
    if any(c in spread for c in inner):
        x, y = _widened(x, left, wide, inner), _widened(y, right, wide, inner)
    a = _grouped(x, left, batch, rows, inner)
    b = _grouped(y, right, batch, inner, columns)
    sizes = [wide[c] for c in batch]
    sizes += _sizes(x, [left.index(c) for c in rows]) + _sizes(y, [right.index(c) for c in columns])
    return reshape(matmul(a, b), sizes), "".join([*batch, *rows, *columns])


def _size(x: Any, left: str, y: Any, right: str, letter: str) -> Any:
    """What a letter of both stands for, an int if tracing knows it of one of them."""
    (one,), (other,) = _sizes(x, [left.index(letter)]), _sizes(y, [right.index(letter)])
    return one if all_static(one) else other


def _broadcast_size(x: Any, left: str, y: Any, right: str, letter: str) -> Any:
    """The larger one of two sizes, one of which may be 1."""
    (one,), (other,) = _sizes(x, [left.index(letter)]), _sizes(y, [right.index(letter)])
    for size, rest in ((one, other), (other, one)):
        if all_static(size):
            return rest if size == 1 else size
    return where(equal(one, 1), other, one)


def _widened(x: Any, term: str, wide: dict[str, Any], letters: Sequence[str]) -> Any:
    """`x` with the common sizes of letters that will be summed over."""
    own = _sizes(x, range(len(term)))
    return broadcast_to(
        x, [wide[c] if c in letters else size for c, size in zip(term, own, strict=True)]
    )


def _grouped(x: Any, term: str, batch: list[str], rows: list[str], columns: list[str]) -> Any:
    """Axes in the order batch, rows, columns, the last two groups flattened."""
    order = [term.index(c) for c in (*batch, *rows, *columns)]
    moved = x if order == list(range(len(order))) else transpose(x, order)
    sizes = _sizes(x, [term.index(c) for c in batch])
    for group in (rows, columns):
        sizes.append(_product(_sizes(x, [term.index(c) for c in group])))
    return reshape(moved, sizes)


def _spread(x: Any, left: str, y: Any, right: str) -> tuple[Any, str]:
    """The product without any sum: both brought to the union of their letters, then multiplied."""
    union = left + "".join(c for c in right if c not in left)
    return _aligned(x, left, union) * _aligned(y, right, union), union


def _aligned(x: Any, term: str, union: str) -> Any:
    order = [term.index(c) for c in union if c in term]
    moved = x if order == list(range(len(order))) else transpose(x, order)
    for place, letter in enumerate(union):
        if letter not in term:
            moved = expand_dims(moved, place)
    return moved
