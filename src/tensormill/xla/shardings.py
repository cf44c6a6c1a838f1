"""Arrays over several devices: JAX's meshes and shardings for divisions of ours."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ..ops.dispatch.divisions import Division
from .scope import making


@cache
def mesh_of(names: tuple[str, ...], sizes: tuple[int, ...]) -> Mesh | None:
    """JAX's devices as a mesh; None where there are fewer."""
    with making():
        devices = jax.devices()
    count = prod(sizes)
    if len(devices) < count:
        return None
    return Mesh(np.array(devices[:count]).reshape(sizes), names)


def axes_of(mesh: Mesh) -> str:
    """The axes of a mesh, as users read them."""
    return ", ".join(f"{name}={size}" for name, size in mesh.shape.items())


def too_large(size: int) -> str:
    """Why the work for a mesh of so many devices is not divided."""
    return (
        f"not divided: the mesh has {size} devices, JAX {len(jax.devices())}; divide the CPU "
        "before anything is computed (tf.config.set_logical_device_configuration)"
    )


@cache
def sharding_of(division: Division | None) -> NamedSharding | None:
    """How JAX says that an array is divided; None where it is not, or by no devices of JAX's.

    Equal divisions have one and the same object.
    """
    if division is None or (mesh := mesh_of(division.names, division.sizes)) is None:
        return None
    axes = [_axis(one, division.names) for one in division.axes]
    return NamedSharding(mesh, PartitionSpec(*axes))


def _axis(axis: str | None, names: tuple[str, ...]) -> Any:
    return axis if axis is None or axis in names else PartitionSpec.UNCONSTRAINED


@cache
def everywhere(mesh: Mesh) -> NamedSharding:
    """The sharding of an array that all devices have as a whole."""
    return NamedSharding(mesh, PartitionSpec())


def place_of(array: Any) -> NamedSharding | None:
    """How an array lies over several devices; None for one that does not."""
    sharding = getattr(array, "sharding", None)
    if not isinstance(sharding, NamedSharding):
        return None
    return sharding if sharding.mesh.size > 1 else None


def is_divisible(shape: tuple[int, ...], division: Division) -> bool:
    """Whether arrays of a shape can be divided so."""
    if len(shape) != len(division.axes):
        return False
    parts = dict(zip(division.names, division.sizes, strict=True))
    pairs = zip(shape, division.axes, strict=True)
    return all(size % parts.get(axis or "", 1) == 0 for size, axis in pairs)


def spread(array: Any, division: Division | None) -> Any:
    """An array of a call over the devices that are to have it; others as they are."""
    sharding = sharding_of(division)
    if sharding is None or not isinstance(array, np.ndarray) or array.dtype == object:
        return array
    with making():
        return jax.device_put(array, sharding)


def free(array: Any) -> Any:
    """An array, which is on no device that is not meant by a divided program."""
    is_fixed = isinstance(array, jax.Array) and place_of(array) is None
    return np.asarray(array) if is_fixed else array
