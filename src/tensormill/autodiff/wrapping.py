"""Functions around one of the user's: what `tf.custom_gradient` and its relatives make."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from ..core.signatures import SignatureOf


class Wrapping:
    """A function or method around one of the user's."""

    __signature__ = SignatureOf("_function")

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(cast("Callable[..., Any]", self), function)
        self._function = function

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else type(self)(self._function.__get__(instance, owner))

    def around(self, form: Callable[[Any], Any]) -> Wrapping:
        """The same around another form of the function: its converted one."""
        function = form(self._function)
        return self if function is self._function else type(self)(function)
