"""`tf.autograph`: what users and the layers below call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any, TypeVar

from . import conversion
from .errors import ConversionError
from .options import ConversionOptions, Feature
from .runtime.namespace import runtime_for
from .user_errors import cause_of, told_by_user_lines

Function = TypeVar("Function", bound=Callable[..., Any])
Features = Feature | Iterable[Feature] | None


def convert_function(
    function: Function,
    features: Features = None,
    recursive: bool = True,
    asked: bool = False,
) -> Function:
    """A callable that does what `function` does, with control flow on tensors staged.

    Exceptions that leave it show the user's lines. A callable that is not converted (a library
    function that nobody `asked` for, a `tf.function`, one without source) is called as it is.

    Raises:
        TypeError: `features` are no `tf.autograph.experimental.Feature`s.
    """
    converted = runtime_for(ConversionOptions.of(features, recursive)).entry(function, asked)

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return converted(*args, **kwargs)
        except Exception as error:
            shown = told_by_user_lines(error)
            if shown is error:
                raise
            raise shown from cause_of(error)

    functools.update_wrapper(call, function)
    return call  # type: ignore[return-value]


def converted_call(
    function: Callable[..., Any],
    args: Iterable[Any] = (),
    kwargs: dict[str, Any] | None = None,
    features: Features = None,
) -> Any:
    """Call a function the way converted code does."""
    return runtime_for(ConversionOptions.of(features)).converted(function)(*args, **(kwargs or {}))


def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: Features = None,
) -> Callable[..., Any]:
    """The converted form of a function, as a function.

    It may be called on Python values and eager tensors too, and then does what `entity` does.

    >>> def absolute(x):
    ...     if x < 0:
    ...         x = -x
    ...     return x
    >>> converted = tf.autograph.to_graph(absolute)
    >>> converted(-2), int(converted(tf.constant(-3)))
    (2, 3)

    Raises:
        ConversionError: `entity` has no code, or its source cannot be read or converted.
    """
    options = ConversionOptions.of(experimental_optional_features, recursive)
    converted = conversion.converted_code(*_code_of(entity))
    if isinstance(converted, ConversionError):
        raise converted
    return runtime_for(options).entry(entity, asked=True)


def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: Features = None,
) -> str:
    """The converted form of a function as text; `ag__` is the runtime that it calls.

    >>> def absolute(x):
    ...     if x < 0:
    ...         x = -x
    ...     return x
    >>> "ag__.if_stmt(x < 0" in tf.autograph.to_code(absolute)
    True

    Raises:
        ConversionError: `entity` has no code, or its source cannot be read or converted.
    """
    ConversionOptions.of(experimental_optional_features, recursive)
    return conversion.converted_source(*_code_of(entity))


def _code_of(entity: Any) -> tuple[CodeType, dict[str, Any]]:
    """The code object behind a function, method, partial or `tf.function`, and its globals."""
    while True:
        if isinstance(entity, functools.partial):
            entity = entity.func
        elif hasattr(entity, "__func__"):
            entity = entity.__func__
        elif isinstance(entity, FunctionType):
            return entity.__code__, entity.__globals__
        elif hasattr(entity, "python_function"):
            entity = entity.python_function
        else:
            raise ConversionError(f"cannot convert {entity!r}: it doesn't expose a __code__ object")


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Decorate a function that is to run as it is written, also when converted code calls it.

    >>> @tf.autograph.experimental.do_not_convert
    ... def is_traced(x):
    ...     return not tf.executing_eagerly()
    >>> is_traced(tf.constant(1)), bool(tf.function(is_traced)(tf.constant(1)))
    (False, True)

    Raises:
        TypeError (when it is called): `func` cannot be called.
    """
    if func is None:
        return do_not_convert

    # Functions of this library are never converted, and this is one.
    @functools.wraps(func)
    def unconverted(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return unconverted
