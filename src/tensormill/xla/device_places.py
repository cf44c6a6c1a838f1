"""Which of JAX's devices the names of logical devices mean.

The device where programs run while nobody names one has no place: None stands for it, wherever a
place is kept beside an array, so that saying its name changes nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import jax

from ..eager.devices import PhysicalDevice, choices, visible
from ..errors import InvalidArgumentError
from .scope import first_visible, use_devices


def place_on(name: str | None) -> Any:
    """JAX's device of a full name; None for the usual one, or where no device is named.

    Raises:
        InvalidArgumentError: JAX has no such device.
    """
    return None if name is None else _place_on(name, choices.hidden)


@cache
def _place_on(name: str, hidden: frozenset[PhysicalDevice]) -> Any:
    use_devices()
    kind, _, number = name.rpartition("/device:")[2].partition(":")
    found = _devices_of(kind)
    if kind == "CPU" and found:  # of a CPU that JAX has not divided, all parts are the one
        place = found[int(number) % len(found)]
    elif number.isdigit() and int(number) < len(found):
        place = found[int(number)]
    else:
        raise InvalidArgumentError(
            f"{name} unknown device: JAX has {', '.join(map(str, jax.devices()))}"
        )
    return None if place == (first_visible() or jax.devices()[0]) else place


def _devices_of(kind: str) -> tuple[Any, ...]:
    if kind != "CPU":
        return visible(kind)
    try:
        return tuple(jax.devices("cpu"))
    except RuntimeError:  # it was told to leave the CPU alone
        return ()
