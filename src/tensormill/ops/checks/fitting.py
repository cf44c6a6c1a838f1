"""Operands of one operation, or parts of one tensor, whose sizes only a run knows to fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import ShapeMismatchError
from ..bind import bind
from ..op import Attr, In, Op, Out

OTHER_RANK = "{}: '{}' is of rank {}, and has to be of rank {}"
OTHER_SIZE = "{}: '{}' of shape {} and '{}' of shape {}: {} is not {} (Dimensions must be equal)"


def _texts(listed: Sequence[str | bytes]) -> list[str]:
    """Lists that files have as bytes."""
    return [one.decode() if isinstance(one, bytes) else one for one in listed]


class Fitting(Op, tf_name="TensormillFitting"):
    """`operands` again, after a check that axes of one name have one size.

    axes: the names of each operand's axes: "n r", "" of a scalar; "n?" may also be 1. names: what
    operands are called in `whole`, which takes them. It has no effect: where nobody reads a result,
    the operand does not matter.
    """

    operands = In("[T]")
    results = Out("[T]")
    axes = Attr()
    names = Attr()
    whole = Attr()
    linear = True

    def demands(self, sizes: Any) -> None:
        before: dict[str, tuple[Any, str, Any]] = {}
        axes_of_each, names = map(_texts, (self.axes, self.names))
        for x, axes, name in zip(self.operands, axes_of_each, names, strict=True):
            words = axes.split()
            rank = sizes.rank(x)
            fits = rank == len(words)
            sizes.require(fits, ShapeMismatchError, OTHER_RANK, self.whole, name, rank, len(words))
            shape = sizes.shape(x, len(words))
            for axis, size in zip(words, shape, strict=True):
                other, first, given = before.setdefault(axis.rstrip("?"), (size, name, shape))
                fits = sizes.equal(size, other)
                if axis.endswith("?"):
                    fits = fits | sizes.equal(size, 1)
                sizes.require(
                    fits, ShapeMismatchError, OTHER_SIZE, self.whole, first,
                    given, name, shape, other, size,
                )  # fmt: skip

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
        if dims is None or len(dims) != len(each):
            return False
        for axis, size in zip(each, dims, strict=True):
            if not (axis.endswith("?") and size == 1):
                found.setdefault(axis.rstrip("?"), []).append(size)
    several = [set(sizes) for sizes in found.values() if len(sizes) > 1]
    return all(len(sizes) == 1 and None not in sizes for sizes in several)


def checked_operands(op: type[Op], operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """The operands of another form, which its patterns' check when they run: what it expands to
    does not look.
    """
    chosen = [
        (k, field) for k, field in enumerate(op.inputs)
        if not field.listed and not field.variants and _is_plain(field.axes)
    ]  # fmt: skip
    parts = {field.public: (operands[k], " ".join(field.axes)) for k, field in chosen}
    checked = fitting(op.name, **parts)
    found = list(operands)
    for (k, _), one in zip(chosen, checked, strict=True):
        if not one.shape.is_fully_defined():  # others may be constants, which rules look at
            found[k] = one
    return tuple(found)


def _is_plain(axes: Sequence[str]) -> bool:
    return all(axis.isidentifier() for axis in axes)
