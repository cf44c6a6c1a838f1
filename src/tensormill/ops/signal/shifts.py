"""Spectra with their middle first, or in the middle."""

from __future__ import annotations

from typing import Any

from ..array.shapes import shape_of
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable


@dispatchable
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The first frequency moved into the middle of each of the axes (all, by default).

    x: any shape and dtype, which the result has too. axes: an integer or a list of them.

    >>> tf.signal.fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2], dtype=int32)

    Raises:
        ValueError: all axes of a tensor whose rank is not known.
    """
    return _shifted(x, axes, 1, name)


@dispatchable
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The inverse of `fftshift`: the middle of each of the axes (all, by default) comes first.

    x: any shape and dtype, which the result has too. axes: an integer or a list of them.

    >>> tf.signal.ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1], dtype=int32)

    Raises:
        ValueError: all axes of a tensor whose rank is not known.
    """
    return _shifted(x, axes, -1, name)


def _shifted(x: Any, axes: Any, sign: int, name: str | None) -> Any:
    from ..array.rearrangement import roll

    x = as_tensor(x)
    if axes is None:
        if x.shape.rank is None:
            raise ValueError("Shifting all axes needs a tensor whose rank is known; name the axes")
        axes = list(range(x.shape.rank))
    listed = [axes] if isinstance(axes, int) else list(axes)
    sizes = shape_of(x)
    shifts = [sign * (sizes[axis] // 2) for axis in listed]
    from ..array.concatenation import stack

    return roll(x, stack(shifts), listed, name=name)
