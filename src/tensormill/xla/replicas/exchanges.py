"""What becomes of the values of replicas that lie on different devices: exchanges between these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..language import NotInXla

AXIS: Final = "replica"  # of the mesh


@final
class Member:
    """The value of one replica: what its device has in `local`."""

    __slots__ = ("local", "number")

    def __init__(self, local: Any, number: int) -> None:
        self.local: Final = local
        self.number: Final = number


def sent(local: Any, number: int) -> Any:
    """What the device of one replica has, for all of them."""
    if not isinstance(local, jax.Array):
        raise NotInXla("a list of one replica is wanted by others")
    is_mine = lax.axis_index(AXIS) == number
    if local.dtype == np.bool_:
        return lax.psum((local & is_mine).astype(np.int32), AXIS) > 0
    if jnp.iscomplexobj(local):
        return lax.complex(sent(local.real, number), sent(local.imag, number))
    # As integers: sums with zeros lose the sign of -0.0, and change what is no number.
    bits = lax.bitcast_convert_type(local, np.dtype(f"u{local.dtype.itemsize}"))
    total = lax.psum(jnp.where(is_mine, bits, jnp.zeros_like(bits)), AXIS)
    return lax.bitcast_convert_type(total, local.dtype)


def is_total(values: Sequence[Any]) -> bool:
    """Whether the sum of values is one over replicas."""
    if len(values) < 2 or not all(isinstance(one, Member) for one in values):
        return False
    if not all(isinstance(one.local, jax.Array) for one in values):
        return False
    shapes, numbers = {one.local.shape for one in values}, {one.number for one in values}
    return len(shapes) == 1 and len(numbers) == len(values)


def total(values: Sequence[Member], count: int) -> Any:
    """The sum of values of different replicas, of which there are `count`."""
    first = values[0].local
    if len(values) == count and all(one.local is first for one in values):
        return lax.psum(first, AXIS)
    here = lax.axis_index(AXIS)
    zeros = jnp.zeros_like(first)
    parts = [jnp.where(here == one.number, one.local, zeros) for one in values]
    return lax.psum(sum(parts[1:], parts[0]), AXIS)


def exchanged(rows: Sequence[Any], count: int, axis: int, is_new: bool) -> Any:
    """The values of all replicas in a row, along an axis, which may be new; None where these are
    not they, in their order.
    """
    if len(rows) != count or not all(isinstance(one, Member) for one in rows):
        return None
    local = rows[0].local
    if any(one.local is not local or one.number != k for k, one in enumerate(rows)):
        return None
    if not isinstance(local, jax.Array):
        return None
    rank = local.ndim + is_new
    return lax.all_gather(local, AXIS, axis=axis % max(rank, 1), tiled=not is_new)


def chosen(column: Sequence[Any]) -> Any:
    """An array of which each replica has another one; None where these are not alike."""
    for number, one in enumerate(column):
        if isinstance(one, Member) and one.number != number:
            return None
    arrays = [one.local if isinstance(one, Member) else one for one in column]
    if not all(isinstance(one, (np.ndarray, jax.Array)) for one in arrays):
        return None
    if len({(one.shape, np.dtype(one.dtype)) for one in arrays}) > 1:
        return None
    return lax.select_n(lax.axis_index(AXIS), *map(jnp.asarray, arrays))
