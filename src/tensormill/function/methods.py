"""Methods: each instance of a class has traces of its own."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

from .state import FunctionState


def add_instance(
    states: dict[int, FunctionState], instance: Any, template: FunctionState
) -> FunctionState:
    """A new state for an instance that no state in `states` belongs to.

    It is forgotten with the instance, which it does not keep alive.
    """
    state = FunctionState(template.function, template.options, is_bound=True)
    state.instance = _reference(states, instance)
    states[id(instance)] = state
    return state


def _reference(states: dict[int, FunctionState], instance: Any) -> Callable[[], Any]:
    key = id(instance)
    try:
        return weakref.ref(instance, partial(states.pop, key))
    except TypeError:  # slots without __weakref__: the instance lives as long as the class
        return lambda: instance
