"""The arguments of a call, under the names of the parameters that they are for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from typing import Any

from ...core.process.named_tuples import NamedTuple


class GivenArguments(NamedTuple):
    """All arguments, defaults included: by name, and as they are handed on."""

    arguments: Mapping[str, Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]


class TakenParameters:
    """What a function takes. `signature.bind` knows the same, and takes ten times as long."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.signature = signature(function)
        each = self.signature.parameters
        self.names = tuple(each)
        self.defaults = {
            name: one.default for name, one in each.items() if one.default is not Parameter.empty
        }
        self.are_plain = all(one.kind is Parameter.POSITIONAL_OR_KEYWORD for one in each.values())

    def call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> GivenArguments | None:
        """A call of the function; None where it does not take these arguments."""
        if not self.are_plain:
            return self._bound(args, kwargs)
        arguments = dict(zip(self.names, args, strict=False))
        if len(args) > len(self.names):
            return None
        taken = 0
        for name in self.names[len(args) :]:
            if name in kwargs:
                arguments[name] = kwargs[name]
                taken += 1
            elif name in self.defaults:
                arguments[name] = self.defaults[name]
            else:
                return None
        return (
            GivenArguments(arguments, tuple(arguments.values()), {})
            if taken == len(kwargs)
            else None
        )

    def _bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> GivenArguments | None:
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return None
        bound.apply_defaults()
        return GivenArguments(bound.arguments, bound.args, bound.kwargs)
