"""The parameters of a traced function: every spelling of a call becomes one tuple of values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from ...core.signatures import signature_of

POSITIONAL: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class CallArguments(NamedTuple):
    """Arguments as Python's call takes them."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Parameters:
    """The signature of a function; `bind` gives one value for each parameter.

    `*args` has a tuple for a value, `**kwargs` a dict.
    """

    __slots__ = ("_defaults", "_plain", "_takes_keywords", "each", "names", "signature")

    def __init__(self, signature: inspect.Signature) -> None:
        self.signature: Final = signature
        self.each: Final = tuple(signature.parameters.values())
        self.names: Final = tuple(parameter.name for parameter in self.each)
        # Where every parameter can be given by position, a call's arguments are its values.
        self._plain = all(parameter.kind in POSITIONAL for parameter in self.each)
        self._takes_keywords = any(one.kind is Parameter.VAR_KEYWORD for one in self.each)
        self._defaults = tuple(parameter.default for parameter in self.each)

    @property
    def arg_names(self) -> list[str]:
        """The names of those that can be given by position, as Keras 2 asks for them."""
        return [one.name for one in self.each if one.kind in POSITIONAL]

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
        """One value for each parameter, defaults filled in.

        Raises:
            TypeError: the arguments do not fit the signature.
        """
        if self._plain and not kwargs:
            missing = self._defaults[len(args) :]
            given = all(default is not Parameter.empty for default in missing)
            if given and len(args) <= len(self.each):
                return args + missing
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise self.binding_error(str(error), args, kwargs) from None
        bound.apply_defaults()
        values = tuple(bound.arguments.values())
        if self._takes_keywords:  # in which order they were given is not to matter
            return (*values[:-1], dict(sorted(values[-1].items())))
        return values

    def without_first(self) -> Parameters:
        """The parameters of a method that is bound to its instance."""
        first = self.each[0] if self.each else None
        if first is None or first.kind is Parameter.VAR_POSITIONAL:
            return self
        return Parameters(self.signature.replace(parameters=self.each[1:]))

    def as_call(self, values: Sequence[Any]) -> CallArguments:
        """`values`, one for each parameter, as Python's call takes them."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter, value in zip(self.each, values, strict=True):
            if parameter.kind in POSITIONAL:
                args.append(value)
            elif parameter.kind is Parameter.VAR_POSITIONAL:
                args.extend(value)
            elif parameter.kind is Parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            else:
                kwargs.update(value)
        return CallArguments(tuple(args), kwargs)

    def binding_error(
        self, reason: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> TypeError:
        from .mismatch import nearest, short

        return TypeError(
            f"Binding inputs to tf.function failed due to `{reason}`. "
            f"Received args: {short(args)} and kwargs: {short(kwargs)} for signature: "
            f"{self.signature}.{nearest(kwargs, self)}"
        )


def parameters_of(function: Callable[..., Any]) -> Parameters:
    """The parameters of any callable; those of some builtins are unknown and taken as they come."""
    try:
        signature = signature_of(function)
    except ValueError:
        anything = [
            Parameter("args", Parameter.VAR_POSITIONAL),
            Parameter("kwargs", Parameter.VAR_KEYWORD),
        ]
        signature = inspect.Signature(anything)
    return Parameters(signature)
