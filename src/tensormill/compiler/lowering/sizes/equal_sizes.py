"""Sizes that the patterns of an operation call by one name: equal, which only a run may know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....errors import InvalidArgumentError
from ....ops.compiled_demands import CompiledSizes
from ....ops.op import Field, Op
from ..arrays import Array


def require_patterns(builder: Any, application: Op) -> None:
    """Check what tracing could not, for operations whose rules do not look at sizes."""
    found: dict[str, tuple[Any, ...]] = {}
    reader, message = CompiledSizes(builder), "{}: Dimensions must be equal, but are {} and {}"
    for field in application.inputs:
        operand = getattr(application, field.name)
        for array in operand if field.listed else (operand,):
            for axis, sizes in _named_sizes(application, field, array):
                before = (int(axis),) if axis.isdigit() else found.setdefault(axis, sizes)
                reader.alike(sizes, before, InvalidArgumentError, message, application.name)


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
