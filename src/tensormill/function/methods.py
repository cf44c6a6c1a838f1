"""Methods: each instance of a class has a Function, and traces, of its own."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .function import Function
    from .state import State

Make = Callable[[Any, "State | None"], "Function"]


class Bound(NamedTuple):
    """The traces belong to the instance; the Function, which holds the instance, to its users."""

    instance: Callable[[], Any]
    state: State
    function: Callable[[], Function | None]


class Instances:
    """Finds the Function for an instance without keeping the instance alive."""

    def __init__(self) -> None:
        self._bound: dict[int, Bound] = {}

    def find(self, instance: Any, make: Make) -> Function:
        """The one made before while anybody holds it; else a new one with the same traces."""
        found = self._bound.get(id(instance))
        if found is None or found.instance() is not instance:
            return self._keep(instance, make(instance, None))
        function = found.function()
        if function is None:
            function = make(instance, found.state)
            self._bound[id(instance)] = found._replace(function=weakref.ref(function))
        return function

    def _keep(self, instance: Any, function: Function) -> Function:
        key = id(instance)
        table = weakref.ref(self)

        def forget(_: Any) -> None:
            instances = table()
            if instances is not None:
                instances._bound.pop(key, None)

        try:
            reference: Any = weakref.ref(instance, forget)
        except TypeError:  # slots without __weakref__: the instance lives as long as the class
            reference = _always(instance)
        self._bound[key] = Bound(reference, function.traces, weakref.ref(function))
        return function


def _always(value: Any) -> Callable[[], Any]:
    return lambda: value
