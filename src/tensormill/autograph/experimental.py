"""`tf.autograph.experimental`."""

from __future__ import annotations

from typing import Any, Final

from ..core import context
from .api import do_not_convert as do_not_convert
from .options import Feature as Feature

# Converted code reads which options a call gives; they need no values of their own.
UNSAID: Final[Any] = object()


def set_loop_options(
    parallel_iterations: int | None = UNSAID,
    swap_memory: bool | None = UNSAID,
    maximum_iterations: Any = UNSAID,
    shape_invariants: Any = UNSAID,
) -> None:
    """Say something about the loop that this call is the first statement of.

    `shape_invariants` is a list of pairs (variable, shape), for variables whose shape changes from
    one iteration to the next; a shape has None for each size that changes. `maximum_iterations`
    ends the loop early. The other two are hints that are not needed here.

    Outside of a trace nothing happens.

    >>> row = tf.constant([0])
    >>> for k in range(3):
    ...     tf.autograph.experimental.set_loop_options(shape_invariants=[(row, [None])])
    ...     row = tf.concat([row, [k]], 0)
    >>> row.numpy()
    array([0, 0, 1, 2], dtype=int32)

    Raises:
        ValueError: the call is not the first statement of a loop that was converted.
    """
    if context.building_graph():
        raise ValueError("set_loop_options must be the first statement in the loop block")
