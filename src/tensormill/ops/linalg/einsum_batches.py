"""`tf.einsum` where only a run knows for how many axes "..." stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..array.broadcasting import broadcast_dynamic_shape, broadcast_to
from ..array.concatenation import concat
from ..array.fill import range as range_tensor
from ..array.rearrangement import transpose
from ..array.shapes import rank, reshape, shape_of
from ..checks.assertions import assert_non_negative, require_equal
from ..math.reduce import reduce_prod
from .contraction import DROPPED, LETTERS, of_known_ranks, require_count, sum_of_products


def einsum_of_any_rank(equation: str, tensors: Sequence[Any], name: str | None) -> Any:
    """The axes of "..." made one, which a letter stands for; put back into the result."""
    left, arrow, output = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    require_count(equation, terms, len(tensors))
    batch_letter = next(letter for letter in LETTERS if letter not in equation)
    moved = [_batch_first(x, term) for x, term in zip(tensors, terms, strict=True)]
    common: Any = range_tensor(0)
    for _, batch, _ in moved:
        common = broadcast_dynamic_shape(common, batch)
    inputs = [
        _with_one_batch(x, common, named) if "..." in term else x
        for (x, _, named), term in zip(moved, terms, strict=True)
    ]
    spelled = [batch_letter + term.replace("...", "") if "..." in term else term for term in terms]
    if not arrow:
        output = _implied_output(terms)
    if "..." not in output:
        require_equal(shape_of(common), [0], DROPPED.format(equation))
        return _summed(f"{','.join(spelled)}->{output}", inputs, name)
    before, _, after = output.partition("...")
    found = _summed(f"{','.join(spelled)}->{batch_letter}{before}{after}", inputs)
    whole = reshape(found, concat([common, shape_of(found)[1:]], 0))
    return _batch_moved(whole, len(before), len(after), name)


def _implied_output(terms: Sequence[str]) -> str:
    """The output where the equation says none: the axes of "...", then letters that stand once."""
    letters = "".join(terms).replace(".", "")
    return "..." + "".join(sorted(one for one in set(letters) if letters.count(one) == 1))


def _batch_moved(x: Any, before: int, after: int, name: str | None) -> Any:
    """`x`, whose axes of "..." come first, with so many axes before these."""
    count, axes = rank(x) - before - after, range_tensor(rank(x))
    order = [axes[count:][:before], axes[:count], axes[count:][before:]]
    return transpose(x, concat(order, 0), name=name)


def _summed(equation: str, inputs: Sequence[Any], name: str | None = None) -> Any:
    return sum_of_products(equation, of_known_ranks(equation, inputs), name)


def _batch_first(x: Any, term: str) -> tuple[Any, Any, Any]:
    """`x` with the axes of "..." first, their sizes, and those of the axes that have letters."""
    if "..." not in term:
        return x, range_tensor(0), None
    before, _, after = term.partition("...")
    axes, sizes = range_tensor(rank(x)), shape_of(x)
    count = rank(x) - len(before) - len(after)
    assert_non_negative(count, message=f"einsum: {term!r} does not fit a tensor of that rank")
    start, end = len(before), len(before) + count
    parts = [axes[start:end], axes[:start], axes[end:]]
    named = concat([sizes[:start], sizes[end:]], 0)
    return transpose(x, concat(parts, 0)), sizes[start:end], named


def _with_one_batch(x: Any, common: Any, named: Any) -> Any:
    wide = broadcast_to(x, concat([common, named], 0))
    return reshape(wide, concat([[reduce_prod(common)], named], 0))
