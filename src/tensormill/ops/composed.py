"""Functions that are composed of operations: their operations are named below one scope.

    random_normal/RandomStandardNormal, random_normal/mul, random_normal

as in TensorFlow's graphs, so that whoever reads a graph sees which call an operation belongs to.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from ..core import context
from ..core.process.tracebacks import hide_frames

Function = TypeVar("Function", bound=Callable[..., Any])


def composed(
    default: str, names_result: bool = False, keeps_name: bool = False
) -> Callable[[Function], Function]:
    """Decorate a function that takes a `name` to run, in a trace, in a scope of that name.

    With `names_result` the function is given the scope as its `name`, for its last operation to
    be called as the scope itself; with `keeps_name` the name that a caller gave, for an operation
    `name/name`.
    """

    def decorate(function: Function) -> Function:
        parameters = list(inspect.signature(function).parameters)
        position = parameters.index("name") if "name" in parameters else sys.maxsize

        @wraps(function)
        def scoped(*args: Any, **kwargs: Any) -> Any:
            here = context.top()
            if not here.interpreter.building_graph:
                try:
                    return function(*args, **kwargs)
                except Exception as error:
                    hide_frames(error)
                    raise
            name = kwargs.pop("name", None) or (args[position] if len(args) > position else None)
            scope = cast(Any, here.interpreter).enter_scope(name or default)
            given = scope if names_result else (name if keeps_name else None)
            if len(args) > position:
                args = (*args[:position], given, *args[position + 1 :])
            else:
                kwargs["name"] = given
            with context.entered(here.replace(name_scope=scope)):
                return function(*args, **kwargs)

        return cast(Function, scoped)

    return decorate
