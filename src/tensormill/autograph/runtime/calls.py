"""Calls: what stands for a callable inside of converted code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from ...autodiff.wrapping import Wrapping
from ...core import tree
from ...core.source import is_of_python
from ...errors import OperatorNotAllowedInGraphError
from .. import conversion
from ..errors import ConversionError, NoSourceError
from ..options import ConversionOptions, Feature
from ..verbosity import log, logger
from .builtins import BUILTINS, filter_, map_, staged_print
from .iterators import taking
from .policy import is_exempt, takes_functions
from .questions import asked_of_numbers, in_python_if_refused
from .reductions import max_, min_, sorted_


class Calls:
    """Decides about callables. One for each set of options, made by `runtime_for`."""

    def __init__(self, options: ConversionOptions, runtime: Any) -> None:
        self._recursive = options.recursive
        self._names_scopes = options.has(Feature.NAME_SCOPES)
        self._runtime = runtime
        self._builtins: dict[Any, Any] = {
            **BUILTINS,
            map: self._map,
            filter: self._filter,
            max: self._with_key(max_),
            min: self._with_key(min_),
            sorted: self._with_key(sorted_),
        }
        if options.has(Feature.BUILTIN_FUNCTIONS):
            self._builtins[print] = staged_print

    def converted(self, function: Any) -> Any:
        """What to call instead of `function`, or `function` itself.

        | a … | becomes |
        |---|---|
        | function of the user | its converted form |
        | method, partial, object with a `__call__` of the user | the same around that form |
        | builtin (`len`, `range`, `int`, …) | one that takes tensors too |
        | anything else (library functions, classes, `tf.function`s) | itself |
        """
        if _is_builtin(function):
            return self._builtin(function)
        return self.entry(function) if self._recursive else function

    def entry(self, function: Any, asked: bool = False) -> Any:
        """The converted form of a callable. Where the user `asked` for it, libraries' ones too."""
        kind = type(function)
        if kind is FunctionType:
            return self.function(function, asked)
        if kind is MethodType:
            return self._method(function, asked)
        if kind is functools.partial:
            return self._partial(function, asked)
        if _is_builtin(function):
            return self._builtin(function)
        return self._callable_object(function, asked)

    def _builtin(self, function: Any) -> Any:
        if function is breakpoint:
            return _stopper()
        if (instead := self._builtins.get(function)) is not None:
            return taking(function, instead)
        return taking(function, asked_of_numbers(function) if is_of_c(function) else function)

    def function(self, function: FunctionType, asked: bool = False) -> Callable[..., Any]:
        """The converted form of a function, or the function if there is none."""
        code = function.__code__
        if conversion.is_converted(code):
            return function
        if is_exempt(function, asked):
            if function.__module__ == "pdb" and function.__name__ == "set_trace":
                return _stopper()
            if is_of_python(code.co_filename):
                return in_python_if_refused(function)
            return self._with_converted(function) if takes_functions(function) else function
        converted = conversion.converted_code(code, function.__globals__)
        if isinstance(converted, ConversionError):
            return unconverted(function, converted)
        made = conversion.instantiate(function, converted, self._runtime)
        return in_name_scope(made) if self._names_scopes else made

    def _method(self, method: MethodType, asked: bool) -> Any:
        inner = self.entry(method.__func__, asked)
        return method if inner is method.__func__ else MethodType(inner, method.__self__)

    def _partial(self, partial: functools.partial[Any], asked: bool) -> Any:
        inner = self.entry(partial.func, asked)
        if inner is partial.func:
            return partial
        return functools.partial(inner, *partial.args, **partial.keywords)

    def _callable_object(self, instance: Any, asked: bool) -> Any:
        if isinstance(instance, Wrapping):  # `tf.custom_gradient`, `tf.recompute_grad`
            return instance.around(self.entry)
        call = _defined_call(type(instance))
        if type(call) is not FunctionType:
            is_of_users = hasattr(instance, "__wrapped__")
            return instance if is_of_users else in_python_if_refused(instance)
        inner = self.function(call, asked)
        return instance if inner is call else MethodType(inner, instance)

    # --- functions that call what they are given ---

    def _with_converted(self, function: FunctionType) -> Callable[..., Any]:
        """`tf.cond`, `tf.while_loop`, `tf.map_fn`, …: their functions are the user's code."""

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            # A list or dict that is given stays the one that it is where there is none in it.
            if any(map(_is_function, tree.flatten((args, kwargs)))):
                args, kwargs = tree.map_structure(self._if_function, (args, kwargs))
            return function(*args, **kwargs)

        return call

    def _if_function(self, value: Any) -> Any:
        return self.entry(value) if _is_function(value) else value

    def _map(self, function: Any, *iterables: Any) -> Any:
        return map_(self.converted(function), *iterables)

    def _filter(self, function: Any, iterable: Any) -> Any:
        return filter_(function and self.converted(function), iterable)

    def _with_key(self, builtin: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, key: Any = None, **options: Any) -> Any:
            return builtin(*values, key=key and self.converted(key), **options)

        return call


def _is_builtin(function: Any) -> bool:
    kind = type(function)
    return kind is BuiltinFunctionType or kind is type


def is_of_c(function: Any) -> bool:
    """Whether no function that is written in Python is called first."""
    if not isinstance(function, type):
        return True
    own = [vars(one).get(name) for one in function.__mro__ for name in ("__new__", "__init__")]
    return type(function) is type and not any(isinstance(one, FunctionType) for one in own)


def _is_function(value: Any) -> bool:
    return type(value) in (FunctionType, MethodType, functools.partial)


def _stopper() -> Any:
    from .debugging import stopper

    return stopper()


def _defined_call(cls: type) -> Any:
    """`__call__` as its class defines it: what wraps it, as `staticmethod` does, is seen."""
    return next((c.__dict__["__call__"] for c in cls.__mro__ if "__call__" in c.__dict__), None)


def in_name_scope(function: FunctionType) -> Callable[..., Any]:
    """The function with its name in front of those of its operations."""
    from ...eager.scopes import name_scope

    scope = _as_scope(function.__name__)

    @functools.wraps(function)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        with name_scope(scope):
            return function(*args, **kwargs)

    return scoped


def _as_scope(name: str) -> str:
    """A function's name as TensorFlow calls its scope: none begins with an underscore."""
    if name == "<lambda>":
        return "lambda_"
    return f"fn{name}" if name.startswith("_") else name


_warned: conversion.WeakIdentityMap[Any, None] = conversion.WeakIdentityMap()


def unconverted(function: FunctionType, reason: ConversionError) -> Callable[..., Any]:
    """The function as it is; where it needs a conversion, the error says why it had none."""
    if isinstance(reason, NoSourceError):
        log(1, "AutoGraph runs %r as it is: %s", function, reason)
    elif function.__code__ not in _warned:
        _warned.set(function.__code__, None)
        logger.warning(
            "AutoGraph could not transform %r and will run it as-is.\nCause: %s\nTo silence this "
            "warning, decorate the function with @tf.autograph.experimental.do_not_convert",
            function,
            reason,
        )

    @functools.wraps(function)
    def explained(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except OperatorNotAllowedInGraphError as error:
            sentence = f"AutoGraph did not convert {function.__qualname__}: {reason}"
            error.args = (f"{error}\n{sentence}",)
            raise

    return explained
