"""Sizes that the patterns of an operation call by one name: equal, which only a run may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....errors import ShapeMismatchError
from ....ops.compiled_demands import CompiledSizes
from ....ops.demands import Condition
from ....ops.infer import unlike_sizes
from ....ops.op import Field, Op
from ..arrays import Array


def require_patterns(builder: Any, application: Op) -> None:
    """Check what tracing could not, for operations whose rules do not look at sizes."""
    found: dict[str, tuple[Any, ...]] = {}
    reader = CompiledSizes(builder)
    for field in application.inputs:
        operand = getattr(application, field.name)
        for array in operand if field.listed else (operand,):
            for axis, sizes in _named_sizes(application, field, array):
                before = (int(axis),) if axis.isdigit() else found.setdefault(axis, sizes)
                fits = _are_equal(reader, sizes, before)
                if fits is not True:
                    told = unlike_sizes(application, field, axis, sizes, before, _shape_of)
                    reader.require(fits, ShapeMismatchError, told[0], *told[1])


def _are_equal(reader: CompiledSizes, sizes: Sequence[Any], before: Sequence[Any]) -> Condition:
    """Whether they all are: True where that is known."""
    if len(sizes) != len(before):
        return False
    fits: Condition = True
    for pair in zip(sizes, before, strict=True):
        fits = reader.equal(*pair) & fits
    return fits


def _shape_of(array: Any) -> tuple[Any, ...]:
    return tuple(array.shape)


def _named_sizes(
    application: Op, field: Field, array: Any
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each name of a pattern and the sizes that it stands for."""
    axes = field.axes_of(application)
    if not isinstance(array, Array) or axes == ("...",) or field.mixed:
        return
    rest = list(array.shape)
    spare = len(rest) - len(axes) + 1  # how many axes the starred name takes
    for axis in axes:
        count = spare if axis.startswith("*") else 1
        yield axis, tuple(rest[:count])
        del rest[:count]
