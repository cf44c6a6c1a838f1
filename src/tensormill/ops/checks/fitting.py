"""Operands of one operation, or parts of one tensor, whose sizes only a run knows to fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import ShapeMismatchError
from ..bind import bind
from ..conversion import static_value
from ..op import Attr, In, Op, Out, as_eager
from ..origins import Origin

OTHER_RANK = "{}: '{}' is of rank {}, and has to be of rank {}"
TOO_LOW = "{}: '{}' is of rank {}, and has to be of rank {} at least"
OTHER_SIZE = "{}: '{}' of shape {} and '{}' of shape {}: {} is not {} (Dimensions must be equal)"


def _texts(listed: Sequence[str | bytes]) -> list[str]:
    """Lists that files have as bytes."""
    return [one.decode() if isinstance(one, bytes) else one for one in listed]


def _is_star(axis: str) -> bool:
    return axis.startswith("*")


def _parted(words: Sequence[str], shape: Sequence[Any]) -> tuple[Sequence[str], list[Any]]:
    """The words, and for each the size, or the sizes of the axes that "*s" stands for."""
    star = next((k for k, axis in enumerate(words) if _is_star(axis)), None)
    if star is None:
        return words, list(shape)
    end = len(shape) - (len(words) - star - 1)
    return words, [*shape[:star], tuple(shape[star:end]), *shape[end:]]


class Fitting(Op, tf_name="TensormillFitting"):
    """`operands` again, after a check that axes of one name have one size.

    axes: the names of each operand's axes: "n r", "" of a scalar; "n?" may also be 1, "2" is 2, and
    "*s" stands for any number of axes. names: what operands are called in `whole`, which takes
    them. It has no effect: where nobody reads a result, the operand does not matter.
    """

    operands = In("[T]")
    results = Out("[T]")
    axes = Attr()
    names = Attr()
    whole = Attr()
    origin = Origin.GRAPHS
    linear = True
    xla = as_eager

    def demands(self, sizes: Any) -> None:
        before: dict[str, tuple[Any, str, Any]] = {}
        axes_of_each, names = map(_texts, (self.axes, self.names))
        for x, axes, name in zip(self.operands, axes_of_each, names, strict=True):
            words = axes.split()
            shape = self._shape_for(sizes, x, words, name)
            for axis, size in zip(*_parted(words, shape), strict=True):
                number = (int(axis), self.whole, ()) if axis.isdigit() else (size, name, shape)
                other, first, given = before.setdefault(axis.rstrip("?"), number)
                told = self.whole, first, given, name, shape, other, size
                if axis.startswith("*"):
                    fits = len(other) == len(size) and sizes.are_same(other, size)
                else:
                    fits = sizes.equal(size, other)
                if axis.endswith("?"):
                    fits = fits | sizes.equal(size, 1)
                sizes.require(fits, ShapeMismatchError, OTHER_SIZE, *told)

    def _shape_for(self, sizes: Any, x: Any, words: Sequence[str], name: str) -> Any:
        """The shape of an operand which has as many axes as these words."""
        rank = sizes.rank(x)
        if not any(map(_is_star, words)):
            told = self.whole, name, rank, len(words)
            sizes.require(rank == len(words), ShapeMismatchError, OTHER_RANK, *told)
            return sizes.shape(x, len(words))
        told = self.whole, name, rank, len(words) - 1
        sizes.require(rank >= len(words) - 1, ShapeMismatchError, TOO_LOW, *told)
        return sizes.shape(x)

    def infer(self) -> Any:
        return tuple(known.spec for known in self.operands)

    def eager(self, np: Any) -> Any:
        return tuple(self.operands)

    def lower(self, loops: Any) -> Any:
        return tuple(self.operands)

    def vjp(self, *dresults: Any) -> Any:
        return (list(dresults),)


def fitting(whole: str, **parts: tuple[Any, str]) -> list[Any]:
    """Tensors, each given with the names of its axes, which fit each other once they are read.

    Nothing is added to a graph where tracing knows that they do.
    """
    tensors, axes = [one for one, _ in parts.values()], [words for _, words in parts.values()]
    if are_known_to_fit([one.shape.entries for one in tensors], axes):
        return tensors
    attrs = {"axes": tuple(axes), "names": tuple(parts), "whole": whole}
    return list(bind(Fitting, tensors, name="fitting", **attrs))


def are_known_to_fit(shapes: Sequence[Any], axes: Sequence[str]) -> bool:
    """Whether tracing knows that axes of one name have one size."""
    found: dict[str, list[Any]] = {}
    for dims, words in zip(shapes, axes, strict=True):
        each = words.split()
        stars = any(map(_is_star, each))
        if dims is None or len(dims) < len(each) - stars or (not stars and len(dims) > len(each)):
            return False
        for axis, size in zip(*_parted(each, dims), strict=True):
            if not (axis.endswith("?") and size == 1):
                known = [int(axis)] if axis.isdigit() else list[Any]()
                found.setdefault(axis.rstrip("?"), known).append(size)
    several = [set(sizes) for sizes in found.values() if len(sizes) > 1]
    return all(len(sizes) == 1 and _is_whole(*sizes) for sizes in several)


def _is_whole(size: Any) -> bool:
    return None not in size if isinstance(size, tuple) else size is not None


def checked_operands(op: type[Op], operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands of another form, which its patterns' check when they run: what it expands to
    does not look.
    """
    chosen = [
        (k, number, field, tensor)
        for k, field in enumerate(op.inputs)
        if not field.variants and _says_something(op, field.axes)
        for number, tensor in enumerate(operands[k] if field.listed else [operands[k]])
        if tensor.dtype.family not in ("resource", "variant")  # what handles stand for has no shape
    ]
    parts = {
        f"{field.public}[{number}]" if field.listed else field.public: (
            tensor,
            " ".join(field.axes),
        )
        for _, number, field, tensor in chosen
    }
    checked = fitting(op.name, **parts)
    found = [list(one) if isinstance(one, (list, tuple)) else one for one in operands]
    for (k, number, field, given), one in zip(chosen, checked, strict=True):
        if static_value(given) is not None:  # rules look at constants
            continue
        if field.listed:
            found[k][number] = one
        else:
            found[k] = one
    return tuple(tuple(one) if isinstance(one, list) else one for one in found)


def _says_something(op: type[Op], axes: Sequence[str]) -> bool:
    """Whether a pattern asks for more than any shape."""
    if not all(axis.isidentifier() or axis.isdigit() or _is_star(axis) for axis in axes):
        return False
    is_any = len(axes) == 1 and _is_star(axes[0])
    return not is_any or sum(axes[0] in field.axes for field in op.inputs) > 1
