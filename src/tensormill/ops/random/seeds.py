"""The pair of seeds of an operation, by TensorFlow's rules.

    global seed   operation seed   pair
    unset         unset            (0, 0): different each time
    unset         given            (87654321, given)
    set           unset            (global, drawn): eagerly the next draw of a generator that the
                                   global seed starts; in a graph 0, 1, 2, ... per graph
    set           given            (global, given)

A graph that is built by hand has a global seed of its own, or none: `tf.random.set_seed` is for
eager execution and what it traces.

Seeds are taken modulo 2**31 - 1. A pair of two zeros would mean "different each time", so
(0, 2**31 - 1) stands for it.
"""

from __future__ import annotations

import weakref
from typing import Any, Final

from ...core import context
from ...core.random_state import LARGEST_SEED, state

UNSET_GLOBAL_SEED: Final = 87654321

_seeded_in_graph: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def get_seed(op_seed: int | None) -> tuple[int, int]:
    """The pair of seeds of an operation that is applied here."""
    interpreter = context.top().interpreter
    global_seed = seed_of(interpreter)
    if global_seed is None and op_seed is None:
        return 0, 0
    if op_seed is None:
        op_seed = _next_seed(interpreter)
    pair = (UNSET_GLOBAL_SEED if global_seed is None else global_seed, op_seed)
    first, second = (int(seed) % LARGEST_SEED for seed in pair)
    return (0, LARGEST_SEED) if (first, second) == (0, 0) else (first, second)


def seed_of(interpreter: Any) -> int | None:
    """The global seed for operations that an interpreter applies, if there is one."""
    seed: int | None = getattr(interpreter, "seed", None)
    is_apart = seed is not None or getattr(interpreter, "has_own_seeds", False)
    return seed if is_apart else state.seed


def _next_seed(interpreter: Any) -> int:
    if not interpreter.building_graph:
        return state.operation_seed()
    number = _seeded_in_graph.get(interpreter, 0)
    _seeded_in_graph[interpreter] = number + 1
    return number
