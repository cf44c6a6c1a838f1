"""Variables of a graph that start at values of a checkpoint."""

from __future__ import annotations

from typing import Any

from ...core.shapes import as_shape


def start_at(variable: Any, bundle: Any, name: str, place: Any = None) -> None:
    """Let a variable start at a tensor of a checkpoint, or at that place of it where it is a part.

    Raises:
        ValueError: it has another shape.
    """
    demand_shape(variable, place, name, bundle.spec(name).shape)
    whole = place is None
    variable.start_at(bundle.read(name) if whole else bundle.read_part(name, spans_of(place)))


def demand_shape(variable: Any, place: Any, name: str, found: Any) -> None:
    """Refuse a tensor of another shape than a variable has, or the whole that it is a part of.

    Raises:
        ValueError: it has one.
    """
    wanted = variable.shape if place is None else as_shape(place.full_shape)
    if not wanted.is_compatible_with(found):
        raise ValueError(
            f"Shape of variable {variable.name} ({wanted}) doesn't match with shape of "
            f"tensor {name} ({list(found)}) from checkpoint reader."
        )


def spans_of(place: Any) -> tuple[slice, ...]:
    """Where a part lies, a slice of each axis."""
    pairs = zip(place.var_offset, place.var_shape, strict=True)
    return tuple([slice(begin, begin + size) for begin, size in pairs])
