"""Checks of ranks and shapes: at once where they are known, else when the program runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.process.named_tuples import NamedTuple
from ...core.values import TensorLike
from ..conversion import as_tensor, static_value
from ..dispatch.meanings import dispatchable
from .assertions import Assert, holding


def _label(tensor: Any) -> str:
    if getattr(tensor, "symbolic", False):
        return tensor.name
    return f"shape={tensor.shape} dtype={tensor.dtype.name}"


def _head(message: str | None) -> str:
    return "" if not message else f"{message}.  "


class Shown(NamedTuple):
    """What is told in the place of a shape: tensors and texts, of each so many elements."""

    data: Sequence[Any]
    summarize: int | None


def _assert_rank(
    x: Any,
    holds: Callable[[Any], Any],
    wanted: str,
    message: str | None,
    name: str | None,
    shown: Shown | None = None,
) -> Any:
    """Check the rank of `x`, which `holds` judges (an int, or a tensor)."""
    from ..array.shapes import shape

    x = _tensor(x)
    known = x.shape.rank
    text = f"{_head(message)}Tensor {_label(x)} must have rank {wanted}."
    if known is None:
        sizes = _sizes(x)
        told = Shown([text, "Received shape: ", sizes], None) if shown is None else shown
        return Assert(holds(shape(sizes)[0]), told.data, told.summarize, name)
    if not holds(known):
        raise ValueError(f"{text}  Received rank {known}, shape {x.shape}")
    return holding(name)


def _tensor(x: Any) -> Any:
    """Dense or sparse: both have ranks and sizes."""
    return x if _is_sparse(x) else as_tensor(x)


def _is_sparse(x: Any) -> bool:
    from ..sparse.sparse_tensor import SparseTensor

    return isinstance(x, SparseTensor)


def _static_rank(rank: Any) -> int:
    if np.ndim(rank) > 0:
        raise ValueError(f"Rank must be a scalar, got {rank!r}")
    if isinstance(rank, TensorLike):
        value = static_value(rank)
        if value is None:
            raise ValueError("Rank must be a number that is known while tracing")
        rank = value.item()
    if not isinstance(rank, int) and not hasattr(rank, "__index__"):
        raise TypeError(f"Rank must be an integer, got {rank!r}")
    return int(rank)


@dispatchable
def assert_rank(x: Any, rank: Any, message: str | None = None, name: str | None = None) -> Any:
    """Check that `x` has `rank` axes.

    >>> tf.assert_rank([[1, 2]], 2)
    >>> tf.assert_rank([1, 2], 2, message="images")
    Traceback (most recent call last):
    ValueError: images...must have rank 2...

    Raises:
        ValueError: it has not.
        InvalidArgumentError: the same, found at run time.
        TypeError: `rank` is no integer.
    """
    return rank_is(x, rank, message, name)


def rank_is(x: Any, rank: Any, message: str | None, name: str | None, shown: Any = None) -> Any:
    """`assert_rank`, which shows something else if it is told so."""
    wanted = _static_rank(rank)
    return _assert_rank(x, lambda found: found == wanted, str(wanted), message, name, shown)


@dispatchable
def assert_rank_at_least(
    x: Any, rank: Any, message: str | None = None, name: str | None = None
) -> Any:
    """Check that `x` has `rank` axes or more.

    >>> tf.debugging.assert_rank_at_least([[1, 2]], 1)
    >>> tf.debugging.assert_rank_at_least([1, 2], 2)
    Traceback (most recent call last):
    ValueError: ...must have rank at least 2...

    Raises:
        ValueError: it has not.
        InvalidArgumentError: the same, found at run time.
        TypeError: `rank` is no integer.
    """
    return rank_is_at_least(x, rank, message, name)


def rank_is_at_least(
    x: Any, rank: Any, message: str | None, name: str | None, shown: Any = None
) -> Any:
    """`assert_rank_at_least`, which shows something else if it is told so."""
    wanted = _static_rank(rank)
    text = f"at least {wanted}"
    return _assert_rank(x, lambda found: found >= wanted, text, message, name, shown)


@dispatchable
def assert_rank_in(x: Any, ranks: Any, message: str | None = None, name: str | None = None) -> Any:
    """Check that `x` has one of several ranks.

    >>> tf.debugging.assert_rank_in([1, 2], [1, 2])
    >>> tf.debugging.assert_rank_in(1, [1, 2])
    Traceback (most recent call last):
    ValueError: ...must have rank in (1, 2)...

    Raises:
        ValueError: it has not.
        InvalidArgumentError: the same, found at run time.
        TypeError: one of `ranks` is no integer.
    """
    return rank_is_in(x, ranks, message, name)


def rank_is_in(x: Any, ranks: Any, message: str | None, name: str | None, shown: Any = None) -> Any:
    """`assert_rank_in`, which shows something else if it is told so."""
    wanted = tuple(_static_rank(rank) for rank in ranks)

    def holds(found: Any) -> Any:
        if isinstance(found, int):
            return found in wanted
        from ..math.comparison import logical_or

        any_of = found == wanted[0]
        for one in wanted[1:]:
            any_of = logical_or(any_of, found == one)
        return any_of

    return _assert_rank(x, holds, f"in {wanted}", message, name, shown)


@dispatchable
def assert_scalar(tensor: Any, message: str | None = None, name: str | None = None) -> None:
    """Check that a tensor is a scalar.

    >>> tf.debugging.assert_scalar(3)
    >>> tf.debugging.assert_scalar([3], message="rate")
    Traceback (most recent call last):
    ValueError: rate: Expected scalar shape, saw shape: (1,).

    Raises:
        ValueError: it is not, or its shape is not known.
    """
    tensor = as_tensor(tensor)
    if tensor.shape.rank == 0:
        return
    head = "" if not message else f"{message}: "
    if tensor.shape.rank is None:
        raise ValueError(
            f"{head}Expected scalar shape for tensor {_label(tensor)}, saw unknown shape"
        )
    raise ValueError(f"{head}Expected scalar shape, saw shape: {tensor.shape}.")


@dispatchable
def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Check the shapes of several tensors, which may share sizes by name.

    `shapes` is a list of pairs (tensor, shape) or a mapping; a shape is a sequence of sizes, each
    an int, a name ("N": the same size everywhere), or None or "." (any); ... or "*" as the first
    stands for any axes before. None as a shape is any, and () that of one element.

    >>> features, labels = tf.ones([4, 3]), tf.ones([5])
    >>> tf.debugging.assert_shapes([(features, ("N", 3)), (labels, ("M",))])
    >>> tf.debugging.assert_shapes([(features, ("N", 3)), (labels, ("N",))])
    Traceback (most recent call last):
    ValueError: ...

    Raises:
        ValueError: a shape that is known does not fit, or ... or "*" is not the first.
        InvalidArgumentError: one at run time.
    """
    pairs = list(shapes.items()) if isinstance(shapes, Mapping) else list(shapes)
    named: dict[Any, tuple[Any, str]] = {}
    for tensor, wanted in pairs:
        tensor = _tensor(tensor)
        if wanted is None:
            continue
        sizes = _wanted_sizes(tensor, wanted)
        open_ended = bool(sizes) and _is_open(sizes[0])
        listed = sizes[1:] if open_ended else sizes
        if any(map(_is_open, listed)):
            raise ValueError(
                f"{_head(message)}Tensor {_label(tensor)}: ... and * must be the first of a shape, "
                f"not as in {wanted!r}"
            )
        if open_ended:
            assert_rank_at_least(tensor, len(listed), message, name)
        else:
            assert_rank_in(tensor, [len(listed)] if listed else [0, 1], message, name)
        if not listed:
            _assert_one_element(tensor, (data, summarize, message, name))
        last = tensor.shape.rank or 0  # an unknown rank is counted from the end
        for back, size in enumerate(reversed(listed), 1):
            _assert_size(tensor, last - back, size, named, (data, summarize, message, name))


def _is_open(size: Any) -> bool:
    return size is ... or (isinstance(size, str) and size == "*")


def _wanted_sizes(tensor: Any, wanted: Any) -> list[Any]:
    if isinstance(wanted, str):
        return list(wanted)
    if not isinstance(wanted, Iterable):
        raise ValueError(
            f"Tensor {_label(tensor)}: the shape to compare with must be a sequence of sizes and "
            f"names, as in ('N', 3), not {wanted!r}"
        )
    return list(wanted)


def _assert_size(
    tensor: Any, axis: int, size: Any, named: dict[Any, tuple[Any, str]], report: tuple[Any, ...]
) -> None:
    """Check one size of a tensor, and remember it where it has a name."""
    if size is None or size == ".":
        return
    found = _size(tensor, axis)
    place = f"tensor {_label(tensor)} dimension {axis}"
    if isinstance(size, str) and size.isdigit():
        size = int(size)
    if isinstance(size, int):
        _compare(tensor, axis, found, size, "Specified explicitly.  ", report)
    elif size in named:
        wanted, origin = named[size]
        _compare(tensor, axis, found, wanted, f"Specified by {origin}.  ", report)
    else:
        named[size] = (found, place)


def _assert_one_element(tensor: Any, report: tuple[Any, ...]) -> None:
    """Check the last size, where there is one: () fits vectors of one element too."""
    from ..array.concatenation import concat

    if tensor.shape.rank != 0:
        known = tensor.shape.rank is not None
        found = _size(tensor, -1) if known else concat([[1], _sizes(tensor)], 0)[-1]
        _compare(tensor, -1, found, 1, "Specified explicitly.  ", report)


def _sizes(tensor: Any) -> Any:
    from ..array.shapes import shape_of

    return tensor.dense_shape if _is_sparse(tensor) else shape_of(tensor)


def _size(tensor: Any, axis: int) -> Any:
    """A size as an int where it is known, else as a tensor."""
    if tensor.shape.rank is not None and tensor.shape[axis] is not None:
        return tensor.shape[axis]
    return _sizes(tensor)[axis]


def _compare(
    tensor: Any, axis: int, found: Any, wanted: Any, why: str, report: tuple[Any, ...]
) -> None:
    data, summarize, message, name = report
    text = f"{_head(message)}{why}Tensor {_label(tensor)} dimension {axis} must have size"
    if isinstance(found, int) and isinstance(wanted, int):
        if found != wanted:
            raise ValueError(f"{text} {wanted}.  Received size {found}, shape {tensor.shape}")
        return
    words = [text, wanted, "Received size", found] if data is None else [text, *data]
    Assert(found == wanted, words, summarize, name)
