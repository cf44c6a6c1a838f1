"""How a mesh divides what a function takes: as layouts say, and options, and else the batch."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from ...ops.dispatch.divisions import Division
from .request import CannotPlan, PlanRequest
from .subject import Taken


def divisions_of(
    taken: Sequence[Taken], axes: Sequence[str], request: PlanRequest
) -> list[Division]:
    """How each is divided over a mesh whose axes are called so.

    A variable lies as its layout says, or everywhere; of an argument the first axis is divided
    along the first one of the mesh, where its size allows that. `--shard` says otherwise.

    Raises:
        CannotPlan: what is said fits no tensor.
    """
    names, sizes = tuple(axes), request.sizes
    found = [_own(one, names, sizes) for one in taken]
    for pattern, words in request.shards:
        matching = [k for k, one in enumerate(taken) if fnmatchcase(one.name, pattern)]
        if not matching:
            known = ", ".join(one.name for one in taken)
            raise CannotPlan(f"--shard {pattern}: there is none among {known}")
        for k in matching:
            found[k] = _said(taken[k], words, names, sizes)
    return found


def _own(one: Taken, names: tuple[str, ...], sizes: tuple[int, ...]) -> Division:
    whole = Division(names, sizes, (None,) * len(one.shape))
    if one.storage is not None:
        return one.storage.division or whole
    if one.kind == "argument" and one.shape and one.shape[0] % sizes[0] == 0:
        return whole._replace(axes=(names[0], *whole.axes[1:]))
    return whole


def _said(
    one: Taken, words: tuple[str, ...], names: tuple[str, ...], sizes: tuple[int, ...]
) -> Division:
    shape = list(one.shape)
    axes = [word or None for word in words]
    if len(axes) > len(shape):
        raise CannotPlan(f"--shard {one.name}: it has the shape {shape}, not {len(axes)} axes")
    axes += [None] * (len(shape) - len(axes))
    parts = dict(zip(names, sizes, strict=True))
    for size, axis in zip(shape, axes, strict=True):
        if axis is None:
            continue
        if axis not in parts:
            raise CannotPlan(
                f"--shard {one.name}: the mesh has no axis {axis!r}, only {', '.join(names)}"
            )
        if axes.count(axis) > 1:
            raise CannotPlan(f"--shard {one.name}: {axis} divides two of its axes")
        if size % parts[axis]:
            raise CannotPlan(
                f"--shard {one.name}: {size} of its shape {shape} is not divisible by the "
                f"{parts[axis]} parts along {axis}"
            )
    return Division(names, sizes, tuple(axes))
