"""How an array is divided over devices, for whoever divides work so: names and sizes only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Final

from ...core.process.named_tuples import NamedTuple

# What `Layout.to_string` writes, as far as it says how an array is divided.
_TEXT: Final = r"sharding_specs:(?P<axes>[^ ]*) mesh:[^|]*\|(?P<dims>[^|]*)\|.*"
WHOLE: Final = "unsharded"


class Division(NamedTuple):
    """An array on a mesh of devices.

    names, sizes: the axes of the mesh. axes: for each axis of the array the axis of the mesh along
    which it is divided; None where every device has all of it. Another word leaves it open.
    """

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    axes: tuple[str | None, ...]

    @property
    def devices(self) -> int:
        """How many devices the mesh has."""
        return prod(self.sizes)


def read_division(text: str) -> Division:
    """What the text of a layout says of it."""
    found = re.fullmatch(_TEXT, text)
    assert found is not None, text
    dims = [one.split("=") for one in found["dims"].split(",")]
    axes = [one for one in found["axes"].split(",") if one]
    return Division(
        tuple(name for name, _ in dims),
        tuple(int(size) for _, size in dims),
        tuple(None if one == WHOLE else one for one in axes),
    )


# Of the operands of a call; None stands for those that lie nowhere in particular.
Divisions = Sequence[Division | None]
