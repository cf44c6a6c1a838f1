"""`tensorflow.python.util.tf_decorator` and `tf_contextlib`: wrappers that say what they wrap."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

contextmanager = contextlib.contextmanager


class TFDecorator(NamedTuple):
    """What is known of one wrapper around a function."""

    decorator_name: str
    decorated_target: Any
    decorator_doc: str = ""
    decorator_argspec: Any = None


def make_decorator(
    target: Callable[..., Any],
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """`decorator_func`, with the names and the documentation of the `target` that it calls."""
    functools.update_wrapper(decorator_func, target)
    name = decorator_name or decorator_func.__name__
    decorator_func._tf_decorator = TFDecorator(name, target, decorator_doc, decorator_argspec)  # type: ignore[attr-defined]
    return decorator_func


def unwrap(maybe_decorated: Any) -> tuple[list[TFDecorator], Any]:
    """The decorators around a function, outermost first, and the function."""
    decorators: list[TFDecorator] = []
    target = maybe_decorated
    while (decorator := _around(target)) is not None:
        decorators.append(decorator)
        target = decorator.decorated_target
    return decorators, target


def _around(function: Any) -> TFDecorator | None:
    found = getattr(function, "_tf_decorator", None)
    if isinstance(found, TFDecorator):
        return found
    inner = getattr(function, "python_function", None)  # of a `tf.function`
    if inner is not None:
        return TFDecorator("tf.function", inner)
    inner = getattr(function, "__wrapped__", None)
    return TFDecorator("tensormill", inner) if inner is not None and is_ours(function) else None


def is_ours(function: Any) -> bool:
    """Whether a function was written here; of a wrapper, not what it wraps."""
    where = getattr(function, "__globals__", {}).get("__name__", "")
    return where.partition(".")[0] == __name__.partition(".")[0]
