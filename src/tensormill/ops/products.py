"""Products over chosen axes: tensordot and einsum, by transposition and matrix products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as numpy_module

from ..core.values import TensorLike
from ..errors import ShapeMismatchError
from .broadcasting import broadcast_to
from .composed import composed
from .conversion import as_tensor, as_tensors, static_value
from .diagonals import diag_part
from .linalg import matmul
from .manipulation import transpose
from .reduce import reduce_sum
from .shapes import expand_dims, reshape, shape_of

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@composed("Tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Any:
    """The product summed over `axes`: a number (the last of a, the first of b), or two lists.

    Raises:
        ValueError: the lists differ in length, or a rank is not known.
    """
    a, b = as_tensors(a, b)
    rank_a, rank_b = a.shape.rank, b.shape.rank
    if rank_a is None or rank_b is None:
        raise ValueError("tensordot needs tensors whose ranks are known")
    axes_a, axes_b = _contracted(axes, rank_a, rank_b)
    kept_a = [k for k in range(rank_a) if k not in axes_a]
    kept_b = [k for k in range(rank_b) if k not in axes_b]
    left = _matrix(a, kept_a, axes_a, False)
    right = _matrix(b, axes_b, kept_b, True)
    sizes = [*_sizes(a, kept_a), *_sizes(b, kept_b)]
    return reshape(matmul(left, right), sizes, name=name)


def _contracted(axes: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    value = static_value(axes) if isinstance(axes, TensorLike) else axes
    if isinstance(value, numpy_module.ndarray):
        value = value.tolist()
    if isinstance(value, int):
        if not 0 <= value <= min(rank_a, rank_b):
            raise ValueError(f"`axes` must not be larger than the number of dimensions: {value}")
        return list(range(rank_a - value, rank_a)), list(range(value))
    if value is None:
        raise ValueError("tensordot needs axes that are known while tracing")
    if len(value) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}")
    listed = [[one] if isinstance(one, int) else list(one) for one in value]
    if len(listed[0]) != len(listed[1]):
        raise ValueError(f"Different number of contraction axes `a` and `b`, {axes}")
    return [k % rank_a for k in listed[0]], [k % rank_b for k in listed[1]]


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


@composed("einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Any:
    """A sum of products, in Einstein's notation: "ij,jk->ik"; "..." stands for axes that broadcast.

    Raises:
        ValueError: the equation is not well-formed or does not fit the inputs.
        InvalidArgumentError: a letter stands for two sizes.
        TypeError: an unknown keyword.
    """
    kwargs.pop("optimize", None)
    name = kwargs.pop("name", None)
    if kwargs:
        raise TypeError(f"Invalid keyword arguments for einsum: {', '.join(kwargs)}")
    terms, output = parsed(equation, [as_tensor(one).shape.rank for one in inputs])
    operands = list(zip(as_tensors(*inputs), terms, strict=True))
    require_sizes(equation, operands)
    x, term = _prepared(*operands.pop(0), output + "".join(rest for _, rest in operands))
    while operands:
        y, other = operands.pop(0)
        needed = output + "".join(rest for _, rest in operands)
        y, other = _prepared(y, other, needed + term)
        x, term = _prepared(x, term, needed + other)
        x, term = _multiplied(x, term, y, other, needed)
    x, term = _prepared(x, term, output)
    missing = [letter for letter in output if letter not in term]
    if missing:
        raise ValueError(f"einsum: output subscripts {missing} appear in no input of {equation!r}")
    order = [term.index(letter) for letter in output]
    from .flow import identity

    moved = x if order == list(range(len(order))) else transpose(x, order)
    return identity(moved, name=name)


def parsed(equation: str, ranks: Sequence[int | None]) -> tuple[list[str], str]:
    """The letters of each input and of the output, with "..." spelled out.

    Raises:
        ValueError: the equation is not well-formed or does not fit the ranks.
    """
    left, arrow, output = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise ValueError(
            f"Got {len(ranks)} arguments for equation {equation!r}, expecting {len(terms)}"
        )
    free = [letter for letter in LETTERS if letter not in equation]
    widest, spelled = 0, []
    for term, rank in zip(terms, ranks, strict=True):
        if rank is None:
            raise ValueError("einsum needs tensors whose ranks are known")
        named = len(term.replace("...", ""))
        extra = rank - named
        if extra < 0 or (extra and "..." not in term):
            raise ValueError(
                f"einsum: {term!r} of {equation!r} does not fit a tensor of rank {rank}"
            )
        widest = max(widest, extra)
        spelled.append((term, extra))
    broad = "".join(free[:widest])
    full = [term.replace("...", broad[widest - extra :]) for term, extra in spelled]
    if arrow:
        return full, output.replace("...", broad)
    letters = "".join(full)
    once = sorted(c for c in set(letters) - set(broad) if letters.count(c) == 1)
    return full, broad + "".join(once)


def require_sizes(equation: str, operands: Sequence[tuple[Any, str]]) -> None:
    """Refuse a letter that stands for two known sizes; 1 broadcasts to the size elsewhere."""
    sizes: dict[str, int] = {}
    for x, term in operands:
        own: dict[str, int] = {}
        for letter, size in zip(term, x.shape.dims or (), strict=False):
            if size is None:
                continue
            twice, before = own.setdefault(letter, size), sizes.get(letter, 1)
            if twice != size or (size != before and 1 not in (size, before)):
                raise ShapeMismatchError(
                    f"einsum: '{letter}' in {equation!r} stands for the size {size} and for "
                    f"{before if twice == size else twice}: Expected dimension to be the same"
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


def _multiplied(x: Any, left: str, y: Any, right: str, needed: str) -> tuple[Any, str]:
    """The product of two operands: a batched matrix product over the letters that go."""
    shared = [c for c in left if c in right]
    batch = [c for c in shared if c in needed]
    inner = [c for c in shared if c not in needed]
    if not inner:
        return _spread(x, left, y, right)
    rows = [c for c in left if c not in shared]
    columns = [c for c in right if c not in shared]
    if len(inner) > 1:
        y = _with_sizes_of(x, left, y, right, inner)
    a = _grouped(x, left, batch, rows, inner)
    b = _grouped(y, right, batch, inner, columns)
    sizes: list[Any] = []
    for c in batch:
        sizes.append(_common_size(x, left, y, right, c))
    sizes += _sizes(x, [left.index(c) for c in rows]) + _sizes(y, [right.index(c) for c in columns])
    return reshape(matmul(a, b), sizes), "".join([*batch, *rows, *columns])


def _with_sizes_of(x: Any, left: str, y: Any, right: str, inner: Sequence[str]) -> Any:
    """`y`, checked where only run time will know: products of sizes may agree by chance."""
    wanted = {c: _sizes(x, [left.index(c)])[0] for c in inner}
    if all(isinstance(one, int) for one in (*wanted.values(), *_sizes(y, range(len(right))))):
        return y
    own = _sizes(y, range(len(right)))
    return broadcast_to(y, [wanted.get(c, size) for c, size in zip(right, own, strict=True)])


def _common_size(x: Any, left: str, y: Any, right: str, letter: str) -> Any:
    (one,), (other,) = _sizes(x, [left.index(letter)]), _sizes(y, [right.index(letter)])
    return other if isinstance(one, int) and one == 1 else one


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
