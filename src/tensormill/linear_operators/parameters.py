"""The arguments of operators: kept as they came, so that an operator can be made again."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from ..core.values import TensorLike
from ..ops.conversion import as_tensor

Constructor = TypeVar("Constructor", bound=Callable[..., None])


def keeps_parameters(constructor: Constructor) -> Constructor:
    """Have an `__init__` remember its arguments, by name, as `_parameters` of the operator.

    Of constructors that call each other the outermost one counts.
    """
    signature = inspect.signature(constructor)

    @wraps(constructor)
    def keeping(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        self.__dict__.setdefault("_parameters", given)
        constructor(self, *args, **kwargs)

    return keeping  # type: ignore[return-value]


def as_parameter(value: Any, dtype: Any = None) -> Any:
    """A parameter: variables stay what they are, and are read each time; all else is a tensor."""
    return value if isinstance(value, TensorLike) else as_tensor(value, dtype)
