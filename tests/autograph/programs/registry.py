"""Functions to be tried with arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]
Calls = tuple[tuple[Any, ...], ...]


class Programs(dict[str, tuple[Function, Calls]]):
    """Functions by their names, each with the arguments of some calls."""

    def on(self, *calls: tuple[Any, ...]) -> Callable[[Function], Function]:
        """Decorate a function that is to be tried with these arguments."""

        def note(function: Function) -> Function:
            self[function.__name__] = function, calls
            return function

        return note
