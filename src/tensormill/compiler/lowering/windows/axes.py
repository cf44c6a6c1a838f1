"""What windows do along one axis."""

from __future__ import annotations

from ....core.process.named_tuples import NamedTuple
from ..arrays import Size


class Axis(NamedTuple):
    """One spatial axis: so many `windows`, the first at `origin`, `step` apart.

    Each looks at `taps` places, `tap_step` apart, and multiplies them with the filter's
    `first_weight`, and so on in steps of `weight_step`. The result goes to `place`, in steps.
    """

    windows: Size
    taps: Size
    step: int = 1
    tap_step: int = 1
    origin: Size = 0
    place: Size = 0
    place_step: int = 1
    first_weight: Size = 0
    weight_step: int = 1


def is_known(size: Size, value: int) -> bool:
    """Whether a size is known while the function is compiled, and is this one."""
    return isinstance(size, int) and size == value
